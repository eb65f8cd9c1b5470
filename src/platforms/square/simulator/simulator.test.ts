// The official SDK calls the simulator, and the official specification checks its responses: both are independent of
// our code.
import { afterAll, describe, expect, it } from 'vitest'
import { all, refusal, startSquare } from '../../../../test/platforms/square.ts'
import type { Tenant } from '../../../sandbox/simulator.ts'
import { percentOf, product } from './rounding.ts'

const { sandbox, restaurant, retail, square, clientOf, key, raw } = await startSquare()
afterAll(() => sandbox.close())

const ids = (tenant: Tenant, entity: keyof Tenant['records']) => tenant.records[entity]!.ids().sort()
const tea = (version?: bigint, variation?: { id: string; version: bigint }, price = 150n) => ({
  type: 'ITEM' as const,
  id: '#tea',
  version,
  itemData: {
    name: 'Tea',
    descriptionHtml: '<p>Hot &amp; <b>sweet</b></p>',
    variations: [
      {
        type: 'ITEM_VARIATION' as const,
        id: '#mug',
        ...variation,
        itemVariationData: {
          name: 'Mug',
          sku: 'TEA-MUG',
          pricingType: 'FIXED_PRICING' as const,
          priceMoney: { amount: price, currency: 'USD' as const },
        },
      },
    ],
  },
})

describe('complete walks by the SDK find every record', () => {
  it('catalog', async () => {
    const items = await all(square.catalog.list({ types: 'ITEM' }))
    const variations = items.flatMap((item) =>
      item.type === 'ITEM' ? (item.itemData?.variations ?? []).map(({ id }) => id) : [],
    )
    expect(variations.sort()).toEqual(ids(restaurant, 'product'))
    expect(variations.length).toBeGreaterThanOrEqual(600)
    expect((await all(square.catalog.list({ types: 'CATEGORY' }))).map(({ id }) => id).sort()).toEqual(
      ids(restaurant, 'category'),
    )
  })
  it('orders of all twelve locations, ten at a time', async () => {
    const client = clientOf(retail)
    const { locations = [] } = await client.locations.list()
    expect(locations.map(({ status }) => status)).toContain('INACTIVE')
    const every = locations.map(({ id }) => id!)
    expect(await refusal(client.orders.search({ locationIds: every }))).toMatchObject({
      status: 400,
      code: 'ARRAY_LENGTH_TOO_LONG',
    })
    const found: string[] = []
    for (const locationIds of [every.slice(0, 10), every.slice(10)]) {
      let cursor: string | undefined
      do {
        const page = await client.orders.search({
          locationIds,
          cursor,
          limit: 99,
          query: {
            filter: { dateTimeFilter: { updatedAt: { startAt: '2020-01-01T00:00:00Z' } } },
            sort: { sortField: 'UPDATED_AT', sortOrder: 'ASC' },
          },
        })
        found.push(...(page.orders ?? []).filter(({ lineItems }) => lineItems).map(({ id }) => id!))
        cursor = page.cursor
      } while (cursor)
    }
    expect(found.sort()).toEqual(ids(retail, 'order'))
    expect(found.length).toBe(1215)
  })
  it('customers, team members and timecards', async () => {
    expect((await all(square.customers.list({ sortField: 'CREATED_AT' }))).map(({ id }) => id).sort()).toEqual(
      ids(restaurant, 'customer'),
    )
    expect((await square.teamMembers.search({ limit: 200 })).teamMembers?.map(({ id }) => id).sort()).toEqual(
      ids(restaurant, 'employee'),
    )
    const cards: string[] = []
    let cursor: string | undefined
    do {
      const page = await square.labor.searchTimecards({
        cursor,
        query: { sort: { field: 'UPDATED_AT', order: 'DESC' } },
      })
      cards.push(...(page.timecards ?? []).map(({ id }) => id!))
      cursor = page.cursor
    } while (cursor)
    expect(cards.sort()).toEqual(ids(restaurant, 'time_entry'))
    expect(cards.length).toBe(2000)
  })
})

describe('the catalog', () => {
  it('maps # ids, replaces the whole object if its version matches, and deletes it with its variations', async () => {
    const created = await square.catalog.object.upsert({ idempotencyKey: key(), object: tea() })
    expect(created.idMappings?.map(({ clientObjectId }) => clientObjectId)).toEqual(['#tea', '#mug'])
    const item = created.catalogObject as Extract<typeof created.catalogObject, { type: 'ITEM' }>
    const variation = item!.itemData!.variations![0]! as { id: string; version: bigint }
    expect(item!.itemData!.descriptionPlaintext).toBe('Hot & sweet')
    const update = (version: bigint, nested: bigint, price = 175n) =>
      square.catalog.object.upsert({
        idempotencyKey: key(),
        object: { ...tea(version, { id: variation.id, version: nested }, price), id: item!.id },
      })
    expect(await refusal(update(1n, variation.version))).toMatchObject({
      status: 400,
      code: 'VERSION_MISMATCH',
      field: 'object.version',
    })
    expect(await refusal(update(item!.version!, 1n))).toMatchObject({
      status: 400,
      code: 'VERSION_MISMATCH',
      field: 'object.item_data.variations[0].version',
    })
    await update(item!.version!, variation.version)
    const { object } = await square.catalog.object.get({ objectId: variation.id })
    expect(object).toMatchObject({
      type: 'ITEM_VARIATION',
      itemVariationData: { itemId: item!.id, priceMoney: { amount: 175n } },
    })
    const { deletedObjectIds } = await square.catalog.object.delete({ objectId: item!.id })
    expect(deletedObjectIds).toEqual([item!.id, variation.id])
    expect(await refusal(square.catalog.object.get({ objectId: variation.id }))).toMatchObject({
      status: 404,
      code: 'NOT_FOUND',
    })
  })
  it('repeats the first response for a repeated key and rejects a different body with it', async () => {
    const idempotencyKey = key()
    const first = await square.catalog.object.upsert({ idempotencyKey, object: tea() })
    const count = ids(restaurant, 'product').length
    expect(await square.catalog.object.upsert({ idempotencyKey, object: tea() })).toMatchObject({
      idMappings: first.idMappings,
    })
    expect(ids(restaurant, 'product').length).toBe(count)
    expect(
      await refusal(square.catalog.object.upsert({ idempotencyKey, object: tea(undefined, undefined, 1n) })),
    ).toMatchObject({ status: 400, code: 'IDEMPOTENCY_KEY_REUSED' })
  })
  it('names the invalid field', async () => {
    const upsert = (object: object) =>
      raw('POST', '/v2/catalog/object', { idempotency_key: key(), object }).then(({ status, body }) => ({
        status,
        ...body.errors[0],
      }))
    const item = (variation: object, data: object = {}) => ({
      type: 'ITEM',
      id: '#x',
      item_data: {
        name: 'X',
        variations: [{ type: 'ITEM_VARIATION', id: '#v', item_variation_data: variation }],
        ...data,
      },
    })
    const fixed = { pricing_type: 'FIXED_PRICING', price_money: { amount: 1, currency: 'USD' } }
    expect(await upsert(item(fixed, { name: 'x'.repeat(513) }))).toMatchObject({
      status: 400,
      code: 'VALUE_TOO_LONG',
      field: 'object.item_data.name',
    })
    expect(
      await upsert(item({ pricing_type: 'FIXED_PRICING', price_money: { amount: 1.5, currency: 'USD' } })),
    ).toMatchObject({
      code: 'EXPECTED_INTEGER',
      field: 'object.item_data.variations[0].item_variation_data.price_money.amount',
    })
    expect(
      await upsert(item({ pricing_type: 'FIXED_PRICING', price_money: { amount: 1, currency: 'EUR' } })),
    ).toMatchObject({
      code: 'INVALID_VALUE',
      field: 'object.item_data.variations[0].item_variation_data.price_money.currency',
    })
    expect(
      await upsert(item({ pricing_type: 'VARIABLE_PRICING', price_money: { amount: 1, currency: 'USD' } })),
    ).toMatchObject({ code: 'INVALID_VALUE' })
    expect(await upsert(item(fixed, { categories: [{ id: 'NOWHERE' }] }))).toMatchObject({
      code: 'INVALID_VALUE',
      field: 'object.item_data.categories[0].id',
    })
    expect(await upsert({ ...item(fixed), id: 'NOT-THERE' })).toMatchObject({ status: 404, field: 'object.id' })
    expect(await raw('POST', '/v2/catalog/object', { object: item(fixed) })).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'MISSING_REQUIRED_PARAMETER', field: 'idempotency_key' }] },
    })
  })
  it('searches strictly after begin_time, ignores a limit out of range, and returns deleted objects on request', async () => {
    const { body: before } = await raw('POST', '/v2/catalog/search', { object_types: ['ITEM'], limit: 5000 })
    expect(before.objects).toHaveLength(100)
    const [id] = restaurant.records.product!.add(1)
    const { body: found } = await raw('POST', '/v2/catalog/search', {
      object_types: ['ITEM'],
      begin_time: before.latest_time,
    })
    expect(found.objects).toHaveLength(1)
    expect(found.objects[0].updated_at).toBe(found.latest_time)
    expect(
      (await raw('POST', '/v2/catalog/search', { object_types: ['ITEM'], begin_time: found.latest_time })).body.objects,
    ).toBeUndefined()
    restaurant.records.product!.remove!(id!)
    const search = (include_deleted_objects: boolean) =>
      raw('POST', '/v2/catalog/search', {
        object_types: ['ITEM'],
        begin_time: found.latest_time,
        include_deleted_objects,
      })
    expect((await search(false)).body.objects).toBeUndefined()
    expect((await search(true)).body.objects).toMatchObject([{ is_deleted: true }])
  })
  it('rejects a cursor of another query', async () => {
    const { body } = await raw('POST', '/v2/catalog/search', { object_types: ['ITEM'], limit: 5 })
    expect(
      await raw('POST', '/v2/catalog/search', { object_types: ['CATEGORY'], limit: 5, cursor: body.cursor }),
    ).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'INVALID_CURSOR' }] },
    })
  })
  it('counts stock, and applies a repeated change once', async () => {
    const variation = ids(restaurant, 'product')[0]!
    const locationId = restaurant.locations[0]!
    const change = {
      idempotencyKey: key(),
      changes: [
        {
          type: 'PHYSICAL_COUNT' as const,
          physicalCount: {
            catalogObjectId: variation,
            locationId,
            state: 'IN_STOCK' as const,
            quantity: '12.5',
            occurredAt: new Date().toISOString(),
          },
        },
      ],
    }
    await square.inventory.batchCreateChanges(change)
    await square.inventory.batchCreateChanges(change)
    const counts = await all(
      square.inventory.batchGetCounts({
        catalogObjectIds: [variation],
        locationIds: [locationId],
        states: ['IN_STOCK'],
      }),
    )
    expect(counts).toMatchObject([{ quantity: '12.5', catalogObjectType: 'ITEM_VARIATION' }])
    const changes = await all(square.inventory.batchGetChanges({ catalogObjectIds: [variation] }))
    expect(changes).toHaveLength(1)
  })
})

describe('an order', () => {
  const newOrder = (order: object = {}) => ({
    idempotencyKey: key(),
    order: {
      locationId: restaurant.locations[0]!,
      referenceId: 'ref-1',
      lineItems: [{ quantity: '2', name: 'Tea', basePriceMoney: { amount: 150n, currency: 'USD' as const } }],
      ...order,
    },
  })
  it('is priced by Square: discount on a line, then tax on the rest', async () => {
    const { order } = await square.orders.create(
      newOrder({
        lineItems: [
          {
            quantity: '2',
            name: 'Tea',
            basePriceMoney: { amount: 150n, currency: 'USD' },
            appliedDiscounts: [{ discountUid: 'd1' }],
          },
          { quantity: '1.5', name: 'Cake', basePriceMoney: { amount: 333n, currency: 'USD' } },
        ],
        discounts: [{ uid: 'd1', name: 'One off', amountMoney: { amount: 100n, currency: 'USD' }, scope: 'LINE_ITEM' }],
        taxes: [{ uid: 't1', name: 'State', percentage: '9' }],
      }),
    )
    expect(order).toMatchObject({
      state: 'OPEN',
      version: 1,
      lineItems: [
        {
          quantity: '2',
          grossSalesMoney: { amount: 300n },
          totalDiscountMoney: { amount: 100n },
          totalTaxMoney: { amount: 18n },
          totalMoney: { amount: 218n },
        },
        {
          quantity: '1.5',
          grossSalesMoney: { amount: 500n },
          totalDiscountMoney: { amount: 0n },
          totalTaxMoney: { amount: 45n },
          totalMoney: { amount: 545n },
        },
      ],
      totalMoney: { amount: 763n },
      totalTaxMoney: { amount: 63n },
      totalDiscountMoney: { amount: 100n },
    })
  })
  it('is updated with its version; a repeated key changes nothing; a closed order cannot change', async () => {
    const { order } = await square.orders.create(newOrder())
    const uid = order!.lineItems![0]!.uid!
    const idempotencyKey = key()
    const update = (version: number, change: object, usedKey = key()) =>
      square.orders.update({
        orderId: order!.id!,
        idempotencyKey: usedKey,
        order: { locationId: order!.locationId, version, ...change },
      })
    expect((await update(1, { lineItems: [{ uid, quantity: '3' }] }, idempotencyKey)).order).toMatchObject({
      version: 2,
      totalMoney: { amount: 450n },
      referenceId: 'ref-1',
    })
    expect((await update(1, { lineItems: [{ uid, quantity: '9' }] }, idempotencyKey)).order).toMatchObject({
      version: 2,
      lineItems: [{ quantity: '3' }],
    })
    expect(await refusal(update(1, { ticketName: 'late' }))).toMatchObject({ status: 409, code: 'VERSION_MISMATCH' })
    const added = await update(2, {
      lineItems: [{ uid: 'second', quantity: '1', name: 'Scone', basePriceMoney: { amount: 50n, currency: 'USD' } }],
    })
    expect(added.order?.lineItems).toHaveLength(2)
    const removed = await square.orders.update({
      orderId: order!.id!,
      order: { locationId: order!.locationId, version: 3 },
      fieldsToClear: ['line_items[second]', 'reference_id'],
    })
    expect(removed.order?.lineItems).toHaveLength(1)
    expect(removed.order?.referenceId).toBeUndefined()
    expect((await update(4, { state: 'CANCELED' })).order).toMatchObject({ state: 'CANCELED', version: 5 })
    expect(await refusal(update(5, { ticketName: 'too late' }))).toMatchObject({ status: 400, code: 'BAD_REQUEST' })
  })
  it('rejects unknown references and names them', async () => {
    expect(await refusal(square.orders.create(newOrder({ locationId: 'NOWHERE' })))).toMatchObject({
      status: 400,
      field: 'order.location_id',
    })
    expect(await refusal(square.orders.create(newOrder({ customerId: 'UNKNOWN' })))).toMatchObject({
      status: 404,
      field: 'order.customer_id',
    })
    expect(
      await refusal(square.orders.create(newOrder({ lineItems: [{ quantity: '1', catalogObjectId: 'NOTHING' }] }))),
    ).toMatchObject({
      status: 404,
      field: 'order.line_items[0].catalog_object_id',
    })
    expect(
      await refusal(
        square.orders.create(
          newOrder({ lineItems: [{ quantity: 'two', name: 'Tea', basePriceMoney: { amount: 1n, currency: 'USD' } }] }),
        ),
      ),
    ).toMatchObject({
      field: 'order.line_items[0].quantity',
    })
    expect(await refusal(square.orders.create(newOrder({ referenceId: 'x'.repeat(41) })))).toMatchObject({
      code: 'VALUE_TOO_LONG',
      field: 'order.reference_id',
    })
  })
  it('is completed by a payment if its total is 0', async () => {
    const { order } = await square.orders.create(
      newOrder({ lineItems: [{ quantity: '1', name: 'Water', basePriceMoney: { amount: 0n, currency: 'USD' } }] }),
    )
    expect(
      (await square.orders.pay({ orderId: order!.id!, idempotencyKey: key(), orderVersion: 1, paymentIds: [] })).order,
    ).toMatchObject({ state: 'COMPLETED', version: 2 })
  })
  it('is searched by one time field only, the sort field, with both ends included', async () => {
    const search = (query: object) => raw('POST', '/v2/orders/search', { location_ids: restaurant.locations, query })
    const range = { start_at: '2020-01-01T00:00:00Z' }
    expect((await search({ filter: { date_time_filter: { updated_at: range } } })).status).toBe(400)
    expect(
      (await search({ filter: { date_time_filter: { closed_at: range } }, sort: { sort_field: 'CLOSED_AT' } })).status,
    ).toBe(400)
    expect(
      (
        await search({
          filter: { date_time_filter: { closed_at: range }, state_filter: { states: ['COMPLETED'] } },
          sort: { sort_field: 'CLOSED_AT' },
        })
      ).status,
    ).toBe(200)
    const [order] = (await search({})).body.orders
    const exactly = { start_at: order.created_at, end_at: order.created_at }
    expect(
      (await search({ filter: { date_time_filter: { created_at: exactly } } })).body.orders.map(
        ({ id }: { id: string }) => id,
      ),
    ).toContain(order.id)
  })
  it('leaves an updated_at walk if it changes during it, and is in the next one', async () => {
    const body = {
      location_ids: restaurant.locations,
      limit: 100,
      query: {
        filter: { date_time_filter: { updated_at: { start_at: '2020-01-01T00:00:00Z' } } },
        sort: { sort_field: 'UPDATED_AT', sort_order: 'ASC' },
      },
    }
    const first = (await raw('POST', '/v2/orders/search', body)).body
    const seen = new Set<string>(first.orders.map(({ id }: { id: string }) => id))
    const unseen = ids(restaurant, 'order').find((id) => !seen.has(id))!
    restaurant.records.order!.touch(unseen)
    for (let { cursor } = first; cursor; ) {
      const page = (await raw('POST', '/v2/orders/search', { ...body, cursor })).body
      for (const { id } of page.orders) seen.add(id)
      cursor = page.cursor
    }
    expect(seen.has(unseen)).toBe(false)
    const newest = (
      await raw('POST', '/v2/orders/search', {
        ...body,
        query: { ...body.query, sort: { sort_field: 'UPDATED_AT', sort_order: 'DESC' } },
      })
    ).body
    expect(newest.orders[0].id).toBe(unseen)
  })
  it('is seeded in difficult forms: no version, lines with quantity 0, other customers on the tender, service charges, returns', async () => {
    const { body } = await raw('POST', '/v2/orders/search', { location_ids: restaurant.locations, limit: 1000 })
    const orders: {
      version?: number
      line_items?: { quantity: string }[]
      returns?: unknown[]
      service_charges?: unknown[]
      customer_id?: string
      tenders?: { customer_id?: string }[]
    }[] = body.orders
    expect(orders.some(({ version }) => version === undefined)).toBe(true)
    expect(orders.some(({ line_items }) => line_items?.some(({ quantity }) => quantity === '0'))).toBe(true)
    expect(orders.some((order) => order.returns && !order.line_items && !('total_money' in order))).toBe(true)
    expect(orders.some(({ service_charges }) => service_charges)).toBe(true)
    expect(orders.some(({ customer_id, tenders }) => !customer_id && tenders?.[0]?.customer_id)).toBe(true)
  })
  it('rounds half to even', () => {
    expect(['0.5', '1.5', '2.5', '2.4', '2.6'].map((factor) => product(1, factor))).toEqual([0, 2, 2, 2, 3])
    expect([percentOf(250, '1'), percentOf(350, '1'), percentOf(8_999_999_999_999, '8.875')]).toEqual([
      2, 4, 798_750_000_000,
    ])
  })
})
