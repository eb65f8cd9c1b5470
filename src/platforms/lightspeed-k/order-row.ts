// How open checks and sales are read.
import type { Excluded, Mapping } from '../../contract/connector.ts'
import type { Discount, LineItem, Modifier, Order, ServiceCharge, Tax } from '../../contract/entities/order.ts'
import { businessDateOf, zoneOf } from '../../kit/business-day.ts'
import { compact, flag, list, number, text } from '../../kit/fields.ts'
import { stateTable } from '../../kit/states.ts'
import { latestOf, toUtc } from '../../kit/time.ts'
import { currencyOf, locationOf } from './account.ts'
import { accountId, type Check, isDirect, isRefund, type OrderRow, originalOf, type Sale } from './check.ts'
import {
  addedTax,
  all,
  apportion,
  checkLine,
  discountOf,
  major,
  majorOf,
  micros,
  nested,
  rounded,
  type Sold,
  scaled,
  soldLine,
  sum,
  type TaxPart,
  totalOf,
  type Unit,
  unitOf,
  withoutVoids,
} from './sold.ts'

/** A sale's type is the kind of receipt; all of them are closed. */
const states = stateTable({ SALE: 'COMPLETED', VOID: 'CANCELED', CANCEL: 'CANCELED' })
/**
 * Moves between accounts, tables, days and locations, corrections of payments and change for the drawer: they sum to
 * zero, or are counted elsewhere.
 */
const transfers = ['TRANSITORY', 'RECALL', 'SPLIT', 'TRANSFER', 'UPDATE', 'FLOAT', 'CROSS_BL']
export function excludedOf({ sale }: OrderRow): Excluded | undefined {
  if (sale && isRefund(sale)) return { as: 'refund', of: isDirect(sale) ? originalOf(sale) : undefined }
  return transfers.includes(sale?.type ?? '') ? { as: 'transfer' } : undefined
}

/** What an order consists of, before it is rounded. */
interface Parts {
  lines: Sold[]
  isChargeInside: (line: Sold) => boolean
  rounding?: number
  surcharge: number
  isSurchargeBeside?: boolean // the amounts of payments do not contain it
  total?: number // in micros, as the platform has it
}
const costOf = ({ lines, isChargeInside }: Pick<Parts, 'lines' | 'isChargeInside'>): number =>
  totalOf(lines, (line) => line.amount + addedTax(line) + (isChargeInside(line) ? 0 : line.charge))

function taxTable(lines: readonly Sold[], added: number, unit: Unit): { taxes: Tax[]; total: number } {
  const keyOf = ({ code, rate, included }: TaxPart) => JSON.stringify([code, rate, included])
  const groups = [
    ...Map.groupBy(
      lines.flatMap(all).flatMap((line) => line.taxes),
      keyOf,
    ).values(),
  ]
  const amounts = groups.map((group) => sum(group.map(({ amount }) => amount)))
  const isIncluded = groups.map(([first]) => first!.included)
  const inside = amounts.map((amount, n) => (isIncluded[n] ? amount : 0))
  const onTop = amounts.map((amount, n) => (isIncluded[n] ? 0 : amount))
  const [within, above] = [apportion(inside, rounded(sum(inside), unit), unit), apportion(onTop, added, unit)]
  const taxes = groups.map((group, n) => {
    const { code, rate, base, included } = group[0]!
    const bases = base === undefined ? undefined : sum(group.map((tax) => tax.base ?? 0))
    return compact({
      taxRateExternalId: code,
      rate,
      amount: major(within[n]! + above[n]!, unit),
      base: bases === undefined ? undefined : majorOf(bases, unit),
      included,
    }) as Tax
  })
  return { taxes, total: sum(within) + sum(above) }
}
function discountTable(lines: readonly Sold[], total: number, unit: Unit): Discount[] {
  const found = lines.flatMap(all).flatMap(({ discounts }) => discounts.filter(({ amount }) => amount !== 0))
  const grouped = [
    ...found.filter(({ scope }) => scope === 'LINE').map((one) => [one]),
    ...Map.groupBy(
      found.filter(({ scope }) => scope === 'ORDER'),
      ({ name }) => name,
    ).values(),
  ]
  const amounts = apportion(
    grouped.map((group) => sum(group.map(({ amount }) => amount))),
    total,
    unit,
  )
  return grouped.map(([first], n) =>
    compact({ name: first!.name, scope: first!.scope, amount: major(amounts[n]!, unit) }),
  )
}

const one = 1_000_000
/** The listed price, if quantity and price make the amount; otherwise the amount for each. */
function unitPrice(line: Sold, gross: number, unit: Unit): number {
  const quantity = Math.abs(line.quantity) || one
  const parts = all(line)
  const listed = parts.every(({ price }) => price !== undefined)
    ? sum(parts.map((part) => scaled(part.price!, part.quantity, one)))
    : undefined
  const exact = listed !== undefined && rounded(listed, unit) === gross ? listed : gross * unit.micros
  return majorOf(scaled(exact, one, quantity), unit)
}
const perUnit = (quantity: number, of: number): number => scaled(quantity, one, of || one) / one
function modifiersOf(line: Sold, unit: Unit, depth = 1): Modifier[] {
  return [
    ...line.parts.flatMap((part): Modifier[] => {
      const below = modifiersOf(part, unit, depth + 1)
      const own = {
        modifierExternalId: part.sku,
        name: part.name,
        quantity: perUnit(part.quantity, line.quantity),
        price: unitPrice({ ...part, parts: [] }, rounded(part.amount + discountOf(part), unit), unit),
      }
      // Of deeper levels there is one.
      if (depth === 1) return [compact({ ...own, modifiers: below.length > 0 ? below : undefined })]
      return [compact(own), ...below]
    }),
    ...line.instructions,
  ]
}

/** The parts of the order that add up to its total, in the currency's minor unit. */
function assembled(parts: Parts, products: OrderRow['products'], unit: Unit) {
  const { lines, isChargeInside, rounding, surcharge } = parts
  const net = lines.map((line) => totalOf([line], (part) => part.amount - (isChargeInside(part) ? part.charge : 0)))
  const charge = totalOf(lines, (line) => line.charge)
  const added = totalOf(lines, addedTax)
  const exact = sum(net) + charge + added
  const beside = (rounding ?? 0) + surcharge
  // The platform may round a half the other way.
  const told = parts.total === undefined ? undefined : parts.total - beside
  const isClose = told !== undefined && Math.abs(told - exact) * 2 <= unit.micros
  const cost = rounded(isClose ? told : exact, unit)
  const shares = apportion([...net, charge, added], cost, unit)
  const [chargeShare, addedShare] = shares.slice(-2) as [number, number]
  const { taxes, total: taxTotal } = taxTable(lines, addedShare, unit)
  const ofLines = (of: (line: Sold) => number) => lines.map((line) => totalOf([line], of))
  const taxOf = ({ taxes: own }: Sold) => sum(own.map(({ amount }) => amount))
  const lineTaxes = apportion(ofLines(taxOf), taxTotal, unit)
  const discounts = ofLines(discountOf)
  const discountTotal = rounded(sum(discounts), unit)
  const lineDiscounts = apportion(discounts, discountTotal, unit)
  const included = lines.flatMap(all).flatMap((line) => line.taxes.map((tax) => tax.included))
  const items = lines.map((line, n): LineItem => {
    const [lineTotal, lineTax, lineDiscount] = [shares[n]!, lineTaxes[n]!, lineDiscounts[n]!]
    const modifiers = modifiersOf(line, unit)
    const own = { ...taxTable([line], rounded(totalOf([line], addedTax), unit), unit) }
    return compact({
      externalId: line.id,
      productExternalId: products?.[line.sku ?? ''],
      name: line.name,
      kind: 'ITEM',
      // A unified line has a positive quantity: what is returned has a negative price.
      quantity: Math.abs(line.quantity || 1e6) / 1e6,
      unitPrice: unitPrice(line, lineTotal + lineDiscount, unit),
      lineTax: major(lineTax, unit),
      lineDiscount: major(lineDiscount, unit),
      lineTotal: major(lineTotal, unit),
      modifiers: modifiers.length > 0 ? modifiers : undefined,
      taxes: own.taxes.length > 0 ? own.taxes : undefined,
      categoryExternalId: line.category,
    })
  })
  const charges: ServiceCharge[] = [
    ...(chargeShare === 0 ? [] : [{ kind: 'SERVICE' as const, amount: major(chargeShare, unit) }]),
    ...(surcharge === 0 ? [] : [{ kind: 'SURCHARGE' as const, amount: majorOf(surcharge, unit) }]),
  ]
  return {
    subtotal: major(sum(shares.slice(0, -2)), unit),
    discountTotal: major(discountTotal, unit),
    serviceChargeTotal: major(chargeShare + rounded(surcharge, unit), unit),
    serviceCharges: charges.length > 0 ? charges : undefined,
    discounts: discountTotal === 0 ? undefined : discountTable(lines, discountTotal, unit),
    roundingTotal: rounding === undefined ? undefined : majorOf(rounding, unit),
    taxIncluded: included.every(Boolean) ? true : included.some(Boolean) ? undefined : false,
    taxes: taxes.length > 0 ? taxes : undefined,
    taxTotal: major(taxTotal, unit),
    total: major(told === undefined || isClose ? cost + rounded(beside, unit) : rounded(parts.total!, unit), unit),
    lineItems: items,
  }
}

const contains = (line: Sold): boolean => line.taxes.every(({ included }) => included)
/**
 * Where the service charge of prices without taxes is, and whether lines with a reason of a void count, is not
 * documented: what was paid decides. Nothing paid: as in the example of the documentation.
 */
function partsOf(sale: Sale): Parts {
  const sold = list(sale.salesLines).map(soldLine)
  const payments = list(sale.payments)
  const surcharge = sum(payments.map((payment) => micros(payment.surcharge)))
  const roundings = payments.filter(({ roundingAmount }) => roundingAmount !== undefined && roundingAmount !== null)
  const rounding = roundings.length > 0 ? sum(roundings.map((one) => micros(one.roundingAmount))) : undefined
  const counted = sold.filter(({ isVoided, quantity }) => !isVoided || quantity < 0)
  const choices = [sold, counted].flatMap((chosen) => {
    const lines = withoutVoids(nested(chosen))
    return [contains, (line: Sold) => !contains(line)].map((isChargeInside) => ({ lines, isChargeInside }))
  })
  const fallback = { ...choices[0]!, rounding, surcharge }
  const isPaid = payments.length > 0 && payments.every((payment) => text(payment.netAmountWithTax) !== undefined)
  if (!isPaid || flag(sale.cancelled)) return fallback
  const paid = sum(payments.map(({ netAmountWithTax }) => micros(netAmountWithTax)))
  const bare = paid - (rounding ?? 0)
  // A sum of half-even amounts may be half a unit away from the exact sum.
  const near = (amount: number) => (choice: (typeof choices)[number]) => Math.abs(costOf(choice) - amount) <= 5000
  const beside = choices.find(near(bare))
  if (beside) return { ...beside, rounding, surcharge, isSurchargeBeside: true, total: paid + surcharge }
  const within = surcharge === 0 ? undefined : choices.find(near(bare - surcharge))
  return { ...(within ?? fallback), rounding, surcharge, total: paid }
}
/** What a sale costs, in the currency's minor unit. Negative for a refund. */
export function saleTotal(sale: Sale, currency: string): number {
  const { total, ...parts } = partsOf(sale)
  return rounded(total ?? costOf(parts) + (parts.rounding ?? 0) + parts.surcharge, unitOf(currency))
}
export const isSurchargeBeside = (sale: Sale): boolean => partsOf(sale).isSurchargeBeside === true
/** The lines of a refund, each with its taxes and service charge. Amounts are positive, whatever their sign at the platform. */
export function refundedLines(sale: Sale, currency: string) {
  const unit = unitOf(currency)
  const { lines, isChargeInside } = partsOf(sale)
  const taxOf = (line: Sold) => totalOf([line], ({ taxes }) => sum(taxes.map(({ amount }) => amount)))
  const apportioned = (amounts: readonly number[]) => apportion(amounts, rounded(sum(amounts), unit), unit)
  const amounts = apportioned(lines.map((line) => costOf({ lines: [line], isChargeInside })))
  const taxes = apportioned(lines.map(taxOf))
  return lines.map(({ sku, name, quantity }, n) => ({
    sku,
    name,
    quantity: (Math.abs(quantity) || one) / one,
    amount: major(Math.abs(amounts[n]!), unit),
    tax: major(Math.abs(taxes[n]!), unit),
  }))
}

export const currencyIn = (sale: Sale, mapping: Mapping): string =>
  text(list(sale.salesLines)[0]?.currency) ?? currencyOf(mapping)
function fromSale(row: OrderRow & { sale: Sale }, mapping: Mapping): Partial<Order> {
  const { sale, products } = row
  const refunds = list(row.refunds)
  const lines = list(sale.salesLines)
  const payments = list(sale.payments)
  const currency = currencyIn(sale, mapping)
  const unit = unitOf(currency)
  const covers = number(sale.nbCovers)
  const closedAt = toUtc(sale.timeClosed)
  const refunded = sum(refunds.map((refund) => Math.abs(saleTotal(refund, currency))))
  return {
    orderNumber: text(sale.receiptId) ?? sale.accountFiscId,
    processedAt: latestOf(...payments.map(({ fiscDate }) => toUtc(fiscDate))) ?? closedAt ?? toUtc(sale.timeOfOpening),
    closedAt,
    businessDate: businessDateOf(closedAt, zoneOf(mapping.account.settings), mapping.account.settings),
    customerExternalId: text(payments.find(({ consumer }) => consumer?.id)?.consumer?.id),
    employeeExternalId: text(sale.ownerId),
    channel: text(sale.accountProfileCode),
    guestCount: covers !== undefined && covers > 0 && Number.isInteger(covers) ? covers : undefined,
    fulfillment: fulfillmentOf(flag(sale.dineIn) === true, text(sale.tableName) ?? text(sale.tableNumber)),
    currencyCode: currency,
    state: flag(sale.cancelled) ? 'CANCELED' : states.read(sale.type ?? 'SALE', mapping),
    note: text(sale.voidReason) ?? text(lines.find(({ voidReason }) => voidReason)?.voidReason),
    tipTotal: payments.length > 0 ? majorOf(sum(payments.map(({ tip }) => micros(tip))), unit) : undefined,
    tipIncluded: payments.length > 0 ? false : undefined,
    refundTotal: refunds.length > 0 ? major(refunded, unit) : undefined,
    ...assembled(partsOf(sale), products, unit),
  }
}
const fulfillmentOf = (isDineIn: boolean, table: string | undefined) =>
  isDineIn || table !== undefined ? compact({ type: isDineIn ? ('DINE_IN' as const) : undefined, table }) : undefined

function fromCheck({ check, products }: OrderRow & { check: Check }, mapping: Mapping): Partial<Order> {
  const openedAt = toUtc(check.openDate, 'UTC')
  const currency = currencyOf(mapping)
  const sold = list(check.salesEntries)
    .filter(({ active }) => active !== false)
    .map(checkLine)
  // The charge is on the whole check: no line has it.
  const lines = withoutVoids(sold)
  const [first, ...rest] = lines
  const charged = first ? [{ ...first, charge: micros(check.serviceCharge) }, ...rest] : lines
  const covers = number(check.clientCount)
  const { discounts: _, ...parts } = assembled(
    {
      lines: charged,
      isChargeInside: () => false,
      surcharge: 0,
      total: text(check.currentAmount) === undefined ? undefined : micros(check.currentAmount),
    },
    products,
    unitOf(currency),
  )
  return {
    orderNumber: text(check.name) ?? check.ikaccountId,
    processedAt: openedAt,
    businessDate: businessDateOf(openedAt, zoneOf(mapping.account.settings), mapping.account.settings),
    employeeExternalId: text(check.staffId),
    guestCount: covers !== undefined && covers > 0 && Number.isInteger(covers) ? covers : undefined,
    fulfillment: fulfillmentOf(false, text(check.tableNumber)),
    currencyCode: currency,
    state: 'OPEN',
    ...parts,
  }
}
export function toUnified(row: OrderRow, mapping: Mapping): Order {
  const { sale, check } = row
  const order = sale ? fromSale({ ...row, sale }, mapping) : fromCheck({ ...row, check: check! }, mapping)
  return {
    externalId: accountId(row),
    locationExternalId: text(locationOf(mapping)),
    ...order,
  } as Order
}
