// The tables of workspaces, accounts, and what belongs to them.
import type { EntityType, Vertical } from '../contract/entity.ts'
import { defaultScopes, type Permissions, type Scope } from '../contract/scopes.ts'
import {
  type Column,
  defineTable,
  flag,
  json,
  number,
  optional,
  plain,
  sealed,
  type TableRow,
  text,
  words,
} from './define-table.ts'
import type { Erasure, ErasureState } from './erasure-store.ts'
import type {
  Account,
  AccountState,
  ActivityOutcome,
  AuditEntry,
  ConnectAttempt,
  ConnectOffer,
  Credential,
  Direction,
  Link,
  MappingOverlay,
  MappingScope,
  PlatformApp,
  ReferenceImport,
} from './store.ts'

export const workspaces = defineTable('workspaces', ['id'], {
  id: text,
  name: text,
  isTest: flag,
  createdAt: text,
})
export type WorkspaceRow = TableRow<typeof workspaces>

/** Null: the default ones. */
const granted: Column<Permissions['scopes'], string | null> = {
  write: (scopes) => scopes.join(' '),
  read: (stored) => (stored === null ? defaultScopes : (stored.split(' ') as Scope[])),
}
/** In one spelling, because the database compares it as text. */
const instant: Column<string, string> = { ...text, write: (value) => new Date(value).toISOString() }
export const credentials = defineTable('credentials', ['id'], {
  id: text,
  kind: plain<Credential['kind']>(),
  workspaceId: text,
  name: text,
  secretHash: text,
  generation: number,
  createdAt: text,
  rotatedAt: optional(text),
  lastUsedAt: optional(text),
  revokedAt: optional(text),
  scopes: granted,
  accounts: optional(words()),
  entities: optional(words<EntityType>()),
  hiddenFields: optional(words()),
  expiresAt: optional(instant),
  lastAddress: optional(text),
})
export type CredentialRow = TableRow<typeof credentials>

/** Null: not looked for yet. Empty: unknown. */
const business: Column<string | undefined, string | null> = {
  write: (value) => value ?? '',
  read: (stored) => stored || undefined,
}
const mark: Column<true | undefined, number> = {
  write: (value) => (value ? 1 : 0),
  read: (stored) => stored === 1 || undefined,
}
export const accounts = defineTable('accounts', ['id'], {
  id: text,
  workspaceId: text,
  platform: text,
  vertical: plain<Vertical>(),
  name: text,
  state: plain<AccountState>(),
  stateReason: optional(text),
  settings: json<Account['settings']>(),
  auth: text,
  credentials: sealed<Account['credentials']>(),
  business,
  testOnly: mark, // of its workspace
  revision: number,
  createdAt: text,
  updatedAt: text,
})
export type AccountRow = TableRow<typeof accounts>

export const mappings = defineTable('mappings', ['workspaceId', 'id', 'version'], {
  workspaceId: text,
  id: text,
  version: number,
  accountId: optional(text), // of one account
  platform: optional(text), // of all accounts of a platform; neither: of the workspace
  entityType: plain<EntityType>(),
  direction: plain<Direction>(),
  name: text,
  rules: json<MappingOverlay['rules']>(),
  createdAt: text,
})
export type MappingRow = TableRow<typeof mappings>

export const mappingKeys = defineTable('mapping_keys', ['key'], {
  accountId: text,
  key: text,
  workspaceId: text,
  direction: plain<Direction>(),
  isDefault: flag,
  entityType: optional(plain<EntityType>()),
  mappingId: optional(text),
  createdAt: text,
})
export type MappingKeyRow = TableRow<typeof mappingKeys>
export interface MappingDefaultRow {
  workspace_id: string
  scope: MappingScope
  owner: string // an account id, a platform, or empty for the workspace
  entity_type: EntityType
  direction: Direction
  account_id: string | null // of scope account: the row is deleted with it
  mapping_id: string | null // null: the built-in mapping
  created_at: string
}

export const links = defineTable('links', ['accountId', 'entityType', 'sourceId'], {
  accountId: text,
  entityType: plain<EntityType>(),
  sourceId: text,
  nativeId: text,
  origin: plain<Link['origin']>(),
  createdAt: text,
})
export type LinkRow = TableRow<typeof links>

export const referenceImports = defineTable('reference_imports', ['accountId', 'id'], {
  accountId: text,
  id: text,
  state: plain<ReferenceImport['state']>(),
  format: plain<ReferenceImport['format']>(),
  entityType: optional(plain<EntityType>()),
  total: number,
  position: number,
  linked: number,
  failed: number,
  errors: json<ReferenceImport['errors']>(),
  createdAt: text,
  updatedAt: text,
})
export interface ReferenceImportRow extends TableRow<typeof referenceImports> {
  content: string // empty when it has ended
}

export const connectLinks = defineTable('connect_links', ['workspaceId', 'id'], {
  workspaceId: text,
  id: text,
  offer: json<ConnectOffer>(),
  signingSecret: sealed<string>(),
  createdAt: text,
  expiresAt: text,
  revokedAt: optional(text),
  connectedAt: optional(text),
  connectedAccountId: optional(text),
  attemptId: text,
  attemptState: plain<ConnectAttempt['state']>(),
  attemptAt: number, // milliseconds
  attempt: optional(sealed()),
})
export interface ConnectLinkRow extends TableRow<typeof connectLinks> {
  token_hash: string
}

export const platformApps = defineTable('platform_apps', ['workspaceId', 'platform'], {
  workspaceId: text,
  platform: text,
  credentials: sealed<Pick<PlatformApp, 'clientId' | 'clientSecret'>>(),
  settings: json<PlatformApp['settings']>(),
  updatedAt: text,
})
export type PlatformAppRow = TableRow<typeof platformApps>

export const personErasures = defineTable('person_erasures', ['accountId', 'id'], {
  accountId: text,
  id: text,
  entityType: plain<EntityType>(),
  isPlan: flag,
  state: plain<ErasureState>(),
  found: json<Erasure['found']>(),
  openWrites: number,
  unsettled: number,
  createdBy: text,
  createdAt: text,
  endedAt: optional(text),
})
export interface PersonErasureRow extends TableRow<typeof personErasures> {
  native_id: string // empty when it has ended
  person: string // hash
  step: number // counts steps: of two instances only one makes the next
  pass: number
  place: number // index of the place that is searched
  position: string | null // JSON; null: at its beginning
  due_at: number // milliseconds
}

/** Rows are in the order of `request_id`, which begins with its time. */
export const activity = defineTable('activity', ['workspaceId', 'requestId'], {
  workspaceId: text,
  requestId: text,
  accountId: text,
  platform: text,
  credentialId: text,
  method: text,
  entityType: text,
  operation: text,
  status: number,
  errorCode: optional(text),
  totalMs: number,
  waitMs: number,
  platformMs: number,
  nativeCalls: number,
  externalId: optional(text),
  nativeId: optional(text),
})
export interface ActivityRow extends TableRow<typeof activity> {
  outcome: ActivityOutcome
  way_id: string
  is_own: number
}

export const audit = defineTable('audit', ['scope', 'sequence'], {
  scope: text,
  sequence: number,
  at: text,
  actor: text,
  address: text,
  action: text,
  object: json<AuditEntry['object']>(),
  outcome: text,
  requestId: text,
  previous: text,
  hash: text,
})
export type AuditRow = TableRow<typeof audit>
