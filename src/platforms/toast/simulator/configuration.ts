// The configuration API: pages with a token in a header, and no trace of what was archived.
import type { Routes } from '../../../sandbox/router.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import { invalid, isGuid, ok, readDate, refuse } from './wire.ts'
import type { Configured, TaxRate, World } from './world.ts'

const rate = (number: number, name: string, facts: Partial<TaxRate>): TaxRate => ({
  guid: `c3d0bb0e-6a5e-4d55-8a54-1de4bfb4a0${String(number).padStart(2, '0')}`,
  entityType: 'TaxRate',
  name,
  isDefault: false,
  rate: null,
  type: 'PERCENT',
  roundingType: null,
  taxTable: [],
  conditionalTaxRates: [],
  ...facts,
})
export const meals = rate(1, 'Meals', { rate: 0.0625, roundingType: 'HALF_UP', isDefault: true })
export const local = rate(2, 'Local option', { rate: 0.0075, roundingType: 'HALF_UP' })
export const taxRates: readonly TaxRate[] = [
  meals,
  local,
  rate(3, 'Bottle deposit', { rate: 0.05, type: 'FIXED' }),
  rate(4, 'By price', { type: 'TABLE', taxTable: [{ start: 0, end: 10, tax: 1, pattern: null }] }),
  rate(5, 'Untaxed', { type: 'NONE' }),
  rate(6, 'Marketplace', { type: 'EXTERNAL' }),
]

const mostOnPage = 20
/** The token is where the next page begins. */
function paged<T extends { guid: string }>({ query }: WireRequest, entries: readonly Configured<T>[]): WireResponse {
  const since = query.get('lastModified')
  const from = since === null ? Number.NEGATIVE_INFINITY : readDate(since, 'lastModified')
  const rows = entries.filter(({ modified }) => modified > from).map(({ shown }) => shown)
  const token = query.get('pageToken')
  const start = token === null ? 0 : rows.findIndex(({ guid }) => guid === token)
  if (start < 0) invalid('pageToken is not valid')
  const next = rows[start + mostOnPage]
  return ok(rows.slice(start, start + mostOnPage), next && { 'toast-next-page-token': next.guid })
}
const always = <T>(entries: readonly T[]): Configured<T>[] => entries.map((shown) => ({ shown, modified: 0 }))
function oneOf<T>(entries: { get(id: string): Configured<T> | undefined }, id = ''): WireResponse {
  if (!isGuid(id)) invalid(`The GUID is malformed: ${id}`)
  return ok(entries.get(id.toLowerCase())?.shown ?? refuse(404, 'The entity was not found'))
}

export const configurationRoutes: Routes<World> = {
  'GET /config/v2/diningOptions': ({ request, context: world }) => paged(request, always(world.diningOptions.values())),
  'GET /config/v2/tables': ({ request, context: world }) => paged(request, always(world.tables.values())),
  'GET /config/v2/taxRates': ({ request, context: world }) => paged(request, world.taxRates.values()),
  'GET /config/v2/taxRates/:guid': ({ params, context: world }) => oneOf(world.taxRates, params.guid),
  'GET /config/v2/alternatePaymentTypes': ({ request, context: world }) => paged(request, world.paymentTypes.values()),
  'GET /config/v2/alternatePaymentTypes/:guid': ({ params, context: world }) => oneOf(world.paymentTypes, params.guid),
}
