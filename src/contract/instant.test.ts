import { describe, expect, it } from 'vitest'
import { instantExample, instantFault, instantPattern, toInstant } from './instant.ts'

describe('a timestamp', () => {
  it.each([
    ['2026-11-10T18:30:00Z', '2026-11-10T18:30:00.000Z'],
    ['2026-11-10T18:30Z', '2026-11-10T18:30:00.000Z'],
    ['2026-11-10t18:30:00z', '2026-11-10T18:30:00.000Z'],
    ['2026-11-10T18:30:00.5Z', '2026-11-10T18:30:00.500Z'],
    ['2026-11-10T18:30:00,25Z', '2026-11-10T18:30:00.250Z'],
    ['2026-11-10T18:30:00.123456789Z', '2026-11-10T18:30:00.123Z'],
    ['2026-11-11T00:00:00+05:30', '2026-11-10T18:30:00.000Z'],
    ['2026-11-11T00:00+0530', '2026-11-10T18:30:00.000Z'],
    ['2026-11-10T13:30:00-05:00', '2026-11-10T18:30:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ])('%s is %s', (text, utc) => {
    expect(toInstant(text)).toBe(utc)
    expect(text).toMatch(new RegExp(instantPattern, 'u'))
  })

  it.each([
    ['2026-11-10', /date without a time/],
    ['2026-11-10T18:30:00', /without an offset/],
    ['2026-11-10 18:30', /without an offset/],
    ['2026-12-31T23:59:60Z', /leap second/],
    ['0000-01-01T00:00:00Z', /ISO 8601/],
    ['2026-02-29T00:00:00Z', /ISO 8601/],
    ['2026-13-01T00:00:00Z', /ISO 8601/],
    ['2026-11-10T24:00:00Z', /ISO 8601/],
    ['2026-11-10T18:60:00Z', /ISO 8601/],
    ['2026-11-10T18:30:00+24:00', /ISO 8601/],
    ['2026-11-10T18:30:00+05', /ISO 8601/],
    ['20261110T183000Z', /ISO 8601/],
    ['2026-11-10T18:30:00.Z', /ISO 8601/],
    ['9999-12-31T23:59:59-01:00', /ISO 8601/],
    ['0001-01-01T00:00:00+01:00', /ISO 8601/],
    ['Tue, 10 Nov 2026 18:30:00 GMT', /ISO 8601/],
    ['', /ISO 8601/],
  ])('%s is none, and the message has an example', (text, reason) => {
    expect(toInstant(text)).toBeUndefined()
    expect(instantFault(text)).toMatch(reason)
    expect(instantFault(text)).toContain(instantExample)
  })
})
