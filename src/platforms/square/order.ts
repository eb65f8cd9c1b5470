import type { EntityAdapter, ListQuery, OrderSums, ReadCall, WriteCall } from '../../contract/connector.ts'
import type { Order } from '../../contract/entities/order.ts'
import { ifFound, refusal } from '../../kit/errors.ts'
import { compact, list, text } from '../../kit/fields.ts'
import { orderTables } from '../../kit/orders.ts'
import { type ChunkPlace, chunksOf, overChunks } from '../../kit/paging.ts'
import { get, path, post, put } from '../../kit/requests.ts'
import { toUtc } from '../../kit/time.ts'
import { type TimePlace, walkByTime } from '../../kit/walk-by-time.ts'
import { currencyAt, locations, orderLocation, rowsAfter, zoned, zones } from './account.ts'
import { excludedOf, type NativeOrder, states, toUnified } from './order-row.ts'
import { changeOf, check, deliverable, toCharges, toFulfillment, toLines } from './order-write.ts'

/** A page of 500 orders can be larger than 4 MiB. */
const searchLimit = 100
async function search(
  call: ReadCall,
  location_ids: readonly string[],
  field: 'created_at' | 'updated_at',
  body: object,
): Promise<{ rows: NativeOrder[]; cursor?: string }> {
  const sort = { sort_field: field.toUpperCase(), sort_order: 'ASC' } // must be the field of the filter
  const answer = await call.read(
    post('/v2/orders/search', {
      location_ids,
      return_entries: false,
      ...body,
      query: { sort, ...('query' in body ? (body.query as object) : {}) },
    }),
  )
  const known = await zones(call)
  return { rows: list<NativeOrder>(answer.body.orders).map((row) => zoned(row, known)), cursor: answer.body.cursor }
}
/** The creation time never changes, so Square's own cursor is safe. */
async function byCreation(call: ReadCall, { size }: ListQuery, chunk: readonly string[], cursor?: string) {
  const { rows, cursor: next } = await search(call, chunk, 'created_at', { limit: size, cursor })
  return { rows, next }
}
/**
 * The first page of a cursor fixes the end of a modification filter: an order that changes during the walk would be
 * missed. A walk by modification time therefore starts a new search for each page, at the time of the last row.
 */
const byModification = (chunk: readonly string[]) =>
  walkByTime<NativeOrder, string>({
    id: (row) => row.id,
    time: (row) => row.updated_at ?? '',
    maximum: searchLimit,
    fetch: (call, { updatedAfter }, { since = updatedAfter, limit, offset }) => {
      const query = { filter: { date_time_filter: { updated_at: { start_at: since } } } }
      return rowsAfter((size, cursor) => search(call, chunk, 'updated_at', { limit: size, query, cursor }), {
        offset,
        limit,
        most: searchLimit,
      })
    },
  })
const isTimePlace = (at: unknown): at is TimePlace<string> => typeof at === 'object' && at !== null

export async function readOrder(call: ReadCall, id: string): Promise<NativeOrder | undefined> {
  const found: NativeOrder | undefined = (await ifFound(call.read(get(path`/v2/orders/${id}`))))?.body.order
  return found && zoned(found, await zones(call))
}
const orderIn = ({ body }: { body: { order: NativeOrder } }): NativeOrder => body.order

function cancellation({ id, location_id, version }: NativeOrder, key: string) {
  return put(path`/v2/orders/${id}`, { idempotency_key: key, order: { location_id, version, state: 'CANCELED' } })
}
async function create(call: WriteCall, record: Order) {
  const location = await orderLocation(call, record.locationExternalId)
  const currency = currencyAt(location, record.currencyCode, 'order.currency')
  const fulfillment = toFulfillment(record.fulfillment, record.customerExternalId)
  const order = compact({
    location_id: location.id,
    reference_id: call.reference,
    customer_id: record.customerExternalId,
    ticket_name: record.orderNumber,
    state: record.state === 'PENDING' ? states.write('PENDING') : undefined,
    metadata: record.note === undefined ? undefined : { note: record.note },
    source: record.channel === undefined ? undefined : { name: record.channel },
    ...toLines(record.lineItems, currency, 'line'),
    service_charges: toCharges(record, currency),
    fulfillments: fulfillment && [fulfillment],
  })
  const created = await call.write('order', {
    request: post('/v2/orders', { idempotency_key: call.key('order'), order }),
    read: orderIn,
    recovery: 'key',
    undo: (done) => cancellation(done, call.key('undo')), // orders cannot be deleted
  })
  if (record.state !== 'CANCELED') return { id: created.id, row: zoned(created, await zones(call)) }
  const canceled = await call.write('cancel', {
    request: cancellation(created, call.key('cancel')),
    read: orderIn,
    recovery: 'key',
  })
  return { id: canceled.id, row: zoned(canceled, await zones(call)) }
}
async function update(call: WriteCall, current: NativeOrder, record: Order) {
  const { id } = current
  if ((record.locationExternalId ?? current.location_id) !== current.location_id)
    throw refusal('order.location_id', 'The location of an order cannot change')
  const currency = current.total_money?.currency ?? (await orderLocation(call, current.location_id)).currency
  if ((record.currencyCode ?? currency) !== currency) throw refusal('order.currency', `The order is in ${currency}`)
  const change = changeOf(record, current, currency)
  if (!change) return { id, row: current }
  if (current.version === undefined)
    throw refusal('/lineItems', 'Square does not allow changes to an order that was not created through its API')
  const body = {
    ...change,
    idempotency_key: call.key(`order-${current.version}`),
    order: { location_id: current.location_id, version: current.version, ...change.order },
  }
  const row = await call.write('order', { request: put(path`/v2/orders/${id}`, body), read: orderIn, recovery: 'key' })
  return { id, row: zoned(row, await zones(call)) }
}

const sums = {
  prices: 'either',
  tips: 'in_total',
  refunds: 'beside_total',
  modifiers: 'beside_price',
} as const satisfies OrderSums
const tables = orderTables(sums, [
  '/channel',
  '/fulfillment',
  '/serviceChargeTotal',
  '/serviceCharges',
  '/lineItems/*/modifiers',
  '/lineItems/*/note',
])
const delivered = { '/fulfillment/type': deliverable }
const write = {
  refused: tables.refused,
  requiresWhen: [
    { pointer: '/lineItems/*/name', without: '/lineItems/*/productExternalId' },
    { pointer: '/lineItems/*/unitPrice', without: '/lineItems/*/productExternalId' },
    { pointer: '/fulfillment/name', is: delivered, without: '/customerExternalId' },
    {
      pointer: '/fulfillment/dueAt',
      is: { '/fulfillment/type': deliverable.filter((type) => type !== 'SHIPPING') },
    },
  ],
  values: {
    ...tables.values,
    '/state': { only: ['OPEN', 'PENDING', 'CANCELED'], why: 'only a payment completes an order at Square' },
  },
  longest: {
    '/orderNumber': 30,
    '/note': 255,
    '/lineItems/*/name': 512,
    '/lineItems/*/sku': 255,
    '/lineItems/*/note': 2000,
    '/fulfillment/name': 255,
    '/fulfillment/phone': 17,
    '/fulfillment/instructions': 500,
  },
  notStored: {
    // Square calculates totals and taxes and sets the times of an order.
    '/processedAt': true,
    '/total': true,
    '/taxTotal': true,
    '/lineItems/*/lineTax': true,
    ...tables.notStored,
    '/serviceCharges/*/taxAmount': true,
    '/fulfillment/table': true,
    '/fulfillment/type': ['DINE_IN', 'IN_STORE'],
    '/lineItems/*/modifiers/*/modifierGroupExternalId': true,
    '/lineItems/*/modifiers/*/modifiers': true,
  },
  fields: {
    'order.location_id': '/locationExternalId',
    'order.customer_id': '/customerExternalId',
    'order.ticket_name': '/orderNumber',
    'order.state': '/state',
    'order.currency': '/currencyCode',
    'order.metadata': '/note',
    'order.metadata.note': '/note',
    'order.line_items': '/lineItems',
    'order.line_items[*].catalog_object_id': '/lineItems/*/productExternalId',
    'order.line_items[*].name': '/lineItems/*/name',
    'order.line_items[*].quantity': '/lineItems/*/quantity',
    'order.line_items[*].base_price_money': '/lineItems/*/unitPrice',
    'order.line_items[*].base_price_money.amount': '/lineItems/*/unitPrice',
    'order.line_items[*].base_price_money.currency': '/currencyCode',
    'order.line_items[*].discount': '/lineItems/*/lineDiscount',
    'order.line_items[*].note': '/lineItems/*/note',
    'order.line_items[*].modifiers[*].catalog_object_id': '/lineItems/*/modifiers/*/modifierExternalId',
    'order.line_items[*].modifiers[*].name': '/lineItems/*/modifiers/*/name',
    'order.line_items[*].modifiers[*].quantity': '/lineItems/*/modifiers/*/quantity',
    'order.line_items[*].modifiers[*].base_price_money': '/lineItems/*/modifiers/*/price',
    'order.service_charges': '/serviceChargeTotal',
    'order.service_charges[*].name': '/serviceCharges/*/name',
    'order.service_charges[*].amount_money': '/serviceCharges/*/amount',
    'order.fulfillments': '/fulfillment',
    'order.source.name': '/channel',
  },
} as const

export const order: EntityAdapter<'order', NativeOrder, ChunkPlace<string[], string | TimePlace<string>>> = {
  id: (row) => row.id,
  version: (row) => text(row.version),
  revision: 2,
  toUnified,
  excluded: excludedOf,
  sums,
  list: {
    pageLimit: searchLimit,
    updatedAfter: 'platform',
    modifiedAt: (row) => toUtc(row.updated_at),
    page: overChunks<NativeOrder, string[], string | TimePlace<string>>(
      async (call) =>
        chunksOf(
          (await locations(call)).map(({ id }) => id),
          10,
        ),
      (call, query, chunk, at) =>
        query.updatedAfter
          ? byModification(chunk)(call, query, isTimePlace(at) ? at : undefined)
          : byCreation(call, query, chunk, isTimePlace(at) ? undefined : at),
    ),
  },
  get: readOrder,
  create: {
    ...write,
    requiresWhen: [
      ...write.requiresWhen,
      { pointer: '/locationExternalId', without: '/settings/locationId', fact: 'the account has several locations' },
    ],
    check,
    run: create,
  },
  update: { ...write, check, run: update },
}
