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
/** `outcome` may be `error`: every outcome but `ok` and `started`. `search` is a part of any text, in any case. */
export type AuditFilter = Partial<Pick<AuditEntry, 'action' | 'actor' | 'address' | 'outcome'>> & {
  since?: string
  until?: string
  search?: string
}
