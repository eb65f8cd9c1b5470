// A refund is a part of its payment. A void is none: it takes its part off the totals of the day of the sale.
import type { EntityAdapter } from '../../contract/connector.ts'
import { fromToastDate } from './api.ts'
import { inOrders } from './order.ts'
import { finishPayments, paymentsIn, paymentsOf, readPayment } from './payment.ts'
import { hasRefund, type PaymentRow, paymentIdIn, refundIdOf, toRefund } from './payment-row.ts'
import type { WindowPlace } from './window-walk.ts'

export const refund: EntityAdapter<'refund', PaymentRow, WindowPlace> = {
  id: refundIdOf,
  toUnified: toRefund,
  list: {
    pageLimit: 100,
    updatedAfter: 'platform',
    modifiedAt: (row) => fromToastDate(row.modifiedDate),
    page: inOrders((order) => paymentsIn(order).filter(hasRefund)),
    complete: { size: 100, rows: finishPayments },
  },
  async get(call, id) {
    const paymentId = paymentIdIn(id)
    const row = paymentId === undefined ? undefined : await readPayment(call, paymentId)
    return row && hasRefund(row) ? row : undefined
  },
  group: (row) => row.orderGuid,
  members: async (call, orderGuid) => (await paymentsOf(call, orderGuid)).filter(hasRefund),
}
