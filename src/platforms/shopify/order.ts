import type { EntityAdapter, OrderSums, WriteCall } from '../../contract/connector.ts'
import type { Order } from '../../contract/entities/order.ts'
import { flag } from '../../kit/fields.ts'
import { orderTables } from '../../kit/orders.ts'
import { toUtc } from '../../kit/time.ts'
import { shopCurrency } from './account.ts'
import {
  ask,
  type Connection,
  changedSince,
  findNewest,
  idOf,
  lagSeconds,
  nextOf,
  operation,
  pageOf,
  quoted,
} from './api.ts'
import { completed, type NativeOrder, readOrder, toUnified } from './order-row.ts'
import { cancel, check, toOrder, update } from './order-write.ts'

async function create(call: WriteCall, record: Order) {
  const currency = await shopCurrency(call, record.currencyCode, 'order.currency')
  const { id } = await call.write('order', {
    request: operation('orderCreate', { order: toOrder(call, record, currency) }),
    read: ({ body }): { id: string } => ({ id: body.data.orderCreate.order.id }),
    recovery: {
      lagSeconds,
      find: () =>
        findNewest<{ id: string; createdAt: string; sourceIdentifier: string | null }>(
          call,
          'newestOrders',
          'orders',
          ({ sourceIdentifier }) => sourceIdentifier === call.reference,
        ),
    },
    undo: (made) => operation('orderDelete', { id: made.id }),
  })
  if (record.state === 'CANCELED') await cancel(call, id)
  return { id: idOf(id) }
}
const write = {
  requiresWhen: [
    { pointer: '/lineItems/*/name', without: '/lineItems/*/productExternalId' },
    { pointer: '/lineItems/*/unitPrice', without: '/lineItems/*/productExternalId' },
  ],
  // Shopify calculates the totals, distributes discounts over the lines, and accepts a location only from its own point
  // of sale.
  notStored: { '/locationExternalId': true, '/total': true, '/taxTotal': true, '/lineItems/*/lineDiscount': true },
  fields: {
    'order.name': '/orderNumber',
    'order.processedAt': '/processedAt',
    'order.currency': '/currencyCode',
    'order.state': '/state',
    'order.financialStatus': '/state',
    'order.note': '/note',
    'order.discountCode': '/lineItems',
    'order.customer': '/customerExternalId',
    'order.customer.toAssociate': '/customerExternalId',
    'order.customer.toAssociate.id': '/customerExternalId',
    customerId: '/customerExternalId',
    note: '/note',
    'input.note': '/note',
    'order.lineItems': '/lineItems',
    'order.lineItems.*': '/lineItems/*',
    'order.lineItems.*.variantId': '/lineItems/*/productExternalId',
    'order.lineItems.*.title': '/lineItems/*/name',
    'order.lineItems.*.sku': '/lineItems/*/sku',
    'order.lineItems.*.quantity': '/lineItems/*/quantity',
    'order.lineItems.*.priceSet': '/lineItems/*/unitPrice',
    'order.lineItems.*.taxLines': '/lineItems/*/lineTax',
    'order.lineItems.*.taxLines.0.rate': '/lineItems/*/lineTax',
    'order.shippingLines': '/shippingTotal',
    'order.taxesIncluded': '/taxIncluded',
  },
} as const

const sums: OrderSums = { prices: 'either', tips: 'in_total', refunds: 'beside_total', modifiers: 'none' }
const creates = orderTables(sums, ['/taxIncluded', '/shippingTotal', '/lineItems/*/taxes'])
const updates = orderTables(sums, [])

interface Answer {
  orders: Connection<NativeOrder>
  shop: NativeOrder['shop']
}
const rowsOf = ({ orders, shop }: Answer) => ({
  rows: orders.nodes.map((node) => ({ ...node, shop })),
  next: nextOf(orders),
})

export const order: EntityAdapter<'order', NativeOrder, string> = {
  revision: 2,
  id: (row) => idOf(row.id),
  toUnified,
  sums,
  excluded: ({ test }) => (flag(test) ? { as: 'test' } : undefined),
  scopes: { lacking: { read_all_orders: { message: 'Shopify returns only the orders of the last 60 days.' } } },
  list: {
    pageLimit: 100, // with fifty lines each: more would approach the maximum cost of a single query
    updatedAfter: 'platform',
    modifiedAt: (row) => toUtc(row.updatedAt),
    stampPrecision: 'seconds',
    horizonDays: 60, // without the scope read_all_orders
    page: (call, query, after) =>
      pageOf(query, async (first) => {
        const search = query.updatedAfter === undefined ? undefined : changedSince(query.updatedAfter)
        return rowsOf(await ask(call, 'orders', { first, after, query: search }))
      }),
    complete: { size: 1, rows: (call, rows) => Promise.all(rows.map((row) => completed(call, row))) },
  },
  get: readOrder,
  search: {
    by: ['number'],
    newestFirst: true,
    page: (call, { text, size }, after: string | undefined) =>
      pageOf({ size }, async (first) => {
        const query = `name:${quoted(text)}`
        return rowsOf(await ask(call, 'orderSearch', { first, after, query }))
      }),
  },
  create: {
    ...write,
    ...creates,
    notStored: {
      ...creates.notStored,
      ...write.notStored,
      '/lineItems/*/taxes/*/taxRateExternalId': true,
      '/lineItems/*/taxes/*/base': true,
    },
    check,
    run: create,
  },
  update: { ...write, ...updates, notStored: { ...updates.notStored, ...write.notStored }, check, run: update },
}
