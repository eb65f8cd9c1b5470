import type { EntityAdapter, ReadCall } from '../../contract/connector.ts'
import { ifFound } from '../../kit/errors.ts'
import { flag, number, text } from '../../kit/fields.ts'
import { flatEntity } from '../../kit/flat.ts'
import { fromMinor } from '../../kit/money.ts'
import { get, path } from '../../kit/requests.ts'
import { fieldTable } from '../../kit/table.ts'
import type { NumberPlace } from '../../kit/walk-by-number.ts'
import { below, merchantOf, propertiesOf, rowsIn } from './account.ts'
import { byCreation, largestPage } from './listing.ts'
import { type NativeRate, percentIn, whole } from './order-lines.ts'

interface Rate extends NativeRate {
  id: string
  isDefault?: boolean
  deletedTime?: number | null
}
/** A rate with what the merchant says for all of them. */
interface RateRow extends Rate {
  currency: string
  vat: boolean
}
const isFixed = ({ taxAmount }: RateRow): boolean => whole(taxAmount) > 0

const table = fieldTable<'tax_rate', RateRow>({
  '/name': { from: (row) => text(row.name) ?? row.id },
  '/type': { from: (row) => (isFixed(row) ? 'FIXED' : 'PERCENT') },
  '/rate': { from: (row) => (isFixed(row) ? undefined : percentIn(number(row.rate))) },
  '/amount': { from: (row) => (isFixed(row) ? fromMinor(row.taxAmount, row.currency) : undefined) },
  '/included': { from: ({ vat }) => vat },
  '/isDefault': ['/isDefault', { read: flag }],
  '/active': { from: ({ deletedTime }) => !number(deletedTime) },
  '/locationExternalId': { from: (_, { account }) => merchantOf(account) },
})
const completed = async (call: ReadCall, rates: readonly Rate[]): Promise<RateRow[]> => {
  const { currency, vat } = await propertiesOf(call)
  return rates.map((rate) => ({ ...rate, currency, vat }))
}

export const taxRate: EntityAdapter<'tax_rate', RateRow, NumberPlace> = flatEntity('tax_rate', {
  id: (row) => row.id,
  table,
  list: {
    pageLimit: largestPage,
    updatedAfter: 'none', // the model has a time, but no text says that it can be filtered by
    page: byCreation(async (call, _, page) =>
      completed(call, rowsIn(await call.read(get(below(call, '/tax_rates'), page)))),
    ),
  },
  async get(call, id) {
    const response = await ifFound(call.read(get(below(call, path`/tax_rates/${id}`))))
    return response && (await completed(call, [response.body]))[0]
  },
})
