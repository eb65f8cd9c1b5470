// One order for each kind of money that a seller takes: modifiers, tips, charges, taxes, rounding, refunds.
import type { Seed } from '../../../sandbox/seeds.ts'
import { modifiersIn } from './catalog.ts'
import { withTotals } from './order-totals.ts'
import type { StoredOrder } from './orders.ts'
import { customLine, returnedIn, storeRefunds, storeReturn, unitOf } from './returns.ts'
import { seedLine } from './seed-orders.ts'
import { money, type SeedOptions } from './seed-records.ts'
import { type Payment, paid } from './tenders.ts'
import { iso, type LineItem, newId, type Order, type OrderTax, type ServiceCharge, type World } from './world.ts'

interface Kitchen {
  world: World
  seed: Seed
  random(below: number): number
  at: number
  lines: readonly LineItem[]
}
interface Draft extends Partial<Order> {
  updatable?: true // such orders come from the API
  sold?: StoredOrder | undefined // whose goods come back
  by?: readonly Payment[] // in cash by default; an open order is unpaid by default
  changed?: number // milliseconds after the payment
  after?(order: StoredOrder): void
}
const minutes = 60_000
const card: readonly Payment[] = [{ type: 'CARD' }]
const taxes = {
  'Sales tax': { percentage: '8.5', type: 'ADDITIVE' },
  'County tax': { percentage: '1.25', type: 'ADDITIVE' },
  'Tax in the price': { percentage: '10', type: 'INCLUSIVE' },
}
/** One of the catalog, unless the seller has removed or renamed it. */
function taxOf(world: World, name: keyof typeof taxes, more: Partial<OrderTax> = {}): OrderTax {
  const known = world.catalog.find((one) => one.tax_data?.name === name && !one.is_deleted)
  const uid = name.toLowerCase().replaceAll(' ', '-')
  return {
    uid,
    ...(known && { catalog_object_id: known.id, catalog_version: known.version }),
    name,
    ...taxes[name],
    scope: 'ORDER',
    ...more,
  }
}
/** An automatic gratuity has no name. */
const charge = (uid: string, name: string | undefined, more: Partial<ServiceCharge>): ServiceCharge => ({
  uid,
  ...(name !== undefined && { name }),
  calculation_phase: 'SUBTOTAL_PHASE',
  taxable: false,
  type: 'CUSTOM',
  treatment_type: 'LINE_ITEM_TREATMENT',
  scope: 'ORDER',
  ...more,
})
const appliedTo = (uid: string) => [{ uid: `applied-${uid}`, tax_uid: uid }]
const recipient = ({ world, seed }: Kitchen) => {
  const { givenName, familyName } = seed.person()
  const { line1, city, state, postalCode, country } = seed.address(world.country)
  return {
    display_name: `${givenName} ${familyName}`,
    phone_number: seed.phone(world.country),
    address: {
      address_line_1: line1,
      locality: city,
      administrative_district_level_1: state,
      postal_code: postalCode,
      country,
    },
  }
}

/** Free and paid ones, and one twice on each unit. */
const modifiers = ({ world, seed, lines }: Kitchen): Draft => {
  const known = modifiersIn(world)
  const of = ([milk, shot, hot]: readonly string[]) => [
    { uid: 'milk', ...modifierOf(milk!), quantity: '1' },
    { uid: 'shot', ...modifierOf(shot!), quantity: '2' },
    { uid: 'hot', ...modifierOf(hot!), quantity: '1' },
    { uid: 'request', name: 'Cut in half', quantity: '1', base_price_money: money(world, 0) },
  ]
  const modifierOf = (name: string) => {
    const { id, version, modifier_data } = known.find((one) => one.modifier_data?.name === name)!
    const price = modifier_data!.price_money ?? money(world, 0)
    return { catalog_object_id: id, catalog_version: version, name, base_price_money: price }
  }
  const names = known.map(({ modifier_data }) => modifier_data!.name!)
  const [first, ...others] = lines
  return {
    state: 'OPEN',
    updatable: true,
    line_items: [{ ...first!, quantity: String(seed.int(1, 3)), note: 'No foam', modifiers: of(names) }, ...others],
  }
}
/** The tip on a card is written down and settled the next morning. */
const tip = ({ seed }: Kitchen): Draft => ({
  by: [{ type: 'CARD', tip: seed.int(100, 900) }],
  changed: 14 * 60 * minutes,
})
const gratuity = ({ seed }: Kitchen): Draft => ({
  service_charges: [charge('gratuity', undefined, { percentage: '18', type: 'AUTO_GRATUITY' })],
  by: [{ type: 'CARD', tip: seed.int(0, 300) }],
})
const charges = (kitchen: Kitchen): Draft => ({
  service_charges: [
    charge('party', 'Large party', { percentage: '12.5', taxable: true }),
    charge('delivery', 'Delivery', {
      amount_money: money(kitchen.world, kitchen.seed.int(100, 800)),
      calculation_phase: 'TOTAL_PHASE',
    }),
  ],
  fulfillments: [
    kitchen.world.vertical === 'restaurant'
      ? {
          uid: 'delivery',
          type: 'DELIVERY',
          state: 'COMPLETED',
          delivery_details: {
            recipient: recipient(kitchen),
            schedule_type: 'SCHEDULED',
            deliver_at: iso(kitchen.at + 60 * minutes),
            note: 'Ring twice',
          },
        }
      : {
          uid: 'shipment',
          type: 'SHIPMENT',
          state: 'RESERVED',
          shipment_details: {
            recipient: recipient(kitchen),
            carrier: 'Purolator',
            shipping_note: 'Leave at the door',
            expected_shipped_at: iso(kitchen.at + 24 * 60 * minutes),
          },
        },
  ],
  by: card,
})
const apportioned = ({ world }: Kitchen): Draft => ({
  service_charges: [
    charge('packaging', 'Packaging', {
      amount_money: money(world, 175),
      calculation_phase: 'APPORTIONED_AMOUNT_PHASE',
      treatment_type: 'APPORTIONED_TREATMENT',
    }),
    charge('service', 'Service', {
      percentage: '7.5',
      calculation_phase: 'APPORTIONED_PERCENTAGE_PHASE',
      treatment_type: 'APPORTIONED_TREATMENT',
    }),
  ],
  by: card,
})
const discounts = ({ world, seed, lines }: Kitchen): Draft => ({
  state: 'OPEN',
  updatable: true,
  line_items: [
    { ...lines[0]!, applied_discounts: [{ uid: 'applied-second', discount_uid: 'second' }] },
    ...lines.slice(1),
  ],
  discounts: [
    { uid: 'ten', name: 'Regulars', percentage: '10', type: 'FIXED_PERCENTAGE', scope: 'ORDER' },
    {
      uid: 'voucher',
      name: 'Voucher',
      amount_money: money(world, seed.int(50, 200)),
      type: 'FIXED_AMOUNT',
      scope: 'ORDER',
    },
    { uid: 'second', name: 'Second one', percentage: '33.3', type: 'FIXED_PERCENTAGE', scope: 'LINE_ITEM' },
  ],
})
const twoTaxes = ({ world, lines }: Kitchen): Draft => ({
  line_items: [{ ...lines[0]!, applied_taxes: appliedTo('county-tax') }, ...lines.slice(1)],
  taxes: [taxOf(world, 'Sales tax'), taxOf(world, 'County tax', { scope: 'LINE_ITEM' })],
})
const inclusive = ({ world, lines }: Kitchen): Draft => ({
  taxes: [taxOf(world, 'Tax in the price')],
  service_charges: [charge('service', 'Service', { percentage: '10', taxable: true })],
  discounts: [{ uid: 'ten', name: 'Regulars', percentage: '10', type: 'FIXED_PERCENTAGE', scope: 'ORDER' }],
  line_items: [...lines],
  by: card,
})
const mixedTaxes = ({ world, lines }: Kitchen): Draft => ({
  line_items: [...lines.slice(0, -1), { ...lines.at(-1)!, applied_taxes: appliedTo('county-tax') }],
  taxes: [taxOf(world, 'Tax in the price'), taxOf(world, 'County tax', { scope: 'LINE_ITEM' })],
  by: card,
})
const giftCard = ({ world, seed, lines }: Kitchen): Draft => ({
  line_items: [
    ...lines,
    {
      uid: 'gift-card',
      name: 'Gift card',
      quantity: '1',
      item_type: 'GIFT_CARD',
      base_price_money: money(world, seed.int(10, 50) * 100),
    },
  ],
  by: card,
})
/** A check that is split: a gift card, a card with a tip, the rest in cash. */
const split = ({ seed }: Kitchen): Draft => ({
  by: [
    { type: 'SQUARE_GIFT_CARD', amount: 300 },
    { type: 'CARD', amount: 400, tip: seed.int(50, 200) },
    { type: 'CASH' },
  ],
})
/** It is paid, and open until it is picked up. */
const pickup = (kitchen: Kitchen): Draft => ({
  state: 'OPEN',
  updatable: true,
  by: card,
  fulfillments: [
    {
      uid: 'pickup',
      type: 'PICKUP',
      state: 'PREPARED',
      pickup_details: {
        recipient: { display_name: recipient(kitchen).display_name },
        schedule_type: 'SCHEDULED',
        pickup_at: iso(kitchen.at + 30 * minutes),
        ...(kitchen.seed.chance(0.5) && { is_curbside_pickup: true }),
      },
    },
  ],
})
/** One unit comes back, then a part of the price, which has not moved yet. */
const refunded = ({ world, random }: Kitchen): Draft => ({
  after(sold) {
    const at = Date.parse(sold.updated_at)
    const back = { location: sold.location_id, source: sold, at, random }
    storeReturn(world, { ...back, lines: [unitOf(sold.line_items![0]!)] })
    storeReturn(world, { ...back, lines: [customLine(world, 25)], pending: true })
  },
})
/** Goods of an earlier order come back, and others are sold. What is left goes back, too. */
const exchange = ({ world, random }: Kitchen): Draft => {
  const source = world.orders
    .filter(({ state, returns, tenders }) => state === 'COMPLETED' && !returns && tenders !== undefined)
    .at(-1)
  const lines = source?.line_items?.slice(0, 1) ?? []
  return lines.length > 0 ? { ...returnedIn(world, { source, lines, random }), by: card, sold: source } : {}
}
/** Everything is on the house, and the guest leaves a tip. */
const comped = ({ seed }: Kitchen): Draft => ({
  discounts: [{ uid: 'house', name: 'On the house', percentage: '100', type: 'FIXED_PERCENTAGE', scope: 'ORDER' }],
  by: [{ type: 'CARD', tip: seed.int(100, 500) }],
})

const kinds = {
  ...{ modifiers, tip, gratuity, charges, apportioned, discounts, twoTaxes, inclusive, mixedTaxes },
  ...{ giftCard, split, pickup, refunded, exchange, comped },
}
export type OrderKind = keyof typeof kinds
export const orderKinds = Object.keys(kinds) as OrderKind[]

/** `quick`: it is paid in the moment in which it is opened. */
export function seedKind(
  world: World,
  seed: Seed,
  kind: OrderKind,
  {
    random,
    at,
    quick = false,
    location = seed.pick(world.locations.ids()),
  }: SeedOptions & { quick?: boolean; location?: string },
): string {
  const lines = Array.from({ length: seed.int(2, 3) }, (_, index) => seedLine(world, seed, `line-${index + 1}`))
  const { by, changed = 0, after, sold, updatable, ...draft } = kinds[kind]({ world, seed, random, at, lines })
  const fromApi = seed.chance(0.5) || updatable === true
  const paidAt = quick ? at : at + seed.int(5, 90) * minutes
  const settled = paidAt + (changed || minutes)
  const state = draft.state ?? 'COMPLETED'
  const order: StoredOrder = {
    id: newId('order', random),
    location_id: location,
    source: { name: fromApi ? 'Online store' : 'Square Point of Sale' },
    ...(fromApi && { version: seed.int(1, 6) }),
    line_items: lines,
    taxes: [taxOf(world, 'Sales tax')],
    ...draft,
    state,
    created_at: iso(at),
    updated_at: iso(quick ? at : paidAt + changed),
    ...(state === 'COMPLETED' && { closed_at: iso(paidAt) }),
  }
  const priced =
    state === 'OPEN' && !by
      ? withTotals(order, world)
      : paid(world, order, { at: paidAt, random, by: by ?? [{ type: 'CASH' }], ...(quick ? {} : { settled }) })
  const owed = (priced.return_amounts?.total_money.amount ?? 0) - priced.total_money!.amount
  const stored = world.orders.set(
    order.id,
    owed > 0
      ? {
          ...priced,
          refunds: storeRefunds(world, { source: sold, order: order.id, amount: owed, at: paidAt, location, random }),
        }
      : priced,
  )
  after?.(stored)
  return stored.id
}
