// What instances and database say to each other about the next call of an account.
export interface ReservedSlot {
  slot: number // the last instant at which the call may leave
  moment: number // the database's clock
  waitMs: number // from that moment until it may leave
  leewayMs: number // by how much it may be late
  taken: boolean
  used: number
}
export interface PacingLane {
  name: string
  windows: readonly (readonly [requests: number, milliseconds: number])[]
  keep: number // the largest number of requests among the windows
  gap?: number // between one call and the next, where the limit is near
}
