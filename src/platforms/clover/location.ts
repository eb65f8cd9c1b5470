// A merchant is one location: a business with several has several merchants.
import type { EntityAdapter, ReadCall } from '../../contract/connector.ts'
import { text } from '../../kit/fields.ts'
import { flatEntity } from '../../kit/flat.ts'
import { onlyRow } from '../../kit/paging.ts'
import { addressTable } from '../../kit/person.ts'
import { get } from '../../kit/requests.ts'
import { fieldTable } from '../../kit/table.ts'
import { below, merchantOf } from './account.ts'

interface NativeMerchant {
  id: string
  name?: string
  address?: {
    address1?: string
    address2?: string
    city?: string
    state?: string
    zip?: string
    country?: string
  }
  properties?: { defaultCurrency?: string; timezone?: string }
}
const readMerchant = async (call: ReadCall): Promise<NativeMerchant> =>
  (await call.read(get(below(call, ''), { expand: 'address,properties' }))).body

const table = fieldTable<'location', NativeMerchant>({
  '/name': { from: ({ name, id }) => text(name) ?? id },
  ...addressTable('/address', {
    line1: 'address1',
    line2: 'address2',
    city: 'city',
    state: 'state',
    postalCode: 'zip',
    country: 'country',
  }),
  '/timezone': '/properties/timezone',
  '/currencyCode': '/properties/defaultCurrency',
  '/active': { from: () => true },
})

export const location: EntityAdapter<'location', NativeMerchant, never> = flatEntity('location', {
  id: (row) => row.id,
  table,
  list: onlyRow(readMerchant),
  get: async (call, id) => (id === merchantOf(call.account) ? readMerchant(call) : undefined),
})
