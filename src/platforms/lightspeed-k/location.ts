// All locations that the connected user can see. An account reads the orders of one of them.
import type { EntityAdapter, ReadCall } from '../../contract/connector.ts'
import { filled, list, text } from '../../kit/fields.ts'
import { pageAfter } from '../../kit/paging.ts'
import { readBusinesses } from './account.ts'

interface BusinessLocation {
  blID: number
  blName?: string
  country?: string
  timezone?: string
  currencyCode?: string // of the business
}
const readLocations = async (call: ReadCall): Promise<BusinessLocation[]> =>
  (await readBusinesses(call)).flatMap(({ currencyCode, businessLocations }) =>
    list(businessLocations).map((location) => ({ ...location, currencyCode })),
  )

export const location: EntityAdapter<'location', BusinessLocation, number> = {
  scopes: { read: ['financial-api'] },
  id: (row) => String(row.blID),
  toUnified: (row) => ({
    externalId: String(row.blID),
    name: text(row.blName) ?? String(row.blID),
    address: filled({ country: text(row.country) }),
    timezone: text(row.timezone),
    currencyCode: text(row.currencyCode),
    active: true,
  }),
  list: {
    pageLimit: 1000,
    updatedAfter: 'none',
    page: async (call, query, after) => pageAfter(await readLocations(call), ({ blID }) => blID, query, after),
  },
  get: async (call, id) => (await readLocations(call)).find(({ blID }) => String(blID) === id),
}
