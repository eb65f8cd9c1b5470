// Orders as queries return them. https://shopify.dev/docs/api/admin-graphql/2026-07/objects/Order
import { agreementsOf, agreementView } from './agreements.ts'
import { type ConnectionArguments, connection, matches, termsOf } from './connections.ts'
import { customerView } from './customers.ts'
import { locationView } from './locations.ts'
import {
  chargeNet,
  currentQuantity,
  currentTotal,
  dutiesOf,
  feesOf,
  outstandingOf,
  receivedOf,
  refundedOf,
  roundingOf,
  subtotalOf,
  tipOf,
  totalOf,
  totalTax,
} from './order-money.ts'
import { variantView } from './products.ts'
import { hasRefund, hasTransaction, orderWith, refundView, transactionView } from './transactions.ts'
import { type Arguments, type Context, idIn, type Resolvers } from './wire.ts'
import {
  type Application,
  bag,
  type Charge,
  decimal,
  gid,
  iso,
  type Line,
  type Order,
  type Refund,
  taxLineView,
  type World,
} from './world.ts'

function lineView(world: World, order: Order, line: Line): object {
  const variant = line.variantId === undefined ? undefined : world.variants.get(line.variantId)
  return {
    id: gid('LineItem', line.id),
    name: line.variantTitle ? `${line.title} - ${line.variantTitle}` : line.title,
    title: line.title,
    sku: line.sku ?? null,
    quantity: line.quantity,
    currentQuantity: currentQuantity(order, line),
    isGiftCard: line.kind === 'gift_card',
    taxable: line.taxable,
    requiresShipping: line.requiresShipping,
    variant: variant ? variantView(world, variant) : null,
    originalUnitPriceSet: bag(world, line.price),
    originalTotalSet: bag(world, line.price * line.quantity),
    discountAllocations: allocationsView(world, order, line),
    taxLines: line.taxes.map((tax) => taxLineView(world, tax)),
  }
}
const allocationsView = (world: World, order: Order, { discounts }: Pick<Line, 'discounts'>): object[] =>
  discounts.map(({ application, amount }) => ({
    allocatedAmountSet: bag(world, amount),
    discountApplication: applicationView(world, order.applications[application]!, application),
  }))
const applicationTypes = {
  automatic: 'AutomaticDiscountApplication',
  code: 'DiscountCodeApplication',
  manual: 'ManualDiscountApplication',
} as const
const applicationView = (
  world: World,
  { kind, name, target, shipping, percent, amount }: Application,
  index: number,
) => ({
  __typename: applicationTypes[kind],
  index,
  allocationMethod: 'ACROSS',
  targetSelection: target,
  targetType: shipping ? 'SHIPPING_LINE' : 'LINE_ITEM',
  ...(kind === 'code' ? { code: name } : { title: name }),
  value:
    percent === undefined
      ? { __typename: 'MoneyV2', amount: decimal(amount ?? 0), currencyCode: world.currency }
      : { __typename: 'PricingPercentageValue', percentage: percent },
})
const chargeView = (world: World, order: Order, charge: Charge): object => ({
  id: gid('ShippingLine', charge.id),
  title: charge.title,
  deliveryCategory: null,
  isRemoved: false,
  originalPriceSet: bag(world, charge.price),
  discountedPriceSet: bag(world, chargeNet(charge)),
  discountAllocations: allocationsView(world, order, charge),
  taxLines: charge.taxes.map((tax) => taxLineView(world, tax)),
})
const feeView = (world: World, fee: Charge): object => ({
  id: gid('AdditionalFee', fee.id),
  name: fee.title,
  price: bag(world, fee.price),
  taxLines: fee.taxes.map((tax) => taxLineView(world, tax)),
})
const apps: Readonly<Record<string, string>> = {
  pos: 'Point of Sale',
  web: 'Online Store',
  facebook: 'Facebook & Instagram',
}

function totalsView(world: World, order: Order): object {
  const amounts = {
    subtotalPriceSet: subtotalOf(order),
    totalPriceSet: totalOf(order),
    currentTotalPriceSet: currentTotal(order),
    totalTaxSet: totalTax(order),
    totalTipReceivedSet: tipOf(order),
    totalReceivedSet: receivedOf(order),
    totalRefundedSet: refundedOf(order),
    totalOutstandingSet: outstandingOf(order),
  }
  const duties = dutiesOf(order)
  return {
    ...Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, bag(world, amount)])),
    originalTotalDutiesSet: duties === 0 ? null : bag(world, duties),
    originalTotalAdditionalFeesSet: order.fees.length === 0 ? null : bag(world, feesOf(order)),
    totalCashRoundingAdjustment: { paymentSet: bag(world, roundingOf(order)), refundSet: bag(world, 0) },
  }
}
/** Rows that have no id of their own in the world are in the order of their list. */
const listed = (rows: readonly object[], args: ConnectionArguments): object =>
  connection(
    rows.map((row, n) => ({ id: String(n + 1), row })),
    args,
    ({ id }) => Number(id),
    ({ row }) => row,
  )

const refundViewOf = (world: World, order: Order, refund: Refund): object =>
  refundView(
    world,
    order,
    refund,
    (id) => lineView(world, order, order.lines.find((line) => line.id === id)!),
    () => orderView(world, order),
  )
export function orderView(world: World, order: Order): object {
  const again = () => orderView(world, order)
  const customer = order.customerId === undefined ? undefined : world.customers.get(order.customerId)
  const location = order.locationId === undefined ? undefined : world.locations.get(order.locationId)
  return {
    __typename: 'Order',
    id: gid('Order', order.id),
    legacyResourceId: order.id,
    name: order.name,
    note: order.note ?? null,
    sourceIdentifier: order.sourceIdentifier ?? null,
    sourceName: order.sourceName,
    app: { id: gid('OrderApp', '1'), name: apps[order.sourceName] ?? 'Unified Records' },
    cancelReason: order.cancelReason ?? null,
    taxesIncluded: order.taxesIncluded,
    dutiesIncluded: order.dutiesIncluded,
    test: order.test,
    edited: order.edits.length > 0,
    processedAt: iso(order.processedAt),
    createdAt: iso(order.createdAt),
    updatedAt: iso(order.updatedAt),
    cancelledAt: order.cancelledAt === undefined ? null : iso(order.cancelledAt),
    closed: order.closedAt !== undefined,
    closedAt: order.closedAt === undefined ? null : iso(order.closedAt),
    currencyCode: world.currency,
    displayFinancialStatus: order.financial,
    displayFulfillmentStatus: order.fulfillment,
    customer: customer ? customerView(customer) : null,
    retailLocation: location ? locationView(location) : null,
    ...totalsView(world, order),
    additionalFees: order.fees.map((fee) => feeView(world, fee)),
    discountApplications: (args: ConnectionArguments) =>
      listed(
        order.applications.map((one, n) => applicationView(world, one, n)),
        args,
      ),
    shippingLines: (args: ConnectionArguments) =>
      listed(
        order.shipping.map((one) => chargeView(world, order, one)),
        args,
      ),
    canMarkAsPaid: order.cancelledAt === undefined && outstandingOf(order) > 0,
    transactions: ({ first }: { first?: number | null }) =>
      order.transactions.slice(0, first ?? undefined).map((one) => transactionView(world, order, one, again)),
    refunds: ({ first }: { first?: number | null }) =>
      order.refunds.slice(0, first ?? undefined).map((one) => refundViewOf(world, order, one)),
    agreements: (args: ConnectionArguments) =>
      listed(
        agreementsOf(world, order).map((one) => ({
          ...agreementView(one),
          sales: (page: ConnectionArguments) => listed(one.sales, page),
        })),
        args,
      ),
    lineItems: (args: ConnectionArguments) =>
      connection(
        order.lines,
        args,
        (line) => Number(line.id),
        (line) => lineView(world, order, line),
      ),
  }
}
function sortValue(order: Order, key: string): number {
  if (key === 'UPDATED_AT') return order.updatedAt
  if (key === 'PROCESSED_AT') return order.processedAt
  return key === 'CREATED_AT' ? order.createdAt : Number(order.id)
}
const statusOf = ({ cancelledAt, closedAt }: Order): string[] => [
  cancelledAt !== undefined ? 'cancelled' : closedAt !== undefined ? 'closed' : 'open',
  ...(closedAt === undefined ? ['not_closed'] : []),
]
/**
 * By default an app sees the orders of the last 60 days, in lists and by id.
 * https://shopify.dev/docs/api/usage/access-scopes#orders-permissions
 */
const isVisible = ({ createdAt }: Order, { world, scopes }: Context): boolean =>
  scopes.includes('read_all_orders') || createdAt > world.now() - 60 * 86_400_000

export const orderQueries: Resolvers = {
  orders: (args: Arguments, context) => {
    const { world } = context
    const terms = termsOf(args.query)
    const rows = world.orders.filter((order) => {
      if (!isVisible(order, context)) return false
      const { id, name, customerId, sourceIdentifier, createdAt, processedAt, updatedAt } = order
      const times = { created_at: createdAt, processed_at: processedAt, updated_at: updatedAt }
      return matches(terms, {
        id,
        name,
        customer_id: customerId,
        source_identifier: sourceIdentifier,
        status: statusOf(order),
        ...times,
      })
    })
    return connection(rows, args, sortValue, (order) => orderView(world, order))
  },
  order: ({ id }, context) => {
    const order = context.world.orders.get(idIn('Order', id))
    return order && isVisible(order, context) ? orderView(context.world, order) : null
  },
  // Transactions are the only nodes that this simulator finds by their global id.
  node: ({ id }, context) => {
    const { world } = context
    const transaction = idIn('OrderTransaction', id)
    const order = orderWith(world, hasTransaction(transaction))
    if (!order || !isVisible(order, context)) return null
    const one = order.transactions.find((each) => each.id === transaction)!
    return transactionView(world, order, one, () => orderView(world, order))
  },
  refund: ({ id }, context) => {
    const { world } = context
    const refund = idIn('Refund', id)
    const order = orderWith(world, hasRefund(refund))
    if (!order || !isVisible(order, context)) return null
    return refundViewOf(world, order, order.refunds.find((each) => each.id === refund)!)
  },
  job: ({ id }, { world }) => {
    const job = world.jobs.get(id.replace('gid://shopify/Job/', ''))
    return job ? { id, done: job.done } : null
  },
}
/** Cancellations run in the background: those that are due are applied before every read. */
export function runJobs(world: World): void {
  for (const job of world.jobs.filter(({ done, dueAt }) => !done && dueAt <= world.now())) {
    world.jobs.set(job.id, { ...job, done: true })
    finishCancellation(world, job.orderId)
  }
}
function finishCancellation(world: World, id: string): void {
  const order = world.orders.get(id)
  if (!order || order.cancelledAt !== undefined) return
  const at = world.tick()
  const fulfillment = order.fulfillment === 'FULFILLED' ? 'FULFILLED' : 'UNFULFILLED'
  world.orders.set(id, {
    ...order,
    cancelledAt: at,
    updatedAt: at,
    fulfillment,
    financial: order.financial === 'PENDING' ? 'VOIDED' : order.financial,
    cancelReason: 'OTHER',
  })
}
