// Payments and refunds of orders. https://shopify.dev/docs/api/admin-graphql/2026-07/objects/OrderTransaction
import { GraphQLError } from 'graphql'
import { type ConnectionArguments, connection } from './connections.ts'
import { outstandingOf } from './order-money.ts'
import { transaction } from './payments.ts'
import { type Arguments, idIn, mutation, type Resolvers, refuse } from './wire.ts'
import { bag, decimal, gid, iso, minor, type Order, type Refund, sum, type Transaction, type World } from './world.ts'

const formatted: Readonly<Record<string, string>> = {
  cash: 'Cash',
  gift_card: 'Gift Card',
  manual: 'Other',
  shopify_payments: 'Shopify Payments',
}
/** Payment methods that the merchant has named in the settings; money for them moves outside of Shopify. */
const manualMethods = ['Cash on Delivery (COD)', 'Bank Deposit', 'Delivery app']
const isManual = (gateway: string) => gateway === 'manual' || manualMethods.includes(gateway)

export function transactionView(world: World, order: Order, one: Transaction, orderView: () => object): object {
  const parent = order.transactions.find(({ id }) => id === one.parentId)
  return {
    __typename: 'OrderTransaction',
    id: gid('OrderTransaction', one.id),
    kind: one.kind,
    status: one.status,
    gateway: one.gateway,
    formattedGateway: formatted[one.gateway] ?? one.gateway,
    manualPaymentGateway: isManual(one.gateway),
    test: order.test,
    createdAt: iso(one.createdAt),
    processedAt: iso(one.processedAt),
    paymentId: `${order.name}.${order.transactions.indexOf(one) + 1}`,
    amountSet: bag(world, one.amount),
    amountRoundingSet: one.rounding === undefined ? null : bag(world, one.rounding),
    fees:
      one.fee === undefined
        ? []
        : [
            {
              id: gid('TransactionFee', one.id),
              type: 'processing_fee',
              amount: { amount: decimal(one.fee), currencyCode: world.currency },
              taxAmount: { amount: '0.0', currencyCode: world.currency },
            },
          ],
    parentTransaction: parent ? () => transactionView(world, order, parent, orderView) : null,
    location: () => {
      const location = order.locationId === undefined ? undefined : world.locations.get(order.locationId)
      return location && order.sourceName === 'pos' ? { id: gid('Location', location.id) } : null
    },
    paymentDetails: one.card
      ? { __typename: 'CardPaymentDetails', company: one.card.company, number: `•••• •••• •••• ${one.card.last4}` }
      : null,
    order: orderView,
  }
}

const pageOf = (rows: readonly object[], args: ConnectionArguments): object =>
  connection(
    rows.map((row, n) => ({ id: String(n + 1), row })),
    args,
    ({ id }) => Number(id),
    ({ row }) => row,
  )

export function refundView(
  world: World,
  order: Order,
  refund: Refund,
  lineView: (id: string) => object,
  orderView: () => object,
): object {
  const moved = order.transactions.filter(({ id }) => refund.transactionIds.includes(id))
  return {
    __typename: 'Refund',
    id: gid('Refund', refund.id),
    legacyResourceId: refund.id,
    createdAt: iso(refund.createdAt),
    processedAt: iso(refund.processedAt),
    updatedAt: iso(refund.processedAt),
    note: refund.note ?? null,
    totalRefundedSet: bag(world, sum(moved.filter(({ status }) => status === 'SUCCESS').map(({ amount }) => amount))),
    refundLineItems: (args: ConnectionArguments) =>
      pageOf(
        refund.lines.map((units) => {
          // A line that is not restocked is reported without what it was worth.
          const worth = (amount: number) => bag(world, units.restock === 'NO_RESTOCK' ? 0 : amount)
          return {
            id: gid('RefundLineItem', units.id),
            quantity: units.quantity,
            restockType: units.restock,
            restocked: units.restock !== 'NO_RESTOCK',
            lineItem: () => lineView(units.lineId),
            subtotalSet: worth(units.net),
            totalTaxSet: worth(sum(units.taxes.map(({ amount }) => amount))),
          }
        }),
        args,
      ),
    refundShippingLines: (args: ConnectionArguments) =>
      pageOf(
        refund.shipping.map(({ id, net, taxes }) => ({
          id: gid('RefundShippingLine', id),
          subtotalAmountSet: bag(world, net),
          taxAmountSet: bag(world, sum(taxes.map(({ amount }) => amount))),
        })),
        args,
      ),
    orderAdjustments: (args: ConnectionArguments) =>
      pageOf(
        refund.adjustments.map(({ id, reason, amount, tax }) => ({
          id: gid('OrderAdjustment', id),
          reason,
          amountSet: bag(world, amount),
          taxAmountSet: bag(world, tax),
        })),
        args,
      ),
    transactions: (args: ConnectionArguments) =>
      pageOf(
        moved.map((one) => transactionView(world, order, one, orderView)),
        args,
      ),
    order: orderView,
  }
}

/** The order that a transaction or a refund belongs to. */
export const orderWith = (world: World, holds: (order: Order) => boolean): Order | undefined => world.orders.find(holds)
export const hasTransaction = (id: string) => (order: Order) => order.transactions.some((one) => one.id === id)
export const hasRefund = (id: string) => (order: Order) => order.refunds.some((one) => one.id === id)

/** A payment that moved elsewhere: of all that is owed, or on Shopify Plus of a part of it. */
export const manualPayment = (view: (world: World, order: Order) => object): Resolvers => ({
  orderCreateManualPayment: mutation(({ id, amount, paymentMethodName, processedAt }: Arguments, { world }) => {
    if (amount != null && !world.isPlus)
      throw new GraphQLError(
        'Access denied for orderCreateManualPayment field. Required access: `write_orders` access scope. Also: The user must have mark_orders_as_paid permission. The API client must be installed on a Shopify Plus store to use the amount field.',
        { extensions: { code: 'ACCESS_DENIED' } },
      )
    const order = world.orders.get(idIn('Order', id)) ?? refuse(['id'], 'Order does not exist', 'ORDER_NOT_FOUND')
    if (paymentMethodName != null && !manualMethods.includes(paymentMethodName))
      refuse(['paymentMethodName'], 'Payment method is not configured', 'GATEWAY_NOT_FOUND')
    const due = order.cancelledAt === undefined ? outstandingOf(order) : 0
    if (amount != null && amount.currencyCode !== world.currency)
      refuse(['amount'], 'Currency does not match the currency of the order', 'CURRENCY_MISMATCH')
    const paid = amount == null ? due : minor(amount.amount)
    if (amount != null && paid <= 0) refuse(['amount'], 'Amount must be positive', 'AMOUNT_NOT_POSITIVE')
    if (paid > due || due <= 0) refuse(['amount'], 'Amount exceeds the balance of the order', 'AMOUNT_EXCEEDS_BALANCE')
    const now = world.tick()
    const at = processedAt == null ? now : Date.parse(processedAt)
    if (at > now) refuse(['processedAt'], 'Processed at must not be in the future', 'PROCESSED_AT_INVALID')
    const moved = transaction(world, Math.floor(at / 1000) * 1000, {
      kind: 'SALE',
      gateway: paymentMethodName ?? 'manual',
      amount: paid,
      createdAt: now,
    })
    const changed = {
      ...order,
      updatedAt: now,
      financial: paid === due ? 'PAID' : 'PARTIALLY_PAID',
      transactions: [...order.transactions, moved],
    }
    return { order: view(world, world.orders.set(order.id, changed)) }
  }),
})

/* What the merchant sees as payments and refunds. */

/** An authorization is one until it is captured; change and refunds belong to another one. */
export function paymentsOf({ transactions, test }: Order): Transaction[] {
  if (test) return []
  const captured = new Set(
    transactions
      .filter(({ kind, status }) => kind === 'CAPTURE' && status === 'SUCCESS')
      .map(({ parentId }) => parentId),
  )
  return transactions.filter(
    ({ id, kind }) => kind === 'SALE' || kind === 'CAPTURE' || (kind === 'AUTHORIZATION' && !captured.has(id)),
  )
}
export const refundsOf = ({ refunds, test }: Order): Refund[] => (test ? [] : refunds)
