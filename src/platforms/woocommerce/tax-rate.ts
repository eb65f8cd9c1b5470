// Tax rates: https://woocommerce.github.io/woocommerce-rest-api-docs/#tax-rates
import type { EntityAdapter, ReadCall } from '../../contract/connector.ts'
import { flag, number, text } from '../../kit/fields.ts'
import { flatEntity } from '../../kit/flat.ts'
import { get } from '../../kit/requests.ts'
import { fieldTable } from '../../kit/table.ts'
import { type NumberPlace, walkByNumber } from '../../kit/walk-by-number.ts'
import { api, isId, perPage, readPage } from './api.ts'
import { plain } from './html.ts'

interface NativeRate {
  id: number
  country?: string
  state?: string
  rate?: string // percent
  name?: string
  compound?: boolean
}
const address = `${api}/taxes`
/** A rate of all countries or states has a star, or nothing. */
const place = (value: unknown): string | undefined => (text(value) === '*' ? undefined : text(value))

const table = fieldTable<'tax_rate', NativeRate>({
  '/name': { from: (row) => plain(row.name) ?? 'Tax' }, // as the shop itself calls a rate without a name
  '/rate': ['/rate', { read: number }],
  '/type': { from: () => 'PERCENT' },
  '/appliesTo': { from: () => 'SALES' },
  '/components': {
    from: (row) =>
      flag(row.compound) ? [{ name: plain(row.name), rate: number(row.rate), compound: true }] : undefined,
  },
  '/country': ['/country', { read: place }],
  '/region': ['/state', { read: place }],
})
export const taxRate: EntityAdapter<'tax_rate', NativeRate, NumberPlace> = flatEntity('tax_rate', {
  id: (row) => String(row.id),
  table,
  list: {
    pageLimit: perPage,
    updatedAfter: 'none', // rates have no modification time
    page: walkByNumber<NativeRate>({
      id: (row) => String(row.id),
      fetch: (call, { size }, page) => readPage(call, address, { orderby: 'id', order: 'asc', per_page: size, page }),
    }),
  },
  one: (_: ReadCall, id) => (isId(id) ? get(`${address}/${id}`) : undefined),
})
