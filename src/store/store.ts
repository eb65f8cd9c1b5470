// The storage interface. Both databases implement it with the same queries. Every table that grows has the account or
// the workspace first in its key.

import type { Static, TObject } from 'typebox'
import type { EntityType, Vertical } from '../contract/entity.ts'
import type { accountStates } from '../contract/manage/accounts.ts'
import type { branding } from '../contract/manage/branding.ts'
import type { connectOffer } from '../contract/manage/connect-links.ts'
import type { credentialSettings } from '../contract/manage/credentials.ts'
import type { reference, referenceImport } from '../contract/manage/references.ts'
import type { workspaceSettings } from '../contract/manage/workspaces.ts'
import type { Permissions } from '../contract/scopes.ts'
import type { AccountDay, Activity, ActivityFilter, ActivitySum, PackedActivity } from './activity-entry.ts'
import type { AuditEntry, AuditFilter } from './audit-entry.ts'
import type { ChangeStore } from './changes.ts'
import type { DailyCallTable } from './daily-call-table.ts'
import type { WebhookStore } from './deliveries.ts'
import type { ErasureStore } from './erasure-store.ts'
import type { JournalStore } from './journal-entry.ts'
import type { Direction, MappingDefault, MappingKey, MappingOverlay, MappingOwner } from './mapping-types.ts'
import type { MigrationStore } from './migration-store.ts'
import type { Page, PageQuery } from './page.ts'
import type { HookStore } from './platform-webhooks.ts'
import type {
  BackgroundReservation,
  BackgroundSlot,
  PermitReport,
  ReservedSlots,
  SlotReservation,
} from './tables/pacing-slot.ts'
import type { Invitations, Members, Sessions, Users } from './user.ts'

export type * from './activity-entry.ts'
export type * from './audit-entry.ts'
export type * from './journal-entry.ts'
export type * from './mapping-types.ts'
export type * from './migration-store.ts'
export type * from './page.ts'
export type * from './user.ts'

export interface Workspace {
  id: string
  name: string
  isTest: boolean // its accounts may only be in test environments
  createdAt: string
}
/** A caller's credential: an access id (form B) or an API key (form A). Only a hash of its secret is stored. */
export interface Credential extends Permissions {
  id: string
  kind: 'access_id' | 'api_key'
  workspaceId: string
  name: string
  secretHash: string
  generation: number // counts rotations: a token carries the generation it was issued under
  createdAt: string
  expiresAt?: string
  rotatedAt?: string
  lastUsedAt?: string
  lastAddress?: string
  revokedAt?: string
}
/** The settings of a credential by an operator. Without `scopes`, it has the default ones. */
export type CredentialSettings = Static<typeof credentialSettings>
export type AccountState = (typeof accountStates)[number]
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
  testOnly?: boolean // of a test workspace: only calls to a test environment or the sandbox are allowed
  business?: string // at the platform, when it is known: equal for all accounts of one business
  revision: number // grows with every change
  createdAt: string
  updatedAt: string
}
export type Link = Static<typeof reference> & { accountId: string }
export type ReferenceImport = Static<typeof referenceImport> & { accountId: string }

/**
 * A customer's attempt to connect. It waits for the redirect from the platform, one request processes it, it may need a
 * choice of the customer (choosing), and it ends.
 */
export interface ConnectAttempt {
  id: string
  state: 'none' | 'waiting' | 'working' | 'choosing' | 'failed' | 'connected'
  data?: unknown // sealed in the database
}
/** The offer of a connect link, as it was created. */
export type ConnectOffer = Static<TObject<typeof connectOffer>>
/** Lets the holder of its token connect one account. Only a hash of the token is stored. */
export interface ConnectLink extends ConnectOffer {
  workspaceId: string
  id: string
  signingSecret: string // signs the result for the return URL
  createdAt: string
  expiresAt: string
  revokedAt?: string
  connectedAt?: string
  connectedAccountId?: string
  attempt: ConnectAttempt
}
/** How the pages for customers present a workspace. */
export type Branding = Static<typeof branding>
export type WorkspaceSettings = Static<TObject<typeof workspaceSettings>>
/** The operator's application at an OAuth platform. */
export interface PlatformApp {
  workspaceId: string
  platform: string
  clientId: string
  clientSecret: string
  settings: Record<string, string> // that customers do not enter, such as hosts
  updatedAt: string
}

export interface Store {
  readonly kind: 'sqlite' | 'postgres'
  /** Runs missing migrations; safe when several instances start at once. */
  migrate(): Promise<void>
  /** Ends every running lease. Only at startup, and only if no other process uses the database. */
  endLeases(): Promise<void>
  /** A cheap query, for /readyz. Rejects if the database does not respond. */
  ping(): Promise<void>
  /** Stores some kilobytes and removes them again, in one transaction. Rejects if the database cannot store them. */
  probe(): Promise<void>
  /** For diagnosis: the database's clock in milliseconds, and the migrations that have not run. Changes nothing. */
  inspect(): Promise<{ now: number; pendingMigrations: string[] }>
  close(): Promise<void>
  /** Encrypts everything that was sealed with an older key with the newest one. Returns how many values changed. */
  reseal(): Promise<number>

  /**
   * What `work` does with the store that it gets is one transaction. It must not wait for anything else, another store
   * included: other writes wait for it.
   */
  transaction<T>(work: (store: Store) => Promise<T>): Promise<T>

  workspaces: {
    create(workspace: { id: string; name: string; isTest?: boolean }): Promise<Workspace>
    get(id: string): Promise<Workspace | undefined>
    /** With `user`, those where the user has a role. */
    list(query: PageQuery, user?: string): Promise<Page<Workspace>>
    rename(id: string, name: string): Promise<Workspace | undefined>
    /** Marks the workspace and its accounts. Accounts that are connected at the same time get the mark, too. */
    mark(id: string, isTest: boolean): Promise<Workspace | undefined>
    /** With everything that belongs to it, except its audit log. */
    delete(id: string): Promise<boolean>
  }
  credentials: {
    create(
      credential: Pick<Credential, 'id' | 'kind' | 'workspaceId' | 'secretHash'> & CredentialSettings,
    ): Promise<Credential>
    get(id: string): Promise<Credential | undefined>
    /** The same from the cache, where `lastUsedAt` may be old. */
    lookup(id: string): Promise<Credential | undefined>
    list(workspaceId: string, kind: Credential['kind'], query: PageQuery): Promise<Page<Credential>>
    /** Replaces all settings. */
    change(id: string, settings: CredentialSettings): Promise<Credential | undefined>
    /** New secret, next generation. */
    rotate(id: string, secretHash: string): Promise<Credential | undefined>
    revoke(id: string): Promise<boolean>
    /** Records that it was used, at most once a minute. */
    touch(id: string, address: string): Promise<void>
  }
  accounts: {
    create(account: Omit<Account, 'revision' | 'createdAt' | 'updatedAt' | 'testOnly'>): Promise<Account | 'exists'>
    /** With `since`, a credential that was looked up: the account at that instant, or later. */
    get(id: string, since?: Credential): Promise<Account | undefined>
    list(
      workspaceId: string,
      query: PageQuery,
      filter?: { search?: string; platform?: string; state?: AccountState; ids?: readonly string[] },
    ): Promise<Page<Account>>
    /** The number of accounts per platform and state. */
    counts(workspaceId: string): Promise<{ platform: string; state: AccountState; accounts: number }[]>
    /**
     * Changes only the given fields. With `ifRevision`, only if the account still has that revision. Undefined if it
     * does not exist or was changed meanwhile.
     */
    update(
      id: string,
      change: Partial<
        Pick<Account, 'name' | 'state' | 'stateReason' | 'settings' | 'auth' | 'credentials' | 'business'>
      > & { event?: 'account.renewal_failing' }, // told in the same transaction
      ifRevision?: number,
    ): Promise<Account | undefined>
    /** Other accounts of the same business in the same workspace, oldest first: at most ten ids. */
    sameBusiness(account: Pick<Account, 'id' | 'workspaceId' | 'business'>): Promise<string[]>
    /** Accounts whose business nothing has looked for yet. */
    withoutBusiness(limit: number): Promise<Account[]>
    /** Does not count as a change of the account. */
    setBusiness(id: string, business: string | undefined): Promise<void>
    /** With everything that belongs to it. */
    delete(id: string): Promise<boolean>
  }
  mappings: {
    // A known id gets its next version; older versions stay readable.
    save(mapping: Omit<MappingOverlay, 'version' | 'createdAt'>): Promise<MappingOverlay>
    /** With `since`, an account that was looked up: the newest version at that instant, or later. */
    get(id: string, version?: number, since?: Pick<Account, 'id'>): Promise<MappingOverlay | undefined>
    /** The newest version of each mapping of an account, or of the workspace and its platforms. */
    list(owner: Pick<MappingOwner, 'workspaceId' | 'accountId'>, query: PageQuery): Promise<Page<MappingOverlay>>
    /** All that an account can use: its own, and those of its workspace and platform. */
    usable(account: Pick<Account, 'id' | 'workspaceId' | 'platform'>): Promise<readonly MappingOverlay[]>
    versions(id: string): Promise<MappingOverlay[]>
    /** Deletes the mapping and the keys that name it, unless it is a default. */
    delete(id: string): Promise<'deleted' | 'missing' | 'default'>
  }
  mappingDefaults: {
    /** False if the mapping does not exist (any more). */
    set(value: MappingDefault): Promise<boolean>
    clear(value: MappingOwner & Pick<MappingDefault, 'entityType' | 'direction'>): Promise<boolean>
    /** Those of the workspace and its platforms. */
    list(workspaceId: string): Promise<MappingDefault[]>
    /** Those that name this mapping. */
    of(mappingId: string, limit: number): Promise<MappingDefault[]>
    /**
     * The default that applies to an account since it was looked up. Undefined: no scope has one, so the built-in mapping
     * applies.
     */
    effective(
      account: Pick<Account, 'id' | 'workspaceId' | 'platform'>,
      entityType: EntityType,
      direction: Direction,
    ): Promise<MappingDefault | undefined>
  }
  mappingKeys: {
    create(key: Omit<MappingKey, 'createdAt'>): Promise<MappingKey>
    get(key: string): Promise<MappingKey | undefined>
    list(accountId: string): Promise<MappingKey[]>
    delete(key: string): Promise<boolean>
  }
  links: {
    get(accountId: string, entityType: EntityType, sourceId: string): Promise<Link | undefined>
    /** All in one query. The keys of the result are `${entityType} ${sourceId}`. */
    find(
      accountId: string,
      references: readonly { entityType: EntityType; sourceId: string }[],
    ): Promise<Map<string, string>>
    /** The source ids of what was written and has this platform id. */
    sourcesOf(accountId: string, entityType: EntityType, nativeId: string): Promise<string[]>
    /** By `${entityType} ${nativeId}`. One that was written comes before linked ones, then the newest. */
    sourceIds(accountId: string, of: readonly Pick<Link, 'entityType' | 'nativeId'>[]): Promise<Map<string, string>>
    put(link: Omit<Link, 'createdAt'>): Promise<Link>
    /** The reference of a finished write, unless the source id has one. */
    restore(link: Omit<Link, 'createdAt' | 'origin'>): Promise<void>
    /** All or none. Of two with the same key, the last one is stored. */
    putAll(accountId: string, links: readonly Omit<Link, 'createdAt' | 'accountId'>[]): Promise<void>
    /** With `search`, those whose source id or native id starts with it. */
    list(accountId: string, entityType: EntityType | undefined, query: PageQuery, search?: string): Promise<Page<Link>>
    delete(accountId: string, entityType: EntityType, sourceId: string): Promise<boolean>
  }
  journal: JournalStore
  /**
   * Pacing that all instances of one database share. Absent if there can be only one. `owner`: whose windows these are,
   * see `CallLimits`.
   */
  pacing?: {
    /**
     * Returns slots, then reserves the next free ones that all lanes allow. One round trip; nothing is locked while a
     * call waits.
     */
    reserve(owner: string, reservation: SlotReservation): Promise<ReservedSlots>
    /** The same for one call of background work: only if no caller waits and half of every window stays free. */
    reserveInBackground(owner: string, reservation: BackgroundReservation): Promise<BackgroundSlot>
    /** The database's clock. */
    moment(): Promise<number>
    hold(owner: string, milliseconds: number): Promise<void>
    /** The calls of the owner that the instance may have under way at once. */
    sharePermits(owner: string, report: PermitReport): Promise<number>
    /** The instance ends: others may use its permits at once. */
    dropPermits(instance: string): Promise<void>
  }
  dailyCalls: DailyCallTable
  /** Named locks that expire, by the database's clock. */
  leases: {
    acquire(name: string, holder: string, leaseMs: number): Promise<boolean>
    /** False if another holder has it. In a transaction: no one else acquires it until the end. */
    renew(name: string, holder: string, leaseMs: number): Promise<boolean>
    release(name: string, holder: string): Promise<void>
  }
  users: Users
  members: Members
  invitations: Invitations
  sessions: Sessions
  activity: {
    /** In one transaction, with the sums. */
    record(entries: readonly PackedActivity[]): Promise<void>
    /** Newest first. What has no index is looked for in parts: a page may be short, or empty, and have a next one. */
    list(workspaceId: string, filter: ActivityFilter, query: PageQuery): Promise<Page<Activity>>
    get(workspaceId: string, requestId: string): Promise<(Activity & { trace: unknown }) | undefined>
    /** Sums over `step` minutes each. */
    sums(workspaceId: string, span: { since: number; until: number; step: number }): Promise<ActivitySum[]>
    /** The last 30 days, oldest first; days without requests are left out. They stay when the entries are removed. */
    accountDays(workspaceId: string, accountId: string): Promise<AccountDay[]>
    /** Removes a batch of older entries. Returns how many. */
    prune(before: number): Promise<number>
  }
  changes: ChangeStore
  erasures: ErasureStore
  migrations: MigrationStore
  webhooks: WebhookStore
  hooks: HookStore
  /** Append-only: the database refuses to change or remove a row. */
  audit: {
    /** In a transaction: until it ends, no other one adds an entry to this scope. Every management action adds one. */
    lock(scope: string): Promise<void>
    append(action: Omit<AuditEntry, 'sequence' | 'at' | 'previous' | 'hash'>): Promise<AuditEntry>
    list(scope: string, filter: AuditFilter, query: PageQuery): Promise<Page<AuditEntry>> // newest first
    walk(scope?: string, filter?: AuditFilter): AsyncGenerator<AuditEntry> // oldest first
    verify(scope?: string): Promise<{ scope: string; entries: number; head: string; brokenAt?: number }[]>
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
    /** Replaces the last attempt. False if the link has ended or another request is processing its attempt. */
    begin(link: Pick<ConnectLink, 'workspaceId' | 'id'>, attemptId: string, data: unknown): Promise<boolean>
    /** True for the one request that may process the attempt. */
    take(
      link: Pick<ConnectLink, 'workspaceId' | 'id'>,
      attemptId: string,
      from: 'waiting' | 'choosing',
    ): Promise<boolean>
    /** False if the link was revoked or connected meanwhile. */
    settle(
      link: Pick<ConnectLink, 'workspaceId' | 'id'>,
      attemptId: string,
      outcome:
        | { state: 'connected'; accountId: string; data: unknown }
        | { state: 'failed' | 'choosing'; data: unknown },
    ): Promise<boolean>
  }
  workspaceSettings: {
    get(workspaceId: string): Promise<WorkspaceSettings>
    put(workspaceId: string, settings: WorkspaceSettings): Promise<WorkspaceSettings>
  }
  branding: {
    get(workspaceId: string): Promise<Branding>
    put(workspaceId: string, branding: Branding): Promise<Branding>
  }
  platformApps: {
    put(app: Omit<PlatformApp, 'updatedAt'>): Promise<PlatformApp>
    get(workspaceId: string, platform: string): Promise<PlatformApp | undefined>
    list(workspaceId: string): Promise<PlatformApp[]>
    delete(workspaceId: string, platform: string): Promise<boolean>
  }
  referenceImports: {
    create(
      created: Pick<ReferenceImport, 'accountId' | 'id' | 'format' | 'entityType' | 'total'> & { content: string },
    ): Promise<ReferenceImport>
    get(accountId: string, id: string): Promise<ReferenceImport | undefined>
    list(accountId: string, query: PageQuery): Promise<Page<ReferenceImport>> // newest first
    content(accountId: string, id: string): Promise<string>
    /** Stores its progress. Removes its content when it has ended. */
    advance(
      progress: Pick<ReferenceImport, 'accountId' | 'id' | 'state' | 'position' | 'linked' | 'failed' | 'errors'>,
    ): Promise<void>
    running(limit: number): Promise<{ accountId: string; id: string }[]>
  }
}
