// Request and response schemas of the explorer.
import { Type } from 'typebox'
import { oneOf } from '../../contract/field.ts'

const text = Type.String()
const anything = (description: string) => Type.Unknown({ description })
const texts = Type.Array(text)
const number = (description: string) => Type.Number({ description })
const strict = { additionalProperties: false }

const violation = Type.Object(
  { pointer: text, message: text, choices: Type.Optional(Type.Array(Type.Unknown())) },
  { ...strict, title: 'ExplorerViolation' },
)
export const warning = Type.Object(
  { code: text, message: text, pointer: Type.Optional(text), id: Type.Optional(text) },
  { ...strict, title: 'ExplorerWarning' },
)
const timing = Type.Object(
  {
    totalMs: number('Total duration'),
    waitMs: number("Time in the queue for the platform's rate limit"),
    platformMs: number('Time in calls to the platform'),
    serviceMs: number('Time in the service'),
    nativeCalls: Type.Integer(),
  },
  { ...strict, title: 'ExplorerTiming' },
)
const callerRequest = Type.Object(
  {
    method: text,
    path: Type.String({ description: 'With the query; in form B if a mapping key was given' }),
    body: Type.Optional(Type.Unknown()),
    ifMatch: Type.Optional(Type.String({ description: 'Header `if-match`' })),
  },
  {
    title: 'CallerRequest',
    additionalProperties: false,
    description: 'The same request to the unified API, without the key',
  },
)
/** In every response that needed calls to the platform. */
const asked = {
  requestId: text,
  timing,
  request: callerRequest,
}

const explored = {
  id: Type.String({ description: 'Platform id' }),
  version: Type.Optional(Type.String({ description: 'For `ifMatch`, if the platform has versions' })),
  record: Type.Optional(anything('The unified record; absent if the row cannot be normalized')),
  native: anything('The native row'),
  warnings: Type.Array(warning),
}
export const exploredPage = Type.Object(
  {
    data: Type.Array(Type.Object(explored, { ...strict, title: 'ExploredRow' })),
    cursor: Type.Optional(text),
    warnings: Type.Array(warning),
    ...asked,
  },
  { ...strict, title: 'ExploredPage' },
)
const response = Type.Object(
  {
    method: text,
    path: Type.String({ description: "A path of the platform's API" }),
    pointer: Type.String({ description: 'JSON pointer of `value` in the body of the response' }),
    value: anything('As the platform sent it, without secrets'),
  },
  { ...strict, title: 'ExploredResponse' },
)
const responses = Type.Optional(
  Type.Array(response, { description: 'With `include=native`: the parts of responses that the row was made of' }),
)
export const exploredRecord = Type.Object({ ...explored, responses, ...asked }, { ...strict, title: 'ExploredRecord' })

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
const source = Type.Object(
  {
    pointer: Type.String({ description: 'Pointer into the native row' }),
    decides: Type.Optional(Type.Literal(true, { description: 'Decides how the value is read' })),
    absent: Type.Optional(Type.Literal(true, { description: 'The value is missing, and that decides' })),
  },
  { ...strict, title: 'FieldSource' },
)
export const provenance = Type.Object(
  {
    fields: Type.Array(
      Type.Object(
        {
          pointer: text,
          kind: oneOf(kinds, 'Kind of conversion'),
          words: Type.String({ description: 'Description of the conversion' }),
          sources: Type.Array(source),
          settings: texts,
        },
        { ...strict, title: 'FieldOrigin' },
      ),
    ),
    lacking: Type.Array(
      Type.Object({ pointer: text, sources: texts, words: text }, { ...strict, title: 'LackingField' }),
      {
        description: 'Fields that this record does not have, and why',
      },
    ),
    complete: Type.Boolean({ description: 'False if the row was too large to trace every value' }),
  },
  { ...strict, title: 'Provenance' },
)

const valueTable = Type.Record(Type.String(), texts)
const support = Type.Object(
  {
    read: Type.Boolean(),
    write: Type.Boolean(),
    update: Type.Boolean(),
    pageLimit: Type.Integer(),
    updatedAfter: text,
    stampPrecision: Type.Optional(text),
    details: Type.Optional(texts),
    requires: texts,
    requiresWhen: Type.Array(
      Type.Object(
        {
          pointer: text,
          when: text,
          without: Type.Optional(text),
          with: Type.Optional(text),
          is: Type.Optional(valueTable),
          isNot: Type.Optional(valueTable),
          fact: Type.Optional(text),
        },
        { ...strict, title: 'ExplorerRequirement' },
      ),
    ),
    values: valueTable,
    longest: Type.Record(Type.String(), Type.Integer()),
    notStored: texts,
    derived: texts,
    search: Type.Object({ by: texts, newestFirst: Type.Boolean() }, { ...strict, title: 'ExplorerSearch' }),
    customPlaces: Type.Record(Type.String(), Type.String()),
    custom: Type.Optional(Type.Unknown({ description: 'JSON Schema of the custom fields' })),
  },
  { ...strict, title: 'ExplorerSupport' },
)
const namedKey = Type.Object(
  { key: text, direction: text, entityType: text, mappingId: text, name: text, version: Type.Integer() },
  { ...strict, title: 'NamedMappingKey' },
)
export const explorable = Type.Object(
  {
    accountId: text,
    name: text,
    platform: text,
    platformName: text,
    vertical: text,
    state: text,
    stateReason: Type.Optional(text),
    test: Type.Optional(Type.Boolean({ description: 'A test environment of the platform' })),
    native: Type.Object(
      {
        docs: Type.String({ description: "The platform's API reference" }),
        settings: Type.Array(text, { description: 'Settings of the account that a path can name as `{name}`' }),
      },
      { title: 'ExplorerNative', ...strict, description: 'For native calls' },
    ),
    entities: Type.Record(text, support),
    mappingKeys: Type.Array(namedKey, {
      description: 'Keys of custom mappings; the two default keys use the default mapping',
    }),
  },
  { ...strict, title: 'ExplorableAccount' },
)
export const described = Type.Object(
  {
    entityType: text,
    title: text,
    support,
    schema: anything('JSON Schema of a record in this vertical'),
    example: anything('A complete record'),
    references: Type.Record(text, text, { description: 'Pointer -> entity type it refers to' }),
    gettable: Type.Boolean({ description: 'Whether a single record can be read' }),
  },
  { ...strict, title: 'ExplorerEntity' },
)

export const draft = {
  record: anything('A unified record'),
  mappingKey: Type.Optional(Type.String({ description: 'A write mapping key of the account' })),
}
export const forRecord = {
  id: Type.Optional(Type.String({ description: 'Platform id of the record to replace; absent for a new record' })),
}
const reference = Type.Object(
  { pointer: text, sourceId: text, nativeId: text },
  { ...strict, title: 'ExplorerReference' },
)
export const verdict = Type.Object(
  {
    valid: Type.Boolean(),
    errors: Type.Array(violation),
    warnings: Type.Array(warning),
    references: Type.Array(reference, { description: 'Source ids and their platform ids' }),
  },
  { ...strict, title: 'Validation' },
)
const writtenReference = Type.Object(
  { externalId: text, id: text, replayed: Type.Boolean() },
  { ...strict, title: 'WrittenReference' },
)
export const plan = Type.Object(
  {
    steps: Type.Array(
      Type.Object(
        { name: text, request: anything('The native request, without credentials'), recovery: text },
        { ...strict, title: 'WriteStep' },
      ),
    ),
    complete: Type.Boolean({ description: 'False if later steps depend on responses of the platform' }),
    references: Type.Array(reference),
    missing: Type.Array(violation),
    warnings: Type.Array(warning),
    expectedWaitMs: Type.Number(),
    data: Type.Optional(anything('If the write would be a replay: the record of the stored response')),
    reference: Type.Optional(writtenReference),
    ...asked,
  },
  { ...strict, title: 'WritePlan' },
)
export const written = Type.Object(
  {
    data: anything('The record as stored on the platform'),
    version: Type.Optional(Type.String({ description: 'Of `data`, for `ifMatch`, if the platform has versions' })),
    reference: writtenReference,
    warnings: Type.Array(warning),
    ...asked,
  },
  { ...strict, title: 'WrittenRecord' },
)
export const nativeResponse = Type.Object(
  {
    status: Type.Integer({ description: 'Status of the response of the platform' }),
    headers: Type.Record(text, text, { description: 'Headers of the response that contain no secret' }),
    body: anything('Body of the response, without secrets; null without a body'),
    encoding: Type.Optional(
      Type.Literal('base64', { description: 'Of `body`, if the platform sent bytes that are no text' }),
    ),
    reference: Type.Optional(Type.Object({ externalId: text, replayed: Type.Boolean() }, strict)),
    ...asked,
  },
  { ...strict, title: 'ExplorerNativeResponse' },
)
