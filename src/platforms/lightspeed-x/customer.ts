import type { EntityAdapter, ReadCall, WriteCall } from '../../contract/connector.ts'
import type { Customer } from '../../contract/entities/customer.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { bodyWith } from '../../kit/custom.ts'
import { ifFound } from '../../kit/errors.ts'
import { compact, list } from '../../kit/fields.ts'
import { get, path, post, put } from '../../kit/requests.ts'
import type { NumberPlace } from '../../kit/walk-by-number.ts'
import { api, isId, living, modifiedAt, pageLimit, searchWalk, walkByVersion } from './api.ts'
import { fromUnified, keptOf, type NativeCustomer, toUnified } from './customer-row.ts'

const address = (id: string) => `${api}${path`/customers/${id}`}`
export async function readCustomer(call: ReadCall, id: string): Promise<NativeCustomer | undefined> {
  if (!isId(id)) return undefined
  const found: NativeCustomer | undefined = (await ifFound(call.read(get(address(id)))))?.body?.data
  return found && living(found) ? found : undefined
}

const write = {
  places: { country: 'code' },
  fields: {
    first_name: '/firstName',
    last_name: '/lastName',
    email: '/email',
    phone: '/phone',
    mobile: '/phone',
    company_name: '/companyName',
    note: '/notes',
    physical_address_1: '/address/line1',
    physical_address_2: '/address/line2',
    physical_city: '/address/city',
    physical_state: '/address/state',
    physical_postcode: '/address/postalCode',
    physical_country_id: '/address/country',
  },
} as const

/** The search has a separate index, which lags slightly. */
const lagSeconds = 15
async function findOurs(call: WriteCall): Promise<NativeCustomer | undefined> {
  const { body } = await call.read(get(`${api}/search`, { type: 'customers', customer_code: call.reference }))
  return list<NativeCustomer>(body?.data).find(({ customer_code }) => customer_code === call.reference)
}
async function create(call: WriteCall, record: Customer): Promise<NativeCustomer> {
  try {
    return await call.write<NativeCustomer>('customer', {
      // Our own code instead of a generated one: it is unique and can be searched.
      request: post(`${api}/customers`, {
        ...compact(fromUnified(record)),
        first_name: fromUnified(record).first_name,
        last_name: fromUnified(record).last_name,
        customer_code: call.reference,
      }),
      read: ({ body }) => body.data,
      recovery: { find: () => findOurs(call), lagSeconds },
    })
  } catch (error) {
    // The call was repeated because the index did not have the customer yet: its code is taken by our first call.
    const ours = error instanceof NativeFailure && error.error.kind === 'duplicate' ? await findOurs(call) : undefined
    if (ours) return ours
    throw error
  }
}

export const customer: EntityAdapter<'customer', NativeCustomer, number> = {
  id: ({ id }) => id,
  toUnified,
  version: ({ version }) => (version === undefined ? undefined : String(version)),
  scopes: { read: ['customers:read'], write: ['customers:write'] },
  list: {
    pageLimit,
    updatedAfter: 'service',
    modifiedAt,
    stampPrecision: 'seconds',
    page: walkByVersion<NativeCustomer>('/customers', { version: ({ version }) => version, stamps: (row) => row }),
  },
  get: readCustomer,
  search: {
    by: ['email', 'phone'],
    newestFirst: false,
    page: async (call, { text, like, size }, at: NumberPlace | undefined) =>
      like === 'text' ? { rows: [] } : searchWalk<NativeCustomer>('customers', { [like]: text })(call, { size }, at),
  },
  custom: {
    fields: {
      '/custom_field_1': 'string',
      '/custom_field_2': 'string',
      '/custom_field_3': 'string',
      '/custom_field_4': 'string',
    },
    // A PUT replaces the whole customer.
    set: (call, row, values) =>
      call.write<NativeCustomer>('custom', {
        request: put(address(row.id), { ...keptOf(row), ...bodyWith(values) }),
        read: ({ body }) => body.data,
        recovery: 'repeat',
        undo: 'nothing',
      }),
  },
  create: {
    ...write,
    run: async (call, record) => {
      const row = await create(call, record)
      return { id: row.id, row }
    },
  },
  update: {
    ...write,
    run: async (call, current, record) => {
      const { id } = current
      const row = await call.write<NativeCustomer>('customer', {
        request: put(address(id), { ...keptOf(current), ...fromUnified(record, current) }),
        read: ({ body }) => body.data,
        recovery: 'repeat',
      })
      return { id, row }
    },
  },
}
