// A shop with difficult data: variants, hidden and sold-out products, no brand, guests, every order status, times shared to the second.
import { articles, categoryNames, fitsCategory } from '../../../sandbox/goods.ts'
import { createSeed, type Seed } from '../../../sandbox/seeds.ts'
import { seedMethods } from './payments.ts'
import { productDefaults } from './products.ts'
import { kindsOfOrders, seedKind, seedOrder, seedUnbalanced } from './seed-orders.ts'
import { seedTaxes } from './taxes.ts'
import type { StoredAddress, StoredProduct, StoredVariant, World } from './world.ts'

const amounts = {
  small: { products: 6, customers: 7, orders: 8, categories: 5, brands: 4 },
  full: { products: 560, customers: 420, orders: 1250, categories: 45, brands: 60 },
} as const
export const day = 86_400_000
const stateNames: Readonly<Record<string, string>> = { CA: 'California', NY: 'New York', TX: 'Texas' }

export function seedWorld(world: World, size: 'small' | 'full', seededAt: number): void {
  const seed = createSeed('bigcommerce retail_pos')
  const amount = amounts[size]
  for (const name of categoryNames(articles, amount.categories)) {
    const id = world.nextId('category')
    const parent = world.categories.find((category) => name.startsWith(`${category.name}: `))
    world.categories.set(String(id), { id, parent_id: parent?.id ?? 0, name })
  }
  for (let n = 0; n < amount.brands; n += 1) {
    const id = world.nextId('brand')
    world.brands.set(String(id), { id, name: `${seed.company()} ${n + 1}` })
  }
  for (let n = 0; n < amount.products; n += 1)
    seedProduct(world, seed, seed.instant(seededAt - 300 * day, seededAt - day), n % 5 === 2 ? seed.int(2, 4) : 0)
  for (let n = 0; n < amount.customers; n += 1)
    seedCustomer(world, seed, seed.instant(seededAt - 300 * day, seededAt - day))
  let at = 0
  for (let n = 0; n < amount.orders; n += 1) {
    if (n === 0 || !seed.chance(0.05)) at = seed.instant(seededAt - 90 * day, seededAt - 3_600_000)
    seedOrder(world, seed, at)
  }
  const kinds = createSeed('bigcommerce kinds of orders')
  for (let n = 0; n < kindsOfOrders.length; n += 1)
    seedKind(world, kinds, seededAt - (kindsOfOrders.length - n) * 5_400_000, n)
  seedUnbalanced(world, kinds, seededAt - 3_600_000)
  seedTaxes(world)
  seedMethods(world)
}

export function seedProduct(world: World, seed: Seed, at: number, variants: number): StoredProduct {
  const id = world.nextId('product')
  const categories = world.categories.values()
  const good = seed.article({ categories: categories.map(({ name }) => name) })
  const price = good.cents / 100
  const sku = `${seed.sku()}-${id}`
  const tracked = seed.chance(0.7)
  const fields = {
    ...productDefaults,
    name: world.products.find(({ fields }) => fields.name === good.name) ? `${good.name} ${id}` : good.name,
    sku,
    description: seed.chance(0.6) ? `<p>${seed.note()}</p>` : '',
    weight: seed.int(0, 40) / 10,
    price,
    cost_price: seed.chance(0.6) ? Math.round(price * 40) / 100 : 0,
    sale_price: seed.chance(0.1) ? Math.round(price * 80) / 100 : 0,
    upc: seed.chance(0.5) ? seed.ean13() : '',
    gtin: seed.chance(0.2) ? seed.ean13() : '',
    categories: seed
      .sample(
        categories.filter(({ name }) => fitsCategory(name, good.category)),
        seed.int(0, 3),
      )
      .map((category) => category.id),
    brand_id: seed.chance(0.7) ? seed.pick(world.brands.values()).id : 0,
    inventory_tracking: tracked ? (variants ? 'variant' : 'product') : 'none',
    inventory_level: tracked ? seed.int(0, 200) : 0,
    is_visible: seed.chance(0.85),
    availability: seed.chance(0.9) ? 'available' : seed.pick(['disabled', 'preorder']),
    search_keywords: seed.chance(0.4) ? 'new, gift, été' : '',
  }
  const images = seed.chance(0.7)
    ? [
        {
          id: world.nextId('image'),
          source: 'https://example.com/front.jpg',
          is_thumbnail: true,
          description: '',
          modified: at,
        },
      ]
    : []
  const product: StoredProduct = {
    id,
    fields,
    base_variant_id: variants ? null : world.nextId('variant'),
    variants: Array.from({ length: variants }, (_, n) => seedVariant(world, seed, sku, good.sizes[n]! / 100, n)),
    images,
    created: at,
    modified: at,
  }
  return world.products.set(String(id), product)
}
function seedVariant(world: World, seed: Seed, sku: string, price: number, n: number): StoredVariant {
  const own = seed.chance(0.5)
  return {
    id: world.nextId('variant'),
    sku: `${sku}-${n + 1}`,
    price: own ? price : null,
    cost_price: null,
    upc: seed.chance(0.4) ? seed.ean13() : '',
    gtin: '',
    inventory_level: seed.int(0, 60),
    image_url: '',
    label: { option: 'Size', value: ['Small', 'Medium', 'Größe L', 'XL'][n]! },
  }
}

export function seedCustomer(world: World, seed: Seed, at: number): number {
  const id = world.nextId('customer')
  const { givenName, familyName, email } = seed.person()
  const fields = {
    email: email.replace('@', `.${id}@`),
    first_name: givenName,
    last_name: familyName,
    company: seed.chance(0.3) ? seed.company() : '',
    phone: seed.chance(0.7) ? seed.phone('US') : '',
    notes: seed.chance(0.2) ? seed.note() : '',
    tax_exempt_category: '',
  }
  const addresses = Array.from({ length: seed.pick([0, 1, 1, 1, 2]) }, () => seedAddress(world, seed, fields))
  world.customers.set(String(id), { id, fields, addresses, created: at, modified: at })
  return id
}
function seedAddress(
  world: World,
  seed: Seed,
  { first_name, last_name }: { first_name: string; last_name: string },
): StoredAddress {
  const { line1, line2 = '', city, state, postalCode, country } = seed.address('US')
  const place = {
    address1: line1,
    address2: line2,
    city,
    state_or_province: stateNames[state] ?? state,
    postal_code: postalCode,
    country_code: country,
  }
  return {
    id: world.nextId('address'),
    first_name,
    last_name,
    company: '',
    ...place,
    phone: '',
    address_type: 'residential',
  }
}
