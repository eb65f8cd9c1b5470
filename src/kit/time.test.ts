import { describe, expect, it } from 'vitest'
import { addMs, compareInstants, fromUnixMs, fromUnixSeconds, hoursBetween, latestOf, toUtc, wallTime } from './time.ts'

describe('toUtc', () => {
  it('reads ISO times with any offset', () => {
    for (const same of [
      '2026-11-10T18:30:00Z',
      '2026-11-10T13:30:00-05:00',
      '2026-11-10T18:30:00.000+0000',
      '2026-11-11T00:00:00+0530',
      '2026-11-10T20:30+02',
      '2026-11-10 18:30:00 UTC',
    ])
      expect(toUtc(same), same).toBe('2026-11-10T18:30:00.000Z')
    expect(toUtc('2026-11-10T18:30:00.1239999Z')).toBe('2026-11-10T18:30:00.123Z')
  })
  it('reads the dates of .NET, HTTP and mail', () => {
    expect(toUtc('/Date(1518685950940+0000)/')).toBe('2018-02-15T09:12:30.940Z')
    expect(toUtc('Wed, 15 Jul 2020 15:04:05 GMT')).toBe('2020-07-15T15:04:05.000Z')
    expect(toUtc('Wed, 25 Jun 2025 05:22:10 +0200')).toBe('2025-06-25T03:22:10.000Z')
  })
  it('reads a wall time in a named zone, in summer and in winter', () => {
    expect(toUtc('2026-01-30 07:17:12', 'America/New_York')).toBe('2026-01-30T12:17:12.000Z')
    expect(toUtc('2026-07-30 07:17:12', 'America/New_York')).toBe('2026-07-30T11:17:12.000Z')
    expect(toUtc('2026-07-30', 'Pacific/Auckland')).toBe('2026-07-29T12:00:00.000Z')
    expect(toUtc('2024-05-14T09:34:00', 'UTC')).toBe('2024-05-14T09:34:00.000Z')
  })
  it('takes the later instant of a repeated hour, and moves a skipped hour forward', () => {
    expect(toUtc('2026-11-01 01:30:00', 'America/New_York')).toBe('2026-11-01T06:30:00.000Z')
    expect(toUtc('2026-03-08 02:30:00', 'America/New_York')).toBe('2026-03-08T07:30:00.000Z')
  })
  it('does not guess', () => {
    expect(['2026-01-30 07:17:12', 'soon', '', '2026-13-45T00:00:00Z', null, 5].map((value) => toUtc(value))).toEqual(
      Array(6).fill(undefined),
    )
  })
})
describe('instants', () => {
  it('come from Unix times', () => {
    expect(fromUnixMs(1731286268000)).toBe('2024-11-11T00:51:08.000Z')
    expect(fromUnixSeconds('1731286268')).toBe('2024-11-11T00:51:08.000Z')
    expect([fromUnixMs(undefined), fromUnixMs(''), fromUnixMs(Number.NaN), fromUnixSeconds(null)]).toEqual(
      Array(4).fill(undefined),
    )
  })
  it('can be shown on the wall clock of a zone', () => {
    expect(wallTime('2026-01-31T03:00:00.000Z', 'America/New_York')).toBe('2026-01-30 22:00:00')
    expect(wallTime('2026-01-31T05:00:00.000Z', 'America/New_York')).toBe('2026-01-31 00:00:00')
  })
  it('are compared and measured whatever their offsets', () => {
    expect(hoursBetween('2026-11-10T09:00:00-05:00', '2026-11-10T22:20:00Z')).toBe(8.3333)
    expect(hoursBetween('2026-11-10T09:00:00Z', undefined)).toBeUndefined()
    expect(compareInstants('2026-11-10T09:00:00-05:00', '2026-11-10T14:00:00Z')).toBe(0)
    expect(latestOf('2026-01-01T00:00:00Z', undefined, '2026-01-01T00:00:00-01:00')).toBe('2026-01-01T00:00:00-01:00')
    expect(addMs('2026-01-01T00:00:00Z', 1)).toBe('2026-01-01T00:00:00.001Z')
  })
})
