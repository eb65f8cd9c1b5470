import type { EntityAdapter, OrderSums, ReadCall, WriteCall } from '../../contract/connector.ts'
import type { Order } from '../../contract/entities/order.ts'
import { refusal } from '../../kit/errors.ts'
import { compact, list } from '../../kit/fields.ts'
import { toDecimal } from '../../kit/money.ts'
import { orderTables } from '../../kit/orders.ts'
import { get, path, post, put } from '../../kit/requests.ts'
import { modifiedAt, since, storeFacts, v2, writtenCurrency } from './account.ts'
import { type NativeCustomer, readCustomer } from './customer-row.ts'
import { fromUnits } from './order-money.ts'
import { including, type NativeOrder, readOrder, withLines, withRefunds } from './order-row.ts'
import { statusFor, toUnified } from './order-unified.ts'
import {
  type Basis,
  changeOf,
  chargesOf,
  checkAmounts,
  checkProducts,
  discountIn,
  sameLines,
  shownOrder,
  toBillingAddress,
  toFees,
  toLine,
  toMailDate,
  toShipping,
  toTotals,
} from './order-write.ts'

async function customerOf(call: ReadCall, id: string | undefined): Promise<NativeCustomer | undefined> {
  const found = id === undefined ? undefined : await readCustomer(call, id)
  if (id !== undefined && !found) throw refusal('customer_id', `No customer has the id ${id}`)
  return found
}

async function create(call: WriteCall, record: Order) {
  const currency = await writtenCurrency(call, record.currencyCode)
  const customer = await customerOf(call, record.customerExternalId)
  await checkProducts(call, record.lineItems)
  const withTax = record.taxIncluded ?? false
  const basis = { record: withTax, order: (await storeFacts(call))?.pricesWithTax ?? withTax }
  const discount = discountIn(record, basis)
  const body = compact({
    external_order_id: call.reference,
    external_source: call.account.settings.externalSource,
    customer_id: customer?.id ?? 0,
    status_id: record.state === undefined ? undefined : statusFor[record.state],
    date_created: record.processedAt === undefined ? undefined : toMailDate(record.processedAt),
    staff_notes: record.note,
    billing_address: toBillingAddress(customer, call.account),
    products: record.lineItems.map((line, index) => toLine(line, currency, index, basis)),
    discount_amount: discount ? toAmount(discount, basis, currency) : undefined,
    fees: chargesOf(record, currency).length > 0 ? toFees(record, currency, basis, []) : undefined,
    ...(record.shippingTotal ? toShipping(record, currency, basis) : {}),
    ...toTotals(record, currency),
  })
  const { id } = await call.write('order', {
    request: post(v2(call, '/orders'), body),
    read: (response) => ({ id: Number(response.body.id) }),
    recovery: { find: () => findCreated(call) },
  })
  return { id: String(id) }
}
/** A discount that was converted may be finer than the currency. */
const toAmount = (discount: number, { record, order }: Basis, currency: string): string =>
  record === order ? toDecimal(fromUnits(discount), currency, 'discount_amount') : fromUnits(discount).toFixed(4)
/** The filter is exact, and an empty result is a 204 without a body. */
async function findCreated(call: WriteCall): Promise<{ id: number } | undefined> {
  const { body } = await call.read(get(v2(call, '/orders'), { external_order_id: call.reference }))
  const found = list<NativeOrder & { external_order_id?: string }>(body).find(
    ({ external_order_id }) => external_order_id === call.reference,
  )
  return found && { id: found.id }
}

async function update(call: WriteCall, current: NativeOrder, record: Order) {
  const id = String(current.id)
  const change = changeOf(record, current)
  if (Object.keys(change).length === 0) return { id, row: current }
  if (change.customer_id) await customerOf(call, record.customerExternalId)
  if (change.products) await checkProducts(call, record.lineItems)
  await call.write('order', {
    request: put(v2(call, path`/orders/${id}`), change),
    read: () => true,
    // Repeating the call would add lines twice.
    recovery: change.products ? { find: async () => (await hasLines(call, id, record)) || undefined } : 'repeat',
  })
  return { id }
}
async function hasLines(call: ReadCall, id: string, record: Order): Promise<boolean> {
  const now = await readOrder(call, id)
  return now !== undefined && sameLines(record.lineItems, shownOrder(now).lineItems)
}

const sums = { prices: 'either', tips: 'none', refunds: 'beside_total', modifiers: 'in_price' } satisfies OrderSums
const tables = orderTables(sums, ['/shippingTotal', '/serviceChargeTotal', '/serviceCharges'])
const write = {
  requiresWhen: [
    { pointer: '/lineItems/*/name', without: '/lineItems/*/productExternalId' },
    { pointer: '/lineItems/*/unitPrice', without: '/lineItems/*/productExternalId' },
    { pointer: '/lineItems/*/unitPrice', with: '/lineItems/*/lineTax' },
  ],
  ...tables,
  notStored: {
    ...tables.notStored,
    '/orderNumber': true, // the number is the id
    '/locationExternalId': true, // BigCommerce has sales channels, but no locations
    '/lineItems/*/sku': true, // a catalog line has its product's sku
    // Discounts belong to the order: their sum is stored and distributed over the lines by price.
    '/lineItems/*/lineDiscount': true,
    '/serviceCharges/*/kind': ['SERVICE', 'GRATUITY', 'DELIVERY', 'SURCHARGE'],
  },
  fields: {
    customer_id: '/customerExternalId',
    'billing_address.zip': '/customerExternalId',
    billing_address: '/customerExternalId',
    status_id: '/state',
    date_created: '/processedAt',
    staff_notes: '/note',
    customer_message: '/note',
    currency: '/currencyCode',
    default_currency_code: '/currencyCode',
    discount_amount: '/lineItems',
    is_tax_inclusive_pricing: '/taxIncluded',
    shipping_cost_ex_tax: '/shippingTotal',
    shipping_cost_inc_tax: '/shippingTotal',
    fees: '/serviceCharges',
    total_inc_tax: '/total',
    total_ex_tax: '/taxTotal',
    products: '/lineItems',
    'products.*.product_id': '/lineItems/*/productExternalId',
    'products.*.quantity': '/lineItems/*/quantity',
    'products.*.price_ex_tax': '/lineItems/*/unitPrice',
  },
} as const

export const order: EntityAdapter<'order', NativeOrder, number> = {
  revision: 2,
  id: (row) => String(row.id),
  toUnified,
  sums,
  scopes: { write: ['store_v2_orders'] },
  list: {
    pageLimit: 50, // of 250: the lines are in the same response
    updatedAfter: 'platform',
    modifiedAt: (row) => modifiedAt(row.date_modified),
    stampPrecision: 'seconds',
    // By id, not by page number: an archived order does not shift the rest. V2 returns a bare array, and 204 past the
    // end.
    async page(call, { size, updatedAfter }, min_id) {
      const query = { min_id, limit: size, sort: 'id:asc', min_date_modified: since(updatedAfter), ...including }
      const rows = list<NativeOrder>((await call.read(get(v2(call, '/orders'), query))).body)
      return {
        rows: await withRefunds(
          call,
          rows.filter(({ is_deleted }) => !is_deleted),
        ),
        next: rows.length === size ? rows.at(-1)!.id + 1 : undefined,
      }
    },
    complete: {
      size: 5,
      // What lines are in, and sums that lines are a part of.
      fields: [
        '/lineItems',
        '/discounts',
        '/discountTotal',
        '/fulfillment',
        '/shippingTotal',
        '/subtotal',
        '/taxTotal',
        '/taxes',
        '/total',
      ],
      rows: (call, rows) => Promise.all(rows.map((row) => withLines(call, row))),
    },
  },
  get: readOrder,
  create: {
    ...write,
    requiresWhen: [
      ...write.requiresWhen,
      { pointer: '/customerExternalId', without: '/settings/billingPostalCode' }, // for the billing address
      {
        pointer: '/settings/billingPostalCode',
        with: '/customerExternalId',
        fact: 'the customer has no address with a postal code',
      },
      { pointer: '/currencyCode', fact: 'the account may not read the store' },
    ],
    check: checkAmounts,
    run: create,
  },
  update: { ...write, check: checkAmounts, run: update },
}
