import type { EntityAdapter, ListQuery, OrderSums, Page, ReadCall } from '../../contract/connector.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { ifFound } from '../../kit/errors.ts'
import { orderTables } from '../../kit/orders.ts'
import { get, path, post } from '../../kit/requests.ts'
import { checkCurrency, merchantCurrency } from './account.ts'
import { findCreated, lagSeconds, modifiedAt, pageLimit, paths, readPage, updatedSince } from './listing.ts'
import { excludedOf, idOf, isReceipt, type NativeReceipt, type OrderRow, toUnified } from './order-row.ts'
import { check, creation, sourceOf } from './order-write.ts'

/**
 * Without "Unlimited sales history" a walk ends with 402 at receipts older than 31 days: the last page has a warning.
 */
export async function receiptPage(
  call: ReadCall,
  { size, updatedAfter }: ListQuery,
  cursor?: string,
): Promise<Page<OrderRow, string>> {
  const updated_at_min = updatedAfter === undefined ? undefined : updatedSince(updatedAfter)
  try {
    const { rows, cursor: next } = await readPage<NativeReceipt>(call, 'receipts', {
      limit: Math.min(size, pageLimit),
      updated_at_min,
      cursor,
    })
    return { rows: [...rows], next }
  } catch (error) {
    if (cursor === undefined || !(error instanceof NativeFailure) || error.error.code !== 'PAYMENT_REQUIRED')
      throw error
    return { rows: [{ withheld: `Loyverse does not return older receipts: ${error.error.message}` }] }
  }
}
export async function withCurrency(call: ReadCall, rows: readonly OrderRow[]): Promise<OrderRow[]> {
  const { code: currency } = await merchantCurrency(call)
  return rows.map((row) => (isReceipt(row) ? { ...row, currency } : row))
}
export async function readReceipt(call: ReadCall, number: string): Promise<OrderRow | undefined> {
  const receipt: NativeReceipt | undefined = (await ifFound(call.read(get(path`/v1.0/receipts/${number}`))))?.body
  return receipt && (await withCurrency(call, [receipt]))[0]
}

const sums: OrderSums = { prices: 'either', modifiers: 'beside_price', tips: 'in_total', refunds: 'apart' }
/** A receipt has the prices and taxes of its products. */
const tables = orderTables(sums, ['/lineItems/*/modifiers', '/lineItems/*/note'])

export const order: EntityAdapter<'order', OrderRow, string> = {
  revision: 2,
  sums,
  id: idOf,
  toUnified,
  excluded: excludedOf,
  scopes: {
    read: ['RECEIPTS_READ', 'MERCHANT_READ'],
    write: ['RECEIPTS_READ', 'RECEIPTS_WRITE', 'ITEMS_READ', 'MERCHANT_READ'],
  },
  list: {
    pageLimit,
    updatedAfter: 'platform',
    modifiedAt: (row) => (isReceipt(row) ? modifiedAt(row.updated_at) : undefined),
    stampPrecision: 'seconds',
    horizonDays: 31, // without an unlimited sales history
    page: receiptPage,
    complete: { size: pageLimit, rows: withCurrency },
  },
  get: readReceipt,
  create: {
    requires: ['/settings/paymentTypeId'], // it closes a sale with its payment
    requiresWhen: [
      { pointer: '/locationExternalId', without: '/settings/storeId' },
      { pointer: '/lineItems/*/productExternalId', without: '/lineItems/*/sku' },
    ],
    refused: tables.refused,
    values: { ...tables.values, '/state': { only: ['COMPLETED'], why: 'a receipt at Loyverse is a closed sale' } },
    check,
    // A line has its product's name and sku; Loyverse calculates taxes and totals.
    notStored: {
      ...tables.notStored,
      '/total': true,
      '/taxTotal': true,
      '/lineItems/*/lineTax': true,
      '/lineItems/*/name': true,
      '/lineItems/*/sku': true,
    },
    fields: {
      store_id: '/locationExternalId',
      customer_id: '/customerExternalId',
      order: '/orderNumber',
      note: '/note',
      receipt_date: '/processedAt',
      currency: '/currencyCode',
      payments: '/state',
      'payments[*].payment_type_id': '/state',
      line_items: '/lineItems',
      'line_items[*].variant_id': '/lineItems/*/productExternalId',
      'line_items[*].sku': '/lineItems/*/sku',
      'line_items[*].quantity': '/lineItems/*/quantity',
      'line_items[*].price': '/lineItems/*/unitPrice',
      'line_items[*].line_note': '/lineItems/*/note',
      'line_items[*].line_modifiers': '/lineItems/*/modifiers',
      'line_items[*].line_modifiers.modifier_option_id': '/lineItems/*/modifiers',
      'line_items[*].line_taxes': '/lineItems/*/lineTax',
      'line_items[*].line_discounts': '/lineItems/*/lineDiscount',
    },
    run: async (call, record) => {
      const currency = await checkCurrency(call, record.currencyCode)
      const source = sourceOf(call)
      const row = await call.write<NativeReceipt>('receipt', {
        request: post(paths.receipts, await creation(call, record, currency)),
        read: ({ body }) => body,
        recovery: {
          find: () => findCreated<NativeReceipt>(call, 'receipts', (receipt) => receipt.source === source, { source }),
          lagSeconds,
        },
      })
      return { id: row.receipt_number, row: { ...row, currency: currency.code } }
    },
  },
}
