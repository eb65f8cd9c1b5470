// Refunds, and voids of closed sales: sales of their own.
import type { EntityAdapter, Mapping, ReadCall } from '../../contract/connector.ts'
import type { Refund } from '../../contract/entities/refund.ts'
import { businessDateOf, zoneOf } from '../../kit/business-day.ts'
import { compact, flag, list, text } from '../../kit/fields.ts'
import { fromMinor } from '../../kit/money.ts'
import type { ChunkPlace, Window } from '../../kit/paging.ts'
import { latestOf, toUtc } from '../../kit/time.ts'
import { locationOf, may } from './account.ts'
import {
  byId,
  isDirect,
  isRefund,
  originalOf,
  readAccount,
  refundableMs,
  rootOf,
  type Sale,
  salesAround,
  walkSales,
} from './check.ts'
import { idsBySku } from './item.ts'
import { currencyIn, refundedLines, saleTotal } from './order-row.ts'
import { methodTypeOf } from './payment-method.ts'
import { majorOf, micros, sum, unitOf } from './sold.ts'

interface RefundRow {
  sale: Sale
  of?: string | undefined // the sale that it takes back
  products?: Readonly<Record<string, string>>
}

function toUnified({ sale, of, products }: RefundRow, mapping: Mapping): Refund {
  const currency = currencyIn(sale, mapping)
  const { account } = mapping
  const payments = list(sale.payments)
  const [payment, second] = payments
  const only = second === undefined ? payment : undefined
  const lines = refundedLines(sale, currency)
  const closedAt = toUtc(sale.timeClosed)
  const tip = Math.abs(sum(payments.map((one) => micros(one.tip))))
  return {
    externalId: sale.accountFiscId,
    amount: fromMinor(Math.abs(saleTotal(sale, currency)), currency)!,
    taxAmount: majorOf(
      Math.abs(sum(list(sale.salesLines).map(({ taxAmount }) => micros(taxAmount)))),
      unitOf(currency),
    ),
    tip: payments.length > 0 ? majorOf(tip, unitOf(currency)) : undefined,
    currencyCode: currency,
    orderExternalId: of ?? originalOf(sale),
    locationExternalId: text(locationOf(mapping)),
    customerExternalId: text(payments.find(({ consumer }) => consumer?.id)?.consumer?.id),
    employeeExternalId: text(sale.ownerId),
    kind: text(sale.type) === 'VOID' ? 'VOID' : 'REFUND',
    reason: text(sale.voidReason) ?? text(list(sale.salesLines).find(({ voidReason }) => voidReason)?.voidReason),
    state: flag(sale.cancelled) ? 'CANCELED' : 'COMPLETED',
    processedAt: latestOf(...payments.map(({ fiscDate }) => toUtc(fiscDate))) ?? closedAt,
    businessDate: businessDateOf(closedAt, zoneOf(account.settings), account.settings),
    methodType:
      only === undefined
        ? undefined
        : text(only.type) === 'ACCOUNTS_RECEIVABLE'
          ? 'HOUSE_ACCOUNT'
          : methodTypeOf(only.code, account),
    paymentMethodExternalId: text(only?.paymentMethodId),
    lineItems: lines.map(({ sku, ...line }) => compact({ productExternalId: products?.[sku ?? ''], ...line })),
  }
}
/** The sale past the refunds before this one, and products for skus. */
async function completed(call: ReadCall, rows: readonly RefundRow[]): Promise<RefundRow[]> {
  const indirect = rows.filter(({ sale }) => !isDirect(sale)).map(({ sale }) => sale.timeClosed)
  const before = byId((await salesAround(call, indirect, refundableMs)).filter(isRefund))
  const skusOf = ({ sale }: RefundRow) => list(sale.salesLines).flatMap(({ sku }) => sku ?? [])
  const idOf = may(call, 'items') ? await idsBySku(call, rows.flatMap(skusOf)) : () => undefined
  return rows.map((row) => ({
    sale: row.sale,
    of: rootOf(row.sale, before),
    products: compact(Object.fromEntries(skusOf(row).map((sku) => [sku, idOf(sku)]))) as Record<string, string>,
  }))
}
const walk = walkSales(isRefund)

export const refund: EntityAdapter<'refund', RefundRow, ChunkPlace<Window, string>> = {
  scopes: {
    read: ['financial-api'],
    lacking: {
      items: {
        pointer: '/lineItems/*/productExternalId',
        message: 'Lines have a sku, but the products with these skus cannot be read.',
      },
    },
  },
  id: ({ sale }) => sale.accountFiscId,
  toUnified,
  list: {
    pageLimit: 100,
    updatedAfter: 'platform',
    modifiedAt: ({ sale }) => toUtc(sale.timeClosed),
    page: async (call, query, at) => {
      const { rows, next } = await walk(call, query, at)
      return { rows: rows.map((sale) => ({ sale })), ...(next === undefined ? {} : { next }) }
    },
    complete: { size: 100, fields: ['/orderExternalId', '/lineItems/*/productExternalId'], rows: completed },
  },
  async get(call, id) {
    const { sale } = (await readAccount(call, id)) ?? {}
    if (!sale || !isRefund(sale)) return undefined
    // Version 1 lacks the rounding of cash.
    const twin = byId(await salesAround(call, [sale.timeClosed])).get(id)
    return (await completed(call, [{ sale: twin ?? sale }]))[0]
  },
}
