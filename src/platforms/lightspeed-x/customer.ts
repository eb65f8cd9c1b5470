import type { EntityAdapter, ReadCall, WriteCall } from '../../contract/connector.ts'
import type { Customer } from '../../contract/entities/customer.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { bodyWith } from '../../kit/custom.ts'
import { ifFound } from '../../kit/errors.ts'
import { list } from '../../kit/fields.ts'
import { flatEntity } from '../../kit/flat.ts'
import { get, path, post, put } from '../../kit/requests.ts'
import type { NumberPlace } from '../../kit/walk-by-number.ts'
import { api, isId, living, modifiedAt, pageLimit, searchWalk, walkByVersion } from './api.ts'
import { changeOf, fromUnified, keptOf, type NativeCustomer, table } from './customer-row.ts'

const address = (id: string) => `${api}${path`/customers/${id}`}`
export async function readCustomer(call: ReadCall, id: string): Promise<NativeCustomer | undefined> {
  if (!isId(id)) return undefined
  const found: NativeCustomer | undefined = (await ifFound(call.read(get(address(id)))))?.body?.data
  return found && living(found) ? found : undefined
}

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
      request: post(`${api}/customers`, { ...fromUnified(record), customer_code: call.reference }),
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

/** A phone number is looked for among those of mobile phones, too. */
interface Place {
  field: 'email' | 'phone' | 'mobile'
  at?: NumberPlace
}

export const customer: EntityAdapter<'customer', NativeCustomer, number> = flatEntity('customer', {
  id: ({ id }) => id,
  table,
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
    page: async (call, { text, like, size }, at: Place | undefined) => {
      if (like === 'text') return { rows: [] }
      const field = at?.field ?? like
      const { rows, next } = await searchWalk<NativeCustomer>('customers', { [field]: text })(call, { size }, at?.at)
      const found = field === 'mobile' ? rows.filter(({ phone }) => phone !== text) : rows
      if (next !== undefined) return { rows: found, next: { field, at: next } }
      return field === 'phone' ? { rows: found, next: { field: 'mobile' } } : { rows: found }
    },
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
  rowIn: ({ body }) => body.data,
  write: { places: { country: 'code' } },
  create: {
    run: async (call, record) => {
      const row = await create(call, record)
      return { id: row.id, row }
    },
  },
  update: {
    send: (_, current, record) => ({
      request: put(address(current.id), { ...keptOf(current), ...changeOf(record, current) }),
      recovery: 'repeat',
    }),
  },
})
