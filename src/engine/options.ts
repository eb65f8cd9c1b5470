// What the engine is made of: wired in main, replaced in tests.
import type { Connector } from '../contract/connector.ts'
import type { Account, Store } from '../store/store.ts'
import type { Vault } from '../store/vault.ts'
import type { Pacer } from './outbound/pacing/pacer.ts'
import type { Transport } from './outbound/transport.ts'

/** One native call, for logs, metrics and the activity of a request. Never a header or a body, but what an operator may see of them, when asked. */
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
  /** A function, so that it is made only where somebody keeps it and never lands in a log. */
  wire?(): WireView
}
/** A native call with its secrets struck out. */
export interface WireView {
  path: string
  requestHeaders?: Record<string, string> // none of a read that went well
  responseHeaders?: Record<string, string>
  requestBody?: string
  responseBody?: string
}
/** A step on the way of a request that is no native call; `retry` says why the call before it is sent again. */
export interface StageEvent {
  requestId: string
  name: 'validation' | 'journal' | 'references' | 'recovery' | 'undo' | 'retry'
  durationMs: number
  note?: string
}
/** The parts of the store that the engine uses. It cannot create or delete an account. */
export type EngineStore = Pick<Store, 'journal' | 'leases'> & {
  accounts: Pick<Store['accounts'], 'get' | 'update'>
  links: Pick<Store['links'], 'find'>
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
  /** Where the calls of an account go instead of the connector's own origins: the sandbox. */
  originOverride?(account: Account): string | undefined
  observe?(event: NativeCallEvent): void
  observeStage?(event: StageEvent): void
}
/** Who asks, and how long they are willing to wait for a slot. */
export interface RequestContext {
  requestId: string
  caller: string // callers of one account take turns
  maxWaitMs: number
  signal?: AbortSignal // aborted when the caller no longer waits for the response; a write goes on
  waitedMs?: number // what its calls have waited so far
  platformMs?: number // what the platform took for them
  nativeCalls?: number
  load?: { outside(): void; inside(): void } // told while the request waits for something outside this process
  waits?: number // how many such waits are open
}
