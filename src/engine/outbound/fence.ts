// The question of a writing call before it is sent: is this process still the one that may write?
/**
 * The lease ended while a request waited to be sent. Nothing was sent; the journal says whether the write is still
 * ours.
 */
export class LeaseEnded extends Error {
  override name = 'LeaseEnded'
  readonly code = 'LEASE_ENDED'
}
/** The outbound channel asks it before a writing call. */
export interface Fence {
  /** A request begins to wait for its token and its slot. */
  waiting(): void
  /**
   * After the wait: asks the journal again where little of the lease is left. Rejects with LostEntry when another
   * holder has the write.
   */
  ready(): Promise<void>
  /** At the socket: throws LeaseEnded unless there is enough of the lease left. */
  check(): void
}
