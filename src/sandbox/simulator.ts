// What a simulator offers to the sandbox, the conformance suite and the chaos suite. How it answers on the wire is its own business.
import type { Rate } from '../contract/connector.ts'
import type { EntityType, Vertical } from '../contract/entity.ts'
import type { State } from './collection.ts'

export interface WireRequest {
  method: string
  path: string // below the platform's origin, undecoded, without the query
  query: URLSearchParams
  headers: Readonly<Record<string, string>> // lower-case names
  body: string
}
export interface WireResponse {
  status: number
  headers?: Readonly<Record<string, string>>
  body?: unknown // an object is sent as JSON, a string as it is
}
/** Records of one entity in a tenant, handled behind the platform's back: as if a waiter or a cashier did it. */
export interface NativeRecords {
  ids(): string[] // platform ids of all records that a complete walk must yield
  add(count: number): string[] // realistic, varied records
  touch(id: string): void // changes the record now, moving its modification time where the platform has one
  remove?(id: string): void // where the platform deletes for good
}
/** One connected business on the platform. */
export interface Tenant {
  vertical: Vertical
  credentials: Readonly<Record<string, string>> // what a connected account needs: accessToken, refreshToken, expiresAt (ISO), clientId, clientSecret, or the platform's own names
  settings: Readonly<Record<string, string>>
  locations: readonly string[] // platform ids of locations that orders can name
  records: Partial<Record<EntityType, NativeRecords>>
  expireTokens(): void // every access token given out so far stops working; refresh tokens stay
  revokeTokens(): void // access and refresh tokens stop working: the business withdrew its consent
}
export interface Simulator {
  platform: string
  limit: readonly Rate[] // refused above it, counted in exact sliding windows per tenant
  tenants: readonly Tenant[]
  /** Which tenant a request speaks for, as far as counting calls goes; undefined for token and consent calls. */
  tenantOf(request: WireRequest): Tenant | undefined
  handle(request: WireRequest): WireResponse | Promise<WireResponse>
  /** The platform's own words for "too many requests" (with its own Retry-After, or without any when no number is given) and "something broke here". */
  throttled(retryAfterSeconds?: number): WireResponse
  broken(status: number): WireResponse
}
export interface SimulatorOptions {
  size: 'small' | 'full' // how much is seeded: enough for a page or two, or enough to feel real
  now(): number // milliseconds
  seededAt: number // milliseconds: seed around this instant, not around now, so that the same seed comes out again after a restart
  state: State // everything to be remembered goes in here
  origin: string // where this simulator is reached, for links in answers
  paceScale?: number // windows of a limit that the simulator keeps itself are multiplied by it, as those of `limit` are
}
export type CreateSimulator = (options: SimulatorOptions) => Simulator

export const faultKinds = {
  throttle: "refuses with the platform's own 429 and a Retry-After",
  throttle_silent: "refuses with the platform's own 429 without a Retry-After",
  error_before: 'answers 500 and has done nothing',
  error_after: 'does the work, then answers 500',
  unavailable: 'answers 503 and has done nothing',
  reset_before: 'closes the connection and has done nothing',
  reset_after: 'does the work, then closes the connection without an answer',
  stall: 'does the work and answers after `delayMs`',
  slow_body: 'does the work and sends the answer in drips over `delayMs`',
  truncated: 'does the work and sends half of the JSON',
  malformed: 'does the work and answers 200 with JSON that does not parse',
  html: 'answers 502 with an HTML page, as a proxy in between would',
  expired_token: 'lets the access tokens of the tenant expire, then handles the call',
  forbidden: 'answers 403 with an empty JSON object',
} as const
export type FaultKind = keyof typeof faultKinds
/** Applied to matching calls, the oldest fault first, until `times` are used up (forever when absent) and with `probability` (1 when absent). */
export interface Fault {
  kind: FaultKind
  method?: string
  path?: string // a part of the path
  times?: number
  skip?: number // lets that many matching calls pass first
  probability?: number
  delayMs?: number
}
export interface LoggedCall {
  at: number
  method: string
  path: string
  query: string
  status: number // 0 when the connection was closed without an answer
  vertical?: Vertical
  fault?: FaultKind
  overLimit?: true
  body?: unknown // of the request, parsed where it is JSON
}
