// The money of an order that goes to another platform: what the target has no field for becomes a line, so that the
// total stays.
import { currencyExponents } from '../contract/currency.ts'
import { placesOf, valueAt } from '../contract/pointer.ts'
import type { Note, SourceRecord } from './shape.ts'

type Line = Record<string, unknown> & { quantity: number; unitPrice?: number; lineDiscount?: number }
interface Charge {
  name?: string
  amount?: number
}
const labels: Readonly<Record<string, string>> = {
  '/serviceChargeTotal': 'Service charge',
  '/serviceCharges': 'Service charge',
  '/shippingTotal': 'Shipping',
  '/roundingTotal': 'Rounding',
  '/tipTotal': 'Tip',
}

/** Makes lines of a field that the target refuses; undefined if it is none of those with money. */
export function moneyAsLines(
  body: SourceRecord,
  pointer: string,
  notes: Note[],
  { tipIncluded }: Readonly<Record<string, unknown>>, // of the source
): true | undefined {
  const label = labels[pointer]
  const value = valueAt(body, pointer)
  if (label === undefined) return undefined
  if (value === undefined) return true // gone with another one
  const isCharge = pointer.startsWith('/serviceCharge')
  const charges = isCharge ? (body.serviceCharges as Charge[] | undefined) : undefined
  const amounts: Charge[] = charges?.length ? charges : [{ amount: value as number }]
  for (const name of isCharge ? ['serviceCharges', 'serviceChargeTotal'] : [pointer.slice(1)]) delete body[name]
  // A tip beside the total is not a part of the price.
  const isPart = pointer !== '/tipTotal' || tipIncluded === true
  const all = body.lineItems as Line[]
  const lines = isPart ? amounts.filter(({ amount }) => amount !== undefined && amount !== 0) : []
  for (const { name, amount = 0 } of lines) {
    const kind = 'requirement'
    if (amount > 0) {
      all.push({ name: name ?? label, quantity: 1, unitPrice: amount, lineDiscount: 0 })
      notes.push({ pointer: '/lineItems/-', kind, message: `${name ?? label} is a line of its own.` })
    } else {
      const at = takeOff(all, -amount, String(body.currencyCode))
      notes.push({
        pointer: `/lineItems/${at}/lineDiscount`,
        kind,
        message: `${name ?? label} is taken off this line.`,
      })
    }
  }
  const sum = lines.map(({ amount }) => amount).join(', ')
  notes.push({
    pointer,
    kind: 'requirement',
    message: isPart
      ? `The target has no field for it: ${sum || '0'} is ${Number(amounts[0]?.amount) < 0 ? 'taken off the lines' : 'a line of its own'}, so that the total stays.`
      : 'The target has tips with their payments only. The total does not contain it.',
  })
  return true
}

/** From the line that costs most, whose index it returns: a discount is never larger than its line. */
function takeOff(lines: Line[], amount: number, currency: string): number {
  const exponent = currencyExponents[currency] ?? 4
  const minor = (value = 0) => Math.round(value * 10 ** exponent)
  const worth = ({ quantity, unitPrice, lineDiscount }: Line) => minor(unitPrice) * quantity - minor(lineDiscount)
  const most = lines.reduce((best, line) => (worth(line) > worth(best) ? line : best), lines[0] as Line)
  most.lineDiscount = (minor(most.lineDiscount) + minor(amount)) / 10 ** exponent
  return lines.indexOf(most)
}

interface Priced {
  quantity?: number
  price?: number
  modifiers?: readonly Priced[]
}
const costOf = (modifiers: readonly Priced[]): number =>
  modifiers.reduce(
    (sum, { quantity = 1, price = 0, modifiers: nested = [] }) => sum + quantity * (price + costOf(nested)),
    0,
  )
/** Modifiers of a weighed line, say, cost more than one unit of it: no target can take them off its price. */
export function withoutCostlyModifiers(body: SourceRecord, notes: Note[]): void {
  for (const { pointer, value, set } of placesOf(body, '/lineItems/*/modifiers')) {
    const unitPrice = valueAt(body, pointer.replace(/modifiers$/, 'unitPrice'))
    if (typeof unitPrice !== 'number' || costOf(value as Priced[]) <= unitPrice + 1e-9) continue
    set(undefined)
    notes.push({
      pointer,
      kind: 'requirement',
      message: 'These modifiers cost more than one unit of the line. Their price stays in unitPrice.',
    })
  }
}

/** Modifiers that the target does not know: their names and prices stay in the line. */
export function withoutModifiers(body: SourceRecord, pointer: string, notes: Note[]): true | undefined {
  const [, at] = /^(\/lineItems\/\d+\/modifiers)(?:\/|$)/.exec(pointer) ?? []
  if (at === undefined) return undefined
  for (const place of placesOf(body, at)) place.set(undefined)
  notes.push({
    pointer: at,
    kind: 'requirement',
    message: 'The target does not know these modifiers. Their price stays in unitPrice.',
  })
  return true
}
