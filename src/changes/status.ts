// What the watches of an account do, for people and programs that look at it.
import type { EntityType } from '../contract/entity.ts'
import type { Engine } from '../engine/engine.ts'
import type { FeedPage } from '../store/changes.ts'
import type { Account, Store } from '../store/store.ts'
import { type CompleteUntil, completeUntil } from './complete-until.ts'
import { intervalsOf, watchesOf } from './settings.ts'

export interface WatchStatus {
  phase: 'first_walk' | 'ready'
  mode: 'poll' | 'walk' // polls and walks, or walks only
  pollSeconds?: number | undefined
  walkHours: number
  records: number
  unreadable: number
  deletesOnHold: number
  waitingHints: number
  breaches: number
  revision?: number | undefined
  completeUntil: CompleteUntil
  lagSeconds?: number | undefined
  lastPollAt?: string | undefined
  nextPollAt?: string | undefined
  lastWalk?: { startedAt: string; endedAt: string; records: number } | undefined
  nextWalkAt?: string | undefined
  walk?: { startedAt: string; pages: number; records: number } | undefined
  paused?: string | undefined
  starvedSince?: string | undefined
  retryAt?: string | undefined
  lastError?: { at: string; code: string; detail: string; inARow: number } | undefined
}
export interface FeedStatus {
  accountId: string
  head: number
  entities: Partial<Record<EntityType, WatchStatus>>
}

const timeOf = (milliseconds: number | undefined): string | undefined =>
  milliseconds === undefined ? undefined : new Date(milliseconds).toISOString()

/** 0: as soon as possible. One that is under way is not the next one. */
const dueAt = (milliseconds: number | undefined, isRunning: boolean): string | undefined =>
  milliseconds === 0 ? (isRunning ? undefined : new Date().toISOString()) : timeOf(milliseconds)

export async function feedStatus(
  store: Pick<Store, 'changes'>,
  engine: Pick<Engine, 'support'>,
  account: Account,
): Promise<FeedStatus> {
  const [page, waiting, settings] = await Promise.all([
    store.changes.page(account.id, { after: { sequence: 0 }, entityTypes: [], limit: 1 }),
    store.changes.waitingHints(account.id),
    watchesOf(store, engine, account),
  ])
  const support = engine.support(account)
  const entities = (page?.watches ?? []).map((watch): [EntityType, WatchStatus] => {
    const { entityType } = watch
    const polls = support[entityType]?.updatedAfter === 'platform'
    const { pollSeconds, walkHours } = intervalsOf(settings.get(entityType) ?? {}, polls)
    return [
      entityType,
      {
        mode: polls ? 'poll' : 'walk',
        pollSeconds: polls ? pollSeconds : undefined,
        walkHours,
        waitingHints: waiting[entityType] ?? 0,
        paused: pauseOf(account),
        ...statusOf(watch),
      },
    ]
  })
  return { accountId: account.id, head: page?.head.sequence ?? 0, entities: Object.fromEntries(entities) }
}

function pauseOf({ state, stateReason }: Account): string | undefined {
  if (state === 'disabled') return 'The account is disabled. Enable it to go on.'
  if (state !== 'reconnect_required') return undefined
  return `The account must be connected again.${stateReason ? ` ${stateReason}` : ''}`
}

function statusOf(watch: FeedPage['watches'][number]) {
  const { state } = watch
  const { walk, lastWalk, lastError } = state
  const until = completeUntil(watch)
  const reached = until.modified ?? until.all
  return {
    phase: state.phase,
    records: state.records ?? 0,
    unreadable: state.unreadable ?? 0,
    deletesOnHold: state.heldDeletes ?? 0,
    breaches: state.breaches ?? 0,
    revision: state.revision,
    completeUntil: until,
    lagSeconds: reached === undefined ? undefined : Math.max(0, Math.round((Date.now() - Date.parse(reached)) / 1000)),
    lastPollAt: timeOf(state.lastPollAt),
    nextPollAt: dueAt(state.nextPollAt, state.poll !== undefined),
    lastWalk: lastWalk && {
      startedAt: new Date(lastWalk.start).toISOString(),
      endedAt: new Date(lastWalk.end).toISOString(),
      records: lastWalk.records,
    },
    nextWalkAt: dueAt(state.nextWalkAt, walk !== undefined),
    walk: walk && { startedAt: new Date(walk.startedOurs).toISOString(), pages: walk.pages, records: walk.rows },
    starvedSince: timeOf(state.starvedSince),
    retryAt: timeOf(state.retryAt),
    // Of a failure that is over, nothing is shown.
    lastError:
      lastError && state.errorsInARow
        ? { ...lastError, at: new Date(lastError.at).toISOString(), inARow: state.errorsInARow }
        : undefined,
  }
}
