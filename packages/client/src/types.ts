// Public types of the client.
import type {
  AccountSupport,
  AllRecords,
  Change,
  ChangePage,
  DryRun,
  FeedStatus,
  KeyStatus,
  NativeCall,
  NativeParts,
  NativeResponse,
  Pagination,
  Reference,
  VerticalRecords,
  Warning,
} from './generated/records.ts'

export interface ResponseInfo {
  method: string
  path: string
  /** 0 if there was no response: a network error or a timeout. */
  status: number
  requestId?: string
  /** Time in the queue for the platform's rate limit. */
  waitedMs?: number
  /** Rate-limit use of the account. */
  rateLimit?: RateLimit
  /** 1 for the first attempt. */
  attempt: number
}
export interface RateLimit {
  limit: number
  left: number
  resetSeconds: number
}

export interface ClientOptions {
  /** URL of the service, such as https://records.example.com. */
  url: string
  /** Form A. */
  apiKey?: string
  /** Form B, with `accessSecret` and mapping keys. */
  accessId?: string
  accessSecret?: string
  /** Form B: URL of the token endpoint, if it is not the one at `url`. */
  authUrl?: string
  /** Form B: mapping keys by account id. `account()` can override them. */
  mappingKeys?: Readonly<Record<string, { read?: string; write?: string }>>
  /** URL of the management API, if it is not at `url`: the management port of the service. */
  manageUrl?: string
  fetch?: typeof fetch
  /** Maximum number of retries, where a retry is safe. 4 by default. */
  maxRetries?: number
  /** Timeout of one attempt. 90 000 by default. */
  timeoutMs?: number
  /** Called after every attempt, including those of the token endpoint. */
  onResponse?(info: ResponseInfo): void
}
export interface AccountOptions {
  readMappingKey?: string
  writeMappingKey?: string
}

export interface CallOptions {
  signal?: AbortSignal
  /** Maximum queue time in seconds for the platform's rate limit, at most 60. 10 by default. */
  wait?: number
}
/** What a response has of each record. */
export interface SelectOptions {
  /** `native`: also what the platform sent for each record. */
  include?: 'native'
  /** Fields such as `name` and `address.city`. Records have these and `externalId`; do not update with such a record. */
  fields?: readonly string[]
}
export interface ListOptions extends CallOptions, SelectOptions {
  pageSize?: number
  /** Only records modified after this time. */
  updatedAfter?: string | Date
  /** A source id, a platform id, or what the platform can search for. Not together with `updatedAfter`. */
  search?: string
  /** Continues an earlier list. Includes page size, filter, `include` and `fields`. */
  cursor?: string
}
/** Whose ids the references in a record are. */
export interface ReferenceOptions {
  /**
   * `source`: your source ids; an unknown one fails with `unknown_reference`. `platform`: the platform's ids. `auto`: a
   * source id if one was written or linked under it, else the platform's id, with the warning `reference_assumed`.
   */
  references?: 'auto' | 'source' | 'platform'
}
export interface TotalsOptions {
  /**
   * `exact`: a record with another `total` than the platform makes of it fails with `totals_differ` if the platform can
   * compute it first, and has the warning `totals_differ` otherwise.
   */
  totals?: 'exact'
}
export interface CreateOptions extends CallOptions, ReferenceOptions, TotalsOptions {
  /** Resends a write whose outcome is unknown. */
  onUnknown?: 'resend'
  /**
   * `duplicates`: fails with `possible_duplicate` if the same content was just written with this option under another
   * `externalId`.
   */
  guard?: 'duplicates'
  /** With `guard`: writes the record although its content was just written. */
  confirmDuplicate?: boolean
  dryRun?: false
}
export interface DryRunOptions extends CallOptions, ReferenceOptions, TotalsOptions {
  /** `check`: validates without calls to the platform. */
  dryRun: true | 'check'
}
export interface UpdateOptions extends CallOptions, ReferenceOptions, TotalsOptions {
  /** `etag` of the record that was read. The update fails if the record has changed. */
  ifMatch?: string
}
/** `references` is `source` by default: a record never refers to an unknown id. */
export interface CreateManyOptions<Input> extends ReferenceOptions {
  signal?: AbortSignal
  onUnknown?: 'resend'
  /** Called after each record. Its result is not awaited. */
  onProgress?(progress: Progress<Input>): void
}

/** With `include: 'native'`: by `externalId`, what the platform sent. */
export interface WithNative {
  native?: Record<string, NativeParts>
}
export interface Page<T> extends WithNative {
  data: T[]
  pagination: Pagination
  /** Records that could not be normalized, and derived values. */
  warnings?: Warning[]
}
/** One page when awaited, all records when iterated. Prefetches one page. */
export interface List<T> extends Promise<Page<T>>, AsyncIterable<T> {
  pages(): AsyncIterable<Page<T>>
}
export interface Answer<T> extends WithNative {
  data: T
  /** Version of the record for `ifMatch`, if the platform has versions. */
  etag?: string
  warnings?: Warning[]
}
export interface Written<T> {
  /** Always true: a write that fails throws. */
  success: boolean
  data: T
  reference: Reference
  /** Version of `data` for `ifMatch`. Absent in a replay, and if the platform has no versions. */
  etag?: string
  /** Fields that the platform does not store, or stores differently. */
  warnings?: Warning[]
}
/** The outcome of a key; without `data` and `reference` if nothing was written with it. */
export interface Found<T> extends WithNative {
  data?: T
  reference?: KeyStatus
  warnings?: Warning[]
}
export interface Progress<Input> {
  index: number
  record: Input
  /** Records written so far, now or in an earlier run. */
  done: number
  /** Number of those written by an earlier run. */
  replayed: number
  failed: number
  /** Result for this record, if it was written. */
  reference?: Reference
  warnings?: Warning[]
  /** Error of this record, if it failed. */
  error?: unknown
}
export interface CreateManyResult {
  done: number
  replayed: number
  failed: { index: number; externalId: string; error: unknown }[]
}

type Partly<T> = T extends readonly (infer Entry)[]
  ? Partly<Entry>[]
  : T extends object
    ? { [Name in keyof T]?: Partly<T[Name]> }
    : T
/** A record with selected fields. */
export type Selected<T> = { externalId: string } & Partly<T>
type WithFields = { fields: readonly string[] }

export interface Reader<T> {
  list(options: ListOptions & WithFields): List<Selected<T>>
  list(options?: ListOptions): List<T>
  /** By platform id: `externalId` of a record that was read, `reference.id` of one that was written. */
  get(id: string, options: CallOptions & SelectOptions & WithFields): Promise<Answer<Selected<T>>>
  get(id: string, options?: CallOptions & SelectOptions): Promise<Answer<T>>
  /** By your own id, under which the record was written or linked. */
  findByExternalId(externalId: string, options: CallOptions & SelectOptions & WithFields): Promise<Found<Selected<T>>>
  findByExternalId(externalId: string, options?: CallOptions & SelectOptions): Promise<Found<T>>
}
export interface EntityClient<T, Input extends { externalId: string }> extends Reader<T> {
  create(record: Input, options: DryRunOptions): Promise<DryRun>
  create(record: Input, options?: CreateOptions): Promise<Written<T>>
  /** Replaces the whole record. `id` is the platform's id. */
  update(id: string, record: Input, options?: UpdateOptions): Promise<Written<T>>
  /** In sequence. After a crash, run it again: only missing records are written. */
  createMany(
    records: Iterable<Input> | AsyncIterable<Input>,
    options?: CreateManyOptions<Input>,
  ): Promise<CreateManyResult>
}
type ClientOf<Kind> = Kind extends { record: infer T; input: infer Input extends { externalId: string } }
  ? EntityClient<T, Input>
  : Kind extends { record: infer T }
    ? Reader<T>
    : never
export type Entities = { [Name in keyof AllRecords]: ClientOf<AllRecords[Name]> }
export type EntityName = keyof Entities
/** A record whose type is known only at runtime. */
export type AnyRecord = { externalId: string; [field: string]: unknown }

export type Vertical = keyof VerticalRecords
/** The entities of one vertical, with exactly its fields. */
export type EntitiesOf<V extends Vertical> = { [Name in keyof VerticalRecords[V]]: ClientOf<VerticalRecords[V][Name]> }
type RecordOf<Kind> = Kind extends Reader<infer T> ? T : never
type ChangeOf<E> = {
  [Name in keyof E & EntityName]: Omit<Change, 'entityType' | 'record'> & {
    entityType: Name
    record?: RecordOf<E[Name]>
  }
}[keyof E & EntityName]
/** A change, with the record of its entity. */
export type EntityChange = ChangeOf<Entities>
export interface ChangesOptions {
  /** Where an earlier iteration ended. Without it the feed starts now. */
  cursor?: string
  /** By default those of the cursor, or all that are watched. */
  entityTypes?: readonly EntityName[]
  signal?: AbortSignal
  /** `native`: pages also have what the platform has now of each record. Each record costs a call. */
  include?: 'native'
  /** Changes per request, at most 500. 50 by default. */
  pageSize?: number
  /** Seconds that one request waits for a change, at most 60. 30 by default. */
  wait?: number
  /** `true` by default: waits for more changes. `false`: ends with the last change so far. */
  follow?: boolean
  /** Store the cursor: everything before it was processed. Called after every page, also after one without changes. */
  onCursor?(cursor: string): unknown
}
/** Waits for the end of a first walk, and for changes. Ends when the signal aborts. */
export interface Changes<Each = EntityChange> extends AsyncIterable<Each> {
  /** Store it after a change was processed: an iteration from here repeats at most one page. */
  readonly cursor: string | undefined
  /** Up to when the feed was complete when it was last caught up. */
  readonly completeUntil: ChangePage['completeUntil']
  /** Only pages with changes. */
  pages(): AsyncIterable<ChangePage>
}
export interface CopyOptions extends Omit<ChangesOptions, 'entityTypes'> {
  /** Before the lists are read: at first, and again after the cursor has expired. */
  onStart?(): unknown
  /** For every record of the lists. */
  onRecord(record: AnyRecord, entityType: EntityName): unknown
  /** After the lists were read: delete the records of your copy that were not among them. */
  onCopied?(): unknown
  onChange(change: EntityChange): unknown
}

interface AccountOf<E> {
  readonly id: string
  entity<Name extends keyof E>(name: Name): E[Name]
  entity(name: string): EntityClient<AnyRecord, AnyRecord>
  /** What the account supports. */
  describe(options?: Pick<CallOptions, 'signal'>): Promise<AccountSupport>
  /**
   * A call of the platform's own API. Needs a credential with the scope `native`. A call that may write needs an
   * `externalId`, and is sent once: the same call gets the stored response. The result has the platform's status, also
   * for its errors.
   */
  native(call: NativeCall, options?: CallOptions): Promise<NativeResponse>
  /** Changes of records, as long as the iteration lasts. */
  changes(options?: ChangesOptions): Changes<ChangeOf<E>>
  /** What is watched, and how current it is. */
  changesStatus(options?: Pick<CallOptions, 'signal'>): Promise<FeedStatus>
  /**
   * Reads the lists of these entities and then follows their changes. Callbacks run one after the other and are awaited.
   * Returns the cursor, with `follow: false` only.
   */
  copy(entityTypes: EntityName | readonly EntityName[], options: CopyOptions): Promise<string>
}
/** With the fields of all verticals. */
export interface AccountClient extends Entities, AccountOf<Entities> {}
/** With the entities and fields of one vertical. */
export type VerticalAccountClient<V extends Vertical> = EntitiesOf<V> & AccountOf<EntitiesOf<V>>
