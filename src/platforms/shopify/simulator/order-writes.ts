// Order mutations. https://shopify.dev/docs/api/admin-graphql/2026-07/mutations/orderCreate

import { outstandingOf } from './order-money.ts'
import { orderView } from './orders.ts'
import { transaction } from './payments.ts'
import { titleOf } from './products.ts'
import { spread } from './seed-orders.ts'
import { manualPayment } from './transactions.ts'
import { type Arguments, idIn, mutation, type Resolvers, refuse } from './wire.ts'
import {
  gid,
  isDefaultOnly,
  type Line,
  minor,
  type Order,
  type TaxLine,
  type Transaction,
  type World,
} from './world.ts'

function lineIn(world: World, input: Arguments, index: number, orderTaxes: boolean): Line {
  const path = ['order', 'lineItems', String(index)]
  const variant = input.variantId == null ? undefined : world.variants.get(idIn('ProductVariant', input.variantId))
  if (input.variantId != null && !variant) refuse([...path, 'variantId'], 'Variant does not exist', 'INVALID')
  if (input.quantity < 1) refuse([...path, 'quantity'], 'Quantity must be greater than 0', 'INVALID')
  if (!variant && !input.title?.trim()) refuse([...path, 'title'], "Title can't be blank", 'INVALID')
  if (!variant && !input.priceSet) refuse([...path, 'priceSet'], "Price can't be blank", 'INVALID')
  if (input.taxLines?.length && orderTaxes)
    refuse([...path, 'taxLines'], 'Tax lines must be specified on the order or the line items, not both', 'INVALID')
  const product = variant && world.products.get(variant.productId)!
  const variantTitle =
    input.variantTitle ?? (product && !isDefaultOnly(product) && input.title == null ? titleOf(variant) : undefined)
  return {
    id: world.nextId('line'),
    ...(variant && { variantId: variant.id }),
    title: input.title ?? product!.title,
    ...(variantTitle && { variantTitle }),
    sku: input.sku ?? variant?.sku,
    quantity: input.quantity,
    price: input.priceSet ? moneyIn(world, input.priceSet, [...path, 'priceSet']) : variant!.price,
    taxable: input.taxable ?? true,
    requiresShipping: input.requiresShipping ?? false,
    discounts: [],
    taxes: taxesIn(world, input.taxLines, [...path, 'taxLines']),
  }
}
const taxesIn = (world: World, lines: Arguments[] | null | undefined, field: string[]): TaxLine[] =>
  (lines ?? []).map(({ title, rate, priceSet, channelLiable }: Arguments) => ({
    title,
    rate: Number(rate),
    amount: priceSet ? moneyIn(world, priceSet, field) : 0,
    ...(channelLiable && { channelLiable }),
  }))
function moneyIn(world: World, { shopMoney }: Arguments, field: string[]): number {
  if (shopMoney.currencyCode !== world.currency) refuse(field, `Currency must be ${world.currency}`, 'INVALID')
  const amount = minor(shopMoney.amount)
  return amount < 0 ? refuse(field, 'Amount must not be negative', 'INVALID') : amount
}
const fulfillments: Readonly<Record<string, string>> = {
  FULFILLED: 'FULFILLED',
  PARTIAL: 'PARTIALLY_FULFILLED',
  RESTOCKED: 'RESTOCKED',
}

function orderIn(world: World, input: Arguments): Order {
  if (!input.lineItems?.length) refuse(['order', 'lineItems'], 'Line items must have at least one line item', 'INVALID')
  if (input.currency != null && input.currency !== world.currency)
    refuse(['order', 'currency'], `Currency must be ${world.currency}`, 'INVALID')
  const customer = input.customer?.toAssociate?.id
  const customerId = customer == null ? undefined : idIn('Customer', customer)
  if (customerId !== undefined && !world.customers.has(customerId))
    refuse(['order', 'customer', 'toAssociate', 'id'], 'Customer does not exist', 'INVALID')
  const lines: Line[] = input.lineItems.map((line: Arguments, index: number) =>
    lineIn(world, line, index, Boolean(input.taxLines?.length)),
  )
  const { amountSet, code } = input.discountCode?.itemFixedDiscountCode ?? {}
  const discount = amountSet ? moneyIn(world, amountSet, ['order', 'discountCode']) : 0
  const at = world.tick()
  const id = world.nextId('order')
  const transactions: Transaction[] = (input.transactions ?? []).map((one: Arguments) => ({
    id: world.nextId('transaction'),
    kind: one.kind,
    status: one.status,
    gateway: one.gateway ?? 'manual',
    amount: moneyIn(world, one.amountSet, ['order', 'transactions']),
    createdAt: at,
    processedAt: one.processedAt == null ? at : Date.parse(one.processedAt),
  }))
  const isPaid = transactions.some(({ kind, status }) => kind === 'SALE' && status === 'SUCCESS')
  return {
    id,
    name: input.name ?? `#${1000 + world.orders.count() + 1}`,
    // As of 2026-07, a time in the future is replaced by the current time.
    processedAt: input.processedAt == null ? at : Math.min(Date.parse(input.processedAt), at),
    createdAt: at,
    updatedAt: at,
    ...(input.closedAt != null && { closedAt: Date.parse(input.closedAt) }),
    ...(input.note != null && { note: input.note }),
    ...(input.sourceIdentifier != null && { sourceIdentifier: input.sourceIdentifier }),
    ...(customerId !== undefined && { customerId }),
    financial: input.financialStatus ?? (isPaid ? 'PAID' : 'PENDING'),
    fulfillment: fulfillments[input.fulfillmentStatus] ?? 'UNFULFILLED',
    taxesIncluded: input.taxesIncluded ?? false,
    dutiesIncluded: false,
    sourceName: 'unified-records',
    test: false,
    lines: discount > 0 ? spread(discount, lines) : lines,
    shipping: (input.shippingLines ?? []).map((one: Arguments) => ({
      id: world.nextId('charge'),
      title: one.title,
      price: moneyIn(world, one.priceSet, ['order', 'shippingLines']),
      discounts: [],
      taxes: taxesIn(world, one.taxLines, ['order', 'shippingLines']),
    })),
    fees: [],
    applications: discount > 0 ? [{ kind: 'code', name: code, target: 'ALL', amount: discount }] : [],
    edits: [],
    transactions,
    refunds: [],
  }
}
const found = (world: World, id: string, field: string[], code?: string): Order =>
  world.orders.get(idIn('Order', id)) ?? refuse(field, 'Order does not exist', code)
/** Stores the changed order with a new modification time. */
const put = (world: World, order: Order, changes: Partial<Order>): { order: object } => ({
  order: orderView(world, world.orders.set(order.id, { ...order, ...changes, updatedAt: world.tick() })),
})

export const orderMutations: Resolvers = {
  ...manualPayment(orderView),
  orderCreate: mutation(({ order: input }: Arguments, { world }) => {
    const order = orderIn(world, input)
    return { order: orderView(world, world.orders.set(order.id, order)) }
  }),
  orderUpdate: mutation(({ input }: Arguments, { world }) => {
    const order = found(world, input.id, ['id'])
    return put(world, order, input.note === undefined ? {} : { note: input.note || undefined })
  }),
  orderDelete: mutation(({ orderId }: Arguments, { world }) => {
    world.orders.delete(found(world, orderId, ['orderId'], 'NOT_FOUND').id)
    return { deletedId: orderId }
  }),
  orderCustomerSet: mutation(({ orderId, customerId }: Arguments, { world }) => {
    const order = found(world, orderId, ['orderId'], 'NOT_FOUND')
    const id = idIn('Customer', customerId)
    if (!world.customers.has(id)) refuse(['customerId'], 'Customer does not exist', 'NOT_FOUND')
    return put(world, order, { customerId: id })
  }),
  orderCustomerRemove: mutation(({ orderId }: Arguments, { world }) =>
    put(world, found(world, orderId, ['orderId'], 'NOT_FOUND'), { customerId: undefined }),
  ),
  orderMarkAsPaid: mutation(({ input }: Arguments, { world }) => {
    const order = found(world, input.id, ['id'])
    if (order.cancelledAt !== undefined || order.financial === 'PAID') refuse(['id'], 'Order cannot be marked as paid.')
    const at = world.now()
    const due = outstandingOf(order)
    const paid = due > 0 ? [transaction(world, at, { kind: 'SALE', gateway: 'manual', amount: due })] : []
    return put(world, order, { financial: 'PAID', transactions: [...order.transactions, ...paid] })
  }),
  orderClose: mutation(({ input }: Arguments, { world }) => {
    const order = found(world, input.id, ['id'])
    return put(world, order, { closedAt: order.closedAt ?? world.now() })
  }),
  orderOpen: mutation(({ input }: Arguments, { world }) =>
    put(world, found(world, input.id, ['id']), { closedAt: undefined }),
  ),
  orderCancel: mutation(({ orderId }: Arguments, { world }) => {
    const order = found(world, orderId, ['orderId'], 'NOT_FOUND')
    if (order.cancelledAt !== undefined) refuse(['orderId'], 'Order has already been cancelled', 'INVALID')
    const id = world.nextId('job')
    world.jobs.set(id, { id, orderId: order.id, dueAt: world.now() + 1500 * world.paceScale, done: false })
    return { job: { id: gid('Job', id), done: false } }
  }, 'orderCancelUserErrors'),
}
