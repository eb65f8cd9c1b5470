// One feed: what to do next, one read at a time, each stored before the next one begins.
import { Problem } from '../contract/errors.ts'
import { EndedEarly } from '../engine/read/page.ts'
import type { Next, Turn } from '../jobs/job.ts'
import type { ChangeStore, EntityWatch, Feed, Hint, Watch, WatchState } from '../store/changes.ts'
import type { Account } from '../store/store.ts'
import { checkUnlisted, prove } from './deletes.ts'
import { coalesceHints, followHints, mostHints } from './hints.ts'
import { poll } from './poll.ts'
import { intervalsOf } from './settings.ts'
import { type Reader, type Step, store } from './step.ts'
import { walk } from './walk.ts'

/** After this time other feeds have their turn. */
const sliceMs = 10_000
const hintsAtOnce = 10
const hintsLooked = 50
const unlistedAtOnce = 10
const firstRetryMs = 5_000
const longestRetryMs = 3_600_000
/** How long a feed of an account that cannot be read rests. */
const pausedMs = 60_000
/** A feed that has nothing to do is looked at again after this time at the latest. */
const idleMs = 3_600_000

export interface WorkerOptions {
  changes: ChangeStore
  scale: number
  account(id: string): Promise<Account | undefined>
  watching(account: Account): Promise<Pick<Known, 'watched' | 'keepRecords'>>
  reader(account: Account, watch: Watch, turn: Turn): Promise<Reader>
}
interface Work {
  watch: Watch
  run(step: Step): Promise<void>
}

interface Known {
  account: Account
  steps: Map<number, Step>
  watched: ReadonlyMap<string, EntityWatch>
  keepRecords: boolean
}

/** Works until nothing is due. Returns when the feed is due again. */
export type Worker = (feed: Feed, turn: Turn) => Promise<Next>

export function createWorker(options: WorkerOptions): Worker {
  const { changes, scale } = options
  /** Accounts whose last read of a list was a poll. */
  const polledLast = new Set<string>()

  /** What is due first: hints, proofs of deletes, then polls and walks in turns. */
  async function nextWork(
    feed: Feed,
    watches: readonly Watch[],
    now: number,
    steps: Steps,
    { hasHints, hasUnlisted }: { hasHints: boolean; hasUnlisted: boolean },
  ): Promise<Work | 'blocked' | undefined> {
    const ready = watches.filter(({ state }) => (state.retryAt ?? 0) <= now)
    const hints = hasHints ? await hintsFor(feed, ready) : []
    for (const watch of ready) {
      const own = hints.filter(({ entityType }) => entityType === watch.entityType)
      if (own.length > mostHints) return { watch, run: (step) => coalesceHints(step, own) }
      if (own.length > 0) return { watch, run: (step) => followHints(step, own.slice(0, hintsAtOnce)) }
    }
    const proving = ready.find(({ state }) => state.proof)
    if (proving) return { watch: proving, run: prove }
    for (const watch of hasUnlisted ? ready : []) {
      if (watch.state.phase === 'first_walk') continue
      const due = await changes.unlistedDue(watch, unlistedAtOnce)
      if (due.length > 0) return { watch, run: (step) => checkUnlisted(step, due) }
    }
    const polled: Watch[] = []
    for (const watch of ready)
      if (watch.state.phase === 'ready' && pollDueAt(watch.state) <= now && (await steps(watch)).reader.polls)
        polled.push(watch)
    const polling = firstDue(polled, now, pollDueAt)
    const walking = firstDue(ready, now, walkDueAt)
    // In turns: polls that take longer than their interval are always due, and no walk would come to its end.
    if (polling && !(walking && polledLast.delete(feed.accountId))) {
      polledLast.add(feed.accountId)
      return { watch: polling, run: poll }
    }
    if (walking) return { watch: walking, run: walk }
    polledLast.delete(feed.accountId)
    return hints.length > 0 ? 'blocked' : undefined
  }
  /** A few, unless there are too many to follow one by one, or the first ones must wait. */
  async function hintsFor({ accountId }: Feed, ready: readonly Watch[]): Promise<Hint[]> {
    const first = await changes.hints(accountId, hintsLooked)
    if (first.length < hintsLooked) return first
    const waiting = await changes.waitingHints(accountId)
    const isMany = Object.values(waiting).some((count) => count > mostHints)
    const isReady = first.some((hint) => ready.some(({ entityType }) => entityType === hint.entityType))
    return isMany || !isReady ? changes.hints(accountId, mostHints + 1) : first
  }
  type Steps = (watch: Watch) => Promise<Pick<Step, 'reader'>>

  async function workOn(feed: Feed, turn: Turn): Promise<Next> {
    const ends = performance.now() + sliceMs
    let known: Known | undefined
    for (;;) {
      const account = await options.account(feed.accountId)
      if (!turn.mayGoOn() || performance.now() > ends) return { dueInMs: 0 }
      if (account?.state !== 'active') return { dueInMs: pausedMs * scale, restMs: pausedMs * scale }
      if (known?.account.revision !== account.revision) known = await knownOf(account)
      const { steps, watched, keepRecords } = known
      const { now, oldestHints, unlistedAt = never, erasureAt = never } = await changes.moment(feed.accountId)
      if (erasureAt <= now) {
        await changes.erase(feed)
        continue
      }
      await startEpochs(feed, account)
      const stepOf = async (watch: Watch): Promise<Step> => {
        const reader = steps.get(watch.id)?.reader ?? (await options.reader(account, watch, turn))
        const intervals = intervalsOf(watched.get(watch.entityType) ?? {}, reader.polls)
        const step: Step = {
          changes,
          feed,
          watch,
          reader,
          now,
          scale,
          keepRecords,
          ...intervals,
          watches: feed.watches.length,
        }
        steps.set(watch.id, step)
        return step
      }
      const watches = feed.watches.filter(({ entityType }) => watched.has(entityType))
      const hasHints = Object.keys(oldestHints).length > 0
      const work = await nextWork(feed, watches, now, stepOf, { hasHints, hasUnlisted: unlistedAt <= now })
      if (work === 'blocked') return restOf(watches, now, firstRetryMs * scale)
      if (!work) {
        const rest = restOf(watches, now)
        return { ...rest, dueInMs: Math.min(rest.dueInMs, erasureAt - now) }
      }
      const step = await stepOf(work.watch)
      await noteRevision(step)
      try {
        await work.run(step)
      } catch (error) {
        turn.check() // what was not read because of a standstill is no failure of the platform
        if (!(error instanceof Problem)) throw error
        if (turn.signal.aborted) return { dueInMs: 0 }
        await failed(step, error)
      }
    }
  }

  /** What a worker looks up once per turn. A turn is short, and other entities to watch take the feed from it. */
  async function knownOf(account: Account): Promise<Known> {
    return { account, steps: new Map(), ...(await options.watching(account)) }
  }

  /** An account that is connected to another business has other records: none of the old ones were deleted. */
  async function startEpochs(feed: Feed, { business }: Account): Promise<void> {
    if (business === undefined) return
    for (const [index, watch] of feed.watches.entries()) {
      const before = watch.state.business
      if (before === business) continue
      const state: WatchState = { phase: 'first_walk', business }
      if (before !== undefined) feed.watches[index] = await changes.beginEpoch(feed, watch, { state, keepIndex: false })
      else await store({ changes, feed, watch }, { watch, state: { ...watch.state, business } })
    }
  }

  /** A deploy or a mapping can change how records look. No record is reported for that: callers are told. */
  async function noteRevision(step: Step): Promise<void> {
    const { watch, reader } = step
    const { revision: before } = watch.state
    const { revision } = reader
    if (before === revision) return
    const remapped = before === undefined ? undefined : watch
    await store(step, { watch, state: { ...watch.state, revision } }, { remapped })
  }

  async function failed({ feed, watch, now }: Step, problem: Problem): Promise<void> {
    const { state } = watch
    const code = problem.code
    // The position in the platform's list is no longer valid, or leads to nothing: the read begins again.
    if ((code === 'invalid_cursor' || problem.cause instanceof EndedEarly) && (state.walk || state.poll)) {
      const { walk: _, poll: __, ...rest } = state
      await store({ changes, feed, watch }, { watch, clearSeen: true, state: rest })
    }
    const isStarved = code === 'too_many_requests'
    const errorsInARow = (watch.state.errorsInARow ?? 0) + 1
    const retryMs = isStarved ? firstRetryMs : Math.min(longestRetryMs, firstRetryMs * 2 ** (errorsInARow - 1))
    const next: WatchState = {
      ...watch.state,
      retryAt: Math.round(now + retryMs * scale),
      ...(isStarved
        ? { starvedSince: state.starvedSince ?? now }
        : { errorsInARow, lastError: { at: now, code, detail: problem.detail } }),
    }
    await store({ changes, feed, watch }, { watch, state: next })
  }

  return workOn
}

const never = Number.POSITIVE_INFINITY
const pollDueAt = ({ poll: running, nextPollAt = 0 }: WatchState): number => (running ? 0 : nextPollAt)
const walkDueAt = ({ walk: running, nextWalkAt = 0 }: WatchState): number => (running ? 0 : nextWalkAt)

function firstDue(watches: readonly Watch[], now: number, dueAt: (state: WatchState) => number): Watch | undefined {
  return watches
    .filter(({ state }) => dueAt(state) <= now)
    .toSorted((left, right) => dueAt(left.state) - dueAt(right.state))[0]
}

/** `blockedMs`: hints are due that cannot be followed now; they would make the feed due at once. */
function restOf(watches: readonly Watch[], now: number, blockedMs = 0): { dueInMs: number; restMs: number } {
  const times = watches.map(({ state }) => {
    const { proof, poll: polling, nextPollAt = Number.POSITIVE_INFINITY, retryAt = 0 } = state
    return Math.max(proof || polling ? 0 : Math.min(walkDueAt(state), nextPollAt), retryAt)
  })
  const dueInMs = Math.max(0, Math.min(idleMs, ...times.map((time) => time - now)))
  return { dueInMs: Math.max(dueInMs, blockedMs), restMs: blockedMs }
}
