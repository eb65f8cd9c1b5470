// https://x-series-api.lightspeedhq.com/reference/listoutlets
import type { EntityAdapter, ReadCall } from '../../contract/connector.ts'
import { ifFound } from '../../kit/errors.ts'
import { list, text } from '../../kit/fields.ts'
import { flatEntity } from '../../kit/flat.ts'
import { addressTable } from '../../kit/person.ts'
import { get, path } from '../../kit/requests.ts'
import { fieldTable } from '../../kit/table.ts'
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

const table = fieldTable<'location', Outlet>({
  '/name': { from: ({ name, id }) => text(name) ?? id },
  ...addressTable('', {
    line1: 'physical_address_1',
    city: 'physical_city',
    state: 'physical_state',
    postalCode: 'physical_postcode',
    country: 'physical_country_id',
  }),
  '/address/line2': ['/physical_address_2', { or: '/physical_suburb' }],
  '/timezone': '/time_zone',
  '/currencyCode': '/currencyCode',
  '/active': { from: living },
})

export const location: EntityAdapter<'location', Outlet, number> = flatEntity('location', {
  scopes: { read: ['outlets:read', 'retailer:read'] },
  id: ({ id }) => id,
  table,
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
})
