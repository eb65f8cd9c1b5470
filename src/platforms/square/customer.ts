import type { Address } from '../../contract/address.ts'
import type { EntityAdapter, ReadCall } from '../../contract/connector.ts'
import type { Customer } from '../../contract/entities/customer.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { type Refused, tooLong } from '../../kit/checks.ts'
import { bodyWith } from '../../kit/custom.ts'
import { ifFound } from '../../kit/errors.ts'
import { compact, filled, flag, list, orNull, text } from '../../kit/fields.ts'
import { displayName, fullName, personName } from '../../kit/names.ts'
import { singleCall } from '../../kit/paging.ts'
import { get, path, post, put } from '../../kit/requests.ts'
import { toUtc } from '../../kit/time.ts'
import { fromAddress, type NativeAddress } from './account.ts'

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

const toAddress = (address: Address) => ({
  address_line_1: address.line1,
  address_line_2: address.line2,
  locality: address.city,
  administrative_district_level_1: address.state,
  postal_code: address.postalCode,
  country: address.country,
})
/** A name that is already displayed, or that equals the company, email or phone, is not split into a person's name. */
export function personOf(record: Customer, current?: NativeCustomer): { first?: string; last?: string } {
  if (record.firstName || record.lastName) return personName(record)
  if (current && shownName(current) === record.name) return { first: current.given_name, last: current.family_name }
  return [record.companyName, record.email, record.phone].includes(record.name) ? {} : personName(record)
}
function fromUnified(record: Customer, current?: NativeCustomer) {
  const { first, last } = personOf(record, current)
  return {
    given_name: first,
    family_name: last,
    company_name: record.companyName,
    email_address: record.email,
    phone_number: record.phone,
    note: record.notes,
  }
}
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
const longestName = 300
function check(record: Customer): Refused[] {
  if (!isIdentified(record)) return [{ pointer: '/name', message: 'must not be blank on this platform' }]
  const { first, last } = personOf(record)
  const parts = [record.firstName ? undefined : first, record.lastName ? undefined : last]
  return parts.flatMap((part) => tooLong('/name', part, longestName)).slice(0, 1)
}
const write = {
  places: { country: 'code' },
  notStored: { '/marketingAllowed': true }, // only the customer unsubscribes
  longest: { '/firstName': longestName, '/lastName': longestName, '/companyName': 500, '/email': 254 },
  check,
  fields: {
    given_name: '/firstName',
    family_name: '/lastName',
    company_name: '/companyName',
    email_address: '/email',
    phone_number: '/phone',
    note: '/notes',
    address: '/address',
    'address.country': '/address/country',
    'address.postal_code': '/address/postalCode',
  },
} as const
const readCustomer = async (call: ReadCall, id: string): Promise<NativeCustomer | undefined> =>
  (await ifFound(call.read(get(path`/v2/customers/${id}`))))?.body.customer
const customerIn = ({ body }: { body: { customer: NativeCustomer } }): NativeCustomer => body.customer

export const customer: EntityAdapter<'customer', NativeCustomer, string> = {
  id: (row) => row.id,
  version: (row) => text(row.version),
  toUnified: (row) => {
    const unsubscribed = flag(row.preferences?.email_unsubscribed)
    return {
      externalId: row.id,
      name: shownName(row),
      firstName: text(row.given_name),
      lastName: text(row.family_name),
      email: text(row.email_address),
      phone: text(row.phone_number),
      companyName: text(row.company_name),
      notes: text(row.note),
      address: fromAddress(row.address),
      marketingAllowed: unsubscribed === undefined ? undefined : !unsubscribed,
    }
  },
  list: {
    pageLimit: 100,
    updatedAfter: 'platform',
    modifiedAt: (row) => toUtc(row.updated_at),
    stampPrecision: 'seconds',
    // Sorted by creation time: by default Square sorts by name, and a rename would move a row across pages. The time
    // filter has no end: a row that changes during the walk would leave it.
    page: singleCall(
      ({ size, updatedAfter }, cursor) =>
        updatedAfter
          ? post('/v2/customers/search', {
              query: {
                filter: { updated_at: { start_at: updatedAfter } },
                sort: { field: 'CREATED_AT', order: 'ASC' },
              },
              limit: size,
              cursor,
              count: true,
            })
          : get('/v2/customers', { limit: size, cursor, count: true, sort_field: 'CREATED_AT', sort_order: 'ASC' }),
      ({ body }) => ({ rows: [...list<NativeCustomer>(body.customers)], next: body.cursor, total: body.count }),
    ),
  },
  get: readCustomer,
  search: {
    by: ['email', 'phone'],
    newestFirst: true,
    page: async (call, { text: sought, like, size }, cursor) => {
      if (like === 'text') return { rows: [] }
      const filter = like === 'email' ? { email_address: { fuzzy: sought } } : { phone_number: { fuzzy: sought } }
      const query = { filter, sort: { field: 'CREATED_AT', order: 'DESC' } }
      const { body } = await call.read(post('/v2/customers/search', { query, limit: size, cursor }))
      return { rows: [...list<NativeCustomer>(body.customers)], next: body.cursor }
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
  create: {
    ...write,
    run: async (call, record) => {
      const body = compact({
        idempotency_key: call.key('customer'),
        reference_id: call.reference,
        ...fromUnified(record),
        address: record.address && filled(toAddress(record.address)),
      })
      const row = await call.write('customer', {
        request: post('/v2/customers', body),
        read: customerIn,
        recovery: 'key',
      })
      return { id: row.id, row }
    },
  },
  update: {
    ...write,
    run: async (call, current, record) => {
      // Sparse update; null clears. With the version that was read, Square lets only one of several writers through.
      const change = {
        ...orNull(fromUnified(record, current)),
        address: record.address ? orNull(toAddress(record.address)) : null,
      }
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
}
