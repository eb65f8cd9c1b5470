// One realistic record of each kind.
import { fitsCategory } from '../../../sandbox/goods.ts'
import type { Seed } from '../../../sandbox/seeds.ts'
import { setCount } from './inventory.ts'
import { type CatalogObject, iso, isoSeconds, type Money, newId, type World } from './world.ts'

export interface SeedOptions {
  random(below: number): number
  at: number // milliseconds
}
const hour = 3_600_000
const portions = ['Small', 'Medium', 'Large', 'Familiengröße'] // with rising prices

const objects = (world: World, type: string): CatalogObject[] =>
  world.catalog.filter((object) => object.type === type && !object.is_deleted)
const nameOf = ({ category_data }: CatalogObject): string => category_data?.name ?? ''
export const money = (world: World, amount: number): Money => ({ amount, currency: world.currency })

export function seedItem(
  world: World,
  seed: Seed,
  { random, at, variations }: SeedOptions & { variations: number },
): string[] {
  const id = newId('catalog', random)
  const categories = objects(world, 'CATEGORY')
  const names = { categories: categories.map(nameOf) }
  const good = world.vertical === 'restaurant' ? seed.dish(names) : seed.article(names)
  const fitting = categories.filter((one) => fitsCategory(nameOf(one), good.category))
  const category = seed.pick(fitting.length > 0 ? fitting : categories)
  const stamp = { version: at, updated_at: iso(at), is_deleted: false, present_at_all_locations: true }
  const description = seed.chance(0.5) ? seed.note() : undefined
  const sizes = seed.sample(portions, variations).toSorted((a, b) => portions.indexOf(a) - portions.indexOf(b))
  const nested = sizes.map((size, ordinal): CatalogObject => {
    const variable = seed.chance(0.08)
    const priced = variable
      ? { pricing_type: 'VARIABLE_PRICING' }
      : { pricing_type: 'FIXED_PRICING', price_money: money(world, good.sizes[ordinal]!) }
    return {
      type: 'ITEM_VARIATION',
      id: newId('catalog', random),
      ...stamp,
      item_variation_data: {
        item_id: id,
        name: variations === 1 ? 'Regular' : size,
        ...(seed.chance(0.9) && { sku: seed.sku() }),
        ...(seed.chance(0.6) && { upc: seed.ean13() }),
        ordinal,
        ...priced,
        ...(seed.chance(0.05) && { measurement_unit_id: objects(world, 'MEASUREMENT_UNIT')[0]!.id }),
        track_inventory: seed.chance(0.6),
        sellable: true,
        stockable: true,
      },
    }
  })
  world.catalog.set(id, {
    type: 'ITEM',
    id,
    ...stamp,
    item_data: {
      name: good.name,
      ...(description && {
        description,
        description_html: `<p>${description.replaceAll('\n', '<br>')}</p>`,
        description_plaintext: description,
      }),
      is_taxable: seed.chance(0.9),
      tax_ids: [objects(world, 'TAX')[0]!.id],
      ...(seed.chance(0.85) && {
        categories: [{ id: category.id, ordinal: 0 }],
        reporting_category: { id: category.id, ordinal: 0 },
      }),
      ...(seed.chance(0.1) && { image_ids: [objects(world, 'IMAGE')[0]!.id] }),
      is_archived: seed.chance(0.06),
      product_type: world.vertical === 'restaurant' ? 'FOOD_AND_BEV' : 'REGULAR',
      variations: nested,
    },
  })
  for (const variation of nested) {
    world.itemOf.set(variation.id, id)
    if (variation.item_variation_data?.track_inventory)
      for (const location of seed.sample(world.locations.ids(), 2)) stock(world, seed, variation.id, location, at)
  }
  return nested.map((variation) => variation.id)
}

function stock(world: World, seed: Seed, variation: string, location: string, at: number): void {
  const count = setCount(world, variation, location, 'IN_STOCK', seed.chance(0.1) ? '0' : String(seed.int(1, 80)))
  world.counts.set(`${variation}/${location}/IN_STOCK`, { ...count, calculated_at: iso(at) })
}

export function seedCustomer(world: World, seed: Seed, { random, at }: SeedOptions): string {
  const id = newId('customer', random)
  const person = seed.person()
  const address = seed.address(world.country)
  const company = seed.chance(0.2)
  world.customers.set(id, {
    id,
    created_at: iso(at),
    updated_at: isoSeconds(at + seed.int(0, 20) * hour),
    ...(company && seed.chance(0.5) ? {} : { given_name: person.givenName, family_name: person.familyName }),
    ...(company && { company_name: seed.company() }),
    ...(seed.chance(0.8) && { email_address: person.email }),
    ...(seed.chance(0.6) && { phone_number: seed.phone(world.country) }),
    ...(seed.chance(0.5) && {
      address: {
        address_line_1: address.line1,
        ...(address.line2 && { address_line_2: address.line2 }),
        locality: address.city,
        administrative_district_level_1: address.state,
        postal_code: address.postalCode,
        country: address.country,
      },
    }),
    ...(seed.chance(0.3) && { note: seed.note() }),
    preferences: { email_unsubscribed: seed.chance(0.2) },
    creation_source: 'INSTANT_PROFILE',
    version: seed.int(0, 4),
  })
  return id
}

export function seedMember(
  world: World,
  seed: Seed,
  { random, at, owner = false }: SeedOptions & { owner?: boolean },
): string {
  const id = newId('team', random)
  const person = seed.person()
  const job = seed.pick(world.jobs.values())
  const explicit = seed.chance(0.4)
  world.team.set(id, {
    id,
    ...(seed.chance(0.5) && { reference_id: `emp-${seed.int(100, 999)}` }),
    is_owner: owner,
    status: !owner && seed.chance(0.15) ? 'INACTIVE' : 'ACTIVE',
    given_name: person.givenName,
    family_name: person.familyName,
    email_address: person.email,
    ...(seed.chance(0.6) && { phone_number: seed.phone(world.country) }),
    created_at: isoSeconds(at),
    updated_at: isoSeconds(at + seed.int(0, 25) * 24 * hour),
    assigned_locations: explicit
      ? { assignment_type: 'EXPLICIT_LOCATIONS', location_ids: seed.sample(world.locations.ids(), 2) }
      : { assignment_type: 'ALL_CURRENT_AND_FUTURE_LOCATIONS' },
    ...(!owner && {
      wage_setting: {
        team_member_id: id,
        job_assignments: [
          { job_id: job.id, job_title: job.title, pay_type: 'HOURLY', hourly_rate: money(world, seed.int(1500, 3200)) },
        ],
        version: 1,
      },
    }),
  })
  return id
}

/** Times in the location's own offset, truncated to minutes. */
const localTime = (at: number, offsetHours = -5): string => `${iso(at + offsetHours * hour).slice(0, 16)}:00-05:00`

export function seedTimecard(world: World, seed: Seed, { random, at, open }: SeedOptions & { open: boolean }): string {
  const id = newId('timecard', random)
  const job = seed.pick(world.jobs.values())
  const start = at - 9 * hour
  const end = start + seed.int(3, 9) * hour + seed.int(0, 59) * 60_000
  const breaks = seed.chance(0.5)
    ? [
        {
          id: newId('timecard', random),
          start_at: localTime(start + hour),
          end_at: localTime(start + 1.5 * hour),
          break_type_id: 'BREAK30',
          name: 'Lunch break',
          expected_duration: 'PT30M',
          is_paid: seed.chance(0.4),
        },
      ]
    : undefined
  world.timecards.set(id, {
    id,
    location_id: seed.pick(world.locations.ids()),
    team_member_id: seed.pick(world.team.ids()),
    timezone: world.timezone,
    start_at: localTime(start),
    ...(!open && { end_at: localTime(end) }),
    status: open ? 'OPEN' : 'CLOSED',
    wage: { title: job.title, hourly_rate: money(world, seed.int(1500, 3200)), job_id: job.id, tip_eligible: true },
    ...(breaks && { breaks }),
    ...(seed.chance(0.2) && { declared_cash_tip_money: money(world, seed.int(100, 5000)) }),
    version: 1,
    created_at: isoSeconds(start),
    updated_at: isoSeconds(open ? start : end),
  })
  return id
}

/** Half of them are published; some of these have a newer draft. A shift can be open, until a team member takes it. */
export function seedShift(
  world: World,
  seed: Seed,
  { random, at, shape, created = at - 16 * 24 * hour }: SeedOptions & { shape: number; created?: number },
): string {
  const id = newId('timecard', random)
  const end = at + seed.int(4, 9) * hour
  const member = seed.pick(world.team.ids())
  const details = {
    ...(shape % 4 !== 3 && { team_member_id: member }),
    location_id: seed.pick(world.locations.ids()),
    job_id: seed.pick(world.jobs.values()).id,
    start_at: localTime(at),
    end_at: localTime(end),
    ...(seed.chance(0.3) && { notes: 'Prep the vegetables' }),
    is_deleted: shape % 12 === 5,
    timezone: world.timezone,
  }
  const draft = shape % 6 === 4 ? { ...details, end_at: localTime(end + hour) } : details
  world.shifts.set(id, {
    id,
    draft_shift_details: draft,
    ...(shape % 2 === 0 && { published_shift_details: details }),
    version: 1,
    created_at: isoSeconds(created),
    updated_at: isoSeconds(created),
  })
  return id
}

export function seedLocation(
  world: World,
  seed: Seed,
  { number, at, status }: { number: number; at: number; status: 'ACTIVE' | 'INACTIVE' },
): string {
  const address = seed.address(world.country)
  const id = `L${seed.id('ABCDEFGHJKMNPQRSTVWXYZ0123456789', 12)}`
  world.locations.set(id, {
    id,
    name: `${world.name} ${String(number).padStart(2, '0')}`,
    status,
    address: {
      address_line_1: address.line1,
      locality: address.city,
      administrative_district_level_1: address.state,
      postal_code: address.postalCode,
      country: address.country,
    },
    timezone: world.timezone,
    capabilities: ['CREDIT_CARD_PROCESSING'],
    created_at: isoSeconds(at),
    merchant_id: world.merchantId,
    country: world.country,
    language_code: 'en-US',
    currency: world.currency,
    type: 'PHYSICAL',
    business_name: world.name,
  })
  return id
}
