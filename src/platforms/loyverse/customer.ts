// https://developer.loyverse.com/docs/#tag/Customers
import type { EntityAdapter, ReadCall } from '../../contract/connector.ts'
import type { Customer } from '../../contract/entities/customer.ts'
import { tooLong } from '../../kit/checks.ts'
import { ifFound } from '../../kit/errors.ts'
import { compact, filled, text } from '../../kit/fields.ts'
import { displayName } from '../../kit/names.ts'
import { get, path, post } from '../../kit/requests.ts'
import {
  findCreated,
  isId,
  lagSeconds,
  modifiedAt,
  pageLimit,
  paths,
  readPage,
  type Stamped,
  updatedSince,
} from './listing.ts'

export interface NativeCustomer extends Stamped {
  id: string
  name?: string | null
  email?: string | null
  phone_number?: string | null
  address?: string | null
  city?: string | null
  region?: string | null
  postal_code?: string | null
  country_code?: string | null
  customer_code?: string | null
  note?: string | null
  total_points?: number
}
/** There is one street field: a second line is appended after a line break, so that it can be read back. */
function streetOf({ address }: Customer): string | undefined {
  const second = text(address?.line2)
  return second === undefined ? text(address?.line1) : `${text(address?.line1) ?? ''}\n${second}`
}
const fromUnified = (record: Customer) => ({
  name: record.name,
  email: text(record.email),
  phone_number: text(record.phone),
  address: streetOf(record),
  city: text(record.address?.city),
  region: text(record.address?.state),
  postal_code: text(record.address?.postalCode),
  country_code: text(record.address?.country),
  note: text(record.notes),
})
/** Can be read by id for one day after it was deleted, but is in no list. */
async function readCustomer(call: ReadCall, id: string): Promise<NativeCustomer | undefined> {
  const customer: NativeCustomer | undefined = isId(id)
    ? (await ifFound(call.read(get(path`/v1.0/customers/${id}`))))?.body
    : undefined
  return customer?.deleted_at ? undefined : customer
}
function toUnified(row: NativeCustomer): Customer {
  const [line1, ...rest] = (text(row.address) ?? '').split('\n')
  return {
    externalId: row.id,
    name: displayName(row.name, row.email, row.phone_number, row.id)!,
    email: text(row.email),
    phone: text(row.phone_number),
    notes: text(row.note),
    address: filled({
      line1: text(line1),
      line2: text(rest.join('\n')),
      city: text(row.city),
      state: text(row.region),
      postalCode: text(row.postal_code),
      country: text(row.country_code),
    }),
  }
}
const write = {
  longest: {
    '/name': 64,
    '/email': 100,
    '/phone': 15,
    '/notes': 255,
    '/address/city': 64,
    '/address/state': 64,
    '/address/postalCode': 20,
  },
  check: (record: Customer) => tooLong('/address/line1', streetOf(record), 192),
  places: { country: 'code' },
  // There is one name, and no field for a company.
  notStored: { '/firstName': true, '/lastName': true, '/companyName': true },
  fields: {
    name: '/name',
    email: '/email',
    phone_number: '/phone',
    note: '/notes',
    address: '/address/line1',
    city: '/address/city',
    region: '/address/state',
    postal_code: '/address/postalCode',
    country_code: '/address/country',
  },
} as const

export const customer: EntityAdapter<'customer', NativeCustomer, string> = {
  id: ({ id }) => id,
  toUnified,
  scopes: { read: ['CUSTOMERS_READ'], write: ['CUSTOMERS_READ', 'CUSTOMERS_WRITE'] },
  list: {
    pageLimit,
    updatedAfter: 'platform',
    modifiedAt: ({ updated_at }) => modifiedAt(updated_at),
    stampPrecision: 'seconds',
    async page(call, { size, updatedAfter }, cursor) {
      const updated_at_min = updatedAfter === undefined ? undefined : updatedSince(updatedAfter)
      const { rows, cursor: next } = await readPage<NativeCustomer>(call, 'customers', {
        limit: Math.min(size, pageLimit),
        updated_at_min,
        cursor,
      })
      return { rows: [...rows], next }
    },
  },
  get: readCustomer,
  search: {
    by: ['email'],
    newestFirst: false,
    async page(call, { text: email, like, size }, cursor) {
      if (like !== 'email') return { rows: [] }
      const query = { limit: Math.min(size, pageLimit), email, cursor }
      const { rows, cursor: next } = await readPage<NativeCustomer>(call, 'customers', query)
      return { rows: [...rows], next }
    },
  },
  create: {
    ...write,
    run: async (call, record) => {
      // The code is the only field for our mark; a merchant may replace it later.
      const row = await call.write<NativeCustomer>('customer', {
        request: post(paths.customers, compact({ ...fromUnified(record), customer_code: call.reference })),
        read: ({ body }) => body,
        recovery: {
          find: () =>
            findCreated<NativeCustomer>(call, 'customers', ({ customer_code }) => customer_code === call.reference),
          lagSeconds,
        },
      })
      return { id: row.id, row }
    },
  },
  update: {
    ...write,
    run: async (call, current, record) => {
      const { id } = current
      const target = Object.entries(fromUnified(record)) as [keyof NativeCustomer, string | undefined][]
      const cleared = target
        .filter(([name, value]) => value === undefined && text(current[name]) !== undefined)
        .map(([name]) => [name, null])
      if (!cleared.length && target.every(([name, value]) => value === text(current[name]))) return { id, row: current }
      const { customer_code, total_points } = current
      // A POST replaces the whole record: code and points are sent back unchanged, otherwise they would be lost.
      const row = await call.write<NativeCustomer>('customer', {
        request: post(paths.customers, {
          ...compact({ id, customer_code, total_points, ...fromUnified(record) }),
          ...Object.fromEntries(cleared),
        }),
        read: ({ body }) => body,
        recovery: 'repeat',
      })
      return { id, row }
    },
  },
}
