// Where slots come from. A slot is the right to send one call; the account queue decides which request gets it.
import type { Rate } from '../../../contract/connector.ts'

/**
 * The limits that a call falls under: the account's own, and those of an extra lane where the platform has one for this
 * call.
 */
export interface CallLimits {
  owner: string // whose windows count the call: the business, or the account while its business is unknown
  rates: readonly Rate[]
  lane?: { name: string; rates: readonly Rate[] }
  concurrency?: number // calls under way at once that the platform allows
  daily?: { limit?: number | undefined } // the platform limits the calls of a day; by how much may be unknown
}
/**
 * A call whose way is reported: it has a slot, leaves, gets a response, ends. The platform counts it between departure
 * and response. A call without reports counts from its slot.
 */
export interface PacedCall {
  leftAt?: number
  responded?: boolean
  background?: true // set by the queue
  /** A source that reserves slots gives the name of the slot, and its instant on the clock of this process. */
  slot?: number
  slotAt?: number
}
export const laneNameOf = ({ lane }: CallLimits): string => lane?.name ?? ''

/** Calls left in the tightest window, and milliseconds until it has room for another one. */
export interface Remaining {
  limit: number
  left: number
  seconds: number // of the window, as the connector declares it
  resetMs: number
}
/** How many requests go first. */
export interface Ahead {
  ofAccount: number
  ofLane: number
}
/** Requests that wait for the same kind of slot. */
export interface Demand {
  limits: CallLimits
  requests: number
  until: number // the latest deadline among them
}
/** The slots of one account. All instants are on the clock of this process. */
export interface AccountSlots {
  /**
   * The instant of the next slot: one is free when it is not after `now`. Infinite while it is unknown; the source then
   * calls `dispatch` when it knows.
   */
  next(limits: CallLimits, now: number): number
  /** Takes the free slot. */
  take(limits: CallLimits, now: number, call?: PacedCall): void
  /** A caller asks for a slot. Absent if the source notices. */
  asked?(limits: CallLimits, now: number): void
  /** Like `next`, for background work: no caller waits anywhere, and at least half of every window stays free. */
  nextInBackground(limits: CallLimits, now: number): number
  takeInBackground(limits: CallLimits, now: number, call?: PacedCall): void
  leave(limits: CallLimits, now: number, call: PacedCall): void
  /** The call that left has a response. */
  arrive(limits: CallLimits, now: number, call: PacedCall): void
  /** The call that took a slot ends without a response. It may not have left. */
  end(limits: CallLimits, now: number, call: PacedCall): void
  /** The earliest instant of a slot for a request with these other requests before it, as far as this process knows. */
  estimate(limits: CallLimits, now: number, ahead: Ahead): number
  /**
   * What still waits, by lane name, after all free slots were taken. A source that reserves slots in advance reserves
   * as many, and gives back what is not needed. `background`: what waits for a slot in the background, by lane name.
   */
  settle?(demands: ReadonlyMap<string, Demand>, background: ReadonlyMap<string, CallLimits>, now: number): void
  /** No slot before `now + milliseconds`, because the platform asked for a pause. */
  hold(now: number, milliseconds: number): Promise<void> | undefined
  freeNow(limits: CallLimits, now: number): boolean
  remaining(limits: CallLimits, now: number): Remaining
  /** True when a new object would behave the same. */
  idle(now: number): boolean
}
/** The share of an account's concurrent calls that this process may use. */
export interface Permits {
  /** Calls that this process may have under way now. */
  allowed(): number
  /** True while it is unknown whether there are as many as this process wants; then the queue is dispatched. */
  pending(): boolean
  /** Background calls that this process may begin now. */
  allowedInBackground(): number
  /** A background call begins. */
  beginInBackground(): void
  /** The calls that this process has under way, and how many more requests of callers and of background work wait. */
  settle(underWay: number, waiting: number, background: number): void
  /** True when a new object would behave the same. */
  idle(): boolean
}
/** The account queue, as a source sees it. */
export interface SlotListener {
  /** Slots or permits have arrived, or more is known about them. */
  dispatch(): void
  /** A reservation for this many requests has failed. */
  fail(limits: CallLimits, requests: number, error: unknown): void
  /** A reservation for background work has failed. */
  failBackground(error: unknown): void
  /** No request that waits can get a permit. */
  failAll(error: unknown): void
}
export interface SlotSource {
  open(limits: CallLimits, listener: SlotListener, now: number): AccountSlots
  /** Absent if no other process calls the platform for the account, or the platform does not limit concurrent calls. */
  permits?(limits: CallLimits, listener: SlotListener): Permits | undefined
  close?(): Promise<void>
}
