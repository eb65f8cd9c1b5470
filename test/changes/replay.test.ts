// Changes behind the API's back and own writes, with faults, at instances that share the feed: the log, applied to a
// copy, gives what the platform has.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSeed } from '../../src/sandbox/seeds.ts'
import type { FaultKind, NativeRecords } from '../../src/sandbox/simulator.ts'
import type { Watch } from '../../src/store/changes.ts'
import { storeKinds } from '../store-on.ts'
import { createWatched, type Watched } from './watched.ts'

const vertical = 'retail_pos'
const rounds = 120
const kinds: FaultKind[] = [
  'unavailable',
  'error_before',
  'reset_before',
  'truncated',
  'malformed',
  'html',
  'forbidden',
]

describe.each(storeKinds)('a copy that follows the feed on %s', (kind) => {
  let watched: Watched
  let customers: NativeRecords
  beforeAll(async () => {
    watched = await createWatched(kind, { platform: 'square', instances: kind === 'postgres' ? 3 : 1 })
    customers = watched.tenants.find((tenant) => tenant.vertical === vertical)!.records.customer!
    customers.add(60)
    await watched.watchOne(vertical, 'customer', { pollSeconds: 20, walkHours: 0.05 })
    await watched.walked(vertical, 'customer')
  })
  afterAll(() => watched.close())

  it('is the same as the platform, and has lost nothing that exists', async () => {
    const random = createSeed(`replay on ${kind}`)
    const account = watched.accountId(vertical)
    const copy = await watched.listed(vertical, 'customer')
    const removed = new Set<string>()
    for (const fault of kinds) watched.sandbox.fault('square', { kind: fault, path: 'customers', probability: 0.03 })
    for (let round = 0; round < rounds; round++) {
      const ids = customers.ids()
      const id = ids[random.int(0, ids.length - 1)] as string
      const choice = random.int(0, 9)
      if (choice < 2) customers.add(1)
      else if (choice < 6) customers.touch(id)
      else if (choice < 8) {
        customers.remove?.(id)
        removed.add(id)
      } else
        await watched.call('POST', `/unified/${account}/customer`, {
          externalId: `${kind}-${round}`,
          name: `Customer ${round}`,
          email: `customer-${round}@example.com`,
        })
      // A holder that stands still loses its feed to the next one.
      if (round % 25 === 24) await watched.service.store.changes.requestWalk(account, 'customer')
      await sleep(20)
    }
    watched.sandbox.clearFaults('square')
    const settled = async (): Promise<Watch> => {
      const watch = await watched.walkNow(vertical, 'customer')
      const { product: _, ...hints } = await watched.service.store.changes.waitingHints(account)
      return Object.keys(hints).length === 0 && !watch.state.heldDeletes ? watch : settled()
    }
    await settled()
    await settled()
    const log = await watched.log(vertical)
    for (const { nativeId, operation, record } of log)
      if (operation === 'deleted') {
        expect(removed, nativeId).toContain(nativeId)
        copy.delete(nativeId)
      } else if (record) copy.set(nativeId, JSON.stringify((record as { data: object }).data))
    const now = await watched.listed(vertical, 'customer')
    expect([...copy].sort()).toEqual([...now].sort())
    expect(log.filter(({ operation }) => operation === 'deleted').length).toBeGreaterThan(5)
    expect(log.filter(({ origin }) => origin === 'write').length).toBeGreaterThan(5)
    expect(log.map(({ sequence }) => sequence)).toEqual(log.map((_, index) => index + 1))
  })
})
