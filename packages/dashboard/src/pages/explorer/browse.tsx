// A page of records on the left, the selected record on the right as unified and native.

import { type KeyboardEvent, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { withQuery } from '../../api.ts'
import { Button, IconButton, LinkButton } from '../../components/button.tsx'
import { Content, Empty, Failure, Notice, Skeleton } from '../../components/feedback.tsx'
import { SearchField, Select } from '../../components/field.tsx'
import { Identifier } from '../../components/identifier.tsx'
import { Tabs } from '../../components/page.tsx'
import { plural, readable } from '../../format.ts'
import { ChevronLeft, ChevronRight, ChevronsLeft, Inbox, Pencil, RotateCw, SearchX } from '../../lucide/icons.tsx'
import type { EntityType } from '../../types.ts'
import { type Loaded, useManage } from '../../use-data.ts'
import { useWorkspace } from '../../workspace.tsx'
import { Compare } from './compare.tsx'
import { NativeResponses } from './native-responses.tsx'
import { RequestStrip } from './request-strip.tsx'
import type { Explorable, Explored, ExploredPage, RequestInfo, Support } from './responses.ts'
import { useExplorerRoute } from './route.ts'
import { subtitleOf, timeOf, titleOf } from './titles.ts'

export function Browse({
  account,
  entityType,
  support,
}: {
  account: Explorable
  entityType: EntityType
  support: Support
}) {
  const { route, go } = useExplorerRoute()
  const path = { accountId: account.accountId, entityType }
  const mappingKey = route.mappingKey || undefined
  const page = useManage('exploreRecords', {
    path,
    query: route.cursor
      ? { cursor: route.cursor, mappingKey }
      : { mappingKey, search: route.search || undefined, updatedAfter: startOf(route.days) },
  })
  const listed = page.data?.data.find(({ id }) => id === route.record)
  const single = useManage(route.record && page.data && !listed && !page.stale ? 'exploreRecord' : undefined, {
    path: { ...path, id: route.record },
    query: { mappingKey },
  })
  const first = page.stale || !page.data ? undefined : newestFirst(page.data.data)[0]?.id
  useEffect(() => {
    if (!route.record && first !== undefined) go({ record: first }, 'replace')
  }, [route.record, first, go])
  const chosen = listed ?? (single.data?.id === route.record ? single.data : undefined)
  const asked: RequestInfo | undefined = listed ? page.data : single.data
  return (
    <div className="browse">
      <RecordList page={page} entityType={entityType} support={support} />
      <div className="browse-record">
        {chosen && asked ? (
          <Record
            explored={chosen}
            asked={asked}
            account={account}
            entityType={entityType}
            support={support}
            refresh={() => void (listed ? page : single).refresh()}
            busy={page.loading || single.loading}
          />
        ) : single.error ? (
          <Failure error={single.error} kept="The list was loaded." retry={() => void single.refresh()} />
        ) : page.data?.data.length === 0 ? null : page.error ? null : (
          <RecordShape />
        )}
      </div>
    </div>
  )
}

/** The text is searched for when it is sent: each search costs calls to the platform. */
function RecordSearch({ support }: { support: Support }) {
  const { route, go } = useExplorerRoute()
  const [text, setText] = useState(route.search)
  useEffect(() => setText(route.search), [route.search])
  const fresh = { cursor: '', page: 1, record: '' }
  const send = (search: string) => go({ ...fresh, search, days: '' })
  return (
    <form
      className="browse-search"
      onSubmit={(event) => {
        event.preventDefault()
        send(text.trim())
      }}
    >
      <SearchField
        label="Search records"
        placeholder={['ID', ...support.search.by.map((field) => searchLabels[field])].join(', ')}
        value={text}
        onChange={(next) => {
          setText(next)
          if (next === '' && route.search !== '') send('')
        }}
      />
      {support.updatedAfter === 'none' ? null : (
        <Select
          bare
          label="Changed"
          value={route.days}
          onChange={(days) => go({ ...fresh, days, search: '' })}
          choices={periods}
        />
      )}
    </form>
  )
}
const periods = [
  { value: '', label: 'Changed at any time' },
  { value: '1', label: 'Changed in the last 24 hours' },
  { value: '7', label: 'Changed in the last 7 days' },
  { value: '30', label: 'Changed in the last 30 days' },
]
/** Rounded to the hour, so that the same choice keeps the same path. */
const startOf = (days: string) => {
  const hours = Number(days) * 24
  return hours > 0 ? new Date((Math.floor(Date.now() / 3_600_000) - hours) * 3_600_000).toISOString() : undefined
}
/** Records without a time stay in the order of the platform. */
const newestFirst = (records: readonly Explored[]) =>
  records.toSorted((left, right) => timeOf(right).localeCompare(timeOf(left)))
const noRecords = (onPage: boolean) =>
  `The platform has no records${onPage ? ' on this page' : ''}. Create one with “New record”, or choose another account.`
const nothingChanged = 'No record has changed in this period. Choose a longer one.'
const searchLabels = { name: 'name', email: 'email', phone: 'phone', sku: 'SKU', number: 'number' } as const

function RecordList({
  page,
  entityType,
  support,
}: {
  page: Loaded<ExploredPage>
  entityType: EntityType
  support: Support
}) {
  const { route, address } = useExplorerRoute()
  const [, navigate] = useLocation()
  const walk = (event: KeyboardEvent<HTMLElement>) => {
    const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a')]
    const at = links.indexOf(document.activeElement as HTMLElement)
    const next = event.key === 'ArrowDown' ? links[at + 1] : event.key === 'ArrowUp' ? links[at - 1] : undefined
    if (!next) return
    event.preventDefault()
    next.focus()
    next.click()
  }
  const turn = (change: { cursor: string; page: number }) => address({ ...change, record: '' })
  return (
    <div className="browse-list">
      <RecordSearch support={support} />
      {page.data?.warnings?.map(({ code, message }) => (
        <Notice key={code} tone="attention">
          <p>{message}</p>
        </Notice>
      ))}
      <Content of={page} shape={<ListShape />}>
        {({ data, cursor }) =>
          data.length === 0 && !cursor ? (
            <Empty
              icon={route.search ? SearchX : Inbox}
              title={route.search || route.days ? 'No matches' : `No ${readable(entityType).toLowerCase()} records`}
            >
              {route.search
                ? `Nothing was found for “${route.search}”.`
                : route.days
                  ? nothingChanged
                  : noRecords(route.cursor !== '')}
            </Empty>
          ) : (
            <>
              <ul className="browse-entries" onKeyDown={walk}>
                {newestFirst(data).map((explored) => (
                  <li key={explored.id}>
                    <Link
                      href={address({ record: explored.id })}
                      replace
                      className="browse-entry"
                      aria-current={explored.id === route.record ? 'true' : undefined}
                    >
                      <span className="browse-title">{titleOf(explored)}</span>
                      <span className="browse-subtitle">
                        {explored.record ? subtitleOf(explored) : 'cannot be normalized'}
                      </span>
                    </Link>
                  </li>
                ))}
              </ul>
              <nav className="browse-pages" aria-label="Record pages">
                <span className="row">
                  <IconButton
                    icon={ChevronsLeft}
                    label="First page"
                    disabled={route.page === 1}
                    onClick={() => navigate(turn({ cursor: '', page: 1 }))}
                  />
                  <IconButton
                    icon={ChevronLeft}
                    label="Previous page"
                    disabled={route.page === 1}
                    onClick={() => history.back()}
                  />
                </span>
                <span className="small faint">
                  Page {route.page} · {plural(data.length, 'record')}
                  {data.some((explored) => timeOf(explored) !== '') ? ', newest first' : ''}
                </span>
                <IconButton
                  icon={ChevronRight}
                  label="Next page"
                  disabled={!cursor}
                  onClick={() => cursor && navigate(turn({ cursor, page: route.page + 1 }))}
                />
              </nav>
            </>
          )
        }
      </Content>
    </div>
  )
}

interface RecordProps {
  explored: Explored
  asked: RequestInfo
  account: Explorable
  entityType: EntityType
  support: Support
  refresh(): void
  busy: boolean
}
function Record({ explored, asked, account, entityType, support, refresh, busy }: RecordProps) {
  const { route, address } = useExplorerRoute()
  const workspace = useWorkspace()
  return (
    <div className="stack">
      <header className="spread">
        <div>
          <h2>{titleOf(explored)}</h2>
          <div className="row small faint">
            <Identifier value={explored.id} length={32} />
            {explored.version ? <span>version {explored.version}</span> : null}
            <Link
              href={withQuery(workspace.page('activity'), {
                accountId: account.accountId,
                entityType,
                record: explored.id,
              })}
              className="inline-link"
            >
              View activity
            </Link>
          </div>
        </div>
        <div className="row">
          <Button icon={RotateCw} busy={busy} onClick={refresh}>
            Refresh
          </Button>
          {support.update && explored.record ? (
            <LinkButton needs="operator" icon={Pencil} href={address({ view: 'edit', record: explored.id })}>
              Edit
            </LinkButton>
          ) : null}
        </div>
      </header>
      <RequestStrip asked={asked} />
      {explored.warnings.map(({ code, message, pointer }) => (
        <Notice key={`${code} ${pointer} ${message}`} tone="attention">
          <p>
            {pointer ? <code>{pointer}</code> : null} {message}
          </p>
        </Notice>
      ))}
      <Tabs
        label="Views of the record"
        current={route.view}
        tabs={[
          { id: 'compare', label: 'Compare', href: address({ view: 'compare' }) },
          { id: 'native', label: 'Native', href: address({ view: 'native' }) },
        ]}
      />
      {route.view === 'native' ? (
        <NativeResponses
          key={explored.id}
          id={explored.id}
          accountId={account.accountId}
          entityType={entityType}
          platformName={account.platformName}
        />
      ) : (
        <Compare
          key={explored.id}
          explored={explored}
          platformName={account.platformName}
          accountId={account.accountId}
          entityType={entityType}
          mappingKey={route.mappingKey}
        />
      )}
    </div>
  )
}

const ListShape = () => (
  <div className="browse-entries">
    {Array.from({ length: 9 }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
      <div key={index} className="browse-entry">
        <Skeleton lines={2} />
      </div>
    ))}
  </div>
)
const RecordShape = () => (
  <div className="stack" aria-busy="true">
    <Skeleton height={44} />
    <div className="compare">
      <Skeleton height={420} />
      <Skeleton height={420} />
    </div>
  </div>
)
