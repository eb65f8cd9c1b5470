// Taxes of the shop; one may be a group of several. https://x-series-api.lightspeedhq.com/reference/listtaxes
import type { EntityAdapter, ReadCall } from '../../contract/connector.ts'
import { ifFound } from '../../kit/errors.ts'
import { flag, list, number, text } from '../../kit/fields.ts'
import { get, path } from '../../kit/requests.ts'
import { readShop, type Tax } from './account.ts'
import { api, isId, living, pageLimit, percentOf } from './api.ts'

interface TaxRow extends Tax {
  included?: boolean
}
/** Rates are fractions; their sum is taken in hundred-millionths. */
const fraction = 1e8
const sumOf = (rates: readonly number[]): number =>
  rates.reduce((sum, rate) => sum + Math.round(rate * fraction), 0) / fraction

/** In the prices of products, which are a setting of the shop: sales are always without. */
const withIncluded = async (call: ReadCall, taxes: readonly Tax[]): Promise<TaxRow[]> => {
  const included = !(await readShop(call)).taxExclusive
  return taxes.map((tax) => ({ ...tax, included }))
}

export const taxRate: EntityAdapter<'tax_rate', TaxRow, number> = {
  id: ({ id }) => id,
  scopes: { read: ['taxes:read', 'retailer:read'] },
  toUnified: (tax) => {
    const rates = list(tax.rates)
    return {
      externalId: tax.id,
      name: text(tax.display_name) ?? text(tax.name) ?? tax.id,
      rate: percentOf(sumOf(rates.flatMap(({ rate }) => number(rate) ?? []))),
      type: 'PERCENT',
      included: flag(tax.included),
      isDefault: flag(tax.is_default),
      active: living(tax),
      components: rates.map(({ name, display_name, rate }) => ({
        name: text(display_name) ?? text(name),
        rate: percentOf(number(rate)),
      })),
    }
  },
  list: {
    pageLimit,
    updatedAfter: 'none', // taxes have no time of modification
    // Deleted taxes are in the list: earlier sales have them.
    page: async (call, { size }, after = 0) => {
      const { body } = await call.read(get(`${api}/taxes`, { after, page_size: size }))
      const rows = await withIncluded(call, list<Tax>(body.data))
      return rows.length > 0 ? { rows, next: body.version.max } : { rows }
    },
  },
  get: async (call, id) => {
    const found = isId(id) ? await ifFound(call.read(get(api + path`/taxes/${id}`))) : undefined
    return found && (await withIncluded(call, [found.body.data]))[0]
  },
}
