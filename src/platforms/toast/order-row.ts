// What an order of Toast says: https://doc.toasttab.com/doc/devguide/apiOrdersObjectSummary.html
import type { Excluded, Mapping } from '../../contract/connector.ts'
import type { Discount, LineItem, Modifier, Order, OrderState, ServiceCharge } from '../../contract/entities/order.ts'
import type { Pointer } from '../../contract/entity.ts'
import { filled, flag, list, number, text } from '../../kit/fields.ts'
import { fromDecimal, fromMinor, timesMinor } from '../../kit/money.ts'
import { stateTable } from '../../kit/states.ts'
import { fromToastDate, minorOf, sum, toDay } from './api.ts'
import { grouped, type NativeTax, toTax } from './tax-rate-row.ts'

type Amount = number | null
interface Referred {
  guid?: string | null
}
interface NativeDiscount {
  name?: string | null
  discount?: Referred | null
  discountAmount?: Amount
  nonTaxDiscountAmount?: Amount
  discountPercent?: Amount
  processingState?: string | null
}
/** Without taxes; the payment has the refund itself. */
interface NativeRefundDetails {
  refundAmount?: Amount
  taxRefundAmount?: Amount
  refundTransaction?: Referred | null
}
export interface NativeSelection {
  guid?: string
  item?: Referred | null
  itemGroup?: Referred | null
  optionGroup?: Referred | null
  displayName?: string | null
  selectionType?: string | null
  deferred?: boolean | null
  quantity?: Amount
  receiptLinePrice?: Amount
  preDiscountPrice?: Amount
  price?: Amount
  tax?: Amount
  taxInclusion?: string | null
  voided?: boolean | null
  modifiers?: NativeSelection[] | null
  refundDetails?: NativeRefundDetails | null
  appliedDiscounts?: NativeDiscount[] | null
  appliedTaxes?: NativeTax[] | null
}
export interface NativeCharge {
  name?: string | null
  chargeAmount?: Amount
  delivery?: boolean | null
  takeout?: boolean | null
  dineIn?: boolean | null
  gratuity?: boolean | null
  serviceChargeCategory?: string | null
  paymentGuid?: string | null
  refundDetails?: NativeRefundDetails | null
  appliedTaxes?: NativeTax[] | null
}
export interface NativePayment {
  tipAmount?: Amount
  paymentStatus?: string | null
  refund?: { refundAmount?: Amount } | null
}
export interface NativeCheck {
  displayNumber?: string | null
  paymentStatus?: string
  voided?: boolean | null
  deleted?: boolean | null
  tabName?: string | null
  taxAmount?: Amount
  totalAmount?: Amount
  customer?: {
    guid?: string | null
    firstName?: string | null
    lastName?: string | null
    phone?: string | null
  } | null
  selections?: NativeSelection[] | null
  appliedDiscounts?: NativeDiscount[] | null
  appliedServiceCharges?: NativeCharge[] | null
  payments?: NativePayment[] | null
}
export interface NativeOrder {
  guid: string
  displayNumber?: string | null
  source?: string | null
  businessDate?: number | string | null
  openedDate?: string | null
  paidDate?: string | null
  closedDate?: string | null
  promisedDate?: string | null
  modifiedDate?: string | null
  approvalStatus?: string | null
  numberOfGuests?: number | null
  voided?: boolean | null
  deleted?: boolean | null
  excessFood?: boolean | null
  createdInTestMode?: boolean | null
  server?: Referred | null
  table?: Referred | null
  diningOption?: Referred | null
  deliveryInfo?: {
    address1?: string | null
    address2?: string | null
    city?: string | null
    state?: string | null
    administrativeArea?: string | null
    zipCode?: string | null
    country?: string | null
    notes?: string | null
    deliveryState?: string | null
  } | null
  curbsidePickupInfo?: {
    transportColor?: string | null
    transportDescription?: string | null
    notes?: string | null
  } | null
  checks?: NativeCheck[] | null
}
/** Orders have no currency: it is the restaurant's. Dining options and tables are references to its configuration. */
export type OrderRow = NativeOrder & {
  currency?: string
  dining?: { behavior?: string | null; curbside?: boolean | null }
  tableName?: string
}

const payment = stateTable({ OPEN: 'OPEN', PAID: 'OPEN', CLOSED: 'COMPLETED' })
const approval = stateTable({
  APPROVED: 'OPEN',
  NEEDS_APPROVAL: 'PENDING',
  FUTURE: 'PENDING',
  NOT_APPROVED: 'CANCELED',
})

/**
 * An order has no state field: the state follows from its checks and the restaurant's approval. A closed check can be
 * reopened.
 */
export function stateOf(order: NativeOrder, mapping: Pick<Mapping, 'warn'>): OrderState | undefined {
  if (gone(order)) return 'CANCELED'
  const paid = liveChecks(order).map(({ paymentStatus }) => payment.read(paymentStatus, mapping))
  if (paid.length > 0 && paid.every((state) => state === 'COMPLETED')) return 'COMPLETED'
  if (paid.includes(undefined)) return undefined
  return order.approvalStatus ? approval.read(order.approvalStatus, mapping) : 'OPEN'
}
export function excluded({ excessFood, createdInTestMode }: NativeOrder): Excluded | undefined {
  if (flag(excessFood)) return { as: 'waste' }
  return flag(createdInTestMode) ? { as: 'test' } : undefined
}

const gone = ({ voided, deleted }: { voided?: boolean | null; deleted?: boolean | null }): boolean =>
  Boolean(flag(voided) || flag(deleted))
/** For a voided or deleted order, all checks are included: they contain what was canceled. */
const liveChecks = (order: NativeOrder): NativeCheck[] =>
  list(order.checks).filter((check) => gone(order) || !gone(check))

const any = <T>(entries: T[]): T[] | undefined => (entries.length > 0 ? entries : undefined)

/** Loyalty discounts that were taken back are still listed. */
const appliedIn = (discounts: NativeDiscount[] | null | undefined): NativeDiscount[] =>
  list(discounts).filter(({ processingState }) => !/VOID/.test(text(processingState) ?? ''))
/** Where the price contains taxes, a part of the discount is on them. */
const offPrice = ({ nonTaxDiscountAmount, discountAmount }: NativeDiscount, currency: string | undefined) =>
  minorOf(nonTaxDiscountAmount ?? discountAmount, currency)

/** Each modifier has the quantity of its line. */
const perUnit = ({ quantity }: NativeSelection, units: number): number =>
  Number(((fromDecimal(quantity) ?? units) / units).toFixed(6))
const isRequest = ({ selectionType, preDiscountPrice }: NativeSelection): boolean =>
  text(selectionType) === 'SPECIAL_REQUEST' && !fromDecimal(preDiscountPrice)
const ownModifiers = ({ modifiers }: NativeSelection): NativeSelection[] =>
  list(modifiers).filter((one) => !isRequest(one) && !flag(one.voided))
const allBelow = (selection: NativeSelection): NativeSelection[] =>
  ownModifiers(selection).flatMap((one) => [one, ...allBelow(one)])

/** Without taxes. `receiptLinePrice` contains them where the price of the item does. */
function unitMinor(selection: NativeSelection, inclusive: boolean, currency: string | undefined): number | undefined {
  const listed = minorOf(selection.receiptLinePrice, currency)
  const whole = minorOf(selection.preDiscountPrice, currency)
  const quantity = fromDecimal(selection.quantity) ?? 1
  if (!inclusive || whole === undefined || quantity === 0) return listed
  const nested = sum(ownModifiers(selection).map(({ preDiscountPrice }) => minorOf(preDiscountPrice, currency)))
  return Math.round((whole - nested) / quantity)
}
function toModifier(
  native: NativeSelection,
  units: number,
  inclusive: boolean,
  currency: string | undefined,
): Modifier {
  const own = (one: NativeSelection) => ({
    modifierExternalId: text(one.item?.guid), // absent on a special request with a price
    modifierGroupExternalId: text(one.optionGroup?.guid),
    name: text(one.displayName),
    quantity: perUnit(one, units),
    price: fromMinor(unitMinor(one, inclusive, currency), currency),
  })
  const nested = allBelow(native)
  return { ...own(native), modifiers: any(nested.map(own)) }
}

/** `preDiscountPrice` is for all units, with modifiers and without taxes; `receiptLinePrice` for one, without modifiers. */
function priceOfOne(selection: NativeSelection, before: number | undefined, currency: string | undefined) {
  const quantity = fromDecimal(selection.quantity) ?? 1
  const listed = minorOf(selection.receiptLinePrice, currency)
  if (before === undefined) return listed
  if (quantity === 0) return undefined
  const modifiers = allBelow(selection).map((one) =>
    timesMinor(perUnit(one, quantity), minorOf(one.receiptLinePrice, currency) ?? 0),
  )
  const whole = listed === undefined ? undefined : listed + sum(modifiers)
  if (whole !== undefined && timesMinor(quantity, whole) === before) return whole
  return Math.round(before / quantity)
}
interface Line {
  line: LineItem
  total: number
  discount: number
}
export function toLine(selection: NativeSelection, currency: string | undefined): Line {
  const discounts = [selection, ...allBelow(selection)].flatMap(({ appliedDiscounts }) => appliedIn(appliedDiscounts))
  const listed = sum(discounts.map((one) => offPrice(one, currency)))
  const gross = minorOf(selection.preDiscountPrice, currency)
  const after = minorOf(selection.price, currency) ?? (gross === undefined ? undefined : gross - listed)
  // The difference has the share of discounts on the check, which no selection lists.
  const before = after !== undefined && (gross === undefined || gross < after) ? after + listed : gross
  const discount = before === undefined || after === undefined ? undefined : before - after
  const quantity = fromDecimal(selection.quantity) ?? 1
  const inclusive = text(selection.taxInclusion) === 'INCLUDED'
  const modifiers = ownModifiers(selection).map((one) => toModifier(one, quantity || 1, inclusive, currency))
  const notes = list(selection.modifiers)
    .filter(isRequest)
    .flatMap(({ displayName }) => text(displayName) ?? [])
  const taxes = list(selection.appliedTaxes).map((tax) => toTax(tax, after, currency))
  const line: LineItem = {
    externalId: text(selection.guid),
    productExternalId: text(selection.item?.guid), // absent on gift cards and special requests
    categoryExternalId: text(selection.itemGroup?.guid),
    name: text(selection.displayName),
    kind: isGiftCard(selection) ? 'GIFT_CARD' : 'ITEM',
    quantity,
    unitPrice: fromMinor(priceOfOne(selection, before, currency), currency),
    lineTax: fromDecimal(selection.tax),
    lineDiscount: fromMinor(discount, currency),
    lineTotal: fromMinor(after, currency),
    modifiers: any(modifiers),
    taxes: any(taxes),
    note: any(notes)?.join('\n'),
  }
  return { line, total: after ?? 0, discount: discount ?? 0 }
}
const isGiftCard = ({ deferred, selectionType }: NativeSelection): boolean =>
  flag(deferred) === true || /^TOAST_CARD_(SELL|RELOAD)$/.test(text(selectionType) ?? '')

function kindOf({ gratuity, delivery, takeout, dineIn, ...charge }: NativeCharge): ServiceCharge['kind'] {
  const category = text(charge.serviceChargeCategory)
  if (flag(gratuity)) return 'GRATUITY'
  if (category === 'CREDIT_CARD_SURCHARGE') return 'SURCHARGE'
  if (category === 'FUNDRAISING_CAMPAIGN') return 'OTHER'
  // A charge for all kinds of orders has all of these.
  return flag(delivery) && !flag(takeout) && !flag(dineIn) ? 'DELIVERY' : 'SERVICE'
}
const isRounding = ({ serviceChargeCategory }: NativeCharge): boolean => text(serviceChargeCategory) === 'CASH_ROUNDING'

function discountsOf(checks: readonly NativeCheck[], lines: readonly NativeSelection[], currency: string | undefined) {
  const toDiscount = (native: NativeDiscount, scope: 'ORDER' | 'LINE'): Discount => ({
    name: text(native.name),
    scope,
    amount: fromMinor(offPrice(native, currency), currency),
    percent: fromDecimal(native.discountPercent),
  })
  return [
    ...checks.flatMap(({ appliedDiscounts }) => appliedIn(appliedDiscounts).map((one) => toDiscount(one, 'ORDER'))),
    ...lines
      .flatMap((line) => [line, ...allBelow(line)])
      .flatMap(({ appliedDiscounts }) => appliedIn(appliedDiscounts).map((one) => toDiscount(one, 'LINE'))),
  ]
}

const behaviors = { DINE_IN: 'DINE_IN', TAKE_OUT: 'TAKEOUT', DELIVERY: 'DELIVERY' } as const
const deliveryStates = {
  PENDING: 'NEW',
  IN_PROGRESS: 'IN_PROGRESS',
  PICKED_UP: 'IN_PROGRESS',
  DELIVERED: 'FULFILLED',
} as const
/** An unknown value is a warning. */
function oneOf<T extends object>(
  table: T,
  value: unknown,
  pointer: Pointer,
  { warn }: Mapping,
): T[keyof T] | undefined {
  const name = text(value)
  const found = Object.entries(table).find(([key]) => key === name)?.[1]
  if (name !== undefined && found === undefined)
    warn(pointer, `The platform's value "${name}" has no unified counterpart`)
  return found
}

function fulfillmentOf(row: OrderRow, customer: NativeCheck['customer'], mapping: Mapping): Order['fulfillment'] {
  const { deliveryInfo: delivery, curbsidePickupInfo: curbside, dining } = row
  const behavior = oneOf(behaviors, dining?.behavior, '/fulfillment/type', mapping)
  const type = behavior === 'TAKEOUT' && flag(dining?.curbside) ? 'CURBSIDE' : behavior
  const delivers = type === undefined || type === 'DELIVERY'
  const person = type === 'DINE_IN' ? undefined : customer
  const vehicle = [curbside?.transportColor, curbside?.transportDescription].map(text).filter(Boolean).join(' ')
  const instructions = [delivers ? text(delivery?.notes) : undefined, vehicle || undefined, text(curbside?.notes)]
  return filled({
    type,
    state: delivers ? oneOf(deliveryStates, delivery?.deliveryState, '/fulfillment/state', mapping) : undefined,
    dueAt: fromToastDate(row.promisedDate),
    table: row.tableName ?? text(row.table?.guid),
    name: [text(person?.firstName), text(person?.lastName)].filter(Boolean).join(' ') || undefined,
    phone: text(person?.phone),
    address: delivers
      ? filled({
          line1: text(delivery?.address1),
          line2: text(delivery?.address2),
          city: text(delivery?.city),
          state: text(delivery?.state) ?? text(delivery?.administrativeArea),
          postalCode: text(delivery?.zipCode),
          country: text(delivery?.country),
        })
      : undefined,
    instructions: instructions.filter(Boolean).join('\n') || undefined,
  })
}
/** Toast's own words, except for those that have a common name. */
const channels: Readonly<Record<string, string>> = { 'In Store': 'POS', Online: 'ONLINE' }

/** Money that did not move. */
const failed = /VOID|CANCEL|DENIED|ERROR/
const didMove = ({ paymentStatus }: NativePayment): boolean => !failed.test(text(paymentStatus) ?? '')

function moneyOf(row: OrderRow, checks: readonly NativeCheck[], selections: readonly NativeSelection[]) {
  const { currency } = row
  const minor = (amount: unknown) => minorOf(amount, currency)
  const major = (amount: number) => fromMinor(amount, currency)
  const lines = selections.map((selection) => toLine(selection, currency))
  const charges = checks.flatMap(({ appliedServiceCharges }) => list(appliedServiceCharges))
  const amountOf = (of: readonly NativeCharge[]) => sum(of.map(({ chargeAmount }) => minor(chargeAmount)))
  const payments = checks.flatMap((check) => list(check.payments))
  const refunds = payments.map(({ refund }) => minor(refund?.refundAmount))
  const taxes = [
    ...lines.flatMap(({ line }) => line.taxes ?? []),
    ...charges.flatMap((one) => list(one.appliedTaxes).map((tax) => toTax(tax, minor(one.chargeAmount), currency))),
  ]
  const subtotal = sum(lines.map(({ total }) => total))
  const gratuity = amountOf(charges.filter(({ gratuity: is }) => flag(is)))
  const chargeTaxes = charges.map(({ appliedTaxes }) => sum(list(appliedTaxes).map((tax) => minor(tax.taxAmount))))
  // A void takes all off the totals: what was canceled is in the parts.
  const tax = gone(row)
    ? sum([...selections.map((one) => minor(one.tax)), ...chargeTaxes])
    : sum(checks.map(({ taxAmount }) => minor(taxAmount)))
  const parts = subtotal + amountOf(charges) + tax
  const told = sum(checks.map(({ totalAmount }) => minor(totalAmount)))
  // Toast leaves gratuities out of `totalAmount`, but guests pay them.
  const total = gone(row) || told + gratuity === parts ? parts : told
  const named = charges.filter((one) => !isRounding(one))
  return {
    taxIncluded: false,
    subtotal: major(subtotal),
    discountTotal: major(sum(lines.map(({ discount }) => discount))),
    serviceChargeTotal: major(amountOf(named)),
    tipTotal: major(sum(payments.filter(didMove).map(({ tipAmount }) => minor(tipAmount)))),
    tipIncluded: false,
    roundingTotal: major(amountOf(charges.filter(isRounding))),
    refundTotal: major(sum(refunds)),
    total: major(total),
    taxTotal: major(tax),
    serviceCharges: any(
      named.map((one) => ({
        name: text(one.name),
        kind: kindOf(one),
        amount: fromDecimal(one.chargeAmount),
        taxAmount: major(sum(list(one.appliedTaxes).map(({ taxAmount }) => minor(taxAmount)))),
      })),
    ),
    discounts: any(discountsOf(checks, selections, currency)),
    taxes: any(grouped(taxes, currency)),
    lineItems: lines.map(({ line }) => line),
  } satisfies Partial<Order>
}

export function toUnified(row: OrderRow, mapping: Mapping): Order {
  const checks = liveChecks(row)
  const selections = checks.flatMap((check) =>
    list(check.selections).filter(({ voided }) => gone(row) || !flag(voided)),
  )
  const customer = checks.find((check) => check.customer)?.customer
  // The client can set the number of a single check; Toast always sets the number of the order.
  const numbers =
    checks.length === 1 ? [checks[0]?.displayNumber, row.displayNumber] : [row.displayNumber, checks[0]?.displayNumber]
  const source = text(row.source)
  return {
    externalId: row.guid,
    orderNumber: text(numbers[0]) ?? text(numbers[1]),
    // An order is closed with its cards, often the next morning.
    processedAt: fromToastDate(row.paidDate) ?? fromToastDate(row.openedDate),
    closedAt: fromToastDate(row.closedDate),
    businessDate: toDay(row.businessDate),
    customerExternalId: text(customer?.guid),
    locationExternalId: mapping.account.settings.restaurantGuid,
    employeeExternalId: text(row.server?.guid),
    channel: source && (channels[source] ?? source),
    guestCount: number(row.numberOfGuests),
    fulfillment: fulfillmentOf(row, customer, mapping),
    currencyCode: row.currency,
    state: stateOf(row, mapping),
    note: text(row.deliveryInfo?.notes) ?? text(checks[0]?.tabName),
    ...moneyOf(row, checks, selections),
  }
}
