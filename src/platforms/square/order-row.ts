// Square's order and how it is read: https://developer.squareup.com/docs/orders-api/what-it-does
import type { Excluded, Mapping } from '../../contract/connector.ts'
import {
  type Discount,
  type Fulfillment,
  type FulfillmentState,
  type FulfillmentType,
  type LineItem,
  type Modifier,
  type Order,
  type ServiceCharge,
  type ServiceChargeKind,
  serviceChargeKinds,
  type Tax,
} from '../../contract/entities/order.ts'
import { isReference } from '../../contract/reference.ts'
import { businessDateOf } from '../../kit/business-day.ts'
import { compact, filled, flag, list, text } from '../../kit/fields.ts'
import { fromDecimal, fromMinor, timesMinor } from '../../kit/money.ts'
import { stateTable } from '../../kit/states.ts'
import { toUtc } from '../../kit/time.ts'
import type { NativeAddress, Zoned } from './account.ts'
import { fromMoney, type Money, minorOf } from './money.ts'

export interface NativeModifier {
  uid?: string
  catalog_object_id?: string
  name?: string
  quantity?: string
  base_price_money?: Money
  total_price_money?: Money
  parent_modifier_uid?: string // since 2026-08-19
}
export interface NativeLine {
  uid?: string
  catalog_object_id?: string
  name?: string
  quantity: string
  quantity_unit?: object
  item_type?: string
  note?: string
  modifiers?: NativeModifier[]
  base_price_money?: Money
  total_tax_money?: Money
  total_discount_money?: Money
  total_service_charge_money?: Money
  total_money?: Money
  applied_discounts?: { uid?: string; discount_uid: string; applied_money?: Money }[]
  applied_taxes?: { uid?: string; tax_uid: string; applied_money?: Money }[]
  applied_service_charges?: { uid?: string; service_charge_uid: string }[]
  metadata?: Record<string, string>
}
export interface NativeTax {
  uid: string
  catalog_object_id?: string
  name?: string
  percentage?: string
  type?: string
  scope?: string
  applied_money?: Money
}
export interface NativeCharge {
  uid?: string
  name?: string
  type?: string
  amount_money?: Money
  applied_money?: Money
  total_tax_money?: Money
  calculation_phase?: string
  metadata?: Record<string, string>
}
interface Details {
  recipient?: { display_name?: string; phone_number?: string; address?: NativeAddress | null }
  pickup_at?: string
  deliver_at?: string
  expected_shipped_at?: string
  is_curbside_pickup?: boolean
  note?: string
  shipping_note?: string
}
export interface NativeFulfillment {
  uid?: string
  type?: string
  state?: string
  pickup_details?: Details
  delivery_details?: Details
  shipment_details?: Details
  in_store_details?: Details
}
interface NativeAmounts {
  total_money?: Money
  tax_money?: Money
  tip_money?: Money
}
export interface NativeReturn {
  source_order_id?: string
  return_line_items?: NativeReturnLine[]
}
export interface NativeReturnLine {
  source_line_item_uid?: string
  catalog_object_id?: string
  name?: string
  quantity: string
  item_type?: string
  total_tax_money?: Money
  total_money?: Money
}
export interface NativeOrder extends Zoned {
  id: string
  location_id: string
  version?: number
  state?: string
  source?: { name?: string }
  reference_id?: string
  ticket_name?: string
  customer_id?: string
  created_at?: string
  updated_at?: string
  closed_at?: string
  line_items?: NativeLine[]
  returns?: NativeReturn[]
  return_amounts?: NativeAmounts
  refunds?: { id?: string; amount_money?: Money; status?: string }[]
  discounts?: { uid: string; name?: string; scope?: string; percentage?: string; applied_money?: Money }[]
  taxes?: NativeTax[]
  service_charges?: NativeCharge[]
  rounding_adjustment?: { amount_money?: Money }
  total_money?: Money
  total_tax_money?: Money
  total_discount_money?: Money
  total_tip_money?: Money
  total_service_charge_money?: Money
  total_card_surcharge_money?: Money
  net_amount_due_money?: Money
  metadata?: Record<string, string>
  tenders?: { customer_id?: string; created_at?: string }[]
  fulfillments?: NativeFulfillment[]
}
export const states = stateTable({ OPEN: 'OPEN', COMPLETED: 'COMPLETED', CANCELED: 'CANCELED', DRAFT: 'PENDING' })

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0)
/** The amount of one unit; half units go away from zero. */
function perUnit(minor: number, quantity: number): number {
  const [over, under] = [BigInt(minor) * 2_000_000n, BigInt(Math.round(quantity * 1e6))]
  return Number((over + (minor < 0 ? -under : under)) / (2n * under))
}

/** Square removes lines with quantity 0 only when the order is paid. */
export const linesOf = (order: NativeOrder): NativeLine[] =>
  list(order.line_items).filter(({ quantity }) => (fromDecimal(quantity) ?? 0) > 0)

/** Taxes in the price, by their ids. All other ones come on top. */
const isIncluded = ({ type }: NativeTax): boolean => text(type) === 'INCLUSIVE'
function addedTax(line: NativeLine, taxes: readonly NativeTax[]): number {
  const inside = taxes.filter(isIncluded).map(({ uid }) => text(uid))
  if (inside.length === 0) return minorOf(line.total_tax_money)
  return sumOf(
    list(line.applied_taxes)
      .filter(({ tax_uid }) => !inside.includes(text(tax_uid)))
      .map(({ applied_money }) => minorOf(applied_money)),
  )
}
/**
 * The line without the taxes that come on top, and without its part of the service charges of the order, which are
 * charges here, too. The total of a line is the only number of Square that means the same in all countries: its gross
 * sales contain the taxes in the price in some, and not in others.
 */
function lineMinor(line: NativeLine, taxes: readonly NativeTax[]): number {
  if (line.total_money)
    return minorOf(line.total_money) - addedTax(line, taxes) - minorOf(line.total_service_charge_money)
  const quantity = fromDecimal(line.quantity) ?? 0
  return timesMinor(quantity, unitMinor(line, quantity, taxes)) - minorOf(line.total_discount_money)
}

const nearly = (left: number, right: number, steps = 1): boolean => Math.abs(left - right) <= steps
/** What a modifier adds to one unit of its line. Square's total counts, whether or not it has the modifier's quantity in it. */
function modifierMinor(modifier: NativeModifier, quantity: number): number {
  const each = timesMinor(fromDecimal(modifier.quantity) ?? 1, minorOf(modifier.base_price_money))
  const total = modifier.total_price_money ? minorOf(modifier.total_price_money) : timesMinor(quantity, each)
  return nearly(timesMinor(quantity, each), total) ? each : perUnit(total, quantity)
}
function unitMinor(line: NativeLine, quantity: number, taxes: readonly NativeTax[]): number {
  const modifiers = list(line.modifiers)
  const each = minorOf(line.base_price_money) + sumOf(modifiers.map((one) => modifierMinor(one, quantity)))
  if (!line.total_money) return each
  const gross = lineMinor(line, taxes) + minorOf(line.total_discount_money)
  // The price and each modifier were rounded by themselves.
  return nearly(timesMinor(quantity, each), gross, 1 + modifiers.length) ? each : perUnit(gross, quantity)
}

const toModifier = (modifier: NativeModifier): Omit<Modifier, 'modifiers'> =>
  compact({
    modifierExternalId: text(modifier.catalog_object_id),
    name: text(modifier.name),
    quantity: fromDecimal(modifier.quantity) ?? 1,
    price: fromMoney(modifier.base_price_money),
  })
/** Square nests them in three levels, of which the third is shown with the second. */
function toModifiers(all: readonly NativeModifier[]): Modifier[] | undefined {
  if (all.length === 0) return undefined
  const byUid = new Map(all.map((one) => [text(one.uid), one]))
  const parentOf = ({ parent_modifier_uid: uid }: NativeModifier) => (uid ? byUid.get(text(uid)) : undefined)
  const topOf = (one: NativeModifier, left = 4): NativeModifier => {
    const parent = left > 0 ? parentOf(one) : undefined
    return parent ? topOf(parent, left - 1) : one
  }
  return all
    .filter((one) => parentOf(one) === undefined)
    .map((top) => {
      const below = all.filter((one) => one !== top && topOf(one) === top).map(toModifier)
      return { ...toModifier(top), ...(below.length > 0 && { modifiers: below }) }
    })
}
const toTax = (tax: NativeTax | undefined, amount: Money | undefined): Tax =>
  compact({
    taxRateExternalId: text(tax?.catalog_object_id),
    name: text(tax?.name),
    rate: fromDecimal(tax?.percentage),
    amount: fromMoney(amount),
    included: tax && isIncluded(tax),
  })
/**
 * Square fills a catalog line's name from the catalog and has no sku on a line: the caller's name and sku are in the
 * line's metadata.
 */
export function toLine(line: NativeLine, { taxes: given }: Pick<NativeOrder, 'taxes'>): LineItem {
  const taxes = list(given)
  const quantity = fromDecimal(line.quantity)!
  const currency = line.base_price_money?.currency ?? line.total_money?.currency
  const applied = list(line.applied_taxes)
  return {
    externalId: text(line.uid),
    productExternalId: text(line.catalog_object_id),
    sku: text(line.metadata?.sku),
    name: text(line.metadata?.name) ?? text(line.name),
    kind: text(line.item_type) === 'GIFT_CARD' ? 'GIFT_CARD' : 'ITEM',
    quantity,
    unitPrice: line.base_price_money && fromMinor(unitMinor(line, quantity, taxes), currency),
    lineTax: fromMoney(line.total_tax_money),
    lineDiscount: fromMoney(line.total_discount_money),
    lineTotal: fromMinor(lineMinor(line, taxes), currency),
    modifiers: toModifiers(list(line.modifiers)),
    taxes:
      applied.length === 0
        ? undefined
        : applied.map(({ tax_uid, applied_money }) =>
            toTax(
              taxes.find(({ uid }) => text(uid) === text(tax_uid)),
              applied_money,
            ),
          ),
    note: text(line.note),
  }
}

const toCharge = (charge: NativeCharge): ServiceCharge => {
  const kind = text(charge.metadata?.kind) as ServiceChargeKind | undefined
  const usual = text(charge.type) === 'AUTO_GRATUITY' ? 'GRATUITY' : 'SERVICE'
  return compact({
    name: text(charge.name),
    kind: kind && serviceChargeKinds.includes(kind) ? kind : usual,
    amount: fromMoney(charge.applied_money),
    taxAmount: fromMoney(charge.total_tax_money),
  })
}
/** With what card holders pay for the use of a card, which no list of the order has. */
export function chargesOf({ service_charges, total_card_surcharge_money: surcharge }: NativeOrder): ServiceCharge[] {
  const charges = list(service_charges).map(toCharge)
  if (minorOf(surcharge) !== 0)
    charges.push({ name: 'Card surcharge', kind: 'SURCHARGE', amount: fromMoney(surcharge)! })
  return charges
}

const fulfillmentTypes: Readonly<Record<string, FulfillmentType>> = {
  PICKUP: 'TAKEOUT',
  DELIVERY: 'DELIVERY',
  SHIPMENT: 'SHIPPING',
  IN_STORE: 'IN_STORE',
}
export const fulfillmentStates: Readonly<Record<string, FulfillmentState>> = {
  PROPOSED: 'NEW',
  RESERVED: 'IN_PROGRESS',
  PREPARED: 'READY',
  COMPLETED: 'FULFILLED',
  CANCELED: 'CANCELED',
}
const detailsOf = (fulfillment: NativeFulfillment): Details =>
  fulfillment.pickup_details ??
  fulfillment.delivery_details ??
  fulfillment.shipment_details ??
  fulfillment.in_store_details ??
  {}
export function fulfillmentOf({ fulfillments }: NativeOrder): Fulfillment | undefined {
  const [first] = list(fulfillments)
  if (!first) return undefined
  const details = detailsOf(first)
  const { recipient } = details
  const type = fulfillmentTypes[text(first.type) ?? '']
  return filled({
    type: type === 'TAKEOUT' && flag(details.is_curbside_pickup) ? 'CURBSIDE' : type,
    state: fulfillmentStates[text(first.state) ?? ''],
    dueAt: toUtc(details.pickup_at ?? details.deliver_at ?? details.expected_shipped_at),
    name: text(recipient?.display_name),
    phone: text(recipient?.phone_number),
    address: filled({
      line1: text(recipient?.address?.address_line_1),
      line2: text(recipient?.address?.address_line_2),
      city: text(recipient?.address?.locality),
      state: text(recipient?.address?.administrative_district_level_1),
      postalCode: text(recipient?.address?.postal_code),
      country: text(recipient?.address?.country),
    }),
    instructions: text(details.note) ?? text(details.shipping_note),
  })
}

/** An order has no note field: ours is in its metadata, a guest's is in the details of the first fulfillment. */
export function noteOf({ metadata, fulfillments }: NativeOrder): string | undefined {
  const [first] = list(fulfillments)
  return text(metadata?.note) ?? (first && text(detailsOf(first).note))
}
/**
 * An order has no number: the ticket name is used, or the reference of the application that created it, unless that was
 * this service.
 */
export const numberOf = ({ ticket_name, reference_id }: NativeOrder): string | undefined =>
  text(ticket_name) ?? (isReference(reference_id) ? undefined : text(reference_id))
export const customerOf = ({ customer_id, tenders }: NativeOrder): string | undefined =>
  text(customer_id) ?? text(list(tenders)[0]?.customer_id)
export const channelOf = ({ source }: NativeOrder): string | undefined => text(source?.name)

/** A return is an order of its own: without lines, and with what was returned. An exchange has both and is a sale. */
export const excludedOf = ({ returns, line_items }: NativeOrder): Excluded | undefined =>
  list(returns).length > 0 && list(line_items).length === 0
    ? { as: 'refund', of: text(list(returns)[0]?.source_order_id) }
    : undefined

/** The last payment of an order that is paid in full, else its opening. One that is paid can stay open until it is delivered. */
function soldAt({ state, tenders, net_amount_due_money: due, created_at, closed_at }: NativeOrder) {
  const opened = toUtc(created_at)
  const completed = text(state) === 'COMPLETED'
  if (!completed && (text(state) !== 'OPEN' || !due || minorOf(due) > 0)) return opened
  const payments = list(tenders).flatMap((tender) => toUtc(tender.created_at) ?? [])
  return payments.toSorted().at(-1) ?? (completed ? toUtc(closed_at) : undefined) ?? opened
}
/**
 * The goods of other sales that an exchange takes back, or the money that goes back. A sale that is refunded later does
 * not change at Square: its refunds are orders of their own.
 */
function refundedIn({ returns, return_amounts, refunds }: NativeOrder): number | undefined {
  if (list(returns).length > 0) return return_amounts?.total_money && minorOf(return_amounts.total_money)
  const counted = list(refunds).filter(({ status }) => status !== 'REJECTED' && status !== 'FAILED')
  return counted.length > 0 ? sumOf(counted.map(({ amount_money }) => minorOf(amount_money))) : undefined
}
const toDiscount = ({ name, scope, percentage, applied_money }: NonNullable<NativeOrder['discounts']>[number]) =>
  compact<Discount>({
    name: text(name),
    scope: text(scope) === 'LINE_ITEM' ? 'LINE' : 'ORDER',
    amount: fromMoney(applied_money),
    percent: fromDecimal(percentage),
  })
const unlessEmpty = <T>(rows: readonly T[]): T[] | undefined => (rows.length > 0 ? [...rows] : undefined)

export function toUnified(row: NativeOrder, { warn, account }: Pick<Mapping, 'warn' | 'account'>): Order {
  const [lines, taxes, charges] = [linesOf(row), list(row.taxes), chargesOf(row)]
  const currency = text(row.total_money?.currency)
  const inside = taxes.filter(isIncluded).length
  const processedAt = soldAt(row)
  const tip = fromMoney(row.total_tip_money)
  return {
    externalId: row.id,
    orderNumber: numberOf(row),
    processedAt,
    closedAt: toUtc(row.closed_at),
    businessDate: businessDateOf(processedAt, row.location_timezone, account.settings),
    customerExternalId: customerOf(row),
    locationExternalId: text(row.location_id),
    channel: channelOf(row),
    fulfillment: fulfillmentOf(row),
    currencyCode: currency,
    state: states.read(row.state, { warn }),
    note: noteOf(row),
    taxIncluded: inside === 0 ? false : inside === taxes.length ? true : undefined,
    subtotal: fromMinor(sumOf(lines.map((line) => lineMinor(line, taxes))), currency),
    discountTotal: fromMoney(row.total_discount_money),
    serviceChargeTotal: fromMinor(
      minorOf(row.total_service_charge_money) + minorOf(row.total_card_surcharge_money),
      currency,
    ),
    tipTotal: tip,
    tipIncluded: tip === undefined ? undefined : true,
    roundingTotal: fromMoney(row.rounding_adjustment?.amount_money),
    refundTotal: fromMinor(refundedIn(row), currency),
    total: fromMoney(row.total_money),
    taxTotal: fromMoney(row.total_tax_money),
    serviceCharges: unlessEmpty(charges),
    discounts: unlessEmpty(list(row.discounts).map(toDiscount)),
    taxes: unlessEmpty(taxes.map((tax) => toTax(tax, tax.applied_money))),
    lineItems: lines.map((line) => toLine(line, row)),
  }
}
