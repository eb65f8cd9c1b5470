import { useParams } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Chip } from '../../components/chip.tsx'
import { ExportMenu } from '../../components/export-menu.tsx'
import { Content, Empty } from '../../components/feedback.tsx'
import { SearchField, Select } from '../../components/field.tsx'
import { Page, Tabs } from '../../components/page.tsx'
import { PeriodFilter, timesOf } from '../../components/period.tsx'
import { State } from '../../components/state.tsx'
import { Pager, TableShape } from '../../components/table.tsx'
import { actionName, plural } from '../../format.ts'
import { ScrollText } from '../../lucide/icons.tsx'
import { useManage } from '../../use-data.ts'
import { type Query, useQuery, useTyped } from '../../use-query.ts'
import { useWorkspace } from '../../workspace.tsx'
import { AuditTable, Entry, installation } from './audit-table.tsx'
import './audit.css'

const filters = ['search', 'outcome', 'actor', 'action', 'address'] as const
const outcomes = [
  { value: '', label: 'Any outcome' },
  { value: 'ok', label: 'OK' },
  { value: 'error', label: 'Any error' },
  { value: 'started', label: 'Started' },
] as const

export default function AuditPage() {
  const { page } = useWorkspace()
  const { tab } = useParams()
  const whole = tab === 'installation'
  const query = useQuery()
  const filter = {
    ...(whole ? installation : {}),
    ...Object.fromEntries(filters.map((name) => [name, query.get(name)])),
    ...timesOf(query),
  }
  const list = useManage(whole ? 'listAudit' : 'listWorkspaceAudit', {
    query: { ...filter, after: query.get('after') },
  })
  return (
    <Page
      title="Audit log"
      state={<Chain whole={whole} />}
      about="Who changed what, when, and from where. Entries cannot be edited or deleted: each has the hash of the one before."
      actions={<ExportMenu operation={whole ? 'exportAudit' : 'exportWorkspaceAudit'} query={filter} />}
    >
      <Tabs
        label="Logs"
        current={whole ? 'installation' : 'workspace'}
        tabs={[
          { id: 'workspace', label: 'This workspace', href: page('audit') },
          { id: 'installation', label: 'Installation', href: page('audit', 'installation') },
        ]}
      />
      <Filters query={query} />
      <Content of={list} shape={<TableShape columns={6} rows={12} />}>
        {({ data, next }) =>
          data.length > 0 ? (
            <>
              <AuditTable rows={data} />
              <Pager query={query} shown={data.length} next={next} of="entries" />
            </>
          ) : query.filtered ? (
            <Empty
              icon={ScrollText}
              title="No entries match this filter"
              action={<Button onClick={query.clear}>Clear filter</Button>}
            >
              Search by a part of a user name, an action, an IP address, a request ID, or the ID of the object.
            </Empty>
          ) : (
            <Empty icon={ScrollText} title="No entries yet">
              {whole
                ? 'Sign-ins, new workspaces, and changes to platform apps appear here.'
                : 'Every change in this workspace appears here, whether it succeeded or not.'}
            </Empty>
          )
        }
      </Content>
      <Entry whole={whole} rows={list.data?.data ?? []} query={query} />
    </Page>
  )
}

function Chain({ whole }: { whole: boolean }) {
  const { data, error } = useManage(whole ? 'verifyAudit' : 'verifyWorkspaceAudit', {
    query: whole ? installation : undefined,
  })
  if (error) return <State tone="attention">Chain not verified</State>
  if (!data) return <State tone="waiting">Verifying chain</State>
  const chain = 'data' in data ? data.data[0] : data
  if (chain?.brokenAt !== undefined) return <State tone="broken">Chain broken at entry {chain.brokenAt}</State>
  return <State tone="ok">Chain verified: {plural(chain?.entries ?? 0, 'entry', 'entries')}</State>
}

function Filters({ query }: { query: Query }) {
  const [search, setSearch] = useTyped(query, 'search')
  const outcome = query.get('outcome')
  const chips = (['actor', 'action', 'address'] as const).filter((name) => query.get(name))
  const labels = { actor: 'User', action: 'Action', address: 'Address' }
  return (
    <div className="stack-small">
      <div className="filters">
        <SearchField label="Search" placeholder="User, action, address, or ID" value={search} onChange={setSearch} />
        <Select
          bare
          label="Outcome"
          value={outcome}
          choices={[
            ...outcomes,
            ...(outcomes.some(({ value }) => value === outcome) ? [] : [{ value: outcome, label: outcome }]),
          ]}
          onChange={(value) => query.set({ outcome: value })}
        />
        <PeriodFilter query={query} />
      </div>
      {chips.length > 0 ? (
        <div className="row">
          {chips.map((name) => (
            <Chip
              key={name}
              label={labels[name]}
              value={name === 'action' ? actionName(query.get(name)) : query.get(name)}
              onRemove={() => query.set({ [name]: undefined })}
            />
          ))}
        </div>
      ) : null}
    </div>
  )
}
