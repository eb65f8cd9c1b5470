// Fills the shop with realistic records: variations, sales, drafts, guests, users who are not customers, deleted
// products.
import { articles, categoryNames, fitsCategory } from '../../../sandbox/goods.ts'
import { createSeed, type Seed } from '../../../sandbox/seeds.ts'
import { blankCustomer, roles } from './customers.ts'
import { blankBilling } from './orders.ts'
import { blankProduct, blankVariation } from './product-writes.ts'
import { orderKinds, seedOrder } from './seed-orders.ts'
import { addTerm } from './terms.ts'
import { kses, type Product, uncategorized, type World } from './world.ts'

const amounts = {
  small: { products: 5, orders: orderKinds.length, customers: 7, categories: 4 },
  full: { products: 480, orders: 1200, customers: 420, categories: 24 },
} as const
const day = 86_400_000
const whole = (time: number): number => Math.floor(time / 1000) * 1000
const price = (cents: number): string => (cents / 100).toFixed(2)

export function seedWorld(world: World, size: 'small' | 'full', seededAt: number): void {
  const seed = createSeed('woocommerce')
  const amount = amounts[size]
  world.categories.set(String(uncategorized), { id: uncategorized, name: 'Uncategorized', slug: 'uncategorized' })
  for (const name of categoryNames(articles, amount.categories)) addTerm(world, world.categories, name)
  addTerm(world, world.categories, 'Home & Garden')
  for (const name of ['new', 'gift', 'handmade', 'sale & more', 'organic']) addTerm(world, world.tags, name)
  for (const name of ['North Roasters', 'Ødegård', 'Müller & Söhne', 'Kyoto Works']) addTerm(world, world.brands, name)
  for (let index = 0; index < amount.products; index += 1)
    seedProduct(world, seed, {
      at: whole(seed.instant(seededAt - 400 * day, seededAt - day)),
      variations: index % 5 === 3 ? 2 + (index % 3) : 0,
      index,
    })
  for (let index = 0; index < amount.customers; index += 1)
    seedCustomer(world, seed, whole(seed.instant(seededAt - 500 * day, seededAt - day)), index)
  // Some orders have the same second, as imports do.
  for (let index = 0, at = 0; index < amount.orders; index += 1) {
    if (index === 0 || !seed.chance(0.05)) at = whole(seed.instant(seededAt - 90 * day, seededAt - 3_600_000))
    seedOrder(world, seed, at, index, whole(seededAt))
  }
}

export function seedProduct(
  world: World,
  seed: Seed,
  { at, variations, index }: { at: number; variations: number; index: number },
): number[] {
  const id = world.next('post')
  const categories = world.categories.values()
  const good = seed.article({ categories: categories.map((term) => term.name) })
  const fitting = categories.filter((term) => fitsCategory(term.name, good.category))
  const { cents } = good
  const stocked = seed.chance(0.7)
  const product: Product = {
    ...blankProduct(id, at),
    type: variations > 0 ? 'variable' : index % 29 === 7 ? 'external' : index % 31 === 11 ? 'grouped' : 'simple',
    name: kses(index % 9 === 4 ? `${good.name} & gift box` : good.name),
    description: seed.chance(0.6) ? kses(seed.note()) : seed.chance(0.5) ? `<ul><li>${seed.note()}</li></ul>` : '',
    short_description: seed.chance(0.3) ? kses(seed.note()) : '',
    status: seed.pick(['publish', 'publish', 'publish', 'publish', 'draft', 'private', 'pending']),
    sku: seed.chance(0.85) ? `WC-${id}` : '',
    global_unique_id: variations === 0 && seed.chance(0.5) ? seed.ean13() : '',
    tax_status: seed.pick(['taxable', 'taxable', 'taxable', 'none', 'shipping']),
    categories:
      seed.chance(0.8) && fitting.length > 0
        ? seed.sample(fitting, seed.int(1, 2)).map((term) => term.id)
        : [uncategorized],
    tags: seed.sample(world.tags.values().slice(0, 5), seed.int(0, 2)).map((term) => term.id),
    brands: seed.chance(0.4) ? [seed.pick(world.brands.values()).id] : [],
    images: [],
    ...(variations === 0 &&
      index % 31 !== 11 && {
        regular_price: price(cents),
        sale_price: seed.chance(0.15) ? price(Math.ceil(cents * 0.8)) : '',
      }),
    ...(variations === 0 && stocked && { manage_stock: true, stock_quantity: seed.int(-2, 90) }),
    ...(seed.chance(0.2) && { cost: Math.ceil(cents * 0.4) / 100 }),
  }
  if (seed.chance(0.5)) {
    const image = {
      id: world.next('post'),
      src: `https://${world.shop}/wp-content/uploads/2026/01/photo-${id}.jpg`,
      name: `photo-${id}`,
      alt: '',
    }
    world.images.set(String(image.id), image)
    product.images = [image]
  }
  if (variations > 0)
    product.attributes = [
      {
        id: 0,
        name: 'Size',
        position: 0,
        visible: true,
        variation: true,
        options: ['XS', 'S', 'M', 'L', 'XL'].slice(0, variations),
      },
    ]
  world.products.set(String(id), product)
  if (variations === 0) return [id]
  return product.attributes[0]!.options.map((option, place) => {
    const own = world.next('post')
    world.variations.set(String(own), {
      ...blankVariation(own, id, at),
      sku: seed.chance(0.8) ? `WC-${own}` : '',
      status: seed.chance(0.9) ? 'publish' : 'private',
      description: seed.chance(0.3) ? seed.note() : '',
      regular_price: price(good.sizes[Math.min(place, 3)]!),
      attributes: [{ id: 0, name: 'Size', option }],
      ...(seed.chance(0.6) && { manage_stock: true, stock_quantity: seed.int(0, 40) }),
    })
    return own
  })
}

export function seedCustomer(world: World, seed: Seed, at: number, index: number): number {
  const id = world.next('user')
  const { givenName, familyName, email: address } = seed.person()
  const { line1, line2 = '', city, state, postalCode, country } = seed.address('CA')
  const email = address.replace(/\d+@/, `${id}@`)
  const anonymous = index % 11 === 6
  const name = anonymous ? { first_name: '', last_name: '' } : { first_name: givenName, last_name: familyName }
  world.customers.set(String(id), {
    ...blankCustomer(id, at),
    ...name,
    email,
    username: `user-${id}`,
    role: index % 40 === 3 ? seed.pick(roles) : 'customer',
    saved: seed.chance(0.6),
    ...(seed.chance(0.8) && {
      billing: {
        ...blankBilling,
        ...name,
        company: seed.chance(0.3) ? seed.company() : '',
        address_1: line1,
        address_2: line2,
        city,
        state,
        postcode: postalCode,
        country,
        email,
        phone: seed.phone('CA'),
      },
    }),
  })
  return id
}
