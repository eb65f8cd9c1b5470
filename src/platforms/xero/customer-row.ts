// Xero's contact and how it is read as a unified customer:
// https://developer.xero.com/documentation/api/accounting/contacts

import type { Address } from '../../contract/address.ts'
import type { AccountView, Mapping } from '../../contract/connector.ts'
import { filled, list, text } from '../../kit/fields.ts'
import { displayName, fullName } from '../../kit/names.ts'
import { fieldTable } from '../../kit/table.ts'

export interface NativeAddress {
  AddressType?: string
  AddressLine1?: string
  AddressLine2?: string
  AddressLine3?: string
  AddressLine4?: string
  City?: string
  Region?: string
  PostalCode?: string
  Country?: string
  AttentionTo?: string
}
export interface NativePhone {
  PhoneType?: string
  PhoneNumber?: string
  PhoneAreaCode?: string
  PhoneCountryCode?: string
}
export interface NativeContact {
  ContactID: string
  ContactNumber?: string
  ContactStatus?: string
  Name?: string
  FirstName?: string
  LastName?: string
  EmailAddress?: string
  Addresses?: NativeAddress[]
  Phones?: NativePhone[]
  DefaultCurrency?: string
  UpdatedDateUTC?: string
}

const nameOf = (row: NativeContact): string =>
  displayName(row.Name, fullName(row.FirstName, row.LastName), row.EmailAddress, row.ContactNumber, row.ContactID)!

/** Four lines become two: the first, and the rest. */
export const furtherLines = (address: NativeAddress): string | undefined =>
  text(
    [address.AddressLine2, address.AddressLine3, address.AddressLine4]
      .map(text)
      .filter((line) => line !== undefined)
      .join(', '),
  )
export const readAddress = (address: NativeAddress = {}): Address | undefined =>
  filled({
    line1: text(address.AddressLine1),
    line2: furtherLines(address),
    city: text(address.City),
    state: text(address.Region),
    postalCode: text(address.PostalCode),
    country: text(address.Country),
  })
const parts = [
  'AddressLine1',
  'AddressLine2',
  'AddressLine3',
  'AddressLine4',
  'City',
  'Region',
  'PostalCode',
  'Country',
] as const
const isWritten = (address: NativeAddress) => parts.some((part) => text(address[part]) !== undefined)
/**
 * Both addresses are always listed, in no fixed order, mostly empty: the configured one is used, otherwise the other.
 */
export function addressesOf(row: Pick<NativeContact, 'Addresses'>, account: AccountView): NativeAddress[] {
  const target = addressType(account)
  const known = list(row.Addresses).filter(isWritten)
  return [
    ...known.filter(({ AddressType }) => AddressType === target),
    ...known.filter(({ AddressType }) => AddressType !== target),
  ]
}
export const addressType = ({ settings }: AccountView): string => settings.addressType ?? 'STREET'

export function readPhone({ PhoneNumber, PhoneAreaCode, PhoneCountryCode }: NativePhone): string | undefined {
  const number = text(PhoneNumber)
  if (number === undefined) return undefined // an area code alone is not a number
  const country = text(PhoneCountryCode)
  return [country === undefined ? undefined : `+${country.replace(/^(\+|00)/, '')}`, text(PhoneAreaCode), number]
    .filter((part) => part !== undefined)
    .join(' ')
}
const phoneOrder = ['DEFAULT', 'OFFICE', 'MOBILE', 'DDI'] // a fax is not a phone
/** The numbers in the order of preference; the first one is used. */
export const phonesOf = (row: Pick<NativeContact, 'Phones'>): NativePhone[] =>
  phoneOrder.flatMap((type) =>
    list(row.Phones).filter((phone) => text(phone.PhoneType) === type && text(phone.PhoneNumber) !== undefined),
  )

const activeByStatus: Readonly<Record<string, boolean>> = { ACTIVE: true, ARCHIVED: false, GDPRREQUEST: false }
function activeOf({ ContactStatus }: NativeContact, { warn }: Mapping): boolean | undefined {
  const active = activeByStatus[ContactStatus ?? 'ACTIVE']
  if (active === undefined) warn('/active', `Xero's status ${ContactStatus} is unknown`)
  return active
}
function phoneOf(row: NativeContact): string | undefined {
  const [phone] = phonesOf(row)
  return phone && readPhone(phone)
}

/** Xero does not truncate, but its error does not name the field. */
const longest = 255
export const table = fieldTable<'customer', NativeContact>(
  {
    '/name': ['/Name', { from: nameOf, longest }],
    '/firstName': ['/FirstName', { longest }],
    '/lastName': ['/LastName', { longest }],
    '/email': ['/EmailAddress', { longest }],
    '/phone': ['/Phones', { from: phoneOf, write: false, longest: 50 }],
    '/address': ['/Addresses', { from: (row, { account }) => readAddress(addressesOf(row, account)[0]), write: false }],
    '/active': ['/ContactStatus', { from: activeOf, write: false }],
    '/currencyCode': ['/DefaultCurrency', { keeps: true }], // a currency cannot be removed
    '/companyName': null,
    '/notes': null,
  },
  { cleared: '' },
)
