import type { EntityAdapter } from '../../contract/connector.ts'
import { filled, text } from '../../kit/fields.ts'
import { toUtc } from '../../kit/time.ts'
import { ask, type Connection, gidOf, idOf, nextOf, pageOf } from './api.ts'

interface Shop {
  currencyCode: string
  ianaTimezone: string
}
interface NativeLocation {
  id: string
  name: string
  isActive: boolean
  updatedAt: string
  address: {
    address1: string | null
    address2: string | null
    city: string | null
    province: string | null
    provinceCode: string | null
    zip: string | null
    countryCode: string | null
  } | null
  shop: Shop | null // a location has no currency and no time zone of its own
}

export const location: EntityAdapter<'location', NativeLocation, string> = {
  scopes: { read: ['read_locations'] },
  id: ({ id }) => idOf(id),
  toUnified: ({ id, name, isActive, address, shop }) => ({
    externalId: idOf(id),
    name: text(name) ?? idOf(id),
    address: filled({
      line1: text(address?.address1),
      line2: text(address?.address2),
      city: text(address?.city),
      state: text(address?.provinceCode) ?? text(address?.province),
      postalCode: text(address?.zip),
      country: text(address?.countryCode),
    }),
    timezone: text(shop?.ianaTimezone),
    currencyCode: text(shop?.currencyCode),
    active: isActive,
  }),
  list: {
    pageLimit: 250,
    updatedAfter: 'service',
    modifiedAt: ({ updatedAt }) => toUtc(updatedAt),
    stampPrecision: 'seconds',
    // Closed locations too: their orders remain.
    page: (call, query, after) =>
      pageOf(query, async (first) => {
        const { locations, shop } = await ask(call, 'locations', { first, after })
        const found = locations as Connection<NativeLocation>
        return { rows: found.nodes.map((node) => ({ ...node, shop })), next: nextOf(found) }
      }),
  },
  get: async (call, id) => {
    const gid = gidOf('Location', id)
    if (!gid) return undefined
    const { location: found, shop } = await ask(call, 'location', { id: gid })
    return found ? { ...found, shop } : undefined
  },
}
