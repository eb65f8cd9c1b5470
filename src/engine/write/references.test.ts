// Whose ids the references of a record are, on a platform whose ids look like the caller's.
import { randomBytes, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addTillAccount, createOrderPlatform, onTill, orderConnector, orderOf } from '../../../test/order-platform.ts'
import { createTestDatabase, storeKinds, type TestDatabase } from '../../../test/store-on.ts'
import { sweepOnce } from '../../../test/sweep-once.ts'
import type { Order } from '../../contract/entities/order.ts'
import type { ReferenceMode } from '../../contract/entity.ts'
import { referenceModes } from '../../contract/entity.ts'
import type { Problem } from '../../contract/errors.ts'
import type { Store } from '../../store/store.ts'
import { createVault } from '../../store/vault.ts'
import { createEngine } from '../engine.ts'
import { createMemorySlots } from '../outbound/pacing/memory-slots.ts'
import { createPacer } from '../outbound/pacing/pacer.ts'

const context = () => ({ requestId: randomUUID(), caller: 'c', maxWaitMs: 1000 })

describe.each(storeKinds)('the references of a record on %s', (kind) => {
  let database: TestDatabase
  let store: Store
  let platform: ReturnType<typeof createOrderPlatform>
  const vault = createVault([randomBytes(32)])
  beforeEach(async () => {
    platform = createOrderPlatform()
    database = await createTestDatabase(kind)
    store = await database.open(vault)
    await addTillAccount(store)
    await link('218', '489')
  })
  afterEach(() => database.remove())

  const link = (sourceId: string, nativeId: string, entityType: 'customer' | 'order' = 'customer') =>
    store.links.put({ accountId: 'acc', entityType, sourceId, nativeId, origin: 'linked' })
  async function instance(over = store) {
    const engine = createEngine({
      connectors: { till: orderConnector },
      store: onTill(over),
      vault,
      pacer: createPacer(createMemorySlots({ scale: 0.001 })),
      transport: platform.transport,
      instance: randomUUID(),
      paceScale: 0.001,
      callTimeoutMs: 1000,
    })
    const target = engine.target((await onTill(store).accounts.get('acc'))!, 'order')
    return {
      create: (order: Order, mode?: ReferenceMode) =>
        engine.create({ target, body: order, context: context(), references: mode }),
      update: (id: string, order: Order, mode?: ReferenceMode) =>
        engine.update({ target, id, body: order, context: context(), references: mode }),
      dryRun: (order: Order, mode?: ReferenceMode, id?: string) =>
        engine.dryRun({ target, body: order, context: context(), depth: 'steps', id, references: mode }),
      get: (id: string) => engine.get(target, id, undefined, context()),
      sweep: () => sweepOnce(engine),
    }
  }
  /** A journal that fails like a killed process at the n-th call. */
  function crashing(at: number): Store {
    let count = 0
    const journal = new Proxy(store.journal, {
      get:
        (journal, name: keyof Store['journal']) =>
        async (...values: unknown[]) => {
          if (++count >= at) throw new Error('killed')
          return (journal[name] as (...all: unknown[]) => unknown)(...values)
        },
    })
    return { ...store, journal }
  }
  const problem = (promise: Promise<unknown>): Promise<Problem> =>
    promise.then(
      () => expect.fail('it succeeded'),
      (error) => error,
    )
  const orderFor = (externalId: string, customerExternalId: string) => ({
    ...orderOf(externalId, 'a'),
    customerExternalId,
  })
  const customers = () => [...platform.orders.values()].map(({ customer }) => customer)

  it('with auto are source ids where there is one, else platform ids with a warning that a replay repeats', async () => {
    const { create } = await instance()
    expect((await create(orderFor('A', '218'))).warnings).toEqual([])
    const assumed = await create(orderFor('B', '77'))
    expect(assumed.warnings).toEqual([
      { code: 'reference_assumed', pointer: '/customerExternalId', message: expect.stringContaining('"77"') },
    ])
    expect(await create(orderFor('B', '77'), 'platform')).toEqual({ ...assumed, replayed: true })
    expect(customers()).toEqual(['489', '77'])
  })

  it('with source are source ids only: an unknown one is 422 with field and value, and leaves the key free', async () => {
    const { create, dryRun } = await instance()
    const refused = await problem(create(orderFor('A', '77'), 'source'))
    expect(refused).toMatchObject({
      code: 'unknown_reference',
      status: 422,
      detail: expect.stringMatching(/link.*references=platform/),
      errors: [{ pointer: '/customerExternalId', message: expect.stringContaining('"77"') }],
    })
    expect((await dryRun(orderFor('A', '77'), 'source')).missing).toEqual(refused.errors)
    expect(platform.writes).toEqual([])
    await link('77', '490')
    expect((await create(orderFor('A', '77'), 'source')).warnings).toEqual([])
    expect(customers()).toEqual(['490'])
  })

  it('with platform are sent as they are, whatever source ids there are', async () => {
    const { create } = await instance()
    expect((await create(orderFor('A', '218'), 'platform')).warnings).toEqual([])
    expect(customers()).toEqual(['218'])
  })

  it.each(referenceModes)('with %s stay what the record holds when it is put back', async (mode) => {
    platform.orders.set('O', { id: 'O', reference: '', customer: '218', lines: ['a'] })
    const { update, get, dryRun } = await instance()
    const { data } = await get('O')
    expect(await dryRun(data as Order, mode, 'O')).toMatchObject({ steps: [], references: [], warnings: [] })
    expect((await update('O', data as Order, mode)).warnings).toEqual([])
    expect(platform.writes).toEqual([])
    expect(customers()).toEqual(['218'])
  })

  it('of an update that change follow the mode', async () => {
    platform.orders.set('O', { id: 'O', reference: '', customer: '1', lines: ['a'] })
    const { update } = await instance()
    expect(await problem(update('O', orderFor('O', '77'), 'source'))).toMatchObject({ code: 'unknown_reference' })
    expect((await update('O', orderFor('O', '77'))).warnings).toMatchObject([{ code: 'reference_assumed' }])
    expect((await update('O', orderFor('O', '218'), 'platform')).warnings).toEqual([])
    expect(customers()).toEqual(['218'])
    platform.orders.get('O')!.customer = '1'
    await update('O', orderFor('O', '218'), 'source')
    expect(customers()).toEqual(['489'])
  })

  it.each(['create', 'update'] as const)('of a killed %s are read by the sweep as its request said', async (write) => {
    platform.orders.set('O', { id: 'O', reference: '', customer: '1', lines: ['a'] })
    const { create, update } = await instance(crashing(2)) // after the entry, before the first step
    const killed =
      write === 'create' ? create(orderFor('K', '218'), 'platform') : update('O', orderFor('O', '218'), 'platform')
    expect(await problem(killed)).toMatchObject({ message: 'killed' })
    expect(platform.writes).toEqual([])
    await store.endLeases()
    expect(await (await instance()).sweep()).toBe(1)
    expect(customers()).toEqual(write === 'create' ? ['1', '218'] : ['218'])
  })

  it('are explained when the platform refuses one', async () => {
    const { create } = await instance()
    platform.fail('refused')
    platform.refusal = 'There is no NEVER here'
    const refused = await problem(create(orderFor('A', 'NEVER')))
    expect(refused).toMatchObject({
      code: 'downstream_rejected',
      detail: expect.stringMatching(/\. Link the platform ids of the referenced records /), // the platform takes no customers
      errors: [
        {
          pointer: '/customerExternalId',
          message:
            'No customer was written or linked under the source id "NEVER", and Till does not take it as the id of a customer: There is no NEVER here',
        },
      ],
    })
    platform.fail('refused')
    expect((await problem(create(orderFor('A', 'NEVER'), 'platform'))).errors).toEqual([
      {
        pointer: '/customerExternalId',
        message: 'Till does not take "NEVER" as the id of a customer: There is no NEVER here',
      },
    ])
  })

  describe('and its own id', () => {
    beforeEach(async () => {
      platform.add('O', 'a')
      platform.add('P', 'b')
      await link('SRC-O', 'O', 'order')
      await link('SRC-P', 'P', 'order')
    })
    const named = { code: 'record_not_found', status: 404, extra: { reference: { externalId: 'SRC-O', id: 'O' } } }

    it('is named by a 404 for a source id in the path', async () => {
      const { get, update, dryRun } = await instance()
      const refused = await problem(get('SRC-O'))
      expect(refused).toMatchObject(named)
      expect(refused.detail).toContain('The platform\'s id of that record is "O"')
      expect(await problem(update('SRC-O', orderOf('SRC-O', 'x')))).toMatchObject(named)
      expect(await problem(dryRun(orderOf('SRC-O', 'x'), 'auto', 'SRC-O'))).toMatchObject(named)
      expect((await problem(get('NEVER'))).extra).toEqual({})
    })

    it('in the body of an update can be the id in the path or its source id', async () => {
      const { update } = await instance()
      for (const externalId of ['O', 'SRC-O'])
        expect(await update('O', orderOf(externalId, 'x'))).toMatchObject({
          id: 'O',
          data: { externalId: 'O' },
          warnings: [],
        })
    })

    it.each(['SRC-P', 'P'])('in the body of an update cannot be that of another record: %s', async (externalId) => {
      const { update } = await instance()
      expect(await problem(update('O', orderOf(externalId, 'x')))).toMatchObject({
        code: 'validation_failed',
        status: 422,
        errors: [{ pointer: '/externalId', message: expect.stringContaining(externalId) }],
      })
      expect(platform.linesOf('O')).toEqual(['a'])
    })

    it('in the body of an update is ignored with a warning when nothing has it', async () => {
      const { update } = await instance()
      expect(await update('O', orderOf('NEVER', 'x'))).toMatchObject({
        id: 'O',
        data: { externalId: 'O' },
        warnings: [{ code: 'external_id_ignored', pointer: '/externalId' }],
      })
      expect(platform.linesOf('O')).toEqual(['x'])
    })
  })
})
