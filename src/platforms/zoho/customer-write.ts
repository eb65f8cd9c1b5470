// Bodies of writes. An update contains only the differences, so that other fields in Zoho do not change; "" clears, and
// absent fields are unchanged.
import type { Address } from '../../contract/address.ts'
import type { Customer } from '../../contract/entities/customer.ts'
import { sameAddress } from '../../kit/differences.ts'
import { compact, filled, list, members, text } from '../../kit/fields.ts'
import { type NativeAddress, type NativeContact, type NativePerson, primaryPerson, unifiedOf } from './customer-row.ts'

export interface ContactChange {
  contact_name?: string
  company_name?: string
  notes?: string
  currency_id?: string
  billing_address?: NativeAddress
  contact_persons?: NativePerson[]
}

export function fromUnified(record: Customer): ContactChange {
  const person = filled({
    first_name: record.firstName,
    last_name: record.lastName,
    email: record.email,
    phone: record.phone,
  })
  return compact({
    contact_name: record.name,
    company_name: record.companyName,
    notes: record.notes,
    billing_address: record.address && filled(toNativeAddress(record.address)),
    contact_persons: person && [{ ...person, is_primary_contact: true }],
  }) as ContactChange
}
const toNativeAddress = ({ line1, line2, city, state, postalCode, country }: Address): NativeAddress => ({
  address: line1,
  street2: line2,
  city,
  state,
  zip: postalCode,
  country,
})

export function changeOf(record: Customer, row: NativeContact): ContactChange {
  const before = unifiedOf(row)
  const differs = (field: keyof Customer) => record[field] !== before[field]
  const change: ContactChange = {}
  if (differs('name')) change.contact_name = record.name
  if (differs('companyName')) change.company_name = record.companyName ?? ''
  if (differs('notes')) change.notes = record.notes ?? ''
  if ((['firstName', 'lastName', 'email', 'phone'] as const).some(differs))
    change.contact_persons = changedPersons(record, row)
  const cleared = differs('phone') && record.phone === undefined && text(row.billing_address?.phone) !== undefined
  if (cleared || !sameAddress(record.address, before.address))
    change.billing_address = changedAddress(record.address, row.billing_address, cleared)
  return change
}

/** An address is sent as a whole, with its fields that are not part of a record, except the code of the old state. */
function changedAddress(
  address: Address = {},
  current: NativeAddress | null | undefined,
  withoutPhone: boolean,
): NativeAddress {
  const { attention, phone, fax } = members(current)
  const parts = Object.entries(toNativeAddress(address)).map(([name, value]) => [name, value ?? ''])
  return {
    ...compact({ attention, phone: withoutPhone ? '' : phone, fax }),
    ...Object.fromEntries(parts),
    state_code: '',
  }
}

/** A person omitted from the list is deleted, so all are sent, each with its id. */
function changedPersons(record: Customer, row: NativeContact): NativePerson[] {
  const current = primaryPerson(row)
  const persons = list(row.contact_persons).map((person) =>
    person === current ? changedPerson(record, person) : kept(person),
  )
  if (!current) return [changedPerson(record, {})]
  const [only] = persons
  return persons.length === 1 && only && isEmpty(only) ? [] : persons
}
const changedPerson = (record: Customer, person: NativePerson): NativePerson => ({
  ...kept(person),
  first_name: record.firstName ?? '',
  last_name: record.lastName ?? '',
  email: record.email ?? '',
  ...phones(record.phone, person),
  is_primary_contact: true, // never false: Zoho Inventory accepts only true
})
/** The mobile number is read if there is no other. */
function phones(target: string | undefined, { phone, mobile }: NativePerson): NativePerson {
  if (target === undefined) return { phone: '', mobile: '' }
  return text(phone) === undefined && text(mobile) === target ? {} : { phone: target }
}
const kept = ({
  is_primary_contact: _,
  contact_person_id,
  salutation,
  first_name,
  last_name,
  email,
  phone,
  mobile,
  designation,
  department,
  skype,
}: NativePerson): NativePerson =>
  compact({
    contact_person_id,
    salutation,
    first_name,
    last_name,
    email,
    phone,
    mobile,
    designation,
    department,
    skype,
  }) as NativePerson
const isEmpty = ({ contact_person_id: _, is_primary_contact: __, ...rest }: NativePerson): boolean =>
  Object.values(rest).every((value) => text(value) === undefined)
