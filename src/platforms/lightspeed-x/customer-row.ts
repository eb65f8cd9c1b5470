// The platform's customer, and how it is read and written.
// https://x-series-api.lightspeedhq.com/reference/listcustomers
import type { Customer } from '../../contract/entities/customer.ts'
import { filled, text } from '../../kit/fields.ts'
import { displayName, fullName, personName } from '../../kit/names.ts'
import type { Stamped } from './api.ts'

type Text = string | null
export interface NativeCustomer extends Stamped {
  first_name?: Text
  last_name?: Text
  customer_code?: string
  company_name?: Text
  email?: Text
  phone?: Text
  mobile?: Text
  note?: Text
  physical_address_1?: Text
  physical_address_2?: Text
  physical_suburb?: Text
  physical_city?: Text
  physical_postcode?: Text
  physical_state?: Text
  physical_country_id?: Text
}
/** All fields that an update may send. It replaces the whole customer, so omitted fields would be lost. */
const writable = [
  ...[
    'first_name',
    'last_name',
    'customer_code',
    'customer_group_id',
    'enable_loyalty',
    'email',
    'note',
    'gender',
    'date_of_birth',
    'company_name',
    'do_not_email',
  ],
  ...[
    'phone',
    'mobile',
    'fax',
    'twitter',
    'website',
    'on_account_limit',
    'custom_field_1',
    'custom_field_2',
    'custom_field_3',
    'custom_field_4',
  ],
  ...['physical', 'postal'].flatMap((kind) =>
    ['address_1', 'address_2', 'suburb', 'city', 'postcode', 'state', 'country_id'].map((part) => `${kind}_${part}`),
  ),
]
/** These do not accept null, although responses may contain null. */
const notNullable = new Set(['customer_code', 'customer_group_id', 'enable_loyalty', 'date_of_birth', 'do_not_email'])
export const keptOf = (current: NativeCustomer): object =>
  Object.fromEntries(
    Object.entries(current).filter(
      ([name, value]) => writable.includes(name) && !(value === null && notNullable.has(name)),
    ),
  )

const shownName = (row: NativeCustomer): string =>
  displayName(fullName(row.first_name, row.last_name), row.company_name, row.email, row.customer_code, row.id)!
const phoneOf = (row: NativeCustomer): string | undefined => text(row.phone) ?? text(row.mobile)
const line2Of = (row: NativeCustomer): string | undefined =>
  text([text(row.physical_address_2), text(row.physical_suburb)].filter(Boolean).join(', '))

/** A name that is already displayed, or that equals the company, is not split into a person's name. */
function personOf(record: Customer, current?: NativeCustomer): { first?: Text; last?: Text } {
  if (record.firstName || record.lastName) return personName(record)
  if (current && shownName(current) === record.name) return { first: current.first_name, last: current.last_name }
  return record.name === record.companyName || record.name === record.email ? {} : personName(record)
}
export function fromUnified(record: Customer, current?: NativeCustomer) {
  const { first, last } = personOf(record, current)
  const { line1, line2, city, state, postalCode, country } = record.address ?? {}
  // The second line may be stored as two: as long as it is unchanged, they stay two.
  const same = current !== undefined && line2 === line2Of(current)
  return {
    first_name: first ?? null, // both are required and may be null
    last_name: last ?? null,
    email: record.email ?? null,
    ...(current !== undefined && record.phone === phoneOf(current)
      ? {}
      : { phone: record.phone ?? null, ...(text(current?.phone) ? {} : { mobile: null }) }),
    company_name: record.companyName ?? null,
    note: record.notes ?? null,
    physical_address_1: line1 ?? null,
    ...(same ? {} : { physical_address_2: line2 ?? null, physical_suburb: null }),
    physical_city: city ?? null,
    physical_state: state ?? null,
    physical_postcode: postalCode ?? null,
    physical_country_id: country ?? null,
  }
}
export const toUnified = (row: NativeCustomer): Customer => ({
  externalId: row.id,
  name: shownName(row),
  firstName: text(row.first_name),
  lastName: text(row.last_name),
  email: text(row.email),
  phone: phoneOf(row),
  companyName: text(row.company_name),
  notes: text(row.note),
  address: filled({
    line1: text(row.physical_address_1),
    line2: line2Of(row),
    city: text(row.physical_city),
    state: text(row.physical_state),
    postalCode: text(row.physical_postcode),
    country: text(row.physical_country_id),
  }),
})
