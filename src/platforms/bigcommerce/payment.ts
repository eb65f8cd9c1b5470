// Payments as an order tells them: BigCommerce lists transactions for one order only, and has none for what is paid
// offline. What store credit and gift certificates paid is beside the method of the order.
import type { EntityAdapter, Mapping, ReadCall } from '../../contract/connector.ts'
import type { Payment, PaymentState } from '../../contract/entities/payment.ts'
import { businessDateOf, zoneOf } from '../../kit/business-day.ts'
import { ifFound } from '../../kit/errors.ts'
import { list, number, reference, text } from '../../kit/fields.ts'
import { roundMoney } from '../../kit/money.ts'
import { get, path } from '../../kit/requests.ts'
import { toUtc } from '../../kit/time.ts'
import { isId, modifiedAt, since, v2 } from './account.ts'
import { fromUnits, unitsOf } from './order-money.ts'
import { type NativeOrder, withRefunds } from './order-row.ts'
import { refundedOf, stateOf } from './order-unified.ts'
import { kindOfMethod, methodIds } from './payment-method.ts'

const tenders = ['payment', 'store_credit', 'gift_certificate'] as const
type Tender = (typeof tenders)[number]
interface PaymentRow {
  order: NativeOrder
  tender: Tender
  method?: string // its id among the payment methods
}

function amountsOf(order: NativeOrder): Record<Tender, number> {
  const [store_credit, gift_certificate] = [
    unitsOf(order.store_credit_amount) ?? 0,
    unitsOf(order.gift_certificate_amount) ?? 0,
  ]
  const payment = (unitsOf(order.total_inc_tax) ?? 0) - store_credit - gift_certificate
  return { payment, store_credit, gift_certificate }
}
/** A shopper who left the checkout paid nothing. */
function tendersOf(order: NativeOrder): Tender[] {
  const amounts = amountsOf(order)
  return number(order.status_id) === 0 ? [] : tenders.filter((tender) => amounts[tender] > 0)
}
/** The payment of an order that has one alone. */
export function soleTender(order: NativeOrder, id: string | undefined): string | undefined {
  const [only, ...others] = tendersOf(order)
  return id && only && others.length === 0 ? `${id}:${only}` : undefined
}

const states: Readonly<Record<string, PaymentState>> = {
  captured: 'COMPLETED',
  paid: 'COMPLETED',
  refunded: 'COMPLETED',
  'partially refunded': 'COMPLETED',
  authorized: 'AUTHORIZED',
  'capture pending': 'PENDING',
  pending: 'PENDING',
  'held for review': 'PENDING',
  'void pending': 'PENDING',
  declined: 'FAILED',
  void: 'CANCELED',
}
/** What was entered by hand has no payment status: the order says whether it was paid. */
function paymentState(order: NativeOrder, tender: Tender, { warn }: Pick<Mapping, 'warn'>): PaymentState | undefined {
  const status = tender === 'payment' ? text(order.payment_status) : undefined
  if (status !== undefined) {
    if (!states[status]) warn('/state', `The platform's payment status ${status} has no unified counterpart`)
    return states[status]
  }
  if (number(order.status_id) === 6) return 'FAILED'
  const state = stateOf(order.status_id, { warn })
  return state === 'CANCELED' ? 'CANCELED' : state === 'PENDING' ? 'PENDING' : state && 'COMPLETED'
}
const names: Readonly<Record<Tender, string | undefined>> = {
  payment: undefined,
  store_credit: 'Store Credit',
  gift_certificate: 'Gift Certificate',
}

function toUnified({ order, tender, method }: PaymentRow, { account, warn }: Mapping): Payment {
  const currency = text(order.default_currency_code)
  const name = names[tender] ?? text(order.payment_method)
  const processedAt = toUtc(order.date_created)
  return {
    externalId: `${order.id}:${tender}`,
    amount: roundMoney(fromUnits(amountsOf(order)[tender]), currency),
    currencyCode: currency,
    refundedAmount: tendersOf(order).length === 1 ? refundedOf(order, currency) : undefined,
    orderExternalId: String(order.id),
    customerExternalId: reference(order.customer_id),
    paymentMethodExternalId: method,
    methodType: kindOfMethod(name),
    methodName: name,
    state: paymentState(order, tender, { warn }),
    processedAt,
    businessDate: businessDateOf(processedAt, zoneOf(account.settings), account.settings),
    reference: tender === 'payment' ? text(order.payment_provider_id) : undefined,
  }
}

async function rowsOf(call: ReadCall, orders: NativeOrder[]): Promise<PaymentRow[]> {
  const rows = (await withRefunds(call, orders)).flatMap((order) =>
    tendersOf(order).map((tender) => ({ order, tender })),
  )
  if (rows.length === 0) return []
  const ids = await methodIds(call)
  return rows.map((row) => {
    const method = ids[names[row.tender] ?? text(row.order.payment_method) ?? '']
    return { ...row, ...(method !== undefined && { method }) }
  })
}
async function ofOrder(call: ReadCall, id: string): Promise<PaymentRow[]> {
  const order: NativeOrder | undefined = isId(id)
    ? (await ifFound(call.read(get(v2(call, path`/orders/${id}`)))))?.body
    : undefined
  return order && !order.is_deleted ? rowsOf(call, [order]) : []
}
const idOf = ({ order, tender }: PaymentRow): string => `${order.id}:${tender}`

export const payment: EntityAdapter<'payment', PaymentRow, number> = {
  id: idOf,
  toUnified,
  list: {
    pageLimit: 250,
    updatedAfter: 'platform',
    modifiedAt: ({ order }) => modifiedAt(order.date_modified),
    stampPrecision: 'seconds',
    // The orders, without their lines.
    async page(call, { size, updatedAfter }, min_id) {
      const query = { min_id, limit: size, sort: 'id:asc', min_date_modified: since(updatedAfter) }
      const orders = list<NativeOrder>((await call.read(get(v2(call, '/orders'), query))).body)
      return {
        rows: await rowsOf(
          call,
          orders.filter(({ is_deleted }) => !is_deleted),
        ),
        next: orders.length === size ? orders.at(-1)!.id + 1 : undefined,
      }
    },
  },
  get: async (call, id) => (await ofOrder(call, id.split(':')[0]!)).find((row) => idOf(row) === id),
  group: ({ order }) => String(order.id),
  members: ofOrder,
}
