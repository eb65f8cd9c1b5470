// One management action in the audit log.
/** One management action. Entries of a scope are chained: each has the hash of the one before. */
export interface AuditEntry {
  scope: string // a workspace, or `install`
  sequence: number
  at: string
  actor: string
  address: string
  action: string
  object: Record<string, string>
  outcome: string
  requestId: string
  previous: string
  hash: string
}
