// Payments: https://developer.squareup.com/docs/payments-api/retrieve-payments
// A POST records money that moved outside of Square. Any other source is a token of a card, and would charge it.
import type { EntityAdapter, ListQuery, Page, ReadCall, WriteCall } from '../../contract/connector.ts'
import type { Payment, PaymentState } from '../../contract/entities/payment.ts'
import { businessDateOf } from '../../kit/business-day.ts'
import type { Refused } from '../../kit/checks.ts'
import { ifFound, refusal } from '../../kit/errors.ts'
import { compact, list, text } from '../../kit/fields.ts'
import { flatEntity } from '../../kit/flat.ts'
import { fromMinor } from '../../kit/money.ts'
import { type ChunkPlace, overChunks } from '../../kit/paging.ts'
import { get, path, post } from '../../kit/requests.ts'
import { toUtc } from '../../kit/time.ts'
import { type TimePlace, walkByTime } from '../../kit/walk-by-time.ts'
import { locations, rowsAfter, type Zoned, zoned, zones } from './account.ts'
import { fromMoney, type Money, minorOf, toMoney } from './money.ts'
import { readOrder } from './order.ts'
import { externalType, methodOf, type Source } from './payment-method.ts'

interface NativePayment extends Zoned, Omit<Source, 'card_details' | 'external_details'> {
  id: string
  created_at?: string
  updated_at?: string
  amount_money?: Money
  tip_money?: Money
  refunded_money?: Money
  processing_fee?: { amount_money?: Money }[]
  status?: string
  card_details?: {
    card?: { card_brand?: string; last_4?: string }
    applied_card_surcharge_details?: { card_surcharge_money?: Money } // since 2025-10-16
  } | null
  cash_details?: { buyer_supplied_money?: Money; change_back_money?: Money } | null
  external_details?: { type?: string; source?: string } | null
  order_id?: string
  reference_id?: string
  customer_id?: string
  team_member_id?: string
  employee_id?: string
  note?: string
  offline_payment_details?: { client_created_at?: string } | null
}
type Place = string | TimePlace<string>
interface Stamped extends Zoned {
  id: string
  updated_at?: string
}
type Complete<Row> = (call: ReadCall, rows: Row[]) => Promise<Row[]>
const pageLimit = 100
/** Before Square existed. By default a list begins a year ago. */
const beginning = '2009-01-01T00:00:00Z'

/**
 * Payments and refunds. `perLocation`: without a location, the list is that of the main one. In `complete` rows get what
 * another call has.
 */
export function moneyPages<Row extends Stamped>(
  name: 'payments' | 'refunds',
  { perLocation, complete = async (_, rows) => rows }: { perLocation: boolean; complete?: Complete<Row> },
) {
  const fetch = async (call: ReadCall, query: Readonly<Record<string, string | number | undefined>>) => {
    const { body } = await call.read(get(`/v2/${name}`, { begin_time: beginning, sort_order: 'ASC', ...query }))
    const known = await zones(call)
    const rows = await complete(call, [...list<Row>(body[name])])
    return { rows: rows.map((row) => zoned(row, known)), cursor: body.cursor as string | undefined }
  }
  const byCreation = async (call: ReadCall, { size }: ListQuery, location: string, cursor?: string) => {
    const query = { location_id: location || undefined, sort_field: 'CREATED_AT', limit: size, cursor }
    const { rows, cursor: next } = await fetch(call, query)
    return { rows, next }
  }
  /** What changes during a walk comes last: each page begins at the time of the last row, as with orders. */
  const byModification = (location: string) =>
    walkByTime<Row, string>({
      id: (row) => row.id,
      time: (row) => row.updated_at ?? '',
      maximum: pageLimit,
      fetch: (call, { updatedAfter }, { since = updatedAfter, limit, offset }) =>
        rowsAfter(
          (size, cursor) =>
            fetch(call, {
              ...{ location_id: location || undefined, sort_field: 'UPDATED_AT', updated_at_begin_time: since },
              ...{ limit: size, cursor },
            }),
          { offset, limit, most: pageLimit },
        ),
    })
  const isTimePlace = (at: unknown): at is TimePlace<string> => typeof at === 'object' && at !== null
  return overChunks<Row, string, Place>(
    async (call) => (perLocation ? (await locations(call)).map(({ id }) => id) : ['']),
    async (call, query, location, at) => {
      const read = (): Promise<Page<Row, Place>> =>
        query.updatedAfter
          ? byModification(location)(call, query, isTimePlace(at) ? at : undefined)
          : byCreation(call, query, location, isTimePlace(at) ? undefined : at)
      const page = await read()
      if (!perLocation || at !== undefined || page.rows.length > 0) return page
      // No payments, or a response that was lost: the same empty object. The orders of the location know.
      if (!(await hasSold(call, location, query.updatedAfter))) return page
      const again = await read()
      return again.rows.length > 0 ? again : { ...again, doubtful: true }
    },
  )
}
/** Whether the location has completed an order since then. */
async function hasSold(call: ReadCall, location: string, since: string | undefined): Promise<boolean> {
  const closed_at = { start_at: since ?? beginning }
  const filter = { date_time_filter: { closed_at }, state_filter: { states: ['COMPLETED'] } }
  const query = { filter, sort: { sort_field: 'CLOSED_AT', sort_order: 'DESC' } }
  const { body } = await call.read(post('/v2/orders/search', { location_ids: [location], limit: 1, query }))
  return list(body.orders).length > 0
}

const states: Readonly<Record<string, PaymentState>> = {
  APPROVED: 'AUTHORIZED',
  PENDING: 'PENDING',
  COMPLETED: 'COMPLETED',
  CANCELED: 'CANCELED',
  FAILED: 'FAILED',
}
/** It is absent until Square knows it, and can be adjusted later. */
function feeOf({ processing_fee }: NativePayment): number | undefined {
  const fees = list(processing_fee).filter(({ amount_money }) => fromMoney(amount_money) !== undefined)
  if (fees.length === 0) return undefined
  const sum = fees.reduce((all, { amount_money }) => all + minorOf(amount_money), 0)
  return fromMinor(sum, fees[0]?.amount_money?.currency)
}
const paymentIn = ({ body }: { body: { payment: NativePayment } }): NativePayment => body.payment

async function create(call: WriteCall, record: Payment) {
  const { methodType, orderExternalId: order_id = '' } = record
  const order = await readOrder(call, order_id)
  if (!order) throw refusal('order_id', `The account has no order ${order_id}`)
  if ((record.locationExternalId ?? order.location_id) !== order.location_id)
    throw refusal('location_id', 'A payment is at the location of its order')
  const currency = order.total_money?.currency ?? ''
  if ((record.currencyCode ?? currency) !== currency)
    throw refusal('amount_money.currency', `The order is in ${currency}`)
  const amount_money = toMoney(record.amount, currency, 'amount_money')
  const tip_money = record.tip ? toMoney(record.tip, currency, 'tip_money') : undefined
  const total = { amount: amount_money.amount! + (tip_money?.amount ?? 0), currency }
  const body = compact({
    idempotency_key: call.key('payment'),
    source_id: methodType === 'CASH' ? 'CASH' : 'EXTERNAL',
    amount_money,
    tip_money,
    order_id,
    location_id: order.location_id,
    customer_id: record.customerExternalId,
    team_member_id: record.employeeExternalId,
    reference_id: record.reference,
    note: record.note,
    cash_details:
      methodType === 'CASH'
        ? {
            buyer_supplied_money:
              record.cashTendered === undefined ? total : toMoney(record.cashTendered, currency, 'cash_details'),
          }
        : undefined,
    external_details: methodType === 'CASH' ? undefined : { type: externalType(methodType), source: record.methodName },
  })
  const row = await call.write('payment', { request: post('/v2/payments', body), read: paymentIn, recovery: 'key' })
  return { id: row.id, row: zoned(row, await zones(call)) }
}
function check({ amount, tip = 0, methodType, cashTendered = 0, changeGiven = 0 }: Payment): Refused[] {
  const found: Refused[] = []
  if (amount <= 0) found.push({ pointer: '/amount', message: 'must be more than 0 at Square' })
  if (tip < 0) found.push({ pointer: '/tip', message: 'A tip cannot be negative' })
  if (methodType !== 'CASH' && cashTendered !== 0) found.push({ pointer: '/cashTendered', message: 'is only for cash' })
  if (methodType !== 'CASH' && changeGiven !== 0) found.push({ pointer: '/changeGiven', message: 'is only for cash' })
  return found
}

export const payment: EntityAdapter<'payment', NativePayment, ChunkPlace<string, Place>> = flatEntity('payment', {
  id: (row) => row.id,
  scopes: { read: ['PAYMENTS_READ', 'ORDERS_READ'], write: ['PAYMENTS_WRITE', 'ORDERS_READ'] },
  toUnified: (row, { account, warn }) => {
    const method = methodOf(row)
    const status = text(row.status)
    const state = states[status ?? '']
    if (status !== undefined && state === undefined)
      warn('/state', `Square's status "${status}" has no unified counterpart`)
    const processedAt = toUtc(row.offline_payment_details?.client_created_at) ?? toUtc(row.created_at)
    const amount = fromMoney(row.amount_money)
    if (amount === undefined) warn('/amount', 'Square has no amount of this payment')
    const { card, applied_card_surcharge_details: surcharge } = row.card_details ?? {}
    return {
      externalId: row.id,
      amount: amount ?? 0,
      currencyCode: text(row.amount_money?.currency),
      tip: fromMoney(row.tip_money),
      surcharge: fromMoney(surcharge?.card_surcharge_money),
      fee: feeOf(row),
      cashTendered: fromMoney(row.cash_details?.buyer_supplied_money),
      changeGiven: fromMoney(row.cash_details?.change_back_money),
      refundedAmount: fromMoney(row.refunded_money),
      orderExternalId: text(row.order_id),
      locationExternalId: text(row.location_id),
      employeeExternalId: text(row.team_member_id) ?? text(row.employee_id),
      customerExternalId: text(row.customer_id),
      paymentMethodExternalId: method?.id,
      methodType: text(row.source_type) === undefined ? undefined : (method?.type ?? 'OTHER'),
      methodName: text(row.external_details?.source),
      state,
      processedAt,
      businessDate: businessDateOf(processedAt, row.location_timezone, account.settings),
      cardBrand: text(card?.card_brand),
      cardLast4: text(card?.last_4),
      reference: text(row.reference_id),
      note: text(row.note),
    }
  },
  list: {
    pageLimit,
    updatedAfter: 'platform',
    modifiedAt: (row) => toUtc(row.updated_at),
    settleSeconds: 10, // lists lag by seconds
    page: moneyPages<NativePayment>('payments', { perLocation: true }),
  },
  get: async (call, id) => {
    const found = (await ifFound(call.read(get(path`/v2/payments/${id}`))))?.body.payment as NativePayment | undefined
    return found && zoned(found, await zones(call))
  },
  create: {
    requires: ['/orderExternalId', '/methodType'],
    requiresWhen: [{ pointer: '/methodName', isNot: { '/methodType': ['CASH'] } }],
    values: {
      '/methodType': {
        only: ['CASH', 'CHECK', 'BANK_TRANSFER', 'GIFT_CARD', 'VOUCHER', 'STORE_CREDIT', 'OTHER'],
        why: 'a card or wallet is charged by Square, and only money that moved elsewhere is recorded',
      },
      '/state': { only: ['COMPLETED'], why: 'a payment is recorded when the money has moved' },
    },
    refused: { '/surcharge': 'Square adds it to cards that it charges' },
    longest: { '/reference': 40, '/note': 500, '/methodName': 255 },
    notStored: {
      ...{ '/processedAt': true, '/cardBrand': true, '/cardLast4': true },
      '/paymentMethodExternalId': true, // it follows from `methodType`
    },
    derived: ['/changeGiven'],
    check,
    fields: {
      amount_money: '/amount',
      'amount_money.amount': '/amount',
      'amount_money.currency': '/currencyCode',
      tip_money: '/tip',
      order_id: '/orderExternalId',
      location_id: '/locationExternalId',
      customer_id: '/customerExternalId',
      team_member_id: '/employeeExternalId',
      reference_id: '/reference',
      note: '/note',
      cash_details: '/cashTendered',
      'cash_details.buyer_supplied_money': '/cashTendered',
      external_details: '/methodName',
      'external_details.source': '/methodName',
    },
    run: create,
  },
})
