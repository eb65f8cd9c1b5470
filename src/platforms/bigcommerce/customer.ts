import type { EntityAdapter, ReadCall, WriteCall } from '../../contract/connector.ts'
import type { Customer } from '../../contract/entities/customer.ts'
import { bodyWith } from '../../kit/custom.ts'
import { list } from '../../kit/fields.ts'
import { flatEntity } from '../../kit/flat.ts'
import { singleCall } from '../../kit/paging.ts'
import { del, get, post, put } from '../../kit/requests.ts'
import { type NumberPlace, walkByNumber } from '../../kit/walk-by-number.ts'
import { modifiedAt, since, v3 } from './account.ts'
import { addressOf, fromAddress, type NativeCustomer, readCustomer, table, toAddress } from './customer-row.ts'

/**
 * Email addresses are unique: the customer with the address is ours if everything that was sent matches, and no other
 * key has it.
 */
async function findCreated(
  call: ReadCall,
  record: Customer,
  unclaimed: (id: string) => Promise<boolean>,
): Promise<{ id: number } | undefined> {
  const { body } = await call.read(get(v3(call, '/customers'), { 'email:in': record.email }))
  const { email: _, ...sent } = table.body(record)
  const same = (row: NativeCustomer) =>
    Object.entries(sent).every(([field, value]) => row[field as keyof NativeCustomer] === value)
  for (const { id } of list<NativeCustomer>(body.data).filter(same)) if (await unclaimed(String(id))) return { id }
  return undefined
}

async function create(call: WriteCall, record: Customer) {
  const address = record.address && {
    first_name: record.firstName,
    last_name: record.lastName,
    ...toAddress(record.address),
  }
  const body = { ...table.body(record), ...(address && { addresses: [address] }) }
  const { id } = await call.write('customer', {
    request: post(v3(call, '/customers'), [body]),
    read: (response) => ({ id: Number(response.body.data[0].id) }),
    recovery: { find: (unclaimed) => findCreated(call, record, unclaimed) },
  })
  return served(call, String(id))
}
/** Responses to writes contain no addresses. */
async function served(call: ReadCall, id: string) {
  const row = await readCustomer(call, id)
  return row ? { id, row } : { id }
}

async function update(call: WriteCall, current: NativeCustomer, record: Customer) {
  const change = table.differences(record, current)
  if (Object.keys(change).length > 0) {
    const body = { id: current.id, ...change }
    await call.write('customer', { request: put(v3(call, '/customers'), [body]), read: () => true, recovery: 'repeat' })
  }
  await updateAddress(call, current, record)
  return served(call, String(current.id))
}
/**
 * Customers are updated without their addresses, which need separate calls. Only the oldest address is mapped, the
 * others stay.
 */
async function updateAddress(call: WriteCall, current: NativeCustomer, record: Customer): Promise<void> {
  const addresses = v3(call, '/customers/addresses')
  const existing = addressOf(current)
  const shown = fromAddress(existing) ?? {}
  const absolute = { read: () => true, recovery: 'repeat' } as const
  if (!record.address) {
    if (existing) await call.write('address', { request: del(addresses, { 'id:in': existing.id }), ...absolute })
    return
  }
  const target = toAddress(record.address)
  if (!existing) {
    const { state_or_province = '', postal_code = '' } = target // required here, although not every country has them
    const address = {
      ...target,
      customer_id: current.id,
      first_name: record.firstName,
      last_name: record.lastName,
      state_or_province,
      postal_code,
    }
    // An existing address is not added a second time.
    await call.write('address', { request: post(addresses, [address]), ...absolute })
  } else if (JSON.stringify(target) !== JSON.stringify(toAddress(shown))) {
    const { address2 = '', state_or_province = '', postal_code = '' } = target
    await call.write('address', {
      request: put(addresses, [{ ...target, id: existing.id, address2, state_or_province, postal_code }]),
      ...absolute,
    })
  }
}

const write = {
  requiresWhen: [
    { pointer: '/address/line1', with: '/address' },
    { pointer: '/address/city', with: '/address' },
    { pointer: '/address/country', with: '/address' },
    { pointer: '/address/state', is: { '/address/country': ['US', 'CA', 'AU'] } },
    { pointer: '/address/postalCode', is: { '/address/country': ['US', 'CA', 'AU', 'GB', 'DE', 'FR'] } },
  ],
  places: { country: 'code', state: 'name' },
} as const

export const customer: EntityAdapter<'customer', NativeCustomer, string> = flatEntity('customer', {
  id: (row) => String(row.id),
  table,
  write,
  scopes: { write: ['store_v2_customers'] },
  list: {
    pageLimit: 250,
    updatedAfter: 'platform',
    modifiedAt: (row) => modifiedAt(row.date_modified),
    stampPrecision: 'seconds',
    // The cursor encodes an id, so added, removed or changed rows do not shift the rest; page numbers cannot be sorted
    // by id.
    page: singleCall(
      ({ size, updatedAfter }, after, call) =>
        get(v3(call, '/customers'), {
          include: 'addresses',
          limit: size,
          after,
          'date_modified:min': since(updatedAfter)?.replace('Z', ''),
        }),
      ({ body }) => ({
        rows: [...list<NativeCustomer>(body.data)],
        // Present whenever no page number is sent: a page without it must not end the walk.
        next: body.meta.cursor_pagination.links?.next ? body.meta.cursor_pagination.end_cursor : undefined,
      }),
    ),
  },
  get: readCustomer,
  search: {
    by: ['name', 'email', 'phone'],
    newestFirst: true,
    page: async (call, { text: sought, like, size }, at: NumberPlace | undefined) => {
      const filter = like === 'email' ? 'email:in' : like === 'phone' ? 'phone:in' : 'name:like'
      const walk = walkByNumber<NativeCustomer>({
        id: (row) => String(row.id),
        async fetch(reading, _, page) {
          const query = { include: 'addresses', limit: size, page, sort: 'date_created:desc', [filter]: sought }
          const { body } = await reading.read(get(v3(reading, '/customers'), query))
          return { rows: list<NativeCustomer>(body.data), more: page < Number(body.meta.pagination?.total_pages ?? 1) }
        },
      })
      return walk(call, { size }, at)
    },
  },
  custom: {
    fields: { '/tax_exempt_category': 'string' },
    async set(call, { id }, values) {
      const request = put(v3(call, '/customers'), [{ id, ...bodyWith(values, '') }])
      await call.write('custom', { request, read: () => true, recovery: 'repeat', undo: 'nothing' })
      return (await readCustomer(call, String(id)))!
    },
  },
  create: { run: create },
  update: { run: update },
})
