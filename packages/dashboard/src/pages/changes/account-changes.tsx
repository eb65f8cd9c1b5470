import { useEffect, useRef, useState } from 'react'
import { Button, LinkButton } from '../../components/button.tsx'
import { Content, Empty, Failure } from '../../components/feedback.tsx'
import { Select } from '../../components/field.tsx'
import { Part } from '../../components/page.tsx'
import { TableShape } from '../../components/table.tsx'
import { manyOf, readable } from '../../format.ts'
import { History, Pause, Play, Radio } from '../../lucide/icons.tsx'
import type { Answer } from '../../manage.ts'
import { type EntityType, entityTypes, type Watch } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { useManage } from '../../use-data.ts'
import { useQuery } from '../../use-query.ts'
import { useWorkspace } from '../../workspace.tsx'
import type { TabProps } from '../accounts/tab-props.ts'
import { useCallers } from '../activity/use-callers.ts'
import { ChangeTable } from './change-table.tsx'
import { PlatformWebhooks } from './platform-webhooks.tsx'
import { useChanges } from './use-changes.ts'
import { isMoving, kindOf } from './watch-state.ts'
import { WatchTable } from './watch-table.tsx'
import './changes.css'

type Watches = (readonly [EntityType, Watch])[]
const inOrder = ({ entities }: Answer<'listWatches'>): Watches =>
  entityTypes.flatMap((entityType) => {
    const watch = entities[entityType]
    return watch ? [[entityType, watch] as const] : []
  })

export function AccountChanges({ account }: TabProps) {
  const { page } = useWorkspace()
  const [moving, setMoving] = useState(false)
  const watches = useManage('listWatches', { path: { accountId: account.id } }, { every: moving ? 1_500 : 10_000 })
  const { data, refresh } = watches
  useEffect(() => setMoving(data !== undefined && inOrder(data).some(([, watch]) => isMoving(watch))), [data])
  useRefreshWith(account.state, refresh)
  return (
    <div className="stack changes-page">
      <Part
        title="Watched entities"
        about="The service finds changes of these entities on the platform, no matter who made them, and reports them in the change feed."
        actions={
          <LinkButton small href={page('settings')}>
            Workspace defaults
          </LinkButton>
        }
      >
        <Content of={watches} shape={<TableShape columns={6} rows={3} />}>
          {(found) => (
            <WatchTable
              accountId={account.id}
              watches={inOrder(found)}
              onChanged={(entityType, watch) => watches.put({ entities: { ...found.entities, [entityType]: watch } })}
              refresh={refresh}
            />
          )}
        </Content>
      </Part>
      <PlatformWebhooks platform={account.platform} accountId={account.id} />
      {data ? <LatestChanges accountId={account.id} watches={inOrder(data)} onChanges={refresh} /> : null}
    </div>
  )
}

/** Reads again when the account is disabled, enabled, or connected again. */
function useRefreshWith(state: string, refresh: () => Promise<void>): void {
  const before = useRef(state)
  useEffect(() => {
    if (before.current !== state) void refresh()
    before.current = state
  }, [state, refresh])
}

interface LatestChangesProps {
  accountId: string
  watches: Watches
  onChanges(): Promise<void>
}

function LatestChanges({ accountId, watches, onChanges }: LatestChangesProps) {
  const { page } = useWorkspace()
  const query = useQuery()
  const callers = useCallers()
  const [paused, setPaused] = useState(false)
  const entityType = query.get('entityType')
  const { changes, older, fresh, trouble, loadOlder, retry } = useChanges(accountId, entityType, paused)
  const load = useAction(loadOlder)
  const newest = changes?.[0]?.sequence
  useEffect(() => {
    if (newest !== undefined && fresh.has(newest)) void onChanges()
  }, [newest, fresh, onChanges])
  const watched = watches.filter(([, watch]) => watch.watched)
  const isEmpty = changes?.length === 0
  if (watched.length === 0 && isEmpty)
    return (
      <Empty
        icon={Radio}
        title="Nothing is watched yet"
        action={<LinkButton href={page('settings')}>Set workspace defaults</LinkButton>}
      >
        Choose Watch next to an entity. The service reads all its records once. From then on, every create, update, and
        delete appears here and in the change feed. To watch an entity in all accounts, set a workspace default.
      </Empty>
    )
  const isError = trouble !== undefined && trouble !== 'reconnecting'
  return (
    <Part
      title="Latest changes"
      about="Newest first, as your integrations receive them."
      actions={
        <>
          <LiveState state={isError ? 'stopped' : paused ? 'paused' : (trouble ?? 'live')} />
          <Button small icon={paused ? Play : Pause} onClick={() => setPaused(!paused)}>
            {paused ? 'Resume' : 'Pause'}
          </Button>
          <div className="changes-filter">
            <Select
              bare
              label="Entity"
              value={entityType}
              choices={[
                { value: '', label: 'All entities' },
                ...watches.map(([value]) => ({ value, label: readable(value) })),
              ]}
              onChange={(value) => query.set({ entityType: value }, 'replace')}
            />
          </div>
        </>
      }
    >
      {isError ? <Failure error={trouble} retry={retry} /> : null}
      {changes === undefined ? (
        isError ? null : (
          <div aria-busy="true">
            <TableShape columns={5} rows={4} />
          </div>
        )
      ) : isEmpty ? (
        <NoChanges watches={watched} entityType={entityType} />
      ) : (
        <ChangeTable accountId={accountId} changes={changes} fresh={fresh} callers={callers} />
      )}
      {load.error ? <Failure error={load.error} /> : null}
      {older === undefined ? null : (
        <div>
          <Button small busy={load.busy} onClick={() => void load.run()}>
            Load older changes
          </Button>
        </div>
      )}
    </Part>
  )
}

const liveWords = {
  live: 'Live',
  paused: 'Paused',
  reconnecting: 'Reconnecting…',
  stopped: 'Stopped',
} as const
const LiveState = ({ state }: { state: keyof typeof liveWords }) => (
  <span className={`live live-${state}`} role="status">
    <span className="live-dot" aria-hidden />
    {liveWords[state]}
  </span>
)

function NoChanges({ watches, entityType }: { watches: Watches; entityType: string }) {
  const chosen = entityType ? watches.filter(([name]) => name === entityType) : watches
  const what = entityType ? ` to ${manyOf(entityType)}` : ''
  if (chosen.length === 0)
    return (
      <Empty icon={History} title={`No changes${what}`}>
        This entity is not watched. Choose Watch in the list above.
      </Empty>
    )
  const isFirstWalk = chosen.every(([, watch]) => kindOf(watch) === 'first_walk')
  return (
    <Empty icon={History} title={`No changes${what} yet`}>
      {isFirstWalk
        ? 'The first walk reads all records. Changes after it appear here.'
        : 'No change has been found so far. New changes appear here by themselves.'}
    </Empty>
  )
}
