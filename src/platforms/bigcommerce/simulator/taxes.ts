// Manual taxes: https://developer.bigcommerce.com/docs/rest-management/tax. Rates and zones are not paged; classes are V2.
import type { Fields } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import type { NativeRecords } from '../../../sandbox/simulator.ts'
import { taxRates } from './order-money.ts'
import { data, idsIn, knownFilters } from './wire.ts'
import type { StoredTaxRate, World } from './world.ts'

/** The default class has the id 0 and is in no list. */
const classes = ['Non-Taxable Products', 'Shipping', 'Gift Wrapping'].map((name, index) => ({
  id: String(index + 1),
  name,
  created_at: '2018-05-07 20:14:17+00:00',
  updated_at: '2018-05-07 20:14:17+00:00',
}))
const display = { show_inclusive: false, show_both_on_detail_view: false, show_both_on_list_view: false }
/** Zone 1 is for all shoppers who are in no other one. */
const zones: readonly Fields[] = [
  { id: 1, name: 'Default Tax Zone', enabled: true, price_display_settings: display },
  {
    id: 2,
    name: 'Ontario',
    enabled: true,
    price_display_settings: display,
    shopper_target_settings: {
      locations: [{ country_code: 'CA', subdivision_codes: ['ON'], postal_codes: [] }],
      customer_groups: [],
    },
  },
]

const view = ({ id, zone, name, enabled, priority, rates }: StoredTaxRate): Fields => ({
  id,
  tax_zone_id: zone,
  name,
  enabled,
  priority,
  class_rates: rates.map(({ rate, taxClass }) => ({ rate, tax_class_id: taxClass })),
})
const chosen = <T extends { id?: unknown }>(rows: readonly T[], ids: Set<number> | undefined): T[] =>
  rows.filter(({ id }) => !ids || ids.has(Number(id)))

export const taxRoutes: Routes<World> = {
  'GET /tax/rates': ({ request: { query }, context: world }) => {
    knownFilters(query, ['id:in', 'tax_zone_id:in'])
    const zoneIds = idsIn(query, 'tax_zone_id:in')
    const rates = chosen(world.taxRates.values(), idsIn(query, 'id:in'))
    return data(rates.filter(({ zone }) => !zoneIds || zoneIds.has(zone)).map(view))
  },
  'GET /tax/zones': ({ request: { query } }) => {
    knownFilters(query, ['id:in'])
    return data(chosen(zones, idsIn(query, 'id:in')))
  },
}
export const taxClassRoutes: Routes<World> = {
  'GET /tax_classes': () => ({ status: 200, body: classes }),
}

const withClasses = (rate: number): StoredTaxRate['rates'] => [
  { taxClass: 0, rate },
  { taxClass: 1, rate: 0 },
]
export function seedTaxes(world: World): void {
  for (const { id, name, rate } of taxRates)
    world.taxRates.set(String(id), {
      ...{ id, zone: 1, name, enabled: true, priority: 1 },
      rates: withClasses(rate / 100),
    })
  world.taxRates.set('3', { id: 3, zone: 2, name: 'HST', enabled: true, priority: 1, rates: withClasses(13) })
}

/** A rate of a class has no id of its own. */
const idsOf = ({ id, rates }: StoredTaxRate): string[] => rates.map(({ taxClass }) => `${id}:${taxClass}`)
export const taxRecords = (world: World): NativeRecords => ({
  ids: () => world.taxRates.values().flatMap(idsOf),
  add: (count) =>
    Array.from({ length: count }, (_, index) => {
      const id = world.nextId('tax rate')
      const rate = { id, zone: 1 + (index % 2), name: `County tax ${id}`, enabled: index % 3 !== 2, priority: 1 }
      const rates = [{ taxClass: 0, rate: 0.125 * (1 + (id % 40)) }]
      return idsOf(world.taxRates.set(String(id), { ...rate, rates }))[0]!
    }),
  touch(id) {
    const [key] = id.split(':') as [string]
    const rate = world.taxRates.get(key)!
    world.taxRates.set(key, { ...rate, name: `Tax ${world.tick()}` })
  },
  remove: (id) => void world.taxRates.delete(id.split(':')[0]!),
})
