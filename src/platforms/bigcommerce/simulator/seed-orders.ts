// Orders of a store: plain ones of every status, and one of each kind whose money is more than its lines.
import type { Seed } from '../../../sandbox/seeds.ts'
import { idOfAddress } from './order-consignments.ts'
import { costOf, moneyOf } from './order-money.ts'
import { blankAddress, blankOrder } from './orders.ts'
import { refundAmount, refundUnits } from './refunds.ts'
import { countryName, type StoredLine, type StoredOrder, type World } from './world.ts'

type Draft = StoredOrder
/** What a customer paid with, by what became of the order. */
const payments: Readonly<Record<number, [method: string, status: string]>> = {
  0: ['Credit Card', ''],
  1: ['Cash on Delivery', ''],
  5: ['Credit Card', 'void'],
  6: ['Credit Card', 'declined'],
  7: ['Bank Deposit', 'pending'],
  12: ['Credit Card', 'held for review'],
  13: ['PayPal', 'captured'],
}
const paymentOf = (status: number) => {
  const [payment_method, payment_status] = payments[status] ?? ['Credit Card', 'captured']
  return { payment_method, payment_status }
}

function draftOf(world: World, seed: Seed, at: number): Draft {
  const id = world.nextId('order')
  const customer = seed.chance(0.75) ? seed.pick(world.customers.values()) : undefined
  const { currency } = world
  const lines = Array.from({ length: seed.int(1, 4) }, () => seedLine(world, seed))
  const first = customer?.addresses[0]
  const address = first && {
    street_1: first.address1,
    street_2: first.address2,
    city: first.city,
    state: first.state_or_province,
    zip: first.postal_code,
    country: countryName(first.country_code),
    country_iso2: first.country_code,
  }
  const billing_address = {
    ...blankAddress,
    first_name: 'Guest',
    zip: '00000',
    ...(customer && { ...customer.fields, notes: undefined, tax_exempt_category: undefined }),
    ...address,
  }
  const status_id = seed.chance(0.4) ? 10 : seed.int(0, 14)
  return {
    id,
    customer_id: customer?.id ?? 0,
    status_id,
    currency,
    inclusive: false,
    discount: seed.chance(0.1) ? Math.round(lines[0]!.price / 400) * 100 : 0,
    fees: [],
    fields: {
      ...blankOrder,
      ...paymentOf(status_id),
      order_source: 'www',
      staff_notes: seed.chance(0.2) ? seed.note() : '',
      customer_message: seed.chance(0.2) ? seed.note() : '',
    },
    billing_address,
    shipping_addresses: [billing_address],
    lines,
    created: at,
    modified: at + seed.int(0, 3) * 600_000,
    deleted: false,
  }
}
const store = (world: World, order: StoredOrder): number => {
  world.orders.set(String(order.id), order)
  return order.id
}
export const seedOrder = (world: World, seed: Seed, at: number): number => store(world, draftOf(world, seed, at))
function seedLine(world: World, seed: Seed): StoredLine {
  const id = world.nextId('line')
  if (seed.chance(0.05)) return { ...customLine(id, 'Gift wrapping', 25_000), set: { ex: 25_000, inc: 27_500 } }
  const product = seed.pick(world.products.values())
  const variant = product.variants.length ? seed.pick(product.variants) : undefined
  return {
    id,
    product_id: product.id,
    variant_id: variant?.id ?? product.base_variant_id ?? 0,
    name: String(product.fields.name),
    sku: variant?.sku ?? String(product.fields.sku),
    upc: variant?.upc ?? String(product.fields.upc),
    quantity: seed.int(1, 4),
    price: Math.round(Number(variant?.price ?? product.fields.price) * 10_000),
    cost: Math.round(Number(product.fields.cost_price) * 10_000),
  }
}
const customLine = (id: number, name: string, price: number): StoredLine => ({
  ...{ id, product_id: 0, variant_id: 0, name, sku: '', upc: '', quantity: 1, price, cost: 0 },
})

const withFields = (order: Draft, fields: object): Draft => ({ ...order, fields: { ...order.fields, ...fields } })
const paid = (order: Draft, status_id = 11): Draft => withFields({ ...order, status_id }, paymentOf(status_id))
const firstLine = (order: Draft, more: Partial<StoredLine>): readonly StoredLine[] =>
  order.lines.map((line, index) => (index === 0 ? { ...line, ...more } : line))
const shipped = (order: Draft, price: number): Draft => ({ ...order, shipping: costOf(price, order) })
const refunded = (order: Draft, whole: boolean): Draft =>
  withFields({ ...order, status_id: whole ? 4 : 14 }, { payment_status: whole ? 'refunded' : 'partially refunded' })

/** One after the other, so that every one of them is among any few orders in a row. */
const kinds: Readonly<Record<string, (world: World, seed: Seed, order: Draft) => Draft>> = {
  // A choice changes the price of its line; the product of a pick list is a line of its own that costs nothing.
  options(world, seed, order) {
    const [line] = order.lines as [StoredLine]
    const options = [
      { name: 'Size', value: 'Small', type: 'Multiple choice' },
      { name: 'Engraving', value: 'For Ada', type: 'Text field' },
      { name: 'Is this a gift?', value: 'Yes', type: 'Checkbox' },
      { name: 'Free sample', value: 'Tea towel', type: 'Product Pick List' },
    ]
    const picked = { ...seedLine(world, seed), set: undefined, price: 0, quantity: line.quantity, parent: line.id }
    return paid({
      ...order,
      discount: 0,
      lines: [...firstLine(order, { price: line.price + 50_000, options }), picked],
    })
  },
  withTax: (_, seed, order) =>
    shipped(
      paid({
        ...order,
        inclusive: true,
        discount: 0,
        lines: order.lines.map(({ set: _set, ...line }) => line),
        coupon: { code: 'SAVE5', name: '$5 off', amount: seed.int(1, 5) * 10_000 },
      }),
      120_000,
    ),
  discounts: (_, seed, order) => ({
    ...shipped(paid(order), 79_500),
    discount: seed.int(100, 299) * 100,
    coupon: { code: 'WELCOME', name: 'Welcome', amount: seed.int(50, 199) * 100 },
    handling: costOf(20_000, order),
  }),
  promotion(world, _, order) {
    const [{ price, quantity }] = order.lines as [StoredLine]
    const fee = { id: world.nextId('fee'), source: 'checkout', tax_class_id: null }
    return paid({
      ...order,
      lines: firstLine(order, {
        promotion: { name: 'Sale on one', amount: Math.round((price * quantity) / 1_000) * 100 },
        wrapping: { name: 'Red paper', price: 30_000 * quantity },
      }),
      fees: [{ ...fee, ...costOf(12_500, order), customer: 'Package protection', merchant: 'Protection' }],
    })
  },
  lineRefund: (world, _, order) => refunded(refundUnits(world, shipped(paid(order), 60_000), 0, 1), false),
  amountRefund(world, _, order) {
    const sent = shipped(paid(order), 90_000)
    const { inc } = moneyOf(sent).shipping
    const item = { type: 'SHIPPING', id: idOfAddress(sent, 0), amount: inc } as const
    refundAmount(world, sent, item, true)
    refundAmount(world, sent, { ...item, amount: 40_000 })
    return refunded(sent, false)
  },
  wholeRefund(world, _, order) {
    const whole = paid({ ...order, inclusive: true, lines: order.lines.map(({ set: _set, ...line }) => line) })
    const back = whole.lines.reduce((done, { quantity }, index) => refundUnits(world, done, index, quantity), whole)
    return refunded(back, true)
  },
  giftCertificate(world, seed, order) {
    const certificate = { ...customLine(world.nextId('line'), '$50 Gift Certificate', seed.pick([250_000, 500_000])) }
    const song = { ...order.lines[0]!, set: undefined, type: 'digital' as const }
    const lines = [{ ...certificate, type: 'giftcertificate' as const, untaxed: true }, song]
    return paid({ ...order, discount: 0, lines, shipping_addresses: [] }, 10)
  },
  // Credit and certificates pay; they do not make the order cheaper.
  storeCredit(_, seed, order) {
    const sold = shipped(paid(order, 10), 50_000)
    const { inc } = moneyOf(sold).total
    const [credit, certificate] = [seed.int(10, 200) * 100, seed.int(10, 200) * 100]
    const text = (amount: number) => (Math.min(amount, Math.floor(inc / 300) * 100) / 10_000).toFixed(4)
    return withFields(sold, { store_credit_amount: text(credit), gift_certificate_amount: text(certificate) })
  },
  pickup: (_, __, order) =>
    withFields({ ...paid(order, 8), pickup: true, shipping_addresses: [] }, { order_source: 'checkout_api' }),
  marketplace: (_, seed, order) =>
    withFields(shipped(paid(order, 2), 45_000), {
      order_source: 'amazon',
      external_source: 'Amazon',
      external_id: seed.id('0123456789', 17),
      payment_method: 'Amazon',
    }),
  // Staff took a line out and changed the units of another one, which cleared its discount.
  edited: (world, seed, order) =>
    withFields(paid({ ...order, discount: 0, lines: [{ ...seedLine(world, seed), quantity: 1 }] }), {
      order_source: 'manual',
      staff_notes: 'One item was removed at the customer’s request.',
    }),
  // A price of a price list has four decimals. Only the total is rounded.
  bulkPrice: (_, seed, order) =>
    paid({
      ...order,
      discount: 0,
      lines: order.lines.map((line) => ({
        ...line,
        set: undefined,
        price: line.price - seed.int(1, 99),
        quantity: 12,
      })),
    }),
  yen: (_, seed, order) =>
    shipped(
      paid({
        ...order,
        currency: 'JPY',
        inclusive: true,
        discount: seed.int(10, 90) * 10_000,
        lines: order.lines.map((line) => ({
          ...line,
          set: undefined,
          price: Math.ceil(line.price / 10_000) * 1_000_000,
        })),
      }),
      8_000_000,
    ),
  twoAddresses(world, _, order) {
    const [line] = order.lines as [StoredLine]
    const second = { ...blankAddress, first_name: 'Trish', street_1: '5 Elm Street', city: 'Austin', zip: '78751' }
    const lines = [...order.lines, { ...line, id: world.nextId('line'), address: 1 }]
    return shipped(paid({ ...order, lines, shipping_addresses: [...order.shipping_addresses, second] }), 140_000)
  },
}
export const kindsOfOrders: readonly string[] = Object.keys(kinds)

const ofKind = (world: World, seed: Seed, at: number, index: number): StoredOrder =>
  kinds[kindsOfOrders[index % kindsOfOrders.length]!]!(world, seed, draftOf(world, seed, at))
export const seedKind = (world: World, seed: Seed, at: number, index: number): number =>
  store(world, ofKind(world, seed, at, index))

/** A new order: every kind in turn, after a plain one. `paid`: not one that was left at the checkout. */
export function addOrder(world: World, seed: Seed, at: number, index: number, paid = false): number {
  const kind = (index % (kindsOfOrders.length + 1)) - 1
  const order = kind < 0 ? draftOf(world, seed, at) : ofKind(world, seed, at, kind)
  return store(world, { ...order, status_id: paid && order.status_id === 0 ? 10 : order.status_id, modified: at })
}

/** An order with units that are refunded now. */
export function seedRefund(world: World, seed: Seed, at: number): number {
  seedKind(world, seed, at - 3_600_000, kindsOfOrders.indexOf('lineRefund'))
  const refund = world.refunds.values().at(-1)!
  world.refunds.set(String(refund.id), { ...refund, created: at })
  return refund.id
}

/** A client may set the total of an order to anything, such as one with a tip of another till. */
const foreignTill = 'POS (Corner till)'
export function seedUnbalanced(world: World, seed: Seed, at: number): void {
  const order = paid({ ...draftOf(world, seed, at), discount: 0 }, 10)
  const { total } = moneyOf(order)
  const totals = { ex: total.ex + 30_000, inc: total.inc + 30_000 }
  world.orders.set(
    String(order.id),
    withFields({ ...order, totals }, { order_source: 'external', external_source: foreignTill }),
  )
}
export const isUnbalanced = ({ fields, deleted }: StoredOrder): boolean =>
  fields.external_source === foreignTill && !deleted
