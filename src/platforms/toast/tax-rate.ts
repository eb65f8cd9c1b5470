// https://doc.toasttab.com/openapi/configuration/operation/taxRatesGet/
import type { EntityAdapter } from '../../contract/connector.ts'
import { ifFound } from '../../kit/errors.ts'
import { flag, number, text } from '../../kit/fields.ts'
import { fromDecimal } from '../../kit/money.ts'
import { displayName } from '../../kit/names.ts'
import { pageAfter } from '../../kit/paging.ts'
import { get, path } from '../../kit/requests.ts'
import { configured } from './account.ts'
import { isGuid, toToastDate } from './api.ts'

interface NativeTaxRate {
  guid: string
  name?: string | null
  isDefault?: boolean | null
  rate?: number | null // a fraction, or an amount where it is fixed
  type?: string | null
}
const types = { PERCENT: 'PERCENT', FIXED: 'FIXED', TABLE: 'TABLE' } as const

export const taxRate: EntityAdapter<'tax_rate', NativeTaxRate, string> = {
  id: (row) => row.guid,
  toUnified: (row, { account }) => {
    const [type, rate] = [text(row.type), number(row.rate)]
    return {
      externalId: row.guid,
      name: displayName(row.name, row.guid)!,
      rate: type === 'PERCENT' && rate !== undefined ? Number((rate * 100).toFixed(6)) : undefined,
      // NONE is no tax, and a marketplace computes an EXTERNAL one.
      type: Object.entries(types).find(([name]) => name === type)?.[1],
      amount: type === 'FIXED' ? fromDecimal(row.rate) : undefined,
      isDefault: flag(row.isDefault),
      active: true, // an archived one is no longer listed
      appliesTo: 'SALES',
      locationExternalId: account.settings.restaurantGuid,
    }
  },
  list: {
    pageLimit: 200,
    updatedAfter: 'platform', // no row has the time
    page: async (call, query, at) => {
      const lastModified = query.updatedAfter && toToastDate(query.updatedAfter)
      const rows = await configured<NativeTaxRate>(call, '/config/v2/taxRates', { lastModified })
      return pageAfter(rows, ({ guid }) => guid, query, at)
    },
  },
  get: async (call, id) =>
    isGuid(id) ? (await ifFound(call.read(get(path`/config/v2/taxRates/${id}`))))?.body : undefined,
}
