// What the rest of the service may ask of its storage. Two databases implement it through one set of queries; every table that grows has the account or the workspace first in its key.
import type { EntityType, ReferenceType, Vertical } from '../contract/entity.ts'

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

export interface PacingLane {
  name: string
  windows: readonly (readonly [requests: number, milliseconds: number])[]
  keep: number // the largest number of requests among the windows
}

export interface Store {
  readonly kind: 'sqlite' | 'postgres'
  /** Runs missing migrations; safe when several instances start at once. */
  migrate(): Promise<void>
  /** Ends every running lease: only where this process is known to be the only user of the database, at its start. */
  endLeases(): Promise<void>
  /** A cheap query, for /readyz. Rejects when the database does not answer. */
  ping(): Promise<void>
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
    list(workspaceId: string, query: PageQuery): Promise<Page<Account>>
    /** Changes what is given. With `ifRevision`, only when the account is still at it; undefined when it is gone or was changed meanwhile. */
    update(id: string, change: Partial<Pick<Account, 'name' | 'state' | 'stateReason' | 'settings' | 'auth' | 'credentials'>>, ifRevision?: number): Promise<Account | undefined>
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
    find(accountId: string, wanted: readonly { entityType: ReferenceType; sourceId: string }[]): Promise<Map<string, string>>
    put(link: Omit<Link, 'createdAt'>): Promise<Link>
    list(accountId: string, entityType: ReferenceType | undefined, query: PageQuery): Promise<Page<Link>>
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
    done(key: EntryKey, holder: string, outcome: { writeId: string; nativeId: string; answer: unknown }): Promise<boolean>
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
    /** Takes the next free slot of all lanes ('' is the account's own) when it is at most `maxWaitMs` away. One round trip; nothing is locked while anybody waits. */
    reserve(accountId: string, lanes: readonly PacingLane[], maxWaitMs: number): Promise<{ slot: number; waitMs: number; taken: boolean; used: number }>
    hold(accountId: string, milliseconds: number): Promise<void>
    giveBack(accountId: string, lane: string, slot: number): Promise<void>
  }
  /** A named lock that ends by itself; the database's clock. */
  leases: {
    acquire(name: string, holder: string, leaseMs: number): Promise<boolean>
    release(name: string, holder: string): Promise<void>
  }
  users: {
    put(user: { name: string; passwordHash: string }): Promise<void>
    get(name: string): Promise<{ name: string; passwordHash: string } | undefined>
    count(): Promise<number>
  }
  sessions: {
    create(session: { tokenHash: string; user: string; expiresAt: string }): Promise<void>
    get(tokenHash: string): Promise<{ user: string; expiresAt: string } | undefined>
    delete(tokenHash: string): Promise<void>
  }
}
