// Generated from the OpenAPI document by `npm run docs`; edit the code of the service instead.

import type { Change, DailyLimit, EntitySupport, WatchStatus } from './records.ts'

export type LogInBody = {
  user: string
  password: string
  cookie?: boolean
}

export type StartedSession = {
  /** Absent with `cookie` */
  token?: string
  user: string
  expiresAt: string
  /** URL for callers: PUBLIC_URL, or the address that the service listens on */
  publicUrl: string
  /** Send it as x-csrf-token with every request except GET */
  csrf?: string
}

export type Session = {
  id: string
  user: string
  /** The session of this request */
  current: boolean
  startedAt?: string
  /** To the minute */
  lastUsedAt?: string
  expiresAt: string
  /** IP address of the last use */
  address?: string
  /** User-Agent of the sign-in */
  browser?: string
}

export type SessionList = {
  data: Session[]
}

export type ReadInvitationBody = {
  /** What follows # in the link */
  token: string
}

export type ReadInvitationAnswer = {
  /** What the link is for */
  for: 'join' | 'password'
  name: string
  /** Name of the workspace */
  workspace?: string
  /** viewer reads; operator also changes records, accounts and webhooks; admin everything */
  role?: 'viewer' | 'operator' | 'admin'
  createdBy: string
  expiresAt: string
}

export type AcceptInvitationBody = {
  /** What follows # in the link */
  token: string
  /** To join a workspace */
  user?: string
  /** 10 to 1000 characters */
  password: string
  cookie?: boolean
}

export type GetSignInMethodsAnswer = {
  password: boolean
  sso: boolean
}

export type BeginSsoBody = {
  /** Secret of an invitation to use */
  invitation?: string
}

export type BeginSsoAnswer = {
  url: string
}

export type FinishSsoBody = {
  /** Query of the address that the provider redirected to */
  query: string
}

export type Role = 'viewer' | 'operator' | 'admin'

export type GetSessionAnswer = {
  user: string
  expiresAt: string
  /** URL for callers: PUBLIC_URL, or the address that the service listens on */
  publicUrl: string
  /** Send it as x-csrf-token with every request except GET */
  csrf: string
  /** Installation admin: may do everything in every workspace */
  isAdmin: boolean
  hasPassword: boolean
  /** Role by workspace id */
  roles: Record<string, Role>
}

export type EndOtherSessionsAnswer = {
  ended: number
}

export type ChangePasswordBody = {
  currentPassword: string
  newPassword: string
}

export type Member = {
  user: string
  /** viewer reads; operator also changes records, accounts and webhooks; admin everything */
  role: 'viewer' | 'operator' | 'admin'
  createdAt: string
}

export type MemberPage = {
  data: Member[]
  /** Start of the next page, for `after` */
  next?: string
}

export type SetMemberBody = {
  /** viewer reads; operator also changes records, accounts and webhooks; admin everything */
  role: 'viewer' | 'operator' | 'admin'
}

export type User = {
  name: string
  /** Installation admin: may do everything in every workspace */
  isAdmin: boolean
  /** False: signs in with SSO only */
  hasPassword: boolean
  /** In how many workspaces the user has a role */
  workspaces: number
  /** Open sessions */
  sessions: number
}

export type UserList = {
  data: User[]
}

export type ChangeUserBody = {
  isAdmin: boolean
}

export type Invitation = {
  id: string
  /** Who is invited */
  name: string
  /** viewer reads; operator also changes records, accounts and webhooks; admin everything */
  role: 'viewer' | 'operator' | 'admin'
  createdBy: string
  createdAt: string
  expiresAt: string
}

export type InvitationPage = {
  data: Invitation[]
  /** Start of the next page, for `after` */
  next?: string
}

export type CreateInvitationBody = {
  /** Name or email address */
  name: string
  /** viewer reads; operator also changes records, accounts and webhooks; admin everything */
  role: 'viewer' | 'operator' | 'admin'
  /** How long the link works; 7 days by default */
  days?: number
}

export type InvitationWithLink = {
  id: string
  /** Who is invited */
  name: string
  /** viewer reads; operator also changes records, accounts and webhooks; admin everything */
  role: 'viewer' | 'operator' | 'admin'
  createdBy: string
  createdAt: string
  expiresAt: string
  /** Pass it on to the person; shown once, works once */
  url: string
}

export type CreateResetLinkAnswer = {
  id: string
  expiresAt: string
  /** Pass it on to the person; shown once, works once */
  url: string
}

export type Workspace = {
  id: string
  name: string
  /** `true`: a test workspace. Its accounts may only be in test environments of platforms, or in the sandbox */
  test?: boolean
  createdAt: string
}

export type WorkspacePage = {
  data: Workspace[]
  /** Start of the next page, for `after` */
  next?: string
}

export type CreateWorkspaceBody = {
  name: string
  /** `true`: a test workspace. Its accounts may only be in test environments of platforms, or in the sandbox */
  test?: boolean
}

export type ChangeWorkspaceBody = {
  name?: string
  /** `true`: a test workspace. Its accounts may only be in test environments of platforms, or in the sandbox */
  test?: boolean
}

export type Scope = 'records:read' | 'records:write' | 'changes' | 'native' | 'accounts:read' | 'connect:create' | 'manage'

export type EntityType = 'product' | 'order' | 'customer' | 'category' | 'employee' | 'time_entry' | 'shift' | 'location' | 'payment' | 'refund' | 'tax_rate' | 'payment_method'

export type Credential = {
  id: string
  name: string
  scopes: Scope[]
  /** Only these accounts; by default all */
  accounts?: string[]
  /** Only these entities; by default all */
  entities?: EntityType[]
  /** Fields of records that responses leave out, such as `email` or `phone`, at any depth */
  hiddenFields?: string[]
  /** By default it does not expire */
  expiresAt?: string
  createdAt: string
  rotatedAt?: string
  /** To the minute */
  lastUsedAt?: string
  /** IP address of the last use */
  lastAddress?: string
  revokedAt?: string
}

export type CredentialPage = {
  data: Credential[]
  /** Start of the next page, for `after` */
  next?: string
}

export type CredentialSettings = {
  name: string
  /** What the credential may be used for; by default records:read, records:write, changes */
  scopes?: Scope[]
  /** Only these accounts; by default all */
  accounts?: string[]
  /** Only these entities; by default all */
  entities?: EntityType[]
  /** Fields of records that responses leave out, such as `email` or `phone`, at any depth */
  hiddenFields?: string[]
  /** By default it does not expire */
  expiresAt?: string
}

export type CreateAccessIdAnswer = {
  id: string
  name: string
  scopes: Scope[]
  /** Only these accounts; by default all */
  accounts?: string[]
  /** Only these entities; by default all */
  entities?: EntityType[]
  /** Fields of records that responses leave out, such as `email` or `phone`, at any depth */
  hiddenFields?: string[]
  /** By default it does not expire */
  expiresAt?: string
  createdAt: string
  rotatedAt?: string
  /** To the minute */
  lastUsedAt?: string
  /** IP address of the last use */
  lastAddress?: string
  revokedAt?: string
  /** Shown once */
  secret: string
}

export type CreateApiKeyAnswer = {
  id: string
  name: string
  scopes: Scope[]
  /** Only these accounts; by default all */
  accounts?: string[]
  /** Only these entities; by default all */
  entities?: EntityType[]
  /** Fields of records that responses leave out, such as `email` or `phone`, at any depth */
  hiddenFields?: string[]
  /** By default it does not expire */
  expiresAt?: string
  createdAt: string
  rotatedAt?: string
  /** To the minute */
  lastUsedAt?: string
  /** IP address of the last use */
  lastAddress?: string
  revokedAt?: string
  /** Shown once */
  key: string
}

export type AccountRenewal = {
  failingSince: string
  /** The same token is sent again then */
  retryAt: string
}

export type AccountWarning = {
  code: string
  message: string
}

export type Account = {
  id: string
  workspaceId: string
  platform: string
  /** Vertical of the account; decides its entity types and fields */
  vertical: 'restaurant' | 'retail_pos' | 'accounting'
  name: string
  /** `active`, `reconnect_required`, or `disabled` */
  state: 'active' | 'disabled' | 'reconnect_required'
  stateReason?: string
  renewal?: AccountRenewal
  /** Authentication method of the platform */
  auth: string
  /** `true` in a test environment of the platform; absent for a real business */
  test?: boolean
  /** Account-specific values and defaults */
  settings: Record<string, string>
  createdAt: string
  updatedAt: string
  dailyLimit?: DailyLimit
  /** `business_connected_twice`: another account of the workspace is connected to the same business. Both share one rate limit. Not in lists */
  warnings?: AccountWarning[]
}

export type AccountPage = {
  data: Account[]
  /** Start of the next page, for `after` */
  next?: string
}

export type NewAccount = {
  /** Letters, digits, dot, dash and underscore */
  id?: string
  platform: string
  /** Vertical of the account; decides its entity types and fields */
  vertical: 'restaurant' | 'retail_pos' | 'accounting'
  name?: string
  /** Authentication method of the platform; by default the first that fits the credentials */
  auth?: string
  /** Account-specific values and defaults */
  settings?: Record<string, string>
  /** Credentials of the platform; encrypted and never shown again */
  credentials: Record<string, string>
}

export type AccountChange = {
  name?: string
  /** Replaces all settings */
  settings?: Record<string, string>
}

export type TestAccountAnswer = {
  ok: boolean
  code?: string
  detail?: string
}

export type ReconnectAccountBody = {
  /** Credentials of the platform */
  credentials: Record<string, string>
  auth?: string
}

export type MappingRule = {
  /** JSON pointer into the source record: the native record for reads, the caller's record for writes */
  from?: string
  /** A constant */
  value?: unknown
  /** Used if there is no value */
  default?: unknown
  /** Source value -> unified value */
  lookup?: Record<string, unknown>
  /** Type of a custom field: of a rule for `/custom/<name>` only */
  type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object'
  /** Of a custom field in a write mapping: where it is in the native record */
  to?: string
}

export type Mapping = {
  id: string
  /** Owner of the mapping */
  scope: 'account' | 'platform' | 'workspace'
  /** Of a mapping of one account */
  accountId?: string
  /** Of a mapping for all accounts of a platform */
  platform?: string
  /** Unified entity type */
  entityType: 'product' | 'order' | 'customer' | 'category' | 'employee' | 'time_entry' | 'shift' | 'location' | 'payment' | 'refund' | 'tax_rate' | 'payment_method'
  /** Direction of the mapping */
  direction: 'read' | 'write'
  name: string
  version: number
  /** Unified pointer -> rule. `/custom/<name>` declares a custom field */
  rules: Record<string, MappingRule>
  createdAt: string
}

export type MappingPage = {
  data: Mapping[]
  /** Start of the next page, for `after` */
  next?: string
}

export type CreateMappingBody = {
  /** Unified entity type */
  entityType: 'product' | 'order' | 'customer' | 'category' | 'employee' | 'time_entry' | 'shift' | 'location' | 'payment' | 'refund' | 'tax_rate' | 'payment_method'
  /** Direction of the mapping */
  direction: 'read' | 'write'
  name: string
  /** Unified pointer -> rule. `/custom/<name>` declares a custom field */
  rules: Record<string, MappingRule>
}

export type ChangeMappingBody = {
  name?: string
  /** Unified pointer -> rule. `/custom/<name>` declares a custom field */
  rules: Record<string, MappingRule>
}

export type MappingList = {
  data: Mapping[]
}

export type CreateSharedMappingBody = {
  /** Unified entity type */
  entityType: 'product' | 'order' | 'customer' | 'category' | 'employee' | 'time_entry' | 'shift' | 'location' | 'payment' | 'refund' | 'tax_rate' | 'payment_method'
  /** Direction of the mapping */
  direction: 'read' | 'write'
  name: string
  /** Unified pointer -> rule. `/custom/<name>` declares a custom field */
  rules: Record<string, MappingRule>
  /** By default all platforms of the workspace */
  platform?: string
}

export type MappingDefault = {
  /** Unified entity type */
  entityType: 'product' | 'order' | 'customer' | 'category' | 'employee' | 'time_entry' | 'shift' | 'location' | 'payment' | 'refund' | 'tax_rate' | 'payment_method'
  /** Direction of the mapping */
  direction: 'read' | 'write'
  /** Where the default is set; `none`: nowhere */
  setBy: 'account' | 'platform' | 'workspace' | 'none'
  /** If a platform sets it */
  platform?: string
  /** Absent: the built-in mapping */
  mappingId?: string
  /** Name of the mapping */
  name?: string
  /** Newest version of the mapping */
  version?: number
  /** Owner of the mapping */
  scope?: 'account' | 'platform' | 'workspace'
}

export type MappingDefaultList = {
  data: MappingDefault[]
}

export type SetMappingDefaultBody = {
  /** Id of a mapping, or `built-in`: then nothing is inherited */
  mappingId: string
}

export type MappingKey = {
  key: string
  accountId: string
  /** Direction of the mapping */
  direction: 'read' | 'write'
  isDefault: boolean
  /** Unified entity type */
  entityType?: 'product' | 'order' | 'customer' | 'category' | 'employee' | 'time_entry' | 'shift' | 'location' | 'payment' | 'refund' | 'tax_rate' | 'payment_method'
  mappingId?: string
  createdAt: string
}

export type MappingKeyList = {
  data: MappingKey[]
}

export type CreateMappingKeyBody = {
  mappingId: string
}

export type LinkedReference = {
  /** Entity type of the reference */
  entityType: 'product' | 'order' | 'customer' | 'category' | 'employee' | 'time_entry' | 'shift' | 'location' | 'payment' | 'refund' | 'tax_rate' | 'payment_method'
  sourceId: string
  nativeId: string
  /** Created by a write or linked by a user */
  origin: 'written' | 'linked'
  createdAt: string
}

export type LinkedReferencePage = {
  data: LinkedReference[]
  /** Start of the next page, for `after` */
  next?: string
}

export type LinkReferenceBody = {
  /** Entity type of the reference */
  entityType: 'product' | 'order' | 'customer' | 'category' | 'employee' | 'time_entry' | 'shift' | 'location' | 'payment' | 'refund' | 'tax_rate' | 'payment_method'
  /** Your id */
  sourceId: string
  /** Platform id */
  nativeId: string
}

export type PreviewMappingBody = {
  /** Unified entity type */
  entityType: 'product' | 'order' | 'customer' | 'category' | 'employee' | 'time_entry' | 'shift' | 'location' | 'payment' | 'refund' | 'tax_rate' | 'payment_method'
  /** Direction of the mapping */
  direction: 'read' | 'write'
  /** Unified pointer -> rule */
  rules: unknown
  /** For reads: a native row from an explorer response */
  native?: unknown
  /** For reads, instead of `native`: the platform id */
  recordId?: string
  /** For writes: the caller's record */
  record?: unknown
}

export type RuleEffect = {
  pointer: string
  /** Effect of the rule on its field */
  effect: 'set' | 'changed' | 'removed' | 'none'
  before?: unknown
  after?: unknown
}

export type ExplorerWarning = {
  code: string
  message: string
  pointer?: string
  id?: string
}

export type PreviewMappingAnswer = {
  /** The record without the rules */
  before?: unknown
  /** The record with the rules; absent if it is no longer valid */
  after?: unknown
  rules: RuleEffect[]
  warnings: ExplorerWarning[]
}

export type ExplorerNative = {
  /** The platform's API reference */
  docs: string
  /** Settings of the account that a path can name as `{name}` */
  settings: string[]
}

export type NamedMappingKey = {
  key: string
  direction: string
  entityType: string
  mappingId: string
  name: string
  version: number
}

export type ExplorableAccount = {
  accountId: string
  name: string
  platform: string
  platformName: string
  vertical: string
  state: string
  stateReason?: string
  /** A test environment of the platform */
  test?: boolean
  native: ExplorerNative
  entities: Record<string, EntitySupport>
  /** Keys of custom mappings; the two default keys use the default mapping */
  mappingKeys: NamedMappingKey[]
}

export type ExplorerEntity = {
  entityType: string
  title: string
  support: EntitySupport
  /** JSON Schema of a record in this vertical */
  schema: unknown
  /** A complete record */
  example: unknown
  /** Pointer -> entity type it refers to */
  references: Record<string, string>
  /** Whether a single record can be read */
  gettable: boolean
}

export type ExploredRow = {
  /** Platform id */
  id: string
  /** For `ifMatch`, if the platform has versions */
  version?: string
  /** The unified record; absent if the row cannot be normalized */
  record?: unknown
  /** The native row */
  native: unknown
  warnings: ExplorerWarning[]
}

export type ExplorerTiming = {
  /** Total duration */
  totalMs: number
  /** Time in the queue for the platform's rate limit */
  waitMs: number
  /** Time in calls to the platform */
  platformMs: number
  /** Time in the service */
  serviceMs: number
  nativeCalls: number
}

export type CallerRequest = {
  method: string
  /** With the query; in form B if a mapping key was given */
  path: string
  body?: unknown
  /** Header `if-match` */
  ifMatch?: string
}

export type ExploredPage = {
  data: ExploredRow[]
  cursor?: string
  warnings: ExplorerWarning[]
  requestId: string
  timing: ExplorerTiming
  request: CallerRequest
}

export type WriteRecordBody = {
  /** A unified record */
  record: unknown
  /** A write mapping key of the account */
  mappingKey?: string
  onUnknown?: 'resend'
}

export type WrittenReference = {
  externalId: string
  id: string
  replayed: boolean
}

export type WrittenRecord = {
  /** The record as stored on the platform */
  data: unknown
  /** Of `data`, for `ifMatch`, if the platform has versions */
  version?: string
  reference: WrittenReference
  warnings: ExplorerWarning[]
  requestId: string
  timing: ExplorerTiming
  request: CallerRequest
}

export type ExploredResponse = {
  method: string
  /** A path of the platform's API */
  path: string
  /** JSON pointer of `value` in the body of the response */
  pointer: string
  /** As the platform sent it, without secrets */
  value: unknown
}

export type ExploredRecord = {
  /** Platform id */
  id: string
  /** For `ifMatch`, if the platform has versions */
  version?: string
  /** The unified record; absent if the row cannot be normalized */
  record?: unknown
  /** The native row */
  native: unknown
  warnings: ExplorerWarning[]
  /** With `include=native`: the parts of responses that the row was made of */
  responses?: ExploredResponse[]
  requestId: string
  timing: ExplorerTiming
  request: CallerRequest
}

export type ReplaceRecordBody = {
  /** A unified record */
  record: unknown
  /** A write mapping key of the account */
  mappingKey?: string
  /** Expected version of the record */
  ifMatch?: string
}

export type TraceFieldsBody = {
  /** A native row from an explorer response */
  native: unknown
  mappingKey?: string
}

export type FieldSource = {
  /** Pointer into the native row */
  pointer: string
  /** Decides how the value is read */
  decides?: boolean
  /** The value is missing, and that decides */
  absent?: boolean
}

export type FieldOrigin = {
  pointer: string
  /** Kind of conversion */
  kind: 'same' | 'type' | 'scaled' | 'time' | 'word' | 'text' | 'joined' | 'sum' | 'count' | 'computed' | 'absent' | 'setting' | 'constant' | 'mapping'
  /** Description of the conversion */
  words: string
  sources: FieldSource[]
  settings: string[]
}

export type LackingField = {
  pointer: string
  sources: string[]
  words: string
}

export type Provenance = {
  fields: FieldOrigin[]
  /** Fields that this record does not have, and why */
  lacking: LackingField[]
  /** False if the row was too large to trace every value */
  complete: boolean
}

export type ValidateRecordBody = {
  /** A unified record */
  record: unknown
  /** A write mapping key of the account */
  mappingKey?: string
  /** Platform id of the record to replace; absent for a new record */
  id?: string
}

export type ExplorerViolation = {
  pointer: string
  message: string
  choices?: unknown[]
}

export type ExplorerReference = {
  pointer: string
  sourceId: string
  nativeId: string
}

export type Validation = {
  valid: boolean
  errors: ExplorerViolation[]
  warnings: ExplorerWarning[]
  /** Source ids and their platform ids */
  references: ExplorerReference[]
}

export type WriteStep = {
  name: string
  /** The native request, without credentials */
  request: unknown
  recovery: string
}

export type WritePlan = {
  steps: WriteStep[]
  /** False if later steps depend on responses of the platform */
  complete: boolean
  references: ExplorerReference[]
  missing: ExplorerViolation[]
  warnings: ExplorerWarning[]
  expectedWaitMs: number
  /** If the write would be a replay: the record of the stored response */
  data?: unknown
  reference?: WrittenReference
  requestId: string
  timing: ExplorerTiming
  request: CallerRequest
}

export type CallPlatformBody = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** A path of the platform's API without host and query, such as `/v2/locations`. `{name}` is replaced with a setting of the account; `native.settings` of `GET /unified/{accountId}` lists their names */
  path: string
  /** Query parameters. An array is sent as one parameter per entry */
  query?: Record<string, unknown>
  /** Request headers: accept, accept-language, content-type, idempotency-key, if-match, if-modified-since, if-none-match, if-unmodified-since, prefer */
  headers?: Record<string, string>
  /** Sent as JSON. A string is sent as it is, with the `content-type` in `headers` */
  body?: unknown
  /** Required for POST, PUT, PATCH and DELETE: the idempotency key. The call is sent once; the same request gets the stored response */
  externalId?: string
}

export type ExplorerNativeResponseReference = {
  externalId: string
  replayed: boolean
}

export type ExplorerNativeResponse = {
  /** Status of the response of the platform */
  status: number
  /** Headers of the response that contain no secret */
  headers: Record<string, string>
  /** Body of the response, without secrets; null without a body */
  body: unknown
  /** Of `body`, if the platform sent bytes that are no text */
  encoding?: 'base64'
  reference?: ExplorerNativeResponseReference
  requestId: string
  timing: ExplorerTiming
  request: CallerRequest
}

export type MigrationAccount = {
  accountId: string
  name: string
  platform: string
}

export type OrderState = 'OPEN' | 'COMPLETED' | 'CANCELED' | 'PENDING'

export type MigrationOptions = {
  /** By default all that both accounts support, without payments */
  entities?: EntityType[]
  /** Skip older orders */
  ordersSince?: string
  /** Only orders in these states */
  orderStates?: OrderState[]
  /** Linked location of the target for all orders; by default the linked or the only one */
  location?: string
  /** Before the source ids, if several sources go to one target */
  prefix?: string
  /** Values for fields that the target requires and the source lacks: `{"customer":{"/address/country":"US"}}` */
  defaults?: Record<string, Record<string, unknown>>
  /** Match records that the target does not let you write by code or name, and link them */
  link?: boolean
  /** Replace records that changed at the source after they were written */
  update?: boolean
  /** Resend records whose outcome the platform cannot report; this can create duplicates */
  resendUnknown?: boolean
}

export type MigrationOutcomes = {
  written?: number
  replayed?: number
  known?: number
  updated?: number
  left_out?: number
  refused?: number
  outdated?: number
  uncertain?: number
  postponed?: number
  not_asked?: number
}

export type OutcomesByEntity = {
  product?: MigrationOutcomes
  order?: MigrationOutcomes
  customer?: MigrationOutcomes
  category?: MigrationOutcomes
  employee?: MigrationOutcomes
  time_entry?: MigrationOutcomes
  shift?: MigrationOutcomes
  location?: MigrationOutcomes
  payment?: MigrationOutcomes
  refund?: MigrationOutcomes
  tax_rate?: MigrationOutcomes
  payment_method?: MigrationOutcomes
}

export type MigrationProgress = {
  /** What it does now */
  stage: 'waiting' | 'planning' | 'preparing' | 'writing' | 'comparing' | 'ended'
  /** Entity type */
  entityType?: 'product' | 'order' | 'customer' | 'category' | 'employee' | 'time_entry' | 'shift' | 'location' | 'payment' | 'refund' | 'tax_rate' | 'payment_method'
  /** Read in this stage */
  records: number
  outcomes: OutcomesByEntity
  /** Why it waits before it repeats a call */
  pause?: string
  /** Of the report */
  complete?: boolean
}

export type ListedMigration = {
  id: string
  from: MigrationAccount
  to: MigrationAccount
  /** planned: it waits to be run; failed: `error` says why */
  state: 'planning' | 'planned' | 'running' | 'done' | 'stopped' | 'failed'
  options: MigrationOptions
  progress: MigrationProgress
  error?: string
  createdBy: string
  createdAt: string
  updatedAt: string
}

export type ListedMigrationPage = {
  data: ListedMigration[]
  /** Start of the next page, for `after` */
  next?: string
}

export type NewMigration = {
  /** Account to read */
  from: string
  /** Account to write */
  to: string
  /** By default all that both accounts support, without payments */
  entities?: EntityType[]
  /** Skip older orders */
  ordersSince?: string
  /** Only orders in these states */
  orderStates?: OrderState[]
  /** Linked location of the target for all orders; by default the linked or the only one */
  location?: string
  /** Before the source ids, if several sources go to one target */
  prefix?: string
  /** Values for fields that the target requires and the source lacks: `{"customer":{"/address/country":"US"}}` */
  defaults?: Record<string, Record<string, unknown>>
  /** Match records that the target does not let you write by code or name, and link them */
  link?: boolean
}

export type MigrationPlace = {
  accountId: string
  platform: string
  /** Of the platform */
  name: string
  /** Vertical */
  vertical: 'restaurant' | 'retail_pos' | 'accounting'
}

export type PlannedDifference = {
  pointer: string
  what: string
  message: string
  records: number
  /** `true`: the records have no value here, and a default lets them in */
  missing?: boolean
}

export type MigrationPlanEntity = {
  /** Entity type */
  entity: 'product' | 'order' | 'customer' | 'category' | 'employee' | 'time_entry' | 'shift' | 'location' | 'payment' | 'refund' | 'tax_rate' | 'payment_method'
  /** Records at the source */
  source: number
  /** Excluded by the options */
  notAsked: number
  toWrite: number
  /** That the target cannot take */
  leftOut: number
  /** Already at the target */
  atTarget: number
  callsPerRecord: number
  /** Estimate */
  seconds: number
  /** What will not be the same */
  fields: PlannedDifference[]
}

export type EntityNotMoved = {
  /** Entity type */
  entity: 'product' | 'order' | 'customer' | 'category' | 'employee' | 'time_entry' | 'shift' | 'location' | 'payment' | 'refund' | 'tax_rate' | 'payment_method'
  reason: string
}

export type MigrationPlan = {
  from: MigrationPlace
  to: MigrationPlace
  entities: MigrationPlanEntity[]
  notMoved: EntityNotMoved[]
  /** Estimate */
  seconds: number
}

export type DifferenceExample = {
  sourceId: string
  name?: string
  targetId: string
  source?: unknown
  target?: unknown
}

export type ReportedDifference = {
  pointer: string
  explanation: string
  message: string
  count: number
  examples: DifferenceExample[]
}

export type NamedRecord = {
  id: string
  name?: string
}

export type MigrationReason = {
  reason: string
  count: number
  examples: NamedRecord[]
}

export type RecordTwin = {
  id: string
  name?: string
  sameAs: string
}

export type MigrationReportEntity = {
  /** Entity type */
  entity: 'product' | 'order' | 'customer' | 'category' | 'employee' | 'time_entry' | 'shift' | 'location' | 'payment' | 'refund' | 'tax_rate' | 'payment_method'
  source: number
  notAsked: number
  matched: number
  identical: number
  leftOut: number
  missing: number
  doubled: number
  outdated: number
  unexplained: number
  extraBefore: number
  extraSince: number
  lookalikes: number
  differences: ReportedDifference[]
  leftOutReasons: MigrationReason[]
  missingReasons: MigrationReason[]
  outdatedReasons: MigrationReason[]
  doubledIds: RecordTwin[]
  extraSinceIds: NamedRecord[]
  lookalikeIds: RecordTwin[]
}

export type MigrationReport = {
  kind: 'migration'
  from: MigrationPlace
  to: MigrationPlace
  startedAt: string
  endedAt: string
  /** Nothing is missing, doubled, outdated or unexplained */
  complete: boolean
  entities: MigrationReportEntity[]
  notMoved: EntityNotMoved[]
  notes: string[]
}

export type Migration = {
  id: string
  from: MigrationAccount
  to: MigrationAccount
  /** planned: it waits to be run; failed: `error` says why */
  state: 'planning' | 'planned' | 'running' | 'done' | 'stopped' | 'failed'
  options: MigrationOptions
  progress: MigrationProgress
  error?: string
  createdBy: string
  createdAt: string
  updatedAt: string
  plan?: MigrationPlan
  report?: MigrationReport
}

export type RunMigrationBody = {
  /** Replace records that changed at the source after they were written */
  update?: boolean
  /** Resend records whose outcome the platform cannot report; this can create duplicates */
  resendUnknown?: boolean
}

export type ReferenceImportError = {
  line: number
  message: string
}

export type ReferenceImport = {
  id: string
  /** `failed`: the file could not be read */
  state: 'running' | 'done' | 'failed'
  /** File type */
  format: 'csv' | 'ndjson'
  /** Default for lines without an entity type */
  entityType?: 'product' | 'order' | 'customer' | 'category' | 'employee' | 'time_entry' | 'shift' | 'location' | 'payment' | 'refund' | 'tax_rate' | 'payment_method'
  /** Lines */
  total: number
  /** Processed lines */
  position: number
  /** References created or replaced */
  linked: number
  /** Rejected lines */
  failed: number
  /** Errors of the first 100 rejected lines */
  errors: ReferenceImportError[]
  createdAt: string
  updatedAt: string
}

export type ReferenceImportPage = {
  data: ReferenceImport[]
  /** Start of the next page, for `after` */
  next?: string
}

export type ErasePersonBody = {
  /** What the person is at the platform */
  entityType: 'customer' | 'employee'
  /** The platform's id of the person */
  id: string
  /** `true`: count, and erase nothing */
  plan?: boolean
}

export type ErasureFound = {
  /** Finished writes: record and response */
  writes: number
  /** Entries of the change log: record and names of changed fields */
  changes: number
  /** Records that wait for the change log */
  hints: number
  /** Webhook deliveries: record, and what the receiver answered */
  deliveries: number
  /** Requests in the activity: ids, bodies, paths and texts of errors */
  activity: number
  /** Plans and reports of migrations: examples */
  migrationReports: number
  /** Records in migrations: notes, warnings and reasons */
  migrationRecords: number
}

export type Erasure = {
  id: string
  /** What the person is at the platform */
  entityType: 'customer' | 'employee'
  /** `true`: entries are counted, and nothing is erased */
  plan: boolean
  /** `checking`: everything was erased once, and is searched again a minute later for what was under way */
  state: 'running' | 'checking' | 'done'
  found: ErasureFound
  /** Of a plan: writes of the person that are not finished; an erasure is refused until they are */
  openWrites: number
  /** Open creates of this entity type that have no platform id yet, so it is not known whose they are. Settle them and erase again */
  unsettled: number
  /** What the erasure does not reach */
  notCovered: string[]
  createdBy: string
  createdAt: string
  endedAt?: string
}

export type ErasurePage = {
  data: Erasure[]
  /** Start of the next page, for `after` */
  next?: string
}

export type Activity = {
  requestId: string
  at: string
  /** Empty if the request did not reach an account */
  accountId: string
  platform: string
  /** Access id or API key of the caller; empty for dashboard users and background work */
  credentialId: string
  method: string
  entityType: string
  /** list, get, find, create, update, dry_run, support, accounts, changes, changes_status, native, test, connect, resume, or the operationId of a management request */
  operation: string
  status: number
  errorCode?: string
  /** Total duration, without the wait for changes that `Prefer: wait` asks for */
  totalMs: number
  /** Time in the queue for the platform's rate limit */
  waitMs: number
  /** Time in calls to the platform */
  platformMs: number
  nativeCalls: number
  /** externalId of the record */
  externalId?: string
  /** Platform id of the record */
  nativeId?: string
  /** `true` if the account is in a test environment of the platform */
  test?: boolean
}

export type ActivityPage = {
  data: Activity[]
  /** Start of the next page, for `after` */
  next?: string
}

export type ActivityProblemError = {
  pointer: string
  message: string
}

export type ActivityProblem = {
  code: string
  detail: string
  errors?: ActivityProblemError[]
}

export type ActivityStage = {
  /** validation, journal, references, recovery, undo */
  name: string
  /** Start, from the start of the request */
  startMs: number
  /** Duration */
  durationMs: number
  /** Result */
  note?: string
}

export type ActivityCall = {
  /** Purpose of the call; token calls have no headers or bodies */
  kind: 'read' | 'write' | 'token'
  method: string
  /** Path and query, without secrets */
  path: string
  status?: number
  /** Reason if there is no response */
  error?: string
  attempt: number
  /** Reason for the retry that follows */
  retry?: string
  /** `true` if the call began before the request: its page was read ahead */
  readAhead?: boolean
  /** Start of the call, from the start of the request; negative if it was read ahead */
  startMs: number
  /** Queue time before the call */
  waitedMs: number
  /** Duration of the call */
  durationMs: number
  /** Share of the account's rate limit in use, including this call */
  used?: number
  /** For writes and failures; values only of headers that are known to be safe */
  requestHeaders?: Record<string, string>
  /** For writes and failures; values only of headers that are known to be safe */
  responseHeaders?: Record<string, string>
  /** For writes and failures; without secrets, truncated to 8 KiB */
  requestBody?: string
  /** For writes and failures; without secrets, truncated to 8 KiB */
  responseBody?: string
}

export type ActivityTrace = {
  /** Requested path, without credentials, unknown query parameters, or the token of a connect link */
  path?: string
  /** Ids, paths, bodies and texts were erased: they were of a person */
  erasedAt?: string
  /** Address form of a unified request */
  form?: 'A' | 'B'
  /** Name and version of the client of a tool call at /mcp */
  client?: string
  /** The caller disconnected before the response */
  callerLeft?: boolean
  /** Replayed from the journal */
  replayed?: boolean
  /** Request body as JSON; without secrets, truncated to 8 KiB */
  body?: string
  /** Response to the caller, for writes and failures; without secrets, truncated to 8 KiB */
  response?: string
  problem?: ActivityProblem
  stages: ActivityStage[]
  calls: ActivityCall[]
}

export type ActivityWithTrace = {
  requestId: string
  at: string
  /** Empty if the request did not reach an account */
  accountId: string
  platform: string
  /** Access id or API key of the caller; empty for dashboard users and background work */
  credentialId: string
  method: string
  entityType: string
  /** list, get, find, create, update, dry_run, support, accounts, changes, changes_status, native, test, connect, resume, or the operationId of a management request */
  operation: string
  status: number
  errorCode?: string
  /** Total duration, without the wait for changes that `Prefer: wait` asks for */
  totalMs: number
  /** Time in the queue for the platform's rate limit */
  waitMs: number
  /** Time in calls to the platform */
  platformMs: number
  nativeCalls: number
  /** externalId of the record */
  externalId?: string
  /** Platform id of the record */
  nativeId?: string
  /** `true` if the account is in a test environment of the platform */
  test?: boolean
  trace: ActivityTrace
}

export type Settling = 'resend' | 'written' | 'not_written'

export type OpenWrite = {
  /** Of this write; another write of the same key has another one */
  writeId: string
  accountId: string
  platform: string
  /** Kind of the write */
  operation: 'create' | 'update' | 'native'
  /** Absent for native calls */
  entityType?: string
  /** externalId of a create or a native call; platform id of an update */
  externalId: string
  /** Platform id, where it is known */
  nativeId?: string
  /** in_progress: an instance works on it or will take it up; unknown: it may have been written */
  state: 'in_progress' | 'unknown' | 'partial'
  /** What the platform refused, of a write in part */
  reason?: string
  startedAt: string
  /** When the service tries again to find out; absent: it does not */
  nextAttemptAt?: string
  /** What a person can do about it now */
  settlings: Settling[]
}

export type OpenWritePage = {
  data: OpenWrite[]
  /** Start of the next page, for `after` */
  next?: string
}

export type OpenWriteStep = {
  name: string
  method: string
  path: string
  /** The platform confirmed it */
  done: boolean
  sentAt: string
}

export type OpenWriteWithSteps = {
  /** Of this write; another write of the same key has another one */
  writeId: string
  accountId: string
  platform: string
  /** Kind of the write */
  operation: 'create' | 'update' | 'native'
  /** Absent for native calls */
  entityType?: string
  /** externalId of a create or a native call; platform id of an update */
  externalId: string
  /** Platform id, where it is known */
  nativeId?: string
  /** in_progress: an instance works on it or will take it up; unknown: it may have been written */
  state: 'in_progress' | 'unknown' | 'partial'
  /** What the platform refused, of a write in part */
  reason?: string
  startedAt: string
  /** When the service tries again to find out; absent: it does not */
  nextAttemptAt?: string
  /** What a person can do about it now */
  settlings: Settling[]
  /** Content of the write */
  record: unknown
  /** Calls that were sent, in order */
  steps: OpenWriteStep[]
  /** Until then, a call of it may still take effect */
  effectiveUntil?: string
}

export type SettledWrite = {
  /** What the write is now */
  outcome: 'written' | 'not_written'
  externalId: string
  /** Platform id of the record */
  nativeId?: string
}

export type ConfirmWriteBody = {
  /** Platform id of the record; none of a native call */
  nativeId?: string
}

export type AuditEntry = {
  /** Workspace id, or `install` */
  scope: string
  /** Sequence number within the scope, from 1 without gaps */
  sequence: number
  at: string
  /** User, id of an API key or access id, or `admin token` */
  actor: string
  /** IP address of the request */
  address: string
  /** operationId of the route */
  action: string
  /** Target of the action */
  object: Record<string, string>
  /** `ok`, the error code, or `started` before an action outside the database, whose outcome is another entry with the same `requestId` */
  outcome: string
  requestId: string
  /** `hash` of the previous entry; empty for the first */
  previous: string
  /** SHA-256 of all fields above */
  hash: string
}

export type AuditEntryPage = {
  data: AuditEntry[]
  /** Start of the next page, for `after` */
  next?: string
}

export type AuditChain = {
  scope: string
  entries: number
  /** `hash` of the newest entry; store it elsewhere to detect a truncated log */
  head: string
  /** First entry that does not match the previous one */
  brokenAt?: number
}

export type AuditChainList = {
  data: AuditChain[]
}

export type EntityWatch = {
  /** Shortest time between two incremental reads, 300 by default; they use at most a tenth of the limit */
  pollSeconds?: number
  /** Shortest time between two full reads: 24 by default, 1 if the platform cannot filter by modification time */
  walkHours?: number
}

export type WatchesByEntity = {
  product?: EntityWatch
  order?: EntityWatch
  customer?: EntityWatch
  category?: EntityWatch
  employee?: EntityWatch
  time_entry?: EntityWatch
  shift?: EntityWatch
  location?: EntityWatch
  payment?: EntityWatch
  refund?: EntityWatch
  tax_rate?: EntityWatch
  payment_method?: EntityWatch
}

export type WorkspaceWatches = {
  entities: WatchesByEntity
  /** `true` by default: changes contain the record, which is encrypted */
  keepRecords: boolean
}

export type WorkspaceWatchesChange = {
  entities: WatchesByEntity
  /** `true` by default: changes contain the record, which is encrypted */
  keepRecords?: boolean
}

export type AccountWatch = {
  watched: boolean
  /** Whose setting it is; absent if neither the workspace nor the account has one */
  setBy?: 'workspace' | 'account'
  /** Shortest time between two incremental reads, 300 by default; they use at most a tenth of the limit */
  pollSeconds?: number
  /** Shortest time between two full reads: 24 by default, 1 if the platform cannot filter by modification time */
  walkHours?: number
  /** What the account sets itself; the rest is inherited */
  own?: EntityWatch
  status?: WatchStatus
}

export type AccountWatchesByEntity = {
  product?: AccountWatch
  order?: AccountWatch
  customer?: AccountWatch
  category?: AccountWatch
  employee?: AccountWatch
  time_entry?: AccountWatch
  shift?: AccountWatch
  location?: AccountWatch
  payment?: AccountWatch
  refund?: AccountWatch
  tax_rate?: AccountWatch
  payment_method?: AccountWatch
}

export type AccountWatches = {
  entities: AccountWatchesByEntity
}

export type WebhookEndpoint = {
  id: string
  /** Receives the events by POST; https, in the sandbox also http on localhost */
  url: string
  /** What the receiver is; empty: none */
  description?: string
  /** Types of events: `product.updated`, `product.*`, `account.*`, `write.settled`, or `*` for all */
  events: string[]
  /** Only events of these accounts; by default, and with an empty list, of all */
  accounts?: string[]
  /** `full` by default, with the record; `thin` has its ids only */
  data?: 'full' | 'thin'
  /** `standard` by default; `cloudevents` sends a CloudEvents 1.0 body */
  format?: 'standard' | 'cloudevents'
  /** `true`: a newer event of a record replaces one that was not attempted yet; `false` by default */
  coalesce?: boolean
  /** Attempts at the same time, 8 by default */
  concurrency?: number
  /** At most this many attempts per second; by default, and with 0, no limit */
  perSecond?: number
  /** A disabled endpoint receives nothing; its events wait */
  state: 'active' | 'disabled'
  stateReason?: string
  /** The last attempts have failed */
  failing: boolean
  failingSince?: string
  lastSuccessAt?: string
  /** Deliveries that wait for an attempt */
  waiting: number
  /** Deliveries that have failed for good and are still stored */
  failed: number
  /** After a rotation: until then, events are signed with the previous secret, too */
  previousSecretUntil?: string
  createdAt: string
  updatedAt: string
}

export type WebhookEndpointPage = {
  data: WebhookEndpoint[]
  /** Start of the next page, for `after` */
  next?: string
}

export type CreateWebhookEndpointBody = {
  /** Receives the events by POST; https, in the sandbox also http on localhost */
  url: string
  /** What the receiver is; empty: none */
  description?: string
  /** Types of events: `product.updated`, `product.*`, `account.*`, `write.settled`, or `*` for all */
  events: string[]
  /** Only events of these accounts; by default, and with an empty list, of all */
  accounts?: string[]
  /** `full` by default, with the record; `thin` has its ids only */
  data?: 'full' | 'thin'
  /** `standard` by default; `cloudevents` sends a CloudEvents 1.0 body */
  format?: 'standard' | 'cloudevents'
  /** `true`: a newer event of a record replaces one that was not attempted yet; `false` by default */
  coalesce?: boolean
  /** Attempts at the same time, 8 by default */
  concurrency?: number
  /** At most this many attempts per second; by default, and with 0, no limit */
  perSecond?: number
}

export type WebhookEndpointWithSecret = {
  id: string
  /** Receives the events by POST; https, in the sandbox also http on localhost */
  url: string
  /** What the receiver is; empty: none */
  description?: string
  /** Types of events: `product.updated`, `product.*`, `account.*`, `write.settled`, or `*` for all */
  events: string[]
  /** Only events of these accounts; by default, and with an empty list, of all */
  accounts?: string[]
  /** `full` by default, with the record; `thin` has its ids only */
  data?: 'full' | 'thin'
  /** `standard` by default; `cloudevents` sends a CloudEvents 1.0 body */
  format?: 'standard' | 'cloudevents'
  /** `true`: a newer event of a record replaces one that was not attempted yet; `false` by default */
  coalesce?: boolean
  /** Attempts at the same time, 8 by default */
  concurrency?: number
  /** At most this many attempts per second; by default, and with 0, no limit */
  perSecond?: number
  /** A disabled endpoint receives nothing; its events wait */
  state: 'active' | 'disabled'
  stateReason?: string
  /** The last attempts have failed */
  failing: boolean
  failingSince?: string
  lastSuccessAt?: string
  /** Deliveries that wait for an attempt */
  waiting: number
  /** Deliveries that have failed for good and are still stored */
  failed: number
  /** After a rotation: until then, events are signed with the previous secret, too */
  previousSecretUntil?: string
  createdAt: string
  updatedAt: string
  /** Verifies the signature of events; shown once */
  secret: string
}

export type ChangeWebhookEndpointBody = {
  /** Receives the events by POST; https, in the sandbox also http on localhost */
  url?: string
  /** What the receiver is; empty: none */
  description?: string
  /** Types of events: `product.updated`, `product.*`, `account.*`, `write.settled`, or `*` for all */
  events?: string[]
  /** Only events of these accounts; by default, and with an empty list, of all */
  accounts?: string[]
  /** `full` by default, with the record; `thin` has its ids only */
  data?: 'full' | 'thin'
  /** `standard` by default; `cloudevents` sends a CloudEvents 1.0 body */
  format?: 'standard' | 'cloudevents'
  /** `true`: a newer event of a record replaces one that was not attempted yet; `false` by default */
  coalesce?: boolean
  /** Attempts at the same time, 8 by default */
  concurrency?: number
  /** At most this many attempts per second; by default, and with 0, no limit */
  perSecond?: number
}

export type DeliveryAttempt = {
  at: string
  durationMs: number
  status?: number
  error?: string
  /** The first 200 characters */
  response?: string
}

export type Delivery = {
  /** The `webhook-id`, equal in all attempts */
  id: string
  type: string
  accountId?: string
  /** Of the change in the feed of the account */
  sequence?: number
  /** Of the record that the event is about */
  entityType?: string
  /** Of that record: its id on the platform, or yours with `write.settled` */
  externalId?: string
  /** Your id of that record, if you have created it */
  sourceExternalId?: string
  /** `superseded`: a newer event of the record has replaced it */
  state: 'waiting' | 'delivered' | 'failed' | 'superseded'
  createdAt: string
  endedAt?: string
  nextAttemptAt?: string
  attempts: DeliveryAttempt[]
}

export type ReplayWebhooksBody = {
  accountId?: string
  /** The first sequence in the feed of the account */
  from?: number
  since?: string
}

export type ReplayWebhooksAnswer = {
  /** How many feeds are read again: one per account, and one of the workspace */
  logs: number
}

export type DeliveryPage = {
  data: Delivery[]
  /** Start of the next page, for `after` */
  next?: string
}

export type DeliveryWithBody = {
  /** The `webhook-id`, equal in all attempts */
  id: string
  type: string
  accountId?: string
  /** Of the change in the feed of the account */
  sequence?: number
  /** Of the record that the event is about */
  entityType?: string
  /** Of that record: its id on the platform, or yours with `write.settled` */
  externalId?: string
  /** Your id of that record, if you have created it */
  sourceExternalId?: string
  /** `superseded`: a newer event of the record has replaced it */
  state: 'waiting' | 'delivered' | 'failed' | 'superseded'
  createdAt: string
  endedAt?: string
  nextAttemptAt?: string
  attempts: DeliveryAttempt[]
  body: string
}

export type HookSecret = {
  /** What the platform calls it */
  label: string
  help?: string
  stored: boolean
}

export type ChangeKind = 'created' | 'updated' | 'deleted'

export type HookReports = {
  product?: ChangeKind[]
  order?: ChangeKind[]
  customer?: ChangeKind[]
  category?: ChangeKind[]
  employee?: ChangeKind[]
  time_entry?: ChangeKind[]
  shift?: ChangeKind[]
  location?: ChangeKind[]
  payment?: ChangeKind[]
  refund?: ChangeKind[]
  tax_rate?: ChangeKind[]
  payment_method?: ChangeKind[]
}

export type Hook = {
  platform: string
  name: string
  /** `application`: one URL for all accounts of the workspace on the platform */
  scope?: 'account' | 'application'
  accountId?: string
  /** `waiting`: not registered yet, or nothing was received; `active`; `failing`: see `error`; `paused`: the account must be reconnected or is disabled; `unavailable`: see `error`; `unsupported`: the service uses no webhooks of the platform */
  state: 'waiting' | 'active' | 'failing' | 'paused' | 'unavailable' | 'unsupported'
  error?: string
  /** Receives the webhooks. Keep it confidential */
  url?: string
  /** `true`: the service registers the URL when the account is watched */
  automatic: boolean
  /** What a person does in the platform's console */
  steps: string[]
  secret?: HookSecret
  /** To be entered in the platform's console; the platform sent it */
  code?: string
  reports: HookReports
  lastReceivedAt?: string
  /** When a webhook came whose signature did not fit the secret */
  lastRefusedAt?: string
  lastCheckedAt?: string
}

export type HookPage = {
  data: Hook[]
  /** Start of the next page, for `after` */
  next?: string
}

export type NewHookSecret = {
  secret: string
}

export type LatestChanges = {
  data: Change[]
  /** Start of the next page, for `after` */
  next?: string
}

export type PlatformSeries = {
  platform: string
  /** Requests */
  requests: number[]
  /** Requests with a 4xx or 5xx response */
  errors: number[]
  /** Calls to the platform */
  nativeCalls: number[]
  /** Throttled calls to the platform */
  throttled: number[]
  /** Largest share of an account's rate limit in use, 0 to 1 */
  utilization: number[]
  /** Queue time that half of the requests did not exceed */
  waitP50Ms: number[]
  /** Queue time that 95% of the requests did not exceed */
  waitP95Ms: number[]
  /** Longest queue time of a request */
  waitMaxMs: number[]
}

export type OverviewAccount = {
  platform: string
  state: string
  accounts: number
}

export type OverviewTotal = {
  requests: number
  /** Requests with a 4xx response */
  refused: number
  /** Requests with a 5xx response */
  failed: number
  /** Average duration of a request */
  averageMs: number
  /** Queue time that half of the requests did not exceed */
  waitP50Ms: number
  /** Queue time that 95% of the requests did not exceed */
  waitP95Ms: number
}

export type Overview = {
  since: string
  until: string
  /** Minutes per point */
  step: number
  /** Unix time in seconds of the start of each point; shared by all series */
  at: number[]
  /** Requests, without those of the dashboard and the management API */
  requests: number[]
  /** Requests with a 4xx response */
  refused: number[]
  /** Requests with a 5xx response */
  failed: number[]
  /** Average duration of a request */
  averageMs: number[]
  /** Queue time that half of the requests did not exceed */
  waitP50Ms: number[]
  /** Queue time that 95% of the requests did not exceed */
  waitP95Ms: number[]
  /** Longest queue time of a request */
  waitMaxMs: number[]
  platforms: PlatformSeries[]
  /** Platform calls of this instance that are in the queue now */
  waitingNow: number
  accounts: OverviewAccount[]
  /** Without those of the dashboard and the management API */
  recentFailures: Activity[]
  total: OverviewTotal
  /** The period of the same length before this one */
  before: OverviewTotal
}

export type AccountUsageDay = {
  /** In UTC */
  day: string
  /** Requests, without those of the dashboard and the management API */
  requests: number
  /** Requests with a 4xx response */
  refused: number
  /** Requests with a 5xx response */
  failed: number
  /** Calls to the platform */
  nativeCalls: number
  /** Throttled calls to the platform */
  throttled: number
  /** Largest share of the rate limit in use, 0 to 1 */
  utilization: number
  /** Queue time that half of the requests did not exceed */
  waitP50Ms: number
  /** Queue time that 95% of the requests did not exceed */
  waitP95Ms: number
}

export type AccountUsage = {
  /** The last 30 days, oldest first */
  days: AccountUsageDay[]
  lastRequest?: Activity
  lastError?: Activity
}

export type Branding = {
  /** By default the name of the workspace */
  name?: string
  /** PNG, JPEG or WebP image of at most 64 KiB, as a data URL: `data:image/png;base64,…` */
  logo?: string
  /** Of buttons, such as `#1f5fd0`; needs a contrast of at least 4.5 with white text */
  color?: string
  /** Your privacy policy: https, or http on localhost */
  privacyUrl?: string
  /** Why customers are asked to connect; shown as written, in every language */
  purpose?: string
}

export type WorkspaceSettingsRetention = {
  /** Days that activity is kept; 0: nothing is recorded */
  activity: number
  /** Set by the installation with ACTIVITY_DAYS */
  activityMost: number
  /** Days that the change log is kept; set by the installation with CHANGES_DAYS */
  changes: number
  /** Days that ended webhook deliveries are kept */
  deliveries: number
}

export type WorkspaceSettings = {
  /** Connect links may only return to these addresses and below them; a popup must have the origin of one. Empty: every valid URL is allowed */
  returnUrls: string[]
  /** Entity types that the workspace uses: connect links ask for their permissions. By default product, order, customer, category, employee, time_entry, shift, location. Accounts that were connected before keep what they were granted */
  entityTypes?: EntityType[]
  /** Keep activity for fewer days than the installation does */
  activityDays?: number
  retention: WorkspaceSettingsRetention
}

export type SetWorkspaceSettingsBody = {
  /** Connect links may only return to these addresses and below them; a popup must have the origin of one. Empty: every valid URL is allowed */
  returnUrls: string[]
  /** Entity types that the workspace uses: connect links ask for their permissions. By default product, order, customer, category, employee, time_entry, shift, location. Accounts that were connected before keep what they were granted */
  entityTypes?: EntityType[]
  /** Keep activity for fewer days than the installation does */
  activityDays?: number
}

export type CreateConnectLinkBody = {
  /** Limits the link to these platforms; by default all that can be connected */
  platforms?: string[]
  /** Limits the link to this vertical */
  vertical?: 'restaurant' | 'retail_pos' | 'accounting'
  /** Account to reconnect; keeps its references and mappings */
  accountId?: string
  /** Name of the new account */
  accountName?: string
  /** Id of the new account */
  newAccountId?: string
  /** The customer is redirected here with a signed result */
  returnUrl?: string
  /** Opens a page where the customer sees, reconnects and ends the connection of `accountId` */
  manage?: boolean
  /** Origin of the page that opens the link in a popup; only this page gets the result */
  popupOrigin?: string
  /** Why the customer is asked to connect; by default that of the branding */
  purpose?: string
  /** Returned with the result */
  state?: string
  /** Default 60, at most 7 days */
  expiresInMinutes?: number
}

export type CreatedConnectLink = {
  id: string
  /** Limits the link to these platforms; by default all that can be connected */
  platforms?: string[]
  /** Limits the link to this vertical */
  vertical?: 'restaurant' | 'retail_pos' | 'accounting'
  /** Account to reconnect; keeps its references and mappings */
  accountId?: string
  /** Name of the new account */
  accountName?: string
  /** Id of the new account */
  newAccountId?: string
  /** The customer is redirected here with a signed result */
  returnUrl?: string
  /** Opens a page where the customer sees, reconnects and ends the connection of `accountId` */
  manage?: boolean
  /** Origin of the page that opens the link in a popup; only this page gets the result */
  popupOrigin?: string
  /** Why the customer is asked to connect; by default that of the branding */
  purpose?: string
  /** Returned with the result */
  state?: string
  /** Only an open link can be used */
  status: 'open' | 'connected' | 'expired' | 'revoked'
  connectedAccountId?: string
  createdAt: string
  expiresAt: string
  /** Link for the customer; shown once */
  url: string
  /** Verifies the result sent to the return URL; shown once */
  signingSecret: string
}

export type ConnectLink = {
  id: string
  /** Limits the link to these platforms; by default all that can be connected */
  platforms?: string[]
  /** Limits the link to this vertical */
  vertical?: 'restaurant' | 'retail_pos' | 'accounting'
  /** Account to reconnect; keeps its references and mappings */
  accountId?: string
  /** Name of the new account */
  accountName?: string
  /** Id of the new account */
  newAccountId?: string
  /** The customer is redirected here with a signed result */
  returnUrl?: string
  /** Opens a page where the customer sees, reconnects and ends the connection of `accountId` */
  manage?: boolean
  /** Origin of the page that opens the link in a popup; only this page gets the result */
  popupOrigin?: string
  /** Why the customer is asked to connect; by default that of the branding */
  purpose?: string
  /** Returned with the result */
  state?: string
  /** Only an open link can be used */
  status: 'open' | 'connected' | 'expired' | 'revoked'
  connectedAccountId?: string
  createdAt: string
  expiresAt: string
}

export type ConnectLinkPage = {
  data: ConnectLink[]
  /** Start of the next page, for `after` */
  next?: string
}

export type PlatformApp = {
  platform: string
  name: string
  /** Whether a client id and secret are stored */
  configured: boolean
  /** The stored client id; the secret is never shown */
  clientId?: string
  /** Register this URL on the platform */
  redirectUri: string
  /** Requested scopes; some platforms require you to register them */
  scopes: string[]
  /** Settings shared by all accounts of this application, such as hosts or a region; connect forms do not ask for them */
  settings: Record<string, string>
  updatedAt?: string
}

export type PlatformAppList = {
  data: PlatformApp[]
}

export type PutPlatformAppBody = {
  clientId: string
  clientSecret: string
  /** Settings shared by all accounts of this application, such as hosts or a region; connect forms do not ask for them */
  settings?: Record<string, string>
}

export type Vertical = 'restaurant' | 'retail_pos' | 'accounting'

export type PlatformField = {
  name: string
  /** Label that the platform uses */
  label: string
  /** Where to find it */
  help?: string
  secret: boolean
  optional: boolean
  /** Regular expression */
  pattern?: string
  /** Allowed values */
  options?: string[]
  /** Default value; {name} refers to another setting */
  default?: string
  /** The value is the id of such a record of the account */
  reference?: 'location'
}

export type AppRegistrationConsole = {
  name: string
  url: string
}

export type AppRegistration = {
  console: AppRegistrationConsole
  /** Type of application to choose */
  application?: string
  /** Where the redirect URL is entered */
  redirect: string
  /** What the platform requires of the redirect URL */
  redirectRule?: string
  /** What to grant there; if absent, the scopes of the request are enough */
  permissions?: string
}

export type AuthMethod = {
  /** `auth` of an account */
  kind: 'oauth2' | 'client_credentials' | 'static' | 'basic'
  title: string
  /** Empty for oauth2: the platform issues them */
  credentials: PlatformField[]
  scopes: string[]
  registration?: AppRegistration
  /** Settings required before the first call; the others are optional or come from the platform */
  asked: string[]
}

export type PlatformDescriptionRegion = {
  label: string
  settings: Record<string, string>
  /** A test environment: its businesses are not real */
  test?: boolean
  /** Applies to accounts without these settings */
  usual?: boolean
}

export type PlatformDescription = {
  platform: string
  name: string
  docs: string
  verticals: Vertical[]
  auth: AuthMethod[]
  settings: PlatformField[]
  /** Regions and test environments of the platform; each one sets the settings that it names */
  regions: PlatformDescriptionRegion[]
}

export type PlatformDescriptionList = {
  data: PlatformDescription[]
}

export type SandboxKeys = {
  platform: string
  /** Vertical of the simulated business */
  vertical: 'restaurant' | 'retail_pos' | 'accounting'
  credentials: Record<string, string>
  settings: Record<string, string>
}

export type SandboxKeysList = {
  data: SandboxKeys[]
}

export type SandboxFaultsKind = {
  kind: string
  explanation: string
}

export type SandboxFaultsPlatformFault = {
  /** One of `kinds` */
  kind: string
  /** Matches calls with this method */
  method?: string
  /** Matches calls whose path contains this text */
  path?: string
  /** Number of calls; forever if absent */
  times?: number
  /** Number of matching calls to let through first */
  skip?: number
  /** Probability per matching call; 1 if absent */
  probability?: number
  /** For kinds with a delay */
  delayMs?: number
}

export type SandboxFaultsPlatform = {
  platform: string
  /** Active faults */
  faults: SandboxFaultsPlatformFault[]
}

export type SandboxFaults = {
  kinds: SandboxFaultsKind[]
  platforms: SandboxFaultsPlatform[]
}

export type AddFaultBody = {
  platform: string
  /** One of `kinds` */
  kind: string
  /** Matches calls with this method */
  method?: string
  /** Matches calls whose path contains this text */
  path?: string
  /** Number of calls; forever if absent */
  times?: number
  /** Number of matching calls to let through first */
  skip?: number
  /** Probability per matching call; 1 if absent */
  probability?: number
  /** For kinds with a delay */
  delayMs?: number
}

export type Paging = {
  /** The `next` of the previous page */
  after?: string
  /** Entries per page, 50 by default, at most 500 */
  limit?: string
}

/** Every operation of the management API by its name: parameters of its path, query, body and answer. */
export type ManageOperations = {
  /** List your open sessions, last used first; with `all`, those of all users */
  listSessions: {
    query: {
      /** `true`: of all users, for installation admins */
      all?: string
    }
    answer: SessionList
  }
  /** Sign in: returns a session token for the management API, valid for 12 hours; with `cookie`, sets a session cookie instead */
  logIn: { body: LogInBody; answer: StartedSession }
  /** Sign out: end the session */
  logOut: { answer: undefined }
  /** Read what a link is for. POST, so that its secret is in no address */
  readInvitation: { body: ReadInvitationBody; answer: ReadInvitationAnswer }
  /** Use a link: join the workspace as a new user or, with the right password, as an existing one; or set a new password. Starts a session */
  acceptInvitation: { body: AcceptInvitationBody; answer: StartedSession }
  /** How people can sign in */
  getSignInMethods: { answer: GetSignInMethodsAnswer }
  /** Begin a sign-in with SSO: returns the address of the identity provider, for a browser */
  beginSso: { body: BeginSsoBody; answer: BeginSsoAnswer }
  /** Finish a sign-in with SSO: sets a session cookie */
  finishSso: { body: FinishSsoBody; answer: StartedSession }
  /** Read the current session, and what its user may do */
  getSession: { answer: GetSessionAnswer }
  /** End all your sessions except this one */
  endOtherSessions: { answer: EndOtherSessionsAnswer }
  /** End one of your sessions; an installation admin can end every session */
  endSession: { path: 'sessionId'; answer: undefined }
  /** Change the password of the current user; ends all other sessions of the user */
  changePassword: { body: ChangePasswordBody; answer: undefined }
  /** List who has a role in the workspace. Installation admins have all rights without one */
  listMembers: { query: Paging; answer: MemberPage }
  /** Change the role of a member, effective immediately. New members need an invitation */
  setMember: { path: 'user'; body: SetMemberBody; answer: Member }
  /** Remove a member from the workspace, effective immediately */
  removeMember: { path: 'user'; answer: undefined }
  /** List all users of the installation */
  listUsers: { answer: UserList }
  /** Make a user an installation admin, or end that; effective immediately */
  changeUser: { path: 'user'; body: ChangeUserBody; answer: undefined }
  /** Delete a user with all roles and sessions */
  deleteUser: { path: 'user'; answer: undefined }
  /** List invitations that can still be used */
  listInvitations: { query: Paging; answer: InvitationPage }
  /** Invite a person into the workspace; the link is shown once */
  createInvitation: { body: CreateInvitationBody; answer: InvitationWithLink }
  /** Revoke an invitation; its link stops working immediately */
  revokeInvitation: { path: 'invitationId'; answer: undefined }
  /** Create a link with which a user sets a new password; it is shown once and works for a day */
  createResetLink: { path: 'user'; answer: CreateResetLinkAnswer }
  /** List workspaces: all for an installation admin, otherwise those where you have a role */
  listWorkspaces: { query: Paging; answer: WorkspacePage }
  /** Create a workspace */
  createWorkspace: {
    query: {
      /** `true`: nothing is created if there is a workspace with this name already; the response is 409 `already_exists` */
      unique?: string
    }
    body: CreateWorkspaceBody
    answer: Workspace
  }
  /** Read a workspace */
  getWorkspace: { answer: Workspace }
  /** Rename a workspace, or mark it as a test workspace; its id stays the same */
  changeWorkspace: { body: ChangeWorkspaceBody; answer: Workspace }
  /** Delete a workspace with its accounts, credentials, mappings, feeds, webhooks, activity and roles. The audit log stays */
  deleteWorkspace: {
    query: {
      /** The name of the workspace, as a confirmation */
      name?: string
      /** `true`: also while writes are open, whose outcome at the platform then stays unknown */
      force?: string
    }
    answer: undefined
  }
  /** List access ids with their scopes, limits and last use */
  listAccessIds: { query: Paging; answer: CredentialPage }
  /** Create an access id; its secret is shown once */
  createAccessId: {
    query: {
      /** `true`: nothing is created if there is an access id with this name already; the response is 409 `already_exists` */
      unique?: string
    }
    body: CredentialSettings
    answer: CreateAccessIdAnswer
  }
  /** Replace name, scopes, limits and expiry of an access id; takes effect immediately */
  changeAccessId: { path: 'id'; body: CredentialSettings; answer: Credential }
  /** Revoke an access id and all its tokens */
  revokeAccessId: { path: 'id'; answer: undefined }
  /** Rotate the secret; the old secret and all earlier tokens stop working immediately */
  rotateAccessId: { path: 'id'; answer: CreateAccessIdAnswer }
  /** List API keys with their scopes, limits and last use */
  listApiKeys: { query: Paging; answer: CredentialPage }
  /** Create an API key; its key is shown once */
  createApiKey: {
    query: {
      /** `true`: nothing is created if there is an API key with this name already; the response is 409 `already_exists` */
      unique?: string
    }
    body: CredentialSettings
    answer: CreateApiKeyAnswer
  }
  /** Replace name, scopes, limits and expiry of an API key; takes effect immediately */
  changeApiKey: { path: 'id'; body: CredentialSettings; answer: Credential }
  /** Revoke an API key */
  revokeApiKey: { path: 'id'; answer: undefined }
  /** Replace the secret of an API key; the old key stops working immediately */
  rotateApiKey: { path: 'id'; answer: CreateApiKeyAnswer }
  /** List connected accounts */
  listAccounts: {
    query: Paging & {
      /** Accounts with this text in their id or name */
      search?: string
      /** Accounts of this platform */
      platform?: string
      /** Accounts in this state: active, disabled, reconnect_required */
      state?: string
    }
    answer: AccountPage
  }
  /** Connect an account; the platform must accept its credentials and settings */
  connectAccount: {
    query: {
      /** `true` by default: tests credentials and settings with a call to the platform and stores them only if it succeeds. `false` stores them untested */
      test?: string
    }
    body: NewAccount
    answer: Account
  }
  /** Read a connected account */
  getAccount: { path: 'accountId'; answer: Account }
  /** Change the name or settings; new settings must work with the account's credentials */
  changeAccount: {
    path: 'accountId'
    query: {
      /** `true` by default: tests credentials and settings with a call to the platform and stores them only if it succeeds. `false` stores them untested */
      test?: string
    }
    body: AccountChange
    answer: Account
  }
  /** Delete an account with its references, mappings, and journal */
  deleteAccount: { path: 'accountId'; answer: undefined }
  /** Test the connection with one call to the platform */
  testAccount: { path: 'accountId'; answer: TestAccountAnswer }
  /** Disable an account; all its requests fail until it is enabled again */
  disableAccount: { path: 'accountId'; answer: Account }
  /** Enable a disabled account */
  enableAccount: { path: 'accountId'; answer: Account }
  /** Replace the credentials with new ones that the platform accepts; keeps references and mappings */
  reconnectAccount: {
    path: 'accountId'
    query: {
      /** `true` by default: tests credentials and settings with a call to the platform and stores them only if it succeeds. `false` stores them untested */
      test?: string
    }
    body: ReconnectAccountBody
    answer: Account
  }
  /** List mappings with the newest version of each */
  listMappings: { path: 'accountId'; query: Paging; answer: MappingPage }
  /** Create a mapping; invalid rules are rejected */
  createMapping: {
    path: 'accountId'
    query: {
      /** `true`: nothing is created if there is a mapping of the same owner, entity type and direction with this name already; the response is 409 `already_exists` */
      unique?: string
    }
    body: CreateMappingBody
    answer: Mapping
  }
  /** Read a mapping */
  getMapping: { path: 'accountId' | 'mappingId'; answer: Mapping }
  /** Save the next version of a mapping */
  changeMapping: { path: 'accountId' | 'mappingId'; body: ChangeMappingBody; answer: Mapping }
  /** Delete a mapping and its keys; a default mapping cannot be deleted */
  deleteMapping: { path: 'accountId' | 'mappingId'; answer: undefined }
  /** List the versions of a mapping */
  listMappingVersions: { path: 'accountId' | 'mappingId'; answer: MappingList }
  /** List the mappings of the workspace and its platforms, which accounts inherit */
  listSharedMappings: { query: Paging; answer: MappingPage }
  /** Create a mapping for all accounts of a platform or of the workspace; invalid rules are rejected */
  createSharedMapping: {
    query: {
      /** `true`: nothing is created if there is a mapping of the same owner, entity type and direction with this name already; the response is 409 `already_exists` */
      unique?: string
    }
    body: CreateSharedMappingBody
    answer: Mapping
  }
  /** Read a shared mapping */
  getSharedMapping: { path: 'mappingId'; answer: Mapping }
  /** Save the next version of a shared mapping */
  changeSharedMapping: { path: 'mappingId'; body: ChangeMappingBody; answer: Mapping }
  /** Delete a shared mapping and its keys; a default mapping cannot be deleted */
  deleteSharedMapping: { path: 'mappingId'; answer: undefined }
  /** List the versions of a shared mapping */
  listSharedMappingVersions: { path: 'mappingId'; answer: MappingList }
  /** List the default mappings that apply to an account, and where each one is set */
  listMappingDefaults: { path: 'accountId'; answer: MappingDefaultList }
  /** Set the default mapping of an account for an entity type and direction */
  setMappingDefault: { path: 'accountId' | 'entityType' | 'direction'; body: SetMappingDefaultBody; answer: MappingDefault }
  /** Remove the default of an account: it inherits again */
  clearMappingDefault: { path: 'accountId' | 'entityType' | 'direction'; answer: undefined }
  /** List the default mappings of the workspace and its platforms */
  listSharedMappingDefaults: { answer: MappingDefaultList }
  /** Set the default mapping of a platform or the workspace for an entity type and direction */
  setSharedMappingDefault: {
    path: 'entityType' | 'direction'
    query: {
      /** The default of this platform; by default of the whole workspace */
      platform?: string
    }
    body: SetMappingDefaultBody
    answer: MappingDefault
  }
  /** Remove the default mapping of a platform or the workspace */
  clearSharedMappingDefault: {
    path: 'entityType' | 'direction'
    query: {
      /** The default of this platform; by default of the whole workspace */
      platform?: string
    }
    answer: undefined
  }
  /** List mapping keys */
  listMappingKeys: { path: 'accountId'; answer: MappingKeyList }
  /** Create a key for a mapping of the account, its platform or its workspace */
  createMappingKey: { path: 'accountId'; body: CreateMappingKeyBody; answer: MappingKey }
  /** Delete a mapping key; the two default keys cannot be deleted */
  deleteMappingKey: { path: 'accountId' | 'key'; answer: undefined }
  /** List references: source id -> platform id */
  listReferences: {
    path: 'accountId'
    query: Paging & {
      /** References of this entity type */
      entityType?: string
      /** Start of a source id or platform id */
      search?: string
    }
    answer: LinkedReferencePage
  }
  /** Link a source id to a platform id */
  linkReference: { path: 'accountId'; body: LinkReferenceBody; answer: LinkedReference }
  /** Delete a reference; a written one does not free its key, and a replay of its POST restores it */
  deleteReference: { path: 'accountId' | 'entityType' | 'sourceId'; answer: undefined }
  /** Preview rules on one record; invalid rules are rejected with a reason */
  previewMapping: { path: 'accountId'; body: PreviewMappingBody; answer: PreviewMappingAnswer }
  /** List what can be explored in an account */
  exploreAccount: { path: 'accountId'; answer: ExplorableAccount }
  /** Describe an entity type: schema, example, required fields, and fields that are not stored */
  describeEntity: { path: 'accountId' | 'entityType'; answer: ExplorerEntity }
  /** List records with their native rows */
  exploreRecords: {
    path: 'accountId' | 'entityType'
    query: {
      /** A read mapping key of the account; by default the default mapping */
      mappingKey?: string
      /** Records per page, 20 by default */
      pageSize?: string
      /** `cursor` of the previous page */
      cursor?: string
      /** Records changed after this time */
      updatedAfter?: string
      /** Source id, platform id, or what the platform can search for: name, email, phone, SKU, number */
      search?: string
    }
    answer: ExploredPage
  }
  /** Write a record by its externalId; the same record is replayed, not written again */
  writeRecord: { path: 'accountId' | 'entityType'; body: WriteRecordBody; answer: WrittenRecord }
  /** Read a record with its native row */
  exploreRecord: {
    path: 'accountId' | 'entityType' | 'id'
    query: {
      /** A read mapping key of the account; by default the default mapping */
      mappingKey?: string
      /** `native`: also the parts of responses that the row was made of */
      include?: string
    }
    answer: ExploredRecord
  }
  /** Replace a record */
  replaceRecord: { path: 'accountId' | 'entityType' | 'id'; body: ReplaceRecordBody; answer: WrittenRecord }
  /** Trace the unified fields of a native row to their sources without calling the platform */
  traceFields: { path: 'accountId' | 'entityType'; body: TraceFieldsBody; answer: Provenance }
  /** Validate a record without calling the platform */
  validateRecord: { path: 'accountId' | 'entityType'; body: ValidateRecordBody; answer: Validation }
  /** Show the native requests of a write without sending them */
  planRecord: { path: 'accountId' | 'entityType'; body: ValidateRecordBody; answer: WritePlan }
  /** Make a call of the platform's own API; one that may write is sent once per externalId */
  callPlatform: { path: 'accountId'; body: CallPlatformBody; answer: ExplorerNativeResponse }
  /** List migrations, newest first */
  listMigrations: { query: Paging; answer: ListedMigrationPage }
  /** Plan a migration from one account to another; nothing is written */
  planMigration: { body: NewMigration; answer: Migration }
  /** Read a migration with its progress, its plan and its report */
  getMigration: { path: 'migrationId'; answer: Migration }
  /** Delete a migration and its report; records at the platforms stay */
  deleteMigration: { path: 'migrationId'; answer: undefined }
  /** Write what was planned, or continue; what was written before is not written again */
  runMigration: { path: 'migrationId'; body: RunMigrationBody; answer: Migration }
  /** Stop planning or writing; running it again continues it */
  stopMigration: { path: 'migrationId'; answer: Migration }
  /** Import references from CSV with the columns entityType, sourceId, nativeId, or from NDJSON with these fields, up to 10 MiB */
  importReferences: {
    path: 'accountId'
    query: {
      /** Default entity type for lines without one */
      entityType?: string
    }
    body: string
    answer: ReferenceImport
  }
  /** List reference imports, newest first */
  listReferenceImports: { path: 'accountId'; query: Paging; answer: ReferenceImportPage }
  /** Read the progress of a reference import */
  getReferenceImport: { path: 'accountId' | 'importId'; answer: ReferenceImport }
  /** List erasures of an account, newest first; they do not say who was erased */
  listErasures: { path: 'accountId'; query: Paging; answer: ErasurePage }
  /** Erase one person from writes, change log, deliveries, activity and migrations of an account; with plan, only count */
  erasePerson: { path: 'accountId'; body: ErasePersonBody; answer: Erasure }
  /** Read the report of an erasure */
  getErasure: { path: 'accountId' | 'erasureId'; answer: Erasure }
  /** Delete the report; the change log keeps content of the person again. Nothing is restored */
  deleteErasure: { path: 'accountId' | 'erasureId'; answer: undefined }
  /** List requests and background work, newest first */
  listActivity: {
    query: Paging & {
      /** Requests of this account */
      accountId?: string
      /** Requests of this API key, access id or user */
      credentialId?: string
      /** Requests to this platform */
      platform?: string
      /** ok, error, 4xx, 5xx or an error code */
      status?: string
      /** Requests for this entity type */
      entityType?: string
      /** Requests for this record, by platform id or externalId; combine with accountId and entityType */
      record?: string
      /** At or after this time */
      since?: string
      /** Before this time */
      until?: string
      /** Start of a request id, an externalId, a platform id, an account id, or a part of the text of an error. With a text or credentialId, a page may be short or empty and still have `next` */
      search?: string
    }
    answer: ActivityPage
  }
  /** Export requests without their traces, newest first, at most 100000: one JSON object per line, or CSV */
  exportActivity: {
    query: {
      /** ndjson (by default) or csv */
      format?: string
      /** Requests of this account */
      accountId?: string
      /** Requests of this API key, access id or user */
      credentialId?: string
      /** Requests to this platform */
      platform?: string
      /** ok, error, 4xx, 5xx or an error code */
      status?: string
      /** Requests for this entity type */
      entityType?: string
      /** Requests for this record, by platform id or externalId; combine with accountId and entityType */
      record?: string
      /** At or after this time */
      since?: string
      /** Before this time */
      until?: string
      /** Start of a request id, an externalId, a platform id, an account id, or a part of the text of an error. With a text or credentialId, a page may be short or empty and still have `next` */
      search?: string
    }
    answer: string
  }
  /** Read a request with its trace */
  getActivity: { path: 'requestId'; answer: ActivityWithTrace }
  /** List writes that are in progress, have an unknown outcome, or were written in part, newest first */
  listOpenWrites: {
    query: Paging & {
      /** Writes of this account */
      accountId?: string
      /** in_progress, unknown, partial; all by default */
      state?: string
      /** Writes with this externalId, or updates of the record with this platform id */
      externalId?: string
    }
    answer: OpenWritePage
  }
  /** Read an open write with its content and steps */
  getOpenWrite: { path: 'accountId' | 'writeId'; answer: OpenWriteWithSteps }
  /** Finish an open write: find out what the platform has, and send only what is missing */
  resendWrite: { path: 'accountId' | 'writeId'; answer: SettledWrite }
  /** Settle an open create with the platform id of its record, which must exist, or a native call */
  confirmWrite: { path: 'accountId' | 'writeId'; body: ConfirmWriteBody; answer: SettledWrite }
  /** Settle an open write as not written; its key is free again */
  discardWrite: { path: 'accountId' | 'writeId'; answer: SettledWrite }
  /** List management actions, newest first */
  listAudit: {
    query: Paging & {
      /** Workspace id, or `install` for actions without a workspace; `install` by default */
      scope?: string
      /** Entries with this operationId */
      action?: string
      /** Entries of this user or credential */
      actor?: string
      /** Entries from this IP address */
      address?: string
      /** Entries with this outcome: `ok`, `started`, `error` for all errors, or an error code */
      outcome?: string
      /** At or after this time */
      since?: string
      /** Before this time */
      until?: string
      /** A part of an actor, an action, an address, a request id or the target, in any case */
      search?: string
    }
    answer: AuditEntryPage
  }
  /** Export the audit log, oldest first: one JSON object per line, or CSV */
  exportAudit: {
    query: {
      /** ndjson (by default) or csv */
      format?: string
      /** Workspace id, or `install` for actions without a workspace; all scopes by default */
      scope?: string
      /** Entries with this operationId */
      action?: string
      /** Entries of this user or credential */
      actor?: string
      /** Entries from this IP address */
      address?: string
      /** Entries with this outcome: `ok`, `started`, `error` for all errors, or an error code */
      outcome?: string
      /** At or after this time */
      since?: string
      /** Before this time */
      until?: string
      /** A part of an actor, an action, an address, a request id or the target, in any case */
      search?: string
    }
    answer: string
  }
  /** Verify the hash chain of every scope */
  verifyAudit: {
    query: {
      /** Workspace id, or `install`; all scopes by default */
      scope?: string
    }
    answer: AuditChainList
  }
  /** List management actions in a workspace, newest first */
  listWorkspaceAudit: {
    query: Paging & {
      /** Entries with this operationId */
      action?: string
      /** Entries of this user or credential */
      actor?: string
      /** Entries from this IP address */
      address?: string
      /** Entries with this outcome: `ok`, `started`, `error` for all errors, or an error code */
      outcome?: string
      /** At or after this time */
      since?: string
      /** Before this time */
      until?: string
      /** A part of an actor, an action, an address, a request id or the target, in any case */
      search?: string
    }
    answer: AuditEntryPage
  }
  /** Export the audit log of a workspace, oldest first: one JSON object per line, or CSV */
  exportWorkspaceAudit: {
    query: {
      /** ndjson (by default) or csv */
      format?: string
      /** Entries with this operationId */
      action?: string
      /** Entries of this user or credential */
      actor?: string
      /** Entries from this IP address */
      address?: string
      /** Entries with this outcome: `ok`, `started`, `error` for all errors, or an error code */
      outcome?: string
      /** At or after this time */
      since?: string
      /** Before this time */
      until?: string
      /** A part of an actor, an action, an address, a request id or the target, in any case */
      search?: string
    }
    answer: string
  }
  /** Verify the hash chain of a workspace */
  verifyWorkspaceAudit: { answer: AuditChain }
  /** What is watched in all accounts of a workspace by default */
  getWorkspaceWatches: { answer: WorkspaceWatches }
  /** Set what is watched in all accounts of a workspace by default; existing and new accounts follow it */
  setWorkspaceWatches: { body: WorkspaceWatchesChange; answer: WorkspaceWatches }
  /** What is watched of an account, with status */
  listWatches: { path: 'accountId'; answer: AccountWatches }
  /** Watch an entity of an account, whatever the default of its workspace is */
  setWatch: { path: 'accountId' | 'entityType'; body: EntityWatch; answer: AccountWatch }
  /** Stop watching an entity of an account; its cursors expire */
  stopWatch: {
    path: 'accountId' | 'entityType'
    query: {
      /** `true`: removes the setting of the account, so that the default of the workspace applies again */
      reset?: string
    }
    answer: undefined
  }
  /** Start a full read of a watched entity now */
  startWalk: { path: 'accountId' | 'entityType'; answer: AccountWatch }
  /** List webhook endpoints */
  listWebhookEndpoints: { query: Paging; answer: WebhookEndpointPage }
  /** Create a webhook endpoint, which receives what happens from now on; its secret is shown once */
  createWebhookEndpoint: {
    query: {
      /** `true`: nothing is created if there is a webhook endpoint with this URL already; the response is 409 `already_exists` */
      unique?: string
    }
    body: CreateWebhookEndpointBody
    answer: WebhookEndpointWithSecret
  }
  /** Get a webhook endpoint */
  getWebhookEndpoint: { path: 'endpointId'; answer: WebhookEndpoint }
  /** Change a webhook endpoint; what waits is sent with the new settings */
  changeWebhookEndpoint: { path: 'endpointId'; body: ChangeWebhookEndpointBody; answer: WebhookEndpoint }
  /** Delete a webhook endpoint with its deliveries; what waits is not sent */
  deleteWebhookEndpoint: { path: 'endpointId'; answer: undefined }
  /** Replace the secret; for 24 hours events are signed with the old one, too. The new secret is shown once */
  rotateWebhookSecret: { path: 'endpointId'; answer: WebhookEndpointWithSecret }
  /** Enable a webhook endpoint; it receives what has happened meanwhile */
  enableWebhookEndpoint: { path: 'endpointId'; answer: WebhookEndpoint }
  /** Disable a webhook endpoint; its events wait */
  disableWebhookEndpoint: { path: 'endpointId'; answer: WebhookEndpoint }
  /** Send a test event, once; the delivery shows what the receiver returned if it does so within 5 seconds */
  testWebhookEndpoint: { path: 'endpointId'; answer: Delivery }
  /** Send past events again, with new ids: of an account from a sequence on, or of all since a time */
  replayWebhooks: { path: 'endpointId'; body: ReplayWebhooksBody; answer: ReplayWebhooksAnswer }
  /** List deliveries, newest first, with their attempts */
  listWebhookDeliveries: {
    path: 'endpointId'
    query: Paging & {
      /** One of waiting, delivered, failed, superseded */
      state?: string
      /** Only events of this type, or family, such as `order.*` */
      type?: string
      /** Only changes of this account */
      accountId?: string
      /** Only changes of the record with this id on the platform; needs `accountId` */
      externalId?: string
      /** Only the change with this sequence; needs `accountId` */
      sequence?: string
    }
    answer: DeliveryPage
  }
  /** Get a delivery with its body */
  getWebhookDelivery: { path: 'endpointId' | 'deliveryId'; answer: DeliveryWithBody }
  /** Send a delivery again, with the same id and body */
  resendWebhookDelivery: { path: 'endpointId' | 'deliveryId'; answer: Delivery }
  /** List the URLs that receive webhooks of platforms, and how they are */
  listHooks: { query: Paging; answer: HookPage }
  /** Read the URL that receives webhooks about all accounts on a platform */
  getApplicationHook: { path: 'platform'; answer: Hook }
  /** Store the secret that the platform's console shows; the previous one stays valid for 24 hours */
  setApplicationHookSecret: { path: 'platform'; body: NewHookSecret; answer: Hook }
  /** Read how the webhooks that the platform sends about an account are */
  getHook: { path: 'accountId'; answer: Hook }
  /** Store the secret of an account's webhooks; the previous one stays valid for 24 hours */
  setHookSecret: { path: 'accountId'; body: NewHookSecret; answer: Hook }
  /** Check now that the account's webhooks are registered, and register them if they are not */
  checkHook: { path: 'accountId'; answer: Hook }
  /** List the latest changes of the watched entities of an account, newest first */
  listLatestChanges: {
    path: 'accountId'
    query: Paging & {
      /** Changes of this entity type */
      entityType?: string
      /** Changes after this sequence; 0 for all. With it, `Prefer: wait=SECONDS` waits for a change */
      since?: string
    }
    answer: LatestChanges
  }
  /** Requests, errors, queue times, and rate-limit use over time, accounts by state, and recent failures */
  getOverview: {
    query: {
      /** Start of the period; by default a day ago */
      since?: string
      /** End of the period; by default now */
      until?: string
      /** Minutes per point: 1, 5, 15, 60, 360, 1440; by default chosen to fit the period */
      step?: string
    }
    answer: Overview
  }
  /** Requests, errors, queue times, and rate-limit use of an account by day, its last request, and its last error */
  getAccountUsage: { path: 'accountId'; answer: AccountUsage }
  /** How the connect pages present a workspace */
  getBranding: { answer: Branding }
  /** Replace how the connect pages present a workspace; fields that are absent get their default */
  setBranding: { body: Branding; answer: Branding }
  /** Read the settings of a workspace, and how long its data is kept */
  getWorkspaceSettings: { answer: WorkspaceSettings }
  /** Replace the settings of a workspace */
  setWorkspaceSettings: { body: SetWorkspaceSettingsBody; answer: WorkspaceSettings }
  /** List connect links; used, expired, and revoked links are kept for 30 days */
  listConnectLinks: { query: Paging; answer: ConnectLinkPage }
  /** Create a link that lets a customer connect one account; url and signingSecret are shown once */
  createConnectLink: { body: CreateConnectLinkBody; answer: CreatedConnectLink }
  /** Read a connect link */
  getConnectLink: { path: 'linkId'; answer: ConnectLink }
  /** Revoke a connect link; a connected account is kept */
  revokeConnectLink: { path: 'linkId'; answer: undefined }
  /** List OAuth platforms and whether they have an application */
  listPlatformApps: { answer: PlatformAppList }
  /** Read whether an application is set, and what to register on the platform */
  getPlatformApp: { path: 'platform'; answer: PlatformApp }
  /** Set the client id and secret; accounts with the same client id use the new secret */
  putPlatformApp: { path: 'platform'; body: PutPlatformAppBody; answer: PlatformApp }
  /** Delete the application; connected accounts keep working */
  deletePlatformApp: { path: 'platform'; answer: undefined }
  /** List authentication methods and settings of every platform, with labels for forms */
  describePlatforms: { answer: PlatformDescriptionList }
  /** List keys of the simulated businesses; none outside the workspace of the sandbox */
  listSandboxKeys: { answer: SandboxKeysList }
  /** List simulators, their faults, and fault kinds */
  listFaults: { answer: SandboxFaults }
  /** Add a fault to a simulator */
  addFault: { body: AddFaultBody; answer: SandboxFaults }
  /** Clear faults */
  clearFaults: {
    query: {
      /** Faults of this platform; by default of all platforms */
      platform?: string
    }
    answer: SandboxFaults
  }
}
