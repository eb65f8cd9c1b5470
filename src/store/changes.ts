// The change feed of accounts: settings, feeds and their watches, the index of records, hints, and the log.
// Times are milliseconds of the database's clock, unless a comment says otherwise. Every writer of a feed passes its
// fence and rejects with LostLease, without any effect, once another holder has taken the feed or its watches changed.

import type { Static } from 'typebox'
import type { EntityType } from '../contract/entity.ts'
import type { entityWatch, workspaceWatches } from '../contract/manage/watches.ts'

export type ChangeOperation = 'created' | 'updated' | 'deleted'
export type ChangeOrigin = 'write' | 'hint' | 'poll' | 'walk'

export type EntityWatch = Static<typeof entityWatch>
export type WorkspaceWatches = Static<typeof workspaceWatches>
/** `off`: not watched, whatever the workspace says. */
export type AccountWatches = Partial<Record<EntityType, EntityWatch | 'off'>>

/** The memory of a watch between two steps of its worker. The store keeps it sealed and does not look inside. */
export interface WatchState {
  phase: 'first_walk' | 'ready'
  business?: string
  revision?: number // of the records that it reads; another one: they look different
  lowWater?: number // the platform's clock
  walk?: {
    started: number // the platform's clock
    startedOurs: number
    cursor?: unknown
    pages: number
    rows: number
    unreadable: number
    seenBytes: number
    seed: string
    calls?: number
    ended?: boolean // all pages are read
    unidentified?: number // listed rows without an id: what the walk did not see is then unknown
  }
  poll?: { started: number; cursor?: unknown; calls?: number } // the platform's clock
  lastPollAt?: number
  lastWalk?: { start: number; end: number; records: number }
  nextPollAt?: number
  nextWalkAt?: number // absent: at once
  /** The platform has said that something changed: a read of the list that begins from then on shows it. */
  pollAgainAt?: number
  walkAgainAt?: number
  errorsInARow?: number
  lastError?: { at: number; code: string; detail: string }
  breaches?: number
  overlapFactor?: number
  records?: number
  unreadable?: number
  heldDeletes?: number // records that a complete walk did not see and that are not settled
  starvedSince?: number
  retryAt?: number // nothing is read before, after an error
  /** Where the proofs of deletes go on after a walk; absent: none are due. */
  proof?: { after: string; walk: number } // `walk`: when that walk began, on the database's clock
  massHeld?: boolean // what the last walk was the first to miss waits for the next one
  control?: string[] // ids that the last page of a walk or poll listed
  /** The feed is complete up to these instants of the platform's clock; to those below once no hint is older than `at`. */
  complete?: { modified?: number; all?: number }
  candidate?: { at: number; modified?: number; all?: number } // `at`: the database's clock
  walkCalls?: number // of the last complete walk
  pollCalls?: number
}
export interface Watch {
  id: number
  entityType: EntityType
  epoch: number // grows, and is never used twice for an account
  state: WatchState
}
export interface Feed {
  accountId: string
  workspaceId: string
  head: number
  fence: number
  watches: Watch[]
}
export type FeedFence = Pick<Feed, 'accountId' | 'fence'>

/** One record of the index. It has no content. */
export interface IndexRow {
  nativeId: string
  group?: string | undefined // where the platform's list has a horizon: the day on which the record was made
  fingerprint: Buffer // 16 bytes
  revision: number
  digest?: Buffer | undefined // 8 bytes, of the native list row; absent: unknown
  modified?: number | undefined // the platform's modification time or numeric version
}

export interface NewHint {
  entityType: EntityType
  nativeId: string
  origin: 'write' | 'hint'
  dueInMs?: number // by default due at once
  record?: unknown // of an own write: the record of its response
  writtenBy?: string | undefined // credential id
  gone?: boolean // the platform says that it was deleted
  replacedBy?: string | undefined
}
export interface Hint extends Omit<NewHint, 'dueInMs'> {
  counter: number // grows with every hint about this record
  dueAt: number
  firstAt: number // of the oldest hint that still waits
  attempts: number
}
export type HintKey = Pick<Hint, 'entityType' | 'nativeId' | 'counter'>

export interface NewChange {
  watch: Watch
  operation: ChangeOperation
  nativeId: string
  modifiedAt?: number | undefined // the platform's clock
  origin: ChangeOrigin
  writtenBy?: string | undefined
  changed?: readonly string[] | undefined
  replacedBy?: string | undefined
  record?: unknown // sealed in the database; absent: not kept
}
export interface LogRow extends Omit<NewChange, 'watch'> {
  sequence: number
  tag: string // random, 16 hexadecimal digits
  entityType: EntityType
  epoch: number
  detectedAt: number
}

/** A record that a complete walk did not see, and that is not proven gone. */
export interface MissingRow {
  nativeId: string
  sinceWalk: number // start of that walk
  since: number
  reads: number
}
/** A record that is no longer listed and that `get` still finds. */
export interface UnlistedRow {
  nativeId: string
  nextCheckAt: number
  checks: number
}

export interface Marks {
  missing: ReadonlySet<string>
  unlisted: ReadonlyMap<string, UnlistedRow>
}

/** The changes of one step of a worker in one watch. */
export interface WatchBatch {
  watch: Watch
  put?: readonly IndexRow[]
  remove?: readonly string[] // native ids; they leave `missing` and `unlisted`, too
  /** Hashes of 8 bytes each, of the ids that the running walk has seen. */
  seen?: Buffer
  clearSeen?: boolean // before `seen` is added
  missing?: { put?: readonly MissingRow[]; remove?: readonly string[] }
  unlisted?: { put?: readonly UnlistedRow[]; remove?: readonly string[] }
  state?: WatchState // replaces the state
}
export interface FeedBatch {
  watches?: readonly WatchBatch[]
  /** Appended to the log in this order. */
  changes?: readonly NewChange[]
  /** Removed, unless a newer hint has come since they were read. */
  doneHints?: readonly HintKey[]
  /** Fetched again later, without their record. Unchanged if a newer hint has come since they were read. */
  laterHints?: readonly (HintKey & { dueInMs: number })[]
  newHints?: readonly NewHint[]
  /** The watch whose records look different from now on: an event of the workspace. */
  remapped?: Watch | undefined
}

export interface Position {
  sequence: number // 0: before the first change
  tag?: string | undefined // of that row; absent for 0
}
export interface FeedPage {
  rows: LogRow[]
  hasMore: boolean // there are more rows of these entities
  /** The last position of the log, for a reader that has all rows up to there. */
  head: Position
  /** `pruned`: rows after `after` are gone. `replaced`: the row there is another one (a restored database). */
  gap?: 'pruned' | 'replaced'
  watches: (Watch & { oldestHintAt?: number | undefined })[]
}

/** The sizes of all feeds. */
export interface FeedSizes {
  feeds: number
  due: number // feeds that are due and have no holder
  watches: number
  records: number
  log: number
  hints: number
  /** How far the watch that is furthest behind is behind: the platform's clock against the database's. */
  lagMs: number
}
export interface ChangeStore {
  settings: {
    workspace(workspaceId: string): Promise<WorkspaceWatches>
    /** Those whose default was set, even to nothing. */
    workspaces(): Promise<string[]>
    setWorkspace(workspaceId: string, value: WorkspaceWatches): Promise<void>
    /** The account's own settings, without those of its workspace. */
    account(accountId: string): Promise<AccountWatches>
    /** Undefined removes the account's own setting. */
    setAccount(
      account: { id: string; workspaceId: string },
      entityType: EntityType,
      value: EntityWatch | 'off' | undefined,
    ): Promise<void>
  }
  /**
   * Makes feed and watches follow the settings. An entity that is watched again gets a new epoch and an empty index. If
   * anything changes, the holder loses the feed, and it is due.
   */
  ensure(account: { id: string; workspaceId: string }, entities: readonly EntityType[]): Promise<void>
  /** Watches of an account, without taking its feed. */
  watches(accountId: string): Promise<Watch[]>
  /** Raises every epoch and makes every feed due with a walk, after the database was restored. The index stays. */
  raiseEpochs(): Promise<void>

  /** Accounts whose feed is due, or has a hint that is due, and has no holder. Longest due first. */
  due(limit: number): Promise<string[]>
  /** Makes `holder` the one worker of the feed and raises its fence. Undefined if another one has it. */
  takeFeed(accountId: string, holder: string, leaseMs: number): Promise<Feed | undefined>
  renewFeed(feed: FeedFence, leaseMs: number): Promise<boolean>
  /** Due again in `dueInMs`, or when a hint is due; with `restMs` not before that, whatever comes. */
  releaseFeed(feed: FeedFence, next: { dueInMs: number; restMs?: number }): Promise<void>
  /** Makes the feed due now and ends its rest, for an account that was reconnected. */
  wake(accountId: string): Promise<void>
  /** Makes a walk of the entity due now, even if a worker has the feed. False if it is not watched. */
  requestWalk(accountId: string, entityType: EntityType): Promise<boolean>

  records(watch: Pick<Watch, 'id'>, ids: readonly string[]): Promise<Map<string, IndexRow>>
  group(watch: Pick<Watch, 'id'>, group: string): Promise<IndexRow[]>
  /** In the order of native ids. */
  recordsAfter(watch: Pick<Watch, 'id'>, id: string, limit: number): Promise<IndexRow[]>
  /** Hashes that the running walk has seen, in pieces; `after` is the piece before. */
  seenAfter(watch: Pick<Watch, 'id'>, after: number, limit: number): Promise<{ piece: number; hashes: Buffer }[]>
  missingAfter(watch: Pick<Watch, 'id'>, id: string, limit: number): Promise<MissingRow[]>
  unlistedDue(watch: Pick<Watch, 'id'>, limit: number): Promise<UnlistedRow[]>
  /** Which of these records are missing or unlisted. */
  marks(watch: Pick<Watch, 'id'>, ids: readonly string[]): Promise<Marks>
  /** The newest change of each record that is still in the log. */
  lastChanges(accountId: string, entityType: EntityType, ids: readonly string[]): Promise<Map<string, LogRow>>

  /** Hints that are due, longest due first. */
  hints(accountId: string, limit: number): Promise<Hint[]>
  /** The number of hints that wait, due or not, per entity. */
  waitingHints(accountId: string): Promise<Partial<Record<EntityType, number>>>
  /** Hints of these records that wait, due or not: such a row is not taken from a page. */
  hintsOf(accountId: string, entityType: EntityType, ids: readonly string[]): Promise<Map<string, Hint>>
  /**
   * Only for entities that are watched. A second hint about a record raises its counter. The record of an own write
   * stays until the next own write.
   */
  addHints(accountId: string, hints: readonly NewHint[]): Promise<void>

  /** Writes of this entity that are under way: whether any create is, and updates by native id. */
  writing(accountId: string, entityType: EntityType): Promise<{ creates: boolean; updates: ReadonlySet<string> }>
  /**
   * The database's clock, when the oldest hint of each entity came that still waits, when the next unlisted record is
   * to be checked, and when an erasure is due.
   */
  moment(accountId: string): Promise<{
    now: number
    oldestHints: Partial<Record<EntityType, number>>
    unlistedAt?: number | undefined
    erasureAt?: number | undefined
  }>

  /** Everything in one transaction. Returns the head. */
  commit(feed: FeedFence, batch: FeedBatch): Promise<number>
  /**
   * One step of the first erasure that is due. A delete of a customer, employee or time entry makes one: it blanks what
   * log and deliveries keep of that record, and native values of its orders. Rejects like `commit`.
   */
  erase(feed: FeedFence): Promise<void>
  /** A new epoch of one watch, with a new state. Without `keepIndex` the index is empty. Rejects like `commit`. */
  beginEpoch(feed: FeedFence, watch: Watch, next: { state: WatchState; keepIndex: boolean }): Promise<Watch>

  /** Where a reader without a cursor starts: before the first change of the last `settleMs`. */
  start(accountId: string, settleMs: number): Promise<Position>
  /** One snapshot, by default of all entities. Undefined if the account has no feed. */
  page(
    accountId: string,
    query: { after: Position; entityTypes?: readonly EntityType[]; limit: number },
  ): Promise<FeedPage | undefined>
  /** Newest first, after `since` and before `before`. */
  latest(
    accountId: string,
    query: { entityTypes: readonly EntityType[]; since?: number; before?: number | undefined; limit: number },
  ): Promise<LogRow[]>
  /** Calls the listener when the log or the hints of an account have changed. Some calls can be lost. */
  subscribe(listener: (accountId: string) => void): () => void

  /**
   * Removes a batch of log rows that are older than `ageMs`, and rows of watches that have ended. The newest row of an
   * account stays, without its record: the cursor of a reader that is up to date does not expire. Returns how many rows
   * changed.
   */
  prune(ageMs: number, limit: number): Promise<number>
  sizes(): Promise<FeedSizes>
}
