import type { EntityAdapter, ReadCall, Step, WriteCall } from '../../contract/connector.ts'
import type { Customer } from '../../contract/entities/customer.ts'
import { bodyWith } from '../../kit/custom.ts'
import { compact, orNull } from '../../kit/fields.ts'
import { addMs, toUtc } from '../../kit/time.ts'
import {
  ask,
  type Connection,
  findNewest,
  gidOf,
  idOf,
  lagSeconds,
  nextOf,
  operation,
  pageOf,
  quoted,
  words,
} from './api.ts'
import { fromUnified, type NativeCustomer, toAddress, toUnified } from './customer-row.ts'

async function readCustomer(call: ReadCall, id: string): Promise<NativeCustomer | undefined> {
  const gid = gidOf('Customer', id)
  return gid ? ((await ask(call, 'customer', { id: gid })).customer ?? undefined) : undefined
}
/**
 * Shopify filters customers by the day of modification, so the filter starts one day earlier; the service then filters
 * exactly.
 */
const changedSinceDay = (instant: string): string => `updated_at:>='${addMs(instant, -86_400_000).slice(0, 10)}'`

type AddressStep = Step<{ id: string }>
const addressCreate = (call: WriteCall, customerId: string, address: object): AddressStep => ({
  request: operation('addressCreate', { customerId, address }),
  read: ({ body }) => body.data.customerAddressCreate.address,
  recovery: { lagSeconds, find: async () => (await readCustomer(call, customerId))?.defaultAddress ?? undefined },
})
function addressChange(
  call: WriteCall,
  current: NativeCustomer,
  target: ReturnType<typeof toAddress>,
): AddressStep | undefined {
  const { id: customerId, defaultAddress } = current
  const present = toAddress(toUnified(current))
  if (JSON.stringify(target) === JSON.stringify(present)) return undefined
  if (!defaultAddress) return target && addressCreate(call, customerId, target)
  const { id: addressId } = defaultAddress
  if (target) {
    const cleared = {
      address1: null,
      address2: null,
      city: null,
      provinceCode: null,
      zip: null,
      countryCode: null,
      company: null,
    }
    return {
      request: operation('addressUpdate', { customerId, addressId, address: { ...cleared, ...target } }),
      read: ({ body }) => body.data.customerAddressUpdate.address,
      recovery: 'repeat',
    }
  }
  return {
    request: operation('addressDelete', { customerId, addressId }),
    read: () => ({ id: addressId }),
    recovery: {
      find: async () =>
        (await readCustomer(call, customerId))?.defaultAddress?.id === addressId ? undefined : { id: addressId },
    },
  }
}
async function create(call: WriteCall, record: Customer) {
  // A metafield is not visible to the shop's staff; a tag would appear in every list of tags.
  const metafields = [
    { namespace: 'unified_records', key: 'reference', type: 'single_line_text_field', value: call.reference },
  ]
  const { id } = await call.write('customer', {
    request: operation('customerCreate', { input: compact({ ...fromUnified(record), metafields }) }),
    read: ({ body }): { id: string } => ({ id: body.data.customerCreate.customer.id }),
    recovery: {
      lagSeconds,
      find: () =>
        findNewest<{ id: string; createdAt: string; metafield: { value: string } | null }>(
          call,
          'newestCustomers',
          'customers',
          ({ metafield }) => metafield?.value === call.reference,
        ),
    },
    undo: (made) => operation('customerDelete', { id: made.id }),
  })
  const address = toAddress(record)
  if (address) await call.write('address', addressCreate(call, id, address))
  const row = await readCustomer(call, id)
  return { id: idOf(id), ...(row && { row }) }
}
async function update(call: WriteCall, current: NativeCustomer, record: Customer) {
  const target = orNull(fromUnified(record, current))
  const { firstName, lastName, note, defaultEmailAddress, defaultPhoneNumber } = current
  const present = orNull({
    firstName,
    lastName,
    email: defaultEmailAddress?.emailAddress,
    phone: defaultPhoneNumber?.phoneNumber,
    note,
  })
  const changes = Object.fromEntries(
    Object.entries(target).filter(([name, value]) => (present[name as keyof typeof present] || null) !== value),
  )
  let row = current
  if (Object.keys(changes).length)
    row = await call.write('customer', {
      request: operation('customerUpdate', { input: { id: current.id, ...changes } }),
      read: ({ body }): NativeCustomer => body.data.customerUpdate.customer,
      recovery: 'repeat',
    })
  const step = addressChange(call, current, toAddress(record))
  if (step) {
    await call.write('address', step)
    row = (await readCustomer(call, current.id)) ?? row
  }
  return { id: idOf(current.id), row }
}
// https://github.com/Shopify/quilt/blob/main/packages/address-mocks/src/fixtures/countries_en.ts
const places = {
  country: 'code',
  state: 'code',
  longStateCodes: ['JP', 'KR', 'PA', 'PE', 'PH', 'PT', 'TH'],
} as const
const addressFields = {
  address: '/address',
  'address.address1': '/address/line1',
  'address.address2': '/address/line2',
  'address.city': '/address/city',
  'address.province': '/address/state',
  'address.provinceCode': '/address/state',
  'address.zip': '/address/postalCode',
  'address.country': '/address/country',
  'address.countryCode': '/address/country',
  'address.company': '/companyName',
} as const
const personFields = {
  firstName: '/firstName',
  lastName: '/lastName',
  email: '/email',
  phone: '/phone',
  note: '/notes',
} as const
const fields = {
  ...personFields,
  ...addressFields,
  'input.firstName': '/firstName',
  'input.lastName': '/lastName',
  'input.email': '/email',
  'input.phone': '/phone',
  'input.note': '/notes',
} as const

export const customer: EntityAdapter<'customer', NativeCustomer, string> = {
  id: (row) => idOf(row.id),
  toUnified,
  list: {
    pageLimit: 250,
    updatedAfter: 'platform',
    modifiedAt: (row) => toUtc(row.updatedAt),
    stampPrecision: 'seconds',
    page: (call, query, after) =>
      pageOf(query, async (first) => {
        const search = query.updatedAfter === undefined ? undefined : changedSinceDay(query.updatedAfter)
        const customers: Connection<NativeCustomer> = (await ask(call, 'customers', { first, after, query: search }))
          .customers
        return { rows: customers.nodes, next: nextOf(customers) }
      }),
  },
  get: readCustomer,
  search: {
    by: ['name', 'email', 'phone'],
    newestFirst: true,
    page: (call, { text, like, size }, after: string | undefined) =>
      pageOf({ size }, async (first) => {
        const query = like === 'text' ? words(text) : `${like}:${quoted(text)}`
        if (query === '') return { rows: [] }
        const customers: Connection<NativeCustomer> = (await ask(call, 'customerSearch', { first, after, query }))
          .customers
        return { rows: customers.nodes, next: nextOf(customers) }
      }),
  },
  custom: {
    fields: { '/tags': 'array' },
    set: (call, { id }, values) =>
      call.write('custom', {
        request: operation('customerUpdate', { input: { id, ...bodyWith(values, []) } }),
        read: ({ body }): NativeCustomer => body.data.customerUpdate.customer,
        recovery: 'repeat',
        undo: 'nothing',
      }),
  },
  create: { fields, places, run: create },
  update: { fields, places, run: update },
}
