import type { EntityAdapter } from '../../contract/connector.ts'
import type { Customer } from '../../contract/entities/customer.ts'
import { entriesOf } from '../../kit/custom.ts'
import { flatEntity } from '../../kit/flat.ts'
import { displayName, fullName } from '../../kit/names.ts'
import { addressTable, nameParts, withParts } from '../../kit/person.ts'
import { get, post, put } from '../../kit/requests.ts'
import { fieldTable } from '../../kit/table.ts'
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

const table = fieldTable<'customer', NativeCustomer>(
  {
    '/name': { from: shownName },
    '/email': ['/email', { required: true }],
    '/firstName': '/first_name',
    '/lastName': '/last_name',
    '/companyName': '/billing/company',
    '/phone': '/billing/phone',
    ...addressTable('/billing', {
      line1: 'address_1',
      line2: 'address_2',
      city: 'city',
      state: 'state',
      postalCode: 'postcode',
      country: 'country',
    }),
    '/notes': ['/meta_data', { from: (row) => metaOf(row, keys.notes), write: false }],
  },
  {
    cleared: '',
    nameInErrors: ([first, ...parts]) => `${first}${parts.map((part) => `[${part}]`).join('')}`,
    errors: { 'billing[email]': '/email', billing: '/address' },
  },
)
const personOf = nameParts<NativeCustomer>({
  shown: shownName,
  first: 'first_name',
  last: 'last_name',
  others: ['companyName', 'email'],
})
/** Only sent keys change, and null is ignored: every field is set, an absent one to "". */
function fromUnified(record: Customer, current?: NativeCustomer) {
  const { first = '', last = '' } = personOf(record, current)
  const { email } = record
  const own = current?.billing ?? {}
  // The billing name and email follow those of the account, unless the customer has different ones.
  const follows = (value: string | undefined, before: string | undefined) => !value || value === before
  const { billing, ...account } = table.replacement(withParts(record, { first, last }))
  return {
    ...account,
    billing: {
      ...(follows(own.first_name, current?.first_name) && { first_name: first }),
      ...(follows(own.last_name, current?.last_name) && { last_name: last }),
      ...(follows(own.email, current?.email) && { email }),
      ...(billing as Billing),
    },
  }
}
const customerPages = (order: 'asc' | 'desc', query: { email?: string } = {}) =>
  walkByNumber<NativeCustomer>({
    id: (row) => String(row.id),
    fetch: (call, { size }, page) =>
      readPage(call, `${api}/customers`, { role: 'all', orderby: 'id', order, per_page: size, page, ...query }),
  })

export const customer: EntityAdapter<'customer', NativeCustomer, NumberPlace> = flatEntity('customer', {
  id: (row) => String(row.id),
  table,
  list: {
    pageLimit: 100,
    updatedAfter: 'service', // customers have no filter by modification time
    modifiedAt: (row) => modifiedAt(row.date_modified_gmt, row.date_created_gmt),
    stampPrecision: 'seconds',
    // By default customers are sorted by name, and a rename would move a row across pages. The default role omits users
    // who also work in the shop, but orders reference them.
    page: customerPages('asc'),
  },
  one: (_, id) => (isId(id) ? get(`${api}/customers/${id}`) : undefined),
  search: {
    by: ['email'],
    newestFirst: true,
    page: async (call, { text: email, like, size }, at: NumberPlace | undefined) =>
      like === 'email' ? customerPages('desc', { email })(call, { size }, at) : { rows: [] },
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
  write: { places: { country: 'code' } },
  create: {
    send: (call, record) => {
      const notes = record.notes === undefined ? [] : [{ key: keys.notes, value: record.notes }]
      return {
        request: post(`${api}/customers`, {
          ...fromUnified(record),
          meta_data: [{ key: keys.reference, value: call.reference }, ...notes],
        }),
        // The email is unique: at most one candidate, and the mark identifies ours.
        recovery: {
          find: () => findMarked<NativeCustomer>(call, `${api}/customers`, { email: record.email, role: 'all' }),
          lagSeconds,
        },
      }
    },
  },
  update: {
    send: (_, current, record) => {
      const { notes = null } = record
      const changed = notes !== (metaOf(current, keys.notes) ?? null)
      return {
        request: put(`${api}/customers/${current.id}`, {
          ...fromUnified(record, current),
          ...(changed && { meta_data: [{ key: keys.notes, value: notes }] }),
        }),
        recovery: 'repeat',
      }
    },
  },
})
