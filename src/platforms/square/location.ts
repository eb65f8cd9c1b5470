import type { EntityAdapter } from '../../contract/connector.ts'
import { ifFound } from '../../kit/errors.ts'
import { list, text } from '../../kit/fields.ts'
import { flatEntity } from '../../kit/flat.ts'
import { pageAfter } from '../../kit/paging.ts'
import { get, path } from '../../kit/requests.ts'
import { fieldTable } from '../../kit/table.ts'
import { address, type Location } from './account.ts'

const table = fieldTable<'location', Location>({
  '/name': { from: (row) => text(row.name) ?? text(row.business_name) ?? row.id },
  ...address,
  '/timezone': '/timezone',
  '/currencyCode': '/currency',
  '/active': ['/status', { read: (status) => text(status) === 'ACTIVE' }],
})

export const location: EntityAdapter<'location', Location, string> = flatEntity('location', {
  id: (row) => row.id,
  table,
  list: {
    pageLimit: 1000,
    updatedAfter: 'none',
    // All locations come in one response, sorted by name.
    page: async (call, query, after) => {
      const { body } = await call.read(get('/v2/locations'))
      return pageAfter(list<Location>(body.locations), ({ id }) => id, query, after)
    },
  },
  // The id "main" stands for another one.
  get: async (call, id) => {
    const found: Location | undefined = (await ifFound(call.read(get(path`/v2/locations/${id}`))))?.body.location
    return found?.id === id ? found : undefined
  },
})
