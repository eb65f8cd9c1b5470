// Request and response schemas of the explorer.

import { Type } from 'typebox'
import { oneOf } from '../field.ts'
import { entitySupport } from '../records/support.ts'
import { anything, byName, flag, listOf, named, number, object, optional, text, whole } from '../schema.ts'

const texts = listOf(text())

const violation = named('ExplorerViolation', {
  pointer: text(),
  message: text(),
  choices: optional(listOf(anything())),
})
export const warning = named('ExplorerWarning', {
  code: text(),
  message: text(),
  pointer: optional(text()),
  id: optional(text()),
})
const timing = named('ExplorerTiming', {
  totalMs: number('Total duration'),
  waitMs: number("Time in the queue for the platform's rate limit"),
  platformMs: number('Time in calls to the platform'),
  serviceMs: number('Time in the service'),
  nativeCalls: whole(),
})
const callerRequest = named(
  'CallerRequest',
  {
    method: text(),
    path: text('With the query; in form B if a mapping key was given'),
    body: optional(anything()),
    ifMatch: optional(text('Header `if-match`')),
  },
  { description: 'The same request to the unified API, without the key' },
)
/** In every response that needed calls to the platform. */
const asked = {
  requestId: text(),
  timing,
  request: callerRequest,
}

const explored = {
  id: text('Platform id'),
  version: optional(text('For `ifMatch`, if the platform has versions')),
  record: optional(anything('The unified record; absent if the row cannot be normalized')),
  native: anything('The native row'),
  warnings: listOf(warning),
}
export const exploredPage = named('ExploredPage', {
  data: listOf(named('ExploredRow', explored)),
  cursor: optional(text()),
  warnings: listOf(warning),
  ...asked,
})
const response = named('ExploredResponse', {
  method: text(),
  path: text("A path of the platform's API"),
  pointer: text('JSON pointer of `value` in the body of the response'),
  value: anything('As the platform sent it, without secrets'),
})
const responses = optional(listOf(response, 'With `include=native`: the parts of responses that the row was made of'))
export const exploredRecord = named('ExploredRecord', { ...explored, responses, ...asked })

const kinds = [
  'same',
  'type',
  'scaled',
  'time',
  'word',
  'text',
  'joined',
  'sum',
  'count',
  'computed',
  'absent',
  'setting',
  'constant',
  'mapping',
] as const
const source = named('FieldSource', {
  pointer: text('Pointer into the native row'),
  decides: optional(Type.Literal(true, { description: 'Decides how the value is read' })),
  absent: optional(Type.Literal(true, { description: 'The value is missing, and that decides' })),
})
export const provenance = named('Provenance', {
  fields: listOf(
    named('FieldOrigin', {
      pointer: text(),
      kind: oneOf(kinds, 'Kind of conversion'),
      words: text('Description of the conversion'),
      sources: listOf(source),
      settings: texts,
    }),
  ),
  lacking: listOf(
    named('LackingField', { pointer: text(), sources: texts, words: text() }),
    'Fields that this record does not have, and why',
  ),
  complete: flag('False if the row was too large to trace every value'),
})

const namedKey = named('NamedMappingKey', {
  key: text(),
  direction: text(),
  entityType: text(),
  mappingId: text(),
  name: text(),
  version: whole(),
})
export const explorable = named('ExplorableAccount', {
  accountId: text(),
  name: text(),
  platform: text(),
  platformName: text(),
  vertical: text(),
  state: text(),
  stateReason: optional(text()),
  test: optional(flag('A test environment of the platform')),
  native: named(
    'ExplorerNative',
    {
      docs: text("The platform's API reference"),
      settings: listOf(text(), 'Settings of the account that a path can name as `{name}`'),
    },
    { description: 'For native calls' },
  ),
  entities: byName(entitySupport),
  mappingKeys: listOf(namedKey, 'Keys of custom mappings; the two default keys use the default mapping'),
})
export const described = named('ExplorerEntity', {
  entityType: text(),
  title: text(),
  support: entitySupport,
  schema: anything('JSON Schema of a record in this vertical'),
  example: anything('A complete record'),
  references: byName(text(), 'Pointer -> entity type it refers to'),
  gettable: flag('Whether a single record can be read'),
})

export const draft = {
  record: anything('A unified record'),
  mappingKey: optional(text('A write mapping key of the account')),
}
export const forRecord = {
  id: optional(text('Platform id of the record to replace; absent for a new record')),
}
const reference = named('ExplorerReference', { pointer: text(), sourceId: text(), nativeId: text() })
export const verdict = named('Validation', {
  valid: flag(),
  errors: listOf(violation),
  warnings: listOf(warning),
  references: listOf(reference, 'Source ids and their platform ids'),
})
const writtenReference = named('WrittenReference', { externalId: text(), id: text(), replayed: flag() })
export const plan = named('WritePlan', {
  steps: listOf(
    named('WriteStep', {
      name: text(),
      request: anything('The native request, without credentials'),
      recovery: text(),
    }),
  ),
  complete: flag('False if later steps depend on responses of the platform'),
  references: listOf(reference),
  missing: listOf(violation),
  warnings: listOf(warning),
  expectedWaitMs: number(),
  data: optional(anything('If the write would be a replay: the record of the stored response')),
  reference: optional(writtenReference),
  ...asked,
})
export const written = named('WrittenRecord', {
  data: anything('The record as stored on the platform'),
  version: optional(text('Of `data`, for `ifMatch`, if the platform has versions')),
  reference: writtenReference,
  warnings: listOf(warning),
  ...asked,
})
export const nativeResponse = named('ExplorerNativeResponse', {
  status: whole('Status of the response of the platform'),
  headers: byName(text(), 'Headers of the response that contain no secret'),
  body: anything('Body of the response, without secrets; null without a body'),
  encoding: optional(Type.Literal('base64', { description: 'Of `body`, if the platform sent bytes that are no text' })),
  reference: optional(object({ externalId: text(), replayed: flag() })),
  ...asked,
})
export const withVersion = { ifMatch: optional(text('Expected version of the record')) }
