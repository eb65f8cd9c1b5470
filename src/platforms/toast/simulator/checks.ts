// How Toast prices selections and checks, in cents: https://doc.toasttab.com/doc/devguide/apiOrderPrices.html
import { local, meals } from './configuration.ts'
import { type Modifier, priceOfAll } from './modifiers.ts'
import { never, wireDate } from './wire.ts'
import {
  type AppliedDiscount,
  type AppliedServiceCharge,
  type AppliedTax,
  businessDate,
  type Check,
  type Item,
  type Order,
  referenceTo,
  type Selection,
  type TaxRate,
} from './world.ts'

export const inCents = (amount: number): number => Math.round(amount * 100)
export const inDollars = (cents: number): number => cents / 100
const millionths = (rate: number | null): number => Math.round((rate ?? 0) * 1_000_000)
const roundedHalfUp = (amount: number): number => Math.floor(amount + 0.5)
/** Quantities have at most three decimals. */
export const times = (quantity: number, cents: number): number =>
  roundedHalfUp((Math.round(quantity * 1000) * cents) / 1000)
export const taxOn = (cents: number, rate: TaxRate): number =>
  Math.sign(cents) * roundedHalfUp((Math.abs(cents) * millionths(rate.rate)) / 1_000_000)
/** In proportion; what is left goes to the first ones. */
export function spread(cents: number, weights: readonly number[]): number[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  const parts = weights.map((weight) => (all === 0 ? 0 : Math.floor((cents * weight) / all)))
  const left = cents - parts.reduce((sum, part) => sum + part, 0)
  const weighty = weights.flatMap((weight, n) => (weight > 0 || all === 0 ? [n] : []))
  return parts.map((part, n) => (weighty.indexOf(n) >= 0 && weighty.indexOf(n) < left ? part + 1 : part))
}

/** A guid of a part: another one for each number, and the same for the same seed. */
export function partOf(guid: string, number: number): string {
  const second = Number.parseInt(guid.slice(9, 13), 16) ^ number
  return `${guid.slice(0, 9)}${second.toString(16).padStart(4, '0')}${guid.slice(13)}`
}

export const ratesOf = ({ taxed, localTax }: Item): TaxRate[] => [
  ...(taxed ? [meals] : []),
  ...(localTax ? [local] : []),
]
export const appliedTax = (guid: string, rate: TaxRate, cents: number, marketplace = false): AppliedTax => ({
  guid,
  entityType: 'AppliedTaxRate',
  taxRate: { guid: rate.guid, entityType: 'TaxRate' },
  name: rate.name,
  rate: rate.rate,
  taxAmount: inDollars(cents),
  type: marketplace ? 'EXTERNAL' : 'PERCENT',
  facilitatorCollectAndRemitTax: marketplace ? true : null,
})
export function discountOf(
  guid: string,
  { name, cents, nonTax = cents, percent }: { name: string; cents: number; nonTax?: number; percent?: number },
): AppliedDiscount {
  return {
    guid,
    entityType: 'AppliedCustomDiscount',
    externalId: null,
    name,
    discountAmount: inDollars(cents),
    nonTaxDiscountAmount: inDollars(nonTax),
    discountType: percent === undefined ? 'OPEN_FIXED' : 'PERCENT',
    discountPercent: percent ?? null,
  }
}

/** Amounts are in cents; with inclusive taxes, they contain them. */
export interface Sold {
  item: Item
  groupGuid: string
  quantity: number
  unitPrice: number
  modifiers?: readonly Modifier[]
  discount?: number
  percent?: number
  share?: number // of a discount on the check: it is in the price, and listed only on the check
  marketplace?: true // its taxes are calculated and paid by a marketplace
  at: number
  guid: string
  externalId?: string | null
}
export const grossOf = ({ quantity, unitPrice, modifiers = [] }: Sold): number =>
  times(quantity, unitPrice + priceOfAll(modifiers))

function modifierSelections(modifiers: readonly Modifier[], { quantity, at, guid }: Sold): Selection[] {
  return modifiers.map((modifier, n) => {
    const own = partOf(guid, 0x100 + n)
    const blank = blankSelection(own, modifier.name, quantity, at)
    const { option, group } = modifier
    if (!option || !group) return { ...blank, quantity: 1, selectionType: 'SPECIAL_REQUEST' }
    const whole = inDollars(times(quantity, priceOfAll([modifier])))
    return {
      ...blank,
      item: referenceTo('MenuItem', option.guid),
      optionGroup: referenceTo('MenuOptionGroup', group.guid),
      receiptLinePrice: option.price,
      preDiscountPrice: whole,
      price: whole,
      modifiers: modifierSelections(modifier.modifiers, { quantity, at, guid: own } as Sold),
    }
  })
}
export function blankSelection(guid: string, displayName: string, quantity: number, at: number): Selection {
  const date = wireDate(at)
  return {
    ...referenceTo('MenuItemSelection', guid),
    item: null,
    itemGroup: null,
    optionGroup: null,
    displayName,
    quantity,
    unitOfMeasure: 'NONE',
    selectionType: 'NONE',
    deferred: false,
    preDiscountPrice: 0,
    price: 0,
    receiptLinePrice: 0,
    tax: 0,
    voided: false,
    voidDate: null,
    voidBusinessDate: null,
    fulfillmentStatus: 'NEW',
    taxInclusion: 'INHERITED',
    plu: '',
    modifiers: [],
    appliedDiscounts: [],
    appliedTaxes: [],
    refundDetails: null,
    createdDate: date,
    modifiedDate: date,
  }
}

/** Prices are without taxes, also where the price of the menu contains them. */
export function selectionOf(sold: Sold): Selection {
  const { item, groupGuid, quantity, unitPrice, modifiers = [], discount = 0, share = 0, at, guid } = sold
  const rates = ratesOf(item)
  const all = rates.reduce((sum, { rate }) => sum + millionths(rate), 0)
  const inclusive = item.taxInclusive === true
  const without = (cents: number): number =>
    inclusive ? roundedHalfUp((cents * 1_000_000) / (1_000_000 + all)) : cents
  const gross = grossOf(sold)
  const left = gross - discount - share
  const price = without(left)
  const weights = rates.map(({ rate }) => millionths(rate))
  const taxes = inclusive ? spread(left - price, weights) : rates.map((rate) => taxOn(price, rate))
  return {
    ...blankSelection(guid, item.name, quantity, at),
    externalId: sold.externalId ?? null,
    item: { ...referenceTo('MenuItem', item.guid), multiLocationId: item.multiLocationId },
    itemGroup: referenceTo('MenuGroup', groupGuid),
    unitOfMeasure: item.unitOfMeasure,
    preDiscountPrice: inDollars(without(gross)),
    price: inDollars(price),
    receiptLinePrice: inDollars(unitPrice),
    tax: inDollars(taxes.reduce((sum, tax) => sum + tax, 0)),
    taxInclusion: inclusive ? 'INCLUDED' : 'NOT_INCLUDED',
    plu: item.plu,
    modifiers: modifierSelections(modifiers, sold),
    appliedDiscounts:
      discount > 0
        ? [
            discountOf(partOf(guid, 1), {
              name: 'Happy hour',
              cents: discount,
              nonTax: without(gross) - without(gross - discount),
              ...(sold.percent !== undefined && { percent: sold.percent }),
            }),
          ]
        : [],
    appliedTaxes: rates.map((rate, n) => appliedTax(partOf(guid, 2 + n), rate, taxes[n]!, sold.marketplace)),
  }
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + inCents(amount), 0)
/** Without gratuities and tips; a refund changes nothing, a void does. */
export function totalled(check: Check): Check {
  const live = check.selections.filter(({ voided }) => !voided)
  const charges = check.voided ? [] : check.appliedServiceCharges
  const amount =
    sum(live.map(({ price }) => price)) +
    sum(charges.filter(({ gratuity }) => !gratuity).map(({ chargeAmount }) => chargeAmount))
  const taxAmount =
    sum(live.map(({ tax }) => tax)) +
    sum(charges.flatMap(({ appliedTaxes }) => appliedTaxes.map((tax) => tax.taxAmount)))
  return {
    ...check,
    amount: inDollars(amount),
    taxAmount: inDollars(taxAmount),
    totalAmount: inDollars(amount + taxAmount),
  }
}
/** With gratuities, without tips. */
export const dueOf = ({ totalAmount, appliedServiceCharges, voided }: Check): number =>
  inCents(totalAmount) +
  (voided ? 0 : sum(appliedServiceCharges.filter(({ gratuity }) => gratuity).map(({ chargeAmount }) => chargeAmount)))

interface CheckFacts {
  guid: string
  displayNumber: string
  at: number
  tabName: string | null
  customer: object | null
  discounts?: AppliedDiscount[]
  charges?: AppliedServiceCharge[]
}
export function checkOf(selections: Selection[], facts: CheckFacts): Check {
  const date = wireDate(facts.at)
  return totalled({
    ...referenceTo('Check', facts.guid),
    displayNumber: facts.displayNumber,
    openedDate: date,
    createdDate: date,
    modifiedDate: date,
    closedDate: null,
    paidDate: null,
    deletedDate: never,
    paymentStatus: 'OPEN',
    voided: false,
    deleted: false,
    tabName: facts.tabName,
    taxExempt: false,
    amount: 0,
    taxAmount: 0,
    totalAmount: 0,
    customer: facts.customer,
    selections,
    appliedDiscounts: facts.discounts ?? [],
    appliedServiceCharges: facts.charges ?? [],
    payments: [],
  })
}
export function voidedCheck(check: Check, at: number): Check {
  const [voidDate, voidBusinessDate] = [wireDate(at), businessDate(at)]
  const selections = check.selections.map((one) => ({ ...one, voided: true, voidDate, voidBusinessDate }))
  return totalled({ ...check, voided: true, selections })
}

export function orderOf(
  facts: { guid: string; at: number; diningOption: string; checks: Check[] } & Partial<Omit<Order, 'diningOption'>>,
): Order {
  const { at, diningOption, ...given } = facts
  const opened = wireDate(at)
  return {
    ...referenceTo('Order', facts.guid),
    source: 'In Store',
    businessDate: businessDate(at),
    displayNumber: '1',
    openedDate: opened,
    createdDate: opened,
    modifiedDate: opened,
    closedDate: null,
    paidDate: null,
    promisedDate: null,
    voided: false,
    voidDate: null,
    deleted: false,
    deletedDate: never,
    approvalStatus: 'APPROVED',
    numberOfGuests: 1,
    server: null,
    table: null,
    revenueCenter: null,
    deliveryInfo: null,
    curbsidePickupInfo: null,
    createdInTestMode: false,
    excessFood: false,
    pricingFeatures: ['TAXESV2'],
    ...given,
    diningOption: referenceTo('DiningOption', diningOption),
  } as Order
}
