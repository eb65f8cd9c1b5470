// What an order costs, after abstract-wc-order.php: taxes of every item, taxes by rate, and the total. Lines are rounded
// one by one, or, if the shop rounds at the subtotal, only their sum is.
import { centsOf, ofCents, partOf, rounded, sumOf } from './amounts.ts'
import { rateCode, ratesAt, taxesOn } from './tax-rates.ts'
import type { Fee, Line, Order, ShippingLine, TaxLine, TaxRate, TaxShare, World } from './world.ts'

type Rounding = Pick<Order, 'prices_include_tax' | 'rounds_subtotal'>

/** Taxes that were taken out of a price round half a cent down. */
const halfOf = ({ prices_include_tax }: Rounding) => (prices_include_tax ? 'toward' : 'away')
const roundedTax = (order: Rounding, amount: number): number =>
  order.rounds_subtotal ? amount : rounded(amount, halfOf(order))
export const taxOf = (order: Rounding, taxes: readonly TaxShare[]): number =>
  sumOf(taxes, ({ amount }) => roundedTax(order, amount))

const isTaxable = (world: World, { product_id }: Line): boolean =>
  world.products.get(String(product_id))?.tax_status !== 'none'

/** A fee below zero takes its part of the taxes of what is taxable. */
function taxesOfFee(fee: Fee, taxable: number, all: number, rates: readonly TaxRate[]): TaxShare[] {
  if (fee.total < 0) return taxesOn(partOf(fee.total, taxable, all), rates)
  return fee.tax_status === 'taxable' ? taxesOn(fee.total, rates) : []
}
function withTaxes(world: World, order: Order): Order {
  const rates = ratesAt(world, order.shipping.country ? order.shipping : order.billing)
  const lines = order.lines.map((line) => ({
    ...line,
    taxes: isTaxable(world, line) ? taxesOn(line.total, rates) : [],
    subtotal_taxes: isTaxable(world, line) ? taxesOn(line.subtotal, rates) : [],
  }))
  const shipping_lines = order.shipping_lines.map((line) => ({
    ...line,
    taxes: taxesOn(
      line.total,
      rates.filter(({ shipping }) => shipping),
    ),
  }))
  const positive = order.fees.filter(({ total }) => total > 0)
  const taxable =
    sumOf(
      lines.filter((line) => isTaxable(world, line)),
      ({ total }) => total,
    ) +
    sumOf(
      positive.filter(({ tax_status }) => tax_status === 'taxable'),
      ({ total }) => total,
    ) +
    sumOf(shipping_lines, ({ total }) => total)
  const all =
    sumOf([...lines, ...positive], ({ total }) => total) + sumOf(shipping_lines, ({ total }: ShippingLine) => total)
  const fees = order.fees.map((fee) => ({ ...fee, taxes: taxesOfFee(fee, taxable, all, rates) }))
  return { ...order, lines, fees, shipping_lines }
}
const itemsTotal = ({ lines, rounds_subtotal }: Order, of: (line: Line) => number): number =>
  sumOf(lines, (line) => (rounds_subtotal ? of(line) : rounded(of(line))))

/** A fee below zero is never more than the order. */
function cappedFees(order: Order): Fee[] {
  let left = itemsTotal(order, ({ total }) => total) + sumOf(order.shipping_lines, ({ total }) => rounded(total))
  return order.fees.map((fee) => {
    const least = -rounded(left)
    const total = fee.total < 0 && fee.total < least && least < 0 ? least : fee.total
    left += total
    return { ...fee, total }
  })
}
function taxLines(world: World, order: Order): TaxLine[] {
  const totals = new Map<number, { tax: number; shipping: number }>()
  const add = (taxes: readonly TaxShare[], to: 'tax' | 'shipping') => {
    for (const { rate, amount } of taxes) {
      const sums = totals.get(rate) ?? { tax: 0, shipping: 0 }
      totals.set(rate, { ...sums, [to]: sums[to] + roundedTax(order, amount) })
    }
  }
  for (const { taxes } of [...order.lines, ...order.fees]) add(taxes, 'tax')
  for (const { taxes } of order.shipping_lines) add(taxes, 'shipping')
  return [...totals].map(([id, { tax, shipping }]) => {
    const rate = world.taxRates.get(String(id))
    const known = order.tax_lines.find(({ rate_id }) => rate_id === id)
    return {
      id: known?.id ?? world.next('item'),
      rate_id: id,
      rate_code: rate ? rateCode(rate) : (known?.rate_code ?? ''),
      label: rate?.name ?? known?.label ?? '',
      compound: rate?.compound ?? known?.compound ?? false,
      rate_percent: Number(rate?.rate ?? known?.rate_percent ?? 0),
      tax_total: tax,
      shipping_tax_total: shipping,
    }
  })
}
/** All totals once more, as after every change of an item or an address. */
export function calculated(world: World, given: Order): Order {
  const order = withTaxes(world, { ...given, fees: cappedFees(given) })
  const tax_lines = taxLines(world, order)
  const items = itemsTotal(order, ({ total }) => total)
  const shipping_total = sumOf(order.shipping_lines, ({ total }) => rounded(total))
  const cart_tax = sumOf(tax_lines, ({ tax_total }) => tax_total)
  const shipping_tax = sumOf(tax_lines, ({ shipping_tax_total }) => shipping_tax_total)
  const fees = sumOf(order.fees, ({ total }) => total)
  const whole = rounded(items + fees + shipping_total + cart_tax + shipping_tax)
  // A plugin takes what gift cards pay off the total.
  const paidByCard = sumOf(order.gift_cards, ({ amount }) => amount)
  return {
    ...order,
    tax_lines,
    shipping_total,
    shipping_tax,
    cart_tax,
    discount_total: rounded(itemsTotal(order, ({ subtotal }) => subtotal) - items),
    total: ofCents(Math.max(0, centsOf(whole - paidByCard))),
  }
}
