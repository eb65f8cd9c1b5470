// https://developer.loyverse.com/docs/#tag/Customers
import type { EntityAdapter, ReadCall } from '../../contract/connector.ts'
import type { Customer } from '../../contract/entities/customer.ts'
import { tooLong } from '../../kit/checks.ts'
import { ifFound } from '../../kit/errors.ts'
import { compact, text } from '../../kit/fields.ts'
import { flatEntity } from '../../kit/flat.ts'
import { displayName } from '../../kit/names.ts'
import { get, path, post } from '../../kit/requests.ts'
import { fieldTable } from '../../kit/table.ts'
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
const fromUnified = (record: Customer) => compact({ ...table.body(record), address: streetOf(record) })
/** Can be read by id for one day after it was deleted, but is in no list. */
async function readCustomer(call: ReadCall, id: string): Promise<NativeCustomer | undefined> {
  const customer: NativeCustomer | undefined = isId(id)
    ? (await ifFound(call.read(get(path`/v1.0/customers/${id}`))))?.body
    : undefined
  return customer?.deleted_at ? undefined : customer
}
const linesOf = (row: NativeCustomer): string[] => (text(row.address) ?? '').split('\n')
const table = fieldTable<'customer', NativeCustomer>(
  {
    '/name': ['/name', { from: (row) => displayName(row.name, row.email, row.phone_number, row.id)!, longest: 64 }],
    '/email': ['/email', { longest: 100 }],
    '/phone': ['/phone_number', { longest: 15 }],
    '/notes': ['/note', { longest: 255 }],
    '/address/line1': ['/address', { from: (row) => text(linesOf(row)[0]), write: false }],
    '/address/line2': { from: (row) => text(linesOf(row).slice(1).join('\n')) },
    '/address/city': ['/city', { longest: 64 }],
    '/address/state': ['/region', { longest: 64 }],
    '/address/postalCode': ['/postal_code', { longest: 20 }],
    '/address/country': '/country_code',
    // There is one name, and no field for a company.
    '/firstName': null,
    '/lastName': null,
    '/companyName': null,
  },
  { trimmed: true },
)

export const customer: EntityAdapter<'customer', NativeCustomer, string> = flatEntity('customer', {
  id: ({ id }) => id,
  table,
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
  write: { check: (record) => tooLong('/address/line1', streetOf(record), 192), places: { country: 'code' } },
  create: {
    // The code is the only field for our mark; a merchant may replace it later.
    send: (call, record) => ({
      request: post(paths.customers, { ...fromUnified(record), customer_code: call.reference }),
      recovery: {
        find: () =>
          findCreated<NativeCustomer>(call, 'customers', ({ customer_code }) => customer_code === call.reference),
        lagSeconds,
      },
    }),
  },
  update: {
    send: (_, current, record) => {
      const target = table.replacement(record)
      target.address = streetOf(record) ?? null
      const names = Object.keys(target) as (keyof NativeCustomer)[]
      const present = (name: keyof NativeCustomer) => text(current[name]) ?? null
      if (names.every((name) => target[name] === present(name))) return undefined
      // A POST replaces the whole record: code and points are sent back unchanged, otherwise they would be lost. Null
      // only clears: a field that has no value already is left out.
      const { id, customer_code, total_points } = current
      const sent = names.filter((name) => target[name] !== null || present(name) !== null)
      return {
        request: post(paths.customers, {
          ...compact({ id, customer_code, total_points }),
          ...Object.fromEntries(sent.map((name) => [name, target[name]])),
        }),
        recovery: 'repeat',
      }
    },
  },
})
