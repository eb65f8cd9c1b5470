import type { EntityAdapter, ReadCall } from '../../contract/connector.ts'
import type { Customer } from '../../contract/entities/customer.ts'
import { entriesOf } from '../../kit/custom.ts'
import { ifFound } from '../../kit/errors.ts'
import { compact, filled, text } from '../../kit/fields.ts'
import { displayName, fullName, personName } from '../../kit/names.ts'
import { get, post, put } from '../../kit/requests.ts'
import { type NumberPlace, walkByNumber } from '../../kit/walk-by-number.ts'
import { api, findMarked, isId, isOwnMeta, keys, lagSeconds, type Marked, metaOf, modifiedAt, readPage } from './api.ts'

interface Billing {
  first_name?: string
  last_name?: string
  company?: string
  address_1?: string
  address_2?: string
  city?: string
  state?: string
  postcode?: string
  country?: string
  email?: string
  phone?: string
}
export interface NativeCustomer extends Marked {
  date_created_gmt?: string | null
  date_modified_gmt?: string | null // null until the profile is saved again
  email?: string
  first_name?: string
  last_name?: string
  username?: string
  billing?: Billing
}
const shownName = (row: NativeCustomer): string =>
  displayName(
    fullName(row.first_name, row.last_name),
    fullName(row.billing?.first_name, row.billing?.last_name),
    row.billing?.company,
    row.username,
    row.email,
    row.id,
  )!

/** A name that is already displayed, or that equals the company, is not split into a person's name. */
function personOf(record: Customer, current?: NativeCustomer): { first?: string; last?: string } {
  if (record.firstName || record.lastName) return personName(record)
  if (current && shownName(current) === record.name) return { first: current.first_name, last: current.last_name }
  return record.name === record.companyName || record.name === record.email ? {} : personName(record)
}
/** Only sent keys change, and null is ignored: every field is set, an absent one to "". */
function fromUnified(record: Customer, current?: NativeCustomer) {
  const { first = '', last = '' } = personOf(record, current)
  const { line1 = '', line2 = '', city = '', state = '', postalCode = '', country = '' } = record.address ?? {}
  const billing = current?.billing ?? {}
  // The billing name and email follow those of the account, unless the customer has different ones.
  const follows = (own: string | undefined, before: string | undefined) => !own || own === before
  return {
    email: record.email,
    first_name: first,
    last_name: last,
    billing: {
      ...(follows(billing.first_name, current?.first_name) && { first_name: first }),
      ...(follows(billing.last_name, current?.last_name) && { last_name: last }),
      ...(follows(billing.email, current?.email) && { email: record.email }),
      company: record.companyName ?? '',
      phone: record.phone ?? '',
      address_1: line1,
      address_2: line2,
      city,
      state,
      postcode: postalCode,
      country,
    },
  }
}
const readCustomer = async (call: ReadCall, id: string): Promise<NativeCustomer | undefined> =>
  isId(id) ? (await ifFound(call.read(get(`${api}/customers/${id}`))))?.body : undefined

const write = {
  places: { country: 'code' },
  requires: ['/email'],
  fields: {
    email: '/email',
    'billing[email]': '/email',
    first_name: '/firstName',
    last_name: '/lastName',
    'billing[phone]': '/phone',
    'billing[company]': '/companyName',
    'billing[country]': '/address/country',
    'billing[postcode]': '/address/postalCode',
    billing: '/address',
    meta_data: '/notes',
  },
} as const

export const customer: EntityAdapter<'customer', NativeCustomer, NumberPlace> = {
  id: (row) => String(row.id),
  toUnified: (row) => {
    const billing = row.billing ?? {}
    return {
      externalId: String(row.id),
      name: shownName(row),
      firstName: text(row.first_name),
      lastName: text(row.last_name),
      email: text(row.email),
      phone: text(billing.phone),
      companyName: text(billing.company),
      notes: metaOf(row, keys.notes),
      address: filled({
        line1: text(billing.address_1),
        line2: text(billing.address_2),
        city: text(billing.city),
        state: text(billing.state),
        postalCode: text(billing.postcode),
        country: text(billing.country),
      }),
    }
  },
  list: {
    pageLimit: 100,
    updatedAfter: 'service', // customers have no filter by modification time
    modifiedAt: (row) => modifiedAt(row.date_modified_gmt, row.date_created_gmt),
    stampPrecision: 'seconds',
    // By default customers are sorted by name, and a rename would move a row across pages. The default role omits users
    // who also work in the shop, but orders reference them.
    page: walkByNumber<NativeCustomer>({
      id: (row) => String(row.id),
      fetch: (call, { size }, page) =>
        readPage(call, `${api}/customers`, { role: 'all', orderby: 'id', order: 'asc', per_page: size, page }),
    }),
  },
  get: readCustomer,
  search: {
    by: ['email'],
    newestFirst: true,
    page: async (call, { text: sought, like, size }, at: NumberPlace | undefined) => {
      if (like !== 'email') return { rows: [] }
      const walk = walkByNumber<NativeCustomer>({
        id: (row) => String(row.id),
        fetch: (reading, _, page) =>
          readPage(reading, `${api}/customers`, {
            role: 'all',
            orderby: 'id',
            order: 'desc',
            per_page: size,
            page,
            email: sought,
          }),
      })
      return walk(call, { size }, at)
    },
  },
  custom: {
    fields: { '/meta_data/[key=*]/value': 'string' },
    reserved: isOwnMeta,
    set: (call, { id }, values) =>
      call.write<NativeCustomer>('custom', {
        request: put(`${api}/customers/${id}`, { meta_data: entriesOf(values, 'key') }),
        read: ({ body }) => body,
        recovery: 'repeat',
        undo: 'nothing',
      }),
  },
  create: {
    ...write,
    run: async (call, record) => {
      const notes = record.notes === undefined ? [] : [{ key: keys.notes, value: record.notes }]
      const row = await call.write<NativeCustomer>('customer', {
        request: post(`${api}/customers`, {
          ...compact(fromUnified(record)),
          meta_data: [{ key: keys.reference, value: call.reference }, ...notes],
        }),
        read: ({ body }) => body,
        // The email is unique: at most one candidate, and the mark identifies ours.
        recovery: {
          find: () => findMarked<NativeCustomer>(call, `${api}/customers`, { email: record.email, role: 'all' }),
          lagSeconds,
        },
      })
      return { id: String(row.id), row }
    },
  },
  update: {
    ...write,
    run: async (call, current, record) => {
      const notes =
        (record.notes ?? null) === (metaOf(current, keys.notes) ?? null)
          ? {}
          : { meta_data: [{ key: keys.notes, value: record.notes ?? null }] }
      const row = await call.write<NativeCustomer>('customer', {
        request: put(`${api}/customers/${current.id}`, { ...fromUnified(record, current), ...notes }),
        read: ({ body }) => body,
        recovery: 'repeat',
      })
      return { id: String(row.id), row }
    },
  },
}
