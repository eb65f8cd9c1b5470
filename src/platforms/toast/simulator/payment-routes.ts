// Payments by business day, as GUIDs, and one payment with its order and check.
import type { Routes } from '../../../sandbox/router.ts'
import { invalid, isGuid, ok, refuse } from './wire.ts'
import type { Check, Order, Payment, World } from './world.ts'

export interface Placed {
  payment: Payment
  check: Check
  order: Order
}
export const placedIn = (order: Order): Placed[] =>
  order.checks.flatMap((check) => check.payments.map((payment) => ({ payment, check, order })))

const days: Readonly<Record<string, (payment: Payment) => number | undefined>> = {
  paidBusinessDate: (payment) => payment.paidBusinessDate,
  refundBusinessDate: ({ refund }) => refund?.refundBusinessDate,
  voidBusinessDate: ({ voidInfo }) => voidInfo?.voidBusinessDate,
}

export const paymentRoutes: Routes<World> = {
  'GET /orders/v2/payments': ({ request: { query }, context: world }) => {
    const name = Object.keys(days).find((one) => query.has(one))
    const day = query.get(name ?? '') ?? invalid('paidBusinessDate, refundBusinessDate or voidBusinessDate is required')
    if (!/^\d{8}$/.test(day)) invalid(`${name} must be yyyyMMdd`)
    const of = days[name!]!
    const found = world.orders.values().flatMap(placedIn)
    return ok(found.filter(({ payment }) => String(of(payment)) === day).map(({ payment }) => payment.guid))
  },
  'GET /orders/v2/payments/:guid': ({ params: { guid = '' }, context: world }) => {
    if (!isGuid(guid)) invalid(`The GUID is malformed: ${guid}`)
    for (const order of world.orders.values())
      for (const { payment, check } of placedIn(order))
        if (payment.guid === guid.toLowerCase()) return ok({ ...payment, orderGuid: order.guid, checkGuid: check.guid })
    return refuse(404, 'The payment was not found')
  },
}
