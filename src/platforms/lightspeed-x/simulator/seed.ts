// Fills the shop: families of variants, tax-free products, sales of every kind, deleted records, versions that
// increased without a change.
import { createSeed, type Seed } from '../../../sandbox/seeds.ts'
import { acceptCustomer } from './customers.ts'
import { ids } from './ids.ts'
import { blankProduct } from './product-writes.ts'
import { kindNames, seedSale, sellable } from './seed-sales.ts'
import { deleted, type Product, setLevel, type World } from './world.ts'

const amounts = {
  small: { products: 5, sales: kindNames.length, customers: 7 },
  full: { products: 520, sales: 1220, customers: 420 },
} as const
const day = 86_400_000
const whole = (time: number): number => Math.floor(time / 1000) * 1000

function seedShop(world: World, seed: Seed): void {
  const version = () => world.version()
  ids.outlets.forEach((id, n) => {
    world.outlets.set(id, { id, name: ['Main Street', 'Warehouse'][n]!, version: version() })
    const register = ids.registers[n]!
    world.registers.set(register, {
      id: register,
      name: `Till ${n + 1}`,
      outlet: id,
      prefix: ['MR-', 'WH-'][n]!,
      suffix: '',
      sequence: 1000,
      version: version(),
    })
  })
  const tax = (id: string, name: string, rates: Readonly<Record<string, number>>) =>
    world.taxes.set(id, {
      id,
      name,
      isDefault: id === ids.taxes.gst,
      rates: Object.entries(rates).map(([part, rate], n) => ({ id: `${id.slice(0, -1)}${9 - n}`, name: part, rate })),
      version: version(),
    })
  tax(world.noTax, 'No Tax', { 'No Tax': 0 })
  tax(ids.taxes.gst, 'GST', { GST: 0.15 })
  tax(ids.taxes.low, 'Reduced', { Reduced: 0.05 })
  tax(ids.taxes.group, 'GST + levy', { GST: 0.15, 'Container levy': 0.0275 })
  ids.users.forEach((id, n) => {
    const { givenName, familyName } = seed.person()
    const user = {
      username: `user${n}`,
      email: `user${n}@example.com`,
      accountType: n === 0 ? ('admin' as const) : ('cashier' as const),
      primary: n === 0,
    }
    world.users.set(id, { id, name: `${givenName} ${familyName}`, ...user, version: version() })
  })
  ids.paymentTypes.forEach((id, n) => {
    world.paymentTypes.set(id, {
      id,
      name: ['Cash', 'Credit Card', 'Old Voucher', 'Gift Card', 'Cash Rounding'][n]!,
      typeId: [1, 5, 106, 118, 9][n]!,
      category: ['cash', 'card', 'voucher', 'gift_card', 'other'][n]!,
      internal: n === 4, // the shop has not created it
      ...(n === 2 && { deleted: 1_700_000_000_000 }),
      version: version(),
    })
  })
  const label = (name: string) => ({ id: seed.uuid(), name, version: version() })
  for (const name of ['North Roasters', 'Ødegård', 'Müller & Söhne', 'Kyoto Works']) {
    const brand = label(name)
    world.brands.set(brand.id, brand)
  }
  for (const name of ['new', 'gift', 'handmade', 'sale & more']) {
    const tag = label(name)
    world.tags.set(tag.id, tag)
  }
  for (const name of ['Peak Supplies', 'Übersee Handel']) {
    const supplier = label(name)
    world.suppliers.set(supplier.id, supplier)
  }
  const root = { id: seed.uuid(), name: 'Home' }
  world.categories.set(root.id, root)
  for (const name of ['Kitchen', 'Garden']) {
    const id = seed.uuid()
    world.categories.set(id, { id, name, parent: root.id })
  }
  for (const name of ['Apparel', 'Épicerie', 'Stationery']) {
    const id = seed.uuid()
    world.categories.set(id, { id, name })
  }
}

export function seedProduct(world: World, seed: Seed, at: number, index: number): string[] {
  const leaves = world.categories.filter(({ id }) => !world.categories.find(({ parent }) => parent === id))
  const variants = index % 6 === 3 ? ['S', 'M', 'L'].slice(0, 2 + (index % 2)) : ['']
  const good = seed.article({ categories: leaves.map(({ name }) => name) })
  const fitting = leaves.filter(({ name }) => name === good.category)
  const shared = {
    description: seed.chance(0.5) ? `<p>${seed.note()}</p>` : null,
    tags: seed.sample(world.tags.values().slice(0, 4), seed.int(0, 2)).map(({ id }) => id),
    ...(seed.chance(0.7) && { category: seed.pick(fitting.length > 0 ? fitting : leaves).id }),
    ...(seed.chance(0.5) && { brand: seed.pick(world.brands.values()).id }),
    ...(seed.chance(0.4) && { supplier: seed.pick(world.suppliers.values()).id }),
  }
  const { cents } = good
  let first: string | undefined
  return variants.map((value, n) => {
    const id = seed.uuid()
    const sku = seed.sku()
    const barcode = seed.chance(0.5) ? [{ type: 'EAN', code: seed.ean13() }] : []
    const product: Product = {
      ...blankProduct(world, id, good.name, at),
      ...shared,
      sku,
      codes: [{ type: 'CUSTOM', code: sku }, ...barcode],
      active: seed.chance(0.9),
      tracked: seed.chance(0.85),
      family: variants.length > 1,
      options: value ? [{ name: 'Size', value }] : [],
      price: good.sizes[n]! / 100,
      cost: seed.chance(0.7) ? Math.ceil(cents * 0.4) / 100 : 0,
      images: seed.chance(0.3)
        ? [`https://vendimageuploadcdn.global.ssl.fastly.net/1920,fit/vend-images/product/original/${id}.jpg`]
        : [],
      ...(first !== undefined && { parent: first }),
      ...(seed.chance(0.1) && { tax: seed.pick([world.noTax, ids.taxes.low]) }),
    }
    first ??= id
    world.products.set(id, product)
    if (product.tracked)
      for (const outlet of world.outlets.ids())
        setLevel(world, id, outlet, seed.chance(0.1) ? seed.int(1, 40) + 0.5 : seed.int(-2, 60))
    return id
  })
}

export function seedCustomer(world: World, seed: Seed, at: number, index: number): string {
  const id = seed.uuid()
  const { givenName, familyName, email } = seed.person()
  const { line1, line2, city, state, postalCode, country } = seed.address('NZ')
  const company = index % 11 === 6
  const fields = acceptCustomer(world, {
    first_name: company ? null : givenName,
    last_name: company || index % 13 === 4 ? null : familyName,
    company_name: company || seed.chance(0.2) ? seed.company() : null,
    email: seed.chance(0.8) ? email.replace('@', `+${id.slice(0, 4)}@`) : null,
    phone: seed.chance(0.5) ? seed.phone('NZ') : null,
    mobile: seed.chance(0.3) ? seed.phone('NZ') : null,
    note: seed.chance(0.2) ? seed.note() : null,
    customer_code: `${givenName.slice(0, 4)}-${id.slice(0, 6).toUpperCase()}`,
    ...(seed.chance(0.7) && {
      physical_address_1: line1,
      physical_address_2: line2 ?? null,
      physical_suburb: seed.chance(0.2) ? 'Te Aro' : null,
      physical_city: city,
      physical_state: state,
      physical_postcode: postalCode.replace(/@/g, 'A'),
      physical_country_id: country,
    }),
  })
  world.customers.set(id, { id, fields, created: at, updated: at, version: world.version() })
  return id
}

export function seedWorld(given: World, size: 'small' | 'full', seededAt: number): void {
  const seed = createSeed('lightspeed-x')
  // The same seed at every start: stored writes are replayed only over the seed that they were made on.
  const world: World = { ...given, now: () => seededAt, uuid: createSeed('lightspeed-x levels').uuid }
  const amount = amounts[size]
  seedShop(world, seed)
  // Increasing, like versions; some have the same second, as imports do.
  const times = (count: number, from: number) =>
    Array.from({ length: count }, (_, n) =>
      whole(seededAt - from + ((from - day) * (n - (n % 20 === 7 ? 1 : 0))) / count),
    )
  times(amount.products, 400 * day).forEach((at, index) => void seedProduct(world, seed, at, index))
  times(amount.customers, 500 * day).forEach((at, index) => void seedCustomer(world, seed, at, index))
  const products = sellable(world)
  times(amount.sales, 90 * day).forEach((at, index) => void seedSale(world, seed, at, index, products))
  if (size === 'small') return
  for (const id of world.products.ids().filter((_, n) => n % 97 === 5))
    world.products.set(id, deleted(world, world.products.get(id)!))
  for (const id of world.customers.ids().filter((_, n) => n % 79 === 5))
    world.customers.set(id, deleted(world, world.customers.get(id)!))
  for (const id of world.sales.ids().filter((_, n) => n % 80 === 5))
    world.sales.set(id, deleted(world, world.sales.get(id)!))
}
