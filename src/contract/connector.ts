// Types only. A connector is data, and functions whose only effect is the call object they are given; the engine makes
// every call.
import type { TObject } from 'typebox'
import type { Auth, Template } from './authentication.ts'
import type { UnifiedRecord } from './entities/index.ts'
import type { EntityType, Pointer, Vertical } from './entity.ts'
import type { NativeError, NativeRequest, NativeResponse, Shape } from './native-exchange.ts'
import type { AccountView, Listing, ReadCall, Search } from './reading.ts'
import type { Words } from './words.ts'
import type { CustomPlaces, Write, WriteCall, Written } from './writing.ts'

export type * from './authentication.ts'
export type * from './native-exchange.ts'
export type * from './reading.ts'
export type * from './writing.ts'

/** `of`: the order that was refunded. */
export type Excluded = { as: 'refund'; of?: string | undefined } | { as: 'test' | 'waste' | 'transfer' }
/** The contents of the platform's own prices and totals of an order, for the support matrix. */
export interface OrderSums {
  /** Whether prices contain the taxes: on no order, on every one, or on some. */
  prices: 'without_tax' | 'with_tax' | 'either'
  /** Where the platform has tips: in the total of an order, beside it, in either, or nowhere. */
  tips: 'in_total' | 'beside_total' | 'either' | 'none'
  /**
   * Whether the platform takes refunds off the total of an order, or tells them beside it. `apart`: the order does not
   * name its refunds, which are records of their own.
   */
  refunds: 'in_total' | 'beside_total' | 'apart'
  /** Whether the platform's price of a line contains the modifiers; `none` if it has no modifiers. */
  modifiers: 'in_price' | 'beside_price' | 'none'
}
export interface Mapping {
  account: AccountView
  warn(pointer: Pointer, message: string): void
}
// biome-ignore-start lint/suspicious/noExplicitAny: a row is the vendor's own shape, a position any JSON: only the adapter knows them
export interface EntityAdapter<E extends EntityType, Row = any, At = any> {
  /** Raised when `toUnified` gives another record for the same row, so that a deploy reports no updates. 1 by default. */
  revision?: number
  id(row: Row): string
  // Fields of another flavor and undefined values are removed by the engine.
  toUnified(row: Row, mapping: Mapping): UnifiedRecord<E>
  // The parts of the kept `scope` that an operation needs.
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
  /** Given for a row that is not a record of this entity: a warning names it in its place. */
  excluded?(row: Row): Excluded | undefined
  /** The contents of the platform's prices and totals. Orders have it. */
  sums?: OrderSums
  search?: Search<Row, any>
  custom?: CustomPlaces<Row>
  // References already resolved.
  create?: Write<E> & {
    run(call: WriteCall, record: UnifiedRecord<E>): Promise<Written<Row>>
    /** The total that the platform computes of a record without storing it. */
    total?(call: ReadCall, record: UnifiedRecord<E>): Promise<number | undefined>
  }
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
/** A webhook of the platform, as it came. */
export interface RawHook {
  url: string // the public URL as it is registered: some platforms sign it too
  headers: Readonly<Record<string, string>> // lower-case names
  body: Uint8Array
}
/** The statement of a webhook, which is never the truth: the record is read by its id. */
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
/** A request of the platform that checks the URL. */
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
  /** The events that the platform reports at best, for the docs. */
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
  // More addresses that grant or end the authorization, with all below; `*` is any segment. Native calls get none.
  authorizationPaths?: readonly string[]
  /** Further contents that a native call must not have. */
  native?: {
    /** Query parameters by which the platform takes another method or address than that of the call. */
    overrides?: readonly string[]
    /** Operations of its GraphQL API that grant or end the authorization. */
    authorizationFields?: readonly string[]
  }
  // Added to every call; {accessToken} is the current token.
  frame: { headers?: Readonly<Record<string, Template>>; query?: Readonly<Record<string, Template>> }
  /**
   * Strings only. For people, `title` is the platform's own term and `description` says where to find it; `default` may
   * be a template of other settings. `asked`: required, and not reported by `discover`. `local`: only mapping uses it, and
   * no call has it. `reference: 'location'`: the id of a location, which a form offers as a choice.
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
