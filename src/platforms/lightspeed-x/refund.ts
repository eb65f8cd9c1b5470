// Returns are sales of their own: https://x-series-api.lightspeedhq.com/docs/sales_returns
import type { EntityAdapter, Mapping, ReadCall } from '../../contract/connector.ts'
import type { Refund, RefundState } from '../../contract/entities/refund.ts'
import { list, text } from '../../kit/fields.ts'
import { sumMoney } from '../../kit/money.ts'
import { readShop } from './account.ts'
import { modifiedAt, pageLimit, walkByVersion } from './api.ts'
import type { NativeSale } from './order-money.ts'
import { excludedOf, finishRows, toUnified as orderOf, readSale, type SaleRow } from './order-row.ts'
import { paidIn } from './payment.ts'
import { methodTypeOf, type PaymentType, typesOf } from './payment-method.ts'

interface RefundRow extends SaleRow {
  type?: PaymentType // of all that was paid back, if it was one
}
const walk = walkByVersion<NativeSale>('/sales', {
  version: ({ _metadata }) => _metadata?.version,
  stamps: (sale) => sale,
})
const states: Readonly<Record<string, RefundState>> = {
  parked: 'PENDING',
  pending: 'PENDING',
  closed: 'COMPLETED',
  voided: 'CANCELED',
}
const positive = (amount: number | undefined): number | undefined =>
  amount === undefined ? undefined : amount === 0 ? 0 : -amount

function toUnified(row: RefundRow, mapping: Mapping): Refund {
  const { sale } = row
  const { total, taxTotal, currencyCode, lineItems, ...order } = orderOf(row, { ...mapping, warn: () => {} })
  const natives = list(sale.line_items)
  const state = states[text(sale.state) ?? '']
  if (!state) mapping.warn('/state', `The platform's state "${sale.state}" has no unified counterpart`)
  return {
    externalId: sale.id,
    amount: positive(total) ?? 0,
    taxAmount: positive(taxTotal),
    currencyCode,
    orderExternalId: text(sale.return?.original_sale_id),
    locationExternalId: order.locationExternalId,
    customerExternalId: order.customerExternalId,
    kind: 'RETURN',
    reason: natives.map((line) => text(line.return?.reason)).find((reason) => reason !== undefined),
    note: order.note,
    state,
    processedAt: order.processedAt,
    businessDate: order.businessDate,
    methodType: row.type ? methodTypeOf(row.type) : undefined,
    paymentMethodExternalId: methodOf(sale),
    lineItems: lineItems.map(({ productExternalId, name, quantity, lineTotal, lineTax }) => ({
      productExternalId,
      name,
      quantity,
      amount: positive(sumMoney([lineTotal, lineTax], currencyCode)),
      tax: positive(lineTax),
    })),
  }
}

/** Undefined if it was paid back in several ways. */
function methodOf(sale: NativeSale): string | undefined {
  const methods = new Set(paidIn(sale).map(({ type }) => text(type?.config_id)))
  return methods.size === 1 ? [...methods][0] : undefined
}
async function finished(call: ReadCall, sales: readonly NativeSale[]): Promise<RefundRow[]> {
  const types = await typesOf(call)
  return (await finishRows(call, sales)).map((row) => ({ ...row, type: types.get(methodOf(row.sale) ?? '') }))
}

export const refund: EntityAdapter<'refund', RefundRow, number> = {
  id: ({ sale }) => sale.id,
  toUnified,
  version: ({ sale: { _metadata } }) => (_metadata?.version === undefined ? undefined : String(_metadata.version)),
  scopes: {
    read: ['sales:read'],
    lacking: {
      'payment_types:read': { pointer: '/methodType', message: 'Lightspeed returns no kinds of payment types.' },
    },
  },
  list: {
    pageLimit,
    updatedAfter: 'service',
    modifiedAt: ({ sale }) => modifiedAt(sale),
    stampPrecision: 'seconds',
    // Few sales are returns, and no list has them alone: pages have the maximum size.
    page: async (call, query, at) => {
      const { rows, next } = await walk(call, { ...query, size: pageLimit }, at)
      const shop = await readShop(call)
      const returns = rows.map((sale) => ({ sale, shop })).filter((row) => excludedOf(row))
      return { rows: returns, next }
    },
    complete: {
      size: pageLimit,
      rows: (call, rows) =>
        finished(
          call,
          rows.map(({ sale }) => sale),
        ),
    },
  },
  get: async (call, id) => {
    const sale = await readSale(call, id)
    return sale && excludedOf({ sale, shop: await readShop(call) }) ? (await finished(call, [sale]))[0] : undefined
  },
}
