import type { EntityAdapter, ReadCall } from '../../contract/connector.ts'
import type { Customer } from '../../contract/entities/customer.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import type { Refused } from '../../kit/checks.ts'
import { bodyWith } from '../../kit/custom.ts'
import { ifFound } from '../../kit/errors.ts'
import { compact, not, text } from '../../kit/fields.ts'
import { flatEntity } from '../../kit/flat.ts'
import { displayName, fullName } from '../../kit/names.ts'
import { longNames, nameParts, withParts } from '../../kit/person.ts'
import { get, path, post, put } from '../../kit/requests.ts'
import { fieldTable } from '../../kit/table.ts'
import { toUtc } from '../../kit/time.ts'
import { address, type NativeAddress, pages } from './account.ts'

export interface NativeCustomer {
  id: string
  version?: number
  updated_at?: string
  given_name?: string
  family_name?: string
  nickname?: string
  company_name?: string
  email_address?: string
  phone_number?: string
  note?: string
  address?: NativeAddress
  preferences?: { email_unsubscribed?: boolean }
}
export const shownName = (row: NativeCustomer): string =>
  displayName(
    fullName(row.given_name, row.family_name),
    row.company_name,
    row.nickname,
    row.email_address,
    row.phone_number,
    row.id,
  )!
export const personOf = nameParts<NativeCustomer>({
  shown: shownName,
  first: 'given_name',
  last: 'family_name',
  others: ['companyName', 'email', 'phone'],
})

const longestName = 300
const table = fieldTable<'customer', NativeCustomer>({
  '/name': { from: shownName },
  '/firstName': ['/given_name', { longest: longestName }],
  '/lastName': ['/family_name', { longest: longestName }],
  '/companyName': ['/company_name', { longest: 500 }],
  '/email': ['/email_address', { longest: 254 }],
  '/phone': '/phone_number',
  '/notes': '/note',
  ...address,
  '/marketingAllowed': ['/preferences/email_unsubscribed', { read: not, stored: false }], // only the customer unsubscribes
})

/** True when the customer has every value of the change; null stands for none. */
function holds(row: object, change: object): boolean {
  const stored = row as Record<string, unknown>
  return Object.entries(change).every(([name, value]) =>
    typeof value === 'object' && value !== null
      ? holds((stored[name] ?? {}) as object, value)
      : (stored[name] ?? null) === value,
  )
}
/** Square identifies a customer by a name, company, email or phone. */
const isIdentified = (record: Customer): boolean =>
  [record.name, record.firstName, record.lastName, record.companyName, record.email, record.phone].some((value) =>
    value?.trim(),
  )
const check = (record: Customer): Refused[] =>
  isIdentified(record)
    ? longNames(record, personOf(record), longestName)
    : [{ pointer: '/name', message: 'must not be blank on this platform' }]

const readCustomer = async (call: ReadCall, id: string): Promise<NativeCustomer | undefined> =>
  (await ifFound(call.read(get(path`/v2/customers/${id}`))))?.body.customer
const customerIn = ({ body }: { body: { customer: NativeCustomer } }): NativeCustomer => body.customer

export const customer: EntityAdapter<'customer', NativeCustomer, string> = flatEntity('customer', {
  id: (row) => row.id,
  version: (row) => text(row.version),
  table,
  rowIn: customerIn,
  list: {
    pageLimit: 100,
    updatedAfter: 'platform',
    modifiedAt: (row) => toUtc(row.updated_at),
    stampPrecision: 'seconds',
    // Sorted by creation time: by default Square sorts by name, and a rename would move a row across pages. The time
    // filter has no end: a row that changes during the walk would leave it.
    page: pages(
      '/customers',
      (page, { updatedAfter }) =>
        updatedAfter
          ? post('/v2/customers/search', {
              query: {
                filter: { updated_at: { start_at: updatedAfter } },
                sort: { field: 'CREATED_AT', order: 'ASC' },
              },
              ...page,
              count: true,
            })
          : get('/v2/customers', { ...page, count: true, sort_field: 'CREATED_AT', sort_order: 'ASC' }),
      '/count',
    ),
  },
  get: readCustomer,
  search: {
    by: ['email', 'phone'],
    newestFirst: true,
    page: async (call, query, cursor) => {
      if (query.like === 'text') return { rows: [] }
      const filter = { [query.like === 'email' ? 'email_address' : 'phone_number']: { fuzzy: query.text } }
      const search = { filter, sort: { field: 'CREATED_AT', order: 'DESC' } }
      return pages<NativeCustomer, typeof query>('/customers', (page) =>
        post('/v2/customers/search', { query: search, ...page }),
      )(call, query, cursor)
    },
  },
  custom: {
    fields: { '/reference_id': 'string', '/birthday': 'string' },
    set: (call, { id }, values) =>
      call.write('custom', {
        request: put(path`/v2/customers/${id}`, bodyWith(values)),
        read: customerIn,
        recovery: 'repeat',
        undo: 'nothing',
      }),
  },
  write: { places: { country: 'code' }, check },
  create: {
    send: (call, record) => ({
      request: post('/v2/customers', {
        idempotency_key: call.key('customer'),
        reference_id: call.reference,
        ...table.body(withParts(record, personOf(record))),
      }),
      recovery: 'key',
    }),
  },
  update: {
    run: async (call, current, record) => {
      // Sparse update; null clears. With the version that was read, Square lets only one of several writers through.
      const change = table.replacement(withParts(record, personOf(record, current)))
      const row = await call
        .write('customer', {
          request: put(path`/v2/customers/${current.id}`, { ...change, ...compact({ version: current.version }) }),
          read: customerIn,
          recovery: 'repeat',
        })
        .catch(async (error: unknown) => {
          // Repeated after a lost response, it is stale because it was carried out the first time.
          const stale = error instanceof NativeFailure && error.error.kind === 'stale'
          const stored = stale ? await readCustomer(call, current.id) : undefined
          if (stored && holds(stored, change)) return stored
          throw error
        })
      return { id: row.id, row }
    },
  },
})
