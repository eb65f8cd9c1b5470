import { expect } from 'vitest'
import { entities } from '../contract/entities/index.ts'
import type { EntityType } from '../contract/entity.ts'
import { flavorOf } from '../contract/validation.ts'
import { leavesOf } from '../engine/explorer/changed-leaves.ts'
import type { Case } from './case.ts'
import type { AnyRecord, Subject } from './subject.ts'

const ids = (records: AnyRecord[]): string[] => records.map(({ externalId }) => externalId)
const ensure = ({ native }: Subject, count: number) => {
  const missing = count - native.ids().length
  if (missing > 0) native.add(missing)
}

export const readCases: Case[] = [
  {
    name: 'every record matches its flavor of the schema, and a single read returns the same record as the list',
    async run(subject) {
      ensure(subject, 5)
      const records = await subject.walk(50)
      expect(ids(records).toSorted()).toEqual(subject.native.ids().toSorted())
      const flavor = flavorOf(subject.vertical, subject.entityType)
      for (const record of records) {
        expect(flavor?.read.violations(record), JSON.stringify(record)).toEqual([])
        expect(JSON.stringify(record)).not.toMatch(/:null[,}]/)
      }
      for (const record of records.slice(0, 5)) {
        const single = await subject.harness.call(
          'GET',
          `${subject.path}/${encodeURIComponent(record.externalId)}`,
          undefined,
          { prefer: 'wait=60' },
        )
        expect(single.body).toMatchObject({ data: {} })
        expect(single.body.data).toEqual(record)
      }
    },
  },
  {
    name: 'walking all pages yields every record exactly once, at every page size',
    async run(subject) {
      ensure(subject, 6)
      const expected = subject.native.ids().toSorted()
      for (const size of [1, expected.length - 1, expected.length, expected.length + 1].filter(Boolean))
        expect(ids(await subject.walk(size)).toSorted(), `page size ${size}`).toEqual(expected)
    },
  },
  {
    name: 'a walk misses nothing while records are added, changed and deleted',
    async run(subject) {
      ensure(subject, 9)
      const { native } = subject
      const before = native.ids()
      const served: string[] = []
      const disturbed = new Set<string>()
      const removed = new Set<string>()
      const records = await subject.walk(2, async (page) => {
        if (page > 4) return
        const rest = before.filter((id) => !disturbed.has(id) && !removed.has(id))
        const target = page % 2 === 0 ? rest.at(-1) : rest[0]
        native.add(1)
        if (target && page < 4) {
          native.touch(target)
          disturbed.add(target)
        }
        const doomed = native.remove ? rest[Math.floor(rest.length / 2)] : undefined
        if (doomed && doomed !== target && page === 3) {
          native.remove?.(doomed)
          removed.add(doomed)
        }
      })
      served.push(...ids(records))
      for (const id of before) {
        if (removed.has(id)) continue
        const times = served.filter((candidate) => candidate === id).length
        expect(times, `${id} was served ${times} times`).toBeGreaterThanOrEqual(1)
        if (!disturbed.has(id)) expect(times, `${id} was served ${times} times`).toBe(1)
      }
    },
  },
  {
    name: 'updatedAfter returns exactly the records modified after that time, or filter_unsupported',
    async run(subject) {
      ensure(subject, 4)
      if (subject.support.updatedAfter === 'none') {
        const { status, body } = await subject.list('?updatedAfter=2026-01-01T00:00:00Z')
        expect([status, body.code]).toEqual([400, 'filter_unsupported'])
        return
      }
      const since = async (instant: string) =>
        ids(await subject.walk(50, undefined, `&updatedAfter=${instant}`)).toSorted()
      const original = new Map((await subject.walk(50)).map((record) => [record.externalId, JSON.stringify(record)]))
      const { time } = subject.harness
      const laterSecond = () => {
        time.nextSecond() // some platforms store whole seconds
        return new Date(time.now()).toISOString()
      }
      const before = laterSecond()
      laterSecond()
      const target = subject.native.ids()[1] as string
      subject.native.touch(target)
      const after = laterSecond()
      // The touched record is modified, and so is each record from the same native one, because its content differs
      // too.
      const differs = ({ externalId, ...rest }: AnyRecord) =>
        externalId === target || original.get(externalId) !== JSON.stringify({ externalId, ...rest })
      const modified = ids((await subject.walk(50)).filter(differs)).toSorted()
      expect(modified).toContain(target)
      expect(modified.length, 'some records are not modified').toBeLessThan(original.size)
      expect(await since('2010-01-01T00:00:00Z'), 'everything was modified after the first instant').toEqual(
        [...original.keys()].toSorted(),
      )
      expect(await since(before), 'what was modified between the two instants').toEqual(modified)
      expect(await since(after), 'nothing was modified after the last instant').toEqual([])
    },
  },
  {
    name: 'a record modified in the second of updatedAfter is not missed',
    async run(subject) {
      if (subject.support.updatedAfter === 'none') return
      ensure(subject, 2)
      const { harness, vertical, entityType, native } = subject
      const { time } = harness
      time.stop() // the change is in the same second, with milliseconds that are not 000
      time.nextSecond()
      const updatedAfter = new Date(time.now()).toISOString()
      time.skip(5)
      const target = native.ids()[0] as string
      native.touch(target)
      time.go()
      expect(ids(await subject.walk(50, undefined, `&updatedAfter=${updatedAfter}`))).toContain(target)
      // The simulator has stamps of the declared precision, so the case above is a real one.
      const { modifiedAt } = harness.connector.entities[entityType]?.list ?? {}
      if (!modifiedAt) return
      const rows = `/accounts/${harness.accountId(vertical)}/explorer/${entityType}/records?pageSize=50`
      const { body } = await harness.manage('GET', `${rows}&updatedAfter=${updatedAfter}`)
      const touched = body.data.find(({ record }: AnyRecord) => record?.externalId === target) as AnyRecord
      expect(/\.000Z$/.test(modifiedAt(touched.native) ?? '')).toBe(subject.support.stampPrecision === 'seconds')
    },
  },
  {
    name: 'the explorer shows the same record with its native row and the origin of every field',
    async run(subject) {
      ensure(subject, 1)
      const { harness, vertical, entityType } = subject
      const explorer = `/accounts/${harness.accountId(vertical)}/explorer/${entityType}`
      const page = await harness.manage('GET', `${explorer}/records?pageSize=20`)
      const explored = page.body.data.find(({ record }: AnyRecord) => record) as AnyRecord
      expect((await subject.list('?pageSize=20')).body.data).toContainEqual(explored.record)
      const { body } = await harness.manage('POST', `${explorer}/provenance`, { native: explored.native })
      expect(body.fields.map(({ pointer }: AnyRecord) => pointer)).toEqual(
        leavesOf(explored.record).map(({ pointer }) => pointer),
      )
      expect(body.fields.find(({ pointer }: AnyRecord) => pointer === '/externalId').sources).not.toEqual([])
      expect(body.complete).toBe(true)
    },
  },
  {
    name: 'an unknown id is 404 record_not_found',
    async run(subject) {
      const { status, body } = await subject.harness.call('GET', `${subject.path}/does-not-exist-404`, undefined, {
        prefer: 'wait=60',
      })
      expect([status, body.code]).toEqual([404, 'record_not_found'])
    },
  },
  {
    name: 'pageSize 0 is rejected',
    async run(subject) {
      const { status, body } = await subject.list('?pageSize=0')
      expect([status, body.code]).toEqual([400, 'invalid_parameter'])
    },
  },
]
/** Of records that no caller can write: without them, their ids would say nothing. */
export const referencePointers = (entityType: EntityType): string[] =>
  Object.entries(entities[entityType].references)
    .filter(([, target]) => !entities[target].writable)
    .map(([pointer]) => pointer)
export const resolvesCase: Case = {
  name: 'every record that no caller can write, and that a record names, can be read',
  async run(subject) {
    ensure(subject, 5)
    const records = await subject.walk(50)
    const references = entities[subject.entityType].references as Record<string, EntityType>
    for (const pointer of referencePointers(subject.entityType)) {
      const type = references[pointer] as EntityType
      const named = new Set(records.map((record) => record[pointer.slice(1)]).filter(Boolean))
      for (const id of named) {
        const path = `${subject.path.replace(/[^/]+$/, type)}/${encodeURIComponent(id)}`
        const { status, body } = await subject.harness.call('GET', path, undefined, { prefer: 'wait=60' })
        expect([pointer, id, status, body.data?.externalId], JSON.stringify(body)).toEqual([pointer, id, 200, id])
      }
    }
  },
}
/** It adds up to 61 records. Each other walk would read them too, so it comes last. */
export const longWalk: Case = {
  name: "walking in pages of the platform's own limit, and of one less and one more, yields every record exactly once",
  async run(subject) {
    const limit = Math.min(subject.support.pageLimit, 60)
    ensure(subject, limit + 1)
    const expected = subject.native.ids().toSorted()
    for (const size of [limit - 1, limit, limit + 1]) {
      if (size > 0) expect(ids(await subject.walk(size)).toSorted(), `page size ${size}`).toEqual(expected)
    }
  },
}
