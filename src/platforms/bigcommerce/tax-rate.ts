// Manual tax rates. One of them has a rate for each tax class, which is a tax rate of its own here:
// https://developer.bigcommerce.com/docs/rest-management/tax. A store with an automatic tax provider does not use them.
import type { ReadCall } from '../../contract/connector.ts'
import type { TaxRate } from '../../contract/entities/tax-rate.ts'
import { flag, list, number, text } from '../../kit/fields.ts'
import { flatEntity } from '../../kit/flat.ts'
import { pageAfter } from '../../kit/paging.ts'
import { get } from '../../kit/requests.ts'
import { storeFacts, v2, v3 } from './account.ts'

interface NativeRate {
  id: number
  tax_zone_id?: number
  name?: string
  enabled?: boolean
  priority?: number
  class_rates?: { rate?: number; tax_class_id?: number }[]
}
interface NativeZone {
  id: number
  enabled?: boolean
  shopper_target_settings?: { locations?: { country_code?: string; subdivision_codes?: string[] }[] }
}
interface RateRow {
  rate: NativeRate
  taxClass: number
  percent?: number
  className?: string // of a class that is not the default one
  zone?: NativeZone
  included?: boolean
}
const defaultZone = 1 // for all shoppers who are in no other one
const perPage = 250

/** All pages: neither list says how many rows it returns at most. */
async function pagesOf<T>(call: ReadCall, address: string): Promise<T[]> {
  const rows: T[] = []
  for (let page = 1, last = 1; page <= last; page++) {
    const { body } = await call.read(get(address, page > 1 ? { page } : undefined))
    rows.push(...list<T>(body.data))
    last = number(body.meta?.pagination?.total_pages) ?? 1
  }
  return rows
}
const classNames = async (call: ReadCall): Promise<Map<number, string | undefined>> => {
  const { body } = await call.read(get(v2(call, '/tax_classes'), { limit: perPage }))
  const classes = list<{ id?: string; name?: string }>(body)
  return new Map(classes.map(({ id, name }) => [number(id) ?? -1, text(name)]))
}

async function readRates(call: ReadCall): Promise<RateRow[]> {
  const rates = await pagesOf<NativeRate>(call, v3(call, '/tax/rates'))
  if (rates.length === 0) return []
  const zones = await pagesOf<NativeZone>(call, v3(call, '/tax/zones'))
  const [names, facts] = [await classNames(call), await storeFacts(call)]
  return rates.flatMap((rate) =>
    list(rate.class_rates).map(({ rate: percent, tax_class_id }): RateRow => {
      const taxClass = number(tax_class_id) ?? 0
      const className = taxClass === 0 ? undefined : names.get(taxClass)
      const zone = zones.find(({ id }) => id === rate.tax_zone_id)
      return { rate, taxClass, percent, className, zone, included: facts?.pricesWithTax }
    }),
  )
}
const idOf = ({ rate, taxClass }: RateRow): string => `${rate.id}:${taxClass}`

function toUnified(row: RateRow): TaxRate {
  const { rate, zone } = row
  const className = text(row.className)
  const places = list(zone?.shopper_target_settings?.locations)
  const [place] = places.length === 1 ? places : []
  const regions = list(place?.subdivision_codes)
  const name = text(rate.name) ?? String(rate.id)
  return {
    externalId: idOf(row),
    name: className === undefined ? name : `${name} (${className})`,
    rate: number(row.percent),
    type: 'PERCENT',
    included: flag(row.included),
    isDefault: number(row.taxClass) === 0 && number(rate.tax_zone_id) === defaultZone,
    active: (flag(rate.enabled) ?? true) && (flag(zone?.enabled) ?? true),
    appliesTo: 'SALES',
    country: text(place?.country_code),
    region: regions.length === 1 ? text(regions[0]) : undefined,
  }
}

export const taxRate = flatEntity<'tax_rate', RateRow, string>('tax_rate', {
  id: idOf,
  toUnified,
  list: {
    pageLimit: 250,
    updatedAfter: 'none',
    page: async (call, query, after) => pageAfter(await readRates(call), idOf, query, after),
  },
  get: async (call, id) => (await readRates(call)).find((row) => idOf(row) === id),
})
