// The parts of the engine: wired in main, replaced in tests.
import type { Connector } from '../contract/connector.ts'
import type { Account, Store } from '../store/store.ts'
import type { Vault } from '../store/vault.ts'
import type { Outcome } from './outbound/pacing/account-queue.ts'
import type { Pacer } from './outbound/pacing/pacer.ts'
import type { Transport } from './outbound/transport.ts'

/**
 * One native call, for logs, metrics and the activity of a request. It contains no header or body; `wire` returns what
 * an operator may see of them.
 */
export interface NativeCallEvent {
  requestId: string
  workspaceId: string
  accountId: string
  platform: string
  kind: 'read' | 'write' | 'token'
  method: string
  path: string
  status?: number | undefined
  error?: string | undefined
  attempt: number
  waitedMs: number
  durationMs: number
  used?: number // share of the account's limit that is used now, this call included
  background?: true | undefined // of the change feed: callers go first
  readAhead?: true | undefined // made before a request asked for its page
  endedAt?: number // on the clock of performance.now(), if the call is reported later
  /** A function, so that it is built only when it is stored and never ends up in a log. */
  wire?(): WireView
}
/** A native call without its secrets. */
export interface WireView {
  path: string
  requestHeaders?: Record<string, string> // absent for a successful read
  responseHeaders?: Record<string, string>
  requestBody?: string
  responseBody?: string
}
/** A stage of a request that is not a native call; `retry` explains why the previous call is sent again. */
export interface StageEvent {
  requestId: string
  name: 'validation' | 'journal' | 'references' | 'recovery' | 'undo' | 'retry'
  durationMs: number
  note?: string
}
/** The parts of the store that the engine uses. It cannot create or delete an account. */
export type EngineStore = Pick<Store, 'journal' | 'leases'> & {
  accounts: Pick<Store['accounts'], 'get' | 'update'>
  links: Pick<Store['links'], 'get' | 'find' | 'restore' | 'sourcesOf'>
  mappings: Pick<Store['mappings'], 'get'>
  mappingDefaults: Pick<Store['mappingDefaults'], 'effective'>
}
export interface EngineOptions {
  connectors: Readonly<Record<string, Connector>>
  store: EngineStore
  vault: Vault
  pacer: Pacer
  transport: Transport
  instance: string // this process, as holder of leases
  paceScale: number
  callTimeoutMs: number
  /** The time of reads, in milliseconds. */
  now?: (() => number) | undefined
  /** Where the calls of an account go instead of the connector's own origins: the sandbox. */
  originOverride?(account: Account): string | undefined
  observe?(event: NativeCallEvent): void
  observeStage?(event: StageEvent): void
  /** False: no page is read ahead. */
  readAhead?: boolean | undefined
  /** A request took the page that this call read ahead. `observe` had the call before, without the request. */
  observeTaken?(event: NativeCallEvent): void
  /** The outcome of a page that was read ahead. */
  countReadAhead?(outcome: ReadAheadOutcome): void
}
/** failed: the platform did not send the page, or there were no more spare slots for it. */
export type ReadAheadOutcome = 'used' | 'unused' | 'failed'
/** The caller, and how long the request may wait for a slot. */
export interface RequestContext {
  requestId: string
  caller: string // callers of one account take turns
  settles?: true // of the sweep: no caller gets the response, so the workspace gets an event
  writer?: string // the credential that a write is attributed to; absent: unknown
  maxWaitMs: number
  background?: true // callers go first: each of its calls waits for as long as `maxWaitMs`
  signal?: AbortSignal // aborted when the caller no longer waits for the response; a write goes on
  check?(): void // right before a call is sent: throws when this process may not; a journaled write has a fence of its own
  first?: Promise<Outcome> // the slot of its first call
  admitted?: number // calls that got a slot and were not throttled by the platform
  waitedMs?: number // how long it has waited for slots so far
  slotWaits?: { from: number; until: number }[] // the same as spans that do not overlap
  platformMs?: number // how long the platform took for them
  nativeCalls?: number
  load?: { outside(): void; inside(): void } // notified while the request waits for something outside this process
  waits?: number // how many such waits are open
  ahead?: { calls: NativeCallEvent[] } // of a page that is read ahead: its calls until a request takes it
}
