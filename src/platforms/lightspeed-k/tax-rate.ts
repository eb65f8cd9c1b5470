// Tax rates: https://api-docs.lsk.lightspeed.app/operation/operation-financial-apigettaxrates
import type { ReadCall } from '../../contract/connector.ts'
import { flag, list, text } from '../../kit/fields.ts'
import { flatEntity } from '../../kit/flat.ts'
import { pageAfter } from '../../kit/paging.ts'
import { get, path } from '../../kit/requests.ts'
import { fieldTable } from '../../kit/table.ts'
import { locationOf } from './account.ts'
import { percentOf } from './sold.ts'

interface TaxRate {
  code: string
  description?: string
  rate?: number // 1.2 is 20 %
  taxIncluded?: boolean
}
const readRates = async (call: ReadCall): Promise<readonly TaxRate[]> =>
  list((await call.read(get(path`/f/finance/${locationOf(call)}/tax-rates`))).body?._embedded?.taxRateList)

/** The list has codes, as the lines of sales do; ids are in lines only. */
export const taxRate = flatEntity('tax_rate', {
  scopes: { read: ['financial-api'] },
  id: (row: TaxRate) => row.code,
  table: fieldTable<'tax_rate', TaxRate>({
    '/name': ['/description', { or: '/code' }],
    '/rate': ['/rate', { read: percentOf }],
    '/type': { from: () => 'PERCENT' as const },
    '/included': ['/taxIncluded', { read: flag }],
    '/code': '/code',
    '/locationExternalId': { from: (_, { account }) => text(account.settings.businessLocationId) },
  }),
  list: {
    pageLimit: 1000,
    updatedAfter: 'none',
    page: async (call, query, after?: string) => pageAfter(await readRates(call), ({ code }) => code, query, after),
  },
  get: async (call, id) => (await readRates(call)).find(({ code }) => code === id),
})
