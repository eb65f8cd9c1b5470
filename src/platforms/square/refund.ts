// Refunds: https://developer.squareup.com/docs/refunds-api/retrieve-refunds
// The order of a refund is that of the return, which names the order that was sold and what came back.
import type { EntityAdapter, ReadCall } from '../../contract/connector.ts'
import type { Refund, RefundState } from '../../contract/entities/refund.ts'
import { businessDateOf } from '../../kit/business-day.ts'
import { ifFound } from '../../kit/errors.ts'
import { compact, list, text } from '../../kit/fields.ts'
import { flatEntity } from '../../kit/flat.ts'
import { distribute, fromDecimal, fromMinor } from '../../kit/money.ts'
import type { ChunkPlace } from '../../kit/paging.ts'
import { get, path, post } from '../../kit/requests.ts'
import { toUtc } from '../../kit/time.ts'
import type { TimePlace } from '../../kit/walk-by-time.ts'
import { type Zoned, zoned, zones } from './account.ts'
import { fromMoney, type Money, minorOf } from './money.ts'
import type { NativeOrder, NativeReturnLine } from './order-row.ts'
import { moneyPages } from './payment.ts'
import { methodOf } from './payment-method.ts'

interface NativeRefund extends Zoned {
  id: string
  status?: string
  amount_money?: Money
  payment_id?: string
  order_id?: string
  destination_type?: string
  destination_details?: { external_details?: { type?: string } } | null
  reason?: string
  created_at?: string
  updated_at?: string
  team_member_id?: string
  /** The order of the return, which is a record of its own at Square. */
  return_order?: NativeOrder
}
const states: Readonly<Record<string, RefundState>> = {
  PENDING: 'PENDING',
  COMPLETED: 'COMPLETED',
  REJECTED: 'FAILED',
  FAILED: 'FAILED',
}

async function withOrders(call: ReadCall, rows: NativeRefund[]): Promise<NativeRefund[]> {
  const order_ids = [...new Set(rows.flatMap(({ order_id }) => text(order_id) ?? []))]
  if (order_ids.length === 0) return rows
  const { body } = await call.read(post('/v2/orders/batch-retrieve', { order_ids }))
  const orders = new Map(list<NativeOrder>(body.orders).map((order) => [order.id, order]))
  return rows.map((row) => {
    const return_order = orders.get(row.order_id ?? '')
    return return_order === undefined ? row : { ...row, return_order }
  })
}

async function readRefund(call: ReadCall, id: string): Promise<NativeRefund | undefined> {
  const found: NativeRefund | undefined = (await ifFound(call.read(get(path`/v2/refunds/${id}`))))?.body.refund
  if (!found) return undefined
  const [row] = await withOrders(call, [found])
  return row && zoned(row, await zones(call))
}

/** A return that is paid back to several tenders has several refunds: each has its part of an amount. */
function partOf(row: NativeRefund, of: 'tax_money' | 'tip_money'): number | undefined {
  const { refunds, return_amounts } = row.return_order ?? {}
  const whole = return_amounts?.[of]
  const all = list(refunds)
  if (!whole || all.length === 0) return undefined
  const index = Math.max(
    0,
    all.findIndex(({ id }) => id !== undefined && row.id.endsWith(id)),
  )
  // In an exchange less money goes back than the goods cost, and their taxes are those of the goods.
  if (minorOf(return_amounts.total_money) !== all.reduce((sum, { amount_money }) => sum + minorOf(amount_money), 0))
    return undefined
  return distribute(
    minorOf(whole),
    all.map(({ amount_money }) => minorOf(amount_money)),
  )[index]
}
const isItem = ({ source_line_item_uid, catalog_object_id }: NativeReturnLine): boolean =>
  text(source_line_item_uid) !== undefined || text(catalog_object_id) !== undefined
const toLine = (line: NativeReturnLine): NonNullable<Refund['lineItems']>[number] =>
  compact({
    orderLineExternalId: text(line.source_line_item_uid),
    productExternalId: text(line.catalog_object_id),
    name: text(line.name),
    quantity: fromDecimal(line.quantity)!,
    amount: fromMoney(line.total_money),
    tax: fromMoney(line.total_tax_money),
  })

export const refund: EntityAdapter<'refund', NativeRefund, ChunkPlace<string, string | TimePlace<string>>> = flatEntity(
  'refund',
  {
    id: (row) => row.id,
    scopes: { read: ['PAYMENTS_READ', 'ORDERS_READ'] },
    toUnified: (row, { account, warn }) => {
      const returned = list(row.return_order?.returns)
      const items = returned.flatMap(({ return_line_items }) => list(return_line_items)).filter(isItem)
      const currency = text(row.amount_money?.currency)
      const [tax, tip] = [partOf(row, 'tax_money'), partOf(row, 'tip_money')]
      const status = text(row.status)
      const state = states[status ?? '']
      if (status !== undefined && state === undefined)
        warn('/state', `Square's status "${status}" has no unified counterpart`)
      if (!row.amount_money) warn('/amount', 'Square has no amount of this refund')
      const processedAt = toUtc(row.created_at)
      const method = methodOf({
        source_type: row.destination_type,
        external_details: row.destination_details?.external_details,
      })
      // The lines are those of the return: with several refunds they belong to none of them alone.
      const alone = tax !== undefined && list(row.return_order?.refunds).length === 1
      return {
        externalId: row.id,
        amount: fromMinor(minorOf(row.amount_money) - (tip ?? 0), currency) ?? 0,
        taxAmount: fromMinor(tax, currency),
        tip: fromMinor(tip, currency),
        currencyCode: currency,
        orderExternalId: text(returned[0]?.source_order_id),
        paymentExternalId: text(row.payment_id),
        locationExternalId: text(row.location_id),
        employeeExternalId: text(row.team_member_id),
        kind: items.length > 0 ? 'RETURN' : 'REFUND',
        reason: text(row.reason),
        state,
        processedAt,
        businessDate: businessDateOf(processedAt, row.location_timezone, account.settings),
        methodType: text(row.destination_type) === undefined ? undefined : (method?.type ?? 'OTHER'),
        paymentMethodExternalId: method?.id,
        lineItems: alone && items.length > 0 ? items.map(toLine) : undefined,
      }
    },
    list: {
      pageLimit: 100,
      updatedAfter: 'platform',
      modifiedAt: (row) => toUtc(row.updated_at),
      settleSeconds: 10,
      page: moneyPages<NativeRefund>('refunds', { perLocation: false, complete: withOrders }),
    },
    get: readRefund,
  },
)
