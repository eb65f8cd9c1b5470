// The problems that each operation can return, for the OpenAPI document.
import { type ErrorCode, errorTable } from '../contract/errors.ts'
import type { ManageRoute } from './manage/route.ts'
import { ref } from './openapi-spelling.ts'

/** Of every operation: from the HTTP parser, the router, admission or the database. */
const commonProblems: ErrorCode[] = [
  'malformed_request',
  'request_timeout',
  'uri_too_long',
  'header_too_large',
  'internal_error',
  'unavailable',
]

export function problems(...codes: ErrorCode[]): Record<string, unknown> {
  const byStatus = Map.groupBy(new Set([...codes, ...commonProblems]), (code) => errorTable[code].status)
  return Object.fromEntries(
    [...byStatus.entries()]
      .sort(([left], [right]) => left - right)
      .map(([status, found]) => [
        String(status),
        {
          description: found.map((code) => `\`${code}\`: ${errorTable[code].meaning}`).join(' '),
          content: { 'application/problem+json': { schema: ref('Problem') } },
        },
      ]),
  )
}
export const readProblems: ErrorCode[] = [
  'invalid_parameter',
  'unknown_parameter',
  'unauthorized',
  'insufficient_scope',
  'forbidden',
  'insufficient_scope',
  'unknown_account',
  'entity_not_offered',
  'account_disabled',
  'too_many_requests',
  'downstream_error',
  'reconnect_required',
  'unavailable',
  'downstream_timeout',
]
export const writeProblems: ErrorCode[] = [
  ...readProblems,
  'malformed_json',
  'method_not_allowed',
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
  'target_requires',
  'target_refuses',
  'unknown_reference',
  'downstream_rejected',
  'reference_pending',
]

/** Problems of management routes that call a platform. */
export const platformProblems: ErrorCode[] = [
  ...readProblems,
  'invalid_cursor',
  'filter_unsupported',
  'mapping_key_mismatch',
  'record_not_found',
  'method_not_allowed',
  'idempotency_conflict',
  'content_erased',
  'outcome_unknown',
  'partially_written',
  'write_in_progress',
  'reference_pending',
  'stale_record',
  'precondition_failed',
  'unknown_reference',
  'target_requires',
  'target_refuses',
  'downstream_rejected',
]
const bodyProblems: ErrorCode[] = ['malformed_json', 'payload_too_large', 'unsupported_media_type', 'validation_failed']

export function manageProblems({ method, path, problems: more = [] }: ManageRoute): ErrorCode[] {
  const codes: ErrorCode[] = [
    'unknown_parameter',
    'invalid_parameter',
    'unauthorized',
    'forbidden',
    'insufficient_scope',
    'too_many_requests',
    'unavailable',
  ]
  return [
    ...new Set([
      ...codes,
      ...(path.includes('{') ? (['resource_not_found'] as const) : []),
      ...(path.includes('{accountId}') ? (['unknown_account'] as const) : []),
      ...(method === 'GET' ? [] : bodyProblems),
      ...more,
    ]),
  ]
}
