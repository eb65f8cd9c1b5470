// What the rest of the service may ask of its storage. Two databases implement it through one set of queries; every table that grows has the account or the workspace first in its key.
import type { EntityType, ReferenceType, Vertical } from '../contract/entity.ts'
import type { ReservedSlots, SlotReservation } from './tables/pacing-slot.ts'
import type { Users } from './user.ts'

export interface Workspace {
  id: string
  name: string
  createdAt: string
}
/** A caller's credential: an access id (form B) or an API key (form A). Only a hash of its secret is kept. */
export interface Credential {
  id: string
  kind: 'access_id' | 'api_key'
  workspaceId: string
  name: string
  secretHash: string
  generation: number // counts rotations: a token carries the generation it was issued under
  createdAt: string
  rotatedAt?: string
  lastUsedAt?: string
  revokedAt?: string
}
export type AccountState = 'active' | 'disabled' | 'reconnect_required'
export interface Account {
  id: string
  workspaceId: string
  platform: string
  vertical: Vertical
  name: string
  state: AccountState
  stateReason?: string
  settings: Record<string, string>
  auth: string // which of the connector's auth kinds: its `kind`
  credentials: Record<string, string> // decrypted here; sealed in the database
  revision: number // grows with every change
  createdAt: string
  updatedAt: string
}
export type Direction = 'read' | 'write'
export type Rule = { from?: string; value?: unknown; default?: unknown; lookup?: Record<string, unknown> }
export interface MappingOverlay {
  id: string
  workspaceId: string
  accountId: string
  entityType: EntityType
  direction: Direction
  name: string
  version: number
  rules: Record<string, Rule> // unified pointer -> rule
  createdAt: string
}
/** Stands for the built-in mapping of all entities, unless it names an overlay. */
export interface MappingKey {
  key: string
  workspaceId: string
  accountId: string
  direction: Direction
  isDefault: boolean
  entityType?: EntityType
  mappingId?: string
  createdAt: string
}
export interface Link {
  accountId: string
  entityType: ReferenceType
  sourceId: string
  nativeId: string
  origin: 'written' | 'linked'
  createdAt: string
}
export type WriteState = 'in_flight' | 'done' | 'unknown' | 'partial'
/** One write in the journal. A failed write has no row: its key is free again. */
export interface JournalEntry {
  accountId: string
  entityType: EntityType
  externalId: string
  writeId: string
  state: WriteState
  contentHash: string
  record: unknown // the canonical record as it was asked; sealed in the database
  startedAt: string // `now` of the operation, the same again on a resume
  answer?: unknown // what the caller got; sealed in the database
  nativeId?: string
  detail?: string // why it is unknown or partial
  holder: string // the instance that works on it
  leaseUntil: number // database milliseconds; after that another may take it over
}
export interface JournalStep {
  name: string
  request: string // the exact request, JSON; sealed in the database
  sentAt: number // milliseconds
  done: boolean
  value?: unknown
}
export interface EntryKey {
  accountId: string
  entityType: EntityType
  externalId: string
}
export interface Page<T> {
  data: T[]
  next?: string // the position after the last one, for `after`
}
export interface PageQuery {
  after?: string
  limit: number
}

export type ActivityOutcome = 'ok' | '4xx' | '5xx'
/** One request, or one piece of background work, as it is listed. Its time is in its id. */
export interface Activity {
  workspaceId: string
  requestId: string
  accountId: string // empty where no account was reached
  platform: string
  credentialId: string // who asked; empty in the background
  method: string
  entityType: string
  operation: string
  status: number
  errorCode?: string
  totalMs: number
  waitMs: number
  platformMs: number
  nativeCalls: number
  externalId?: string
  nativeId?: string
}
export interface RecordedActivity extends Activity {
  throttled: number
  used: number // the largest share of the account's limit that was used
  trace: string // JSON, sealed in the database
}
export interface ActivityFilter {
  accountId?: string
  platform?: string
  entityType?: string
  outcome?: ActivityOutcome | 'error'
  errorCode?: string
  record?: string // its id at either side
  search?: string // a request id or its beginning, a record's id at either side, an account id
  since?: number
  until?: number
}
/** Sums of one platform over `step` minutes from `at`. */
export interface ActivitySum {
  at: number
  platform: string
  requests: number
  refused: number
  failed: number
  nativeCalls: number
  throttled: number
  waitMs: number
  waitMaxMs: number
  totalMs: number
  usedMax: number
}
export interface ReferenceImport {
  accountId: string
  id: string
  state: 'running' | 'done' | 'failed'
  format: 'csv' | 'ndjson'
  entityType?: ReferenceType // of lines that name none
  total: number // lines
  position: number // lines done
  linked: number
  failed: number
  errors: { line: number; message: string }[] // the first ones
  createdAt: string
  updatedAt: string
}

/** One try of a customer to connect. It waits for the platform to send them back, is worked on by one request, may be left with a question (choosing), and ends. */
export interface ConnectAttempt {
  id: string
  state: 'none' | 'waiting' | 'working' | 'choosing' | 'failed' | 'connected'
  data?: unknown // sealed in the database
}
/** Lets whoever holds its token connect one account. Only a hash of the token is kept. */
export interface ConnectLink {
  workspaceId: string
  id: string
  platforms?: string[] // all that can be connected, unless told
  vertical?: Vertical
  accountId?: string // to be connected again
  accountName?: string
  newAccountId?: string
  returnUrl?: string
  state?: string // the caller's own, handed back
  signingSecret: string // signs what the return URL is told
  createdAt: string
  expiresAt: string
  revokedAt?: string
  connectedAt?: string
  connectedAccountId?: string
  attempt: ConnectAttempt
}
/** The operator's application at an OAuth platform. */
export interface PlatformApp {
  workspaceId: string
  platform: string
  clientId: string
  clientSecret: string
  settings: Record<string, string> // what its customers are not asked: hosts and the like
  updatedAt: string
}

/** One management action. Entries of a scope are chained: each has the hash of the one before. */
export interface AuditEntry {
  scope: string // a workspace, or `install`
  sequence: number
  at: string
  actor: string
  address: string
  action: string
  object: Record<string, string>
  outcome: string
  requestId: string
  previous: string
  hash: string
}

export interface Store {
  readonly kind: 'sqlite' | 'postgres'
  /** Runs missing migrations; safe when several instances start at once. */
  migrate(): Promise<void>
  /** Ends every running lease: only where this process is known to be the only user of the database, at its start. */
  endLeases(): Promise<void>
  /** A cheap query, for /readyz. Rejects when the database does not answer. */
  ping(): Promise<void>
  /** For a check-up: the database's clock in milliseconds, and which migrations have not run. Changes nothing. */
  inspect(): Promise<{ now: number; pendingMigrations: string[] }>
  close(): Promise<void>
  /** Seals everything that was sealed under an older key again under the newest; answers how many values changed. */
  reseal(): Promise<number>

  workspaces: {
    create(workspace: { id: string; name: string }): Promise<Workspace>
    get(id: string): Promise<Workspace | undefined>
    list(query: PageQuery): Promise<Page<Workspace>>
  }
  credentials: {
    create(credential: Pick<Credential, 'id' | 'kind' | 'workspaceId' | 'name' | 'secretHash'>): Promise<Credential>
    get(id: string): Promise<Credential | undefined>
    list(workspaceId: string, kind: Credential['kind'], query: PageQuery): Promise<Page<Credential>>
    /** New secret, next generation. */
    rotate(id: string, secretHash: string): Promise<Credential | undefined>
    revoke(id: string): Promise<boolean>
    /** At most once a minute per credential is enough. */
    touch(id: string): Promise<void>
  }
  accounts: {
    create(account: Omit<Account, 'revision' | 'createdAt' | 'updatedAt'>): Promise<Account | 'exists'>
    get(id: string): Promise<Account | undefined>
    list(
      workspaceId: string,
      query: PageQuery,
      filter?: { search?: string; platform?: string; state?: AccountState },
    ): Promise<Page<Account>>
    /** How many there are of each platform in each state. */
    counts(workspaceId: string): Promise<{ platform: string; state: AccountState; accounts: number }[]>
    /** Changes what is given. With `ifRevision`, only when the account is still at it; undefined when it is gone or was changed meanwhile. */
    update(
      id: string,
      change: Partial<Pick<Account, 'name' | 'state' | 'stateReason' | 'settings' | 'auth' | 'credentials'>>,
      ifRevision?: number,
    ): Promise<Account | undefined>
    /** With everything that belongs to it. */
    delete(id: string): Promise<boolean>
  }
  mappings: {
    save(mapping: Omit<MappingOverlay, 'version' | 'createdAt'>): Promise<MappingOverlay> // a known id gets its next version; older versions stay readable
    get(id: string, version?: number): Promise<MappingOverlay | undefined>
    list(accountId: string, query: PageQuery): Promise<Page<MappingOverlay>> // newest version of each
    versions(id: string): Promise<MappingOverlay[]>
    delete(id: string): Promise<boolean> // and the keys that name it
  }
  mappingKeys: {
    create(key: Omit<MappingKey, 'createdAt'>): Promise<MappingKey>
    get(key: string): Promise<MappingKey | undefined>
    list(accountId: string): Promise<MappingKey[]>
    delete(key: string): Promise<boolean>
  }
  links: {
    get(accountId: string, entityType: ReferenceType, sourceId: string): Promise<Link | undefined>
    /** All at once, in one query; keyed `${entityType} ${sourceId}`. */
    find(
      accountId: string,
      wanted: readonly { entityType: ReferenceType; sourceId: string }[],
    ): Promise<Map<string, string>>
    put(link: Omit<Link, 'createdAt'>): Promise<Link>
    /** All or none; the last of two with the same key counts. */
    putAll(accountId: string, links: readonly Omit<Link, 'createdAt' | 'accountId'>[]): Promise<void>
    /** With `search`, those whose id at either side begins so. */
    list(
      accountId: string,
      entityType: ReferenceType | undefined,
      query: PageQuery,
      search?: string,
    ): Promise<Page<Link>>
    delete(accountId: string, entityType: ReferenceType, sourceId: string): Promise<boolean>
  }
  journal: {
    /** Inserts the entry as in_flight, leased to `holder`; or answers the one that is there. One statement decides. */
    begin(
      entry: EntryKey & Pick<JournalEntry, 'writeId' | 'contentHash' | 'record' | 'startedAt' | 'holder'>,
      leaseMs: number,
    ): Promise<{ begun: true } | { begun: false; entry: JournalEntry }>
    get(key: EntryKey): Promise<JournalEntry | undefined>
    /** Makes `holder` the one who works on it, when nobody's lease runs and its state is in_flight, unknown or partial. */
    takeOver(key: EntryKey, holder: string, leaseMs: number): Promise<JournalEntry | undefined>
    renew(key: EntryKey, holder: string, leaseMs: number): Promise<boolean>
    steps(key: EntryKey, writeId: string): Promise<JournalStep[]> // in the order they were sent
    /** Before the request leaves. Rejects with LostEntry when the write is no longer open, the step is already done or, with `holder`, its lease does not run any more: then nothing may be sent. */
    stepSent(key: EntryKey, writeId: string, name: string, request: string, holder?: string): Promise<void>
    stepDone(key: EntryKey, writeId: string, name: string, value: unknown): Promise<void>
    stepForgotten(key: EntryKey, writeId: string, name: string): Promise<void>
    /** In one transaction: state done with answer and id, the link written, the steps removed. False when the lease was lost. */
    done(
      key: EntryKey,
      holder: string,
      outcome: { writeId: string; nativeId: string; answer: unknown },
    ): Promise<boolean>
    /** unknown or partial, lease given up, steps kept. */
    park(key: EntryKey, holder: string, state: 'unknown' | 'partial', detail: string, nativeId?: string): Promise<void>
    /** The key is free again: entry and steps removed. */
    remove(key: EntryKey, holder: string): Promise<void>
    /** Entries somebody should finish: in flight or unknown, with no running lease; not those parked as `final`, which nothing but the caller can settle. */
    abandoned(limit: number): Promise<EntryKey[]>
    /** How many are under way or in doubt, over all accounts. */
    open(): Promise<{ inFlight: number; unknown: number }>
  }
  /** Pacing shared by all instances over one database; absent where there can be only one. */
  pacing?: {
    /** Gives slots back, then takes the next free ones that all lanes allow. One round trip; nothing is locked while a call waits. */
    reserve(accountId: string, reservation: SlotReservation): Promise<ReservedSlots>
    /** What the database's clock says. */
    moment(): Promise<number>
    hold(accountId: string, milliseconds: number): Promise<void>
  }
  /** A named lock that ends by itself; the database's clock. */
  leases: {
    acquire(name: string, holder: string, leaseMs: number): Promise<boolean>
    release(name: string, holder: string): Promise<void>
  }
  users: Users
  sessions: {
    create(session: { tokenHash: string; user: string; expiresAt: string }): Promise<void>
    get(tokenHash: string): Promise<{ user: string; expiresAt: string } | undefined>
    delete(tokenHash: string): Promise<void>
    /** All of this user but the one that is kept. */
    deleteOthers(user: string, keptTokenHash: string): Promise<void>
  }
  activity: {
    /** In one transaction, with the sums. */
    record(entries: readonly RecordedActivity[]): Promise<void>
    /** Newest first. */
    list(workspaceId: string, filter: ActivityFilter, query: PageQuery): Promise<Page<Activity>>
    get(workspaceId: string, requestId: string): Promise<(Activity & { trace: unknown }) | undefined>
    /** Sums over `step` minutes each. */
    sums(workspaceId: string, span: { since: number; until: number; step: number }): Promise<ActivitySum[]>
    /** Removes a batch of what is older; answers how much it was. */
    prune(before: number): Promise<number>
  }
  /** Append-only: the database refuses to change or remove a row. */
  audit: {
    append(action: Omit<AuditEntry, 'sequence' | 'at' | 'previous' | 'hash'>): Promise<AuditEntry>
    list(
      scope: string,
      filter: Partial<Pick<AuditEntry, 'action' | 'actor' | 'outcome'>>,
      query: PageQuery,
    ): Promise<Page<AuditEntry>> // newest first
    walk(scope?: string): AsyncGenerator<AuditEntry> // oldest first
    verify(): Promise<{ scope: string; entries: number; head: string; brokenAt?: number }[]>
  }
  connectLinks: {
    create(
      link: Omit<ConnectLink, 'createdAt' | 'revokedAt' | 'connectedAt' | 'connectedAccountId' | 'attempt'> & {
        tokenHash: string
      },
    ): Promise<ConnectLink>
    byToken(tokenHash: string): Promise<ConnectLink | undefined>
    get(link: Pick<ConnectLink, 'workspaceId' | 'id'>): Promise<ConnectLink | undefined>
    list(workspaceId: string, query: PageQuery): Promise<Page<ConnectLink>>
    revoke(link: Pick<ConnectLink, 'workspaceId' | 'id'>): Promise<boolean>
    /** A new attempt in place of the last one; false when the link is dead or somebody is working on it. */
    begin(link: Pick<ConnectLink, 'workspaceId' | 'id'>, attemptId: string, data: unknown): Promise<boolean>
    /** True for the one who may work on it now. */
    take(
      link: Pick<ConnectLink, 'workspaceId' | 'id'>,
      attemptId: string,
      from: 'waiting' | 'choosing',
    ): Promise<boolean>
    /** False when the link was revoked or connected by somebody else meanwhile. */
    settle(
      link: Pick<ConnectLink, 'workspaceId' | 'id'>,
      attemptId: string,
      outcome:
        | { state: 'connected'; accountId: string; data: unknown }
        | { state: 'failed' | 'choosing'; data: unknown },
    ): Promise<boolean>
  }
  platformApps: {
    put(app: Omit<PlatformApp, 'updatedAt'>): Promise<PlatformApp>
    get(workspaceId: string, platform: string): Promise<PlatformApp | undefined>
    list(workspaceId: string): Promise<PlatformApp[]>
    delete(workspaceId: string, platform: string): Promise<boolean>
  }
  referenceImports: {
    create(
      wanted: Pick<ReferenceImport, 'accountId' | 'id' | 'format' | 'entityType' | 'total'> & { content: string },
    ): Promise<ReferenceImport>
    get(accountId: string, id: string): Promise<ReferenceImport | undefined>
    list(accountId: string, query: PageQuery): Promise<Page<ReferenceImport>> // newest first
    content(accountId: string, id: string): Promise<string>
    /** How far it is now; its content goes when it has ended. */
    advance(
      found: Pick<ReferenceImport, 'accountId' | 'id' | 'state' | 'position' | 'linked' | 'failed' | 'errors'>,
    ): Promise<void>
    running(limit: number): Promise<{ accountId: string; id: string }[]>
  }
}
