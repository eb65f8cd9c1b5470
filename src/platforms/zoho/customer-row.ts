// Zoho's contact and how it is read as a customer.
import type { Address } from '../../contract/address.ts'
import type { Customer } from '../../contract/entities/customer.ts'
import { compact, filled, flag, list, members, text } from '../../kit/fields.ts'
import { displayName, fullName } from '../../kit/names.ts'
import { toUtc } from '../../kit/time.ts'

export interface NativeAddress {
  attention?: string
  address?: string
  street2?: string
  city?: string
  state?: string
  state_code?: string
  zip?: string | number
  country?: string
  phone?: string
  fax?: string
}
export interface NativePerson {
  contact_person_id?: string | number
  salutation?: string
  first_name?: string
  last_name?: string
  email?: string
  phone?: string
  mobile?: string
  designation?: string
  department?: string
  skype?: string
  is_primary_contact?: boolean
}
/** A row of the list has no addresses, persons or notes. Empty fields are "". */
export interface NativeContact {
  contact_id: string | number
  contact_name?: string
  contact_type?: string
  contact_number?: string
  company_name?: string
  status?: string
  notes?: string
  currency_id?: string | number
  currency_code?: string
  has_transaction?: boolean
  primary_contact_id?: string | number
  billing_address?: NativeAddress | null
  contact_persons?: NativePerson[]
  custom_fields?: { label?: string; value?: unknown }[]
  created_time?: string
  last_modified_time?: string
  listedAt?: string // ours: when the list was read, on Zoho's clock
}

export const idOf = (row: NativeContact): string => String(row.contact_id)
export const isCustomer = (row: NativeContact): boolean => row.contact_type === 'customer'

/** The first person if none is marked. */
export function primaryPerson(row: NativeContact): NativePerson | undefined {
  const persons = list(row.contact_persons)
  return (
    persons.find((person) => flag(person.is_primary_contact)) ??
    persons.find(
      (person) => row.primary_contact_id && String(person.contact_person_id) === String(row.primary_contact_id),
    ) ??
    persons[0]
  )
}

/**
 * A row of the list names the time of the last change, and what it shows of the contact. Times are in whole seconds, so
 * a row that changed just before the list was read may change again without another time; a minute allows for servers
 * whose clocks differ.
 */
export function rowVersion({ listedAt, ...row }: NativeContact): string | undefined {
  const modified = toUtc(row.last_modified_time)
  const settled = modified !== undefined && Date.parse(modified) + 60_000 < Date.parse(listedAt ?? '')
  return settled ? JSON.stringify(row) : undefined
}

const states: Readonly<Record<string, boolean>> = { active: true, inactive: false }

export function unifiedOf(row: NativeContact): Customer {
  const person = primaryPerson(row)
  return compact({
    externalId: idOf(row),
    name: displayName(row.contact_name, row.company_name, fullName(person?.first_name, person?.last_name), idOf(row))!,
    firstName: text(person?.first_name),
    lastName: text(person?.last_name),
    email: text(person?.email),
    phone: text(person?.phone) ?? text(person?.mobile) ?? text(row.billing_address?.phone),
    companyName: text(row.company_name),
    notes: text(row.notes),
    address: fromNativeAddress(row.billing_address),
    active: states[row.status ?? ''],
    currencyCode: text(row.currency_code)?.toUpperCase(),
  }) as Customer
}

function fromNativeAddress(native: NativeAddress | null | undefined): Address | undefined {
  const address = members(native)
  return filled({
    line1: text(address.address),
    line2: text(address.street2),
    city: text(address.city),
    state: text(address.state) ?? text(address.state_code),
    postalCode: text(address.zip),
    country: text(address.country),
  })
}
