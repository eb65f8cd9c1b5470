// What an order costs, by Shopify's rules: the total of an order has all lines, tips and units that an edit took out,
// and no returns; `current` amounts have what is left. All in whole minor units.
import { type Charge, type Line, type Order, sum, type TaxLine, type Transaction, type Units } from './world.ts'

export const taxOf = ({ taxes }: { taxes: readonly TaxLine[] }): number => sum(taxes.map(({ amount }) => amount))
export const discountOf = ({ discounts }: Pick<Line, 'discounts'>): number => sum(discounts.map(({ amount }) => amount))
export const lineNet = (line: Line): number => line.price * line.quantity - discountOf(line)
export const chargeNet = (charge: Charge): number => charge.price - discountOf(charge)
export const dutiesOf = ({ lines }: Pick<Order, 'lines'>): number => sum(lines.map(({ duty = 0 }) => duty))

export function totalTax({ lines, shipping, fees }: Order): number {
  return sum([...lines, ...shipping, ...fees].map(taxOf))
}
/** Before tips, shipping, fees and duties. */
export const subtotalOf = ({ lines }: Order): number => sum(lines.filter(({ kind }) => kind !== 'tip').map(lineNet))
export const tipOf = ({ lines }: Order): number => sum(lines.filter(({ kind }) => kind === 'tip').map(lineNet))
export const feesOf = ({ fees }: Order): number => sum(fees.map(chargeNet))
export function totalOf(order: Order): number {
  const duties = order.dutiesIncluded ? 0 : dutiesOf(order)
  const beside = sum(order.shipping.map(chargeNet)) + feesOf(order) + duties + tipOf(order)
  return subtotalOf(order) + beside + (order.taxesIncluded ? 0 : totalTax(order))
}

/* Units that were taken out by an edit, or came back. */

const removalsOf = ({ edits }: Order): Units[] => edits.flatMap(({ removed }) => removed)
const returnsOf = ({ refunds }: Order): Units[] => refunds.flatMap(({ lines }) => lines)
const ofLine = (units: readonly Units[], { id }: Line): Units[] => units.filter(({ lineId }) => lineId === id)
const countOf = (units: readonly Units[]): number => sum(units.map(({ quantity }) => quantity))
export function currentQuantity(order: Order, line: Line): number {
  return line.quantity - countOf(ofLine(removalsOf(order), line)) - countOf(ofLine(returnsOf(order), line))
}
/** What some units of a line are worth; the last ones get what rounding left. */
export function worthOf(order: Order, line: Line, quantity: number): Pick<Units, 'net' | 'taxes'> {
  const gone = ofLine([...removalsOf(order), ...returnsOf(order)], line)
  const isRest = quantity === currentQuantity(order, line)
  const share = (whole: number, ofUnits: (units: Units) => number) =>
    isRest ? whole - sum(gone.map(ofUnits)) : Math.floor((whole * quantity) / line.quantity)
  return {
    net: share(lineNet(line), ({ net }) => net),
    taxes: line.taxes.map((tax, n) => ({ ...tax, amount: share(tax.amount, ({ taxes }) => taxes[n]!.amount) })),
  }
}
type Worth = Pick<Units, 'net' | 'taxes'>
export const withTax = ({ taxesIncluded }: Pick<Order, 'taxesIncluded'>, worth: Worth): number =>
  worth.net + (taxesIncluded ? 0 : taxOf(worth))
const totalWorth = (order: Order, worths: readonly Worth[]): number => sum(worths.map((worth) => withTax(order, worth)))
/** A refund of more or less than the goods are worth counts as it was paid. */
export const currentTotal = (order: Order): number =>
  totalOf(order) -
  totalWorth(order, [...removalsOf(order), ...returnsOf(order), ...order.refunds.flatMap(({ shipping }) => shipping)]) +
  sum(order.refunds.flatMap(({ adjustments }) => adjustments.map(({ amount }) => amount)))

/* Payments */

const counts = ({ status }: Transaction) => status === 'SUCCESS'
const amountOf = (transactions: readonly Transaction[], ...kinds: Transaction['kind'][]): number =>
  sum(transactions.filter((one) => counts(one) && kinds.includes(one.kind)).map(({ amount }) => amount))
/** A sale in cash is what was handed over: the change goes back. */
export const receivedOf = ({ transactions }: Order): number =>
  amountOf(transactions, 'SALE', 'CAPTURE') - amountOf(transactions, 'CHANGE')
export const refundedOf = ({ transactions }: Order): number => amountOf(transactions, 'REFUND')
export const roundingOf = ({ transactions }: Order): number =>
  sum(transactions.filter((one) => counts(one) && one.kind === 'SALE').map(({ rounding = 0 }) => rounding))
/** What the customer still owes, or is owed. */
export function outstandingOf(order: Order): number {
  if (order.cancelledAt !== undefined || order.financial === 'AUTHORIZED') return 0
  return currentTotal(order) + roundingOf(order) - (receivedOf(order) - refundedOf(order))
}
