import fc from 'fast-check'
import { expect, it } from 'vitest'
import { allFlavors } from '../../contract/validation.ts'
import { normalizerOf } from './normalize-values.ts'

const named = allFlavors().map((flavor) => [`${flavor.vertical} ${flavor.definition.entityType}`, flavor] as const)
const judged = (schema: (typeof named)[number][1]['read']['schema'], record: unknown) => {
  const verdict = { fits: true }
  return { kept: normalizerOf(schema)(record, verdict), fits: verdict.fits }
}
/** Every place in a record, as a list of keys. */
const places = (value: unknown, at: string[] = []): string[][] =>
  typeof value === 'object' && value !== null
    ? [at, ...Object.entries(value).flatMap(([key, inner]) => places(inner, [...at, key]))]
    : [at]

function withValue(record: unknown, [key, ...rest]: string[], value: unknown): unknown {
  if (key === undefined) return value
  const copy = (Array.isArray(record) ? [...record] : { ...(record as object) }) as Record<string, unknown>
  copy[key] = withValue(copy[key], rest, value)
  return copy
}

it.each(named)(
  '%s: a good record is seen to be one at once, and comes out as it went in',
  (_, { definition, read }) => {
    const known = judged(read.schema, definition.example).kept
    expect(judged(read.schema, known)).toEqual({ kept: known, fits: true })
    expect(read.check(known)).toBe(true)
  },
)

it.each(named)('%s: a value that the validator rejects is never reported as fitting', (_, { definition, read }) => {
  const example = judged(read.schema, definition.example).kept
  const strange = fc.oneof(
    fc.jsonValue(),
    fc.emailAddress(),
    fc.stringMatching(/^[A-Za-z0-9._+-]{1,12}@[A-Za-z0-9.-]{1,12}$/),
    fc.stringMatching(/^2026-[0-1]\d-[0-3]\dT[0-2]\d:[0-6]\d:[0-6]\d\.\d{3}Z$/),
    fc.constantFrom(
      null,
      undefined,
      Number.NaN,
      Infinity,
      -0,
      1e300,
      '',
      '\0',
      '\ud800',
      'x'.repeat(600),
      '2026-02-30T00:00:00.000Z',
      '2026-11-10T18:30:00+02:00',
      [],
      {},
      [null],
      'USD',
      'XXQ',
      'a@b',
      {
        toString: 1,
      },
    ),
  )
  fc.assert(
    fc.property(fc.constantFrom(...places(example)), strange, (place, value) => {
      const { kept, fits } = judged(read.schema, withValue(example, place, value))
      if (!fits) return
      expect(read.check(kept)).toBe(true)
      // Texts aside, which may say anything.
      const shape = JSON.stringify(kept, (_name, inner) => (typeof inner === 'string' ? '' : inner))
      expect(shape).not.toMatch(/:null|\{\}/)
    }),
    { numRuns: 300 },
  )
})
