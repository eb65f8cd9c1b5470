// What the routes of the explorer take and answer.
import { Type } from 'typebox'
import { oneOf } from '../../contract/field.ts'

const text = Type.String()
const anything = (description: string) => Type.Unknown({ description })
const texts = Type.Array(text)
const number = (description: string) => Type.Number({ description })
const strict = { additionalProperties: false }

const violation = Type.Object({ pointer: text, message: text, choices: Type.Optional(Type.Array(Type.Unknown())) }, strict)
export const warning = Type.Object({ code: text, message: text, pointer: Type.Optional(text), id: Type.Optional(text) }, strict)
const timing = Type.Object(
  {
    totalMs: number('From the first byte to the last'),
    waitMs: number("Waited for slots of the platform's limit"),
    platformMs: number('In calls to the platform'),
    serviceMs: number('In the service itself'),
    nativeCalls: Type.Integer(),
  },
  strict,
)
/** With every answer that asked the platform something. */
const asked = { requestId: text, timing, curl: Type.String({ description: 'The same call of the unified API; the key is left to fill in' }) }

const explored = {
  id: Type.String({ description: "The platform's id" }),
  version: Type.Optional(Type.String({ description: 'For `ifMatch`, where the platform has versions' })),
  record: Type.Optional(anything('The unified record; absent where the row cannot be normalised')),
  native: anything('The native row it was made of'),
  warnings: Type.Array(warning),
}
export const exploredPage = Type.Object({ data: Type.Array(Type.Object(explored, strict)), cursor: Type.Optional(text), ...asked }, strict)
export const exploredRecord = Type.Object({ ...explored, ...asked }, strict)

const kinds = ['same', 'type', 'scaled', 'time', 'word', 'text', 'joined', 'sum', 'count', 'computed', 'absent', 'setting', 'constant', 'mapping'] as const
const source = Type.Object(
  {
    pointer: Type.String({ description: 'Into the native row' }),
    decides: Type.Optional(Type.Literal(true, { description: 'Not the value itself, but how it is read' })),
    absent: Type.Optional(Type.Literal(true, { description: 'Nothing is there, and that decides' })),
  },
  strict,
)
export const provenance = Type.Object(
  {
    fields: Type.Array(
      Type.Object(
        {
          pointer: text,
          kind: oneOf(kinds, 'What kind of conversion'),
          words: Type.String({ description: 'The conversion in words' }),
          sources: Type.Array(source),
          settings: texts,
        },
        strict,
      ),
    ),
    lacking: Type.Array(Type.Object({ pointer: text, sources: texts, words: text }, strict), { description: 'Fields of the entity that this record does not have, and why' }),
    complete: Type.Boolean({ description: 'False when the row was too large to try every value' }),
  },
  strict,
)

const support = Type.Object(
  {
    read: Type.Boolean(),
    write: Type.Boolean(),
    update: Type.Boolean(),
    pageLimit: Type.Integer(),
    updatedAfter: text,
    requires: texts,
    requiresWhen: Type.Array(Type.Object({ pointer: text, when: text }, strict)),
    longest: Type.Record(Type.String(), Type.Integer()),
    notStored: texts,
  },
  strict,
)
const namedKey = Type.Object({ key: text, direction: text, entityType: text, mappingId: text, name: text, version: Type.Integer() }, strict)
export const explorable = Type.Object(
  {
    accountId: text,
    name: text,
    platform: text,
    platformName: text,
    vertical: text,
    state: text,
    stateReason: Type.Optional(text),
    entities: Type.Record(text, support),
    mappingKeys: Type.Array(namedKey, { description: 'Keys that name a mapping; the two default keys stand for the built-in one' }),
  },
  strict,
)
export const described = Type.Object(
  {
    entityType: text,
    title: text,
    support,
    schema: anything('JSON Schema of a record in this vertical'),
    example: anything('A full record'),
    references: Type.Record(text, text, { description: 'Pointer -> what it refers to' }),
    gettable: Type.Boolean({ description: 'Whether a single record can be read' }),
  },
  strict,
)

export const draft = { record: anything('A unified record'), mappingKey: Type.Optional(Type.String({ description: 'A write mapping key of the account' })) }
export const forRecord = { id: Type.Optional(Type.String({ description: 'Of the record to replace; absent: a new one' })) }
const reference = Type.Object({ pointer: text, sourceId: text, nativeId: text }, strict)
export const verdict = Type.Object(
  { valid: Type.Boolean(), errors: Type.Array(violation), warnings: Type.Array(warning), references: Type.Array(reference, { description: 'Source ids and what they stand for' }) },
  strict,
)
export const plan = Type.Object(
  {
    steps: Type.Array(Type.Object({ name: text, request: anything('The native request, without credentials'), recovery: text }, strict)),
    complete: Type.Boolean({ description: 'False when later steps depend on answers that only the platform can give' }),
    references: Type.Array(reference),
    missing: Type.Array(violation),
    warnings: Type.Array(warning),
    expectedWaitMs: Type.Number(),
    ...asked,
  },
  strict,
)
export const written = Type.Object(
  {
    data: anything('The record as the platform now has it'),
    reference: Type.Object({ externalId: text, id: text, replayed: Type.Boolean() }, strict),
    warnings: Type.Array(warning),
    ...asked,
  },
  strict,
)
