import type { AccountView, EntityAdapter, Listing, OrderSums, ReadCall, WriteCall } from '../../contract/connector.ts'
import type { Order } from '../../contract/entities/order.ts'
import type { Pointer } from '../../contract/entity.ts'
import { ifFound, refusal, requirement } from '../../kit/errors.ts'
import { compact } from '../../kit/fields.ts'
import { orderTables } from '../../kit/orders.ts'
import { get, post, put } from '../../kit/requests.ts'
import { type NumberPlace, walkByNumber } from '../../kit/walk-by-number.ts'
import { type TimePlace, walkByTime } from '../../kit/walk-by-time.ts'
import {
  api,
  createdSince,
  findMarked,
  fromGmt,
  idNumber,
  isId,
  keys,
  lagSeconds,
  type Meta,
  modifiedAt,
  modifiedSince,
  readPage,
  shopCurrency,
} from './api.ts'
import type { NativeOrder } from './order-money.ts'
import { customerOf, states, toUnified } from './order-row.ts'
import {
  changedFees,
  changedLines,
  changedShipping,
  chargeFields,
  chargeProblems,
  lineProblems,
  missingIn,
  newFees,
  newShippingLines,
  toBodies,
} from './order-write.ts'

const address = `${api}/orders`
const idOf = ({ id }: NativeOrder) => String(id)

const byId = walkByNumber<NativeOrder>({
  id: idOf,
  fetch: (call, { size }, page) => readPage(call, address, { orderby: 'id', order: 'asc', per_page: size, page }),
})
const half = 50 // rows and the rows already seen must fit into one page of a hundred
const byModification = walkByTime<NativeOrder, string>({
  id: idOf,
  time: (row) => fromGmt(row.date_modified_gmt) ?? '',
  maximum: 2 * half,
  fetch: async (call, { updatedAfter = '' }, { since = updatedAfter, limit, offset }) =>
    (
      await readPage<NativeOrder>(call, address, {
        ...modifiedSince(since),
        orderby: 'modified',
        order: 'asc',
        per_page: limit,
        offset,
      })
    ).rows,
})

export const orderPages: Listing<NativeOrder, NumberPlace | TimePlace<string>>['page'] = (call, query, at) =>
  query.updatedAfter === undefined
    ? byId(call, query, at as NumberPlace)
    : byModification(call, { ...query, size: Math.min(query.size, half) }, at as TimePlace<string>)

/** A record in the trash can still be read by id, but is in no list. */
export async function readOrder(call: ReadCall, id: string): Promise<NativeOrder | undefined> {
  const order: NativeOrder | undefined = isId(id)
    ? (await ifFound(call.read(get(`${address}/${id}`))))?.body
    : undefined
  return order?.status === 'trash' || order?.status === 'auto-draft' ? undefined : order
}
const check = (record: Order, account: AccountView): { pointer: Pointer; message: string }[] => [
  ...record.lineItems.flatMap((line, n) =>
    lineProblems(line).map(({ field, message }) => ({ pointer: `/lineItems/${n}/${field}` as const, message })),
  ),
  ...chargeProblems(record, account),
]
const customerId = (record: Order): number | undefined =>
  record.customerExternalId === undefined ? undefined : idNumber(record.customerExternalId, 'customer_id')

const some = <T>(items: readonly T[]): readonly T[] | undefined => (items.length > 0 ? items : undefined)

async function create(call: WriteCall, record: Order) {
  const customer = customerId(record)
  const currency = record.currencyCode ?? (await shopCurrency(call))
  const lines = await toBodies(
    call,
    record.lineItems.map((line, n) => ({ n, line })),
    currency,
  )
  const body = compact({
    status: states.write(record.state),
    currency,
    customer_id: customer,
    customer_note: record.note,
    line_items: lines,
    fee_lines: some(newFees(record, currency)),
    shipping_lines: some(newShippingLines(record, currency)),
    meta_data: [{ key: keys.reference, value: call.reference }],
  })
  const row = await call.write<NativeOrder>('order', {
    request: post(address, body),
    read: (response) => response.body,
    recovery: { find: () => findMarked<NativeOrder>(call, address, { ...createdSince(call), customer }), lagSeconds },
  })
  return { id: String(row.id), row }
}
async function update(call: WriteCall, current: NativeOrder, record: Order) {
  const id = idOf(current)
  const { touched, removed } = changedLines(record, current)
  for (const { n, line, current: own } of touched) {
    const [missing] = missingIn(line, !own)
    if (missing) throw requirement(`/lineItems/${n}/${missing.field}`, missing.message)
    const [problem] = lineProblems(line)
    if (problem) throw refusal(`/lineItems/${n}/${problem.field}`, problem.message)
  }
  const currency = record.currencyCode ?? current.currency ?? (await shopCurrency(call))
  const lines = [
    ...(await toBodies(call, touched, currency)),
    ...removed.map((lineId) => ({ id: lineId, quantity: 0 })),
  ]
  const before = toUnified(current, { account: call.account, warn: () => {} })
  const fees = changedFees(record, before, current, currency, call.account)
  const shipping = changedShipping(record, before, current, currency)
  const body = compact({
    status: record.state === undefined || record.state === before.state ? undefined : states.write(record.state),
    currency: currency === current.currency ? undefined : currency,
    customer_id: record.customerExternalId === customerOf(current) ? undefined : (customerId(record) ?? 0),
    customer_note: (record.note ?? '') === (before.note ?? '') ? undefined : (record.note ?? ''),
    line_items: some(lines),
    fee_lines: some(fees),
    shipping_lines: some(shipping),
  })
  // WooCommerce dates the payment of a paid order that has no date when the order is saved, whatever is saved.
  const processed =
    ['processing', 'completed'].includes(current.status ?? '') && !body.status && !current.date_paid_gmt
      ? [{ key: keys.processed, value: before.processedAt ?? null }]
      : []
  if (Object.keys(body).length === 0) return { id, row: current }
  const row = await call.write<NativeOrder>(
    'order',
    [...lines, ...fees, ...shipping].some((item) => item.id === undefined || isRemoved(item))
      ? marking(call, current, body, processed)
      : setting(current, { ...body, ...(processed.length > 0 && { meta_data: processed }) }),
  )
  return { id, row }
}
/** As it is said of lines, fees and shipping. */
const isRemoved = (item: { quantity?: number; name?: string | null; method_id?: string | null }): boolean =>
  item.quantity === 0 || item.name === null || item.method_id === null
const setting = ({ id }: NativeOrder, body: object) =>
  ({
    request: put(`${address}/${id}`, body),
    read: (response: { body: NativeOrder }) => response.body,
    recovery: 'repeat',
  }) as const

/**
 * Repeating the call would add new lines twice, and a line that is gone cannot be removed again: the update adds its
 * own mark to the order.
 */
function marking(call: WriteCall, current: NativeOrder, body: object, meta: readonly Meta[]) {
  const mark = call.key(`order-${current.date_modified_gmt}`)
  const find = async () => {
    const order = await readOrder(call, String(current.id))
    return order?.meta_data?.some(({ key, value }) => key === keys.update && value === mark) ? order : undefined
  }
  return {
    ...setting(current, { ...body, meta_data: [{ key: keys.update, value: mark }, ...meta] }),
    recovery: { find, lagSeconds },
  }
}

/** Every amount is without taxes, also in a shop whose prices are typed in with them. */
const sums = {
  prices: 'without_tax',
  tips: 'in_total',
  refunds: 'beside_total',
  modifiers: 'none',
} as const satisfies OrderSums
const tables = orderTables(sums, ['/serviceChargeTotal', '/serviceCharges', '/shippingTotal'])
const write = {
  ...tables,
  // The shop sets order numbers and dates and calculates taxes and totals; it has one location.
  notStored: {
    ...tables.notStored,
    '/orderNumber': true,
    '/processedAt': true,
    '/locationExternalId': true,
    '/total': true,
    '/taxTotal': true,
    '/lineItems/*/lineTax': true,
    '/serviceCharges/*/taxAmount': true,
    '/serviceCharges/*/kind': ['SERVICE', 'GRATUITY', 'DELIVERY', 'SURCHARGE'],
  },
  fields: {
    status: '/state',
    currency: '/currencyCode',
    customer_id: '/customerExternalId',
    customer_note: '/note',
    line_items: '/lineItems',
    'line_items[*][product_id]': '/lineItems/*/productExternalId',
    'line_items[*][sku]': '/lineItems/*/sku',
    'line_items[*][name]': '/lineItems/*/name',
    'line_items[*][quantity]': '/lineItems/*/quantity',
    'line_items[*][price]': '/lineItems/*/unitPrice',
    'line_items[*][subtotal]': '/lineItems/*/unitPrice',
    'line_items[*][total]': '/lineItems/*/lineDiscount',
    ...chargeFields,
  },
} as const

export const order: EntityAdapter<'order', NativeOrder, NumberPlace | TimePlace<string>> = {
  revision: 2,
  id: idOf,
  toUnified,
  sums,
  list: {
    pageLimit: 100,
    updatedAfter: 'platform',
    modifiedAt: (row) => modifiedAt(row.date_modified_gmt),
    stampPrecision: 'seconds',
    page: orderPages,
  },
  get: readOrder,
  create: {
    ...write,
    requiresWhen: [
      { pointer: '/lineItems/*/productExternalId', without: '/lineItems/*/sku' },
      { pointer: '/lineItems/*/unitPrice', with: '/lineItems/*/lineDiscount' },
    ],
    check,
    run: create,
  },
  update: { ...write, keeps: () => ['/lineItems/*/productExternalId'], run: update },
}
