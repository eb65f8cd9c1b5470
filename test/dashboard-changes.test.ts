// The words and the list of the change feed in the dashboard.
import { describe, expect, it } from 'vitest'
import { type ChangeList, merged, noChanges } from '../packages/dashboard/src/pages/changes/change-list.ts'
import { every, intervalChoices, withInterval } from '../packages/dashboard/src/pages/changes/intervals.ts'
import { isMoving, kindOf } from '../packages/dashboard/src/pages/changes/watch-state.ts'
import type { Change, Watch } from '../packages/dashboard/src/types.ts'

const status: NonNullable<Watch['status']> = {
  phase: 'ready',
  mode: 'poll',
  walkHours: 24,
  records: 10,
  unreadable: 0,
  deletesOnHold: 0,
  waitingHints: 0,
  breaches: 0,
  completeUntil: {},
  nextWalkAt: '9999-01-02T00:00:00Z',
}
const at = '2026-01-01T00:00:00Z'
const walk = { startedAt: at, pages: 1, records: 5 }
const lastError = { at, code: 'downstream_error', detail: 'It failed.', inARow: 1 }

describe('the state of a watch', () => {
  it.each([
    ['off', { watched: false }],
    ['off', { watched: false, setBy: 'account' }],
    ['not_covered', { watched: false, setBy: 'workspace' }],
    ['ready', { watched: true, status }],
    ['walking', { watched: true, status: { ...status, walk } }],
    ['walk_due', { watched: true, status: { ...status, nextWalkAt: undefined } }],
    ['walk_due', { watched: true, status: { ...status, nextWalkAt: '1970-01-01T00:00:00Z' } }],
    ['first_walk', { watched: true }],
    ['first_walk', { watched: true, status: { ...status, phase: 'first_walk', walk } }],
    ['starved', { watched: true, status: { ...status, phase: 'first_walk', starvedSince: at } }],
    ['failing', { watched: true, status: { ...status, starvedSince: at, lastError, walk } }],
    ['paused', { watched: true, status: { ...status, lastError, paused: 'The account is disabled.' } }],
  ] as [string, Watch][])('is %s', (kind, watch) => {
    expect(kindOf(watch)).toBe(kind)
    expect(isMoving(watch)).toBe(['failing', 'first_walk', 'walk_due', 'walking'].includes(kind))
  })
})

describe('an interval', () => {
  it.each([
    ['pollSeconds', 30, 'every 30 sec'],
    ['pollSeconds', 60, 'every minute'],
    ['pollSeconds', 90, 'every 90 sec'],
    ['pollSeconds', 300, 'every 5 min'],
    ['pollSeconds', 3_600, 'every hour'],
    ['pollSeconds', 86_400, 'every 24 hours'],
    ['walkHours', 1, 'every hour'],
    ['walkHours', 24, 'every 24 hours'],
    ['walkHours', 36, 'every 36 hours'],
    ['walkHours', 168, 'every 7 days'],
  ] as const)('%s %d is "%s"', (name, value, words) => {
    expect(every(name, value)).toBe(words)
  })
  it('that is unusual is still a choice', () => {
    const labels = intervalChoices('walkHours', 36, 'Standard').map(({ label }) => label)
    expect(labels.slice(0, 2)).toEqual(['Standard', 'Every hour'])
    expect(labels[labels.indexOf('Every 36 hours') - 1]).toBe('Every 24 hours')
  })
  it('is removed by the first choice', () => {
    expect(withInterval({ pollSeconds: 60, walkHours: 12 }, 'pollSeconds', '')).toEqual({ walkHours: 12 })
    expect(withInterval({ walkHours: 12 }, 'pollSeconds', '30')).toEqual({ pollSeconds: 30, walkHours: 12 })
  })
})

describe('the list of changes', () => {
  const page = (from: number, to: number): Change[] =>
    Array.from({ length: from - to + 1 }, (_, index) => ({
      sequence: from - index,
      operation: 'updated',
      entityType: 'product',
      externalId: 'x',
      detectedAt: at,
      origin: 'poll',
    }))
  const shown = ({ changes = [], older, fresh }: ChangeList) => [
    changes[0]?.sequence,
    changes.at(-1)?.sequence,
    changes.length,
    older,
    fresh.size,
  ]
  const first = merged(noChanges, { data: page(100, 51), next: '51' }, false)

  it('has new changes at its top', () => {
    expect(shown(first)).toEqual([100, 51, 50, '51', 0])
    expect(shown(merged(first, { data: page(103, 101) }, true))).toEqual([103, 51, 53, '51', 3])
    expect(merged(first, { data: [] }, true)).toBe(first)
  })
  it('begins again when it would have a gap', () => {
    expect(shown(merged(first, { data: page(180, 131), next: '131' }, true))).toEqual([180, 131, 50, '131', 50])
  })
  it('is cut while it grows, and the rest can be loaded', () => {
    let list = first
    for (let newest = 150; newest <= 350; newest += 50) list = merged(list, { data: page(newest, newest - 49) }, true)
    expect(shown(list)).toEqual([350, 151, 200, '151', 50])
  })
})
