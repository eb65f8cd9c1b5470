// Refunds: https://woocommerce.github.io/woocommerce-rest-api-docs/#refunds, of all orders since 9.0. A refund names its
// order, and the order has the currency, the customer and how it was paid.
import type { EntityAdapter, Mapping, ReadCall } from '../../contract/connector.ts'
import type { Refund } from '../../contract/entities/refund.ts'
import { businessDateOf } from '../../kit/business-day.ts'
import { flag, list, members, number, reference, text } from '../../kit/fields.ts'
import { fromMinor } from '../../kit/money.ts'
import { chunksOf } from '../../kit/paging.ts'
import { toUtc } from '../../kit/time.ts'
import { type NumberPlace, walkByNumber } from '../../kit/walk-by-number.ts'
import { api, fromGmt, isId, metaOf, modifiedSince, perPage, readPage } from './api.ts'
import { plain } from './html.ts'
import {
  isTip,
  minorOf,
  type NativeFee,
  type NativeLine,
  type NativeOrder,
  type NativeShipping,
} from './order-money.ts'
import { customerOf } from './order-row.ts'
import { paymentId, paymentsOf } from './payment.ts'
import { gatewayOf, methodTypeOf } from './payment-method.ts'

/** Amounts and quantities of items are below zero, the amount of the refund is not. */
interface NativeRefund {
  id: number
  parent_id?: number
  date_created?: string | null
  date_created_gmt?: string | null
  amount?: string
  reason?: string
  refunded_payment?: boolean // by the gateway; otherwise it was only booked
  line_items?: NativeLine[]
  fee_lines?: NativeFee[]
  shipping_lines?: NativeShipping[]
}
interface RefundRow {
  refund: NativeRefund
  order: NativeOrder
}
const address = `${api}/refunds`

/** An order in the trash is in no list, and neither are its refunds. */
async function withOrders(call: ReadCall, refunds: readonly NativeRefund[]): Promise<RefundRow[]> {
  const ids = [...new Set(refunds.flatMap(({ parent_id }) => reference(parent_id) ?? []))]
  const orders = new Map<string, NativeOrder>()
  for (const chunk of chunksOf(ids, perPage)) {
    const query = { include: chunk.join(','), orderby: 'id', order: 'asc', per_page: perPage }
    const { rows } = await readPage<NativeOrder>(call, `${api}/orders`, query)
    for (const order of rows) orders.set(String(order.id), order)
  }
  return refunds.flatMap((refund) => {
    const order = orders.get(reference(refund.parent_id) ?? '')
    return order ? [{ refund, order }] : []
  })
}
const pages = walkByNumber<NativeRefund>({
  id: ({ id }) => String(id),
  fetch: (call, { size, updatedAfter }, page) =>
    readPage(call, address, {
      ...(updatedAfter !== undefined && modifiedSince(updatedAfter)),
      orderby: 'id',
      order: 'asc',
      per_page: size,
      page,
    }),
})

function toUnified({ refund, order: own }: RefundRow, { account }: Mapping): Refund {
  const order = members(own) as NativeOrder
  const { currency } = order
  const [lines, fees] = [list(refund.line_items), list(refund.fee_lines)]
  const items = [...lines, ...fees, ...list(refund.shipping_lines)]
  const taxes = items.reduce((sum, { total_tax }) => sum - minorOf(total_tax, currency), 0)
  const tip = fees
    .filter((fee) => isTip(fee, account.settings))
    .reduce((sum, { total }) => sum - minorOf(total, currency), 0)
  const units = (line: NativeLine) => -(number(line.quantity) ?? 0)
  // Money can go back for a line of which no unit does.
  const returned = lines.filter((line) => units(line) > 0)
  const [payment, ...others] = paymentsOf(order)
  const day = text(refund.date_created)
  const gateway = flag(refund.refunded_payment) ? gatewayOf(order.payment_method) : undefined
  return {
    externalId: String(refund.id),
    amount: fromMinor(minorOf(refund.amount, currency) - tip, currency) as number,
    taxAmount: items.length > 0 ? fromMinor(taxes, currency) : undefined,
    ...(account.settings.tipFees && { tip: fromMinor(tip, currency) }),
    currencyCode: text(currency),
    orderExternalId: reference(order.id),
    paymentExternalId: payment && others.length === 0 ? paymentId(payment) : undefined,
    customerExternalId: customerOf(order),
    kind: returned.length > 0 ? 'RETURN' : 'REFUND',
    reason: plain(refund.reason),
    state: 'COMPLETED', // others are not kept
    processedAt: fromGmt(refund.date_created_gmt),
    businessDate: businessDateOf(day && toUtc(`${day}Z`), 'UTC', account.settings),
    paymentMethodExternalId: gateway,
    methodType: gateway === undefined ? undefined : methodTypeOf(gateway),
    ...(returned.length > 0 && {
      lineItems: returned.map((line) => ({
        orderLineExternalId: metaOf(line, '_refunded_item_id'),
        productExternalId: reference(line.variation_id) ?? reference(line.product_id),
        name: plain(line.name),
        quantity: units(line),
        amount: fromMinor(-minorOf(line.total, currency) - minorOf(line.total_tax, currency), currency),
        tax: fromMinor(-minorOf(line.total_tax, currency), currency),
      })),
    }),
  }
}
export const refund: EntityAdapter<'refund', RefundRow, NumberPlace> = {
  id: (row) => String(row.refund.id),
  toUnified,
  list: {
    pageLimit: perPage,
    updatedAfter: 'platform', // the shop has the time of a change, and does not show it
    stampPrecision: 'seconds',
    page: async (call, query, at) => {
      const { rows, ...page } = await pages(call, query, at)
      return { ...page, rows: await withOrders(call, rows) }
    },
  },
  // There is no call for one refund without its order.
  get: async (call, id) => {
    if (!isId(id)) return undefined
    const { rows } = await readPage<NativeRefund>(call, address, { include: id, per_page: 1, page: 1 })
    return (await withOrders(call, rows)).find((row) => String(row.refund.id) === id)
  },
}
