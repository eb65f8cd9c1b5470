// Comparisons for updates: what a record contains, and what the platform has.
import type { Address } from '../contract/address.ts'
import type { LineItem } from '../contract/entities/order.ts'
import { text } from './fields.ts'

/** A field that the record omits keeps its value. */
export const sameOrAbsent = (desired: unknown, present: unknown): boolean =>
  desired === undefined || desired === present

/**
 * Same product, quantity and discount. Of the fields in `kept`, those that the line leaves out keep their value; all
 * others are not compared.
 */
export const sameLine = (desired: LineItem, present: LineItem, kept: readonly (keyof LineItem)[]): boolean =>
  desired.productExternalId === present.productExternalId &&
  desired.quantity === present.quantity &&
  (desired.lineDiscount ?? 0) === (present.lineDiscount ?? 0) &&
  kept.every((field) => sameOrAbsent(desired[field], present[field]))

/**
 * The index of the first line that differs; the number of lines where none does. For platforms on which later lines are
 * replaced, so that their order stays.
 */
export function firstChanged(
  desired: readonly LineItem[],
  present: readonly LineItem[],
  kept: readonly (keyof LineItem)[],
): number {
  const found = desired.findIndex((line, n) => !present[n] || !sameLine(line, present[n], kept))
  return found < 0 ? desired.length : found
}

const addressParts = ['line1', 'line2', 'city', 'state', 'postalCode', 'country'] as const
/** An absent part is the same as an empty one, and no address the same as an empty one. */
export const sameAddress = (left: Address = {}, right: Address = {}): boolean =>
  addressParts.every((part) => text(left[part]) === text(right[part]))
