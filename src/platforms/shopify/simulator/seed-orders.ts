// Orders of every kind that a shop has: shipped and taken along, discounted, tipped, edited, returned, paid in cash and by
// card, with taxes inside and on top of the prices.
import type { Seed } from '../../../sandbox/seeds.ts'
import { chargeNet, lineNet, totalOf } from './order-money.ts'
import { byCard, edited, inCash, refunded, refundedWhole, taxesOn, transaction } from './payments.ts'
import { titleOf } from './products.ts'
import { isDefaultOnly, type Line, type Order, type World } from './world.ts'

const hour = 3_600_000
const states = [
  { financial: 'PAID', fulfillment: 'FULFILLED', closed: true },
  { financial: 'PAID', fulfillment: 'FULFILLED' },
  { financial: 'PAID', fulfillment: 'UNFULFILLED' },
  { financial: 'PENDING', fulfillment: 'UNFULFILLED' },
  { financial: 'AUTHORIZED', fulfillment: 'UNFULFILLED' },
  { financial: 'PARTIALLY_REFUNDED', fulfillment: 'PARTIALLY_FULFILLED' },
  { financial: 'REFUNDED', fulfillment: 'FULFILLED', closed: true },
  { financial: 'VOIDED', fulfillment: 'UNFULFILLED', cancelled: true },
  { financial: 'PARTIALLY_PAID', fulfillment: 'UNFULFILLED' },
  { financial: null, fulfillment: 'UNFULFILLED' },
] as const
const gst = { title: 'GST', rate: 0.05 }
const pst = { title: 'PST', rate: 0.07 }

/** Beside those in one of the states. */
export const extraKinds = [
  ...['shipped', 'coded', 'discounted', 'tipped', 'tipped beside a custom line', 'cash', 'gift card', 'edited'],
  ...[
    'returned',
    'goodwill',
    'taxes inside',
    'imported',
    'marketplace',
    'edited and returned',
    'split',
    'captured',
    'test',
  ],
] as const
export type OrderKind = (typeof extraKinds)[number]

interface Wanted {
  at: number
  updatedAt?: number
  lines?: number
  kind?: string
}

function productLine(world: World, seed: Seed, quantity = seed.int(1, 3)): Line {
  const variant = seed.chance(0.95) ? seed.pick(world.variants.values()) : undefined
  const product = variant && world.products.get(variant.productId)!
  return {
    id: world.nextId('line'),
    ...(variant && { variantId: variant.id }),
    title: product?.title ?? 'Gift wrapping',
    ...(product && !isDefaultOnly(product) && { variantTitle: titleOf(variant) }),
    sku: variant?.sku,
    quantity,
    price: variant?.price ?? seed.cents(300, 700),
    taxable: seed.chance(0.8),
    requiresShipping: variant !== undefined,
    discounts: [],
    taxes: [],
  }
}
const customLine = (world: World, title: string, price: number, kind?: Line['kind']): Line => ({
  id: world.nextId('line'),
  title,
  ...(kind && { kind }),
  quantity: 1,
  price,
  taxable: false,
  requiresShipping: false,
  discounts: [],
  taxes: [],
})
const charge = (world: World, title: string, price: number) => ({
  id: world.nextId('charge'),
  title,
  price,
  discounts: [],
  taxes: [],
})
/** An amount on the lines by their value; the largest line gets what rounding left. */
export function spread(discount: number, lines: readonly Line[], application = 0): Line[] {
  const values = lines.map(({ kind, ...line }) => (kind ? 0 : lineNet(line)))
  const total = values.reduce((sum, value) => sum + value, 0)
  const taken = Math.min(discount, total)
  const shares = values.map((value) => (total ? Math.floor((taken * value) / total) : 0))
  const largest = values.indexOf(Math.max(...values))
  shares[largest]! += taken - shares.reduce((sum, share) => sum + share, 0)
  return lines.map((line, n) =>
    shares[n] ? { ...line, discounts: [...line.discounts, { application, amount: shares[n]! }] } : line,
  )
}

/** What differs from an order of some products, before its taxes and its payment. */
const changes: Readonly<Record<OrderKind, (order: Order, world: World, seed: Seed) => Partial<Order>>> = {
  shipped: (_, world, seed) => {
    const standard = charge(world, 'Standard', seed.cents(500, 1500))
    const discounts = [{ application: 0, amount: 200 }]
    return {
      shipping: [{ ...standard, discounts }, charge(world, 'Signature', 150)],
      applications: [{ kind: 'automatic', name: 'Cheaper shipping', target: 'ALL', shipping: true, amount: 200 }],
      sourceName: 'web',
      locationId: undefined,
    }
  },
  coded: ({ lines }) => {
    const total = lines.reduce((sum, line) => sum + lineNet(line), 0)
    return {
      lines: spread(Math.round(total / 10), lines),
      applications: [{ kind: 'code', name: 'TENOFF', target: 'ALL', percent: 10 }],
    }
  },
  discounted: ({ lines: [first, ...others] }, _, seed) => {
    const own = { ...first!, discounts: [{ application: 0, amount: seed.int(1, first!.price) }] }
    return {
      lines: spread(seed.int(50, 300), [own, ...others], 1),
      applications: [
        { kind: 'manual', name: 'Scratched', target: 'EXPLICIT', amount: own.discounts[0]!.amount },
        { kind: 'manual', name: 'Regular', target: 'ALL', amount: 300 },
      ],
    }
  },
  tipped: ({ lines }, world, seed) => ({
    lines: [...lines, customLine(world, 'Tip', seed.cents(100, 900), 'tip')],
    sourceName: 'pos',
  }),
  // Nothing but the kind of the sale tells the tip from the other line.
  'tipped beside a custom line': ({ lines }, world) => ({
    lines: [customLine(world, 'Engraving', 400), ...lines, customLine(world, 'Tip', 400, 'tip')],
    sourceName: 'pos',
  }),
  // Its total always has to be rounded.
  cash: ({ lines }, world, seed) => {
    const untaxed = lines.map((line) => ({ ...line, taxable: false }))
    const total = untaxed.reduce((sum, line) => sum + lineNet(line), 0)
    const bag = customLine(world, 'Paper bag', 10 + seed.int(1, 4) - (total % 5))
    return { lines: [...untaxed, bag], sourceName: 'pos' }
  },
  'gift card': ({ lines }, world) => ({ lines: [...lines, customLine(world, 'Gift card', 2500, 'gift_card')] }),
  edited: ({ lines: [first, ...others] }) => ({ lines: [{ ...first!, quantity: 3 }, ...others] }),
  returned: ({ lines: [first, ...others] }, world) => ({
    lines: [{ ...first!, quantity: 3 }, ...others],
    shipping: [charge(world, 'Express', 1200)],
    sourceName: 'web',
  }),
  goodwill: () => ({ sourceName: 'web' }),
  'taxes inside': (_, world) => ({ taxesIncluded: true, shipping: [charge(world, 'Standard', 800)] }),
  imported: ({ lines: [first, ...others] }, world) => ({
    lines: [{ ...first!, duty: 315 }, ...others],
    shipping: [charge(world, 'International', 2500)],
    fees: [charge(world, 'Import handling', 199)],
    sourceName: 'web',
  }),
  marketplace: ({ lines: [first, ...others] }) => ({
    lines: [{ ...first!, taxable: true }, ...others],
    sourceName: 'facebook',
  }),
  'edited and returned': ({ lines: [first, ...others] }, world) => ({
    lines: spread(100, [{ ...first!, quantity: 4 }, ...others]),
    applications: [{ kind: 'code', name: 'ONEOFF', target: 'ALL', amount: 100 }],
    shipping: [charge(world, 'Standard', 900)],
  }),
  split: () => ({ sourceName: 'pos' }),
  captured: () => ({ sourceName: 'web' }),
  test: () => ({ test: true, sourceName: 'web' }),
}

/** Two taxes on whatever is taxable. A marketplace pays the first of them to the authority. */
function taxed(order: Order): Order {
  const rates = [gst, pst]
  const liable = order.sourceName === 'facebook' ? { channelLiable: true } : {}
  const on = (net: number) =>
    taxesOn(net, rates, order.taxesIncluded).map((tax, n) => (n === 0 ? { ...tax, ...liable } : tax))
  return {
    ...order,
    lines: order.lines.map((line) => (line.taxable ? { ...line, taxes: on(lineNet(line)) } : line)),
    shipping: order.shipping.map((one) => ({ ...one, taxes: on(chargeNet(one)) })),
    fees: order.fees.map((fee) => ({ ...fee, taxes: on(chargeNet(fee)) })),
  }
}
/** The payments that belong to the state that a shop shows. */
function settled(world: World, order: Order): Order {
  const at = order.createdAt
  const total = totalOf(order)
  const paid = { ...order, transactions: [byCard(world, at, total)] }
  if (order.financial === 'AUTHORIZED') return { ...order, transactions: [byCard(world, at, total, 'AUTHORIZATION')] }
  if (order.financial === 'VOIDED') {
    const held = byCard(world, at, total, 'AUTHORIZATION')
    const { gateway, card } = held
    const voided = transaction(world, at + hour, { kind: 'VOID', amount: total, gateway, card, parentId: held.id })
    return { ...order, transactions: [held, voided] }
  }
  if (order.financial === 'PARTIALLY_PAID')
    return {
      ...order,
      transactions: [transaction(world, at, { kind: 'SALE', gateway: 'manual', amount: Math.floor(total / 2) })],
    }
  if (order.financial === 'PARTIALLY_REFUNDED')
    return refunded(world, paid, { at: at + hour, units: [{ lineId: order.lines[0]!.id, quantity: 1 }] })
  if (order.financial === 'REFUNDED') return refundedWhole(world, paid, at + hour)
  return order.financial === 'PAID' ? paid : order
}
/** What happens to an order of a kind after it was placed. */
const later: Partial<Record<OrderKind, (order: Order, world: World, seed: Seed) => Order>> = {
  cash: (order, world) => ({ ...order, transactions: inCash(world, order.createdAt, totalOf(order)) }),
  edited: (order, world, seed) =>
    edited(world, order, {
      at: order.createdAt + hour,
      remove: [{ lineId: order.lines[0]!.id, quantity: seed.int(1, 3) }],
      add: seed.chance(0.5) ? [customLine(world, 'Gift box', 350)] : [],
    }),
  returned: (order, world, seed) =>
    refunded(world, order, {
      at: order.createdAt + 2 * hour,
      units: [{ lineId: order.lines[0]!.id, quantity: seed.int(1, 2), restock: seed.pick(['RETURN', 'NO_RESTOCK']) }],
      ...(seed.chance(0.5) && { shipping: true }),
      note: 'Wrong size',
    }),
  goodwill: (order, world, seed) =>
    refunded(world, order, { at: order.createdAt + 2 * hour, amount: seed.int(50, 200), note: 'Late delivery' }),
  'edited and returned': (order, world) => {
    const [first] = order.lines
    const units = [{ lineId: first!.id, quantity: 1 }]
    const less = edited(world, order, { at: order.createdAt + hour, remove: units })
    return refunded(world, less, { at: order.createdAt + 2 * hour, units })
  },
  // Reserved with the order, and taken when it was sent.
  captured: (order, world) => {
    const [at, total] = [order.createdAt, totalOf(order)]
    const held = byCard(world, at, total, 'AUTHORIZATION')
    const taken = { ...byCard(world, at + hour, total, 'CAPTURE'), card: held.card, parentId: held.id }
    return { ...order, transactions: [held, taken] }
  },
  // A card that is declined, then a gift card and another card.
  split: (order, world) => {
    const [at, total] = [order.createdAt, totalOf(order)]
    const part = Math.min(1000, Math.floor(total / 2))
    const declined = { ...byCard(world, at, total), status: 'FAILURE' as const }
    const gift = transaction(world, at, { kind: 'SALE', gateway: 'gift_card', amount: part })
    return { ...order, transactions: [declined, gift, byCard(world, at, total - part)] }
  },
}

/** An order that is paid by invoice. */
export function seedPayable(world: World, amount: number): string {
  const id = world.nextId('order')
  const at = world.tick()
  const line = { ...customLine(world, 'Catering', amount), taxable: false }
  world.orders.set(id, {
    id,
    name: `#${1000 + world.orders.count() + 1}`,
    processedAt: at,
    createdAt: at,
    updatedAt: at,
    sourceName: 'pos',
    test: false,
    financial: 'PENDING',
    fulfillment: 'UNFULFILLED',
    taxesIncluded: false,
    dutiesIncluded: false,
    lines: [line],
    shipping: [],
    fees: [],
    applications: [],
    edits: [],
    transactions: [],
    refunds: [],
  })
  return id
}

export function seedOrder(
  world: World,
  seed: Seed,
  { at, updatedAt, lines: count = seed.int(1, 4), kind }: Wanted,
): string {
  const id = world.nextId('order')
  const extra = extraKinds.find((one) => one === kind)
  const state = extra ? states[1] : states[seed.int(0, states.length - 1)]!
  const lines = Array.from({ length: count }, () => productLine(world, seed))
  const atStore = seed.chance(0.5)
  const plain: Order = {
    id,
    name: `#${1000 + world.orders.count() + 1}`,
    processedAt: at,
    createdAt: at,
    updatedAt: at,
    ...('closed' in state && { closedAt: at + hour }),
    ...('cancelled' in state && { cancelledAt: at + hour, cancelReason: 'CUSTOMER' }),
    ...(seed.chance(0.3) && { note: seed.note() }),
    ...(seed.chance(0.6) && { customerId: seed.pick(world.customers.ids()) }),
    ...(atStore && { locationId: world.locations.ids()[0] }),
    sourceName: atStore ? 'pos' : 'web',
    test: false,
    financial: state.financial,
    fulfillment: state.fulfillment,
    taxesIncluded: seed.chance(0.1),
    dutiesIncluded: false,
    lines: !extra && seed.chance(0.2) ? spread(seed.cents(50, 500), lines) : lines,
    shipping: [],
    fees: [],
    applications: [],
    edits: [],
    transactions: [],
    refunds: [],
  }
  if (plain.lines !== lines) plain.applications = [{ kind: 'code', name: 'WELCOME', target: 'ALL', amount: 500 }]
  const order = taxed({ ...plain, ...(extra && changes[extra](plain, world, seed)) })
  const paid = settled(world, order)
  const done = extra ? (later[extra]?.(paid, world, seed) ?? paid) : paid
  const touchedAt = Math.max(done.updatedAt, at + seed.int(0, 3) * hour)
  world.orders.set(id, { ...done, updatedAt: updatedAt ?? touchedAt })
  return id
}
