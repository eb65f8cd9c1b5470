// The audit log.
import { byName, named, optional, text, time, whole } from '../schema.ts'

export const auditEntry = named('AuditEntry', {
  scope: text('Workspace id, or `install`'),
  sequence: whole('Sequence number within the scope, from 1 without gaps'),
  at: time(),
  actor: text('User, id of an API key or access id, or `admin token`'),
  address: text('IP address of the request'),
  action: text('operationId of the route'),
  object: byName(text(), 'Target of the action'),
  outcome: text(
    '`ok`, the error code, or `started` before an action outside the database, whose outcome is another entry with the same `requestId`',
  ),
  requestId: text(),
  previous: text('`hash` of the previous entry; empty for the first'),
  hash: text('SHA-256 of all fields above'),
})
export const auditChain = named('AuditChain', {
  scope: text(),
  entries: whole(),
  head: text('`hash` of the newest entry; store it elsewhere to detect a truncated log'),
  brokenAt: optional(whole('First entry that does not match the previous one')),
})
