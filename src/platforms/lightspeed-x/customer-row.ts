// The platform's customer, and how it is read and written.
// https://x-series-api.lightspeedhq.com/reference/listcustomers
import type { Customer } from '../../contract/entities/customer.ts'
import { text } from '../../kit/fields.ts'
import { displayName, fullName } from '../../kit/names.ts'
import { addressTable, joined, nameParts, withParts } from '../../kit/person.ts'
import { fieldTable } from '../../kit/table.ts'
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
const line2Of = (row: NativeCustomer): string | undefined => joined(', ', row.physical_address_2, row.physical_suburb)

export const table = fieldTable<'customer', NativeCustomer>({
  '/name': { from: shownName },
  '/firstName': '/first_name',
  '/lastName': '/last_name',
  '/email': '/email',
  '/phone': ['/phone', { or: '/mobile' }],
  '/companyName': '/company_name',
  '/notes': '/note',
  ...addressTable('', {
    line1: 'physical_address_1',
    city: 'physical_city',
    state: 'physical_state',
    postalCode: 'physical_postcode',
    country: 'physical_country_id',
  }),
  '/address/line2': ['/physical_address_2', { from: line2Of }],
})

const personOf = nameParts<NativeCustomer>({
  shown: shownName,
  first: 'first_name',
  last: 'last_name',
  others: ['companyName', 'email'],
})
/** First and last name are required and may be null. */
export function fromUnified(record: Customer): object {
  const { first = null, last = null } = personOf(record)
  return { ...table.body(record), first_name: first, last_name: last }
}
/** The phone may be stored as a mobile number, and the second line as two: as long as they are unchanged, they stay. */
export function changeOf(record: Customer, current: NativeCustomer): object {
  const { phone, physical_address_2, ...change } = table.replacement(withParts(record, personOf(record, current)))
  return {
    ...change,
    ...(record.phone === phoneOf(current) ? {} : { phone, ...(text(current.phone) ? {} : { mobile: null }) }),
    ...(record.address?.line2 === line2Of(current) ? {} : { physical_address_2, physical_suburb: null }),
  }
}
