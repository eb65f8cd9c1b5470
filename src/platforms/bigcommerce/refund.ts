// Refunds: https://developer.bigcommerce.com/docs/rest-management/order-transactions/order-refunds. A refund names its
// order and its lines by ids alone: currency, customer and products are the order's.
import type { EntityAdapter, Mapping, ReadCall } from '../../contract/connector.ts'
import type { Refund } from '../../contract/entities/refund.ts'
import type { MethodType } from '../../contract/money-words.ts'
import { businessDateOf, zoneOf } from '../../kit/business-day.ts'
import { ifFound } from '../../kit/errors.ts'
import { flag, list, number, reference, text } from '../../kit/fields.ts'
import { fromDecimal, roundMoney } from '../../kit/money.ts'
import { get, path } from '../../kit/requests.ts'
import { toUtc } from '../../kit/time.ts'
import { isId, since, v2, v3 } from './account.ts'
import { including, type NativeOrder, withOwnLines } from './order-row.ts'
import { soldId } from './order-unified.ts'
import { soleTender } from './payment.ts'
import { kindOfMethod } from './payment-method.ts'

interface NativeItem {
  item_type?: string
  item_id?: number // of PRODUCT: the line of the order
  quantity?: number
  reason?: string
}
interface NativeRefund {
  id: number
  order_id?: number
  created?: string
  reason?: string
  total_amount?: number // with tax
  total_tax?: number
  payments?: { provider_id?: string; is_declined?: boolean }[]
  items?: NativeItem[]
}
interface RefundRow extends NativeRefund {
  order?: NativeOrder
}

/** The payment is returned later, and may be declined. Nothing else of a refund changes. */
const isFailed = ({ payments }: NativeRefund): boolean => {
  const all = list(payments)
  return all.length > 0 && all.every(({ is_declined }) => flag(is_declined))
}
function methodOf({ payments, order }: RefundRow): MethodType | undefined {
  const providers = [...new Set(list(payments).map(({ provider_id }) => text(provider_id)))]
  const [provider] = providers
  if (providers.length !== 1 || provider === undefined) return undefined
  const told = kindOfMethod(provider)
  return told === 'OTHER' && provider !== 'custom' && order ? kindOfMethod(text(order.payment_method)) : told
}

function toUnified(row: RefundRow, { account }: Mapping): Refund {
  const { order } = row
  const currency = text(order?.default_currency_code)
  const amount = (value: unknown): number | undefined => {
    const read = fromDecimal(value)
    return read === undefined || currency === undefined ? read : roundMoney(read, currency)
  }
  const processedAt = toUtc(row.created)
  const items = list(row.items)
  const sold = list(order?.lines)
  const lines = items.filter((item) => text(item.item_type) === 'PRODUCT' && (number(item.quantity) ?? 0) > 0)
  return {
    externalId: String(row.id),
    amount: amount(row.total_amount) ?? 0,
    taxAmount: amount(row.total_tax),
    currencyCode: currency,
    orderExternalId: reference(row.order_id),
    paymentExternalId: order && soleTender(order, reference(row.order_id)),
    customerExternalId: reference(order?.customer_id),
    kind: 'REFUND', // it says nothing about goods that came back
    reason: text(row.reason) ?? items.map(({ reason }) => text(reason)).find((reason) => reason !== undefined),
    state: isFailed(row) ? 'FAILED' : 'COMPLETED',
    processedAt,
    businessDate: businessDateOf(processedAt, zoneOf(account.settings), account.settings),
    methodType: methodOf(row),
    lineItems:
      lines.length > 0
        ? lines.map((item) => {
            const line = sold.find(({ id }) => text(id) === text(item.item_id))
            return {
              orderLineExternalId: reference(item.item_id),
              productExternalId: line && soldId(line),
              name: text(line?.name),
              quantity: number(item.quantity) ?? 1,
              // What is requested for a line may be without its tax: only of a single line is it known.
              ...(items.length === 1 && { amount: amount(row.total_amount), tax: amount(row.total_tax) }),
            }
          })
        : undefined,
  }
}

/** Archived orders, too. */
async function readSold(call: ReadCall, id: number): Promise<NativeOrder | undefined> {
  const found: NativeOrder | undefined = (await ifFound(call.read(get(v2(call, path`/orders/${id}`), including))))?.body
  return found && withOwnLines(call, found)
}
/** A refund moves the status of its order, so that orders are read by status, and the rest by id. */
const refundedStatuses = [4, 14]
const perCall = 50
async function ordersOf(call: ReadCall, ids: readonly number[]): Promise<Map<number, NativeOrder>> {
  const found = new Map<number, NativeOrder>()
  const [least, most] = [Math.min(...ids), Math.max(...ids)]
  if (ids.length > refundedStatuses.length)
    for (const status_id of refundedStatuses)
      for (let min_id: number | undefined = least; min_id !== undefined; ) {
        const query = { min_id, max_id: most, status_id, limit: perCall, sort: 'id:asc', ...including }
        const orders: readonly NativeOrder[] = list<NativeOrder>(
          (await call.read(get(v2(call, '/orders'), query))).body,
        )
        for (const order of orders) if (ids.includes(order.id)) found.set(order.id, await withOwnLines(call, order))
        min_id = orders.length === perCall ? orders.at(-1)!.id + 1 : undefined
      }
  for (const id of ids) {
    const order = found.has(id) ? undefined : await readSold(call, id)
    if (order) found.set(id, order)
  }
  return found
}
async function withOrders(call: ReadCall, rows: RefundRow[]): Promise<RefundRow[]> {
  const orders = await ordersOf(call, [...new Set(rows.flatMap(({ order_id }) => number(order_id) ?? []))])
  return rows.map((row) => {
    const order = orders.get(number(row.order_id) ?? 0)
    return order ? { ...row, order } : row
  })
}

const refundsPath = '/orders/payment_actions/refunds'
interface Place {
  page: number
  limit: number
}
export const refund: EntityAdapter<'refund', RefundRow, Place> = {
  id: (row) => String(row.id),
  toUnified,
  list: {
    pageLimit: perCall,
    updatedAfter: 'platform',
    modifiedAt: (row) => toUtc(row.created),
    stampPrecision: 'seconds',
    // By id, and none is ever deleted: no row moves to another page. `meta` may be empty, so a short page is the last.
    async page(call, { size, updatedAfter }, { page, limit } = { page: 1, limit: size }) {
      const query = { page, limit, 'created:min': since(updatedAfter) }
      const rows = list<RefundRow>((await call.read(get(v3(call, refundsPath), query))).body.data)
      return { rows: [...rows], next: rows.length === limit ? { page: page + 1, limit } : undefined }
    },
    complete: {
      size: perCall,
      version: (row) => JSON.stringify([row.created, isFailed(row)]),
      fields: [
        '/amount',
        '/currencyCode',
        '/customerExternalId',
        '/lineItems',
        '/methodType',
        '/paymentExternalId',
        '/taxAmount',
      ],
      rows: withOrders,
    },
  },
  // In the list, because a refund that is read by its path has other fields.
  async get(call, id) {
    if (!isId(id)) return undefined
    const { body } = await call.read(get(v3(call, refundsPath), { 'id:in': id }))
    const [found] = list<RefundRow>(body.data).filter((row) => String(row.id) === id)
    return found && (await withOrders(call, [found]))[0]
  },
}
