// What an order costs, as Clover's own calculation has it, in cents:
// https://docs.clover.com/docs/calculating-order-totals and OrderCalc of https://github.com/clover/clover-android-sdk.
// A line without its modifiers times its measure, plus the modifiers; line discounts, percentages before amounts; then
// discounts on the order, the same way; the service charge on what is left; tax for each rate, half up.
import type { Discount, LineItem, Order, TaxRate } from './world.ts'

type Costs = Pick<Order, 'lines' | 'discountList' | 'serviceChargeOf' | 'taxRemoved' | 'isVat'>
export interface TaxOf {
  rate: TaxRate
  taxable: number
  tax: number
}
export interface Totals {
  subtotal: number // of the lines after their own discounts
  discounted: number // after discounts on the order
  serviceCharge: number
  fees: number
  taxes: TaxOf[]
  tax: number
  total: number // never with tips
}

const halfUp = (numerator: bigint, denominator: bigint): number => {
  const doubled = 2n * numerator + denominator
  const rest = doubled % (2n * denominator)
  return Number((doubled - (rest < 0n ? rest + 2n * denominator : rest)) / (2n * denominator))
}
const partOf = (amount: number, part: number, whole: number): number =>
  halfUp(BigInt(amount) * BigInt(part), BigInt(whole))
const million = 1_000_000

function priceOf({ price, unitQty, unitName, modificationList }: LineItem): number {
  const measured = unitQty && unitName ? partOf(price, unitQty, 1000) : price
  return modificationList.reduce((sum, { amount }) => sum + amount, measured)
}
function afterDiscounts(price: number, discounts: readonly Discount[]): number {
  const percents = discounts.map(({ percentage = 0, percentageDecimal = percentage * 10_000 }) => percentageDecimal)
  const left = percents.reduce((rest, percent) => rest - partOf(price, percent, million), price)
  const amounts = discounts.reduce((sum, { amount = 0 }) => sum + amount, 0)
  return Math.max(Math.min(0, price), left + amounts)
}
const lineCost = (line: LineItem): number => afterDiscounts(priceOf(line), line.discountList)

interface Fraction {
  top: bigint
  bottom: bigint
}
function plus(a: Fraction, b: Fraction): Fraction {
  if (a.top === 0n) return b
  if (b.top === 0n) return a
  if (a.bottom === b.bottom) return { top: a.top + b.top, bottom: a.bottom }
  return { top: a.top * b.bottom + b.top * a.bottom, bottom: a.bottom * b.bottom }
}
const rounded = ({ top, bottom }: Fraction) => halfUp(top, bottom)
const whole = 10_000_000n

/** `refunded`: whether refunded lines count. They are in no total that is shown, but in what was paid. */
export function totalsOf(order: Costs, { refunded = true }: { refunded?: boolean } = {}): Totals {
  const lines = order.lines.filter((line) => !line.exchanged && (refunded || !line.refunded))
  const goods = lines.filter(({ isOrderFee }) => !isOrderFee)
  const subtotal = goods.reduce((sum, line) => sum + lineCost(line), 0)
  const discounted = afterDiscounts(subtotal, order.discountList)
  const serviceCharge = partOf(discounted, order.serviceChargeOf?.percentageDecimal ?? 0, million)
  const feeOf = ({ price, percentage }: LineItem) => (percentage ? partOf(subtotal, percentage, million) : price)
  const feeLines = lines.filter(({ isOrderFee }) => isOrderFee)
  const fees = feeLines.reduce((sum, line) => sum + feeOf(line), 0)

  const sums = new Map<string, { rate: TaxRate; taxable: Fraction; tax: Fraction }>()
  for (const line of order.taxRemoved ? [] : lines) {
    const cost: Fraction = line.isOrderFee
      ? { top: BigInt(feeOf(line)), bottom: 1n }
      : { top: BigInt(lineCost(line)) * BigInt(subtotal === 0 ? 0 : discounted), bottom: BigInt(subtotal || 1) }
    const percents = line.taxRateList.reduce((sum, { rate }) => sum + BigInt(rate), 0n)
    const flat = BigInt(line.taxRateList.reduce((sum, { taxAmount = 0 }) => sum + taxAmount, 0))
    for (const rate of line.taxRateList) {
      const known = sums.get(rate.id) ?? { rate, taxable: { top: 0n, bottom: 1n }, tax: { top: 0n, bottom: 1n } }
      const percent: Fraction = order.isVat
        ? { top: (cost.top - flat * cost.bottom) * BigInt(rate.rate), bottom: cost.bottom * (whole + percents) }
        : { top: cost.top * BigInt(rate.rate), bottom: cost.bottom * whole }
      const tax = plus(known.tax, plus(percent, { top: BigInt(rate.taxAmount ?? 0), bottom: 1n }))
      sums.set(rate.id, { rate, taxable: plus(known.taxable, cost), tax })
    }
  }
  const taxes = [...sums.values()].map(({ rate, taxable, tax }) => ({
    rate,
    taxable: rounded(taxable),
    tax: rounded(tax),
  }))
  const tax = taxes.reduce((sum, one) => sum + one.tax, 0)
  const total = discounted + serviceCharge + fees + (order.isVat ? 0 : tax)
  return { subtotal, discounted, serviceCharge, fees, taxes, tax, total }
}
