// What Xero accepts in a contact, and what it rejects. Lengths and enumerations are from the vendor's OpenAPI file.
import { type Fields, isObject } from '../../../sandbox/http.ts'
import {
  type addressTexts,
  addressTypes,
  type phoneTexts,
  type StoredAddress,
  type StoredContact,
  type StoredPhone,
  type World,
} from './world.ts'

const texts = {
  ContactNumber: 50,
  AccountNumber: 50,
  Name: 255,
  FirstName: 255,
  LastName: 255,
  EmailAddress: 255,
  CompanyNumber: 50,
  TaxNumber: 50,
  BankAccountDetails: Number.POSITIVE_INFINITY,
} as const
const addressLengths: Readonly<Record<(typeof addressTexts)[number], number>> = {
  AddressLine1: 500,
  AddressLine2: 500,
  AddressLine3: 500,
  AddressLine4: 500,
  City: 255,
  Region: 255,
  PostalCode: 50,
  Country: 50,
  AttentionTo: 255,
}
const phoneLengths: Readonly<Record<(typeof phoneTexts)[number], number>> = {
  PhoneNumber: 50,
  PhoneAreaCode: 10,
  PhoneCountryCode: 20,
}

/**
 * The changed contact and its validation errors. Omitted elements are unchanged, "" clears, unknown elements are
 * ignored.
 */
export function applied(
  world: World,
  element: Fields,
  current: StoredContact,
): { contact: StoredContact; errors: string[] } {
  const errors: string[] = []
  const change: Fields = {}
  for (const [name, most] of Object.entries(texts)) {
    const value = textOf(element[name], name, most, errors)
    if (value !== undefined) change[name] = value === '' ? undefined : value
  }
  const contact = { ...current, ...change } as StoredContact
  if (Array.isArray(element.Addresses))
    contact.addresses = replaced(
      contact.addresses,
      element.Addresses.filter(isObject),
      'AddressType',
      addressTypes,
      addressLengths,
      errors,
    )
  if (Array.isArray(element.Phones)) {
    const kinds = ['DEFAULT', 'DDI', 'MOBILE', 'FAX', 'OFFICE']
    contact.phones = replaced(contact.phones, element.Phones.filter(isObject), 'PhoneType', kinds, phoneLengths, errors)
  }
  // An empty list of persons is ignored; any other replaces the whole list.
  if (Array.isArray(element.ContactPersons) && element.ContactPersons.length > 0)
    contact.ContactPersons = element.ContactPersons.filter(isObject)
  const { ContactStatus: status, DefaultCurrency: currency } = element
  if (status === 'ACTIVE' || status === 'ARCHIVED') contact.ContactStatus = status
  else if (status !== undefined) errors.push(`The ContactStatus ${String(status)} is not valid.`)
  if (typeof currency === 'string') {
    if (world.currencies.includes(currency)) contact.DefaultCurrency = currency
    else errors.push(`Organisation is not subscribed to currency ${currency}`)
  }
  return { contact, errors: [...errors, ...wrongWith(world, contact)] }
}

function textOf(value: unknown, name: string, most: number, errors: string[]): string | undefined {
  if (value === undefined || value === null) return undefined
  const text = String(value).trim()
  if (text.length > most) errors.push(`The ${name} field must not be longer than ${most} characters.`)
  return text
}

/** An entry replaces the stored one of its type; the other types stay. */
function replaced<Entry extends StoredAddress | StoredPhone>(
  stored: readonly Entry[],
  given: readonly Fields[],
  kind: 'AddressType' | 'PhoneType',
  kinds: readonly string[],
  lengths: Readonly<Record<string, number>>,
  errors: string[],
): Entry[] {
  const byKind = new Map(stored.map((entry) => [String((entry as Fields)[kind]), entry]))
  for (const fields of given) {
    const type = String(fields[kind])
    if (!kinds.includes(type)) errors.push(`The ${kind} ${type} is not valid.`)
    const entry: Fields = { [kind]: type }
    for (const [name, most] of Object.entries(lengths)) {
      const value = textOf(fields[name], name, most, errors)
      if (value !== undefined) entry[name] = value
    }
    byKind.set(type, entry as Entry)
  }
  return [...byKind.values()]
}

function wrongWith(world: World, contact: StoredContact): string[] {
  const { ContactID, Name, AccountNumber, EmailAddress, ContactPersons, ContactStatus } = contact
  if (!Name) return ['Contact Name cannot be empty.']
  const errors: string[] = []
  const others = (match: (other: StoredContact) => boolean) =>
    world.contacts.find((other) => other.ContactID !== ContactID && other.ContactStatus === 'ACTIVE' && match(other))
  if (ContactStatus === 'ACTIVE' && others((other) => other.Name.toLowerCase() === Name.toLowerCase()))
    errors.push(
      `The contact name ${Name} is already assigned to another contact. The contact name must be unique across all active contacts.`,
    )
  if (ContactStatus === 'ACTIVE' && AccountNumber && others((other) => other.AccountNumber === AccountNumber))
    errors.push('The Account Number already exists. Please enter a different Account Number.')
  if (EmailAddress && !/^[\x21-\x7e]+@[\x21-\x7e]+\.[\x21-\x7e]+$/.test(EmailAddress))
    errors.push('Email address must be valid.')
  if (!EmailAddress && ContactPersons.length > 0)
    errors.push('Additional people cannot be added when there is no primary person set.')
  return errors
}
