// What the lines of an order cost by Clover's rules, in minor units, and how units become lines again:
// https://docs.clover.com/docs/calculating-order-totals
import type { LineItem, Modifier } from '../../contract/entities/order.ts'
import { compact, flag, number, text } from '../../kit/fields.ts'
import { distribute, fromMinor } from '../../kit/money.ts'
import { type Elements, elementsOf } from './account.ts'

export interface NativeDiscount {
  name?: string
  amount?: number // negative
  percentage?: number
  percentageDecimal?: number // ten-thousandths of a percent
}
export interface NativeRate {
  id?: string
  name?: string
  rate?: number // 10 000 000 is 100 percent
  taxAmount?: number | null // of each line
}
interface NativeModification {
  name?: string
  amount?: number
  modifier?: { id?: string; modifierGroup?: { id?: string } }
}
export interface NativeLine {
  id: string
  item?: { id?: string }
  name?: string
  price?: number // without modifiers
  unitQty?: number | null // thousandths, only of items sold by measure
  unitName?: string
  note?: string
  userData?: string
  refunded?: boolean
  exchanged?: boolean
  isRevenue?: boolean
  isOrderFee?: boolean
  isPlatformOrderFee?: boolean
  orderFeeType?: string | null
  percentage?: number | null // of an order fee, ten-thousandths of a percent
  createdTime?: number
  discountAmount?: number
  discounts?: Elements<NativeDiscount>
  modifications?: Elements<NativeModification>
  taxRates?: Elements<NativeRate>
}

/** Clover's amounts are whole numbers; another one must not make the order unreadable. */
export const whole = (value: unknown): number => Math.round(number(value) ?? 0)
/** Rounds half up, like Clover. */
export function halfUp(numerator: bigint, denominator: bigint): number {
  const doubled = 2n * numerator + denominator
  const quotient = doubled / (2n * denominator)
  return Number(doubled < 0n && quotient * 2n * denominator !== doubled ? quotient - 1n : quotient)
}
export const share = (amount: number, part: number, whole: number): number =>
  halfUp(BigInt(amount) * BigInt(part), BigInt(whole))
const hundredPercent = 1_000_000 // in ten-thousandths of a percent
export const percentOf = (amount: number, tenThousandths: number): number =>
  share(amount, tenThousandths, hundredPercent)

/** Without a unit Clover ignores the number. */
const thousandths = (line: NativeLine): number => (text(line.unitName) && whole(line.unitQty)) || 1000
const modificationsOf = (line: NativeLine): number =>
  elementsOf(line.modifications).reduce((sum, { amount }) => sum + whole(amount), 0)
/** Modifiers are added once, however much there is of something sold by measure. */
export const amountOf = (line: NativeLine): number =>
  share(whole(line.price), thousandths(line), 1000) + modificationsOf(line)

export interface Reduction {
  name?: string | undefined
  percent?: number | undefined
  amount: number
}
/** Percentages come first, then amounts, until nothing is left. */
export function reductionsOf(amount: number, discounts: readonly NativeDiscount[]): Reduction[] {
  let left = Math.max(0, amount)
  const take = (wanted: number) => {
    const taken = Math.min(left, Math.max(0, wanted))
    left -= taken
    return taken
  }
  const percentIn = ({ percentage, percentageDecimal }: NativeDiscount) =>
    number(percentageDecimal) === undefined ? whole(percentage) * 10_000 : whole(percentageDecimal)
  return [
    ...discounts
      .filter((one) => percentIn(one) > 0)
      .map((one) => ({
        name: text(one.name),
        percent: percentIn(one) / 10_000,
        amount: take(percentOf(Math.max(0, amount), percentIn(one))),
      })),
    ...discounts
      .filter((one) => whole(one.amount) !== 0)
      .map((one) => ({ name: text(one.name), amount: take(Math.abs(whole(one.amount))) })),
  ]
}
/** A line can have a discount without a name instead. */
export function lineReductions(line: NativeLine): Reduction[] {
  const named = elementsOf(line.discounts)
  const unnamed = whole(line.discountAmount)
  return reductionsOf(amountOf(line), named.length === 0 && unnamed !== 0 ? [{ amount: unnamed }] : named)
}
export const sumOf = (parts: readonly { amount: number }[]): number =>
  parts.reduce((sum, { amount }) => sum + amount, 0)
export const discountOf = (line: NativeLine): number => sumOf(lineReductions(line))

/** A line that was replaced by another one counts nowhere; an order fee is a charge. */
export const goodsIn = (lines: readonly NativeLine[]): NativeLine[] =>
  lines.filter((line) => !flag(line.exchanged) && !flag(line.isOrderFee)).toSorted(inOrder)
export const feesIn = (lines: readonly NativeLine[]): NativeLine[] =>
  lines.filter((line) => !flag(line.exchanged) && flag(line.isOrderFee) === true)

/**
 * Marks which line of a record and which of its units a native line is, so that units stay together regardless of
 * changes at the POS.
 */
const markPattern = /^(\w{16})\.(\d+)\.(\d+)$/
export const markOf = (reference: string, line: number, unit: number): string => `${reference}.${line}.${unit}`

export interface FoldedLine {
  unified: LineItem
  natives: NativeLine[]
}
interface Whole {
  lines: readonly NativeLine[]
  currency: string | undefined
  isVat: boolean
  orderDiscount: number
}
/**
 * Clover has no quantity: N units are N lines. Lines with the same mark, otherwise identical lines, become one line
 * again. Each gets its share of the discounts on the order.
 */
export function foldLines({ lines, currency, isVat, orderDiscount }: Whole): FoldedLine[] {
  const goods = goodsIn(lines)
  const costs = goods.map((line) => amountOf(line) - discountOf(line))
  const shares = new Map(
    distribute(
      orderDiscount,
      costs.map((cost) => Math.max(0, cost)),
    ).map((part, n) => [goods[n]!.id, part]),
  )
  return [...Map.groupBy(goods, groupOf).values()].map((natives) => {
    const first = natives[0]!
    const measured = thousandths(first)
    const gross = natives.reduce((sum, line) => sum + amountOf(line), 0)
    const lineDiscount = natives.reduce((sum, line) => sum + discountOf(line) + (shares.get(line.id) ?? 0), 0)
    return {
      natives,
      unified: compact({
        externalId: text(first.id),
        productExternalId: text(first.item?.id),
        name: text(first.name),
        // Gift cards and donations: money that is owed to somebody.
        kind: flag(first.isRevenue) === false ? 'GIFT_CARD' : 'ITEM',
        quantity: measured === 1000 ? natives.length : measured / 1000,
        unitPrice: fromMinor(unitPriceOf(first), currency),
        lineDiscount: fromMinor(lineDiscount, currency),
        lineTotal: fromMinor(gross - lineDiscount, currency),
        modifiers: modifiersOf(first, currency),
        taxes: linesTaxesOf(first, isVat),
        note: text(first.note),
      }) as unknown as LineItem,
    }
  })
}
/** Of something sold by measure, the price has to be rounded if modifiers are added to the whole. */
function unitPriceOf(line: NativeLine): number | undefined {
  const added = modificationsOf(line)
  if (number(line.price) === undefined || added === 0) return number(line.price)
  const price = whole(line.price)
  return thousandths(line) === 1000 ? price + added : share(amountOf(line), 1000, thousandths(line))
}
function modifiersOf(line: NativeLine, currency: string | undefined): Modifier[] | undefined {
  const found = elementsOf(line.modifications)
  if (found.length === 0) return undefined
  const alike = Map.groupBy(found, (one) => JSON.stringify(modificationOf(one)))
  return [...alike.values()].map(
    (same) =>
      compact({
        modifierExternalId: text(same[0]!.modifier?.id),
        modifierGroupExternalId: text(same[0]!.modifier?.modifierGroup?.id),
        name: text(same[0]!.name),
        quantity: same.length,
        price: fromMinor(whole(same[0]!.amount), currency),
      }) as Modifier,
  )
}
/** 825 000 is 8.25 percent. */
export const percentIn = (rate: number | undefined): number | undefined =>
  rate === undefined ? undefined : rate / 100_000
function linesTaxesOf(line: NativeLine, included: boolean): LineItem['taxes'] {
  const rates = elementsOf(line.taxRates)
  if (rates.length === 0) return undefined
  return rates.map(({ id, name, rate }) =>
    compact({ taxRateExternalId: text(id), name: text(name), rate: percentIn(number(rate)), included }),
  ) as LineItem['taxes']
}
const modificationOf = ({ modifier, name, amount }: NativeModification) => [
  text(modifier?.id),
  text(name),
  whole(amount),
]
function groupOf(line: NativeLine): string {
  const alike = [number(line.price), elementsOf(line.modifications).map(modificationOf)]
  const [, reference, position] = markPattern.exec(line.userData ?? '') ?? []
  if (reference) return JSON.stringify([reference, position, ...alike])
  const measured = thousandths(line) !== 1000
  return JSON.stringify([
    text(line.item?.id),
    text(line.name),
    ...alike,
    text(line.note),
    flag(line.refunded),
    flag(line.isRevenue),
    discountOf(line),
    measured ? line.id : '',
  ])
}
/** Lines of the same second have no order at Clover: with their ids they have the same one in every call. */
function inOrder(a: NativeLine, b: NativeLine): number {
  const [, , lineA = 0, unitA = 0] = markPattern.exec(a.userData ?? '') ?? []
  const [, , lineB = 0, unitB = 0] = markPattern.exec(b.userData ?? '') ?? []
  return (
    (a.createdTime ?? 0) - (b.createdTime ?? 0) ||
    Number(lineA) - Number(lineB) ||
    Number(unitA) - Number(unitB) ||
    ((text(a.id) ?? '') < (text(b.id) ?? '') ? -1 : 1)
  )
}
