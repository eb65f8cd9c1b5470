// Order statuses: https://developer.bigcommerce.com/docs/rest-management/orders/order-status. The ids are fixed; a store can only change their labels.
import type { Mapping } from '../../contract/connector.ts'
import type { OrderState } from '../../contract/order.ts'

export const statuses: readonly { id: number; name: string; state: OrderState }[] = [
  { id: 0, name: 'Incomplete', state: 'PENDING' },
  { id: 1, name: 'Pending', state: 'PENDING' },
  { id: 2, name: 'Shipped', state: 'COMPLETED' },
  { id: 3, name: 'Partially Shipped', state: 'OPEN' },
  { id: 4, name: 'Refunded', state: 'COMPLETED' },
  { id: 5, name: 'Cancelled', state: 'CANCELED' },
  { id: 6, name: 'Declined', state: 'CANCELED' },
  { id: 7, name: 'Awaiting Payment', state: 'PENDING' },
  { id: 8, name: 'Awaiting Pickup', state: 'OPEN' },
  { id: 9, name: 'Awaiting Shipment', state: 'OPEN' },
  { id: 10, name: 'Completed', state: 'COMPLETED' },
  { id: 11, name: 'Awaiting Fulfillment', state: 'OPEN' },
  { id: 12, name: 'Manual Verification Required', state: 'PENDING' },
  { id: 13, name: 'Disputed', state: 'OPEN' },
  { id: 14, name: 'Partially Refunded', state: 'COMPLETED' },
]
/** Written for a unified state, unless the order's present status means it already. */
export const statusFor: Readonly<Record<OrderState, number>> = { OPEN: 11, COMPLETED: 10, CANCELED: 5, PENDING: 1 }

export function stateOf(statusId: unknown, { warn }: Pick<Mapping, 'warn'>): OrderState | undefined {
  const found = statuses.find(({ id }) => id === statusId)
  if (!found && statusId !== undefined) warn('/state', `The platform's status ${JSON.stringify(statusId)} has no unified counterpart`)
  return found?.state
}
