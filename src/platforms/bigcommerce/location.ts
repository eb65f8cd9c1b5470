// A store has sales channels, and no locations that an order could name: the store is the only one.
import type { EntityAdapter, ReadCall } from '../../contract/connector.ts'
import { filled, text } from '../../kit/fields.ts'
import { onlyRow } from '../../kit/paging.ts'
import { get } from '../../kit/requests.ts'
import { v2 } from './account.ts'

interface StoreInformation {
  id: string // the store hash
  name?: string
  status?: string
  address?: string
  country?: string
  country_code?: string
  timezone?: { name?: string }
  currency?: string
}
const readStore = async (call: ReadCall): Promise<StoreInformation> => (await call.read(get(v2(call, '/store')))).body

export const location: EntityAdapter<'location', StoreInformation, never> = {
  id: (row) => row.id,
  toUnified: (row) => ({
    externalId: row.id,
    name: text(row.name) ?? row.id,
    // One text, with line breaks: street and city are not told apart.
    address: filled({ line1: text(row.address), country: text(row.country_code) ?? text(row.country) }),
    timezone: text(row.timezone?.name),
    currencyCode: text(row.currency),
    active: text(row.status) === 'live',
  }),
  list: onlyRow(readStore),
  get: async (call, id) => (id === call.account.settings.storeHash ? readStore(call) : undefined),
}
