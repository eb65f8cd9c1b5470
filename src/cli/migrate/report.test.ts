import { expect, it } from 'vitest'
import { createTally, isComplete, type Report } from '../../migrate/report.ts'
import { type Place, routeOf } from '../../migrate/route.ts'
import { readOptions } from './options.ts'
import { reportHtml } from './report-html.ts'
import { duration, reportLines } from './words.ts'

const support = {
  read: true,
  write: true,
  update: true,
  pageLimit: 100,
  updatedAfter: 'none' as const,
  requires: [],
  notStored: [],
}
const place = (name: string, vertical: Place['vertical'], entities: Place['entities']): Place => ({
  accountId: name,
  platform: name,
  name,
  vertical,
  rateLimit: [],
  entities,
})

it('moves what both have and the target takes, dependencies first, and says why the rest stays', () => {
  const from = place('Clover', 'restaurant', { order: support, product: support, category: support, employee: support })
  const to = place('Toast', 'restaurant', {
    order: support,
    product: { ...support, write: false },
    category: support,
    customer: support,
  })
  expect(routeOf(from, to)).toEqual({
    entities: ['category', 'order'],
    notMoved: [
      { entity: 'product', reason: 'Toast does not let you write them' },
      { entity: 'customer', reason: 'Clover (restaurant) has none to read' },
      { entity: 'employee', reason: 'Toast (restaurant) does not have this entity type' },
    ],
  })
  expect(routeOf(from, to, ['order']).entities).toEqual(['order'])
})
it('moves payments only if they are named, because the target dates them when it records them', () => {
  const both = { order: support, payment: support }
  const [from, to] = [place('Clover', 'restaurant', both), place('Square', 'restaurant', both)]
  expect(routeOf(from, to)).toEqual({
    entities: ['order'],
    notMoved: [{ entity: 'payment', reason: 'Square would count them as money of today; name them to move them' }],
  })
  expect(routeOf(from, to, ['order', 'payment']).entities).toEqual(['order', 'payment'])
})

const tallied = () => {
  const tally = createTally('order', () => {})
  tally.report.source = 3
  tally.matched({ id: '1', name: 'Order <1>' }, 'T-1', [
    { pointer: '/lineItems/0/name', explanation: 'not_stored', message: 'not kept', source: '<b>Tea</b>' },
    { pointer: '/lineItems/1/name', explanation: 'not_stored', message: 'not kept', source: 'Cake' },
    { pointer: '/total', explanation: 'added', message: 'filled', target: 3 },
  ])
  tally.matched({ id: '2' }, 'T-2', [])
  tally.leftOut({ id: '3', name: 'A-3' }, '/lineItems/4/quantity must be whole')
  return tally
}
const reportOf = (entities: Report['entities']): Report => ({
  kind: 'migration',
  from: { accountId: 'a', platform: 'clover', name: 'Clover', vertical: 'restaurant' },
  to: { accountId: 'b', platform: 'square', name: 'Square', vertical: 'restaurant' },
  startedAt: '2026-01-01T00:00:00.000Z',
  endedAt: '2026-01-01T01:00:00.000Z',
  complete: isComplete(entities),
  entities,
  notMoved: [],
  notes: [],
})

it('groups differences by field and reason, and is complete only without anything missing, doubled, outdated or unexplained', () => {
  const good = tallied().end()
  expect(good.differences).toMatchObject([
    { pointer: '/lineItems/*/name', count: 2 },
    { pointer: '/total', explanation: 'added' },
  ])
  expect(good.leftOutReasons).toEqual([
    { reason: '/lineItems/*/quantity must be whole', count: 1, examples: [{ id: '3', name: 'A-3' }] },
  ])
  expect(good).toMatchObject({ matched: 2, identical: 1, leftOut: 1 })
  expect(isComplete([good])).toBe(true)
  for (const spoil of ['missing', 'doubled', 'outdated', 'unexplained'] as const)
    expect(isComplete([{ ...good, [spoil]: 1 }])).toBe(false)
})
it('the page stands alone, escapes what came from outside, and names what was left out', () => {
  const page = reportHtml(reportOf([tallied().end()]))
  expect(page).toContain('&lt;b&gt;Tea&lt;/b&gt;')
  expect(page).not.toMatch(/<script|<link|src=|url\(/)
  expect(page).toContain('Order &lt;1&gt; 1 → T-1')
  expect(page).toContain('A-3 <small><code>3</code></small>')
  expect(page).toContain('Left out, by rules of the target: 1 of 3 orders.')
  expect(page).toMatch(/<svg[^>]+role="img" aria-label="At the target: 2 of 3 orders"/)
})
it('the terminal says it in a table and a sentence', () => {
  const lines = reportLines(reportOf([tallied().end()]))
  expect(lines[1]).toMatch(/^orders +3 +2 +1 +1 +0 +0 +0 +0 +0$/)
  expect(lines.at(-1)).toContain('Nothing is missing, doubled or unexplained.')
  expect([duration(5), duration(600), duration(100_000)]).toEqual(['5 s', '10 min', '27 h 47 min'])
})
it('refuses options that cannot be meant', () => {
  const given = { from: 'a', to: 'b', patience: '15' }
  expect(readOptions({ ...given, entities: 'order, product' }).entities).toEqual(['order', 'product'])
  expect(readOptions(given)).toMatchObject({ report: 'migration-a-b', plan: false, update: false, prefix: '' })
  for (const wrong of [
    { to: 'a' },
    { from: undefined },
    { entities: 'orders' },
    { 'order-states': 'DONE' },
    { 'orders-since': 'soon' },
    { patience: 'long' },
    { defaults: '/nowhere.json' },
  ])
    expect(() => readOptions({ ...given, ...wrong }), JSON.stringify(wrong)).toThrow()
})
