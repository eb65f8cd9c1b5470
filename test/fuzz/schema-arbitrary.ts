// Values that satisfy a schema of the document.
import fc from 'fast-check'
import { flattened } from '../api-documents.ts'
import type { Json } from './document.ts'

export function fromSchema(schema: Json, schemas: Json, depth = 0): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined || schema.allOf !== undefined)
    return fromSchema(flattened(schema, schemas), schemas, depth)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]))
  if (schema.const !== undefined) return fc.constant(schema.const)
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined
  if (choices) return fc.oneof(...choices.map((choice) => fromSchema(choice, schemas, depth)))
  switch (schema.type) {
    case 'object':
      return fromObject(schema, schemas, depth)
    case 'array':
      return fc.array(fromSchema((schema.items ?? {}) as Json, schemas, depth + 1), {
        minLength: Number(schema.minItems ?? 0),
        maxLength: Math.max(3, Number(schema.minItems ?? 0)),
      })
    case 'boolean':
      return fc.boolean()
    case 'integer':
    case 'number':
      return fromNumber(schema)
    case 'string':
      return fromString(schema)
    default:
      return fc.constantFrom<unknown>('x', 1, true, null)
  }
}

function fromObject(schema: Json, schemas: Json, depth: number): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>)
  const required = (schema.required ?? []) as string[]
  const known = fc.record(
    Object.fromEntries(properties.map(([name, property]) => [name, fromSchema(property, schemas, depth + 1)])),
    { requiredKeys: required },
  )
  const more = schema.additionalProperties
  if (properties.length > 0 || typeof more !== 'object') return known
  return fc.dictionary(fc.stringMatching(/^[a-zA-Z]{1,8}$/), fromSchema(more as Json, schemas, depth + 1), {
    maxKeys: 3,
  })
}

function fromNumber({ type, minimum, exclusiveMinimum, maximum }: Json): fc.Arbitrary<unknown> {
  const min = Math.max(-1_000_000, Number(minimum ?? -1_000_000)) + (exclusiveMinimum === true ? 1 : 0)
  const max = Math.min(1_000_000, Number(maximum ?? 1_000_000))
  const whole = fc.integer({ min: Math.ceil(min), max: Math.floor(max) })
  return type === 'integer'
    ? whole
    : fc.oneof(
        whole,
        fc.tuple(whole, fc.nat(99)).map(([units, cents]) => Math.min(max, units + cents / 100)),
      )
}

const dates = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2035-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())
/**
 * From several scripts, with combining characters and beyond the first plane. The full range would take seconds to set
 * up.
 */
const words = fc.constantFrom(
  'a',
  'ß',
  'é',
  'e\u0301',
  '日',
  'ع',
  '😀',
  '👩‍👧',
  '\u200b',
  ' ',
  '\t',
  '"',
  '<',
  '&',
  '\\',
)
const urls = fc.constantFrom('https://example.com/a', 'http://example.org')
const currencies = fc.constantFrom('USD', 'EUR', 'JPY', 'KWD')
/** Values of which every one is valid, by one that a pattern must match: a pattern can allow a day that does not exist. */
const exact: [string, fc.Arbitrary<string>][] = [
  ['2026-11-10T18:30:00.000Z', dates],
  ['https://example.com/a', urls],
  ['USD', currencies],
]
function fromString({ format, pattern, minLength, maxLength }: Json): fc.Arbitrary<unknown> {
  if (format === 'date-time') return dates
  if (format === 'email') return fc.constantFrom('a@example.com', 'b.c+d@example.org')
  if (format === 'uri') return urls
  const length = {
    minLength: Number(minLength ?? 0),
    maxLength: Math.min(Number(maxLength ?? 20), Math.max(20, Number(minLength ?? 0))),
  }
  const texts = fc.oneof(fc.string({ unit: 'grapheme-ascii', ...length }), fc.string({ unit: words, ...length }))
  if (typeof pattern !== 'string') return texts
  const form = new RegExp(pattern, 'u')
  if (form.test('any text')) return texts.filter((value) => form.test(value))
  return exact.find(([value]) => form.test(value))?.[1] ?? fc.stringMatching(new RegExp(pattern), { maxLength: 30 })
}
