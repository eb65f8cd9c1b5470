// Realistic orders, one of each kind of money that shops have: shipping, fees, coupons, taxes, rounding, refunds, gift
// cards.
import type { Seed } from '../../../sandbox/seeds.ts'
import { centsOf, ofCents, partOf, rounded, sumOf } from './amounts.ts'
import { mergeLines } from './order-lines.ts'
import { calculated } from './order-totals.ts'
import { blankBilling, blankOrder, blankShipping, orderStatuses } from './orders.ts'
import { refundOrder } from './refunds.ts'
import { ratesAt, withoutTaxes } from './tax-rates.ts'
import { type Address, type Fee, type Line, type Order, trashed, type World } from './world.ts'

export const orderKinds = [
  'plain',
  'partial refund',
  'shipped',
  'surcharge',
  'tip',
  'fee as discount',
  'percent coupon',
  'cart coupon',
  'two taxes',
  'compound tax',
  'prices with taxes',
  'rounded at subtotal',
  'free amount refund',
  'full refund',
  'two refunds',
  'pickup',
  'point of sale',
  'gift card',
  'add-ons',
  'edited',
  'imported',
] as const
type Kind = (typeof orderKinds)[number]
type Item = { id: number; name: string; total: number }

const fee = (world: World, name: string, total: number, tax_status = 'taxable'): Fee => ({
  ...({ id: world.next('item'), name, total } satisfies Item),
  tax_status,
  taxes: [],
  meta: [],
})
const shippingLine = (world: World, method_id: string, method_title: string, total: number) => ({
  id: world.next('item'),
  method_id,
  method_title,
  instance_id: '1',
  total,
  taxes: [],
  meta: [],
})
/** Prices as they are typed in with their taxes: without them they have no end. */
function asGross(world: World, lines: readonly Line[], place: Address): Line[] {
  const rates = ratesAt(world, place)
  return lines.map((line) => {
    const isTaxed = world.products.get(String(line.product_id))?.tax_status !== 'none'
    const net = isTaxed ? withoutTaxes(line.total, rates) : line.total
    return { ...line, subtotal: net, total: net }
  })
}
/** A percentage is rounded down on each line; an amount is divided by price, and what is left goes cent by cent. */
function withCoupon(lines: readonly Line[], percent: number | undefined, amount: number): Line[] {
  const whole = sumOf(lines, ({ total }) => total)
  const target = centsOf(percent === undefined ? Math.min(amount, whole) : (whole * percent) / 100)
  const shares = lines.map(({ total }) =>
    percent === undefined
      ? Math.floor(partOf(ofCents(target), total, whole) / 10_000)
      : Math.floor((total * percent) / 1e6),
  )
  for (let left = target - sumOf(shares, (share) => share), n = 0; left > 0 && n < shares.length; n++) {
    const room = centsOf(lines[n]!.total) - shares[n]!
    const more = Math.min(left, Math.max(0, room))
    shares[n]! += more
    left -= more
  }
  return lines.map((line, n) => ({ ...line, total: line.total - ofCents(shares[n]!) }))
}
function addressOf(seed: Seed, state: string | undefined): Address {
  const { givenName, familyName } = seed.person()
  const { line1, line2 = '', city, postalCode } = seed.address('CA')
  return {
    ...blankShipping,
    first_name: givenName,
    last_name: familyName,
    address_1: line1,
    address_2: line2,
    city,
    state: state ?? 'ON',
    postcode: postalCode,
    country: 'CA',
    phone: seed.chance(0.5) ? seed.phone('CA') : '',
  }
}
const placeOf = (kind: Kind, seed: Seed): string | undefined =>
  kind === 'compound tax' ? 'QC' : kind === 'two taxes' ? 'BC' : seed.pick([undefined, undefined, 'QC', 'BC'])
const methods = [
  ['bacs', 'Direct bank transfer'],
  ['cod', 'Cash on delivery'],
  ['cheque', 'Check payments'],
  ['stripe', 'Credit card'],
  ['', ''],
] as const
const refunds: readonly Kind[] = ['partial refund', 'free amount refund', 'full refund', 'two refunds']
const settled: readonly Kind[] = [...refunds, 'point of sale', 'gift card', 'edited', 'imported']

/** The lines as the shop charges them, for the kinds that are about lines. */
function linesOf(world: World, seed: Seed, kind: Kind, lines: Line[], place: Address): Line[] {
  if (kind === 'prices with taxes' || kind === 'rounded at subtotal') return asGross(world, lines, place)
  if (kind === 'percent coupon') return withCoupon(lines, 15, 0)
  if (kind === 'cart coupon') return withCoupon(lines, undefined, ofCents(500))
  const [first, ...others] = lines
  const meta = (key: string, value: string) => ({ id: world.next('meta'), key, value })
  if (kind === 'gift card' && first) {
    const value = ofCents(2500)
    const sold = { name: 'Gift card', quantity: 1, subtotal: value, total: value }
    return [{ ...first, ...sold, meta: [meta('wc_gc_giftcard_amount', '25.00')] }, ...others]
  }
  if (kind === 'add-ons' && first) {
    const more = ofCents(500 * first.quantity)
    const own = { subtotal: first.subtotal + more, total: first.total + more }
    return [{ ...first, ...own, meta: [meta('Engraving (+$5.00)', seed.person().givenName)] }, ...others]
  }
  return seed.chance(0.2) ? withCoupon(lines, 10, 0) : lines
}
function feesOf(world: World, seed: Seed, kind: Kind, lines: readonly Line[]): Fee[] {
  const goods = sumOf(lines, ({ total }) => total)
  if (kind === 'surcharge')
    return [fee(world, 'Card surcharge', rounded(partOf(goods, 2, 100))), fee(world, 'Bag', ofCents(10), 'none')]
  if (kind === 'tip') return [fee(world, 'Tip', ofCents(seed.int(1, 12) * 50), 'none')]
  if (kind === 'fee as discount') return [fee(world, 'Loyalty', -Math.min(ofCents(250), rounded(goods)))]
  return seed.chance(0.05) ? [fee(world, 'Gift wrap', ofCents(395))] : []
}
function shippingOf(world: World, seed: Seed, kind: Kind): ReturnType<typeof shippingLine>[] {
  if (kind === 'point of sale') return []
  if (kind === 'pickup') return [shippingLine(world, 'local_pickup', 'Local pickup', 0)]
  const cents = kind === 'shipped' ? seed.pick([499, 1000, 1295]) : seed.pick([0, 0, 499, 1000])
  const lines = cents === 0 ? [] : [shippingLine(world, 'flat_rate', 'Flat rate', ofCents(cents))]
  return kind === 'shipped' && seed.chance(0.5)
    ? [...lines, shippingLine(world, 'flat_rate', 'Oversize', ofCents(700))]
    : lines
}
function statusOf(seed: Seed, kind: Kind, index: number): string {
  if (settled.includes(kind)) return 'completed'
  return index % 23 === 8 ? 'partial' : seed.pick(['processing', 'completed', 'completed', ...orderStatuses])
}
const isPaid = (status: string) => ['processing', 'completed', 'refunded', 'partial'].includes(status)

/** `latest`: nothing happens to the order later. */
export function seedOrder(world: World, seed: Seed, at: number, index: number, latest = at): number {
  const after = (milliseconds: number) => Math.min(at + milliseconds, latest)
  const id = world.next('post')
  const kind = orderKinds[index % orderKinds.length]!
  const products = world.products.filter((product) => product.type === 'simple' && !trashed(product))
  const variations = world.variations.values()
  const customers = world.customers.values()
  const count = kind === 'rounded at subtotal' ? 5 : seed.int(1, 4)
  const posted = Array.from({ length: count }, () => ({
    product_id: seed.chance(0.3) && variations.length > 0 ? seed.pick(variations).id : seed.pick(products).id,
    quantity: seed.int(kind === 'partial refund' ? 2 : 1, 3),
  }))
  const shipping = kind === 'point of sale' ? blankShipping : addressOf(seed, placeOf(kind, seed))
  const sold = mergeLines(world, [], posted).map((line) => ({
    ...line,
    ...(seed.chance(0.03) && { product_id: 99_999_999, variation_id: 0 }),
  }))
  const lines = linesOf(world, seed, kind, sold, shipping)
  const discount = sumOf(lines, ({ subtotal, total }) => subtotal - total)
  const [payment_method, payment_method_title] = kind === 'point of sale' ? methods[1] : seed.pick(methods)
  const drawn = statusOf(seed, kind, index)
  const fees = feesOf(world, seed, kind, lines)
  const shipping_lines = shippingOf(world, seed, kind)
  // Nothing is left to pay back, or to pay with a card.
  const free = sumOf(lines, ({ total }) => total) === 0
  const status = free && drawn === 'refunded' ? 'completed' : drawn
  // Goods that are paid on delivery are sent before the money is there.
  const unpaid = kind === 'imported' || !isPaid(status) || (payment_method === 'cod' && status === 'processing')
  const undated = !refunds.includes(kind) && status !== 'refunded' && seed.chance(0.05)
  const paid = unpaid || undated ? null : after(60_000)
  const order: Order = {
    ...blankOrder(world, id, at),
    status,
    created_via: kind === 'point of sale' ? 'pos-rest-api' : seed.pick(['checkout', 'checkout', 'store-api', 'admin']),
    customer_id: seed.chance(0.7) ? seed.pick(customers).id : 0,
    customer_note: seed.chance(0.2) ? seed.note() : '',
    billing: { ...blankBilling, ...shipping },
    shipping,
    payment_method,
    payment_method_title,
    transaction_id: payment_method === 'stripe' && paid !== null ? `ch_${seed.id('0123456789abcdef', 16)}` : '',
    paid,
    completed: status === 'completed' ? after(3_600_000) : null,
    stock_reduced: true,
    prices_include_tax: kind === 'prices with taxes' || kind === 'rounded at subtotal',
    rounds_subtotal: kind === 'rounded at subtotal',
    lines,
    fees,
    shipping_lines,
    coupons:
      discount > 0
        ? [
            {
              id: world.next('item'),
              code: kind === 'cart coupon' ? 'five' : kind === 'percent coupon' ? 'spring15' : 'welcome10',
              discount,
              discount_type: kind === 'cart coupon' ? 'fixed_cart' : 'percent',
              nominal_amount: kind === 'cart coupon' ? 5 : kind === 'percent coupon' ? 15 : 10,
            },
          ]
        : [],
  }
  finish(world, kind, calculated(world, order), after)
  return id
}
/** What happens to an order after it was placed. */
function finish(world: World, kind: Kind, order: Order, after: (ms: number) => number): void {
  const save = (changed: Order): Order => world.orders.set(String(order.id), changed)
  if (kind === 'gift card') {
    const amount = ofCents(Math.floor(centsOf(order.total) / 2))
    save(calculated(world, { ...order, gift_cards: [{ id: world.next('item'), code: 'ABCD-EFGH-IJKL-MNOP', amount }] }))
    return
  }
  if (kind === 'edited') {
    const [first, ...others] = order.lines
    const more = { ...first!, quantity: first!.quantity * 2, subtotal: first!.subtotal * 2, total: first!.total * 2 }
    const edited = { ...order, lines: [more, ...others], fees: [...order.fees, fee(world, 'Gift wrap', ofCents(395))] }
    save({ ...calculated(world, edited), modified: after(7_200_000) })
    return
  }
  const saved = save(order)
  if (order.total === 0) return
  const line = order.lines[0]!
  const later = after(86_400_000)
  const paid = order.payment_method === 'stripe'
  if (kind === 'partial refund')
    refundOrder(world, saved, { at: later, lines: [{ item: line.id, quantity: 1 }], reason: 'Damaged', paid })
  if (kind === 'free amount refund')
    refundOrder(world, saved, { at: later, amount: ofCents(Math.ceil(centsOf(order.total) / 4)), restocked: false })
  if (kind === 'full refund' || order.status === 'refunded')
    refundOrder(world, saved, {
      at: later,
      lines: order.lines.map(({ id, quantity }) => ({ item: id, quantity })),
      charges: true,
      amount: order.total,
      paid,
    })
  if (kind === 'two refunds') {
    refundOrder(world, saved, { at: later, amount: ofCents(Math.ceil(centsOf(order.total) / 3)), reason: 'Late' })
    const once = world.orders.get(String(order.id))!
    refundOrder(world, once, { at: after(90_000_000), lines: [{ item: line.id, quantity: 1 }], paid })
  }
}
