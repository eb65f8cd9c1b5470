import { useState } from 'react'
import { withQuery } from '../../api.ts'
import { LinkButton } from '../../components/button.tsx'
import { Json } from '../../components/code.tsx'
import { Identifier } from '../../components/identifier.tsx'
import { Moment } from '../../components/moment.tsx'
import { Facts } from '../../components/page.tsx'
import { readable } from '../../format.ts'
import { ChevronRight, Pencil, Plus, Trash2 } from '../../lucide/icons.tsx'
import type { Change } from '../../types.ts'
import { useWorkspace } from '../../workspace.tsx'

const icons = { created: Plus, updated: Pencil, deleted: Trash2 }
const origins: Record<Change['origin'], string> = {
  write: 'Your write',
  hint: 'Read of the record',
  poll: 'Poll',
  walk: 'Walk',
}

interface ChangeTableProps {
  accountId: string
  changes: readonly Change[]
  /** Rows that came while the page was open. */
  fresh: ReadonlySet<number>
  /** Names of credentials by ID. */
  callers: ReadonlyMap<string, string>
}

export function ChangeTable({ changes, fresh, ...rest }: ChangeTableProps) {
  return (
    <section className="table-frame">
      <table className="table change-table">
        <caption className="unseen">Latest changes, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Operation</th>
            <th scope="col">Entity</th>
            <th scope="col">Record</th>
            <th scope="col">Changed fields</th>
            <th scope="col">Found by</th>
            <th scope="col" className="number">
              Time
            </th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <ChangeRows key={change.sequence} change={change} isFresh={fresh.has(change.sequence)} {...rest} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

type ChangeRowsProps = Pick<ChangeTableProps, 'accountId' | 'callers'> & { change: Change; isFresh: boolean }

function ChangeRows({ change, isFresh, accountId, callers }: ChangeRowsProps) {
  const [open, setOpen] = useState(false)
  const Icon = icons[change.operation]
  const id = `change-${change.sequence}`
  const name = nameIn(change.record)
  return (
    <>
      <tr className={['table-linked', isFresh ? 'change-fresh' : '', open ? 'change-open' : ''].join(' ')}>
        <td>
          <button
            type="button"
            className="table-link change-toggle"
            aria-expanded={open}
            aria-controls={open ? id : undefined}
            onClick={() => setOpen(!open)}
          >
            <ChevronRight size={14} aria-hidden className="change-arrow" />
            <Icon size={14} aria-hidden className="change-icon" />
            {readable(change.operation)}
            <span className="unseen">
              {change.entityType} {change.externalId}
            </span>
          </button>
        </td>
        <td data-label="Entity">{readable(change.entityType)}</td>
        <td data-label="Record" className="change-record">
          <span className="change-what">
            {name ? <span className="change-name">{name}</span> : null}
            <Identifier value={change.externalId} length={26} />
          </span>
        </td>
        <td data-label="Changed fields" className="table-wide">
          <ChangedFields change={change} />
        </td>
        <td data-label="Found by">{origins[change.origin]}</td>
        <td data-label="Time" className="number">
          <Moment at={change.detectedAt} />
        </td>
      </tr>
      {open ? (
        <tr id={id}>
          <td colSpan={6} className="change-detail">
            <Detail change={change} accountId={accountId} callers={callers} />
          </td>
        </tr>
      ) : null}
    </>
  )
}

const shownFields = 3
function ChangedFields({ change: { operation, changed } }: { change: Change }) {
  if (operation !== 'updated') return null
  if (!changed) return <span className="faint">Not known</span>
  const rest = changed.length - shownFields
  return (
    <span className="change-fields" title={changed.join('\n')}>
      {changed.slice(0, shownFields).map((pointer) => (
        <code key={pointer}>{pointer.slice(1)}</code>
      ))}
      {rest > 0 ? <span className="small faint">and {rest} more</span> : null}
    </span>
  )
}

/** Of a person or a thing; orders have none. */
function nameIn(record: Change['record']): string | undefined {
  const name = record?.name ?? record?.number ?? record?.email
  return typeof name === 'string' && name !== '' ? name : undefined
}

function Detail({ change, accountId, callers }: Pick<ChangeRowsProps, 'change' | 'accountId' | 'callers'>) {
  const { page } = useWorkspace()
  const { externalId, entityType, sourceExternalId, modifiedAt, writtenBy, replacedBy, changed, record } = change
  return (
    <div className="stack">
      <Facts
        facts={[
          [
            'Sequence',
            <span key="sequence" className="mono">
              {change.sequence}
            </span>,
          ],
          sourceExternalId !== undefined && [
            'Your ID',
            <Identifier key="source" value={sourceExternalId} length={28} />,
          ],
          ['Detected', <Moment key="detected" at={change.detectedAt} />],
          modifiedAt !== undefined && ['Modified on the platform', <Moment key="modified" at={modifiedAt} />],
          writtenBy !== undefined && ['Written by', callers.get(writtenBy) ?? writtenBy],
          replacedBy !== undefined && ['Merged into', <Identifier key="merged" value={replacedBy} length={28} />],
        ]}
      />
      {changed && changed.length > shownFields ? (
        <div className="change-fields">
          {changed.map((pointer) => (
            <code key={pointer}>{pointer.slice(1)}</code>
          ))}
        </div>
      ) : null}
      {change.operation === 'updated' && !changed ? (
        <p className="soft">The changed fields are not known, because no earlier state of this record is stored.</p>
      ) : null}
      {record ? <Json value={record} /> : <p className="soft">{whyNoRecord(change)}</p>}
      <div className="row">
        {change.operation === 'deleted' ? null : (
          <LinkButton small href={withQuery(page('explorer', accountId, entityType), { record: externalId })}>
            Open in explorer
          </LinkButton>
        )}
        <LinkButton small href={withQuery(page('activity'), { accountId, entityType, record: externalId })}>
          Requests for this record
        </LinkButton>
      </div>
    </div>
  )
}

const whyNoRecord = ({ operation }: Change) =>
  operation === 'deleted'
    ? 'A delete has no record.'
    : 'This change has no stored record: the workspace does not store records, or the default mapping needs fields that were not stored.'
