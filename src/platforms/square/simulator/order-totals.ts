// Square calculates every total itself and ignores totals that a client sends:
// https://developer.squareup.com/docs/orders-api/price-adjustments
import { halfEven, type Part, percentOf, portions, product } from './rounding.ts'
import type { Applied, LineItem, Money, Order, OrderDiscount, OrderTax, ServiceCharge } from './world.ts'

/** Where the seller is: there, prices with taxes inside are shown without them in gross sales. */
const grossWithoutTax: readonly string[] = ['US', 'CA', 'JP']

/** What taxes are on: a line, or a taxable service charge. */
interface Taxed {
  base: number
  taxes: Map<string, number>
  inclusive: number // the taxes that are already part of the price
}
interface Working extends Taxed {
  line: LineItem
  items: number // without modifiers
  modifiers: readonly number[]
  discounts: Map<string, number>
  charges: Map<string, number> // apportioned service charges
}
interface Charged extends Taxed {
  charge: ServiceCharge
}

export function withTotals<T extends Order>(order: T, { currency, country }: { currency: string; country: string }): T {
  const money = (amount: number): Money => ({ amount, currency })
  const [discounts, taxes, charges] = [order.discounts ?? [], order.taxes ?? [], order.service_charges ?? []]
  const lines = (order.line_items ?? []).map(worked)
  for (const discount of discounts.toSorted((a, b) => turnOf(a) - turnOf(b))) spreadDiscount(discount, lines)
  for (const phase of ['APPORTIONED_PERCENTAGE_PHASE', 'APPORTIONED_AMOUNT_PHASE'])
    for (const charge of charges.filter(({ calculation_phase }) => calculation_phase === phase))
      apportion(charge, lines)
  for (const working of lines) working.base = discounted(working) + sumOf(working.charges)

  const subtotal = lines.reduce((sum, working) => sum + discounted(working), 0)
  const charged = charges
    .filter(({ calculation_phase }) => calculation_phase === 'SUBTOTAL_PHASE')
    .map((charge): Charged => ({ charge, base: priceOf(charge, subtotal), taxes: new Map(), inclusive: 0 }))
  for (const tax of taxes.filter(({ type }) => type === 'INCLUSIVE')) applyTax(tax, taxes, lines, charged)
  for (const tax of taxes.filter(({ type }) => type !== 'INCLUSIVE')) applyTax(tax, taxes, lines, charged)
  const sold = [...lines, ...charged].reduce((sum, one) => sum + totalOf(one), 0)
  const late = charges
    .filter(({ calculation_phase }) => calculation_phase === 'TOTAL_PHASE')
    .map((charge): Charged => ({ charge, base: priceOf(charge, sold), taxes: new Map(), inclusive: 0 }))

  const all = [...lines, ...charged, ...late]
  const sum = (pick: (one: Taxed) => number) => all.reduce((total, one) => total + pick(one), 0)
  const appliedTo = (uid: string) => lines.reduce((total, { discounts: of }) => total + (of.get(uid) ?? 0), 0)
  const tip = (order.tenders ?? []).reduce((total, { tip_money }) => total + (tip_money?.amount ?? 0), 0)
  const paid = (order.tenders ?? []).reduce((total, { amount_money }) => total + amount_money.amount, 0)
  const total = sum(totalOf) + (order.rounding_adjustment?.amount_money.amount ?? 0) + tip
  const amounts = {
    total,
    tax: sum(({ taxes: of }) => sumOf(of)),
    discount: lines.reduce((all, { discounts: of }) => all + sumOf(of), 0),
    tip,
    service_charge: [...charged, ...late, ...lines].reduce(
      (all, one) => all + ('charge' in one ? one.base : sumOf(one.charges)),
      0,
    ),
  }
  const back = (name: keyof typeof amounts) => order.return_amounts?.[`${name}_money`].amount ?? 0
  const due = order.state === 'COMPLETED' || order.state === 'CANCELED' ? 0 : total - paid - back('total')
  return {
    ...order,
    ...(order.line_items && { line_items: lines.map((working) => finishLine(working, money, country)) }),
    ...(order.discounts && {
      discounts: discounts.map((discount) => ({ ...discount, applied_money: money(appliedTo(discount.uid)) })),
    }),
    ...(order.taxes && {
      taxes: taxes.map((tax) => ({ ...tax, applied_money: money(sum(({ taxes: of }) => of.get(tax.uid) ?? 0)) })),
    }),
    ...(order.service_charges && {
      service_charges: charges.map((charge) =>
        finishCharge(charge, [...charged, ...late].find((one) => one.charge === charge) ?? lines, money),
      ),
    }),
    total_money: money(amounts.total),
    total_tax_money: money(amounts.tax),
    total_discount_money: money(amounts.discount),
    total_tip_money: money(amounts.tip),
    total_service_charge_money: money(amounts.service_charge),
    net_amounts: Object.fromEntries(
      Object.entries(amounts).map(([name, amount]) => [
        `${name}_money`,
        money(amount - back(name as keyof typeof amounts)),
      ]),
    ),
    net_amount_due_money: money(due),
  }
}

function worked(line: LineItem): Working {
  const { quantity, base_price_money: price, modifiers = [] } = line
  return {
    line,
    items: product(price?.amount ?? 0, quantity),
    modifiers: modifiers.map((one) => product(one.base_price_money?.amount ?? 0, quantity, one.quantity ?? '1')),
    discounts: new Map(),
    charges: new Map(),
    taxes: new Map(),
    base: 0,
    inclusive: 0,
  }
}
const sumOf = (amounts: ReadonlyMap<string, number>): number =>
  [...amounts.values()].reduce((total, amount) => total + amount, 0)
const grossOf = ({ items, modifiers }: Working): number => modifiers.reduce((sum, amount) => sum + amount, items)
const discounted = (working: Working): number => grossOf(working) - sumOf(working.discounts)
const totalOf = ({ base, taxes, inclusive }: Taxed): number => base + sumOf(taxes) - inclusive
/** A gift card that is sold has no discounts of the order and no taxes. */
const isGiftCard = ({ line }: Working): boolean => line.item_type === 'GIFT_CARD'

/** Percentages before amounts, and of each those of lines before those of the order. */
const turnOf = ({ percentage, scope }: OrderDiscount): number =>
  (percentage === undefined ? 2 : 0) + (scope === 'LINE_ITEM' ? 0 : 1)

function spreadDiscount(discount: OrderDiscount, lines: readonly Working[]): void {
  const chosen =
    discount.scope === 'LINE_ITEM'
      ? lines.filter(({ line }) => line.applied_discounts?.some(({ discount_uid }) => discount_uid === discount.uid))
      : lines.filter((working) => !isGiftCard(working))
  if (discount.percentage !== undefined) {
    for (const working of chosen)
      working.discounts.set(discount.uid, percentOf(discounted(working), discount.percentage))
    return
  }
  const weights = chosen.map(discounted)
  const most = weights.reduce((total, weight) => total + weight, 0)
  const shares = portions(Math.min(discount.amount_money?.amount ?? 0, most), weights)
  for (const [index, working] of chosen.entries()) working.discounts.set(discount.uid, shares[index]!)
}

const priceOf = ({ amount_money: fixed, percentage = '0' }: ServiceCharge, base: number): number =>
  fixed?.amount ?? percentOf(base, percentage)

/** An apportioned service charge becomes part of the lines. */
function apportion(charge: ServiceCharge, lines: readonly Working[]): void {
  const chosen = lines.filter(
    ({ line }) =>
      charge.scope !== 'LINE_ITEM' ||
      line.applied_service_charges?.some(({ service_charge_uid }) => service_charge_uid === charge.uid),
  )
  const weights = chosen.map((working) => discounted(working) + sumOf(working.charges))
  const shares = charge.amount_money
    ? portions(charge.amount_money.amount, weights)
    : weights.map((weight) => percentOf(weight, charge.percentage ?? '0'))
  for (const [index, working] of chosen.entries()) working.charges.set(charge.uid, shares[index]!)
}

/** Taxes of the whole order are on taxable service charges, too, and rounded once; those of lines on each line. */
function applyTax(tax: OrderTax, all: readonly OrderTax[], lines: readonly Working[], charged: readonly Charged[]) {
  const isOn = (one: OrderTax, target: Taxed): boolean => {
    const applied =
      'charge' in target ? (target as Charged).charge.applied_taxes : (target as Working).line.applied_taxes
    if ('charge' in target && !(target as Charged).charge.taxable) return false
    if (one.scope === 'LINE_ITEM') return applied?.some(({ tax_uid }) => tax_uid === one.uid) === true
    return 'charge' in target || !isGiftCard(target as Working)
  }
  const targets = [...lines, ...charged].filter((target) => isOn(tax, target))
  const inside = (target: Taxed) =>
    all.filter((one) => one.type === 'INCLUSIVE' && isOn(one, target)).map(({ percentage = '0' }) => percentage)
  const parts = targets.map((target): Part => {
    const rate = tax.percentage ?? '0'
    return tax.type === 'INCLUSIVE'
      ? { of: target.base, percentage: rate, within: inside(target) }
      : { of: target.base - target.inclusive, percentage: rate, within: [] }
  })
  const shares = tax.scope === 'LINE_ITEM' ? parts.map((part) => halfEven([part])) : halfEven.shared(parts)
  for (const [index, target] of targets.entries()) {
    target.taxes.set(tax.uid, shares[index]!)
    if (tax.type === 'INCLUSIVE') target.inclusive += shares[index]!
  }
}

function finishLine(working: Working, money: (amount: number) => Money, country: string): LineItem {
  const { line, items, modifiers, discounts, taxes, charges, inclusive } = working
  const entries = <A extends Applied, K extends string>(of: Map<string, number>, present: readonly A[] = [], key: K) =>
    [...of].map(([uid, amount]) => ({
      uid: present.find((one) => (one as Record<string, unknown>)[key] === uid)?.uid ?? `applied-${uid}`.slice(0, 60),
      [key]: uid,
      applied_money: money(amount),
    }))
  const applied = {
    applied_discounts: entries(discounts, line.applied_discounts, 'discount_uid'),
    applied_taxes: entries(taxes, line.applied_taxes, 'tax_uid'),
    applied_service_charges: entries(charges, line.applied_service_charges, 'service_charge_uid'),
  }
  const gross = grossOf(working) + sumOf(charges) - (grossWithoutTax.includes(country) ? inclusive : 0)
  return {
    ...Object.fromEntries(Object.entries(line).filter(([name]) => !(name in applied))),
    ...Object.fromEntries(Object.entries(applied).filter(([, rows]) => rows.length > 0)),
    ...(line.modifiers && {
      modifiers: line.modifiers.map((one, index) => ({ ...one, total_price_money: money(modifiers[index]!) })),
    }),
    variation_total_price_money: money(items),
    gross_sales_money: money(gross),
    total_tax_money: money(sumOf(taxes)),
    total_discount_money: money(sumOf(discounts)),
    total_money: money(totalOf(working)),
    total_service_charge_money: money(sumOf(charges)),
  } as unknown as LineItem
}

function finishCharge(
  charge: ServiceCharge,
  of: Charged | readonly Working[],
  money: (amount: number) => Money,
): ServiceCharge {
  if (!('charge' in of)) {
    // The taxes on an apportioned charge are those of the lines.
    const applied = of.reduce((sum, { charges }) => sum + (charges.get(charge.uid) ?? 0), 0)
    return { ...charge, applied_money: money(applied), total_tax_money: money(0), total_money: money(applied) }
  }
  const { base, taxes } = of as Charged
  const { applied_taxes: present, ...rest } = charge
  const applied_taxes = [...taxes].map(([tax_uid, amount]) => ({
    uid: present?.find((one) => one.tax_uid === tax_uid)?.uid ?? `applied-${tax_uid}`.slice(0, 60),
    tax_uid,
    applied_money: money(amount),
  }))
  return {
    ...rest,
    ...(applied_taxes.length > 0 && { applied_taxes }),
    applied_money: money(base),
    total_tax_money: money(sumOf(taxes)),
    total_money: money(totalOf(of as Charged)),
  }
}
