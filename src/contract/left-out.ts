// What the service knows about fields that a PUT leaves out. Every other one is cleared.
import type { Pointer } from './entity.ts'

/**
 * Fields without an empty value: left out, they keep the value that the record holds. A line that stays keeps the label
 * and the price of what was sold.
 */
export const withoutEmptyValue: readonly Pointer[] = [
  '/active',
  '/taxable',
  '/state',
  '/priceType',
  '/trackInventory',
  '/currencyCode',
  '/isOwner',
  '/lineItems/*/sku',
  '/lineItems/*/name',
  '/lineItems/*/unitPrice',
]
/** What a new record has without the field: when it stays, nothing needs to be said. */
export const defaults: Readonly<Record<Pointer, unknown>> = {
  '/active': true,
  '/taxable': true,
  '/state': 'OPEN',
  '/priceType': 'FIXED',
  '/trackInventory': false,
  '/isOwner': false,
  '/cost': 0,
  '/stockOnHand': 0,
  '/lineItems/*/lineDiscount': 0,
}
/** Parts of a name: they follow from a name that consists of them. */
export const partsOfName: readonly Pointer[] = ['/firstName', '/lastName']
/** True if first and last name, as far as there are any, make the name. */
export const isWholeName = (name: unknown, { firstName, lastName }: { firstName?: unknown; lastName?: unknown }) =>
  name === [firstName, lastName].filter((part) => part !== undefined).join(' ')
/**
 * Values that follow from others, so nothing was kept: totals and taxes from the lines, the time from the sale. The
 * currency of an amount is that of the shop or of the order; a customer's own currency is not among these.
 */
export const computed: Readonly<Partial<Record<string, readonly Pointer[]>>> = {
  product: ['/currencyCode'],
  order: ['/currencyCode', '/processedAt', '/total', '/taxTotal', '/lineItems/*/lineTax'],
}
