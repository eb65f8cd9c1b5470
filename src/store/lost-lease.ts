/**
 * Another process has what this one worked on, its settings were changed, it is gone, or its lease has ended. Code that
 * gets this error has changed nothing, and stops: it sends nothing more, and stores nothing.
 */
export class LostLease extends Error {
  override name = 'LostLease'
  /** The transport passes the message on: nothing was sent. */
  readonly code = 'LEASE_ENDED'
}
