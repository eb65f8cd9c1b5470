// Generated from the OpenAPI document by `npm run docs`; edit the code of the service instead.

export type LogInBody = {
  user: string
  password: string
  cookie?: boolean
}

export type LogInAnswer = {
  /** Not with `cookie` */
  token?: string
  user: string
  expiresAt: string
  /** Where callers reach the service: PUBLIC_URL, or the address it listens on */
  publicUrl: string
  /** For the header x-csrf-token of every request that is not a GET */
  csrf?: string
}

export type GetSessionAnswer = {
  user: string
  expiresAt: string
  /** Where callers reach the service: PUBLIC_URL, or the address it listens on */
  publicUrl: string
  /** For the header x-csrf-token of every request that is not a GET */
  csrf: string
}

export type ChangePasswordBody = {
  currentPassword: string
  newPassword: string
}

export type ListWorkspacesAnswer = {
  data: {
    id: string
    name: string
    createdAt: string
  }[]
  /** Where the next page begins, for `after` */
  next?: string
}

export type CreateWorkspaceBody = {
  name: string
}

export type CreateWorkspaceAnswer = {
  id: string
  name: string
  createdAt: string
}

export type GetWorkspaceAnswer = {
  id: string
  name: string
  createdAt: string
}

export type ListAccessIdsAnswer = {
  data: {
    id: string
    name: string
    createdAt: string
    rotatedAt?: string
    lastUsedAt?: string
    revokedAt?: string
  }[]
  /** Where the next page begins, for `after` */
  next?: string
}

export type CreateAccessIdBody = {
  name: string
}

export type CreateAccessIdAnswer = {
  id: string
  name: string
  createdAt: string
  rotatedAt?: string
  lastUsedAt?: string
  revokedAt?: string
  /** Shown this once */
  secret: string
}

export type RotateAccessIdAnswer = {
  id: string
  name: string
  createdAt: string
  rotatedAt?: string
  lastUsedAt?: string
  revokedAt?: string
  /** Shown this once */
  secret: string
}

export type ListApiKeysAnswer = {
  data: {
    id: string
    name: string
    createdAt: string
    rotatedAt?: string
    lastUsedAt?: string
    revokedAt?: string
  }[]
  /** Where the next page begins, for `after` */
  next?: string
}

export type CreateApiKeyBody = {
  name: string
}

export type CreateApiKeyAnswer = {
  id: string
  name: string
  createdAt: string
  rotatedAt?: string
  lastUsedAt?: string
  revokedAt?: string
  /** Shown this once */
  key: string
}

export type ListAccountsAnswer = {
  data: {
    id: string
    workspaceId: string
    platform: string
    /** Which flavor of the entities this account has */
    vertical: 'restaurant' | 'retail_pos' | 'accounting'
    name: string
    /** Whether calls go through */
    state: 'active' | 'disabled' | 'reconnect_required'
    stateReason?: string
    /** Which of the platform's ways to authenticate */
    auth: string
    /** Tenant values and defaults */
    settings: Record<string, string>
    createdAt: string
    updatedAt: string
  }[]
  /** Where the next page begins, for `after` */
  next?: string
}

export type ConnectAccountBody = {
  /** Letters, digits, dot, dash and underscore */
  id?: string
  platform: string
  /** Which flavor of the entities this account has */
  vertical: 'restaurant' | 'retail_pos' | 'accounting'
  name?: string
  /** Which of the platform's ways to authenticate; the first that the credentials fit, unless told */
  auth?: string
  /** Tenant values and defaults */
  settings?: Record<string, string>
  /** The platform's own credentials; kept encrypted, never shown again */
  credentials: Record<string, string>
}

export type ConnectAccountAnswer = {
  id: string
  workspaceId: string
  platform: string
  /** Which flavor of the entities this account has */
  vertical: 'restaurant' | 'retail_pos' | 'accounting'
  name: string
  /** Whether calls go through */
  state: 'active' | 'disabled' | 'reconnect_required'
  stateReason?: string
  /** Which of the platform's ways to authenticate */
  auth: string
  /** Tenant values and defaults */
  settings: Record<string, string>
  createdAt: string
  updatedAt: string
}

export type GetAccountAnswer = {
  id: string
  workspaceId: string
  platform: string
  /** Which flavor of the entities this account has */
  vertical: 'restaurant' | 'retail_pos' | 'accounting'
  name: string
  /** Whether calls go through */
  state: 'active' | 'disabled' | 'reconnect_required'
  stateReason?: string
  /** Which of the platform's ways to authenticate */
  auth: string
  /** Tenant values and defaults */
  settings: Record<string, string>
  createdAt: string
  updatedAt: string
}

export type ChangeAccountBody = {
  name?: string
  /** Replaces all settings */
  settings?: Record<string, string>
}

export type ChangeAccountAnswer = {
  id: string
  workspaceId: string
  platform: string
  /** Which flavor of the entities this account has */
  vertical: 'restaurant' | 'retail_pos' | 'accounting'
  name: string
  /** Whether calls go through */
  state: 'active' | 'disabled' | 'reconnect_required'
  stateReason?: string
  /** Which of the platform's ways to authenticate */
  auth: string
  /** Tenant values and defaults */
  settings: Record<string, string>
  createdAt: string
  updatedAt: string
}

export type TestAccountAnswer = {
  ok: boolean
  code?: string
  detail?: string
}

export type DisableAccountAnswer = {
  id: string
  workspaceId: string
  platform: string
  /** Which flavor of the entities this account has */
  vertical: 'restaurant' | 'retail_pos' | 'accounting'
  name: string
  /** Whether calls go through */
  state: 'active' | 'disabled' | 'reconnect_required'
  stateReason?: string
  /** Which of the platform's ways to authenticate */
  auth: string
  /** Tenant values and defaults */
  settings: Record<string, string>
  createdAt: string
  updatedAt: string
}

export type EnableAccountAnswer = {
  id: string
  workspaceId: string
  platform: string
  /** Which flavor of the entities this account has */
  vertical: 'restaurant' | 'retail_pos' | 'accounting'
  name: string
  /** Whether calls go through */
  state: 'active' | 'disabled' | 'reconnect_required'
  stateReason?: string
  /** Which of the platform's ways to authenticate */
  auth: string
  /** Tenant values and defaults */
  settings: Record<string, string>
  createdAt: string
  updatedAt: string
}

export type ReconnectAccountBody = {
  /** The platform's own credentials */
  credentials: Record<string, string>
  auth?: string
}

export type ReconnectAccountAnswer = {
  id: string
  workspaceId: string
  platform: string
  /** Which flavor of the entities this account has */
  vertical: 'restaurant' | 'retail_pos' | 'accounting'
  name: string
  /** Whether calls go through */
  state: 'active' | 'disabled' | 'reconnect_required'
  stateReason?: string
  /** Which of the platform's ways to authenticate */
  auth: string
  /** Tenant values and defaults */
  settings: Record<string, string>
  createdAt: string
  updatedAt: string
}

export type ListMappingsAnswer = {
  data: {
    id: string
    accountId: string
    /** Unified entity type */
    entityType: 'product' | 'order' | 'customer' | 'category' | 'employee' | 'time_entry'
    /** Which way records travel */
    direction: 'read' | 'write'
    name: string
    version: number
    /** Unified pointer -> rule */
    rules: Record<string, {
      /** JSON pointer into the source record: native on read, the caller's on write */
      from?: string
      /** A constant */
      value?: unknown
      /** Used where there is no value */
      default?: unknown
      /** Source value -> unified value */
      lookup?: Record<string, unknown>
    }>
    createdAt: string
  }[]
  /** Where the next page begins, for `after` */
  next?: string
}

export type CreateMappingBody = {
  /** Unified entity type */
  entityType: 'product' | 'order' | 'customer' | 'category' | 'employee' | 'time_entry'
  /** Which way records travel */
  direction: 'read' | 'write'
  name: string
  /** Unified pointer -> rule */
  rules: Record<string, {
    /** JSON pointer into the source record: native on read, the caller's on write */
    from?: string
    /** A constant */
    value?: unknown
    /** Used where there is no value */
    default?: unknown
    /** Source value -> unified value */
    lookup?: Record<string, unknown>
  }>
}

export type CreateMappingAnswer = {
  id: string
  accountId: string
  /** Unified entity type */
  entityType: 'product' | 'order' | 'customer' | 'category' | 'employee' | 'time_entry'
  /** Which way records travel */
  direction: 'read' | 'write'
  name: string
  version: number
  /** Unified pointer -> rule */
  rules: Record<string, {
    /** JSON pointer into the source record: native on read, the caller's on write */
    from?: string
    /** A constant */
    value?: unknown
    /** Used where there is no value */
    default?: unknown
    /** Source value -> unified value */
    lookup?: Record<string, unknown>
  }>
  createdAt: string
}

export type GetMappingAnswer = {
  id: string
  accountId: string
  /** Unified entity type */
  entityType: 'product' | 'order' | 'customer' | 'category' | 'employee' | 'time_entry'
  /** Which way records travel */
  direction: 'read' | 'write'
  name: string
  version: number
  /** Unified pointer -> rule */
  rules: Record<string, {
    /** JSON pointer into the source record: native on read, the caller's on write */
    from?: string
    /** A constant */
    value?: unknown
    /** Used where there is no value */
    default?: unknown
    /** Source value -> unified value */
    lookup?: Record<string, unknown>
  }>
  createdAt: string
}

export type ChangeMappingBody = {
  name?: string
  /** Unified pointer -> rule */
  rules: Record<string, {
    /** JSON pointer into the source record: native on read, the caller's on write */
    from?: string
    /** A constant */
    value?: unknown
    /** Used where there is no value */
    default?: unknown
    /** Source value -> unified value */
    lookup?: Record<string, unknown>
  }>
}

export type ChangeMappingAnswer = {
  id: string
  accountId: string
  /** Unified entity type */
  entityType: 'product' | 'order' | 'customer' | 'category' | 'employee' | 'time_entry'
  /** Which way records travel */
  direction: 'read' | 'write'
  name: string
  version: number
  /** Unified pointer -> rule */
  rules: Record<string, {
    /** JSON pointer into the source record: native on read, the caller's on write */
    from?: string
    /** A constant */
    value?: unknown
    /** Used where there is no value */
    default?: unknown
    /** Source value -> unified value */
    lookup?: Record<string, unknown>
  }>
  createdAt: string
}

export type ListMappingVersionsAnswer = {
  data: {
    id: string
    accountId: string
    /** Unified entity type */
    entityType: 'product' | 'order' | 'customer' | 'category' | 'employee' | 'time_entry'
    /** Which way records travel */
    direction: 'read' | 'write'
    name: string
    version: number
    /** Unified pointer -> rule */
    rules: Record<string, {
      /** JSON pointer into the source record: native on read, the caller's on write */
      from?: string
      /** A constant */
      value?: unknown
      /** Used where there is no value */
      default?: unknown
      /** Source value -> unified value */
      lookup?: Record<string, unknown>
    }>
    createdAt: string
  }[]
}

export type ListMappingKeysAnswer = {
  data: {
    key: string
    accountId: string
    /** Which way records travel */
    direction: 'read' | 'write'
    isDefault: boolean
    /** Unified entity type */
    entityType?: 'product' | 'order' | 'customer' | 'category' | 'employee' | 'time_entry'
    mappingId?: string
    createdAt: string
  }[]
}

export type CreateMappingKeyBody = {
  mappingId: string
}

export type CreateMappingKeyAnswer = {
  key: string
  accountId: string
  /** Which way records travel */
  direction: 'read' | 'write'
  isDefault: boolean
  /** Unified entity type */
  entityType?: 'product' | 'order' | 'customer' | 'category' | 'employee' | 'time_entry'
  mappingId?: string
  createdAt: string
}

export type ListReferencesAnswer = {
  data: {
    /** What the reference points at */
    entityType: 'product' | 'order' | 'customer' | 'category' | 'employee' | 'time_entry' | 'location'
    sourceId: string
    nativeId: string
    /** Whether a write made it or a person */
    origin: 'written' | 'linked'
    createdAt: string
  }[]
  /** Where the next page begins, for `after` */
  next?: string
}

export type LinkReferenceBody = {
  /** What the reference points at */
  entityType: 'product' | 'order' | 'customer' | 'category' | 'employee' | 'time_entry' | 'location'
  /** Your own id */
  sourceId: string
  /** The platform's id */
  nativeId: string
}

export type LinkReferenceAnswer = {
  /** What the reference points at */
  entityType: 'product' | 'order' | 'customer' | 'category' | 'employee' | 'time_entry' | 'location'
  sourceId: string
  nativeId: string
  /** Whether a write made it or a person */
  origin: 'written' | 'linked'
  createdAt: string
}

export type PreviewMappingBody = {
  /** Unified entity type */
  entityType: 'product' | 'order' | 'customer' | 'category' | 'employee' | 'time_entry'
  /** Which way records travel */
  direction: 'read' | 'write'
  /** Unified pointer -> rule */
  rules: unknown
  /** On reads: a native row as the explorer answered it */
  native?: unknown
  /** On reads, instead of `native`: the platform's id */
  recordId?: string
  /** On writes: the caller's record */
  record?: unknown
}

export type PreviewMappingAnswer = {
  /** The record without the rules */
  before?: unknown
  /** The record with them; absent where it can no longer be served */
  after?: unknown
  rules: {
    pointer: string
    /** What the rule did to its field */
    effect: 'set' | 'changed' | 'removed' | 'none'
    before?: unknown
    after?: unknown
  }[]
  warnings: {
    code: string
    message: string
    pointer?: string
    id?: string
  }[]
}

export type ExploreAccountAnswer = {
  accountId: string
  name: string
  platform: string
  platformName: string
  vertical: string
  state: string
  stateReason?: string
  entities: Record<string, {
    read: boolean
    write: boolean
    update: boolean
    pageLimit: number
    updatedAfter: string
    requires: string[]
    requiresWhen: {
      pointer: string
      when: string
    }[]
    longest: Record<string, number>
    notStored: string[]
  }>
  /** Keys that name a mapping; the two default keys stand for the built-in one */
  mappingKeys: {
    key: string
    direction: string
    entityType: string
    mappingId: string
    name: string
    version: number
  }[]
}

export type DescribeEntityAnswer = {
  entityType: string
  title: string
  support: {
    read: boolean
    write: boolean
    update: boolean
    pageLimit: number
    updatedAfter: string
    requires: string[]
    requiresWhen: {
      pointer: string
      when: string
    }[]
    longest: Record<string, number>
    notStored: string[]
  }
  /** JSON Schema of a record in this vertical */
  schema: unknown
  /** A full record */
  example: unknown
  /** Pointer -> what it refers to */
  references: Record<string, string>
  /** Whether a single record can be read */
  gettable: boolean
}

export type ExploreRecordsAnswer = {
  data: {
    /** The platform's id */
    id: string
    /** For `ifMatch`, where the platform has versions */
    version?: string
    /** The unified record; absent where the row cannot be normalised */
    record?: unknown
    /** The native row it was made of */
    native: unknown
    warnings: {
      code: string
      message: string
      pointer?: string
      id?: string
    }[]
  }[]
  cursor?: string
  requestId: string
  timing: {
    /** From the first byte to the last */
    totalMs: number
    /** Waited for slots of the platform's limit */
    waitMs: number
    /** In calls to the platform */
    platformMs: number
    /** In the service itself */
    serviceMs: number
    nativeCalls: number
  }
  /** The same call of the unified API; the key is left to fill in */
  curl: string
}

export type WriteRecordBody = {
  /** A unified record */
  record: unknown
  /** A write mapping key of the account */
  mappingKey?: string
  onUnknown?: 'resend'
}

export type WriteRecordAnswer = {
  /** The record as the platform now has it */
  data: unknown
  reference: {
    externalId: string
    id: string
    replayed: boolean
  }
  warnings: {
    code: string
    message: string
    pointer?: string
    id?: string
  }[]
  requestId: string
  timing: {
    /** From the first byte to the last */
    totalMs: number
    /** Waited for slots of the platform's limit */
    waitMs: number
    /** In calls to the platform */
    platformMs: number
    /** In the service itself */
    serviceMs: number
    nativeCalls: number
  }
  /** The same call of the unified API; the key is left to fill in */
  curl: string
}

export type ExploreRecordAnswer = {
  /** The platform's id */
  id: string
  /** For `ifMatch`, where the platform has versions */
  version?: string
  /** The unified record; absent where the row cannot be normalised */
  record?: unknown
  /** The native row it was made of */
  native: unknown
  warnings: {
    code: string
    message: string
    pointer?: string
    id?: string
  }[]
  requestId: string
  timing: {
    /** From the first byte to the last */
    totalMs: number
    /** Waited for slots of the platform's limit */
    waitMs: number
    /** In calls to the platform */
    platformMs: number
    /** In the service itself */
    serviceMs: number
    nativeCalls: number
  }
  /** The same call of the unified API; the key is left to fill in */
  curl: string
}

export type ReplaceRecordBody = {
  /** A unified record */
  record: unknown
  /** A write mapping key of the account */
  mappingKey?: string
  /** The version that the record must still have */
  ifMatch?: string
}

export type ReplaceRecordAnswer = {
  /** The record as the platform now has it */
  data: unknown
  reference: {
    externalId: string
    id: string
    replayed: boolean
  }
  warnings: {
    code: string
    message: string
    pointer?: string
    id?: string
  }[]
  requestId: string
  timing: {
    /** From the first byte to the last */
    totalMs: number
    /** Waited for slots of the platform's limit */
    waitMs: number
    /** In calls to the platform */
    platformMs: number
    /** In the service itself */
    serviceMs: number
    nativeCalls: number
  }
  /** The same call of the unified API; the key is left to fill in */
  curl: string
}

export type TraceFieldsBody = {
  /** A native row as the explorer answered it */
  native: unknown
  mappingKey?: string
}

export type TraceFieldsAnswer = {
  fields: {
    pointer: string
    /** What kind of conversion */
    kind: 'same' | 'type' | 'scaled' | 'time' | 'word' | 'text' | 'joined' | 'sum' | 'count' | 'computed' | 'absent' | 'setting' | 'constant' | 'mapping'
    /** The conversion in words */
    words: string
    sources: {
      /** Into the native row */
      pointer: string
      /** Not the value itself, but how it is read */
      decides?: true
      /** Nothing is there, and that decides */
      absent?: true
    }[]
    settings: string[]
  }[]
  /** Fields of the entity that this record does not have, and why */
  lacking: {
    pointer: string
    sources: string[]
    words: string
  }[]
  /** False when the row was too large to try every value */
  complete: boolean
}

export type ValidateRecordBody = {
  /** A unified record */
  record: unknown
  /** A write mapping key of the account */
  mappingKey?: string
  /** Of the record to replace; absent: a new one */
  id?: string
}

export type ValidateRecordAnswer = {
  valid: boolean
  errors: {
    pointer: string
    message: string
    choices?: unknown[]
  }[]
  warnings: {
    code: string
    message: string
    pointer?: string
    id?: string
  }[]
  /** Source ids and what they stand for */
  references: {
    pointer: string
    sourceId: string
    nativeId: string
  }[]
}

export type PlanRecordBody = {
  /** A unified record */
  record: unknown
  /** A write mapping key of the account */
  mappingKey?: string
  /** Of the record to replace; absent: a new one */
  id?: string
}

export type PlanRecordAnswer = {
  steps: {
    name: string
    /** The native request, without credentials */
    request: unknown
    recovery: string
  }[]
  /** False when later steps depend on answers that only the platform can give */
  complete: boolean
  references: {
    pointer: string
    sourceId: string
    nativeId: string
  }[]
  missing: {
    pointer: string
    message: string
    choices?: unknown[]
  }[]
  warnings: {
    code: string
    message: string
    pointer?: string
    id?: string
  }[]
  expectedWaitMs: number
  requestId: string
  timing: {
    /** From the first byte to the last */
    totalMs: number
    /** Waited for slots of the platform's limit */
    waitMs: number
    /** In calls to the platform */
    platformMs: number
    /** In the service itself */
    serviceMs: number
    nativeCalls: number
  }
  /** The same call of the unified API; the key is left to fill in */
  curl: string
}

export type ImportReferencesBody = string

export type ImportReferencesAnswer = {
  id: string
  /** failed: the file as a whole could not be read */
  state: 'running' | 'done' | 'failed'
  /** What was sent */
  format: 'csv' | 'ndjson'
  /** Of lines that name none */
  entityType?: 'product' | 'order' | 'customer' | 'category' | 'employee' | 'time_entry' | 'location'
  /** Lines */
  total: number
  /** Lines done so far */
  position: number
  /** References made or replaced */
  linked: number
  /** Lines that could not be taken */
  failed: number
  /** Of the first 100 such lines */
  errors: {
    line: number
    message: string
  }[]
  createdAt: string
  updatedAt: string
}

export type ListReferenceImportsAnswer = {
  data: {
    id: string
    /** failed: the file as a whole could not be read */
    state: 'running' | 'done' | 'failed'
    /** What was sent */
    format: 'csv' | 'ndjson'
    /** Of lines that name none */
    entityType?: 'product' | 'order' | 'customer' | 'category' | 'employee' | 'time_entry' | 'location'
    /** Lines */
    total: number
    /** Lines done so far */
    position: number
    /** References made or replaced */
    linked: number
    /** Lines that could not be taken */
    failed: number
    /** Of the first 100 such lines */
    errors: {
      line: number
      message: string
    }[]
    createdAt: string
    updatedAt: string
  }[]
  /** Where the next page begins, for `after` */
  next?: string
}

export type GetReferenceImportAnswer = {
  id: string
  /** failed: the file as a whole could not be read */
  state: 'running' | 'done' | 'failed'
  /** What was sent */
  format: 'csv' | 'ndjson'
  /** Of lines that name none */
  entityType?: 'product' | 'order' | 'customer' | 'category' | 'employee' | 'time_entry' | 'location'
  /** Lines */
  total: number
  /** Lines done so far */
  position: number
  /** References made or replaced */
  linked: number
  /** Lines that could not be taken */
  failed: number
  /** Of the first 100 such lines */
  errors: {
    line: number
    message: string
  }[]
  createdAt: string
  updatedAt: string
}

export type ListActivityAnswer = {
  data: {
    requestId: string
    at: string
    /** Empty where no account was reached */
    accountId: string
    platform: string
    /** Who asked: an access id, an API key; empty for people and background work */
    credentialId: string
    method: string
    entityType: string
    /** list, get, find, create, update, dry_run, test, connect, resume; else the operation of the management API that asked the platform */
    operation: string
    status: number
    errorCode?: string
    /** From the first byte to the last */
    totalMs: number
    /** Of that, waited for slots of the platform's limit */
    waitMs: number
    /** Of that, in calls to the platform */
    platformMs: number
    nativeCalls: number
    /** The caller's key of the record */
    externalId?: string
    /** The platform's id of the record */
    nativeId?: string
  }[]
  /** Where the next page begins, for `after` */
  next?: string
}

export type GetActivityAnswer = {
  requestId: string
  at: string
  /** Empty where no account was reached */
  accountId: string
  platform: string
  /** Who asked: an access id, an API key; empty for people and background work */
  credentialId: string
  method: string
  entityType: string
  /** list, get, find, create, update, dry_run, test, connect, resume; else the operation of the management API that asked the platform */
  operation: string
  status: number
  errorCode?: string
  /** From the first byte to the last */
  totalMs: number
  /** Of that, waited for slots of the platform's limit */
  waitMs: number
  /** Of that, in calls to the platform */
  platformMs: number
  nativeCalls: number
  /** The caller's key of the record */
  externalId?: string
  /** The platform's id of the record */
  nativeId?: string
  trace: {
    /** What was requested. Credentials, unknown query parameters and the token of a connect link are left out */
    path?: string
    /** Address form of a unified request */
    form?: 'A' | 'B'
    /** Nobody waited for the answer any more */
    callerLeft?: boolean
    /** Answered from the journal */
    replayed?: boolean
    /** What was written, as JSON; secrets removed, cut after 8 KiB */
    body?: string
    problem?: {
      code: string
      detail: string
      errors?: {
        pointer: string
        message: string
      }[]
    }
    stages: {
      /** validation, journal, references, recovery, undo */
      name: string
      /** From the beginning of the request */
      startMs: number
      /** How long it took */
      durationMs: number
      /** What came of it */
      note?: string
    }[]
    calls: {
      /** What the call was for; a token call has no headers and bodies here */
      kind: 'read' | 'write' | 'token'
      method: string
      /** With the query, secrets removed */
      path: string
      status?: number
      /** Why there is no answer */
      error?: string
      attempt: number
      /** Why it was sent again after this */
      retry?: string
      /** When it left, from the beginning of the request */
      startMs: number
      /** Waited for its slot before that */
      waitedMs: number
      /** Until the answer was there */
      durationMs: number
      /** Share of the account's limit that was used, this call included */
      used?: number
      /** Of writes and failures: those that are known to be harmless as they were, of the others only the name */
      requestHeaders?: Record<string, string>
      /** Of writes and failures: those that are known to be harmless as they were, of the others only the name */
      responseHeaders?: Record<string, string>
      /** Of writes and failures; secrets removed, cut after 8 KiB */
      requestBody?: string
      /** Of writes and failures; secrets removed, cut after 8 KiB */
      responseBody?: string
    }[]
  }
}

export type ListAuditAnswer = {
  data: {
    /** A workspace, or `install` */
    scope: string
    /** Counts from 1 in each scope, without gaps */
    sequence: number
    at: string
    /** User, or `admin token` */
    actor: string
    /** Where the request came from */
    address: string
    /** operationId of the route */
    action: string
    /** What it was done to */
    object: Record<string, string>
    /** `ok`, or the code of the problem */
    outcome: string
    requestId: string
    /** `hash` of the entry before; empty for the first */
    previous: string
    /** SHA-256 over all of the above */
    hash: string
  }[]
  /** Where the next page begins, for `after` */
  next?: string
}

export type ExportAuditAnswer = string

export type VerifyAuditAnswer = {
  data: {
    scope: string
    entries: number
    /** `hash` of the newest entry: kept elsewhere, it also shows whether the end was cut off */
    head: string
    /** The first entry that does not fit the one before it */
    brokenAt?: number
  }[]
}

export type GetOverviewAnswer = {
  since: string
  until: string
  /** Minutes per point */
  step: number
  /** Seconds since 1970 at which each point begins: the x of every series here */
  at: number[]
  /** Requests */
  requests: number[]
  /** Answered with 4xx */
  refused: number[]
  /** Answered with 5xx */
  failed: number[]
  /** Time to answer, of an average request */
  averageMs: number[]
  /** Wait for slots, of an average request */
  waitAverageMs: number[]
  /** Wait for slots, of the slowest request */
  waitMaxMs: number[]
  platforms: {
    platform: string
    /** Requests */
    requests: number[]
    /** Of those, not answered as asked */
    errors: number[]
    /** Calls to the platform */
    nativeCalls: number[]
    /** Of those, refused as too many */
    throttled: number[]
    /** The largest share of an account's limit that was used, 0 to 1 */
    utilisation: number[]
    /** Wait for slots, of an average request */
    waitAverageMs: number[]
    /** Wait for slots, of the slowest request */
    waitMaxMs: number[]
  }[]
  /** Calls of this instance that wait for a slot at this moment */
  waitingNow: number
  accounts: {
    platform: string
    state: string
    accounts: number
  }[]
  recentFailures: {
    requestId: string
    at: string
    /** Empty where no account was reached */
    accountId: string
    platform: string
    /** Who asked: an access id, an API key; empty for people and background work */
    credentialId: string
    method: string
    entityType: string
    /** list, get, find, create, update, dry_run, test, connect, resume; else the operation of the management API that asked the platform */
    operation: string
    status: number
    errorCode?: string
    /** From the first byte to the last */
    totalMs: number
    /** Of that, waited for slots of the platform's limit */
    waitMs: number
    /** Of that, in calls to the platform */
    platformMs: number
    nativeCalls: number
    /** The caller's key of the record */
    externalId?: string
    /** The platform's id of the record */
    nativeId?: string
  }[]
}

export type ListConnectLinksAnswer = {
  data: {
    id: string
    /** Only these; all that can be connected, unless told */
    platforms?: string[]
    /** Only this vertical */
    vertical?: 'restaurant' | 'retail_pos' | 'accounting'
    /** An account to be connected again; its references and mappings stay */
    accountId?: string
    /** Name of the new account */
    accountName?: string
    /** Id of the new account */
    newAccountId?: string
    /** Where the customer is sent afterwards, with a signed result */
    returnUrl?: string
    /** Handed back with the result */
    state?: string
    /** Only an open one can be used */
    status: 'open' | 'connected' | 'expired' | 'revoked'
    connectedAccountId?: string
    createdAt: string
    expiresAt: string
  }[]
  /** Where the next page begins, for `after` */
  next?: string
}

export type CreateConnectLinkBody = {
  /** Only these; all that can be connected, unless told */
  platforms?: string[]
  /** Only this vertical */
  vertical?: 'restaurant' | 'retail_pos' | 'accounting'
  /** An account to be connected again; its references and mappings stay */
  accountId?: string
  /** Name of the new account */
  accountName?: string
  /** Id of the new account */
  newAccountId?: string
  /** Where the customer is sent afterwards, with a signed result */
  returnUrl?: string
  /** Handed back with the result */
  state?: string
  /** 60 unless told, at most 7 days */
  expiresInMinutes?: number
}

export type CreateConnectLinkAnswer = {
  id: string
  /** Only these; all that can be connected, unless told */
  platforms?: string[]
  /** Only this vertical */
  vertical?: 'restaurant' | 'retail_pos' | 'accounting'
  /** An account to be connected again; its references and mappings stay */
  accountId?: string
  /** Name of the new account */
  accountName?: string
  /** Id of the new account */
  newAccountId?: string
  /** Where the customer is sent afterwards, with a signed result */
  returnUrl?: string
  /** Handed back with the result */
  state?: string
  /** Only an open one can be used */
  status: 'open' | 'connected' | 'expired' | 'revoked'
  connectedAccountId?: string
  createdAt: string
  expiresAt: string
  /** For the customer; shown once */
  url: string
  /** Verifies the result at the return URL; shown once */
  signingSecret: string
}

export type GetConnectLinkAnswer = {
  id: string
  /** Only these; all that can be connected, unless told */
  platforms?: string[]
  /** Only this vertical */
  vertical?: 'restaurant' | 'retail_pos' | 'accounting'
  /** An account to be connected again; its references and mappings stay */
  accountId?: string
  /** Name of the new account */
  accountName?: string
  /** Id of the new account */
  newAccountId?: string
  /** Where the customer is sent afterwards, with a signed result */
  returnUrl?: string
  /** Handed back with the result */
  state?: string
  /** Only an open one can be used */
  status: 'open' | 'connected' | 'expired' | 'revoked'
  connectedAccountId?: string
  createdAt: string
  expiresAt: string
}

export type ListPlatformAppsAnswer = {
  data: {
    platform: string
    name: string
    /** Whether client id and secret are there; they are never shown */
    configured: boolean
    /** To be registered at the platform */
    redirectUri: string
    /** What is asked for; some platforms want them registered too */
    scopes: string[]
    /** Settings that are the same for all accounts of this application (hosts, a region): customers are not asked for them */
    settings: Record<string, string>
    updatedAt?: string
  }[]
}

export type GetPlatformAppAnswer = {
  platform: string
  name: string
  /** Whether client id and secret are there; they are never shown */
  configured: boolean
  /** To be registered at the platform */
  redirectUri: string
  /** What is asked for; some platforms want them registered too */
  scopes: string[]
  /** Settings that are the same for all accounts of this application (hosts, a region): customers are not asked for them */
  settings: Record<string, string>
  updatedAt?: string
}

export type PutPlatformAppBody = {
  clientId: string
  clientSecret: string
  /** Settings that are the same for all accounts of this application (hosts, a region): customers are not asked for them */
  settings?: Record<string, string>
}

export type PutPlatformAppAnswer = {
  platform: string
  name: string
  /** Whether client id and secret are there; they are never shown */
  configured: boolean
  /** To be registered at the platform */
  redirectUri: string
  /** What is asked for; some platforms want them registered too */
  scopes: string[]
  /** Settings that are the same for all accounts of this application (hosts, a region): customers are not asked for them */
  settings: Record<string, string>
  updatedAt?: string
}

export type DescribePlatformsAnswer = {
  data: {
    platform: string
    name: string
    docs: string
    verticals: ('restaurant' | 'retail_pos' | 'accounting')[]
    auth: {
      /** `auth` of an account */
      kind: 'oauth2' | 'client_credentials' | 'static' | 'basic'
      title: string
      /** None for oauth2: the platform gives them */
      credentials: {
        name: string
        /** The platform's own word */
        label: string
        /** Where to find it */
        help?: string
        secret: boolean
        optional: boolean
        /** Regular expression */
        pattern?: string
        /** The only values there are */
        options?: string[]
        /** Used unless told; {name} stands for another setting */
        default?: string
      }[]
      scopes: string[]
      /** Settings to be given before the platform can be asked; it tells the others itself, or they are optional */
      asked: string[]
    }[]
    settings: {
      name: string
      /** The platform's own word */
      label: string
      /** Where to find it */
      help?: string
      secret: boolean
      optional: boolean
      /** Regular expression */
      pattern?: string
      /** The only values there are */
      options?: string[]
      /** Used unless told; {name} stands for another setting */
      default?: string
    }[]
    /** Where the platform lives in several places: one of these stands for the settings it names */
    regions: {
      label: string
      settings: Record<string, string>
    }[]
  }[]
}

export type ListFaultsAnswer = {
  kinds: {
    kind: string
    explanation: string
  }[]
  platforms: {
    platform: string
    /** What is left of each */
    faults: {
      /** One of `kinds` */
      kind: string
      /** Only calls with this method */
      method?: string
      /** Only calls whose path has this part */
      path?: string
      /** So many calls, then it is over; for ever when absent */
      times?: number
      /** Lets so many matching calls pass first */
      skip?: number
      /** Of each matching call; 1 when absent */
      probability?: number
      /** For the kinds that delay */
      delayMs?: number
    }[]
  }[]
}

export type AddFaultBody = {
  platform: string
  /** One of `kinds` */
  kind: string
  /** Only calls with this method */
  method?: string
  /** Only calls whose path has this part */
  path?: string
  /** So many calls, then it is over; for ever when absent */
  times?: number
  /** Lets so many matching calls pass first */
  skip?: number
  /** Of each matching call; 1 when absent */
  probability?: number
  /** For the kinds that delay */
  delayMs?: number
}

export type AddFaultAnswer = {
  kinds: {
    kind: string
    explanation: string
  }[]
  platforms: {
    platform: string
    /** What is left of each */
    faults: {
      /** One of `kinds` */
      kind: string
      /** Only calls with this method */
      method?: string
      /** Only calls whose path has this part */
      path?: string
      /** So many calls, then it is over; for ever when absent */
      times?: number
      /** Lets so many matching calls pass first */
      skip?: number
      /** Of each matching call; 1 when absent */
      probability?: number
      /** For the kinds that delay */
      delayMs?: number
    }[]
  }[]
}

export type ClearFaultsAnswer = {
  kinds: {
    kind: string
    explanation: string
  }[]
  platforms: {
    platform: string
    /** What is left of each */
    faults: {
      /** One of `kinds` */
      kind: string
      /** Only calls with this method */
      method?: string
      /** Only calls whose path has this part */
      path?: string
      /** So many calls, then it is over; for ever when absent */
      times?: number
      /** Lets so many matching calls pass first */
      skip?: number
      /** Of each matching call; 1 when absent */
      probability?: number
      /** For the kinds that delay */
      delayMs?: number
    }[]
  }[]
}

/** Every operation of the management API by its method and path. */
export type ManageOperations = {
  /** Log in: a session token for the management API, good for 12 hours; with `cookie`, a session cookie for a browser instead */
  'POST /manage/v1/sessions': {
    body: LogInBody
    answer: LogInAnswer
  }
  /** End the session */
  'DELETE /manage/v1/sessions': {
    answer: undefined
  }
  /** Who is logged in */
  'GET /manage/v1/sessions/current': {
    answer: GetSessionAnswer
  }
  /** Change the own password; all other sessions of the user end */
  'PUT /manage/v1/users/current/password': {
    body: ChangePasswordBody
    answer: undefined
  }
  /** List workspaces */
  'GET /manage/v1/workspaces': {
    query: {
      /** The `next` of the previous page */
      after?: string
      /** Entries per page, 50 unless told, at most 500 */
      limit?: string
    }
    answer: ListWorkspacesAnswer
  }
  /** Create a workspace */
  'POST /manage/v1/workspaces': {
    body: CreateWorkspaceBody
    answer: CreateWorkspaceAnswer
  }
  /** Read a workspace */
  'GET /manage/v1/workspaces/{workspaceId}': {
    path: {
      workspaceId: string
    }
    answer: GetWorkspaceAnswer
  }
  /** List access ids */
  'GET /manage/v1/workspaces/{workspaceId}/access-ids': {
    path: {
      workspaceId: string
    }
    query: {
      /** The `next` of the previous page */
      after?: string
      /** Entries per page, 50 unless told, at most 500 */
      limit?: string
    }
    answer: ListAccessIdsAnswer
  }
  /** Create an access id; its secret is shown once */
  'POST /manage/v1/workspaces/{workspaceId}/access-ids': {
    path: {
      workspaceId: string
    }
    body: CreateAccessIdBody
    answer: CreateAccessIdAnswer
  }
  /** Rotate the secret: the old one, and every token issued before, stop working when this returns */
  'POST /manage/v1/workspaces/{workspaceId}/access-ids/{id}/rotate': {
    path: {
      workspaceId: string
      id: string
    }
    answer: RotateAccessIdAnswer
  }
  /** Revoke an access id and all its tokens */
  'DELETE /manage/v1/workspaces/{workspaceId}/access-ids/{id}': {
    path: {
      workspaceId: string
      id: string
    }
    answer: undefined
  }
  /** List API keys */
  'GET /manage/v1/workspaces/{workspaceId}/api-keys': {
    path: {
      workspaceId: string
    }
    query: {
      /** The `next` of the previous page */
      after?: string
      /** Entries per page, 50 unless told, at most 500 */
      limit?: string
    }
    answer: ListApiKeysAnswer
  }
  /** Create an API key; it is shown once */
  'POST /manage/v1/workspaces/{workspaceId}/api-keys': {
    path: {
      workspaceId: string
    }
    body: CreateApiKeyBody
    answer: CreateApiKeyAnswer
  }
  /** Revoke an API key */
  'DELETE /manage/v1/workspaces/{workspaceId}/api-keys/{id}': {
    path: {
      workspaceId: string
      id: string
    }
    answer: undefined
  }
  /** List connected accounts */
  'GET /manage/v1/workspaces/{workspaceId}/accounts': {
    path: {
      workspaceId: string
    }
    query: {
      /** The `next` of the previous page */
      after?: string
      /** Entries per page, 50 unless told, at most 500 */
      limit?: string
      /** Only those with this in their id or name */
      search?: string
      /** Only of this platform */
      platform?: string
      /** Only in this state: active, disabled, reconnect_required */
      state?: string
    }
    answer: ListAccountsAnswer
  }
  /** Connect an account with credentials and settings that the platform accepts */
  'POST /manage/v1/workspaces/{workspaceId}/accounts': {
    path: {
      workspaceId: string
    }
    query: {
      /** `true` by default: credentials and settings are tested with a real call to the platform and stored only when it succeeds. `false` stores them untested */
      test?: string
    }
    body: ConnectAccountBody
    answer: ConnectAccountAnswer
  }
  /** Read a connected account */
  'GET /manage/v1/workspaces/{workspaceId}/accounts/{accountId}': {
    path: {
      workspaceId: string
      accountId: string
    }
    answer: GetAccountAnswer
  }
  /** Change name or settings; new settings must work with the credentials that the account has */
  'PATCH /manage/v1/workspaces/{workspaceId}/accounts/{accountId}': {
    path: {
      workspaceId: string
      accountId: string
    }
    query: {
      /** `true` by default: credentials and settings are tested with a real call to the platform and stored only when it succeeds. `false` stores them untested */
      test?: string
    }
    body: ChangeAccountBody
    answer: ChangeAccountAnswer
  }
  /** Delete the account with its references, mappings and journal */
  'DELETE /manage/v1/workspaces/{workspaceId}/accounts/{accountId}': {
    path: {
      workspaceId: string
      accountId: string
    }
    answer: undefined
  }
  /** Make one cheap call to the platform */
  'POST /manage/v1/workspaces/{workspaceId}/accounts/{accountId}/test': {
    path: {
      workspaceId: string
      accountId: string
    }
    answer: TestAccountAnswer
  }
  /** Refuse all calls until it is enabled again */
  'POST /manage/v1/workspaces/{workspaceId}/accounts/{accountId}/disable': {
    path: {
      workspaceId: string
      accountId: string
    }
    answer: DisableAccountAnswer
  }
  /** Let calls through again */
  'POST /manage/v1/workspaces/{workspaceId}/accounts/{accountId}/enable': {
    path: {
      workspaceId: string
      accountId: string
    }
    answer: EnableAccountAnswer
  }
  /** Replace the credentials by others that the platform accepts; references and mappings stay */
  'POST /manage/v1/workspaces/{workspaceId}/accounts/{accountId}/reconnect': {
    path: {
      workspaceId: string
      accountId: string
    }
    query: {
      /** `true` by default: credentials and settings are tested with a real call to the platform and stored only when it succeeds. `false` stores them untested */
      test?: string
    }
    body: ReconnectAccountBody
    answer: ReconnectAccountAnswer
  }
  /** List mappings, newest version of each */
  'GET /manage/v1/workspaces/{workspaceId}/accounts/{accountId}/mappings': {
    path: {
      workspaceId: string
      accountId: string
    }
    query: {
      /** The `next` of the previous page */
      after?: string
      /** Entries per page, 50 unless told, at most 500 */
      limit?: string
    }
    answer: ListMappingsAnswer
  }
  /** Create a mapping; a rule that cannot work is refused */
  'POST /manage/v1/workspaces/{workspaceId}/accounts/{accountId}/mappings': {
    path: {
      workspaceId: string
      accountId: string
    }
    body: CreateMappingBody
    answer: CreateMappingAnswer
  }
  /** Read a mapping */
  'GET /manage/v1/workspaces/{workspaceId}/accounts/{accountId}/mappings/{mappingId}': {
    path: {
      workspaceId: string
      accountId: string
      mappingId: string
    }
    answer: GetMappingAnswer
  }
  /** Save the next version of a mapping */
  'PUT /manage/v1/workspaces/{workspaceId}/accounts/{accountId}/mappings/{mappingId}': {
    path: {
      workspaceId: string
      accountId: string
      mappingId: string
    }
    body: ChangeMappingBody
    answer: ChangeMappingAnswer
  }
  /** Delete a mapping and the keys that name it */
  'DELETE /manage/v1/workspaces/{workspaceId}/accounts/{accountId}/mappings/{mappingId}': {
    path: {
      workspaceId: string
      accountId: string
      mappingId: string
    }
    answer: undefined
  }
  /** All versions of a mapping */
  'GET /manage/v1/workspaces/{workspaceId}/accounts/{accountId}/mappings/{mappingId}/versions': {
    path: {
      workspaceId: string
      accountId: string
      mappingId: string
    }
    answer: ListMappingVersionsAnswer
  }
  /** List mapping keys */
  'GET /manage/v1/workspaces/{workspaceId}/accounts/{accountId}/mapping-keys': {
    path: {
      workspaceId: string
      accountId: string
    }
    answer: ListMappingKeysAnswer
  }
  /** Create a key for a mapping */
  'POST /manage/v1/workspaces/{workspaceId}/accounts/{accountId}/mapping-keys': {
    path: {
      workspaceId: string
      accountId: string
    }
    body: CreateMappingKeyBody
    answer: CreateMappingKeyAnswer
  }
  /** Delete a mapping key; the two default keys stay */
  'DELETE /manage/v1/workspaces/{workspaceId}/accounts/{accountId}/mapping-keys/{key}': {
    path: {
      workspaceId: string
      accountId: string
      key: string
    }
    answer: undefined
  }
  /** List references: source id -> platform id */
  'GET /manage/v1/workspaces/{workspaceId}/accounts/{accountId}/references': {
    path: {
      workspaceId: string
      accountId: string
    }
    query: {
      /** The `next` of the previous page */
      after?: string
      /** Entries per page, 50 unless told, at most 500 */
      limit?: string
      /** Only references to this type */
      entityType?: string
      /** Only those whose source id or platform id begins so */
      search?: string
    }
    answer: ListReferencesAnswer
  }
  /** Link a source id to a platform id */
  'PUT /manage/v1/workspaces/{workspaceId}/accounts/{accountId}/references': {
    path: {
      workspaceId: string
      accountId: string
    }
    body: LinkReferenceBody
    answer: LinkReferenceAnswer
  }
  /** Delete a reference */
  'DELETE /manage/v1/workspaces/{workspaceId}/accounts/{accountId}/references/{entityType}/{sourceId}': {
    path: {
      workspaceId: string
      accountId: string
      entityType: string
      sourceId: string
    }
    answer: undefined
  }
  /** What rules would do to one record; a rule that cannot work is refused with its reason */
  'POST /manage/v1/workspaces/{workspaceId}/accounts/{accountId}/mappings/preview': {
    path: {
      workspaceId: string
      accountId: string
    }
    body: PreviewMappingBody
    answer: PreviewMappingAnswer
  }
  /** What of an account can be explored */
  'GET /manage/v1/workspaces/{workspaceId}/accounts/{accountId}/explorer': {
    path: {
      workspaceId: string
      accountId: string
    }
    answer: ExploreAccountAnswer
  }
  /** An entity of the account: schema, example, what its platform requires and does not store */
  'GET /manage/v1/workspaces/{workspaceId}/accounts/{accountId}/explorer/{entityType}': {
    path: {
      workspaceId: string
      accountId: string
      entityType: string
    }
    answer: DescribeEntityAnswer
  }
  /** A page of records, each beside its native row */
  'GET /manage/v1/workspaces/{workspaceId}/accounts/{accountId}/explorer/{entityType}/records': {
    path: {
      workspaceId: string
      accountId: string
      entityType: string
    }
    query: {
      /** A read mapping key of the account; the built-in mapping unless told */
      mappingKey?: string
      /** Records per page, 20 unless told */
      pageSize?: string
      /** The `cursor` of the page before */
      cursor?: string
      /** Only what was changed after this instant */
      updatedAfter?: string
    }
    answer: ExploreRecordsAnswer
  }
  /** Write a record under its externalId; the same record again is replayed, not written */
  'POST /manage/v1/workspaces/{workspaceId}/accounts/{accountId}/explorer/{entityType}/records': {
    path: {
      workspaceId: string
      accountId: string
      entityType: string
    }
    body: WriteRecordBody
    answer: WriteRecordAnswer
  }
  /** One record beside its native row */
  'GET /manage/v1/workspaces/{workspaceId}/accounts/{accountId}/explorer/{entityType}/records/{id}': {
    path: {
      workspaceId: string
      accountId: string
      entityType: string
      id: string
    }
    query: {
      /** A read mapping key of the account; the built-in mapping unless told */
      mappingKey?: string
    }
    answer: ExploreRecordAnswer
  }
  /** Replace a record */
  'PUT /manage/v1/workspaces/{workspaceId}/accounts/{accountId}/explorer/{entityType}/records/{id}': {
    path: {
      workspaceId: string
      accountId: string
      entityType: string
      id: string
    }
    body: ReplaceRecordBody
    answer: ReplaceRecordAnswer
  }
  /** Where each unified field of a native row came from; asks the platform nothing */
  'POST /manage/v1/workspaces/{workspaceId}/accounts/{accountId}/explorer/{entityType}/provenance': {
    path: {
      workspaceId: string
      accountId: string
      entityType: string
    }
    body: TraceFieldsBody
    answer: TraceFieldsAnswer
  }
  /** What the API would say to a record; asks the platform nothing */
  'POST /manage/v1/workspaces/{workspaceId}/accounts/{accountId}/explorer/{entityType}/validation': {
    path: {
      workspaceId: string
      accountId: string
      entityType: string
    }
    body: ValidateRecordBody
    answer: ValidateRecordAnswer
  }
  /** The native requests that a write would send; nothing is sent */
  'POST /manage/v1/workspaces/{workspaceId}/accounts/{accountId}/explorer/{entityType}/dry-run': {
    path: {
      workspaceId: string
      accountId: string
      entityType: string
    }
    body: PlanRecordBody
    answer: PlanRecordAnswer
  }
  /** Link many source ids to platform ids: CSV with the columns entityType, sourceId, nativeId, or NDJSON with these fields, up to 10 MiB */
  'POST /manage/v1/workspaces/{workspaceId}/accounts/{accountId}/references/import': {
    path: {
      workspaceId: string
      accountId: string
    }
    query: {
      /** What the references point at, for lines that do not say */
      entityType?: string
    }
    body: ImportReferencesBody
    answer: ImportReferencesAnswer
  }
  /** Imports of references, newest first */
  'GET /manage/v1/workspaces/{workspaceId}/accounts/{accountId}/references/imports': {
    path: {
      workspaceId: string
      accountId: string
    }
    query: {
      /** The `next` of the previous page */
      after?: string
      /** Entries per page, 50 unless told, at most 500 */
      limit?: string
    }
    answer: ListReferenceImportsAnswer
  }
  /** How far an import of references is */
  'GET /manage/v1/workspaces/{workspaceId}/accounts/{accountId}/references/imports/{importId}': {
    path: {
      workspaceId: string
      accountId: string
      importId: string
    }
    answer: GetReferenceImportAnswer
  }
  /** Requests and background work, newest first */
  'GET /manage/v1/workspaces/{workspaceId}/activity': {
    path: {
      workspaceId: string
    }
    query: {
      /** The `next` of the previous page */
      after?: string
      /** Entries per page, 50 unless told, at most 500 */
      limit?: string
      /** Only of this account */
      accountId?: string
      /** Only of this platform */
      platform?: string
      /** ok, error, 4xx, 5xx or an error code */
      status?: string
      /** Only of this entity type */
      entityType?: string
      /** Only what touched this record: its id at the platform or the caller's key, best with accountId and entityType */
      record?: string
      /** Not before this instant */
      since?: string
      /** Before this instant */
      until?: string
      /** A request id or its beginning, a record's id at either side, or an account id */
      search?: string
    }
    answer: ListActivityAnswer
  }
  /** Read a request with its trace */
  'GET /manage/v1/workspaces/{workspaceId}/activity/{requestId}': {
    path: {
      workspaceId: string
      requestId: string
    }
    answer: GetActivityAnswer
  }
  /** Who did what in the management API, newest first */
  'GET /manage/v1/audit': {
    query: {
      /** The `next` of the previous page */
      after?: string
      /** Entries per page, 50 unless told, at most 500 */
      limit?: string
      /** A workspace's id, or `install` for what belongs to none; `install` unless told */
      scope?: string
      /** Only this operationId */
      action?: string
      /** Only this user */
      actor?: string
      /** Only this outcome: `ok` or the code of a problem */
      outcome?: string
    }
    answer: ListAuditAnswer
  }
  /** The whole audit log, one JSON object per line, oldest first */
  'GET /manage/v1/audit/export': {
    query: {
      /** A workspace's id, or `install` for what belongs to none; everything unless told */
      scope?: string
    }
    answer: ExportAuditAnswer
  }
  /** Checks the chain of every scope from its first entry on */
  'GET /manage/v1/audit/verification': {
    answer: VerifyAuditAnswer
  }
  /** Requests, errors, waits and utilisation over time, accounts by state, recent failures */
  'GET /manage/v1/workspaces/{workspaceId}/overview': {
    path: {
      workspaceId: string
    }
    query: {
      /** From this instant, a day ago unless told */
      since?: string
      /** To this instant, now unless told */
      until?: string
      /** Minutes per point: 1, 5, 15, 60, 360, 1440; chosen to fit unless told */
      step?: string
    }
    answer: GetOverviewAnswer
  }
  /** List connect links; dead ones are kept for 30 days */
  'GET /manage/v1/workspaces/{workspaceId}/connect-links': {
    path: {
      workspaceId: string
    }
    query: {
      /** The `next` of the previous page */
      after?: string
      /** Entries per page, 50 unless told, at most 500 */
      limit?: string
    }
    answer: ListConnectLinksAnswer
  }
  /** Make a link with which an end customer connects one account; url and signingSecret are shown only now */
  'POST /manage/v1/workspaces/{workspaceId}/connect-links': {
    path: {
      workspaceId: string
    }
    body: CreateConnectLinkBody
    answer: CreateConnectLinkAnswer
  }
  /** Read a connect link */
  'GET /manage/v1/workspaces/{workspaceId}/connect-links/{linkId}': {
    path: {
      workspaceId: string
      linkId: string
    }
    answer: GetConnectLinkAnswer
  }
  /** Revoke a connect link; an account that it connected stays */
  'DELETE /manage/v1/workspaces/{workspaceId}/connect-links/{linkId}': {
    path: {
      workspaceId: string
      linkId: string
    }
    answer: undefined
  }
  /** Which OAuth platforms have an application here */
  'GET /manage/v1/workspaces/{workspaceId}/platform-apps': {
    path: {
      workspaceId: string
    }
    answer: ListPlatformAppsAnswer
  }
  /** Whether an application is there, and what to register at the platform */
  'GET /manage/v1/workspaces/{workspaceId}/platform-apps/{platform}': {
    path: {
      workspaceId: string
      platform: string
    }
    answer: GetPlatformAppAnswer
  }
  /** Set client id and secret; accounts of the same client id go on with the new secret */
  'PUT /manage/v1/workspaces/{workspaceId}/platform-apps/{platform}': {
    path: {
      workspaceId: string
      platform: string
    }
    body: PutPlatformAppBody
    answer: PutPlatformAppAnswer
  }
  /** Forget the application; connected accounts go on */
  'DELETE /manage/v1/workspaces/{workspaceId}/platform-apps/{platform}': {
    path: {
      workspaceId: string
      platform: string
    }
    answer: undefined
  }
  /** Ways to authenticate and settings of every platform, with labels for forms */
  'GET /manage/v1/platforms': {
    answer: DescribePlatformsAnswer
  }
  /** Fault switches of the simulators, and what each does */
  'GET /manage/v1/sandbox/faults': {
    answer: ListFaultsAnswer
  }
  /** Let calls to a simulator go wrong */
  'PUT /manage/v1/sandbox/faults': {
    body: AddFaultBody
    answer: AddFaultAnswer
  }
  /** Let calls to the simulators work again */
  'DELETE /manage/v1/sandbox/faults': {
    query: {
      /** Only of this platform; of all unless told */
      platform?: string
    }
    answer: ClearFaultsAnswer
  }
}
