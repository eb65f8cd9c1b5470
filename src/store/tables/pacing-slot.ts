// The requests and responses of the pacing tables. Times are on the database's clock.
export interface PacingLane {
  name: string // '' is the account's own
  windows: readonly (readonly [requests: number, milliseconds: number])[]
  gap?: number // between two calls when the limit is near
  arrival?: number // milliseconds from a slot until its call has arrived at the latest
}
export interface SlotReservation {
  lanes: readonly PacingLane[]
  count: number // at most this many; 0 only returns slots
  maxWaitMs: number // how far away the first one may be
  horizonMs: number // and all others, and how far away a slot is exact
  afterMs: number // the earliest use of the first one; waits count from there
  leewayMs: number // how late the calls may leave, at least
  returned: readonly number[] // slots that no call has used
  arrived: readonly SlotArrival[]
}
/** For one call of background work. */
export type BackgroundReservation = Omit<SlotReservation, 'count' | 'maxWaitMs' | 'horizonMs'>
export interface BackgroundSlot {
  moment: number
  slot?: ReservedSlot | undefined // absent: callers wait, or too much of a window is used
  nextMs: number // from that moment until the windows allow one
  used: number // of the account's first window, without this one
  waiting: boolean // callers wait
}
/** By when the platform has counted the call of a slot. */
export interface SlotArrival {
  slot: number
  arrival: number
}
export interface ReservedSlot {
  slot: number // the last instant at which the call may leave
  waitMs: number // from the moment of the reservation until it may leave
  leewayMs: number // how late it may leave
  tentative: boolean // its place in the order; to be reserved again when it is near
}
export interface ReservedSlots {
  moment: number
  slots: ReservedSlot[]
  nextMs: number // from that moment until another slot is free
  used: number // of the account's first window, without these
}
/** The database never allows more. */
export const maxLeewayMs = 50
/** The share of an owner's concurrent calls that an instance needs. */
export interface PermitReport {
  instance: string
  concurrency: number // of all instances together
  used: number // calls under way, and those that may begin before the response
  wanted: number // together with those under way; 0 returns all permits
  background?: number // further calls of background work that it wants to begin
  expiryMs: number // an instance that has not reported for this long counts no more
}
