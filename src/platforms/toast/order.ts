import type { EntityAdapter, NativeResponse, OrderSums, ReadCall, WriteCall } from '../../contract/connector.ts'
import type { Order } from '../../contract/entities/order.ts'
import { ifFound } from '../../kit/errors.ts'
import { list, text } from '../../kit/fields.ts'
import { orderTables } from '../../kit/orders.ts'
import type { PageFunction } from '../../kit/paging.ts'
import { get, path, post } from '../../kit/requests.ts'
import { toUnixMs } from '../../kit/time.ts'
import { diningOptions, restaurant, tables, unlessForbidden } from './account.ts'
import { externalIdOf, fromToastDate, isGuid, toToastDate, writeUnique } from './api.ts'
import { excluded, type NativeOrder, type OrderRow, toUnified } from './order-row.ts'
import { toNative } from './order-write.ts'
import { type WindowPlace, walkWindows } from './window-walk.ts'

const pageSize = 100
const day = 86_400_000

interface BulkPage {
  rows: readonly NativeOrder[]
  more: boolean
}
/**
 * Toast asks for 5 to 10 seconds between reads of historical orders, and does not define them. Here they are windows
 * that ended more than a day ago: a caller who follows current orders is never slowed down.
 */
async function fetchPage(
  call: ReadCall,
  from: string,
  to: string,
  page: number,
): Promise<{ rows: readonly NativeOrder[]; link?: string }> {
  const { body, headers } = await call.read(
    get(
      '/orders/v2/ordersBulk',
      { startDate: toToastDate(from), endDate: toToastDate(to), pageSize, page },
      { lane: toUnixMs(to) < toUnixMs(call.now) - day ? 'history' : undefined },
    ),
  )
  return { rows: list<NativeOrder>(body), link: headers.link }
}
/**
 * A short page may not be the last, because its size in bytes is limited too: only a missing next link or an empty page
 * is the end. https://doc.toasttab.com/doc/devguide/apiResponseDataPagination.html
 */
async function bulkPage(call: ReadCall, from: string, to: string, page: number): Promise<BulkPage> {
  const { rows, link } = await fetchPage(call, from, to, page)
  if (rows.length === 0) return { rows, more: false }
  return {
    rows,
    more: link === undefined ? (await fetchPage(call, from, to, page + 1)).rows.length > 0 : /rel="?next/.test(link),
  }
}

/**
 * Page numbers shift when an order is modified, so a window should fit into one page. A window that cannot be divided
 * is read to its end and back: an order that is missed in one direction is found in the other.
 */
export async function readWindow(
  call: ReadCall,
  from: string,
  to: string,
  divisible: boolean,
): Promise<NativeOrder[] | 'more'> {
  const first = await bulkPage(call, from, to, 1)
  if (!first.more) return [...first.rows]
  if (divisible) return 'more'
  const found = [...first.rows]
  let page = 1
  for (let more = true; more; ) {
    page += 1
    const next = await bulkPage(call, from, to, page)
    found.push(...next.rows)
    more = next.more
  }
  for (page -= 1; page >= 1; page -= 1) found.push(...(await bulkPage(call, from, to, page)).rows)
  return newest(found)
}
function newest(rows: readonly NativeOrder[]): NativeOrder[] {
  const byGuid = new Map<string, NativeOrder>()
  for (const row of rows) {
    const known = byGuid.get(row.guid)
    if (!known || (row.modifiedDate ?? '') > (known.modifiedDate ?? '')) byGuid.set(row.guid, row)
  }
  return [...byGuid.values()]
}

const walk = walkWindows<NativeOrder>({
  id: (row) => row.guid,
  modified: (row) => fromToastDate(row.modifiedDate),
  opened: async (call) => (await restaurant(call)).opened,
  firstMs: 2 * day,
  read: readWindow,
})

/** What belongs to orders and is modified with them. Most orders have none or one: whole pages of them are read. */
export const inOrders =
  <Row>(rowsOf: (order: NativeOrder) => Row[]): PageFunction<Row, WindowPlace> =>
  async (call, query, at) => {
    const page = await walk(call, { ...query, size: pageSize }, at)
    return { ...page, rows: page.rows.flatMap(rowsOf) }
  }

async function finish(call: ReadCall, rows: readonly NativeOrder[]): Promise<OrderRow[]> {
  const { currency } = await restaurant(call)
  const places = rows.some(({ table }) => table) ? await unlessForbidden(tables(call)) : []
  const options = rows.some((row) => row.diningOption) ? await unlessForbidden(diningOptions(call)) : []
  return rows.map((row) => ({
    ...row,
    currency,
    dining: options.find(({ guid }) => guid === row.diningOption?.guid),
    tableName: text(places.find(({ guid }) => guid === row.table?.guid)?.name),
  }))
}
const finishOne = async (call: ReadCall, row: NativeOrder): Promise<OrderRow> => (await finish(call, [row]))[0]!
/**
 * According to the reference the response is a list of orders; in its example and in the guide it is the order itself.
 */
export function orderIn({ body }: Pick<NativeResponse, 'body'>): NativeOrder {
  const order = body?.orders?.[0] ?? body
  if (!text(order?.guid)) throw new Error('no order in the response')
  return order
}
export const readOrder = async (call: ReadCall, id: string): Promise<NativeOrder | undefined> =>
  (await ifFound(call.read(get(path`/orders/v2/orders/${id}`))))?.body

/** https://doc.toasttab.com/doc/devguide/apiOrderPrices.html */
async function total(call: ReadCall, record: Order): Promise<number | undefined> {
  const body = await toNative(call, record)
  const { body: priced } = await call.read(post('/orders/v2/prices', body))
  const { currency } = await restaurant(call)
  return toUnified({ ...priced, guid: '', currency }, { account: call.account, warn: () => {} }).total
}
async function create(call: WriteCall, record: Order) {
  const externalId = externalIdOf(call)
  const body = await toNative(call, record, externalId)
  // Toast may take 30 seconds, and a call that timed out may still succeed.
  const created = await writeUnique(call, 'order', {
    request: post('/orders/v2/orders', body),
    read: orderIn,
    find: () => readOrder(call, externalId),
    lagSeconds: 30,
  })
  return { id: created.guid, row: await finishOne(call, created) }
}

const sums: OrderSums = {
  prices: 'without_tax',
  tips: 'beside_total',
  refunds: 'beside_total',
  modifiers: 'in_price',
}
const tillTables = orderTables(sums, ['/guestCount', '/lineItems/*/modifiers', '/lineItems/*/note'])

export const order: EntityAdapter<'order', OrderRow, WindowPlace> = {
  revision: 2,
  id: (row) => row.guid,
  toUnified,
  excluded,
  sums,
  list: {
    pageLimit: pageSize,
    updatedAfter: 'platform',
    modifiedAt: (row) => fromToastDate(row.modifiedDate),
    page: walk,
    complete: { size: pageSize, rows: finish },
  },
  get: async (call, id) => {
    const found = isGuid(id) ? await readOrder(call, id) : undefined
    return found && finishOne(call, found)
  },
  create: {
    requires: ['/lineItems/*/productExternalId', '/settings/namingAuthority'],
    requiresWhen: [
      { pointer: '/lineItems/*/unitPrice', fact: 'the product has an open price' },
      { pointer: '/settings/diningOptionGuid', fact: 'the restaurant has no dine-in option' },
    ],
    values: {
      ...tillTables.values,
      // A new order is sent to the kitchen: a finished one must not be.
      '/state': {
        only: ['OPEN', 'PENDING'],
        why: 'at Toast a payment completes an order, and it is canceled at the POS',
      },
    },
    refused: tillTables.refused,
    // Names, prices, taxes and totals come from the menu. Guests have no API, discounts must be set up at the
    // restaurant, and its approval rules decide which of the two states a new order has.
    notStored: {
      ...tillTables.notStored,
      '/customerExternalId': true,
      '/state': ['OPEN', 'PENDING'],
      '/total': true,
      '/taxTotal': true,
      '/lineItems/*/name': true,
      '/lineItems/*/unitPrice': true,
      '/lineItems/*/lineTax': true,
      '/lineItems/*/lineDiscount': true,
      '/lineItems/*/modifiers/*/name': true,
      '/lineItems/*/modifiers/*/price': true,
      '/lineItems/*/modifiers/*/modifiers/*/name': true,
      '/lineItems/*/modifiers/*/modifiers/*/price': true,
    },
    fields: {
      currency: '/currencyCode',
      restaurant: '/locationExternalId',
      'selections[*].item': '/lineItems/*/productExternalId',
      'selections[*].quantity': '/lineItems/*/quantity',
      'selections[*].openPriceAmount': '/lineItems/*/unitPrice',
      'selections[*].modifiers[*].item': '/lineItems/*/modifiers/*/modifierExternalId',
      'selections[*].modifiers[*].quantity': '/lineItems/*/modifiers/*/quantity',
      'selections[*].modifiers[*].modifiers[*].item': '/lineItems/*/modifiers/*/modifiers/*/modifierExternalId',
      'selections[*].modifiers[*].modifiers[*].quantity': '/lineItems/*/modifiers/*/modifiers/*/quantity',
    },
    longest: { '/note': 255, '/lineItems/*/note': 1000 },
    run: create,
    total,
  },
}
