// What a caller sees of the client.
import type {
  AccountSupport,
  Category,
  CategoryInput,
  Customer,
  CustomerInput,
  DryRun,
  Employee,
  EmployeeInput,
  KeyStatus,
  Order,
  OrderInput,
  Pagination,
  PlatformSupport,
  Product,
  ProductInput,
  Reference,
  TimeEntry,
  Warning,
} from './generated/records.ts'

export interface ResponseInfo {
  method: string
  path: string
  /** 0 when there was no answer: the network failed or the time was up. */
  status: number
  requestId?: string
  /** How long the call waited for a slot within the platform's limit. */
  waitedMs?: number
  /** Where the account stands with its platform. */
  rateLimit?: RateLimit
  /** 1 for the first try. */
  attempt: number
}
export interface RateLimit {
  limit: number
  left: number
  resetSeconds: number
}

export interface ClientOptions {
  /** Where the service is, such as https://records.example.com. */
  url: string
  /** Form A. */
  apiKey?: string
  /** Form B, with `accessSecret` and mapping keys. */
  accessId?: string
  accessSecret?: string
  /** Form B: the mapping keys by account id, unless `account()` is given them. */
  mappingKeys?: Readonly<Record<string, { read?: string; write?: string }>>
  fetch?: typeof fetch
  /** How often a call is repeated when that is safe and promising: 4 unless told. */
  maxRetries?: number
  /** For one attempt: 90 000 unless told. */
  timeoutMs?: number
  /** Told about every attempt, those of the token endpoint included. */
  onResponse?(info: ResponseInfo): void
}
export interface AccountOptions {
  readMappingKey?: string
  writeMappingKey?: string
}

export interface CallOptions {
  signal?: AbortSignal
  /** Seconds the service may wait for a slot within the platform's limit, at most 60; 10 unless told. */
  wait?: number
}
export interface ListOptions extends CallOptions {
  pageSize?: number
  /** Only records modified strictly after this instant. */
  updatedAfter?: string | Date
  /** Where an earlier walk stopped: it carries page size and filter. */
  cursor?: string
}
export interface CreateOptions extends CallOptions {
  /** Send again a write whose outcome the platform cannot tell. */
  onUnknown?: 'resend'
  dryRun?: false
}
export interface DryRunOptions extends CallOptions {
  /** `check`: only what can be said without a call to the platform. */
  dryRun: true | 'check'
}
export interface UpdateOptions extends CallOptions {
  /** `etag` of the record as it was read: the update is refused when it has changed since. */
  ifMatch?: string
}
export interface CreateManyOptions<Input> {
  signal?: AbortSignal
  onUnknown?: 'resend'
  /** After each record; what it returns is not waited for. */
  onProgress?(progress: Progress<Input>): void
}

export interface Page<T> {
  data: T[]
  pagination: Pagination
  /** Records that could not be normalised, and values that were derived. */
  warnings?: Warning[]
}
/** One page when awaited, all records when iterated. The next page is on its way while one is being used, never more than that. */
export interface List<T> extends Promise<Page<T>>, AsyncIterable<T> {
  pages(): AsyncIterable<Page<T>>
}
export interface Answer<T> {
  data: T
  /** The record's version, where its platform has one; for `ifMatch`. */
  etag?: string
  warnings?: Warning[]
}
export interface Written<T> {
  data: T
  reference: Reference
  /** Fields that the platform does not keep, or holds differently. */
  warnings?: Warning[]
}
/** What became of a key; neither `data` nor `reference` when nothing was ever written under it. */
export interface Found<T> {
  data?: T
  reference?: KeyStatus
  warnings?: Warning[]
}
export interface Progress<Input> {
  index: number
  record: Input
  /** Records written so far, now or in an earlier run. */
  done: number
  /** How many of them an earlier run had written. */
  replayed: number
  failed: number
  /** Of this record, when it was written. */
  reference?: Reference
  warnings?: Warning[]
  /** Of this record, when it failed. */
  error?: unknown
}
export interface CreateManyResult {
  done: number
  replayed: number
  failed: { index: number; externalId: string; error: unknown }[]
}

export interface Reader<T> {
  list(options?: ListOptions): List<T>
  /** By the platform's own id. */
  get(id: string, options?: CallOptions): Promise<Answer<T>>
  /** By the key it was written under. */
  findByExternalId(externalId: string, options?: CallOptions): Promise<Found<T>>
}
export interface EntityClient<T, Input extends { externalId: string }> extends Reader<T> {
  create(record: Input, options: DryRunOptions): Promise<DryRun>
  create(record: Input, options?: CreateOptions): Promise<Written<T>>
  /** Replaces the whole record. */
  update(id: string, record: Input, options?: UpdateOptions): Promise<Written<T>>
  /** One after the other; run it again after a crash and only what is missing is written. */
  createMany(records: Iterable<Input> | AsyncIterable<Input>, options?: CreateManyOptions<Input>): Promise<CreateManyResult>
}
export interface Entities {
  product: EntityClient<Product, ProductInput>
  order: EntityClient<Order, OrderInput>
  customer: EntityClient<Customer, CustomerInput>
  category: EntityClient<Category, CategoryInput>
  employee: EntityClient<Employee, EmployeeInput>
  time_entry: Reader<TimeEntry>
}
export type EntityName = keyof Entities
/** A record whose type is only known when the program runs. */
export type AnyRecord = { externalId: string; [field: string]: unknown }

export interface AccountClient extends Entities {
  readonly id: string
  entity<Name extends EntityName>(name: Name): Entities[Name]
  entity(name: string): EntityClient<AnyRecord, AnyRecord>
  /** What the account supports. */
  describe(options?: Pick<CallOptions, 'signal'>): Promise<AccountSupport>
}
export interface Client {
  account(id: string, options?: AccountOptions): AccountClient
  /** The support matrix, with the limits of every platform. */
  platforms(options?: Pick<CallOptions, 'signal'>): Promise<PlatformSupport[]>
}
