import { Activity as ActivityIcon, Radio, X } from 'lucide-react'
import { Button, LinkButton } from '../../components/button.tsx'
import { Content, Empty } from '../../components/feedback.tsx'
import { SearchField, Select } from '../../components/field.tsx'
import { Page } from '../../components/page.tsx'
import { Pager, TableShape } from '../../components/table.tsx'
import { readable } from '../../format.ts'
import { usePlatforms } from '../../platforms.ts'
import { type Activity, entityTypes, type Page as PageOf } from '../../types.ts'
import { useData } from '../../use-data.ts'
import { type Query, useQuery, useTyped } from '../../use-query.ts'
import { useWorkspace } from '../../workspace.tsx'
import { activityPath, periods } from './activity-path.ts'
import { ActivityTable } from './activity-table.tsx'
import { useCallers } from './use-callers.ts'

export default function ActivityPage() {
  const { api, page } = useWorkspace()
  const query = useQuery()
  const callers = useCallers()
  const live = query.get('live') === 'yes'
  const list = useData<PageOf<Activity>>(activityPath(api('activity'), query), { every: live && !query.get('after') ? 3_000 : undefined })
  return (
    <Page
      title="Activity"
      about="Every request with its calls to the platform, waits and retries. Secrets are removed before anything is kept."
      actions={
        <Button icon={Radio} kind={live ? 'primary' : 'plain'} aria-pressed={live} onClick={() => query.set({ live: live ? undefined : 'yes' }, 'replace')}>
          Live
        </Button>
      }
    >
      <Filters query={query} />
      <Content of={list} shape={<TableShape columns={6} rows={12} />}>
        {({ data, next }) =>
          data.length > 0 ? (
            <>
              <ActivityTable rows={data} callers={callers} />
              <Pager query={query} shown={data.length} next={next} of="requests" />
            </>
          ) : query.filtered ? (
            <Empty icon={ActivityIcon} title="No request fits this filter" action={<Button onClick={query.clear}>Clear the filter</Button>}>
              Requests are kept for a number of days that the operator sets. Search takes a request id or its beginning, an account id, and a record's id at either side, each
              written in full.
            </Empty>
          ) : (
            <Empty icon={ActivityIcon} title="No request yet" action={<LinkButton href={page('explorer')}>Make one in the explorer</LinkButton>}>
              As soon as one of your systems calls the unified API, each request appears here with everything that happened on its way to the platform and back.
            </Empty>
          )
        }
      </Content>
    </Page>
  )
}

function Filters({ query }: { query: Query }) {
  const [search, setSearch] = useTyped(query, 'search')
  const platforms = usePlatforms()
  const status = query.get('status')
  const outcomes = [
    ['', 'Any answer'],
    ['ok', 'OK'],
    ['error', 'Any error'],
    ['4xx', '4xx: refused'],
    ['5xx', '5xx: failed'],
  ] as const
  const known = outcomes.some(([value]) => value === status)
  return (
    <div className="stack-small">
      <div className="filters">
        <SearchField label="Search" placeholder="Request, record or account id" value={search} onChange={setSearch} />
        <Select
          bare
          label="Answer"
          value={status}
          choices={[...outcomes.map(([value, label]) => ({ value, label })), ...(known ? [] : [{ value: status, label: status }])]}
          onChange={(value) => query.set({ status: value })}
        />
        <Select
          bare
          label="Platform"
          value={query.get('platform')}
          choices={[{ value: '', label: 'Any platform' }, ...(platforms.data ?? []).map(({ platform, name }) => ({ value: platform, label: name }))]}
          onChange={(value) => query.set({ platform: value })}
        />
        <Select
          bare
          label="Entity"
          value={query.get('entityType')}
          choices={[{ value: '', label: 'Any entity' }, ...entityTypes.map((value) => ({ value, label: readable(value) }))]}
          onChange={(value) => query.set({ entityType: value })}
        />
        <Select
          bare
          label="Period"
          value={query.get('period')}
          choices={periods.map(({ value, label }) => ({ value, label }))}
          onChange={(value) => query.set({ period: value })}
        />
      </div>
      <Chips query={query} />
    </div>
  )
}

/** Filters that came by a link and have no field of their own. */
function Chips({ query }: { query: Query }) {
  const chips = [
    ['accountId', 'Account'],
    ['record', 'Record'],
  ].filter(([name = '']) => query.get(name))
  if (chips.length === 0) return null
  return (
    <div className="row">
      {chips.map(([name = '', label]) => (
        <button key={name} type="button" className="chip" aria-label={`Remove the filter ${label} ${query.get(name)}`} onClick={() => query.set({ [name]: undefined })}>
          <span className="faint">{label}</span> <span className="mono">{query.get(name)}</span> <X size={13} aria-hidden />
        </button>
      ))}
    </div>
  )
}
