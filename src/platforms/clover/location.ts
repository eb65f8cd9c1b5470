// A merchant is one location: a business with several has several merchants.
import type { EntityAdapter, ReadCall } from '../../contract/connector.ts'
import { filled, text } from '../../kit/fields.ts'
import { onlyRow } from '../../kit/paging.ts'
import { get } from '../../kit/requests.ts'
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

export const location: EntityAdapter<'location', NativeMerchant, never> = {
  id: (row) => row.id,
  toUnified: (row) => ({
    externalId: row.id,
    name: text(row.name) ?? row.id,
    address: filled({
      line1: text(row.address?.address1),
      line2: text(row.address?.address2),
      city: text(row.address?.city),
      state: text(row.address?.state),
      postalCode: text(row.address?.zip),
      country: text(row.address?.country),
    }),
    timezone: text(row.properties?.timezone),
    currencyCode: text(row.properties?.defaultCurrency),
    active: true,
  }),
  list: onlyRow(readMerchant),
  get: async (call, id) => (id === merchantOf(call.account) ? readMerchant(call) : undefined),
}
