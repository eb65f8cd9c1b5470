// The change feed through the front door: changes made behind the API's back, on a simulator over sockets.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NativeRecords } from '../../src/sandbox/simulator.ts'
import { storeKinds } from '../store-on.ts'
import { createWatched, type Watched } from './watched.ts'

const vertical = 'retail_pos'
const often = { pollSeconds: 10, walkHours: 1000 }

describe.each(storeKinds)('a watched account on %s', (kind) => {
  let watched: Watched
  let products: NativeRecords
  beforeAll(async () => {
    watched = await createWatched(kind, { platform: 'square' })
    products = watched.tenants.find((tenant) => tenant.vertical === vertical)?.records.product as NativeRecords
    await watched.watch({ product: often })
    await watched.walked(vertical, 'product')
  })
  afterAll(() => watched.close())
  const of = async (id: string) => (await watched.log(vertical)).filter(({ nativeId }) => nativeId === id)

  it('reports nothing of what the first walk finds', async () => {
    const { state } = await watched.watchOf(vertical, 'product')
    expect(state.records).toBe(products.ids().length)
    expect(await watched.log(vertical)).toEqual([])
  })
  it('reports a new record and a change by a poll', async () => {
    const [id = ''] = products.add(1)
    const [created] = await watched.until('created', async () => (await of(id)).length > 0 && of(id))
    expect(created).toMatchObject({ operation: 'created', origin: 'poll', record: { data: { externalId: id } } })
    products.touch(id)
    const log = await watched.until('updated', async () => (await of(id)).length > 1 && of(id))
    expect(log[1]).toMatchObject({ operation: 'updated', origin: 'poll', changed: expect.arrayContaining(['/name']) })
  })
})
