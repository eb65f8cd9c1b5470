// The members of responses of the record API besides records: problems, warnings, paging, references, dry runs.
import { errorTable, warningTable } from '../errors.ts'
import { oneOf } from '../field.ts'
import { anyObject, anything, byName, flag, listOf, optional, shape, text, time, whole } from '../schema.ts'

const violation = shape('Violation', {
  pointer: text('JSON pointer into the body'),
  message: text(),
  choices: optional(
    listOf(shape('Choice', { value: text(), label: text() }), 'Valid values, if the platform reports them'),
  ),
})
const knownReference = shape(
  'KnownReference',
  {
    externalId: text('Your source id'),
    id: optional(text("The platform's id: use it in the path. Absent while it is not known")),
    outcome: optional(text('With `possible_duplicate`: what became of that write')),
  },
  {
    description:
      'With 404 `record_not_found`: the id in the path is your source id of this record. With 409 `possible_duplicate`: the write that has the same content. With 410 `content_erased`: the write whose content was erased',
  },
)
export const problem = shape('Problem', {
  type: text('URL of the error in the reference', { format: 'uri-reference' }),
  title: text(),
  status: whole(),
  detail: text(),
  code: oneOf(Object.keys(errorTable)),
  requestId: text(),
  errors: optional(listOf(violation)),
  downstream: optional(
    shape('DownstreamError', {
      platform: text(),
      status: optional(whole()),
      code: optional(text()),
      message: optional(text()),
    }),
  ),
  id: optional(text("The platform's id of the record")),
  reference: optional(knownReference),
  data: optional(anyObject('With 409 `possible_duplicate`: the record that was written, if that write is done')),
  externalId: optional(text('The idempotency key')),
  erasedAt: optional(time('With 410 `content_erased`')),
  reason: optional(
    oneOf(
      ['pruned', 'restored', 'epoch', 'stopped'],
      'With 410 `cursor_expired`. `pruned`: the changes are older than the service stores them. `restored`: the database was restored. `epoch`: the entity has new records, because of another business or a new watch. `stopped`: the entity is no longer watched',
    ),
  ),
  entityTypes: optional(
    listOf(text(), 'With `not_watched`, `cursor_expired` and `insufficient_scope`: the entities that it is about'),
  ),
  scope: optional(text('With `insufficient_scope`: the scope that the request needs')),
  limit: optional(
    oneOf(
      ['accounts', 'entities', 'hiddenFields'],
      'With `insufficient_scope`: the limit of the credential that excludes the request',
    ),
  ),
  progress: optional(
    byName(
      shape('WalkProgress', { pages: whole(), records: whole() }),
      'With `not_ready`: how far the first walk of each entity is',
    ),
  ),
  differences: optional(
    listOf(shape('Difference', { pointer: text(), written: optional(anything()), asked: optional(anything()) })),
  ),
})
export const warning = shape('Warning', {
  code: oneOf(Object.keys(warningTable)),
  pointer: optional(text()),
  id: optional(text()),
  message: text(),
})
export const pagination = shape('Pagination', {
  cursor: optional(text('Opaque cursor of the next page; absent on the last page')),
  hasMore: flag(),
})
export const reference = shape('Reference', {
  externalId: text("Your source id, as in the body; the platform's id if a PUT names no known source id"),
  id: text("The platform's id of the record: what GET and PUT take in their path"),
  replayed: flag(),
})
export const keyStatus = shape('KeyStatus', {
  externalId: text('Your source id'),
  outcome: oneOf(['in_flight', 'done', 'unknown', 'partial', 'linked']),
  id: optional(text("The platform's id")),
})
export const dryRun = shape('DryRun', {
  dryRun: flag(),
  steps: listOf(shape('DryRunStep', { name: text(), request: anyObject(), recovery: text() })),
  complete: flag('False when later steps depend on responses of the platform'),
  references: listOf(shape('ResolvedReference', { pointer: text(), sourceId: text(), nativeId: text() })),
  missing: listOf(shape('MissingField', { pointer: text(), message: text() })),
  warnings: listOf(warning),
  expectedWaitMs: whole(),
  data: optional(anyObject('If the request would be a replay: the record of the stored response')),
  reference: optional(reference),
})
