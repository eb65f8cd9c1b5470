// The operations of the record API. They are the same in both address forms: form B is another server with the same
// paths.
import { type TSchema, Type } from 'typebox'
import { type EntityDefinition, referenceModes } from '../contract/entity.ts'
import type { ErrorCode } from '../contract/errors.ts'
import { flavorExample } from '../contract/example.ts'
import { oneOf } from '../contract/field.ts'
import { nativeCallSchema } from '../contract/native-call.ts'
import { changePage, feedStatus } from '../contract/records/changes.ts'
import { nativeById, nativeResponse } from '../contract/records/native.ts'
import { dryRun, keyStatus, pagination, reference, warning } from '../contract/records/responses.ts'
import { accountSupport } from '../contract/records/support.ts'
import { flag, listOf, optional, shape, text, whole } from '../contract/schema.ts'
import { publishedSchema } from '../contract/validation.ts'
import type { Answer, Operation } from './openapi-operation.ts'
import { readProblems, writeProblems } from './openapi-problems.ts'
import { needing } from './openapi-security.ts'
import { ref } from './openapi-spelling.ts'

export const formBPrefix = '/api/1.0/standalone-link-engine-service'

const mappingProblems: ErrorCode[] = ['mapping_key_required', 'mapping_key_mismatch']
const mappingKey = (direction: string, required = true) =>
  text(`Form B only: a ${direction} mapping key of the account${required ? ', required there' : ''}`)
const prefer = {
  Prefer: text(
    "`wait=SECONDS`: how long the first call to the platform can wait for a slot within its rate limit, at most 60. By default 10, or the average time between two calls at the slowest of the platform's limits plus 2 if that is longer",
  ),
}
const waited = {
  'X-Queue-Wait-Ms': whole(
    "Milliseconds in which calls of this request waited for slots within the platform's rate limit",
  ),
}
const include = oneOf(['native'], '`native`: also what the platform sent for each record. A cursor carries it')
const fields = text(
  'The fields that records have, separated by commas, such as `name,address.city`; `externalId` is always among them. A list saves the second calls that none of them needs (`details` of `GET /unified/{accountId}`). A cursor carries them. Do not PUT such a record: what is left out is cleared',
)
const pageSize = (description: string) => Type.Integer({ minimum: 1, default: 50, description })
const references = Type.Unsafe<(typeof referenceModes)[number]>({
  ...oneOf(
    referenceModes,
    "Whose ids the references in the body are. source: your source ids; one that was never written or linked is 422 `unknown_reference`. platform: the platform's ids, sent as they are. auto: a source id if one was written or linked under it, else the platform's id with the warning `reference_assumed`. On PUT, a reference that equals what the record holds now is unchanged in every mode",
    'ReferenceMode',
  ),
  default: 'auto',
})
const replayed = (description: string) => ({ 'Idempotent-Replayed': oneOf(['true'], description) })
const version = (description: string) => ({ ETag: text(description) })

export const supportOperation: Operation = {
  operationId: 'getAccountSupport',
  summary: 'What the account supports',
  tag: 'Accounts',
  access: needing(
    undefined,
    'The operations and fields of each entity type, what a write requires, and the limits of the platform.',
  ),
  answers: { 200: { description: 'Support per entity', schema: accountSupport } },
  problems: ['unknown_parameter', 'unauthorized', 'unknown_account', 'too_many_requests', 'unavailable'],
}

const totals = oneOf(
  ['exact'],
  'exact: a record with another `total` than the platform makes of it is 422 `totals_differ` if the platform can compute it first, and has the warning `totals_differ` otherwise',
  'TotalsMode',
)
/** The query parameters of the operations on records, which are the same for all entity types. */
export const recordQueries = {
  list: {
    pageSize: pageSize("Maximum number of records per page; the platform's limit also applies"),
    cursor: text('`pagination.cursor` of the previous page; it contains the page size and the filters'),
    updatedAfter: text(
      'Only records modified after this time (exclusive). If the platform has only whole seconds (`stampPrecision`), also the other records of that second',
      { format: 'date-time' },
    ),
    externalId: text(
      "Your source id, not the platform's: returns the record that you wrote or linked under it, with its outcome; cannot be combined with pageSize, cursor, updatedAfter and search",
    ),
    search: text(
      'A source id, a platform id, or what the platform can search for (`search` in the support of the entity). Records with that id come first; cannot be combined with `updatedAfter` and `externalId`',
      { maxLength: 200 },
    ),
    include,
    fields,
    mappingKey: mappingKey('read'),
  },
  get: { include, fields, mappingKey: mappingKey('read') },
  create: {
    references,
    totals,
    onUnknown: oneOf(['resend'], 'Resend a write whose outcome the platform cannot report'),
    guard: oneOf(
      ['duplicates'],
      'duplicates: the same content that was written with this parameter under another externalId within an hour, or is still being written, is 409 `possible_duplicate` with the first record',
      'WriteGuard',
    ),
    confirmDuplicate: Type.Boolean({
      default: false,
      description: 'With guard=duplicates: write the record although its content was just written',
    }),
    dryRun: oneOf(
      ['true', 'check'],
      'true: show what would be sent; nothing is written or stored. A key that is in use gets what the request would get: a replay as `reference` and `data` with no steps, or 409. check: only what can be checked about the record without calling the platform; the key is not looked up',
      'DryRunMode',
    ),
    mappingKey: mappingKey('write'),
  },
  update: { references, totals, mappingKey: mappingKey('write', false) },
}

const component = (name: string) => Type.Unsafe<object>(ref(name))
const warnings = optional(listOf(warning))

/** The responses of an entity type. A page or an answer has its records as `Customer`, a component of the document. */
export function recordAnswers({ classes: { one }, writable, createOnly }: EntityDefinition): Record<string, TSchema> {
  const record = component(one)
  return {
    [`${one}Page`]: shape('', {
      data: listOf(record),
      native: optional(nativeById),
      pagination,
      reference: optional(keyStatus),
      warnings,
    }),
    [`${one}Answer`]: shape('', { data: record, native: optional(nativeById), warnings }),
    ...(writable
      ? {
          ...(createOnly
            ? {}
            : { [`${one}Written`]: shape('', { success: flag(), data: record, reference, warnings }) }),
          // One schema instead of a choice of two, which most languages have no type for.
          [`${one}Created`]: Type.Partial(shape('', { success: flag(), ...dryRun.properties, data: record }), {
            description: createOnly
              ? 'The record and its `reference`, or with `dryRun` the members of `DryRun`'
              : `The members of \`${one}Written\`, or with \`dryRun\` those of \`DryRun\``,
          }),
        }
      : {}),
  }
}

type RecordOperations = Record<'list' | 'get', Operation> & Partial<Record<'create' | 'update', Operation>>
export function recordOperations(definition: EntityDefinition): RecordOperations {
  const { classes, names, title: tag, writable, createOnly } = definition
  const { one } = classes
  const examples = Object.fromEntries(
    definition.verticals.map((vertical) => [vertical, { value: flavorExample(definition, vertical) }]),
  )
  const body = { schema: component(`${one}Input`), examples }
  const written = (description: string, schema: string): Answer => ({
    description,
    headers: {
      ...version(
        'Version of the record in `data`: what a GET returns. Absent if the platform has no versions, and if the service finished an interrupted write',
      ),
      ...waited,
    },
    schema: component(schema),
  })
  const reads: Record<'list' | 'get', Operation> = {
    list: {
      operationId: `list${classes.many}`,
      summary: `List ${names.many}`,
      tag,
      access: needing(
        'records:read',
        `Records as the platform has them now, a page at a time. Follow \`pagination.cursor\` until \`hasMore\` is false.`,
      ),
      query: recordQueries.list,
      headers: prefer,
      answers: {
        200: {
          description: 'One page. With `fields`, its records have the selected fields only',
          headers: { Link: text('rel="next" if there is another page'), ...waited },
          schema: component(`${one}Page`),
        },
      },
      problems: ['invalid_cursor', 'filter_unsupported', ...mappingProblems, ...readProblems],
    },
    get: {
      operationId: `get${one}`,
      summary: `Get one ${names.one} by platform id`,
      tag,
      access: needing('records:read', 'The record as the platform has it now.'),
      query: recordQueries.get,
      headers: prefer,
      answers: {
        200: {
          description: 'The record. With `fields`, it has the selected fields only',
          headers: {
            ...version('Version of the record for `If-Match` of a PUT, if the platform has versions'),
            ...waited,
          },
          schema: component(`${one}Answer`),
        },
      },
      problems: ['record_not_found', 'method_not_allowed', ...mappingProblems, ...readProblems],
    },
  }
  if (!writable) return reads
  const writes: Record<'create' | 'update', Operation> = {
    create: {
      operationId: `create${one}`,
      summary: `Write one ${names.one}; externalId is the idempotency key`,
      tag,
      access: needing(
        'records:write',
        'A repeated request with the same `externalId` and content gets the stored response and writes nothing.',
      ),
      query: recordQueries.create,
      headers: prefer,
      body,
      answers: {
        200: {
          description: 'Replay of an earlier write with this key; with dryRun, what would be sent',
          headers: {
            ...replayed('`true` if the response is a stored one. It has no ETag: the record may have changed since'),
            ...waited,
          },
          schema: component(`${one}Created`),
        },
        201: written('Written', `${one}Created`),
      },
      problems: [
        'idempotency_conflict',
        'content_erased',
        'possible_duplicate',
        'outcome_unknown',
        'partially_written',
        'write_in_progress',
        'totals_differ',
        ...mappingProblems,
        ...writeProblems,
      ],
    },
    update: {
      operationId: `update${one}`,
      summary: `Replace one ${names.one}`,
      tag,
      access: needing('records:write', 'Replaces the whole record. Writing back what was read changes nothing.'),
      query: recordQueries.update,
      headers: {
        'If-Match': text(
          'ETag of the record, from a GET, POST or PUT; the update is 412 `precondition_failed` if the record has changed, or if the platform has no versions. `*` is the same as no header',
        ),
        ...prefer,
      },
      body,
      answers: { 200: written('Replaced', `${one}Written`) },
      problems: [
        'record_not_found',
        'outcome_unknown',
        'partially_written',
        'write_in_progress',
        'content_erased',
        'stale_record',
        'precondition_failed',
        ...mappingProblems,
        ...writeProblems,
      ],
    },
  }
  const { create, update } = writes
  return { ...reads, create, ...(createOnly ? {} : { update }) }
}

export const changesOperation = {
  operationId: 'listChanges',
  summary: 'Changes of records since a cursor, in order; with `Prefer: wait`, waits for them',
  tag: 'Changes',
  access: needing(
    'changes',
    'Start with a cursor from the end of a complete copy. Every page has a cursor, also an empty one: store it, and continue there.',
  ),
  query: {
    entityType: text(
      'Entity types, separated by commas. By default those of the cursor, or without a cursor all that are watched',
    ),
    cursor: text(
      '`pagination.cursor` of the previous page. Without it the feed starts now, with changes of the last seconds that a list may not show yet',
    ),
    pageSize: pageSize('Maximum number of changes per page, at most 500'),
    include: oneOf(
      ['native'],
      '`native`: also what the platform has now of each record. Each one costs a call, so a page has at most 20 of them',
    ),
    mappingKey: mappingKey('read'),
  },
  headers: { Prefer: text('`wait=SECONDS`: how long to wait for a change if there is none, at most 60') },
  answers: {
    200: {
      description: 'One page; empty if nothing has changed',
      headers: { 'Preference-Applied': text('`wait=SECONDS`, if the request has that preference') },
      schema: changePage,
    },
  },
  problems: [
    'invalid_parameter',
    'unknown_parameter',
    'invalid_cursor',
    'unauthorized',
    'insufficient_scope',
    'forbidden',
    'unknown_account',
    'entity_not_offered',
    'not_watched',
    'not_ready',
    'cursor_expired',
    'too_many_requests',
    'downstream_error',
    'reconnect_required',
    'downstream_timeout',
    ...mappingProblems,
  ],
} as const satisfies Operation
export const changesStatusOperation = {
  operationId: 'getChangesStatus',
  summary: 'What is watched, and how current it is',
  tag: 'Changes',
  access: needing('changes', 'Watches are set in the management API.'),
  query: { mappingKey: mappingKey('read') },
  answers: { 200: { description: 'Status per watched entity', schema: feedStatus } },
  problems: [
    'unknown_parameter',
    'unauthorized',
    'insufficient_scope',
    'unknown_account',
    'too_many_requests',
    ...mappingProblems,
  ],
} as const satisfies Operation
export const nativeOperation = {
  operationId: 'callNative',
  summary: "Make a call of the platform's own API",
  tag: 'Native calls',
  access: needing(
    'native',
    "The path is joined to the API of the account's platform. Token, rate limit and activity are those of every call. A POST, PUT, PATCH or DELETE needs an `externalId`: it is sent once, and if its response is lost, the outcome is unknown.",
  ),
  query: { mappingKey: mappingKey('write') },
  headers: prefer,
  body: {
    schema: component('NativeCall'),
    examples: {
      read: { value: { method: 'GET', path: '/v2/locations' } },
      write: {
        value: { method: 'POST', path: '/v2/customers', body: { given_name: 'Ada' }, externalId: 'native-1' },
      },
    },
  },
  answers: {
    200: {
      description: 'The platform responded, with any status',
      headers: replayed('`true` if the response is a stored one'),
      schema: nativeResponse,
    },
  },
  problems: [
    'insufficient_scope',
    'idempotency_conflict',
    'content_erased',
    'outcome_unknown',
    'write_in_progress',
    'malformed_json',
    'payload_too_large',
    'unsupported_media_type',
    'validation_failed',
    ...mappingProblems,
    ...readProblems.filter((code) => code !== 'entity_not_offered'),
  ],
} satisfies Operation
export const nativeCall = publishedSchema(nativeCallSchema, { ofBody: true })
