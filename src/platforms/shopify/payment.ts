import type { EntityAdapter, ReadCall, WriteCall, Written } from '../../contract/connector.ts'
import type { Payment } from '../../contract/entities/payment.ts'
import { methodTypes } from '../../contract/money-words.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { refusal } from '../../kit/errors.ts'
import { compact } from '../../kit/fields.ts'
import { toDecimal, toMinor } from '../../kit/money.ts'
import { toUtc } from '../../kit/time.ts'
import {
  ask,
  type Connection,
  changedSince,
  gidOf,
  idOf,
  lagSeconds,
  moneyOf,
  nextOf,
  operation,
  pageOf,
  referenceTo,
} from './api.ts'
import { type NativePaidOrder, type PaymentRow, paymentsOf, toUnified } from './payment-row.ts'

export const groupOf = (orderId: string): string => `Order/${idOf(orderId)}`

async function paidOrder(call: ReadCall, id: string): Promise<PaymentRow[] | undefined> {
  const { order, shop } = await ask(call, 'orderPayments', { id })
  return order ? paymentsOf(order, shop) : undefined
}
async function get(call: ReadCall, id: string): Promise<PaymentRow | undefined> {
  const gid = gidOf('OrderTransaction', id)
  if (!gid) return undefined
  const { node, shop } = await ask(call, 'payment', { id: gid })
  const order = node?.order as NativePaidOrder | null | undefined
  return order ? paymentsOf(order, shop).find((row) => row.id === gid) : undefined
}

/* Money that moved elsewhere: https://shopify.dev/docs/api/admin-graphql/2026-07/mutations/orderCreateManualPayment */

const onlyPlus = 'Shopify records a part of what is owed only on the plan Shopify Plus'
async function create(call: WriteCall, record: Payment): Promise<Written<PaymentRow>> {
  const id = referenceTo('Order', record.orderExternalId!, 'id')
  const { order } = (await ask(call, 'orderPayments', { id })) as { order: NativePaidOrder | null }
  if (!order) throw refusal('id', 'Shopify has no such order')
  const currency = order.currencyCode
  if ((record.currencyCode ?? currency) !== currency) throw refusal('currency', `The shop's currency is ${currency}`)
  const money = moneyOf(currency)
  const amount = toMinor(record.amount, currency, 'amount')
  const due = money.minor(order.totalOutstandingSet)
  // Always given: with the amount, it tells the payment from others of the order.
  const processedAt = `${(record.processedAt ?? call.now).slice(0, 19)}Z`
  const isOurs = ({ gateway, kind, amountSet, processedAt: at }: NativePaidOrder['transactions'][number]) =>
    kind === 'SALE' &&
    gateway === (record.methodName ?? 'manual') &&
    money.minor(amountSet) === amount &&
    toUtc(at) === toUtc(processedAt)
  const step = {
    // All that is owed can be recorded on every plan.
    request: operation(
      'manualPayment',
      compact({
        id,
        amount:
          amount === due ? undefined : { amount: toDecimal(record.amount, currency, 'amount'), currencyCode: currency },
        method: record.methodName,
        processedAt,
      }),
    ),
    read: ({ body }: { body: { data: { orderCreateManualPayment: { order: NativePaidOrder } } } }) => ({
      id: body.data.orderCreateManualPayment.order.transactions.findLast(isOurs)!.id,
    }),
    recovery: {
      lagSeconds,
      find: async (unclaimed: (id: string) => Promise<boolean>) => {
        const again: NativePaidOrder | null = (await ask(call, 'orderPayments', { id })).order
        for (const found of (again?.transactions ?? []).filter(isOurs))
          if (await unclaimed(idOf(found.id))) return { id: found.id }
        return undefined
      },
    },
  }
  const { id: made } = await call.write('payment', step).catch((error) => {
    if (error instanceof NativeFailure && /Shopify Plus store/.test(error.error.message))
      throw refusal('amount', onlyPlus)
    throw error
  })
  return { id: idOf(made) }
}

/** Money that Shopify itself moves. */
const moved = ['CARD', 'GIFT_CARD', 'STORE_CREDIT', 'WALLET', 'BNPL']

export const payment: EntityAdapter<'payment', PaymentRow, string> = {
  id: (row) => idOf(row.id),
  toUnified,
  scopes: {
    write: ['write_orders'],
    lacking: { read_all_orders: { message: 'Shopify returns only the payments of orders of the last 60 days.' } },
  },
  group: ({ order }) => groupOf(order.id),
  members: async (call, group) => (await paidOrder(call, gidOf('Order', idOf(group)) ?? '')) ?? [],
  list: {
    pageLimit: 100, // orders
    updatedAfter: 'platform',
    modifiedAt: ({ order }) => toUtc(order.updatedAt),
    stampPrecision: 'seconds',
    horizonDays: 60, // without the scope read_all_orders
    page: (call, query, after) =>
      pageOf(query, async (first) => {
        const search = query.updatedAfter === undefined ? undefined : changedSince(query.updatedAfter)
        const { orders, shop } = await ask(call, 'payments', { first, after, query: search })
        const found = orders as Connection<NativePaidOrder>
        return { rows: found.nodes.flatMap((order) => paymentsOf(order, shop)), next: nextOf(found) }
      }),
  },
  get,
  create: {
    requires: ['/orderExternalId'],
    values: {
      '/methodType': {
        only: methodTypes.filter((type) => !moved.includes(type)),
        why: 'a payment that moved elsewhere is recorded, and nothing is charged',
      },
      '/state': { only: ['COMPLETED'], why: 'money that has moved' },
    },
    refused: { '/tip': 'a tip belongs to the order' },
    // A manual payment has a name, an amount and a time.
    notStored: {
      '/methodType': true,
      '/surcharge': true,
      '/cashTendered': true,
      '/changeGiven': true,
      '/locationExternalId': true,
      '/customerExternalId': true,
      '/paymentMethodExternalId': true,
      '/cardBrand': true,
      '/cardLast4': true,
      '/reference': true,
      '/note': true,
    },
    fields: {
      id: '/orderExternalId',
      amount: '/amount',
      currency: '/currencyCode',
      paymentMethodName: '/methodName',
      processedAt: '/processedAt',
    },
    check: ({ amount }) => (amount > 0 ? [] : [{ pointer: '/amount', message: 'must be more than 0' }]),
    run: create,
  },
}
