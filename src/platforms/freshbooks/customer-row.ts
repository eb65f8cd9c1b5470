// Converts between native clients and unified customers.
import type { Customer } from '../../contract/entities/customer.ts'
import { compact, number, text } from '../../kit/fields.ts'
import { displayName, fullName, splitName } from '../../kit/names.ts'
import { addressTable } from '../../kit/person.ts'
import { fieldTable } from '../../kit/table.ts'

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

const phones = ['bus_phone', 'mob_phone', 'home_phone'] as const
const personOf = (row: NativeClient) => fullName(row.fname, row.lname)
/** An organization that is only the person's name, as some applications write it, is not a company. */
function companyOf(row: NativeClient): string | undefined {
  const organization = text(row.organization)
  return organization === personOf(row) ? undefined : organization
}
function activeOf(row: NativeClient): boolean | undefined {
  const visible = number(row.vis_state)
  return visible === undefined ? undefined : visible === visibility.active
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

export const table = fieldTable<'customer', NativeClient>(
  {
    '/name': {
      from: (row) => displayName(personOf(row), text(row.organization), row.email, row.username, row.id)!,
    },
    '/firstName': ['/fname', { write: false }],
    '/lastName': ['/lname', { write: false }],
    '/email': '/email',
    '/phone': ['/bus_phone', { or: ['/mob_phone', '/home_phone'] }],
    '/companyName': ['/organization', { from: companyOf, write: false }],
    '/notes': ['/note', { read: notesIn, write: false }],
    ...addressTable('', {
      line1: 'p_street',
      line2: 'p_street2',
      city: 'p_city',
      state: 'p_province',
      postalCode: 'p_code',
      country: 'p_country',
    }),
    '/active': ['/vis_state', { from: activeOf, write: false }],
    '/currencyCode': ['/currency_code', { keeps: true }],
  },
  { cleared: '' },
)
export const unifiedOf = (row: NativeClient): Customer => compact(table.read(row, String(row.id))) as Customer

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
  const client = { ...namesOf(record), ...table.body(record), note: noteOf(record.notes, reference) }
  return Object.fromEntries(Object.entries(client).filter(([, value]) => value))
}

/** Only what differs: FreshBooks changes only the keys in the body. "" clears. */
export function changeOf(record: Customer, row: NativeClient): NativeChange {
  const before = unifiedOf(row)
  const differs = (field: 'name' | 'firstName' | 'lastName' | 'companyName' | 'notes') =>
    (text(record[field]) ?? '') !== (before[field] ?? '')
  const { bus_phone, ...others } = table.differences(record, row) as NativeChange
  const change: NativeChange = others
  if (differs('name') || differs('firstName') || differs('lastName') || differs('companyName')) {
    const names = namesOf(record)
    for (const field of ['fname', 'lname', 'organization'] as const)
      if (names[field] !== (row[field] ?? '')) change[field] = names[field]
  }
  // The number that is shown is cleared.
  if (bus_phone !== undefined)
    change[record.phone ? 'bus_phone' : (phones.find((phone) => text(row[phone])) ?? 'bus_phone')] = bus_phone
  if (differs('notes')) change.note = noteOf(record.notes, referenceIn(row.note))
  return change
}
