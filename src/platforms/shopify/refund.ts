import type { EntityAdapter, Mapping, ReadCall } from '../../contract/connector.ts'
import type { Refund, RefundState } from '../../contract/entities/refund.ts'
import { businessDateOf, zoneOf } from '../../kit/business-day.ts'
import { flag, list, number, text } from '../../kit/fields.ts'
import { toUtc } from '../../kit/time.ts'
import {
  ask,
  type Connection,
  changedSince,
  gidOf,
  idOf,
  type MoneyBag,
  moneyOf,
  nextOf,
  pageOf,
  referred,
  sum,
} from './api.ts'
import { groupOf } from './payment.ts'
import { methodOf, type NativeTransaction } from './payment-row.ts'

/** https://shopify.dev/docs/api/admin-graphql/2026-07/objects/Refund */
interface NativeRefund {
  id: string
  createdAt: string | null
  processedAt: string
  note: string | null
  refundLineItems: Connection<{
    quantity: number
    restocked: boolean
    subtotalSet: MoneyBag
    totalTaxSet: MoneyBag
    lineItem: { id: string; name: string; variant: { id: string } | null }
  }>
  refundShippingLines: { nodes: { subtotalAmountSet: MoneyBag; taxAmountSet: MoneyBag }[] }
  transactions: { nodes: NativeTransaction[] }
}
interface NativeRefundedOrder {
  id: string
  updatedAt: string
  test: boolean
  currencyCode: string
  taxesIncluded: boolean
  customer: { id: string } | null
}
interface RefundRow extends NativeRefund {
  order: NativeRefundedOrder
  shop?: { ianaTimezone: string } | null
}
type Found = NativeRefundedOrder & { refunds: NativeRefund[] }

const rowsOf = ({ refunds, ...order }: Found, shop: RefundRow['shop']): RefundRow[] =>
  flag(order.test) ? [] : list(refunds).map((refund) => ({ ...refund, order, shop }))

/** A refund can be of goods alone: only its transactions say whether money moved, and how much. */
function moneyOfRefund({ transactions, order }: RefundRow) {
  const { minor } = moneyOf(order.currencyCode)
  const moves = list(transactions?.nodes).filter(({ kind }) => text(kind) === 'REFUND')
  const status = (...wanted: string[]) => moves.filter((one) => wanted.includes(text(one.status) ?? ''))
  const [done, open, failed] = [
    status('SUCCESS'),
    status('PENDING', 'AWAITING_RESPONSE', 'UNKNOWN'),
    status('FAILURE', 'ERROR'),
  ]
  const counted = done.length + open.length > 0 ? [...done, ...open] : failed
  const state: RefundState =
    open.length > 0 ? 'PENDING' : done.length === 0 && failed.length > 0 ? 'FAILED' : 'COMPLETED'
  return { moves: counted, state, amount: sum(counted.map(({ amountSet }) => minor(amountSet))) }
}

function toUnified(row: RefundRow, mapping: Pick<Mapping, 'account'>): Refund {
  const { order, shop } = row
  const { minor, major } = moneyOf(order.currencyCode)
  const { moves, state, amount } = moneyOfRefund(row)
  const included = flag(order.taxesIncluded)
  const withTax = (net: number, tax: number) => net + (included ? 0 : tax)
  const lines = list(row.refundLineItems?.nodes)
  const charges = list(row.refundShippingLines?.nodes)
  const taxes = [
    ...lines.map(({ totalTaxSet }) => minor(totalTaxSet)),
    ...charges.map(({ taxAmountSet }) => minor(taxAmountSet)),
  ]
  const worth =
    sum(lines.map(({ subtotalSet, totalTaxSet }) => withTax(minor(subtotalSet), minor(totalTaxSet)))) +
    sum(charges.map(({ subtotalAmountSet, taxAmountSet }) => withTax(minor(subtotalAmountSet), minor(taxAmountSet))))
  const payments = new Set(moves.map(({ parentTransaction }) => referred(parentTransaction)))
  const processedAt = toUtc(row.processedAt) ?? toUtc(row.createdAt)
  return {
    externalId: idOf(row.id),
    amount: major(amount),
    // What was paid back can be more or less than the goods are worth; then it has no tax of its own.
    taxAmount: worth === amount ? major(sum(taxes)) : undefined,
    currencyCode: order.currencyCode,
    orderExternalId: referred(order),
    paymentExternalId: payments.size === 1 ? [...payments][0] : undefined,
    locationExternalId: referred(moves[0]?.location),
    customerExternalId: referred(order.customer),
    kind: lines.length > 0 ? 'RETURN' : 'REFUND',
    note: text(row.note),
    state,
    processedAt,
    businessDate: businessDateOf(
      processedAt,
      zoneOf({ timezone: text(shop?.ianaTimezone) ?? '' }),
      mapping.account.settings,
    ),
    ...(moves[0] && payments.size === 1
      ? {
          methodType: methodOf(moves[0]).methodType,
          paymentMethodExternalId: methodOf(moves[0]).paymentMethodExternalId,
        }
      : {}),
    lineItems:
      lines.length > 0
        ? lines.map(({ quantity, restocked, subtotalSet, totalTaxSet, lineItem }) => {
            const [net, tax] = [minor(subtotalSet), minor(totalTaxSet)]
            // Without a restock, Shopify reports 0.
            const isKnown = flag(restocked) || net !== 0
            return {
              orderLineExternalId: referred(lineItem),
              productExternalId: referred(lineItem?.variant),
              name: text(lineItem?.name),
              quantity: number(quantity) ?? 0,
              amount: isKnown ? major(withTax(net, tax)) : undefined,
              tax: isKnown ? major(tax) : undefined,
              restocked: flag(restocked),
            }
          })
        : undefined,
  }
}

async function completed(call: ReadCall, row: RefundRow): Promise<RefundRow> {
  const nodes = [...(row.refundLineItems?.nodes ?? [])]
  for (let after = nextOf(row.refundLineItems); after !== undefined; ) {
    const lines: NativeRefund['refundLineItems'] | undefined = (await ask(call, 'refundLines', { id: row.id, after }))
      .refund?.refundLineItems
    if (!lines) break // deleted in the meantime
    nodes.push(...lines.nodes)
    after = nextOf(lines)
  }
  return { ...row, refundLineItems: { nodes } }
}

export const refund: EntityAdapter<'refund', RefundRow, string> = {
  id: (row) => idOf(row.id),
  toUnified,
  scopes: {
    lacking: { read_all_orders: { message: 'Shopify returns only the refunds of orders of the last 60 days.' } },
  },
  group: ({ order }) => groupOf(order.id),
  async members(call, group) {
    const { order, shop } = await ask(call, 'orderRefunds', { id: gidOf('Order', idOf(group)) ?? '' })
    return order ? Promise.all(rowsOf(order, shop).map((row) => completed(call, row))) : []
  },
  list: {
    pageLimit: 50, // orders
    updatedAfter: 'platform',
    modifiedAt: ({ order }) => toUtc(order.updatedAt),
    stampPrecision: 'seconds',
    horizonDays: 60, // without the scope read_all_orders
    page: (call, query, after) =>
      pageOf(query, async (first) => {
        const search = query.updatedAfter === undefined ? undefined : changedSince(query.updatedAfter)
        const { orders, shop } = await ask(call, 'refunds', { first, after, query: search })
        const found = orders as Connection<Found>
        return { rows: found.nodes.flatMap((order) => rowsOf(order, shop)), next: nextOf(found) }
      }),
    complete: { size: 1, rows: (call, rows) => Promise.all(rows.map((row) => completed(call, row))) },
  },
  async get(call, id) {
    const gid = gidOf('Refund', id)
    if (!gid) return undefined
    const { refund: found, shop } = await ask(call, 'refund', { id: gid })
    if (!found) return undefined
    const { order, ...own } = found as NativeRefund & { order: NativeRefundedOrder }
    return flag(order.test) ? undefined : completed(call, { ...own, order, shop })
  },
}
