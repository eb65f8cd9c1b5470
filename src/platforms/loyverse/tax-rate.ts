// Taxes of the merchant, each with one rate. https://developer.loyverse.com/docs/#tag/Taxes
import type { EntityAdapter } from '../../contract/connector.ts'
import { list, number, text } from '../../kit/fields.ts'
import { type Stamped, wholeList } from './listing.ts'

interface NativeTaxRate extends Stamped {
  id: string
  name?: string
  type?: string // INCLUDED in prices, or ADDED to them
  rate?: number // percent
  stores?: readonly string[] | null
}
const included: Readonly<Record<string, boolean>> = { INCLUDED: true, ADDED: false }

export const taxRate: EntityAdapter<'tax_rate', NativeTaxRate, string> = {
  ...wholeList<NativeTaxRate>('taxes', 'tax_ids'),
  id: ({ id }) => id,
  scopes: { read: ['TAXES_READ'] },
  toUnified: (row) => {
    const stores = list(row.stores)
    return {
      externalId: row.id,
      name: text(row.name) ?? row.id,
      rate: number(row.rate),
      type: 'PERCENT',
      included: included[text(row.type) ?? ''],
      active: !row.deleted_at,
      locationExternalId: stores.length === 1 ? text(stores[0]) : undefined,
    }
  },
}
