// What a simulator provides to the sandbox, the conformance suite and the chaos suite.
import type { Rate } from '../contract/connector.ts'
import type { EntityType, Vertical } from '../contract/entity.ts'
import type { RecordChange, State } from './collection.ts'

export interface WireRequest {
  method: string
  path: string // relative to the platform's origin, not decoded, without the query
  query: URLSearchParams
  headers: Readonly<Record<string, string>> // lower-case names
  body: string
}
export interface WireResponse {
  status: number
  headers?: Readonly<Record<string, string>>
  body?: unknown // an object is sent as JSON, a string unchanged
}
/** Records of one entity in a tenant, changed without the platform's API, as a waiter or a cashier does. */
export interface NativeRecords {
  ids(): string[] // platform ids of all records that a complete walk must yield
  add(count: number): string[] // realistic, varied records; none if the platform has exactly one, such as a shop
  touch(id: string): void // changes the record and its modification time, if the platform has one
  remove?(id: string): void // if the platform deletes permanently
}
/** One connected business on the platform. */
export interface Tenant {
  vertical: Vertical
  // What a connected account needs: accessToken, refreshToken, expiresAt (ISO), clientId, clientSecret, or the
  // platform's own names.
  credentials: Readonly<Record<string, string>>
  settings: Readonly<Record<string, string>>
  locations: readonly string[] // platform ids of locations that orders can reference
  /** A modifier that orders can have on any line, as a line of an order names it. */
  modifier?: { of: object }
  /** The platform id of a new order that is open, and of which exactly this amount is due. */
  payable?(amount: number): string
  /** Orders that the platform itself does not balance. */
  unbalanced?: readonly string[]
  records: Partial<Record<EntityType, NativeRecords>>
  expireTokens(): void // invalidates all access tokens issued so far; refresh tokens stay valid
  revokeTokens(): void // invalidates access and refresh tokens: the business withdrew its consent
}
/** Calls of a tenant in any 24 hours; further calls are rejected. */
export interface DailyQuota {
  calls: number
  exceeded(retryAfterSeconds: number): WireResponse
  headers?(left: number): Readonly<Record<string, string>> // of every counted response
}
/** A webhook that the platform sends, signed as the platform signs it. */
export interface Webhook {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  retrySeconds?: readonly number[] // waits before the next attempts; none by default
  attempted?(status: number): void // after every attempt; 0 without a response
}
export interface Webhooks {
  /** Told of every change of a record after seeding, by a call or behind the API's back. Created: no `before`. */
  onChange(listener: (change: RecordChange) => void): void
  send(webhook: Webhook): void
}
export interface Simulator {
  platform: string
  limit: readonly Rate[] // counted in exact sliding windows per tenant; calls above it are rejected
  concurrency?: number // calls of a tenant in progress at once; calls above it are rejected
  daily?: DailyQuota
  tenants: readonly Tenant[]
  /** The tenant whose limit a request counts against; undefined for token and consent calls. */
  tenantOf(request: WireRequest): Tenant | undefined
  handle(request: WireRequest): WireResponse | Promise<WireResponse>
  /**
   * The platform's responses for "too many requests" (with its own Retry-After, or without one if no number is given),
   * in a window or at once, and for an internal error.
   */
  throttled(retryAfterSeconds?: number, atOnce?: boolean): WireResponse
  broken(status: number): WireResponse
  /**
   * Enters a URL for webhooks in the platform's console, where its API cannot; of one tenant, if the console is the
   * tenant's own. Returns the secret that the console shows, or takes the given one where a person chooses it. The
   * platform can send a challenge to the URL; the code in it is entered with `enterCode`.
   */
  enterWebhook?(url: string, options?: { vertical?: Vertical; secret?: string }): { secret?: string }
  enterCode?(code: string): boolean // whether it was the right one
}
export interface SimulatorOptions {
  size: 'small' | 'full' // how much is seeded: one or two pages, or a realistic amount
  now(): number // milliseconds
  seededAt: number // milliseconds: seed relative to this time, not to now, so that the seed is the same after a restart
  state: State // everything that must survive a restart
  origin: string // the origin of this simulator, for links in responses
  paceScale?: number // multiplies the windows of limits that the simulator checks itself, as it does those of `limit`
  webhooks?: Webhooks // absent: nothing is sent
}
export type CreateSimulator = (options: SimulatorOptions) => Simulator

export const faultKinds = {
  throttle: "rejects the call with the platform's own 429 and a Retry-After",
  throttle_silent: "rejects the call with the platform's own 429 without a Retry-After",
  error_before: 'returns 500 without processing the call',
  error_after: 'processes the call, then returns 500',
  unavailable: 'returns 503 without processing the call',
  reset_before: 'closes the connection without processing the call',
  reset_after: 'processes the call, then closes the connection without a response',
  stall: 'processes the call and responds after `delayMs`, or when the faults are cleared',
  slow_body: 'processes the call and sends the response in small parts over `delayMs`',
  truncated: 'processes the call and sends half of the JSON',
  malformed: 'processes the call and returns 200 with JSON that does not parse',
  html: 'returns 502 with an HTML page, as a proxy would',
  expired_token: 'expires the access tokens of the tenant, then processes the call',
  forbidden: 'returns 403 with an empty JSON object',
  foreign_before: 'returns `status` (200 by default) and `body` as JSON without processing the call',
  foreign_after: 'processes the call, then returns `status` (200 by default) and `body` as JSON',
  late: 'returns `status` (504 by default) at once and processes the call after `delayMs`',
  webhook_lost: 'does not send a webhook',
  webhook_late: 'sends a webhook after `delayMs`',
  webhook_twice: 'sends a webhook at once and again after `delayMs`',
  webhook_reordered: 'sends a webhook after the next one, or after `delayMs`',
} as const
export type FaultKind = keyof typeof faultKinds
/**
 * Applied to matching calls, the oldest fault first, `times` times (forever by default) and with `probability` (1 by
 * default).
 */
export interface Fault {
  kind: FaultKind
  method?: string
  path?: string // a part of the path
  times?: number
  skip?: number // the number of matching calls to skip first
  repeats?: boolean // applies to repetitions of the first call that it is applied to, and to no other
  probability?: number
  delayMs?: number
  status?: number
  body?: unknown
}
export interface LoggedCall {
  at: number
  method: string
  path: string
  query: string
  status: number // 0 if the connection was closed without a response
  vertical?: Vertical
  fault?: FaultKind
  overLimit?: true
  body?: unknown // of the request, parsed if it is JSON
}
