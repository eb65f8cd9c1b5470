// What the shop does at the register and in the back office, without the API.
import { randomInt } from 'node:crypto'
import type { EntityType } from '../../../contract/entity.ts'
import type { Collection } from '../../../sandbox/collection.ts'
import { createAdding, type MakeRecord, recordsIn } from '../../../sandbox/records.ts'
import type { NativeRecords } from '../../../sandbox/simulator.ts'
import { ids } from './ids.ts'
import { seedCustomer, seedProduct } from './seed.ts'
import { seedReturn, seedSale } from './seed-sales.ts'
import { type Changed, changed, deleted, isRefund, type Sale, type SalePayment, type World } from './world.ts'

/** Payments are parts of sales, and named with them. Change is a part of the payment in cash. */
function paymentRecords(world: World, adding: ReturnType<typeof createAdding>): NativeRecords {
  const isListed = ({ amount, deleted, type }: SalePayment) =>
    deleted === undefined && amount >= 0 && type !== ids.paymentTypes[4]
  const of = (sale: Sale) =>
    sale.deleted === undefined && !isRefund(world, sale)
      ? sale.payments.filter(isListed).map(({ id }) => `${sale.id}:${id}`)
      : []
  const change = (id: string, edit: (payment: SalePayment) => SalePayment) => {
    const [saleId = '', paymentId] = id.split(':')
    const sale = world.sales.get(saleId)!
    const payments = sale.payments.map((payment) => (payment.id === paymentId ? edit(payment) : payment))
    world.sales.set(saleId, changed(world, { ...sale, payments }))
  }
  return {
    ids: () => world.sales.values().flatMap(of),
    add: adding((seed, at) => of(world.sales.get(seedSale(world, seed, at, 0))!)[0]!),
    touch: (id) => change(id, (payment) => ({ ...payment, date: payment.date - 1000 })),
    remove: (id) => change(id, (payment) => ({ ...payment, deleted: world.now() })),
  }
}

export function createRecords(world: World): Partial<Record<EntityType, NativeRecords>> {
  const adding = createAdding(() => `added ${world.serial('added')}`, world.now)
  const records = <T extends Changed>(
    all: Collection<T>,
    make: MakeRecord,
    edit: (record: T, mark: string) => T,
    counts: (record: T) => boolean = () => true,
  ): NativeRecords =>
    recordsIn(all, {
      isListed: (record) => record.deleted === undefined && counts(record),
      add: adding(make),
      touch: (record) => changed(world, edit(record, String(randomInt(1e6)))),
      remove: (record) => deleted(world, record),
    })
  return {
    product: records(
      world.products,
      // Only every sixth product has variants, and the index stays below that: one product each.
      (seed, at, index) => seedProduct(world, seed, at, index % 3)[0]!,
      (product, mark) => ({ ...product, description: `Edited ${mark}` }),
    ),
    customer: records(
      world.customers,
      (seed, at, index) => seedCustomer(world, seed, at, index),
      (customer, mark) => ({ ...customer, fields: { ...customer.fields, note: `Called ${mark}` } }),
    ),
    order: records(
      world.sales,
      (seed, at, index) => seedSale(world, seed, at, index),
      (sale, mark) => ({ ...sale, note: `Called ${mark}` }),
      (sale) => !isRefund(world, sale), // a return is not an order
    ),
    payment: paymentRecords(world, adding),
    refund: records(
      world.sales,
      (seed, at) => seedReturn(world, seed, at),
      (sale, mark) => ({ ...sale, note: `Called ${mark}` }),
      (sale) => isRefund(world, sale),
    ),
    tax_rate: recordsIn(world.taxes, {
      add: adding((seed) => {
        const [id, name] = [world.uuid(), `Levy ${seed.int(1, 1e6)}`]
        const rates = [0.02, 0.075].map((rate, n) => ({ id: world.uuid(), name: `${name}, part ${n + 1}`, rate }))
        world.taxes.set(id, { id, name, isDefault: false, rates, version: world.version() })
        return id
      }),
      touch: (tax) => ({ ...tax, name: `Renamed ${randomInt(1e6)}`, version: world.version() }),
    }),
    payment_method: recordsIn(world.paymentTypes, {
      add: adding((seed) => {
        const id = world.uuid()
        const type = { typeId: 3, category: 'card', internal: false, version: world.version() }
        world.paymentTypes.set(id, { id, name: `Terminal ${seed.int(1, 1e6)}`, ...type })
        return id
      }),
      touch: (type) => ({ ...type, name: `Renamed ${randomInt(1e6)}`, version: world.version() }),
    }),
    // A closed outlet is listed on request: its sales remain.
    location: recordsIn(world.outlets, {
      add: adding((seed) => {
        const id = world.uuid()
        world.outlets.set(id, { id, name: `Market ${seed.int(1, 1e6)}`, version: world.version() })
        return id
      }),
      touch: (outlet) => ({ ...outlet, name: `Renamed ${randomInt(1e6)}`, version: world.version() }),
    }),
  }
}
