// Every entity of every platform: what changes is reported, and what does not change is not, listed or read by id.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EntityType } from '../../src/contract/entity.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { createWatched, type Watched } from './watched.ts'

const seldom = { pollSeconds: 100_000, walkHours: 1000 }

describe.each(Object.keys(simulators))('%s', (platform) => {
  let watched: Watched
  beforeAll(async () => {
    watched = await createWatched('sqlite', { platform })
  })
  afterAll(() => watched.close())

  function difference(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
    const ids = [...new Set([...before.keys(), ...after.keys()])].filter((id) => before.get(id) !== after.get(id))
    return ids.map((id) => `${before.has(id) ? (after.has(id) ? 'updated' : 'deleted') : 'created'} ${id}`).sort()
  }

  it('reports exactly what changed', async () => {
    const { changes } = watched.service.store
    for (const { vertical, records } of watched.tenants) {
      const account = await watched.accountOf(vertical)
      const offered = Object.keys(watched.service.engine.support(account)) as EntityType[]
      const entityTypes = (Object.keys(records) as EntityType[]).filter((entityType) => offered.includes(entityType))
      await watched.watch(Object.fromEntries(entityTypes.map((entityType) => [entityType, seldom])))
      const noHints = (entityType: EntityType) =>
        watched.until('no hints', async () => !(await changes.waitingHints(account.id))[entityType])
      const log = async (entityType: EntityType) =>
        (await watched.log(vertical))
          .filter((row) => row.entityType === entityType)
          .map(({ operation, nativeId }) => `${operation} ${nativeId}`)
      for (const entityType of entityTypes) {
        const title = `${vertical} ${entityType}`
        await watched.walked(vertical, entityType)
        await watched.walkNow(vertical, entityType)
        expect(await log(entityType), `${title}: a second walk`).toEqual([])
        const ids = records[entityType]?.ids().slice(0, 8) ?? []
        await changes.addHints(
          account.id,
          ids.map((nativeId) => ({ entityType, nativeId, origin: 'hint' as const })),
        )
        await noHints(entityType)
        expect(await log(entityType), `${title}: read by id`).toEqual([])
      }
      for (const entityType of entityTypes) {
        const native = records[entityType]!
        // A change of another entity may have changed records of this one, such as the orders of a customer.
        await watched.walkNow(vertical, entityType)
        const before = await watched.listed(vertical, entityType)
        const reported = (await log(entityType)).length
        const added = native.add(2)
        const [touched = '', removed = ''] = native.ids()
        native.touch(touched)
        native.remove?.(removed)
        const after = await watched.listed(vertical, entityType)
        await watched.walkNow(vertical, entityType)
        await noHints(entityType)
        const expected = difference(before, after)
        const title = `${vertical} ${entityType}: changes`
        expect((await log(entityType)).slice(reported).sort(), title).toEqual(expected)
        expect(expected, title).toEqual(expect.arrayContaining(added.map((id) => `created ${id}`)))
      }
    }
  })
})
