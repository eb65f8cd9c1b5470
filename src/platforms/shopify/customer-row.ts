// Shopify's customer and its default address: https://shopify.dev/docs/api/admin-graphql/2026-07/objects/Customer
import type { Customer } from '../../contract/entities/customer.ts'
import { filled, text } from '../../kit/fields.ts'
import { displayName, fullName, personName } from '../../kit/names.ts'
import { idOf } from './api.ts'

export interface NativeAddress {
  id: string
  address1: string | null
  address2: string | null
  city: string | null
  province: string | null
  provinceCode: string | null
  zip: string | null
  countryCodeV2: string | null
  company: string | null
}
export interface NativeCustomer {
  id: string
  displayName: string
  firstName: string | null
  lastName: string | null
  note: string | null
  tags?: string[]
  updatedAt: string
  defaultEmailAddress: { emailAddress: string } | null
  defaultPhoneNumber: { phoneNumber: string } | null
  defaultAddress: NativeAddress | null
}
/** Without a name, Shopify's display name is the email or the phone; a company name is better. */
const shownName = (row: NativeCustomer): string =>
  displayName(fullName(row.firstName, row.lastName), row.defaultAddress?.company, row.displayName, idOf(row.id))!

export function toUnified(row: NativeCustomer): Customer {
  const address = row.defaultAddress
  return {
    externalId: idOf(row.id),
    name: shownName(row),
    firstName: text(row.firstName),
    lastName: text(row.lastName),
    email: text(row.defaultEmailAddress?.emailAddress),
    phone: text(row.defaultPhoneNumber?.phoneNumber),
    companyName: text(address?.company),
    notes: text(row.note),
    address: filled({
      line1: text(address?.address1),
      line2: text(address?.address2),
      city: text(address?.city),
      state: text(address?.provinceCode) ?? text(address?.province),
      postalCode: text(address?.zip),
      country: text(address?.countryCodeV2),
    }),
  }
}
/**
 * A name that is already displayed, or that equals the company, email or phone, is not split into a person's name,
 * unless nothing else would be left.
 */
export function personOf(record: Customer, current?: NativeCustomer): { first?: string; last?: string } {
  if (record.firstName || record.lastName) return personName(record)
  if (current && shownName(current) === record.name)
    return { first: current.firstName ?? undefined, last: current.lastName ?? undefined }
  const isOther = [record.companyName, record.email, record.phone].includes(record.name)
  return isOther && (record.email || record.phone) ? {} : personName(record)
}
/**
 * The part of a record that is stored in the address; undefined if there is none. The company is a field of the
 * address.
 */
export function toAddress({ address = {}, companyName }: Customer) {
  return filled({
    address1: address.line1,
    address2: address.line2,
    city: address.city,
    provinceCode: address.state,
    zip: address.postalCode,
    countryCode: address.country,
    company: companyName,
  })
}
export function fromUnified(record: Customer, current?: NativeCustomer) {
  const { first, last } = personOf(record, current)
  return { firstName: first, lastName: last, email: record.email, phone: record.phone, note: record.notes }
}
