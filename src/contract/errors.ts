// The closed table of errors. The page in docs/generated is generated from it; `type` of a problem is the URL of that
// page.
interface ErrorRow {
  status: number
  title: string
  meaning: string
  remedy: string
}
export const errorTable = {
  malformed_json: {
    status: 400,
    title: 'Malformed JSON',
    meaning:
      'The body is not a single JSON value: it does not parse, is truncated, has trailing text, or has a field twice in one object.',
    remedy: 'Send one complete JSON object.',
  },
  malformed_request: {
    status: 400,
    title: 'Malformed request',
    meaning: 'The request has an invalid header, path or encoding.',
    remedy: 'Correct the part that `detail` names.',
  },
  unknown_parameter: {
    status: 400,
    title: 'Unknown query parameter',
    meaning:
      'The address has no such query parameter; `detail` lists the ones it has. `mappingKey` exists in form B only.',
    remedy: 'Correct the spelling or remove the parameter.',
  },
  invalid_parameter: {
    status: 400,
    title: 'Invalid query parameter',
    meaning: 'A query parameter has an invalid value.',
    remedy: 'Correct the value; `detail` lists what is allowed.',
  },
  invalid_cursor: {
    status: 400,
    title: 'Invalid cursor',
    meaning:
      'The cursor was modified, belongs to another account, entity, mapping or filter, or the platform no longer accepts it.',
    remedy: 'Start again from the first page, without a cursor.',
  },
  filter_unsupported: {
    status: 400,
    title: 'Filter not supported',
    meaning: 'The platform reports no modification time for this entity, so `updatedAfter` cannot be applied.',
    remedy: 'Read without the filter.',
  },
  mapping_key_required: {
    status: 400,
    title: 'Mapping key required',
    meaning: 'Form B requires `mappingKey`: a read key on GET, a write key on POST.',
    remedy: "Add one of the account's mapping keys.",
  },
  mapping_key_mismatch: {
    status: 400,
    title: 'Mapping key does not fit',
    meaning: 'The mapping key is unknown, or belongs to another direction, entity or account.',
    remedy: 'Use a key of this account, entity and direction.',
  },
  unauthorized: {
    status: 401,
    title: 'Not authenticated',
    meaning: 'The credential is missing, invalid or expired, or belongs to the other form of address.',
    remedy: 'Send an API key with form A, an access token with form B. Request a new token after a rotation.',
  },
  forbidden: {
    status: 403,
    title: 'Not allowed',
    meaning:
      "The account's authorization at the platform does not cover this operation, or its settings name a host that the service must not call. In the management API: your role does not allow it; `requiredRole` says which one does.",
    remedy: 'Connect the account again with the missing scope, or correct the setting. Ask an admin for the role.',
  },
  insufficient_scope: {
    status: 403,
    title: 'Scope missing',
    meaning:
      'The API key or access id has no scope for this request, which `scope` names, or a limit excludes it, which `limit` names.',
    remedy:
      'Change the scopes or limits of the credential in the dashboard, with `unirec keys`, or with `PUT /manage/v1/workspaces/{workspaceId}/api-keys/{id}` or `…/access-ids/{id}`.',
  },
  not_found: {
    status: 404,
    title: 'No such address',
    meaning: 'The path does not exist.',
    remedy: 'Check the path against the API reference.',
  },
  unknown_account: {
    status: 404,
    title: 'No such account',
    meaning: 'Your workspace has no connected account with this id.',
    remedy: 'Check `accountId`.',
  },
  unknown_entity: {
    status: 404,
    title: 'No such entity type',
    meaning: 'The entity type does not exist. Names are in the singular and in lower case.',
    remedy: 'Use product, order, customer, category, employee, time_entry, shift or location.',
  },
  entity_not_offered: {
    status: 404,
    title: 'Entity not offered',
    meaning: "The account's platform or vertical does not have this entity type.",
    remedy: 'See the support matrix at /platforms.',
  },
  record_not_found: {
    status: 404,
    title: 'No such record',
    meaning: 'The platform has no record with this id.',
    remedy: "Check the id: use the platform's id, which is `externalId` in records that you read.",
  },
  resource_not_found: {
    status: 404,
    title: 'No such resource',
    meaning: 'The workspace, credential, mapping or link does not exist.',
    remedy: 'Check the id.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    meaning:
      'The path, or the platform for this entity, does not support the method; `Allow` lists the supported ones.',
    remedy: 'See the support matrix at /platforms.',
  },
  already_exists: {
    status: 409,
    title: 'Already exists',
    meaning: 'A resource with this id already exists; with `unique=true`, one with this name or URL.',
    remedy: 'Choose another one, or change the existing resource.',
  },
  resource_in_use: {
    status: 409,
    title: 'In use',
    meaning:
      'It cannot be deleted or changed now: a mapping that is a default, a workspace with writes that are not finished, or the last installation admin. `detail` says which.',
    remedy:
      'Set another default first, wait until the writes are finished, or make another user an installation admin.',
  },
  idempotency_conflict: {
    status: 409,
    title: 'Key used with other content',
    meaning:
      'A record with different content was already written under this `externalId`; the response has its platform id.',
    remedy: 'PUT to the platform id to change the record, or use another `externalId`.',
  },
  outcome_unknown: {
    status: 409,
    title: 'Outcome unknown',
    meaning: 'An earlier write of this key may have reached the platform, and the service cannot find out (yet).',
    remedy: 'Retry later; or check at the platform, then POST with `onUnknown=resend` to send the record again.',
  },
  partially_written: {
    status: 409,
    title: 'Partially written',
    meaning:
      'The platform rejected a later step of this write, and the completed steps could not be undone; the response has the platform id.',
    remedy: 'Correct the record with PUT to the platform id.',
  },
  write_in_progress: {
    status: 409,
    title: 'Write in progress',
    meaning:
      'Another request is writing the same key or record, or changing the connection of the same account, and did not finish while this one waited; or a call whose response was lost may still take effect at the platform.',
    remedy: 'Retry the same request after the number of seconds in `Retry-After`.',
  },
  possible_duplicate: {
    status: 409,
    title: 'Possible duplicate',
    meaning:
      'With `guard=duplicates`, the same content was written under another `externalId` within the last hour, or that write is not finished. `reference` names it, `data` is its record. Nothing was sent.',
    remedy:
      'Use the first record. If its write is not finished, send the same record with the `externalId` in `reference`. If this is another record, send it again with `confirmDuplicate=true`.',
  },
  reference_pending: {
    status: 409,
    title: 'Reference is not written yet',
    meaning:
      'The record refers to an `externalId` whose own write is still in progress or has an unknown outcome. Nothing was sent.',
    remedy: 'Retry after the number of seconds in `Retry-After`, or finish the write of the referenced record first.',
  },
  stale_record: {
    status: 409,
    title: 'Record changed meanwhile',
    meaning: 'The record changed at the platform between the read and the write, twice in a row.',
    remedy: 'Read the record again and retry the update.',
  },
  account_disabled: {
    status: 409,
    title: 'Account disabled',
    meaning: 'The account was disabled in the management API.',
    remedy: 'Enable the account.',
  },
  not_watched: {
    status: 409,
    title: 'Not watched',
    meaning: 'The service does not watch this entity of the account, so it has no changes of it.',
    remedy:
      'Watch it: with `unirec watch set`, with `PUT /manage/v1/workspaces/{workspaceId}/accounts/{accountId}/watches/{entityType}`, or for all accounts with `PUT /manage/v1/workspaces/{workspaceId}/watches`.',
  },
  not_ready: {
    status: 409,
    title: 'First walk not finished',
    meaning:
      'The service still reads all records of this entity for the first time. It reports changes afterward; `progress` says how far it is.',
    remedy: 'Retry after `Retry-After` seconds.',
  },
  cursor_expired: {
    status: 410,
    title: 'Cursor expired',
    meaning:
      'The changes after this cursor are not complete: they are no longer stored, the database was restored, or the entity was watched again; `reason` says which.',
    remedy: 'Make a new copy: request the changes without a cursor, read the lists, then follow the new cursor.',
  },
  content_erased: {
    status: 410,
    title: 'Content erased',
    meaning:
      'The record was written before under this key, and what the service stored of it was erased because it is about a person. `reference` has its platform id. Nothing was sent.',
    remedy: 'Do not send it again. Read the record at the platform by its id, if it is still there.',
  },
  totals_differ: {
    status: 422,
    title: 'Totals differ',
    meaning: 'With `totals=exact`: the platform computes another total than the one in the record. Nothing was sent.',
    remedy: 'Correct the lines, charges or taxes, or send the request without `totals=exact`.',
  },
  precondition_failed: {
    status: 412,
    title: 'Precondition failed',
    meaning: 'The record no longer matches `If-Match`, or the platform has no versions to compare.',
    remedy: 'Read the record again and apply your change to the current version.',
  },
  payload_too_large: {
    status: 413,
    title: 'Body too large',
    meaning: 'The body is larger than 1 MiB.',
    remedy: 'Send a smaller body.',
  },
  uri_too_long: {
    status: 414,
    title: 'Address too long',
    meaning: 'The path or query is too long.',
    remedy: 'Shorten it.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Content type not supported',
    meaning:
      'The body is not `application/json`, has a charset other than UTF-8, or a content encoding other than gzip, deflate and br.',
    remedy: 'Send UTF-8 with `content-type: application/json`.',
  },
  validation_failed: {
    status: 422,
    title: 'Validation failed',
    meaning:
      'The body does not match the schema, or the platform refused the credentials or settings in it; `errors` lists every violation with a JSON pointer, and values that the platform does not take.',
    remedy: 'Correct the fields in `errors`.',
  },
  target_requires: {
    status: 422,
    title: 'The platform requires more',
    meaning:
      "The account's platform requires fields that the schema leaves optional. The service checks this itself and sends nothing; /platforms lists the fields.",
    remedy: 'Add the fields in `errors`.',
  },
  target_refuses: {
    status: 422,
    title: 'The platform does not take this value',
    meaning:
      "The record has a value that the account's platform is known not to take: a text that is too long, a state that cannot be set, another currency, a record that the platform does not have. The service checks this itself.",
    remedy: 'Correct the fields in `errors`.',
  },
  unknown_reference: {
    status: 422,
    title: 'Unknown reference',
    meaning:
      'With `references=source`, the record refers to a source id under which nothing was written or linked; `errors` names field and value. Nothing was sent.',
    remedy:
      "Write the referenced record first, or link its platform id: in the dashboard (account, References), with `PUT /manage/v1/workspaces/{workspaceId}/accounts/{accountId}/references`, or in bulk with `POST …/references/import`. If the value is the platform's id, send `references=platform`.",
  },
  downstream_rejected: {
    status: 422,
    title: 'Refused by the platform',
    meaning:
      'The platform itself rejected the record; `errors` names the fields if the platform did, and `downstream` has its status and message.',
    remedy: 'Correct the record and send it again with the same key.',
  },
  too_many_requests: {
    status: 429,
    title: 'Too many requests',
    meaning:
      "No slot within the platform's rate limit became free while the request waited, the calls of the platform's daily limit are used up, the credential exceeded its budget, or there were too many attempts with a wrong secret.",
    remedy:
      'Retry after `Retry-After` seconds, or wait longer with `Prefer: wait=`. If the calls of a day are used up, `Retry-After` tells when calls are possible again, and a longer wait does not help.',
  },
  header_too_large: {
    status: 431,
    title: 'Headers too large',
    meaning: 'The request headers are too large.',
    remedy: 'Send fewer or shorter headers.',
  },
  request_timeout: {
    status: 408,
    title: 'Request too slow',
    meaning: 'The request did not arrive in time.',
    remedy: 'Retry the request.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    meaning: 'The service has a bug or failed. A write in progress is completed or recovered under its key.',
    remedy: 'Retry the same request. If it fails again, send the `requestId` to the operator.',
  },
  downstream_error: {
    status: 502,
    title: 'The platform failed',
    meaning: 'The platform could not be reached, or returned a server error or an unreadable response.',
    remedy:
      'Retry after `Retry-After` seconds. Without that header the same request is likely to fail again: see `detail`.',
  },
  reconnect_required: {
    status: 502,
    title: 'Reconnect required',
    meaning: "The platform no longer accepts the account's authorization.",
    remedy: 'Connect the account again.',
  },
  unavailable: {
    status: 503,
    title: 'Not available',
    meaning: 'The service is shutting down, is overloaded, cannot reach its database, or cannot store anything in it.',
    remedy: 'Retry after `Retry-After` seconds.',
  },
  downstream_timeout: {
    status: 504,
    title: 'The platform did not respond',
    meaning: 'The platform did not respond in time.',
    remedy: 'Retry after `Retry-After` seconds. A write is recovered under its key.',
  },
} as const satisfies Record<string, ErrorRow>
export type ErrorCode = keyof typeof errorTable

export interface Violation {
  pointer: string
  message: string
  choices?: readonly { value: string; label: string }[] // the valid values, if the platform reports them
}
export interface Downstream {
  platform: string
  status?: number
  code?: string
  message?: string
}
/** Ends with one full stop, also if the words of a platform already have one. */
export const sentence = (text: string): string => (/[.!?…]\s*$/.test(text) ? text.trimEnd() : `${text.trimEnd()}.`)

/** An error response: thrown anywhere, converted to application/problem+json in the API layer. */
export class Problem extends Error {
  readonly code: ErrorCode
  readonly detail: string
  readonly errors?: readonly Violation[]
  readonly downstream?: Downstream
  readonly headers: Readonly<Record<string, string>>
  readonly extra: Readonly<Record<string, unknown>>
  constructor(
    code: ErrorCode,
    detail: string,
    more: {
      errors?: readonly Violation[]
      downstream?: Downstream
      headers?: Record<string, string>
      extra?: Record<string, unknown>
      cause?: unknown
    } = {},
  ) {
    super(`${code}: ${detail}`, { cause: more.cause })
    this.name = 'Problem'
    this.code = code
    this.detail = detail
    if (more.errors) this.errors = more.errors
    if (more.downstream) this.downstream = more.downstream
    this.headers = more.headers ?? {}
    this.extra = more.extra ?? {}
  }
  get status(): number {
    return errorTable[this.code].status
  }
}
/** The closed table of warnings, which are returned with `data`. */
export const warningTable = {
  not_stored: { meaning: 'The platform does not store this field or this value of it.' },
  not_normalized: { meaning: 'A native record does not fit the schema and is left out; `id` names it.' },
  refund_left_out: {
    meaning:
      'The platform keeps this refund as an order of its own. It is not a sale, so it is left out; `id` names it.',
  },
  not_a_sale: {
    meaning:
      'The platform keeps this record among its orders, and it is a test, waste or a transfer. It is left out; `id` names it.',
  },
  does_not_add_up: {
    meaning:
      'The lines, charges and taxes of the order do not make its total. The message names the difference; the record is served as the platform has it.',
  },
  totals_differ: {
    meaning: 'With `totals=exact`: the platform made another total than the one that was sent.',
  },
  scope_missing: {
    meaning:
      'The account was connected without a scope, so something is missing in this response. Connect it again with that scope to get everything.',
  },
  no_lines: { meaning: 'The order has no lines at the platform: `lineItems` is empty.' },
  derived: { meaning: 'The platform holds another value than the one that was written.' },
  kept: { meaning: 'A PUT leaves the field out, and it keeps its value.' },
  value_unknown: { meaning: 'A value of the platform does not fit the schema and is left out.' },
  reference_assumed: {
    meaning:
      "No source id of this name was written or linked, so the reference was sent as the platform's own id. `references=source` refuses such a reference, `references=platform` takes every reference as a platform id without this warning.",
  },
  external_id_ignored: {
    meaning:
      'The `externalId` in the body of a PUT is neither the id in the path nor a known source id. The record in the path was replaced.',
  },
  end_unconfirmed: {
    meaning:
      'The platform returned an empty page where more records were expected, both times it was read. The list has probably ended there. If records are missing, read it again from its beginning.',
  },
  search_by_id_only: {
    meaning:
      'The platform cannot search this entity. `search` has looked up source ids and platform ids, nothing else.',
  },
  search_by_some_fields: {
    meaning:
      'The search has found nothing. The message names the fields by which the platform searches: a record can exist that has the text in another one.',
  },
  external_id_unknown: {
    meaning:
      "The query parameter `externalId` takes a source id, and nothing was written or linked under this one. To read by the platform's id, use `GET …/{entityType}/{id}`.",
  },
} as const satisfies Record<string, { meaning: string }>
export interface Warning {
  code: keyof typeof warningTable
  pointer?: string
  id?: string
  message: string
}
