// The changes that turn a contact into the unified record. Omitted elements are unchanged and "" clears, so only
// differences are sent: a record that is sent back as it was read changes nothing.

import type { Address } from '../../contract/address.ts'
import type { AccountView } from '../../contract/connector.ts'
import type { Customer } from '../../contract/entities/customer.ts'
import type { Refused } from '../../kit/checks.ts'
import { sameAddress } from '../../kit/differences.ts'
import { compact, text } from '../../kit/fields.ts'
import {
  addressesOf,
  addressType,
  furtherLines,
  type NativeAddress,
  type NativeContact,
  type NativePhone,
  phonesOf,
  readAddress,
  readPhone,
  table,
} from './customer-row.ts'

export type ContactChange = Partial<Omit<NativeContact, 'ContactID' | 'UpdatedDateUTC'>>

/** For a new contact, the difference is the whole record. */
export function changeOf(record: Customer, account: AccountView, current: Partial<NativeContact> = {}): ContactChange {
  const addresses = addressChange(record.address, addressesOf(current, account), account)
  const phones = phoneChange(record.phone, phonesOf(current))
  return {
    ...table.differences(record, current as NativeContact),
    ...(addresses.length > 0 && { Addresses: addresses }),
    ...(phones.length > 0 && { Phones: phones }),
  }
}

/** An entry replaces the stored one of its type as a whole, so AttentionTo is sent too. */
function addressChange(
  target: Address | undefined,
  known: readonly NativeAddress[],
  account: AccountView,
): NativeAddress[] {
  if (!target) return known.map((address) => entryOf({}, address))
  const [shown = { AddressType: addressType(account) }] = known
  return sameAddress(target, readAddress(shown)) ? [] : [entryOf(target, shown)]
}
function entryOf(target: Address, stored: NativeAddress): NativeAddress {
  const kept = furtherLines(stored) === text(target.line2) // then the lines stay separate
  return compact({
    AddressType: stored.AddressType,
    AddressLine1: target.line1 ?? '',
    AddressLine2: kept ? (stored.AddressLine2 ?? '') : (target.line2 ?? ''),
    AddressLine3: kept ? (stored.AddressLine3 ?? '') : '',
    AddressLine4: kept ? (stored.AddressLine4 ?? '') : '',
    City: target.city ?? '',
    Region: target.state ?? '',
    PostalCode: target.postalCode ?? '',
    Country: target.country ?? '',
    AttentionTo: stored.AttentionTo,
  })
}

/**
 * The number replaces the one that was read. Without a number all candidates are cleared, otherwise the next one would
 * be read.
 */
function phoneChange(target: string | undefined, known: readonly NativePhone[]): NativePhone[] {
  const empty = { PhoneNumber: '', PhoneAreaCode: '', PhoneCountryCode: '' }
  if (text(target) === undefined) return known.map(({ PhoneType }) => ({ PhoneType, ...empty }))
  const [shown] = known
  if (shown && readPhone(shown) === target) return []
  return [{ PhoneType: shown?.PhoneType ?? 'DEFAULT', ...empty, PhoneNumber: target }]
}

export const longest = {
  '/address/line1': 500,
  '/address/line2': 500,
  '/address/city': 255,
  '/address/state': 255,
  '/address/postalCode': 50,
  '/address/country': 50,
} as const
export const check = ({ email = '' }: Customer): Refused[] =>
  [...email].some((character) => character > '~')
    ? [{ pointer: '/email', message: 'must be ASCII: Xero accepts no other characters in an email address' }]
    : []
