// The closed table of errors. The reference page in docs/generated is made from it; `type` of a problem is that page's address.
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
    meaning: 'The body is not one JSON value: it does not parse, ends early, or has more behind it.',
    remedy: 'Send one complete JSON object.',
  },
  malformed_request: {
    status: 400,
    title: 'Malformed request',
    meaning: 'The request cannot be understood: a broken header, path or encoding.',
    remedy: 'Correct what the detail names.',
  },
  unknown_parameter: {
    status: 400,
    title: 'Unknown query parameter',
    meaning: 'A query parameter that this route does not have; the nearest one is named.',
    remedy: 'Correct its spelling or leave it out.',
  },
  invalid_parameter: {
    status: 400,
    title: 'Invalid query parameter',
    meaning: 'A query parameter has a value that it cannot take.',
    remedy: 'Correct the value; the detail says what it may be.',
  },
  invalid_cursor: {
    status: 400,
    title: 'Invalid cursor',
    meaning: 'The cursor was altered, belongs to another account, entity, mapping or filter, or its platform no longer accepts it.',
    remedy: 'Start the walk again without a cursor.',
  },
  filter_unsupported: {
    status: 400,
    title: 'Filter not supported',
    meaning: 'The platform tells no modification time for this entity, so `updatedAfter` cannot be applied.',
    remedy: 'Read without the filter.',
  },
  mapping_key_required: {
    status: 400,
    title: 'Mapping key required',
    meaning: 'Form B needs `mappingKey`: a read key on GET, a write key on POST.',
    remedy: "Add one of the account's mapping keys.",
  },
  mapping_key_mismatch: {
    status: 400,
    title: 'Mapping key does not fit',
    meaning: 'The mapping key is unknown, or made for another direction, entity or account; or one was sent in form A.',
    remedy: 'Use a key of this account, entity and direction.',
  },
  unauthorized: {
    status: 401,
    title: 'Not authenticated',
    meaning: 'No credential, one that is not valid or no longer valid, or one of the other address form.',
    remedy: 'Form A takes an API key, form B an access token; get a new token after a rotation.',
  },
  forbidden: {
    status: 403,
    title: 'Not allowed',
    meaning: "The account's authorisation at the platform does not cover this, or its settings name a host that the service does not call.",
    remedy: 'Connect the account again with the missing scope, or correct the setting.',
  },
  not_found: { status: 404, title: 'No such address', meaning: 'There is nothing at this path.', remedy: 'Check the path against the API reference.' },
  unknown_account: { status: 404, title: 'No such account', meaning: 'There is no connected account with this id in your workspace.', remedy: 'Check `accountId`.' },
  unknown_entity: {
    status: 404,
    title: 'No such entity type',
    meaning: 'The entity type does not exist.',
    remedy: 'Use one of product, order, customer, category, employee, time_entry.',
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
    remedy: "Check the id: it is the platform's own, as `externalId` of a record that was read.",
  },
  resource_not_found: { status: 404, title: 'No such resource', meaning: 'There is no such workspace, credential, mapping or link.', remedy: 'Check the id.' },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'This path, or this platform for this entity, does not take the method; `Allow` lists what it takes.',
    remedy: 'See the support matrix at /platforms.',
  },
  already_exists: { status: 409, title: 'Already exists', meaning: 'A resource with this id is there already.', remedy: 'Choose another id, or change the one that is there.' },
  idempotency_conflict: {
    status: 409,
    title: 'Key used with other content',
    meaning: 'A record was already written under this `externalId` with other content; the answer carries its platform id.',
    remedy: 'PUT to the platform id to change the record, or use another `externalId`.',
  },
  outcome_unknown: {
    status: 409,
    title: 'Outcome unknown',
    meaning: 'An earlier write of this key may have reached the platform, and the platform offers no way (yet) to find out.',
    remedy: 'Send it again later; or look at the platform, then POST with `onUnknown=resend` to send it again.',
  },
  partially_written: {
    status: 409,
    title: 'Partially written',
    meaning: 'The platform refused a later step of this write and the finished steps could not be undone; the answer carries the platform id.',
    remedy: 'Correct the record with PUT to the platform id.',
  },
  write_in_progress: {
    status: 409,
    title: 'Write in progress',
    meaning: 'Another request is writing the same key, or changing the connection of the same account, and did not finish while this one waited.',
    remedy: 'Send the same request again.',
  },
  stale_record: {
    status: 409,
    title: 'Record changed meanwhile',
    meaning: 'The record was changed at the platform between reading and writing, twice in a row.',
    remedy: 'Read the record again and repeat the update.',
  },
  account_disabled: { status: 409, title: 'Account disabled', meaning: 'The connected account was disabled in the management API.', remedy: 'Enable it again.' },
  precondition_failed: {
    status: 412,
    title: 'Precondition failed',
    meaning: 'The record is no longer the one that `If-Match` names, or the platform has no versions to compare.',
    remedy: 'Read the record again and decide on its newer form.',
  },
  payload_too_large: { status: 413, title: 'Body too large', meaning: 'The body is larger than 1 MiB.', remedy: 'Send a smaller record.' },
  uri_too_long: { status: 414, title: 'Address too long', meaning: 'The path or query is longer than the service takes.', remedy: 'Shorten it.' },
  unsupported_media_type: { status: 415, title: 'Content type not supported', meaning: 'The body is not `application/json`.', remedy: 'Send `content-type: application/json`.' },
  validation_failed: {
    status: 422,
    title: 'Validation failed',
    meaning: 'The body does not satisfy the schema, or the platform refused the credentials or settings in it; `errors` lists every violation with a JSON pointer.',
    remedy: 'Correct the fields named.',
  },
  target_requires: {
    status: 422,
    title: 'The platform requires more',
    meaning: "The account's platform needs fields that the schema leaves optional, or takes only some values of them.",
    remedy: 'Add or correct the fields named.',
  },
  downstream_rejected: {
    status: 422,
    title: 'Refused by the platform',
    meaning: 'The platform refused the record; `errors` names the fields where it said so, `downstream` carries its own words.',
    remedy: 'Correct the record and send it again: the key is free.',
  },
  too_many_requests: {
    status: 429,
    title: 'Too many requests',
    meaning: "No slot within the platform's rate limit became free while the request waited; the credential is used for more than it may, or was guessed at too often.",
    remedy: 'Repeat after `Retry-After` seconds, or wait longer with `Prefer: wait=`.',
  },
  header_too_large: { status: 431, title: 'Headers too large', meaning: 'The request headers are larger than the service takes.', remedy: 'Send fewer or shorter headers.' },
  request_timeout: { status: 408, title: 'Request too slow', meaning: 'The request did not arrive completely in time.', remedy: 'Send it again.' },
  internal_error: {
    status: 500,
    title: 'Internal error',
    meaning: 'A fault in the service itself. A write that was under way is finished or recovered under its key.',
    remedy: 'Send the same request again; tell the operator the `requestId` if it persists.',
  },
  downstream_error: {
    status: 502,
    title: 'The platform failed',
    meaning: 'The platform answered with an error of its own or in a way that cannot be read.',
    remedy: 'Try again later.',
  },
  reconnect_required: { status: 502, title: 'Reconnect required', meaning: "The platform no longer accepts the account's authorisation.", remedy: 'Connect the account again.' },
  unavailable: {
    status: 503,
    title: 'Not available',
    meaning: 'The service is shutting down, has more to do than it can, or cannot reach its database.',
    remedy: 'Repeat after `Retry-After` seconds.',
  },
  downstream_timeout: {
    status: 504,
    title: 'The platform did not answer',
    meaning: 'The platform did not answer in time.',
    remedy: 'Try again later; a write is recovered under its key.',
  },
} as const satisfies Record<string, ErrorRow>
export type ErrorCode = keyof typeof errorTable

export interface Violation {
  pointer: string
  message: string
  choices?: readonly { value: string; label: string }[] // where the platform told which values there are
}
export interface Downstream {
  platform: string
  status?: number
  code?: string
  message?: string
}
/** An answer that is an error: thrown anywhere, turned into application/problem+json at the edge. */
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
    more: { errors?: readonly Violation[]; downstream?: Downstream; headers?: Record<string, string>; extra?: Record<string, unknown>; cause?: unknown } = {},
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
/** Something worth saying beside `data`: a field that was not stored, a record that could not be read, a value that was derived. */
export interface Warning {
  code: 'not_stored' | 'not_normalised' | 'derived' | 'value_unknown'
  pointer?: string
  id?: string
  message: string
}
