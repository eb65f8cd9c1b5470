import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { withQuery } from '../../api.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Content, Skeleton } from '../../components/feedback.tsx'
import { Identifier } from '../../components/identifier.tsx'
import { Moment } from '../../components/moment.tsx'
import { Facts } from '../../components/page.tsx'
import { State } from '../../components/state.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { actionName, exactTime, middle } from '../../format.ts'
import { ListFilter } from '../../lucide/icons.tsx'
import type { AuditEntry } from '../../types.ts'
import { useManage } from '../../use-data.ts'
import type { Query } from '../../use-query.ts'
import { useWorkspace } from '../../workspace.tsx'
import { useCallers } from '../activity/use-callers.ts'

export function AuditTable({ rows }: { rows: readonly AuditEntry[] }) {
  const [path] = useLocation()
  const callers = useCallers()
  const columns: Column<AuditEntry>[] = [
    { name: 'Action', cell: ({ action }) => actionName(action) },
    { name: 'Object', wide: true, cell: ({ object }) => <Target object={object} /> },
    { name: 'User', cell: ({ actor }) => <span title={actor}>{middle(callers.get(actor) ?? actor, 24)}</span> },
    { name: 'Address', cell: ({ address }) => <span className="mono">{address}</span> },
    { name: 'Outcome', cell: ({ outcome }) => <Outcome outcome={outcome} /> },
    { name: 'When', number: true, cell: ({ at }) => <Moment exact at={at} /> },
  ]
  const href = ({ sequence }: AuditEntry) => {
    const next = new URLSearchParams(location.search)
    next.set('entry', String(sequence))
    return `${path}?${next}`
  }
  return (
    <Table
      label="Entries, newest first"
      columns={columns}
      rows={rows}
      rowKey={({ sequence }) => String(sequence)}
      href={href}
    />
  )
}

function Target({ object }: { object: AuditEntry['object'] }) {
  const values = [...new Set(Object.values(object))] // the result of an action may be its target
  if (values.length === 0) return <span className="faint">None</span>
  return (
    <span className="audit-target mono">
      {values.map((value) => (
        <span key={value} title={value}>
          {middle(value, 34)}
        </span>
      ))}
    </span>
  )
}

function Outcome({ outcome }: { outcome: string }) {
  if (outcome === 'ok') return <State tone="ok">OK</State>
  if (outcome === 'started') return <State tone="waiting">Started</State>
  return <State tone="broken">{outcome}</State>
}

/** The part of the log that is of no workspace. */
export const installation = { scope: 'install' }

/** The entry in the URL, whether or not it is on this page of the list. */
export function Entry({ whole, rows, query }: { whole: boolean; rows: readonly AuditEntry[]; query: Query }) {
  const sequence = Number(query.get('entry'))
  const here = rows.find((row) => row.sequence === sequence)
  const read = useManage(here || !sequence ? undefined : whole ? 'listAudit' : 'listWorkspaceAudit', {
    query: { ...(whole ? installation : {}), after: sequence + 1, limit: 1 },
  })
  if (!sequence) return null
  const close = () => query.set({ entry: undefined, after: query.get('after') })
  return (
    <Dialog title={`Entry ${sequence}`} wide onClose={close}>
      {here ? (
        <Detail entry={here} query={query} />
      ) : (
        <Content of={read} shape={<Skeleton lines={6} />}>
          {({ data }) => {
            const found = data.find((row) => row.sequence === sequence)
            return found ? <Detail entry={found} query={query} /> : <p>There is no entry {sequence} in this log.</p>
          }}
        </Content>
      )}
    </Dialog>
  )
}

function Detail({ entry, query }: { entry: AuditEntry; query: Query }) {
  const { page } = useWorkspace()
  const callers = useCallers()
  const { utc, local } = exactTime(entry.at)
  const only = (name: 'actor' | 'action' | 'address', shown: ReactNode) => (
    <span className="row">
      {shown}
      <Button
        small
        kind="quiet"
        icon={ListFilter}
        aria-label={`Only these: same ${name === 'actor' ? 'user' : name}`}
        onClick={() => query.set({ entry: undefined, [name]: entry[name] })}
      >
        Only these
      </Button>
    </span>
  )
  return (
    <div className="stack">
      <Facts
        facts={[
          ['Action', only('action', actionName(entry.action)), 'wide'],
          ['Outcome', <Outcome key="outcome" outcome={entry.outcome} />],
          ['User', only('actor', callers.get(entry.actor) ?? entry.actor), 'wide'],
          ['Address', only('address', <span className="mono">{entry.address}</span>), 'wide'],
          ['When', `${utc} (${local})`, 'row'],
          ...Object.entries(entry.object).map(
            ([name, value]) => [actionName(name), <Identifier key={name} value={value} length={60} />, 'row'] as const,
          ),
          ['Request ID', <Identifier key="request" value={entry.requestId} length={60} />, 'row'],
          ['Hash of this entry', <Identifier key="hash" value={entry.hash} length={70} wraps />, 'row'],
          [
            'Hash of the entry before',
            entry.previous ? (
              <Identifier key="previous" value={entry.previous} length={70} wraps />
            ) : (
              'None: the first entry'
            ),
            'row',
          ],
        ]}
      />
      <div className="row">
        <LinkButton href={withQuery(page('activity'), { search: entry.requestId })}>Find in activity</LinkButton>
      </div>
    </div>
  )
}
