// https://x-series-api.lightspeedhq.com/reference/listoutlets
import type { EntityAdapter, ReadCall } from '../../contract/connector.ts'
import { ifFound } from '../../kit/errors.ts'
import { filled, list, text } from '../../kit/fields.ts'
import { get, path } from '../../kit/requests.ts'
import { readShop } from './account.ts'
import { api, isId, living, pageLimit, type Stamped } from './api.ts'

interface Outlet extends Stamped {
  name?: string
  time_zone?: string
  physical_address_1?: string | null
  physical_address_2?: string | null
  physical_suburb?: string | null
  physical_city?: string | null
  physical_postcode?: string | null
  physical_state?: string | null
  physical_country_id?: string | null
  currencyCode?: string // of the retailer: an outlet has the name of its currency
}
const withCurrency = async (call: ReadCall, outlets: readonly Outlet[]): Promise<Outlet[]> => {
  const { currency: currencyCode } = await readShop(call)
  return outlets.map((outlet) => ({ ...outlet, currencyCode }))
}

export const location: EntityAdapter<'location', Outlet, number> = {
  scopes: { read: ['outlets:read', 'retailer:read'] },
  id: ({ id }) => id,
  toUnified: (row) => ({
    externalId: row.id,
    name: text(row.name) ?? row.id,
    address: filled({
      line1: text(row.physical_address_1),
      line2: text(row.physical_address_2) ?? text(row.physical_suburb),
      city: text(row.physical_city),
      state: text(row.physical_state),
      postalCode: text(row.physical_postcode),
      country: text(row.physical_country_id),
    }),
    timezone: text(row.time_zone),
    currencyCode: text(row.currencyCode),
    active: living(row),
  }),
  list: {
    pageLimit,
    updatedAfter: 'none', // outlets have no time of modification
    // Deleted outlets are requested too: their sales remain.
    page: async (call, { size }, after = 0) => {
      const { body } = await call.read(get(`${api}/outlets`, { after, page_size: size, deleted: true }))
      const rows = await withCurrency(call, list<Outlet>(body.data))
      return rows.length > 0 ? { rows, next: body.version.max } : { rows }
    },
  },
  get: async (call, id) => {
    const found = isId(id) ? await ifFound(call.read(get(api + path`/outlets/${id}`))) : undefined
    return found && (await withCurrency(call, [found.body.data]))[0]
  },
}
