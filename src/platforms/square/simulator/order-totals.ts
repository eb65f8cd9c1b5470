// Square calculates every total itself and ignores totals that a client sends.
import type { Applied, LineItem, Money, Order, OrderDiscount, OrderTax, ServiceCharge } from './world.ts'

/** Rounds half to even, like Square. */
export function roundHalfEven(value: number): number {
  const floor = Math.floor(value)
  const rest = Number((value - floor).toFixed(9))
  if (rest !== 0.5) return rest > 0.5 ? floor + 1 : floor
  return floor % 2 === 0 ? floor : floor + 1
}

interface Working {
  line: LineItem
  gross: number
  discounts: Map<string, number>
  taxes: Map<string, number>
  inclusive: number // tax that is already part of the price
}

export function withTotals<T extends Order>(order: T, currency: string): T {
  const money = (amount: number): Money => ({ amount, currency })
  const lines = (order.line_items ?? []).map(
    (line): Working => ({
      line,
      gross: roundHalfEven(Number(line.quantity) * (line.base_price_money?.amount ?? 0)),
      discounts: new Map(),
      taxes: new Map(),
      inclusive: 0,
    }),
  )
  for (const discount of order.discounts ?? []) spreadDiscount(discount, lines)
  for (const tax of order.taxes ?? []) for (const working of lines) applyTax(tax, working)

  const finished = lines.map((working) => finishLine(working, money))
  const sum = (pick: (working: Working) => number) => lines.reduce((total, working) => total + pick(working), 0)
  const applied = (uid: string, of: 'discounts' | 'taxes') => money(sum((working) => working[of].get(uid) ?? 0))
  const sold = sum(totalOf)
  const subtotal = sum(discounted)
  const charges = (order.service_charges ?? []).map((charge) =>
    priceCharge(charge, charge.calculation_phase === 'TOTAL_PHASE' ? sold : subtotal, order.taxes ?? []),
  )
  const charged = charges.reduce((amount, charge) => amount + charge.applied, 0)
  const chargeTax = charges.reduce((amount, charge) => amount + charge.tax, 0)
  const total = sold + charged + chargeTax
  return {
    ...order,
    ...(order.line_items && { line_items: finished }),
    ...(order.discounts && {
      discounts: order.discounts.map((discount) => ({
        ...discount,
        applied_money: applied(discount.uid, 'discounts'),
      })),
    }),
    ...(order.taxes && { taxes: order.taxes.map((tax) => ({ ...tax, applied_money: applied(tax.uid, 'taxes') })) }),
    ...(order.service_charges && {
      service_charges: charges.map(({ charge, applied: amount, tax }) => ({
        ...charge,
        applied_money: money(amount),
        total_tax_money: money(tax),
        total_money: money(amount + tax),
      })),
    }),
    total_money: money(total),
    total_tax_money: money(sum(({ taxes }) => sumOf(taxes)) + chargeTax),
    total_discount_money: money(sum(({ discounts }) => sumOf(discounts))),
    total_tip_money: money(0),
    total_service_charge_money: money(charged),
    net_amount_due_money: money(order.state === 'OPEN' || order.state === 'DRAFT' ? total : 0),
  }
}

const sumOf = (amounts: ReadonlyMap<string, number>): number =>
  [...amounts.values()].reduce((total, amount) => total + amount, 0)
const discounted = ({ gross, discounts }: Working): number => gross - sumOf(discounts)
const totalOf = (working: Working): number => discounted(working) + sumOf(working.taxes) - working.inclusive

function spreadDiscount(discount: OrderDiscount, lines: readonly Working[]): void {
  const chosen =
    discount.scope === 'LINE_ITEM'
      ? lines.filter(({ line }) => line.applied_discounts?.some(({ discount_uid }) => discount_uid === discount.uid))
      : lines
  if (discount.percentage !== undefined) {
    for (const working of chosen)
      working.discounts.set(discount.uid, roundHalfEven((discounted(working) * Number(discount.percentage)) / 100))
    return
  }
  // A fixed amount is distributed in proportion to the lines; the last line gets the rounding difference.
  const base = chosen.reduce((total, working) => total + discounted(working), 0)
  let left = Math.min(discount.amount_money?.amount ?? 0, base)
  for (const [index, working] of chosen.entries()) {
    const share =
      index === chosen.length - 1
        ? left
        : Math.min(left, roundHalfEven(((discount.amount_money?.amount ?? 0) * discounted(working)) / (base || 1)))
    working.discounts.set(discount.uid, Math.min(share, discounted(working)))
    left -= share
  }
}

function applyTax(tax: OrderTax, working: Working): void {
  const target =
    tax.scope === 'LINE_ITEM' ? working.line.applied_taxes?.some(({ tax_uid }) => tax_uid === tax.uid) : true
  if (!target) return
  const rate = Number(tax.percentage ?? 0) / 100
  const inclusive = tax.type === 'INCLUSIVE'
  const amount = roundHalfEven(
    inclusive ? discounted(working) - discounted(working) / (1 + rate) : discounted(working) * rate,
  )
  working.taxes.set(tax.uid, amount)
  if (inclusive) working.inclusive += amount
}

/** Taxes of the whole order apply to a taxable service charge, too. */
function priceCharge(charge: ServiceCharge, base: number, taxes: readonly OrderTax[]) {
  const applied = charge.amount_money?.amount ?? roundHalfEven((base * Number(charge.percentage)) / 100)
  const additive = taxes.filter(({ scope, type }) => charge.taxable && scope !== 'LINE_ITEM' && type !== 'INCLUSIVE')
  const tax = additive.reduce((sum, { percentage = 0 }) => sum + roundHalfEven((applied * Number(percentage)) / 100), 0)
  return { charge, applied, tax }
}

function finishLine(working: Working, money: (amount: number) => Money): LineItem {
  const { line, gross, discounts, taxes } = working
  const applied_discounts = [...discounts].map(([discount_uid, amount]) => ({
    ...known(line.applied_discounts, (one) => one.discount_uid === discount_uid, discount_uid),
    discount_uid,
    applied_money: money(amount),
  }))
  const applied_taxes = [...taxes].map(([tax_uid, amount]) => ({
    ...known(line.applied_taxes, (one) => one.tax_uid === tax_uid, tax_uid),
    tax_uid,
    applied_money: money(amount),
  }))
  return {
    ...line,
    ...(applied_discounts.length > 0 && { applied_discounts }),
    ...(applied_taxes.length > 0 && { applied_taxes }),
    variation_total_price_money: money(gross),
    gross_sales_money: money(gross),
    total_tax_money: money(sumOf(taxes)),
    total_discount_money: money(sumOf(discounts)),
    total_money: money(totalOf(working)),
    total_service_charge_money: money(0),
  }
}

function known<A extends Applied>(
  applied: readonly A[] | undefined,
  is: (one: A) => boolean,
  uid: string,
): { uid: string } {
  return { uid: applied?.find(is)?.uid ?? `applied-${uid}`.slice(0, 60) }
}
