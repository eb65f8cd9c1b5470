// https://developer.loyverse.com/docs/#tag/Stores
import type { EntityAdapter, ReadCall } from '../../contract/connector.ts'
import { filled, list, text } from '../../kit/fields.ts'
import { pageAfter } from '../../kit/paging.ts'
import { get } from '../../kit/requests.ts'
import { merchantCurrency, type Store } from './account.ts'
import { isId, modifiedAt, paths, updatedSince } from './listing.ts'

interface NativeStore extends Store {
  address?: string | null
  city?: string | null
  region?: string | null
  state?: string | null
  postal_code?: string | null
  country_code?: string | null
  currency?: string // of the merchant
}
/** All stores come in one response. Receipts of deleted ones remain. */
async function readStores(call: ReadCall, query: object): Promise<NativeStore[]> {
  const { body } = await call.read(get(paths.stores, { show_deleted: true, ...query }))
  const { code: currency } = await merchantCurrency(call)
  return list<NativeStore>(body.stores).map((store) => ({ ...store, currency }))
}

export const location: EntityAdapter<'location', NativeStore, string> = {
  scopes: { read: ['STORES_READ', 'MERCHANT_READ'] },
  id: ({ id }) => id,
  toUnified: (row) => ({
    externalId: row.id,
    name: text(row.name) ?? row.id,
    address: filled({
      line1: text(row.address),
      city: text(row.city),
      state: text(row.region) ?? text(row.state),
      postalCode: text(row.postal_code),
      country: text(row.country_code),
    }),
    currencyCode: text(row.currency),
    active: !row.deleted_at,
  }),
  list: {
    pageLimit: 250,
    updatedAfter: 'platform',
    modifiedAt: ({ updated_at }) => modifiedAt(updated_at),
    stampPrecision: 'seconds',
    page: async (call, query, after) => {
      const { updatedAfter } = query
      const changed = updatedAfter === undefined ? {} : { updated_at_min: updatedSince(updatedAfter) }
      return pageAfter(await readStores(call, changed), ({ id }) => id, query, after)
    },
  },
  get: async (call, id) =>
    isId(id) ? (await readStores(call, { store_ids: id })).find((row) => row.id === id) : undefined,
}
