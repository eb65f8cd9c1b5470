// An error as an agent gets it: the code of the records API, and what to do next in terms of tools.
import { type ErrorCode, errorTable, Problem } from '../contract/errors.ts'
import { strikeHidden } from '../contract/hidden-fields.ts'
import { serviceProblem } from '../engine/failures.ts'
import type { Credential } from '../store/store.ts'

/** Where the remedy of the records API names an address or a parameter that a tool does not have. */
const nextSteps: Partial<Record<ErrorCode, string>> = {
  validation_failed: 'Correct the arguments in errors. describe_entity has the schema of a record.',
  unknown_account: 'Call list_accounts and use an accountId from it.',
  entity_not_offered: 'Call list_accounts: it names the entities of each account.',
  method_not_allowed: 'Call list_accounts: it names the operations of each entity.',
  record_not_found:
    "Check id: it is the platform's id. find_record takes your own externalId, or a text to search for.",
  invalid_cursor: 'Start again without a cursor.',
  cursor_expired: 'Call list_changes without a cursor, read the records again, then follow the new cursor.',
  idempotency_conflict:
    'The record in id has this externalId with other content. Use update_record with that id, or choose another externalId for another record.',
  possible_duplicate:
    'If this is a retry, stop: data is the record, and reference has its ids. If reference.outcome is not done, call create_record again with reference.externalId and the same record. Set confirmDuplicate only if a second record is really meant.',
  outcome_unknown:
    'Call create_record again later with the same arguments. Do not choose another externalId. Ask a person to look at the platform before you set onUnknown to resend.',
  partially_written: 'The record in id is incomplete. Correct it with update_record.',
  write_in_progress: 'Call the tool again with the same arguments after retryAfterSeconds.',
  reference_pending: 'Call the tool again with the same arguments after retryAfterSeconds.',
  unknown_reference:
    "Create the referenced record first, or set references to platform if the value is the platform's id.",
  precondition_failed: 'Call get_record, apply your change to it, and use its version.',
  not_watched: 'Ask an operator to watch this entity. Until then, use list_records with updatedAfter.',
  not_ready: 'Call list_changes again after retryAfterSeconds.',
  target_requires: 'Add the fields in errors. describe_entity lists what the platform requires.',
  downstream_rejected: 'Correct the record and call the tool again with the same externalId.',
  downstream_timeout: 'Call the tool again with the same arguments: a write is not repeated.',
  downstream_error: 'Call the tool again with the same arguments after retryAfterSeconds: a write is not repeated.',
  too_many_requests: 'Call the tool again with the same arguments after retryAfterSeconds.',
  unavailable: 'Call the tool again with the same arguments after retryAfterSeconds: a write is not repeated.',
  internal_error: 'Call the tool again with the same arguments. If it fails again, give requestId to the operator.',
  reconnect_required: 'Ask a person to connect the account again.',
  account_disabled: 'Ask a person to enable the account.',
  insufficient_scope: 'Your key does not allow this. Ask a person for a key that does; do not try another way.',
}

export const problemOfTool = (error: unknown): Problem => (error instanceof Problem ? error : serviceProblem(error))

export function toolError(problem: Problem, requestId: string, credential: Credential) {
  const { code, detail, errors, downstream, headers, extra } = problem
  const retryAfter = Number(headers['retry-after'])
  const body = {
    code,
    detail,
    next: nextSteps[code] ?? errorTable[code].remedy,
    errors,
    downstream,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
    requestId,
    ...extra,
  }
  const { hiddenFields } = credential
  const shown = hiddenFields ? strikeHidden(JSON.parse(JSON.stringify(body)), hiddenFields) : body
  return { isError: true, content: [{ type: 'text' as const, text: JSON.stringify(shown) }] }
}
