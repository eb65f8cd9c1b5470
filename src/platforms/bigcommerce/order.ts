import type { EntityAdapter, ReadCall, WriteCall } from '../../contract/connector.ts'
import type { Order } from '../../contract/entities/order.ts'
import { refusal } from '../../kit/errors.ts'
import { compact, list } from '../../kit/fields.ts'
import { singleCall } from '../../kit/paging.ts'
import { get, path, post, put } from '../../kit/requests.ts'
import { modifiedAt, since, v2, writtenCurrency } from './account.ts'
import { type NativeCustomer, readCustomer } from './customer-row.ts'
import { changeOf, sameLines, shownOrder } from './order-change.ts'
import { including, type NativeOrder, readOrder, statusFor, toUnified, withLines } from './order-row.ts'
import { checkLines, checkProducts, toBillingAddress, toLine, toMailDate, toTotals } from './order-write.ts'

async function customerOf(call: ReadCall, id: string | undefined): Promise<NativeCustomer | undefined> {
  const found = id === undefined ? undefined : await readCustomer(call, id)
  if (id !== undefined && !found) throw refusal('customer_id', `No customer has the id ${id}`)
  return found
}

async function create(call: WriteCall, record: Order) {
  const currency = await writtenCurrency(call, record.currencyCode)
  const customer = await customerOf(call, record.customerExternalId)
  await checkProducts(call, record.lineItems)
  const body = compact({
    external_order_id: call.reference,
    external_source: call.account.settings.externalSource,
    customer_id: customer?.id ?? 0,
    status_id: record.state === undefined ? undefined : statusFor[record.state],
    date_created: record.processedAt === undefined ? undefined : toMailDate(record.processedAt),
    staff_notes: record.note,
    billing_address: toBillingAddress(customer, call.account),
    products: record.lineItems.map((line, index) => toLine(line, currency, index)),
    ...toTotals(record, currency),
  })
  const { id } = await call.write('order', {
    request: post(v2(call, '/orders'), body),
    read: (response) => ({ id: Number(response.body.id) }),
    recovery: { find: () => findCreated(call) },
  })
  return { id: String(id) }
}
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

const write = {
  requiresWhen: [
    { pointer: '/lineItems/*/name', without: '/lineItems/*/productExternalId' },
    { pointer: '/lineItems/*/unitPrice', without: '/lineItems/*/productExternalId' },
    { pointer: '/lineItems/*/unitPrice', with: '/lineItems/*/lineTax' },
  ],
  notStored: {
    '/orderNumber': true, // the number is the id
    '/locationExternalId': true, // BigCommerce has sales channels, but no locations
    '/lineItems/*/sku': true, // a catalog line has its product's sku
    // Discounts belong to the order: their sum is stored and distributed over the lines by price.
    '/lineItems/*/lineDiscount': true,
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
    total_inc_tax: '/total',
    total_ex_tax: '/taxTotal',
    products: '/lineItems',
    'products.*.product_id': '/lineItems/*/productExternalId',
    'products.*.quantity': '/lineItems/*/quantity',
    'products.*.price_ex_tax': '/lineItems/*/unitPrice',
  },
} as const

export const order: EntityAdapter<'order', NativeOrder, number> = {
  id: (row) => String(row.id),
  toUnified,
  scopes: { write: ['store_v2_orders'] },
  list: {
    pageLimit: 50, // of 250: the lines are in the same response
    updatedAfter: 'platform',
    modifiedAt: (row) => modifiedAt(row.date_modified),
    stampPrecision: 'seconds',
    // By id, not by page number: an archived order does not shift the rest. V2 returns a bare array, and 204 past the
    // end.
    page: singleCall(
      ({ size, updatedAfter }, min_id, call) =>
        get(v2(call, '/orders'), {
          ...{ min_id, limit: size, sort: 'id:asc', min_date_modified: since(updatedAfter) },
          ...including,
        }),
      ({ body }, { size }) => {
        const rows = list<NativeOrder>(body)
        return {
          rows: rows.filter(({ is_deleted }) => !is_deleted),
          next: rows.length === size ? rows.at(-1)!.id + 1 : undefined,
        }
      },
    ),
    complete: {
      size: 5,
      fields: ['/lineItems'],
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
    check: checkLines,
    run: create,
  },
  update: { ...write, check: checkLines, run: update },
}
