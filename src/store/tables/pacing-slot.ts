// What an instance and the database tell each other about the next calls of an account. Instants are on the database's clock.
export interface PacingLane {
  name: string // '' is the account's own
  windows: readonly (readonly [requests: number, milliseconds: number])[]
  gap?: number // between one call and the next, where the limit is near
}
export interface SlotReservation {
  lanes: readonly PacingLane[]
  count: number // as many at most; 0 only gives back
  maxWaitMs: number // how far away the first one may be
  horizonMs: number // and all others
  afterMs: number // how soon the first one can be used; waits count from there
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
