// Converts between native and unified customers.
import type { Address } from '../../contract/address.ts'
import type { Customer } from '../../contract/entities/customer.ts'
import { sameAddress } from '../../kit/differences.ts'
import { compact, filled, flag, members, text } from '../../kit/fields.ts'
import { displayName, fullName } from '../../kit/names.ts'
import { fieldTable } from '../../kit/table.ts'

export interface NativeAddress {
  Id?: string
  Line1?: string
  Line2?: string
  Line3?: string
  Line4?: string
  Line5?: string
  City?: string
  CountrySubDivisionCode?: string
  PostalCode?: string
  Country?: string
  Lat?: string
  Long?: string
}
/** Absent fields have no key. */
export interface NativeCustomer {
  Id: string
  SyncToken: string
  DisplayName?: string
  FullyQualifiedName?: string
  GivenName?: string
  FamilyName?: string
  CompanyName?: string
  PrimaryEmailAddr?: { Address?: string }
  PrimaryPhone?: { FreeFormNumber?: string }
  Mobile?: { FreeFormNumber?: string }
  BillAddr?: NativeAddress | null
  Notes?: string
  Active?: boolean
  CurrencyRef?: { value?: string; name?: string }
  MetaData?: { CreateTime?: string; LastUpdatedTime?: string }
}
export type NativeChange = Omit<Partial<NativeCustomer>, 'Id' | 'SyncToken' | 'MetaData'>

/** QuickBooks adds this suffix to an inactive customer's name, with a number if the name already exists. */
const ending = / \(deleted(?:-\d+)?\)$/
const isActive = (row: NativeCustomer): boolean => flag(row.Active) ?? true
const shownName = (row: NativeCustomer): string => {
  const name = displayName(
    row.DisplayName,
    row.FullyQualifiedName,
    row.CompanyName,
    fullName(row.GivenName, row.FamilyName),
    row.Id,
  )!
  return isActive(row) ? name : name.replace(ending, '') || name
}

/** Five lines become two: the second contains the rest, separated by line breaks, so that they can be split again. */
function furtherLines({ BillAddr }: NativeCustomer): string | undefined {
  const { Line2, Line3, Line4, Line5 } = members(BillAddr)
  const rest = [Line2, Line3, Line4, Line5].map((line) => text(line) ?? '')
  return text(rest.join('\n').trimEnd())
}
/** Older companies have several addresses here. */
const emailOf = (row: NativeCustomer) => text(text(row.PrimaryEmailAddr?.Address)?.split(/[,;]/)[0])

export const table = fieldTable<'customer', NativeCustomer>(
  {
    '/name': ['/DisplayName', { from: shownName }],
    '/firstName': '/GivenName',
    '/lastName': '/FamilyName',
    '/email': ['/PrimaryEmailAddr/Address', { from: emailOf, errors: ['PrimaryEmailAddr'] }],
    '/phone': [
      '/PrimaryPhone/FreeFormNumber',
      { or: '/Mobile/FreeFormNumber', errors: ['PrimaryPhone', 'FreeFormNumber'] },
    ],
    '/companyName': '/CompanyName',
    '/notes': '/Notes',
    '/address/line1': ['/BillAddr/Line1', { write: false }],
    '/address/line2': [
      '/BillAddr/Line2',
      { from: furtherLines, write: false, errors: ['BillAddr.Line3', 'BillAddr.Line4', 'BillAddr.Line5'] },
    ],
    '/address/city': ['/BillAddr/City', { write: false }],
    '/address/state': ['/BillAddr/CountrySubDivisionCode', { write: false }],
    '/address/postalCode': ['/BillAddr/PostalCode', { write: false }],
    '/address/country': ['/BillAddr/Country', { write: false }],
    '/active': ['/Active', { from: isActive, write: false }],
    '/currencyCode': ['/CurrencyRef/value', { write: false, errors: ['CurrencyRef'] }],
  },
  { cleared: '', errors: { BillAddr: '/address' } },
)
export const unifiedOf = (row: NativeCustomer): Customer => compact(table.read(row, row.Id)) as Customer
function toNativeAddress(address: Address): NativeAddress {
  const [Line2, Line3, Line4, ...more] = address.line2?.split('\n') ?? []
  return {
    Line1: address.line1,
    Line2,
    Line3,
    Line4,
    Line5: more.length ? more.join(', ') : undefined,
    City: address.city,
    CountrySubDivisionCode: address.state,
    PostalCode: address.postalCode,
    Country: address.country,
  }
}

/** For a create. A customer cannot be created inactive: that is a second step. */
export const fromUnified = (record: Customer): NativeChange =>
  compact({
    ...table.body(record),
    BillAddr: record.address && filled(toNativeAddress(record.address)),
    // The code, not the id of a currency object: QuickBooks would interpret an id as another currency.
    CurrencyRef: record.currencyCode ? { value: record.currencyCode } : undefined,
  })

/**
 * The sparse update from the row to the record: only the differences, so that other fields in QuickBooks do not change.
 * "" clears; absent fields are unchanged.
 */
export function changeOf(record: Customer, row: NativeCustomer): NativeChange {
  const before = unifiedOf(row)
  const { PrimaryPhone, ...others } = table.differences(record, row) as NativeChange
  const change: NativeChange = others
  // The number that is shown is cleared.
  if (PrimaryPhone)
    change[text(row.PrimaryPhone?.FreeFormNumber) || record.phone ? 'PrimaryPhone' : 'Mobile'] = PrimaryPhone
  if (!sameAddress(record.address, before.address)) change.BillAddr = changedAddress(record.address, row.BillAddr)
  if (record.active !== undefined && record.active !== before.active) {
    change.Active = record.active
    if (record.active) change.DisplayName = record.name // without its current suffix
  }
  return change
}
/**
 * An address is replaced as a whole. Cleared parts are sent explicitly anyway, in case they are merged; the map
 * position belongs to the old address.
 */
function changedAddress(address: Address | undefined, native: NativeAddress | null | undefined): NativeAddress {
  const current = members(native)
  const { Lat: _, Long: __, ...kept } = current
  const parts = toNativeAddress(address ?? {})
  const cleared = Object.keys(parts).filter((part) => part in current)
  return { ...kept, ...Object.fromEntries(cleared.map((part) => [part, ''])), ...compact(parts) }
}
