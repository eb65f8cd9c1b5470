// Types only. A connector is data, and functions whose only effect is the call object they are given; the engine makes
// every call.
import type { TObject } from 'typebox'
import type { UnifiedRecord } from './entities/index.ts'
import type { EntityType, Pointer, Vertical } from './entity.ts'
import type { Registration, Words } from './words.ts'

/** "{name}" is filled from account settings, credentials and kept token values. */
export type Template = string

export interface NativeRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string // never a host: hosts are Connector.origins
  query?: Readonly<Record<string, string | number | boolean | readonly (string | number | boolean)[] | undefined>>
  headers?: Readonly<Record<string, string>>
  body?: unknown // JSON, unless it is a string: then sent as it is
  origin?: string // a name in Connector.origins; 'api' by default
  lane?: string // a name in Connector.lanes: an extra limit for this call
}
export interface NativeResponse {
  status: number
  headers: Readonly<Record<string, string>>
  // biome-ignore lint/suspicious/noExplicitAny: a vendor's response has any shape; the adapter that requested it knows which
  body: any // parsed JSON, or text
}
export type NativeErrorKind =
  | 'invalid' // the record or a field of it was refused
  | 'not_found'
  | 'stale' // the version sent is no longer the newest: the update is run again once
  | 'duplicate' // a unique value is taken
  | 'throttled' // refused before it ran: the one error after which a write is sent again freely
  | 'token' // the access token is no longer valid: it is refreshed and the call sent again once
  | 'reconnect' // the authorization was revoked
  | 'forbidden'
  | 'cursor' // the vendor's cursor is no longer valid
  | 'unavailable' // 5xx and the like: a write may or may not have happened
export interface NativeError {
  kind: NativeErrorKind
  code?: string
  message: string
  fields?: readonly { native: string; message: string }[] // of the record; of a refused token: the name of a credential
  retryAfterMs?: number
}
/**
 * What a successful response must have to be believed: JSON pointer (`*`: every element) -> what is there. Anything
 * else is a lost response, never an empty page or a record without an id.
 * With `?` the member may be absent or null; a body that has none of the declared members is believed only where it is
 * `{}`, and in the place of a bare list only where it is a 204 without a body.
 *  'anything': the call is over with its status. 'nothing': the response is a 204.
 * Several shapes: one of them is enough. With 'header name' an empty page that anything could send is believed only
 * with a header of the platform.
 */
export type Shape = ShapeMembers | readonly ShapeMembers[] | 'anything' | 'nothing'
export type ShapeMembers = Readonly<Record<Pointer | `header ${string}`, ShapeKind | `${ShapeKind}?`>>
/** `id`: text that is not empty, or a number. `position`: text that the request for the next page has by this name. */
export type ShapeKind = 'array' | 'object' | 'id' | 'string' | 'number' | 'boolean' | 'position'

export interface AccountView {
  id: string
  vertical: Vertical
  settings: Readonly<Record<string, string>> // settings and kept token values; never a secret
}

/**
 * What a reading operation may do. `read` is repeated freely: use it for every call that changes nothing, POST searches
 * and queries too.
 */
export interface ReadCall {
  account: AccountView
  now: string // fixed when the operation began; the same again on a resume
  read(request: NativeRequest): Promise<NativeResponse> // rejects with NativeFailure; authenticated, paced, logged
  // A fact of the account (currency, locations, menus), cached for minutes.
  cached<T>(name: string, load: () => Promise<T>): Promise<T>
}
/** Only create and update get this, so a list cannot write. */
export interface WriteCall extends ReadCall {
  reference: string // 16 characters, stable for this record; store it where `find` can see it
  key(step: string): string // 32 characters, the platform's idempotency key for that step, the same on a resume
  write<T>(name: string, step: Step<T>): Promise<T> // journaled under its name: a completed step is never sent again
}
/**
 * `read`'s value is stored as JSON. If it is a string, or has an `id`, that is the platform id reported for a write
 * that stays incomplete.
 */
export interface Step<T> {
  request: NativeRequest
  read(response: NativeResponse): T
  recovery: Recovery<T>
  /**
   * Sent when a later step is refused, so that nothing incomplete remains and a corrected record can be sent; 404
   * counts as done.
   *  'nothing': the step changed nothing, or what it changed goes with an earlier step. Absent: it cannot be undone. */
  undo?: ((value: T) => NativeRequest) | 'nothing'
}
/** What to do when the outcome of a sent step is unknown. key: send the same bytes again under the platform's key.
 * repeat: the call sets an absolute value, send it again. find: look it up at the platform. Absence counts only when
 * the call can no longer be under way, and `lagSeconds` (2 by default) after that.
 * A search by content, not by `reference`, skips what is not `unclaimed`: a record that another key of the account
 * wrote is not this one. none: 409 outcome_unknown.
 */
export type Recovery<T> =
  | 'key'
  | 'repeat'
  | 'none'
  | { find(unclaimed: (id: string) => Promise<boolean>): Promise<T | undefined>; lagSeconds?: number }

export interface ListQuery {
  size: number
  // UTC, milliseconds: every row with a later stamp is wanted, and an earlier row does no harm. The same for a walk.
  updatedAfter?: string
  gone?: true // with `updatedAfter`: what was deleted since is wanted, too
}
export interface Page<Row, At> {
  rows: Row[] // any number of rows: the engine cuts, fills and resumes by row id
  gone?: string[] // ids of rows or groups that were deleted, where `Listing.deletes` says so
  next?: At // any JSON; absent at the end
  doubtful?: true // it lacks rows that were to be expected: the list may go on
  total?: number // rows of all pages, as the platform counts them; only where each of them is one row
}
export interface Completion<Row> {
  size: number // rows at a time
  most?: number // rows in a page; a page with more of them is shorter
  rows(call: ReadCall, rows: Row[]): Promise<Row[]>
  /**
   * Differs between two listed rows of a record if its completed row may differ. A completed row is used again as long
   * as the version is the same. Undefined: the listed row does not tell.
   */
  version?(row: Row): string | undefined
  /**
   * The unified fields that a listed row has not, or has in another form. The other ones are the same without the second
   * call, so it is not made for them. Absent: all fields need it.
   */
  fields?: readonly Pointer[]
}
export type StampPrecision = 'milliseconds' | 'seconds'
export interface Listing<Row, At> {
  pageLimit: number
  updatedAfter: 'platform' | 'service' | 'none'
  // The stamp as the platform has it. Given: the engine checks again, whatever the platform filtered.
  modifiedAt?(row: Row): string | undefined
  /**
   * What the platform's stamps are cut to; milliseconds by default. With 'seconds' a record that is modified later in
   * the second of `updatedAfter` has an earlier stamp than that: the engine asks for that whole second.
   */
  stampPrecision?: StampPrecision
  // One vendor page, flattened: one row per unified record.
  page(call: ReadCall, query: ListQuery, at?: At): Promise<Page<Row, At>>
  deletes?: true // a page with `updatedAfter` names what was deleted since
  // Second calls, only for rows really served; `get` finishes its row itself.
  complete?: Completion<Row>
  /** How long after a change the list may still lack it: index and replication lag. 5 by default. */
  settleSeconds?: number
  /** Older records are no longer listed, and `get` may not find them either: their absence does not prove a delete. */
  horizonDays?: number
}
/**
 * When a field is required: every given member must hold. A `*` means the same element as in the pointer of the
 * requirement. `/settings/x` is a setting of the account. 0 and a blank text count as not given.
 */
export interface Condition {
  without?: Pointer // it is not given
  with?: Pointer // it is given
  is?: Readonly<Record<Pointer, readonly string[]>> // it has one of these values
  isNot?: Readonly<Record<Pointer, readonly string[]>> // it is absent or has another value
  fact?: string // a clause about what only the platform knows ("the account has several locations"): `run` checks it
}
export interface Requirement extends Condition {
  pointer: Pointer // a field, or `/settings/x`
}
/**
 * The form in which the platform takes the country and state of an address: an ISO 3166 code, or an English name. The
 * engine converts what the record has. Absent: as given.
 */
export interface Places {
  country?: 'code' | 'name'
  state?: 'code' | 'name'
  longStateCodes?: readonly string[] // countries whose states have the long code: JP-13 instead of 13
}
/** All of it is checked before anything is sent, and shown in the support matrix. */
export interface Write<E extends EntityType> {
  requires?: readonly Pointer[]
  requiresWhen?: readonly Requirement[]
  // The only values that the platform takes. An update may also leave the present value as it is.
  values?: Readonly<Record<Pointer, { only: readonly string[]; why?: string }>>
  longest?: Readonly<Record<Pointer, number>> // in characters
  // Whole field, or only these values of it: a warning on the write. An object covers its fields.
  notStored?: Readonly<Record<Pointer, true | readonly string[]>>
  places?: Places // not in the matrix: names and codes are accepted everywhere
  derived?: readonly Pointer[] // stored in another form: a warning with what the platform holds
  // Values that the platform does not take, as far as no table can express it.
  check?(record: UnifiedRecord<E>, account: AccountView): { pointer: Pointer; message: string }[]
  // Native field in a NativeError -> unified pointer; `*` matches an array index on both sides.
  fields?: Readonly<Record<string, Pointer>>
}
export interface Written<Row> {
  id: string
  row?: Row // no row: the engine reads it back with `get`
}
export interface Mapping {
  account: AccountView
  warn(pointer: Pointer, message: string): void
}
// biome-ignore-start lint/suspicious/noExplicitAny: a row is the vendor's own shape, a position any JSON: only the adapter knows them
export type SearchField = 'name' | 'email' | 'phone' | 'sku' | 'number'
export interface SearchQuery {
  text: string
  like: 'email' | 'phone' | 'text' // what the text looks like
  size: number
}
/** The platform's own search. Ids are looked up without it. */
export interface Search<Row, At> {
  by: readonly SearchField[]
  newestFirst: boolean
  /** A text that the platform cannot search for has no rows, and makes no call. */
  page(call: ReadCall, query: SearchQuery, at?: At): Promise<Page<Row, At>>
}
export type CustomType = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object'
/** Native fields without a unified field that a caller may write as custom fields. */
export interface CustomPlaces<Row> {
  // Pointer into the row -> type. In a list of named values, `[key=*]` stands for any name.
  fields: Readonly<Record<Pointer, CustomType>>
  /** Pointers that this service uses itself. */
  reserved?(pointer: string): boolean
  /** Sets the values at their pointers; null clears. The row is the one that was just written. */
  set(call: WriteCall, row: Row, values: Readonly<Record<string, unknown>>): Promise<Row>
}
export interface EntityAdapter<E extends EntityType, Row = any, At = any> {
  /** Raised when `toUnified` gives another record for the same row, so that a deploy reports no updates. 1 by default. */
  revision?: number
  id(row: Row): string
  // Fields of another flavor and undefined values are removed by the engine.
  toUnified(row: Row, mapping: Mapping): UnifiedRecord<E>
  // Of the kept `scope`: what this account may really do.
  scopes?: {
    read?: readonly string[]
    write?: readonly string[]
    // Scopes without which reads work but lack something: what they lack, for a warning on every page. With `isMissing`
    // only if all rows of the page lack it.
    lacking?: Readonly<Record<string, { message: string; pointer?: Pointer; isMissing?(row: Row): boolean }>>
  }
  verticals?: readonly Vertical[] // where the platform serves several: the ones that have this entity; all by default
  list: Listing<Row, At>
  get?(call: ReadCall, id: string): Promise<Row | undefined>
  /**
   * Where several rows belong to one native record, such as the variants of a product: what they have in common, and all
   * of them. No rows: the native record does not exist.
   */
  group?(row: Row): string
  members?(call: ReadCall, group: string): Promise<Row[]>
  version?(row: Row): string | undefined // the platform's own version of a record, where it has one
  /**
   * Given for a row that is the refund of another order. It is not an order: a warning names it in its place. `of` is
   * the order that was refunded.
   */
  refund?(row: Row): { of?: string } | undefined
  search?: Search<Row, any>
  custom?: CustomPlaces<Row>
  // References already resolved.
  create?: Write<E> & { run(call: WriteCall, record: UnifiedRecord<E>): Promise<Written<Row>> }
  /**
   * `current` reads the row that `run` changes; by default `get`. The engine calls it, responds with 404 or 412, and
   * calls both once more on `stale`.
   */
  update?: Write<E> & {
    // The fields of such a record that the platform cannot clear: left out, they get the value that it holds.
    keeps?(record: UnifiedRecord<E>): readonly Pointer[]
    current?(call: ReadCall, id: string): Promise<Row | undefined>
    run(call: WriteCall, current: Row, record: UnifiedRecord<E>): Promise<Written<Row>>
  }
}
// biome-ignore-end lint/suspicious/noExplicitAny: see above
export interface Rate {
  requests: number
  seconds: number
  usable?: number // of the requests, by this service. The rest is for other integrations that share the limit.
}
/**
 * Calls of a business in any 24 hours. Where they depend on its plan, by the value of an account setting; for another
 * value, or none, calls are counted and not limited.
 */
export interface DailyLimit {
  calls: number | { setting: string; limits: Readonly<Record<string, number>> }
  remainingHeader?: string // of responses, lower case: the calls that are left of the day
}
export interface TokenCall {
  origin?: string
  path: Template
  encoding: 'json' | 'form'
  basic?: boolean // client id and secret as HTTP Basic
  headers?: Readonly<Record<string, Template>>
  fields: Readonly<Record<string, Template>> // a field whose template names an absent value is left out
}
export interface TokenAnswer {
  access: string // JSON pointers into the response
  refresh?: string
  expires?: { at: string; as: 'iso' | 'unix' } | { in: string }
  keep?: Readonly<Record<string, string>>
}
export type Auth = (
  | {
      kind: 'oauth2'
      /**
       * {state}, {redirectUri} and, where the platform takes it beside a secret, {codeChallenge} (PKCE, S256) are
       * filled in; the exchange then has {codeVerifier}.
       */
      authorize: { origin: string; path: Template; query: Readonly<Record<string, Template>> }
      /**
       * Setting, or value for the exchange only, -> query parameter of the redirect. A setting is checked against its
       * schema before the code is exchanged: it may decide where the secret is sent.
       */
      callback?: Readonly<Record<string, string>>
      /**
       * Query parameter that signs all others of the redirect: hex HMAC-SHA256 under the client secret over them,
       * sorted and form-encoded.
       */
      callbackHmac?: string
      exchange: TokenCall
      refresh?: TokenCall
      answer: TokenAnswer
      refreshToken: 'reusable' | 'rotates' | 'single_use' | 'none'
      registration?: Registration
    }
  | { kind: 'client_credentials'; login: TokenCall; answer: TokenAnswer }
  | { kind: 'static'; fields: readonly string[] } // api key, personal token: named again in `frame`
  | { kind: 'basic'; user: string; password: string } // credential names
) & {
  // For people who choose a method and enter its credentials.
  title?: string
  words?: Readonly<Record<string, Words>>
  /**
   * Required settings that an account with this method does not need, because its credentials belong to one business.
   * `discover` is not called.
   */
  withoutSettings?: readonly string[]
}
/** A webhook of the platform, as it came. */
export interface RawHook {
  url: string // the public URL as it is registered: some platforms sign it too
  headers: Readonly<Record<string, string>> // lower-case names
  body: Uint8Array
}
/** What a webhook says, which is never the truth: the record is read by its id. */
export interface HookHint {
  entityType: EntityType
  id?: string // where the adapter has `members`, the group; absent: something in this entity changed
  gone?: true // the platform says that it was deleted
  replacedBy?: string // the record that it was merged into
  business?: string // with scope 'application': the value of the setting `Hooks.business`
}
/** Sent once, not journaled: what registers a webhook looks for it first. */
export interface HookCall extends ReadCall {
  send(request: NativeRequest): Promise<NativeResponse> // rejects with NativeFailure
}
export interface Hook {
  url: string
  secret?: string
  entities: readonly EntityType[] // that are watched
}
/** What the platform sent in order to check the URL. */
export interface HookChallenge {
  response?: { status: number; headers?: Readonly<Record<string, string>>; body?: string } // 200 by default
  code?: string // for a person, who enters it in the platform's console
  secret?: string // of later webhooks; it counts once `confirm` has succeeded
}
/**
 * Webhooks of the platform. They are hints: a change is reported when a read shows it, so a webhook that is lost, late,
 * repeated or forged does no harm.
 */
export interface Hooks {
  /** One URL per account, or one per application of a workspace, for all of its accounts. */
  scope: 'account' | 'application'
  business?: string // with 'application': the setting that names the business in the payload
  /**
   * The secret that signs. client: the client secret of the account's application. entered: a person copies it from the
   * platform's console. own: the service makes it. received: the platform sends it in a challenge. Absent: the platform
   * does not sign, and only the URL, which cannot be guessed, protects the endpoint.
   */
  secret?: {
    from: 'client' | 'entered' | 'own' | 'received'
    words?: Words // with 'entered'
    /** Accounts whose credentials have no client secret: the platform does not sign for them. Absent: no webhooks. */
    unsignedWithout?: true
  }
  /** In constant time, over the raw bytes. `now`: milliseconds, for platforms that sign a timestamp. */
  verify?(request: RawHook, secret: string, now: number): boolean
  read(request: RawHook): readonly HookHint[] // after `verify`; throws for a body that cannot be read
  challenge?(request: RawHook): HookChallenge | undefined // before `verify`
  /** Whether the platform checks that wrong signatures are refused: a refusal says nothing about the secret. */
  tests?(request: RawHook): boolean
  confirm?(call: HookCall, request: RawHook): Promise<void> // answers a challenge with a call; rejects if it was not real
  /** What the platform reports at best, for the docs. */
  reports: { readonly [E in EntityType]?: readonly ('created' | 'updated' | 'deleted')[] }
  /** Looks for the URL first, so that a crash leaves no second webhook. Returns any JSON. */
  register?(call: HookCall, hook: Hook): Promise<unknown>
  registered?(call: HookCall, hook: Hook, registration: unknown): Promise<boolean> // false: dropped or switched off
  unregister?(call: HookCall, registration: unknown): Promise<void> // what is gone already counts as removed
  /** Without `register`: what a person does in the platform's console. {url} is filled in. */
  steps?: readonly string[]
}
export interface Connector {
  id: string
  name: string
  docs: string
  /** The version of the platform's API that is used, and the day (UTC) by which to check that the platform keeps it. */
  apiVersion: { name: string; reviewBy: string }
  verticals: readonly Vertical[]
  limit: readonly Rate[]
  lanes?: Readonly<Record<string, readonly Rate[]>>
  concurrency?: number // calls under way at once that the platform allows, if it limits them
  dailyLimit?: DailyLimit
  /**
   * The business that the platform counts calls for, from settings and kept token values. Accounts of one business
   * share its limits.
   */
  business?: Template
  maxResponseBytes?: number // 4 MiB by default; a larger response is a lost response
  origins: Readonly<{ api: Template } & Record<string, Template>> // the only hosts ever called; the sandbox replaces them
  auth: readonly Auth[] // an account uses one of them
  authorizationPaths?: readonly string[] // more addresses that grant or end it, with all below; native calls get none
  // Added to every call; {accessToken} is the current token.
  frame: { headers?: Readonly<Record<string, Template>>; query?: Readonly<Record<string, Template>> }
  /**
   * Strings only. For people, `title` is the platform's own term and `description` says where to find it; `default` may
   * be a template of other settings. `reference: 'location'`: the id of a location, which a form offers as a choice.
   */
  settings?: TObject
  /**
   * Regions and test environments of the platform: what a person selects by name, instead of entering hosts. `test`:
   * its businesses are not real. If one of them has the defaults of its settings, it applies without a choice.
   */
  regions?: readonly { label: string; settings: Readonly<Record<string, string>>; test?: true }[]
  // Settings that the platform reports, and values of `answer.keep` that no token response told; read when an account is
  // connected.
  discover?(call: ReadCall): Promise<Readonly<Record<string, string>>>
  /**
   * For every call that the connector makes, 'METHOD /path/{id}', and with '#name' one operation of a GraphQL document
   * or one table of a query. The most exact row counts.
   */
  shapes?: Readonly<Record<string, Shape>>
  /**
   * Called for every response, 200 included. Undefined for a response that is not in the platform's own format: a 4xx
   * of a gateway says nothing about a write.
   */
  readError(response: NativeResponse): NativeError | undefined
  ambiguous401?: true // a missing permission gets the same response as a wrong token
  throttle?(response: NativeResponse): number // milliseconds for which the account should pause
  hooks?: Hooks
  entities: { readonly [E in EntityType]?: EntityAdapter<E> }
}
