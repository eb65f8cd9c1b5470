// Payments are read with their orders: a new tip, a void or a refund modifies the order.
// Toast takes payments of an existing check only if they are cards that were authorized before:
// https://doc.toasttab.com/doc/devguide/apiAddingPaymentsToACheck.html
import type { EntityAdapter, ReadCall } from '../../contract/connector.ts'
import { ifFound } from '../../kit/errors.ts'
import { flag, list, text } from '../../kit/fields.ts'
import { get, path } from '../../kit/requests.ts'
import { paymentTypes, restaurant, unlessForbidden } from './account.ts'
import { fromToastDate, isGuid } from './api.ts'
import { inOrders, readOrder } from './order.ts'
import { excluded, type NativeOrder } from './order-row.ts'
import { type FullPayment, type PaymentRow, toPayment } from './payment-row.ts'
import type { WindowPlace } from './window-walk.ts'

/**
 * A check that is merged into another order takes its payments along: the deleted one no longer counts. Payments of
 * orders that are no sales are none either.
 */
export function paymentsIn(order: NativeOrder): PaymentRow[] {
  if (excluded(order) || flag(order.deleted)) return []
  return list(order.checks)
    .filter(({ deleted }) => !flag(deleted))
    .flatMap((check) =>
      list(check.payments as FullPayment[] | null | undefined).map((payment) => ({
        payment,
        check,
        orderGuid: order.guid,
        modifiedDate: order.modifiedDate,
      })),
    )
}
export async function finishPayments(call: ReadCall, rows: readonly PaymentRow[]): Promise<PaymentRow[]> {
  const { currency } = await restaurant(call)
  const named = rows.some(({ payment }) => payment.otherPayment)
  const types = named ? await unlessForbidden(paymentTypes(call)) : []
  return rows.map((row) => ({
    ...row,
    currency,
    methodName: text(types.find(({ guid }) => guid === row.payment.otherPayment?.guid)?.name),
  }))
}
/** The payments of an order; none of one that does not exist. */
export async function paymentsOf(call: ReadCall, orderGuid: string): Promise<PaymentRow[]> {
  const order = isGuid(orderGuid) ? await readOrder(call, orderGuid) : undefined
  return order ? finishPayments(call, paymentsIn(order)) : []
}
export async function readPayment(call: ReadCall, id: string): Promise<PaymentRow | undefined> {
  if (!isGuid(id)) return undefined
  const found = await ifFound(call.read(get(path`/orders/v2/payments/${id}`)))
  const orderGuid = text(found?.body?.orderGuid)
  if (orderGuid === undefined) return undefined
  return (await paymentsOf(call, orderGuid)).find(({ payment }) => payment.guid === text(found?.body?.guid))
}

export const payment: EntityAdapter<'payment', PaymentRow, WindowPlace> = {
  id: (row) => row.payment.guid,
  toUnified: toPayment,
  list: {
    pageLimit: 100,
    updatedAfter: 'platform',
    modifiedAt: (row) => fromToastDate(row.modifiedDate),
    page: inOrders(paymentsIn),
    complete: { size: 100, rows: finishPayments },
  },
  get: readPayment,
  group: (row) => row.orderGuid,
  members: paymentsOf,
}
