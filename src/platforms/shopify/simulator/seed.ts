// Fills the shop with realistic records: several variants of a product, drafts and archived products, untracked stock,
// customers without names, orders in every state.
import { createSeed, type Seed } from '../../../sandbox/seeds.ts'
import { freeHandle } from './product-writes.ts'
import { extraKinds, seedOrder } from './seed-orders.ts'
import { categories } from './taxonomy.ts'
import type { World } from './world.ts'

const day = 86_400_000
const amounts = {
  small: { products: 5, customers: 7, orders: 7 },
  full: { products: 380, customers: 420, orders: 1250 },
} as const
const sizes = ['Small', 'Medium', 'Large', 'X-Large']
const colors = ['Red', 'Blue', 'Ink Black', 'Écru']

export function seedLocation(world: World, name: string, isActive: boolean, at: number): string {
  const id = world.nextId('location')
  world.locations.set(id, { id, name, isActive, createdAt: at, updatedAt: at })
  return id
}

export function seedWorld(world: World, size: 'small' | 'full', seededAt: number): void {
  const seed = createSeed('shopify retail_pos')
  const amount = amounts[size]
  for (const [name, isActive] of [
    ['Maple Street', true],
    ['Harbor Pop-up', true],
    ['Old Warehouse', false],
  ] as const) {
    seedLocation(world, name, isActive, seededAt - 400 * day)
  }
  // Some records share their times, as imports do.
  let at = seededAt - 300 * day
  const later = (step: number) => {
    if (!seed.chance(0.1)) at += seed.int(1, step)
    return at
  }
  for (let index = 0; index < amount.products; index += 1)
    seedProduct(world, seed, later((250 * day) / amount.products), [1, 2, 1, 3, 1][index % 5]!)
  at = seededAt - 300 * day
  for (let index = 0; index < amount.customers; index += 1)
    seedCustomer(world, seed, later((280 * day) / amount.customers))
  seedOrder(world, seed, { at: seededAt - 75 * day }) // only for apps with read_all_orders
  at = seededAt - 55 * day
  for (let index = 0; index < amount.orders; index += 1)
    seedOrder(world, seed, { at: later((50 * day) / amount.orders), ...(index === 1 && { lines: 60 }) })
  for (const kind of extraKinds) seedOrder(world, seed, { at: later(3_600_000), kind })
}

export function seedProduct(world: World, seed: Seed, at: number, variants: number): string[] {
  const options =
    variants === 1
      ? [{ name: 'Title', values: ['Default Title'] }]
      : [
          { name: 'Size', values: sizes.slice(0, variants) },
          { name: 'Color', values: [seed.pick(colors)] },
        ]
  const id = world.nextId('product')
  const good = seed.article()
  const title = good.name
  world.products.set(id, {
    id,
    title,
    handle: `${freeHandle(world, title).slice(0, 60)}-${id.slice(-6)}`,
    descriptionHtml: seed.chance(0.6)
      ? `<p>${seed.note().replaceAll('&', '&amp;').replaceAll('<', '&lt;')} <strong>${title.replaceAll('&', '&amp;')}</strong></p>\n<ul><li>One size</li></ul>`
      : '',
    vendor: seed.chance(0.8) ? seed.company() : world.name,
    productType: seed.chance(0.7) ? good.category : '',
    tags: seed.sample(['gift', 'new', 'sale', 'summer', 'winter'], seed.int(0, 3)).sort(),
    status: seed.pick(['ACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE', 'DRAFT', 'ARCHIVED', 'UNLISTED']),
    ...(seed.chance(0.5) && { categoryId: seed.pick(categories) }),
    ...(seed.chance(0.4) && {
      imageUrl: `https://cdn.shopify.com/s/files/1/0001/files/${id}.jpg?v=${Math.floor(at / 1000)}`,
    }),
    options,
    createdAt: at,
    updatedAt: at,
  })
  return Array.from({ length: variants }, (_, index) =>
    seedVariant(world, seed, {
      productId: id,
      at,
      position: index + 1,
      price: good.sizes[index]!,
      optionValues: options.map(({ values }) => values[index] ?? values[0]!),
    }),
  )
}
function seedVariant(
  world: World,
  seed: Seed,
  {
    productId,
    at,
    position,
    price,
    optionValues,
  }: { productId: string; at: number; position: number; price: number; optionValues: string[] },
): string {
  const id = world.nextId('variant')
  const itemId = world.nextId('item')
  const tracked = seed.chance(0.8)
  world.variants.set(id, {
    id,
    productId,
    position,
    optionValues,
    ...(seed.chance(0.9) && { sku: seed.sku() }),
    ...(seed.chance(0.7) && { barcode: seed.ean13() }),
    price,
    taxable: seed.chance(0.9),
    itemId,
    ...(seed.chance(0.6) && { cost: Math.round(price * 0.4) }),
    tracked,
    createdAt: at,
    updatedAt: at,
  })
  const [home, other] = world.locations.ids()
  world.levels.set(`${itemId}/${home}`, tracked ? seed.int(-2, 60) : 0)
  if (seed.chance(0.3)) world.levels.set(`${itemId}/${other}`, seed.int(0, 20))
  return id
}

export function seedCustomer(world: World, seed: Seed, at: number): string {
  const id = world.nextId('customer')
  const { givenName, familyName, email } = seed.person()
  const nameless = seed.chance(0.1)
  const { line1, line2, city, state, postalCode, country } = seed.address('CA')
  const address = {
    id: world.nextId('address'),
    address1: line1,
    address2: line2,
    city,
    provinceCode: state,
    zip: postalCode,
    countryCode: country,
  }
  world.customers.set(id, {
    id,
    ...(!nameless && { firstName: givenName, ...(seed.chance(0.9) && { lastName: familyName }) }),
    ...((nameless || seed.chance(0.8)) && { email: email.replace('@', `.${id.slice(-5)}@`) }),
    ...(seed.chance(0.5) && { phone: `+1604${String(Number(id) % 10_000_000).padStart(7, '0')}` }),
    ...(seed.chance(0.3) && { note: seed.note() }),
    tags: seed.sample(['newsletter', 'vip', 'wholesale'], seed.int(0, 2)),
    addresses: seed.chance(0.7) ? [seed.chance(0.3) ? { ...address, company: seed.company() } : address] : [],
    metafields: [],
    createdAt: at,
    updatedAt: at,
  })
  return id
}
