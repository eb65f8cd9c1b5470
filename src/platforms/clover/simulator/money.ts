// Payments, refunds, tenders and tax rates. Payments and refunds belong to orders; no call charges or pays back a card.
import { type Fields, isObject } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import type { WireRequest } from '../../../sandbox/simulator.ts'
import { findOrder, visibleOrders, within90Days } from './orders.ts'
import { accept, bodyOf, byName, conditionsOf, expandOf, invalid, listOf, nested, ok, refuse } from './wire.ts'
import { changeOrder, newId, type Order, type Payment, type Refund, type TaxRate, type World } from './world.ts'

interface Paid {
  payment: Payment
  order: Order
}
const paymentsOf = (world: World): Paid[] =>
  visibleOrders(world).flatMap((order) => order.paymentList.map((payment) => ({ payment, order })))
function showPayment(world: World, { payment, order }: Paid, expand: ReadonlySet<string>): Fields {
  const { cardTransaction, additionalCharges, tender, ...shown } = payment
  const refunds = order.refundList.filter((one) => one.payment.id === payment.id)
  const { id, total, testMode, paymentState, state } = order
  return {
    ...shown,
    order: expand.has('order') ? { id, total, testMode, paymentState, state, currency: order.currency } : { id },
    tender: (expand.has('tender') && world.tenders.get(tender.id)) || tender,
    ...(expand.has('cardTransaction') && cardTransaction !== undefined && { cardTransaction }),
    ...(expand.has('refunds') && refunds.length > 0 && { refunds: nested(refunds) }),
    ...(expand.has('additionalCharges') && { additionalCharges: nested((additionalCharges ?? []) as Fields[]) }),
  }
}
function listPayments(request: WireRequest, world: World) {
  const conditions = conditionsOf(request.query)
  const plain = byName<Payment>(
    ...(['id', 'amount', 'result', 'offline', 'externalPaymentId', 'externalReferenceId'] as const),
    ...(['createdTime', 'clientCreatedTime', 'modifiedTime'] as const),
  )
  const recent = within90Days(conditions, world.now())
  return listOf<Paid>(request, {
    href: `${world.base}/payments`,
    rows: paymentsOf(world).filter(({ payment }) => recent(payment)),
    id: ({ payment }) => payment.id,
    created: ({ payment }) => payment.createdTime,
    sorts: {
      modifiedTime: ({ payment }) => payment.modifiedTime,
      createdTime: ({ payment }) => payment.createdTime,
    },
    filters: {
      ...Object.fromEntries(Object.entries(plain).map(([name, of]) => [name, ({ payment }: Paid) => of(payment)])),
      'tender.id': ({ payment }) => payment.tender.id,
      'order.modifiedTime': ({ order }) => order.modifiedTime,
    },
    show: (paid, expand) => showPayment(world, paid, expand),
  })
}

interface Returned {
  refund: Refund
  order: Order
}
const refundsOf = (world: World): Returned[] =>
  visibleOrders(world).flatMap((order) => order.refundList.map((refund) => ({ refund, order })))
function showRefund({ refund, order }: Returned, expand: ReadonlySet<string>): Fields {
  const { lineItems, ...shown } = refund
  const payment = order.paymentList.find(({ id }) => id === refund.payment.id)!
  const { id, tender, amount, result } = payment
  return {
    ...shown,
    payment: expand.has('payment') ? { id, tender, amount, result, order: { id: order.id } } : { id },
    ...(expand.has('lineItems') && lineItems !== undefined && { lineItems }),
  }
}

/** The latest sum of a payment is what is left to pay; what was paid in full is locked. */
function addPayment(world: World, order: Order, fields: Fields): Payment {
  const at = world.stamp()
  const payment = {
    tipAmount: 0,
    taxAmount: 0,
    ...fields,
    id: newId(),
    order: { id: order.id },
    offline: false,
    result: 'SUCCESS',
    createdTime: at,
    clientCreatedTime: at,
    modifiedTime: at,
  } as unknown as Payment
  const paymentList = [...order.paymentList, payment]
  const received = paymentList.filter(({ result }) => ['SUCCESS', 'AUTH_COMPLETED', 'VOID_FAILED'].includes(result))
  const paid = received.reduce((sum, { amount }) => sum + amount, 0) >= order.total
  changeOrder(world, order, {
    paymentList,
    ...(paid ? { paymentState: 'PAID', state: 'locked' } : { paymentState: 'PARTIALLY_PAID' }),
  })
  return payment
}
export function changePayment(world: World, orderId: string, paymentId: string, change: Fields): void {
  const order = world.orders.get(orderId)!
  const at = world.stamp()
  changeOrder(world, order, {
    paymentList: order.paymentList.map((one) =>
      one.id === paymentId ? { ...one, ...change, modifiedTime: Math.max(at, one.modifiedTime) } : one,
    ),
  })
}

export const moneyRoutes: Routes<World> = {
  'GET /payments': ({ request, context: world }) => listPayments(request, world),
  'GET /payments/:id': ({ request, params: { id = '' }, context: world }) => {
    const found = paymentsOf(world).find(({ payment }) => payment.id === id)
    return ok(showPayment(world, found ?? refuse(404, 'Not Found', 'Payment not found'), expandOf(request.query)))
  },
  'POST /orders/:id/payments': ({ request, params: { id = '' }, context: world }) => {
    const order = findOrder(world, id)
    const fields = accept(bodyOf(request), {
      amount: 'integer',
      taxAmount: 'integer',
      tipAmount: 'integer',
      tender: 'reference',
      externalPaymentId: 32,
      note: 255,
    })
    if (fields.amount === undefined || Number(fields.amount) <= 0) invalid('Payment must have a positive amount')
    const tender = isObject(fields.tender) ? world.tenders.get(String(fields.tender.id)) : undefined
    if (!tender) return invalid('Payment must have a valid tender')
    // Clover's own cards are charged on a device only.
    if (/credit_card|debit/.test(tender.labelKey ?? '')) return invalid('Tender is not an external tender')
    const payment = addPayment(world, order, fields)
    return ok(showPayment(world, { payment, order: world.orders.get(id)! }, expandOf(request.query)))
  },
  'GET /refunds': ({ request, context: world }) => {
    const recent = within90Days(conditionsOf(request.query), world.now())
    return listOf<Returned>(request, {
      href: `${world.base}/refunds`,
      rows: refundsOf(world).filter(({ refund }) => recent({ ...refund, modifiedTime: refund.createdTime })),
      id: ({ refund }) => refund.id,
      created: ({ refund }) => refund.createdTime,
      sorts: { createdTime: ({ refund }) => refund.createdTime },
      filters: {
        id: ({ refund }) => refund.id,
        createdTime: ({ refund }) => refund.createdTime,
        amount: ({ refund }) => refund.amount,
      },
      show: showRefund,
    })
  },
  'GET /refunds/:id': ({ request, params: { id = '' }, context: world }) => {
    const found = refundsOf(world).find(({ refund }) => refund.id === id)
    return ok(showRefund(found ?? refuse(404, 'Not Found', 'Refund not found'), expandOf(request.query)))
  },
  'GET /tenders': ({ request, context: world }) =>
    listOf(request, {
      href: `${world.base}/tenders`,
      rows: world.tenders.values(),
      id: ({ id }) => id,
      created: () => 0,
      filters: {},
      show: (tender) => tender,
    }),
  'GET /tax_rates': ({ request, context: world }) =>
    listOf<TaxRate>(request, {
      href: `${world.base}/tax_rates`,
      rows: world.taxRates.values(),
      id: ({ id }) => id,
      created: () => 0,
      filters: byName<TaxRate>('id', 'name', 'isDefault'),
      show: (rate) => rate,
    }),
  'GET /tax_rates/:id': ({ params: { id = '' }, context: world }) =>
    ok(world.taxRates.get(id) ?? refuse(404, 'Not Found', 'Tax rate not found')),
}
