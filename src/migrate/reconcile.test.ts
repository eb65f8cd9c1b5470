import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { UnifiedError } from '../../packages/client/src/index.ts'
import type { EntityType } from '../contract/entity.ts'
import { type Migration, moveEntity, type Outcome } from './move.ts'
import { type Notebook, openNotebook } from './notebook.ts'
import { planMigration } from './plan.ts'
import { noteBefore, reconcile } from './reconcile.ts'
import type { Place } from './route.ts'
import { createSelection } from './selection.ts'
import type { SourceRecord } from './shape.ts'
import type { Side } from './side.ts'

const support = {
  read: true,
  write: true,
  update: true,
  pageLimit: 2,
  updatedAfter: 'none' as const,
  requires: [],
  notStored: ['/description'],
}
const place = (name: string): Place => ({
  accountId: name,
  platform: name,
  name,
  vertical: 'restaurant',
  rateLimit: [{ requests: 5, seconds: 1 }],
  entities: { category: support },
})

const notedIn = (notebook: Notebook) => ({ ledger: notebook, shelf: notebook })

/** An account that keeps its records in a list and knows keys, as the service does. */
function createSide(name: string, records: SourceRecord[] = []): Side & { records: SourceRecord[] } {
  const keys = new Map<string, { id: string; body: string }>()
  return {
    records,
    place: place(name),
    async *pages() {
      for (let at = 0; at < records.length; at += 2)
        yield { records: records.slice(at, at + 2).map((record) => ({ ...record })), unreadable: [], refunds: [] }
    },
    get: async (_, id) => records.find(({ externalId }) => externalId === id),
    async check(_: EntityType, body) {
      const parent = keys.get(String(body.parentExternalId))
      return {
        missing: [],
        warnings: [],
        references: parent ? [{ pointer: '/parentExternalId', nativeId: parent.id }] : [],
      }
    },
    steps: async () => ['create'],
    async create(_, body) {
      const known = keys.get(body.externalId)
      if (known && known.body !== JSON.stringify(body))
        throw new UnifiedError('idempotency_conflict', 409, 'other content', {
          id: known.id,
          differences: [{ pointer: '/name', written: JSON.parse(known.body).name, asked: body.name }],
        })
      if (known) return { id: known.id, replayed: true, warnings: [] }
      const id = `${name}-${records.length + 1}`
      keys.set(body.externalId, { id, body: JSON.stringify(body) })
      const { description: _description, parentExternalId, ...kept } = body
      records.push({
        ...kept,
        externalId: id,
        ...(parentExternalId ? { parentExternalId: keys.get(String(parentExternalId))?.id } : {}),
      })
      return { id, replayed: false, warnings: [] }
    },
    async update(_, id, body) {
      Object.assign(records.find(({ externalId }) => externalId === id) as SourceRecord, body)
      return { id, replayed: false, warnings: [] }
    },
  }
}
function createMigration(from: Side, to: Side, more: Partial<Migration> = {}): Migration {
  const fitting = {
    vertical: 'restaurant' as const,
    prefix: '',
    defaults: {},
    locationFor: async () => undefined,
    check: to.check,
  }
  const selection = createSelection(from.place, {})
  return {
    from,
    to,
    ...notedIn(openNotebook(':memory:', 'test')),
    selection,
    fitting,
    update: false,
    resendUnknown: false,
    signal: new AbortController().signal,
    ...more,
  }
}
async function run(migration: Migration) {
  const outcomes: Outcome[] = []
  await noteBefore(migration, ['category'], () => {})
  await moveEntity(migration, 'category', (outcome) => outcomes.push(outcome))
  return {
    outcomes,
    report: await reconcile(
      migration,
      'category',
      () => {},
      () => {},
    ),
  }
}
const categories = (): SourceRecord[] => [
  { externalId: 'child', name: 'Tea', parentExternalId: 'parent', description: 'Hot' },
  { externalId: 'other', name: 'Cake' },
  { externalId: 'parent', name: 'Drinks' },
]

it('counts a refund once, as left out, in the plan and in the report', async () => {
  const from = createSide('A', categories())
  const { pages } = from
  const refunds = [{ id: 'refund', message: 'It is a refund, not an order.' }]
  from.pages = async function* (entity) {
    for await (const page of pages(entity)) yield { ...page, refunds }
  }
  const migration = createMigration(from, createSide('B'))
  const route = { entities: ['category' as const], notMoved: [] }
  const notebook = openNotebook(':memory:', 'plan')
  const plan = await planMigration({ ...migration, route, notebook, count() {} })
  expect(plan.entities).toMatchObject([{ source: 4, toWrite: 3, leftOut: 1 }])
  const leftOut = plan.entities[0]?.fields.filter(({ what }) => what === 'left_out')
  expect(leftOut).toEqual([{ pointer: '', what: 'left_out', message: refunds[0]?.message, records: 1 }])
  const { report } = await run(migration)
  expect(report).toMatchObject({ source: 4, matched: 3, leftOut: 1, missing: 0 })
  expect(report.leftOutReasons).toMatchObject([{ reason: refunds[0]?.message, count: 1 }])
})

it('writes a parent before its children, in whatever order they come', async () => {
  const to = createSide('B')
  const { report } = await run(createMigration(createSide('A', categories()), to))
  expect(to.records.map(({ name }) => name)).toEqual(['Cake', 'Drinks', 'Tea'])
  expect(report).toMatchObject({ source: 3, matched: 3, missing: 0, doubled: 0, unexplained: 0 })
  expect(report.differences).toMatchObject([{ pointer: '/description', explanation: 'not_stored', count: 1 }])
})
it('run again it sends nothing, and without its notebook everything is answered from the keys', async () => {
  const to = createSide('B')
  const migration = createMigration(createSide('A', categories()), to)
  await run(migration)
  expect((await run(migration)).outcomes).toEqual(['known', 'known', 'known'])
  const { outcomes, report } = await run({ ...migration, ...notedIn(openNotebook(':memory:', 'lost')) })
  expect(outcomes).toEqual(['replayed', 'replayed', 'replayed'])
  expect(report).toMatchObject({ matched: 3, doubled: 0, extraBefore: 0 })
  expect(to.records).toHaveLength(3)
})
it('tells apart what was there before, what came meanwhile and what was written twice', async () => {
  const to = createSide('B', [
    { externalId: 'old', name: 'Soup' },
    { externalId: 'alike', name: 'Cake' },
  ])
  const migration = createMigration(createSide('A', categories()), to)
  await run(migration)
  to.records.push({ externalId: 'twice', name: 'Drinks' }, { externalId: 'foreign', name: 'Bread' })
  const { report } = await run(migration)
  expect(report).toMatchObject({ matched: 3, doubled: 1, extraBefore: 2, extraSince: 1, lookalikes: 1 })
  expect(report.doubledIds.map(({ id }) => id)).toEqual(['twice'])
})
it('sees what vanished at the target, and no longer trusts its notes about it', async () => {
  const to = createSide('B')
  const migration = createMigration(createSide('A', [{ externalId: '1', name: 'Cake' }]), to)
  await run(migration)
  to.records.length = 0
  const { report } = await run(migration)
  expect(report).toMatchObject({ matched: 0, missing: 1 })
  expect(migration.ledger.acknowledged('category', '1')).toBeUndefined()
})
it('a record that changed at the source is outdated, until --update replaces it', async () => {
  const from = createSide('A', categories())
  const to = createSide('B')
  const migration = createMigration(from, to)
  await run(migration)
  from.records[1]!.name = 'Pie'
  const second = await run(migration)
  expect(second.outcomes.filter((outcome) => outcome !== 'known')).toEqual(['outdated'])
  expect(second.report).toMatchObject({
    matched: 3,
    identical: 1,
    outdated: 1,
    unexplained: 0,
    outdatedReasons: [{ reason: '/name "Cake" → "Pie"' }],
  })
  const third = await run({ ...migration, update: true })
  expect(third.outcomes.filter((outcome) => outcome !== 'known')).toEqual(['updated'])
  expect(third.report).toMatchObject({ outdated: 0, unexplained: 0, matched: 3 })
})
it('a notebook that is no database any more is begun again', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'unirec-notebook-')), 'notebook.sqlite')
  writeFileSync(file, 'half a page of something else'.repeat(100))
  const notebook = openNotebook(file, 'one')
  notebook.acknowledge('category', '1', { targetId: 'T', sourceHash: 'h', notes: [], warnings: [], references: {} })
  notebook.close()
  const again = openNotebook(file, 'one')
  expect(again.acknowledged('category', '1')?.targetId).toBe('T')
  again.close()
  const other = openNotebook(file, 'two')
  expect(other.acknowledged('category', '1')).toBeUndefined()
  other.close()
})
