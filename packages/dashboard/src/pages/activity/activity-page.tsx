import { Button, LinkButton } from '../../components/button.tsx'
import { Chip } from '../../components/chip.tsx'
import { ExportMenu } from '../../components/export-menu.tsx'
import { Content, Empty } from '../../components/feedback.tsx'
import { SearchField, Select } from '../../components/field.tsx'
import { Page } from '../../components/page.tsx'
import { PeriodFilter } from '../../components/period.tsx'
import { Pager, TableShape } from '../../components/table.tsx'
import { readable } from '../../format.ts'
import { Activity as ActivityIcon, Radio } from '../../lucide/icons.tsx'
import { usePlatforms } from '../../platforms.ts'
import { entityTypes } from '../../types.ts'
import { useManage, usePublicPage } from '../../use-data.ts'
import { type Query, useQuery, useTyped } from '../../use-query.ts'
import { useWorkspace } from '../../workspace.tsx'
import { activityFilter } from './activity-path.ts'
import { ActivityTable } from './activity-table.tsx'
import { useCallers } from './use-callers.ts'

export default function ActivityPage() {
  const { page } = useWorkspace()
  const query = useQuery()
  const callers = useCallers()
  const live = query.get('live') === 'yes'
  const list = useManage(
    'listActivity',
    { query: { after: query.get('after'), ...activityFilter(query) } },
    { every: live && !query.get('after') ? 3_000 : undefined },
  )
  return (
    <Page
      title="Activity"
      about="Every request with its platform calls, queue times, and retries. Secrets are removed before storage."
      actions={
        <>
          <Button
            icon={Radio}
            kind={live ? 'primary' : 'plain'}
            aria-pressed={live}
            onClick={() => query.set({ live: live ? undefined : 'yes' }, 'replace')}
          >
            Live
          </Button>
          <ExportMenu operation="exportActivity" query={activityFilter(query)} />
        </>
      }
    >
      <Filters query={query} callers={callers} />
      <Content of={list} shape={<TableShape columns={6} rows={12} />}>
        {({ data, next }) =>
          data.length > 0 ? (
            <>
              <ActivityTable rows={data} callers={callers} />
              <Pager query={query} shown={data.length} next={next} of="requests" />
            </>
          ) : next ? (
            <Empty
              icon={ActivityIcon}
              title="Nothing found yet"
              action={
                <Button kind="primary" onClick={() => query.set({ after: next })}>
                  Search older requests
                </Button>
              }
            >
              The newest requests were searched, and none of them matches this filter.
            </Empty>
          ) : query.filtered ? (
            <Empty
              icon={ActivityIcon}
              title="No requests match this filter"
              action={<Button onClick={query.clear}>Clear filter</Button>}
            >
              The operator sets how many days requests are kept. Search by the start of a request ID, by a full account
              ID or record ID, or by a part of an error message.
            </Empty>
          ) : (
            <Empty
              icon={ActivityIcon}
              title="No requests yet"
              action={<LinkButton href={page('explorer')}>Open the explorer</LinkButton>}
            >
              Requests to the unified API appear here, each with its trace.
            </Empty>
          )
        }
      </Content>
    </Page>
  )
}

function Filters({ query, callers }: { query: Query; callers: ReadonlyMap<string, string> }) {
  const [search, setSearch] = useTyped(query, 'search')
  const platforms = usePlatforms()
  const status = query.get('status')
  const outcomes = [
    ['', 'Any response'],
    ['ok', 'OK'],
    ['error', 'Any error'],
    ['4xx', '4xx: client errors'],
    ['5xx', '5xx: server errors'],
  ] as const
  const errors = usePublicPage('/errors.json')
  const codes = errors.data?.data.map(({ code }) => code) ?? (/^(|ok|error|4xx|5xx)$/.test(status) ? [] : [status])
  const caller = query.get('credentialId')
  return (
    <div className="stack-small">
      <div className="filters activity-filters">
        <SearchField label="Search" placeholder="Full ID or error message" value={search} onChange={setSearch} />
        <Select
          bare
          label="Response"
          value={status}
          choices={[
            ...outcomes.map(([value, label]) => ({ value, label })),
            ...codes.map((code) => ({ value: code, label: code })),
          ]}
          onChange={(value) => query.set({ status: value })}
        />
        <Select
          bare
          label="Caller"
          value={caller}
          choices={[
            { value: '', label: 'Any caller' },
            ...[...callers].map(([value, label]) => ({ value, label })),
            ...(caller === '' || callers.has(caller) ? [] : [{ value: caller, label: caller }]),
          ]}
          onChange={(value) => query.set({ credentialId: value })}
        />
        <Select
          bare
          label="Platform"
          value={query.get('platform')}
          choices={[
            { value: '', label: 'Any platform' },
            ...(platforms.data ?? []).map(({ platform, name }) => ({ value: platform, label: name })),
          ]}
          onChange={(value) => query.set({ platform: value })}
        />
        <Select
          bare
          label="Entity type"
          value={query.get('entityType')}
          choices={[
            { value: '', label: 'Any entity type' },
            ...entityTypes.map((value) => ({ value, label: readable(value) })),
          ]}
          onChange={(value) => query.set({ entityType: value })}
        />
        <PeriodFilter query={query} />
      </div>
      <Chips query={query} />
    </div>
  )
}

/** Filters from links that have no input field. */
function Chips({ query }: { query: Query }) {
  const chips = (
    [
      ['accountId', 'Account'],
      ['record', 'Record'],
    ] as const
  ).filter(([name]) => query.get(name))
  if (chips.length === 0) return null
  return (
    <div className="row">
      {chips.map(([name, label]) => (
        <Chip key={name} label={label} value={query.get(name)} onRemove={() => query.set({ [name]: undefined })} />
      ))}
    </div>
  )
}
