// Converts between native clients and unified customers.
import type { Address } from '../../contract/address.ts'
import type { Customer } from '../../contract/entities/customer.ts'
import { compact, filled, number, text } from '../../kit/fields.ts'
import { displayName, fullName, splitName } from '../../kit/names.ts'

type Text = string | null
/** Empty fields are null or "", depending on the field. */
export interface NativeClient {
  id: number | string
  organization?: Text
  fname?: Text
  lname?: Text
  email?: Text
  username?: Text
  bus_phone?: Text
  mob_phone?: Text
  home_phone?: Text
  note?: Text
  currency_code?: Text
  p_street?: Text
  p_street2?: Text
  p_city?: Text
  p_province?: Text
  p_code?: Text
  p_country?: Text
  updated?: Text
  vis_state?: number
}
/** Without vis_state: FreshBooks would ignore all other fields. */
export type NativeChange = Partial<Omit<NativeClient, 'id' | 'username' | 'updated' | 'vis_state'>>

export const visibility = { active: 0, deleted: 1, archived: 2 } as const

const addressFields = {
  line1: 'p_street',
  line2: 'p_street2',
  city: 'p_city',
  state: 'p_province',
  postalCode: 'p_code',
  country: 'p_country',
} as const
const addressParts = Object.keys(addressFields) as (keyof typeof addressFields)[]
const phones = ['bus_phone', 'mob_phone', 'home_phone'] as const

/** An organization that is only the person's name, as some applications write it, is not a company. */
export function unifiedOf(row: NativeClient): Customer {
  const person = fullName(row.fname, row.lname)
  const organization = text(row.organization)
  const visible = number(row.vis_state)
  return compact({
    externalId: String(row.id),
    name: displayName(person, organization, row.email, row.username, row.id)!,
    firstName: text(row.fname),
    lastName: text(row.lname),
    email: text(row.email),
    phone: displayName(...phones.map((phone) => row[phone])),
    companyName: organization === person ? undefined : organization,
    notes: notesIn(row.note),
    address: filled(Object.fromEntries(addressParts.map((part) => [part, text(row[addressFields[part]])]))) as
      | Address
      | undefined,
    active: visible === undefined ? undefined : visible === visibility.active,
    currencyCode: text(row.currency_code),
  }) as Customer
}

/**
 * The note is the only searchable field that can contain a reference: the reference is a separate line and not part of
 * the unified notes.
 */
const referenceLine = /^sync-ref:([A-Za-z0-9]{16})[ \t]*$/m
export const referenceIn = (note: unknown): string | undefined => referenceLine.exec(lines(note))?.[1]
export const lineOf = (reference: string): string => `sync-ref:${reference}`
const lines = (note: unknown): string => (typeof note === 'string' ? note.replace(/\r\n?/g, '\n') : '')
const notesIn = (note: unknown): string | undefined =>
  text(
    typeof note === 'string' && referenceIn(note) ? lines(note).replace(referenceLine, '').replace(/\n+$/, '') : note,
  )
const noteOf = (notes: string | undefined, reference: string | undefined): string =>
  [notes, reference && lineOf(reference)].filter(Boolean).join('\n')

/**
 * A name alone becomes the organization, unless there is a different company. A person without a company has no
 * organization; only a name that is not the person's takes its place.
 */
function namesOf({ name, firstName, lastName, companyName }: Customer): {
  fname: string
  lname: string
  organization: string
} {
  const company = text(companyName)
  const person = fullName(firstName, lastName)
  if (person)
    return { fname: firstName ?? '', lname: lastName ?? '', organization: company ?? (name === person ? '' : name) }
  if (company === undefined || company === name) return { fname: '', lname: '', organization: name }
  const { first, last = '' } = splitName(name)
  return { fname: first, lname: last, organization: company }
}

/** For a create. New clients are active: archiving is a second step. */
export function fromUnified(record: Customer, reference: string): NativeChange {
  const address = Object.fromEntries(addressParts.map((part) => [addressFields[part], record.address?.[part]]))
  const client = {
    ...namesOf(record),
    email: record.email,
    bus_phone: record.phone,
    note: noteOf(record.notes, reference),
    ...address,
    currency_code: record.currencyCode,
  }
  return Object.fromEntries(Object.entries(client).filter(([, value]) => value)) as NativeChange
}

/** Only what differs: FreshBooks changes only the keys in the body. "" clears. */
export function changeOf(record: Customer, row: NativeClient): NativeChange {
  const before = unifiedOf(row)
  const differs = (field: 'name' | 'firstName' | 'lastName' | 'companyName' | 'email' | 'phone' | 'notes') =>
    (text(record[field]) ?? '') !== (before[field] ?? '')
  const change: NativeChange = {}
  if (differs('name') || differs('firstName') || differs('lastName') || differs('companyName')) {
    const names = namesOf(record)
    for (const field of ['fname', 'lname', 'organization'] as const)
      if (names[field] !== (row[field] ?? '')) change[field] = names[field]
  }
  if (differs('email')) change.email = record.email ?? ''
  if (differs('phone'))
    change[record.phone ? 'bus_phone' : (phones.find((phone) => text(row[phone])) ?? 'bus_phone')] = record.phone ?? ''
  if (differs('notes')) change.note = noteOf(record.notes, referenceIn(row.note))
  for (const part of addressParts)
    if ((text(record.address?.[part]) ?? '') !== (before.address?.[part] ?? ''))
      change[addressFields[part]] = record.address?.[part] ?? ''
  if (record.currencyCode && record.currencyCode !== before.currencyCode) change.currency_code = record.currencyCode
  return change
}
