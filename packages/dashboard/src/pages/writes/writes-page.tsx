import { Button } from '../../components/button.tsx'
import { Chip } from '../../components/chip.tsx'
import { Content, Empty } from '../../components/feedback.tsx'
import { SearchField, Select } from '../../components/field.tsx'
import { Moment } from '../../components/moment.tsx'
import { Page } from '../../components/page.tsx'
import { type Column, Pager, Table, TableShape } from '../../components/table.tsx'
import { CircleCheck, PenLine } from '../../lucide/icons.tsx'
import type { OpenWrite } from '../../types.ts'
import { useManage } from '../../use-data.ts'
import { useQuery, useTyped } from '../../use-query.ts'
import { useWorkspace } from '../../workspace.tsx'
import { nameOf, WriteState } from './words.tsx'

const states = [
  { value: '', label: 'Any state' },
  { value: 'unknown', label: 'Outcome unknown' },
  { value: 'partial', label: 'Written in part' },
  { value: 'in_progress', label: 'In progress' },
] as const

export default function WritesPage() {
  const { page } = useWorkspace()
  const query = useQuery()
  const [externalId, setExternalId] = useTyped(query, 'externalId')
  const names = ['state', 'externalId', 'accountId', 'after'] as const
  const list = useManage(
    'listOpenWrites',
    { query: Object.fromEntries(names.map((name) => [name, query.get(name)])) },
    { every: 5_000 },
  )
  return (
    <Page
      title="Writes"
      about="Writes that are not finished. The service settles most of them itself; open one to see what it sent and what you can do."
    >
      <div className="stack-small">
        <div className="filters">
          <SearchField label="External ID" value={externalId} onChange={setExternalId} />
          <Select
            bare
            label="State"
            value={query.get('state')}
            choices={states}
            onChange={(value) => query.set({ state: value })}
          />
        </div>
        {query.get('accountId') ? (
          <div className="row">
            <Chip label="Account" value={query.get('accountId')} onRemove={() => query.set({ accountId: undefined })} />
          </div>
        ) : null}
      </div>
      <Content of={list} shape={<TableShape columns={5} rows={4} />}>
        {({ data, next }) =>
          data.length > 0 ? (
            <>
              <Table
                label="Open writes, newest first"
                columns={columns}
                rows={data}
                rowKey={({ writeId }) => writeId}
                href={({ accountId, writeId }) => page('writes', accountId, writeId)}
              />
              <Pager query={query} shown={data.length} next={next} of="writes" />
            </>
          ) : query.filtered ? (
            <Empty
              icon={PenLine}
              title="No open writes match this filter"
              action={<Button onClick={query.clear}>Clear filter</Button>}
            >
              A write leaves this list as soon as it is settled. Search in Activity for what became of it.
            </Empty>
          ) : (
            <Empty icon={CircleCheck} title="Every write is settled">
              A write whose response was lost, or that the platform took only in part, appears here until its outcome is
              known.
            </Empty>
          )
        }
      </Content>
    </Page>
  )
}

const columns: Column<OpenWrite>[] = [
  { name: 'Write', cell: nameOf },
  {
    name: 'External ID',
    cut: true,
    cell: ({ externalId }) => (
      <span className="mono" title={externalId}>
        {externalId}
      </span>
    ),
  },
  { name: 'Account', cut: true, cell: ({ accountId }) => <span title={accountId}>{accountId}</span> },
  { name: 'State', cell: (write) => <WriteState write={write} /> },
  { name: 'Next attempt', cell: (write) => <Next write={write} /> },
  { name: 'Started', number: true, cell: ({ startedAt }) => <Moment exact at={startedAt} /> },
]

function Next({ write: { nextAttemptAt, settlings } }: { write: OpenWrite }) {
  if (nextAttemptAt) return Date.parse(nextAttemptAt) <= Date.now() ? <>Now</> : <Moment at={nextAttemptAt} />
  return settlings.length > 0 ? <>Needs a person</> : <span className="faint">Under way</span>
}
