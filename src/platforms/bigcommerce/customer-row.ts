import type { Address } from '../../contract/address.ts'
import type { ReadCall } from '../../contract/connector.ts'
import { compact, filled, list, number, text } from '../../kit/fields.ts'
import { displayName, fullName } from '../../kit/names.ts'
import { get } from '../../kit/requests.ts'
import { fieldTable } from '../../kit/table.ts'
import { isId, v3 } from './account.ts'

export interface NativeAddress {
  id: number
  first_name?: string
  last_name?: string
  company?: string
  address1?: string
  address2?: string
  city?: string
  state_or_province?: string
  postal_code?: string
  country?: string
  country_code?: string
  phone?: string
}
export interface NativeCustomer {
  id: number
  email?: string
  first_name?: string
  last_name?: string
  company?: string
  phone?: string
  notes?: string
  date_modified?: string
  addresses?: NativeAddress[]
}

/** The oldest address: adding others does not change it. */
export const addressOf = ({ addresses }: NativeCustomer): NativeAddress | undefined =>
  [...list(addresses)].sort((left, right) => ageOf(left) - ageOf(right))[0]
const ageOf = ({ id }: NativeAddress): number => number(id) ?? Number.MAX_SAFE_INTEGER
const shownName = (row: NativeCustomer): string =>
  displayName(fullName(row.first_name, row.last_name), row.company, row.email, row.id)!

export async function readCustomer(call: ReadCall, id: string): Promise<NativeCustomer | undefined> {
  if (!isId(id)) return undefined
  return (await call.read(get(v3(call, '/customers'), { 'id:in': id, include: 'addresses' }))).body.data?.[0]
}

const addressNames = {
  line1: 'address1',
  line2: 'address2',
  city: 'city',
  state: 'state_or_province',
  postalCode: 'postal_code',
  country: 'country_code',
} as const
export const fromAddress = (address: NativeAddress | undefined): Address | undefined =>
  address &&
  filled({
    line1: text(address.address1),
    line2: text(address.address2),
    city: text(address.city),
    state: text(address.state_or_province),
    postalCode: text(address.postal_code),
    country: text(address.country_code),
  })

export const toAddress = (address: Address) =>
  compact({
    address1: address.line1,
    address2: address.line2,
    city: address.city,
    state_or_province: address.state === 'Yukon' ? 'Yukon Territory' : address.state, // BigCommerce's own name
    postal_code: address.postalCode,
    country_code: address.country,
  })

export const table = fieldTable<'customer', NativeCustomer>(
  {
    '/name': { from: shownName },
    '/email': ['/email', { required: true }],
    '/firstName': ['/first_name', { required: true }],
    '/lastName': ['/last_name', { required: true }],
    '/companyName': '/company',
    '/phone': '/phone',
    '/notes': '/notes',
    '/address': ['/addresses', { from: (row) => fromAddress(addressOf(row)), write: false }],
  },
  {
    cleared: '',
    errors: {
      ...Object.fromEntries(
        Object.entries(addressNames).map(([part, name]) => [`addresses.*.${name}`, `/address/${part}`] as const),
      ),
      state_or_province: '/address/state',
      postal_code: '/address/postalCode',
      country_code: '/address/country',
    },
  },
)
