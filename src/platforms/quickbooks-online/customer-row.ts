// Converts between native and unified customers.
import type { Address } from '../../contract/address.ts'
import type { Customer } from '../../contract/entities/customer.ts'
import { sameAddress } from '../../kit/differences.ts'
import { compact, filled, flag, members, text } from '../../kit/fields.ts'
import { displayName, fullName } from '../../kit/names.ts'

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

export function unifiedOf(row: NativeCustomer): Customer {
  return compact({
    externalId: row.Id,
    name: shownName(row),
    firstName: text(row.GivenName),
    lastName: text(row.FamilyName),
    email: text(text(row.PrimaryEmailAddr?.Address)?.split(/[,;]/)[0]), // older companies have several addresses here
    phone: text(row.PrimaryPhone?.FreeFormNumber) ?? text(row.Mobile?.FreeFormNumber),
    companyName: text(row.CompanyName),
    notes: text(row.Notes),
    address: fromNativeAddress(row.BillAddr),
    active: isActive(row),
    currencyCode: text(row.CurrencyRef?.value),
  }) as Customer
}
/** Five lines become two: the second contains the rest, separated by line breaks, so that they can be split again. */
function fromNativeAddress(native: NativeAddress | null | undefined): Address | undefined {
  const address = members(native)
  const rest = [address.Line2, address.Line3, address.Line4, address.Line5].map(text)
  return filled({
    line1: text(address.Line1),
    line2: text(
      rest
        .map((line) => line ?? '')
        .join('\n')
        .trimEnd(),
    ),
    city: text(address.City),
    state: text(address.CountrySubDivisionCode),
    postalCode: text(address.PostalCode),
    country: text(address.Country),
  })
}
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
    DisplayName: record.name,
    GivenName: record.firstName,
    FamilyName: record.lastName,
    CompanyName: record.companyName,
    PrimaryEmailAddr: record.email ? { Address: record.email } : undefined,
    PrimaryPhone: record.phone ? { FreeFormNumber: record.phone } : undefined,
    BillAddr: record.address && filled(toNativeAddress(record.address)),
    Notes: record.notes,
    // The code, not the id of a currency object: QuickBooks would interpret an id as another currency.
    CurrencyRef: record.currencyCode ? { value: record.currencyCode } : undefined,
  }) as NativeChange

/**
 * The sparse update from the row to the record: only the differences, so that other fields in QuickBooks do not change.
 * "" clears; absent fields are unchanged.
 */
export function changeOf(record: Customer, row: NativeCustomer): NativeChange {
  const before = unifiedOf(row)
  const differs = (field: keyof Customer) => JSON.stringify(record[field]) !== JSON.stringify(before[field])
  const change: NativeChange = {}
  if (differs('name')) change.DisplayName = record.name
  if (differs('firstName')) change.GivenName = record.firstName ?? ''
  if (differs('lastName')) change.FamilyName = record.lastName ?? ''
  if (differs('companyName')) change.CompanyName = record.companyName ?? ''
  if (differs('notes')) change.Notes = record.notes ?? ''
  if (differs('email')) change.PrimaryEmailAddr = { Address: record.email ?? '' }
  if (differs('phone')) {
    const shown = text(row.PrimaryPhone?.FreeFormNumber) || record.phone ? 'PrimaryPhone' : 'Mobile'
    change[shown] = { FreeFormNumber: record.phone ?? '' }
  }
  if (!sameAddress(record.address, before.address)) change.BillAddr = changedAddress(record.address, row.BillAddr)
  if (record.active !== undefined && differs('active')) {
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
