// Orders as queries return them. https://shopify.dev/docs/api/admin-graphql/2026-07/objects/Order
import { type ConnectionArguments, connection, matches, termsOf } from './connections.ts'
import { customerView } from './customers.ts'
import { locationView } from './locations.ts'
import { variantView } from './products.ts'
import { type Arguments, type Context, idIn, type Resolvers } from './wire.ts'
import { decimal, gid, iso, type Line, type Order, sum, type World } from './world.ts'

const bag = (world: World, minor: number): object => {
  const money = { amount: decimal(minor), currencyCode: world.currency }
  return { shopMoney: money, presentmentMoney: money }
}
const taxOf = ({ taxes }: Line): number => sum(taxes.map(({ amount }) => amount))
const totalOf = ({ lines, taxesIncluded }: Pick<Order, 'lines' | 'taxesIncluded'>): number =>
  sum(lines.map((line) => line.price * line.quantity - sum(line.discounts) + (taxesIncluded ? 0 : taxOf(line))))

function lineView(world: World, line: Line): object {
  const variant = line.variantId === undefined ? undefined : world.variants.get(line.variantId)
  return {
    id: gid('LineItem', line.id),
    name: line.variantTitle ? `${line.title} - ${line.variantTitle}` : line.title,
    title: line.title,
    sku: line.sku ?? null,
    quantity: line.quantity,
    variant: variant ? variantView(world, variant) : null,
    originalUnitPriceSet: bag(world, line.price),
    discountAllocations: line.discounts.map((amount) => ({ allocatedAmountSet: bag(world, amount) })),
    taxLines: line.taxes.map(({ title, rate, amount }) => ({ title, rate, priceSet: bag(world, amount) })),
  }
}
export function orderView(world: World, order: Order): object {
  const customer = order.customerId === undefined ? undefined : world.customers.get(order.customerId)
  const location = order.locationId === undefined ? undefined : world.locations.get(order.locationId)
  return {
    id: gid('Order', order.id),
    legacyResourceId: order.id,
    name: order.name,
    note: order.note ?? null,
    sourceIdentifier: order.sourceIdentifier ?? null,
    cancelReason: order.cancelReason ?? null,
    taxesIncluded: order.taxesIncluded,
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
    totalPriceSet: bag(world, totalOf(order)),
    totalTaxSet: bag(world, sum(order.lines.map(taxOf))),
    lineItems: (args: ConnectionArguments) =>
      connection(
        order.lines,
        args,
        (line) => Number(line.id),
        (line) => lineView(world, line),
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
