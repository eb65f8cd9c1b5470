// The request and the response of a reservation of slots. Times are on the database's clock.
export interface PacingLane {
  name: string // '' is the account's own
  windows: readonly (readonly [requests: number, milliseconds: number])[]
  gap?: number // between two calls when the limit is near
}
export interface SlotReservation {
  lanes: readonly PacingLane[]
  count: number // at most this many; 0 only returns slots
  maxWaitMs: number // how far away the first one may be
  horizonMs: number // and all others
  afterMs: number // the earliest use of the first one; waits count from there
  leewayMs: number // how late the calls may leave, at least
  returned: readonly number[] // slots that no call has used
}
export interface ReservedSlot {
  slot: number // the last instant at which the call may leave
  waitMs: number // from the moment of the reservation until it may leave
  leewayMs: number // how late it may leave
}
export interface ReservedSlots {
  moment: number
  slots: ReservedSlot[]
  nextMs: number // from that moment until another slot is free
  used: number // of the account's first window, without these
}
/** The database never allows more. */
export const maxLeewayMs = 50
