// What is watched of an account: one row per entity, with what must be known about it below.

import { type ReactNode, useState } from 'react'
import { Button, IconButton } from '../../components/button.tsx'
import { Failure } from '../../components/feedback.tsx'
import { Moment } from '../../components/moment.tsx'
import { State } from '../../components/state.tsx'
import { say } from '../../components/toast.tsx'
import { count, manyOf, readable } from '../../format.ts'
import { Pencil } from '../../lucide/icons.tsx'
import type { EntityType, Watch } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { useWorkspace } from '../../workspace.tsx'
import { EditWatch } from './edit-watch.tsx'
import { every } from './intervals.ts'
import { watchLines } from './watch-message.tsx'
import { kindOf, stateWords } from './watch-state.ts'
import './watches.css'

interface WatchTableProps {
  accountId: string
  watches: readonly (readonly [EntityType, Watch])[]
  onChanged(entityType: EntityType, watch: Watch): void
  refresh(): Promise<void>
}

export function WatchTable({ accountId, watches, onChanged, refresh }: WatchTableProps) {
  const { call } = useWorkspace()
  const [editing, setEditing] = useState<EntityType>()
  const [acting, setActing] = useState<EntityType>()
  const act = useAction(async (entityType: EntityType, { watched }: Watch) => {
    setActing(entityType)
    const path = { accountId, entityType }
    onChanged(entityType, await (watched ? call('startWalk', { path }) : call('setWatch', { path, body: {} })))
    say(watched ? `A walk over ${manyOf(entityType)} starts now` : `Watching ${manyOf(entityType)}`)
  })
  const edited = watches.find(([entityType]) => entityType === editing)?.[1]
  const paused = watches.find(([, { status }]) => status?.paused)?.[1].status?.paused
  return (
    <div className="stack">
      {paused ? (
        // Not a second banner: the page of the account has one that says why.
        <p className="soft">
          <strong>Nothing is read at the moment.</strong> {paused} Changes that were found before stay readable. Changes
          made meanwhile are found when reading continues.
        </p>
      ) : null}
      {act.error ? <Failure error={act.error} kept="Nothing was changed." /> : null}
      <section className="table-frame">
        <table className="table watches">
          <caption className="unseen">Watched entities</caption>
          <thead>
            <tr>
              <th scope="col">Entity</th>
              <th scope="col">Status</th>
              <th scope="col">Complete until</th>
              <th scope="col" className="number">
                Records
              </th>
              <th scope="col">Last poll</th>
              <th scope="col">Last walk</th>
              <th scope="col">Set by</th>
              <th scope="col">
                <span className="unseen">Actions</span>
              </th>
            </tr>
          </thead>
          {watches.map(([entityType, watch]) => (
            <WatchRows
              key={entityType}
              entityType={entityType}
              watch={watch}
              busy={act.busy && acting === entityType}
              onAct={() => void act.run(entityType, watch)}
              onEdit={() => setEditing(entityType)}
            />
          ))}
        </table>
      </section>
      {editing && edited ? (
        <EditWatch
          entityType={editing}
          watch={edited}
          accountId={accountId}
          onClose={() => setEditing(undefined)}
          onChanged={refresh}
        />
      ) : null}
    </div>
  )
}

interface WatchRowsProps {
  entityType: EntityType
  watch: Watch
  busy: boolean
  /** Starts watching, or a walk. */
  onAct(): void
  onEdit(): void
}
function WatchRows({ entityType, watch, busy, onAct, onEdit }: WatchRowsProps) {
  const { tone, label } = stateWords[kindOf(watch)]
  const { watched, status } = watch
  const name = manyOf(entityType)
  const lines = watchLines(watch)
  const canWalk = status?.phase === 'ready' && !status.walk && !status.paused
  return (
    <tbody className={watched ? undefined : 'watch-off'}>
      <tr>
        <th scope="row" className="watch-name">
          {readable(entityType)}
        </th>
        <td className="watch-state">
          <State tone={tone}>{label}</State>
        </td>
        {watched ? <Figures watch={watch} /> : <td colSpan={4} className="watch-none" aria-hidden />}
        <Figure label="Set by">{watch.setBy ? setters[watch.setBy] : null}</Figure>
        <td className="watch-actions">
          <div>
            <Button needs="operator" small busy={busy} disabled={watched && !canWalk} onClick={onAct}>
              {watched ? 'Walk now' : 'Watch'} <span className="unseen">{watched ? `over ${name}` : name}</span>
            </Button>
            {watched || watch.setBy ? (
              <IconButton needs="operator" icon={Pencil} label={`Change the setting for ${name}`} onClick={onEdit} />
            ) : null}
          </div>
        </td>
      </tr>
      {lines.length > 0 ? (
        <tr>
          <td colSpan={8} className="watch-message">
            <div className="watch-lines">{lines}</div>
          </td>
        </tr>
      ) : null}
    </tbody>
  )
}

const setters = { account: 'This account', workspace: 'Workspace' } as const
const nothing = <span className="faint">–</span>
const momentOr = (at: string | undefined, instead: ReactNode = nothing) => (at ? <Moment at={at} /> : instead)

function Figures({ watch: { status } }: { watch: Watch }) {
  const { modified, all } = status?.completeUntil ?? {}
  const polls = status?.mode !== 'walk'
  const deletes =
    polls && all ? (
      <>
        deletes: <Moment at={all} />
      </>
    ) : null
  return (
    <>
      <Figure label="Complete until" below={deletes}>
        {momentOr(polls ? modified : all)}
      </Figure>
      <Figure label="Records" number>
        {status ? count(status.records) : nothing}
      </Figure>
      <Figure label="Last poll" below={polls && status?.pollSeconds ? every('pollSeconds', status.pollSeconds) : null}>
        {polls ? momentOr(status?.lastPollAt) : <span className="faint">No polls</span>}
      </Figure>
      <Figure label="Last walk" below={status ? every('walkHours', status.walkHours) : null}>
        {momentOr(status?.lastWalk?.endedAt)}
      </Figure>
    </>
  )
}

/** A value, and what belongs to it in small print. */
function Figure({
  label,
  number,
  below,
  children,
}: {
  label: string
  number?: boolean
  below?: ReactNode
  children: ReactNode
}) {
  return (
    <td data-label={label} className={number ? 'watch-figure number' : 'watch-figure'}>
      {children === null ? null : (
        <span className="watch-value">
          <span>{children}</span>
          {below ? <span className="small faint">{below}</span> : null}
        </span>
      )}
    </td>
  )
}
