// The retailer and its short lists: outlets, registers, users, taxes, payment types, brands, tags, categories.

import type { Collection } from '../../../sandbox/collection.ts'
import { isObject } from '../../../sandbox/http.ts'
import type { Handler, Routes } from '../../../sandbox/router.ts'
import { bodyOf, listed, missing, ok, refuse, stamp, stampOrNull } from './wire.ts'
import type { Category, Label, PaymentType, Register, Tax, User, World } from './world.ts'

const base = '/api/2026-07'
const openedAt = Date.UTC(2024, 0, 15, 9)

const label = ({ id, name, version, deleted }: Label) => ({ id, name, deleted_at: stampOrNull(deleted), version })
const renderTax = (tax: Tax) => ({
  ...label(tax),
  display_name: tax.name,
  is_default: tax.isDefault,
  rates: tax.rates.map(({ id, name, rate }) => ({ id, name, display_name: name, rate, rules: [] })),
})
const renderPaymentType = (type: PaymentType) => ({
  ...label(type),
  type_id: type.typeId,
  config: type.typeId === 1 ? { rounding: '0.10' } : null,
  disabled: false,
  internal: type.internal,
  gateway: false,
  outlet_ids: null,
  payment_type: {
    id: type.typeId,
    name: type.name,
    internal: type.internal,
    category: type.category,
    subcategory: '',
    platforms: null,
    online_only: false,
    referred_inactive: false,
    show_banner: false,
  },
})
const renderRegister = (register: Register) => ({
  ...label(register),
  outlet_id: register.outlet,
  ask_for_note_on_save: 1,
  print_note_on_receipt: false,
  ask_for_user_on_sale: false,
  show_discounts_on_receipts: true,
  print_receipt: true,
  email_receipt: false,
  invoice_prefix: register.prefix,
  invoice_suffix: register.suffix,
  invoice_sequence: register.sequence,
  is_open: true,
  register_open_time: stamp(openedAt),
  register_close_time: null,
})
const renderUser = ({ id, name, username, email, accountType, primary, version }: User) => ({
  id,
  username,
  display_name: name,
  email,
  account_type: accountType,
  is_primary_user: primary,
  created_at: stamp(openedAt),
  updated_at: stamp(openedAt),
  deleted_at: null,
  version,
})
const renderOutlet = (world: World) => (outlet: Label) => ({
  ...label(outlet),
  time_zone: world.timezone,
  currency: world.currency,
  currency_symbol: world.symbol,
  display_prices: world.taxExclusive ? 'exclusive' : 'inclusive',
  physical_address_1: '12 Queen Street',
  physical_address_2: '',
  physical_suburb: 'Central',
  physical_city: 'Auckland',
  physical_postcode: '1010',
  physical_state: '',
  physical_country_id: world.country,
})
export const pathOf = (world: World, category: Category): { id: string; name: string }[] => {
  const parent = category.parent === undefined ? undefined : world.categories.get(category.parent)
  return [...(parent ? pathOf(world, parent) : []), { id: category.id, name: category.name }]
}
export const isLeaf = (world: World, { id }: Category): boolean =>
  !world.categories.find(({ parent, deleted }) => parent === id && deleted === undefined)
export const renderCategory = (world: World, category: Category) => {
  const path = pathOf(world, category)
  return {
    id: category.id,
    name: category.name,
    root_category_id: path[0]!.id,
    parent_category_id: category.parent,
    leaf_category: isLeaf(world, category),
    category_path: path,
  }
}

/** Creating a brand or tag returns only its id. */
function create(world: World, records: Collection<Label>, name: unknown) {
  if (typeof name !== 'string' || name.trim() === '') return refuse('name', 'name is required')
  if (records.find((other) => other.deleted === undefined && other.name.toLowerCase() === name.trim().toLowerCase()))
    return refuse('name', `${name} already exists`)
  const id = world.uuid()
  records.set(id, { id, name: name.trim(), version: world.version() })
  return ok(id)
}
const createCategories: Handler<World> = ({ request, context: world }) => {
  const { categories } = bodyOf(request)
  if (!Array.isArray(categories) || !categories.every(isObject)) return refuse('categories', 'categories is required')
  const made = categories.map((category) => {
    if (typeof category.name !== 'string' || category.name.trim() === '') return refuse('name', 'name is required')
    const parent = category.parent_category_id
    if (parent !== undefined && !(typeof parent === 'string' && world.categories.has(parent)))
      return refuse('parent_category_id', 'unknown category')
    if (
      world.categories.find(
        (other) => other.name === category.name && other.parent === parent && other.deleted === undefined,
      )
    )
      return refuse('name', `${category.name} already exists`)
    const record: Category = {
      id: world.uuid(),
      name: category.name,
      ...(parent !== undefined && { parent: parent as string }),
    }
    world.categories.set(record.id, record)
    return {
      id: record.id,
      name: record.name,
      payload_id: category.payload_id,
    }
  })
  return ok(made)
}
/** Sorted by full path; the position is the id of the last one seen. */
const listCategories: Handler<World> = ({ request: { query }, context: world }) => {
  const size = Number(query.get('page_size') ?? 1000)
  const all = world.categories
    .filter(({ deleted }) => deleted === undefined)
    .map((category) => ({
      category,
      path: pathOf(world, category)
        .map(({ name }) => name)
        .join(' / '),
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  const start = all.findIndex(({ category }) => category.id === query.get('after')) + 1
  const page = all.slice(start, start + size)
  const more = start + size < all.length
  return {
    status: 200,
    body: {
      page_info: { has_next: more, ...(more && { last_seen: page.at(-1)!.category.id }) },
      data: { categories: page.map(({ category }) => renderCategory(world, category)) },
    },
  }
}

export const shopRoutes: Readonly<Record<string, Routes<World>>> = {
  retailer: {
    [`GET ${base}/retailer`]: ({ context: world }) =>
      ok({
        id: 'b1c4be5e-f019-11e3-a0f5-b8ca3a64f8f4',
        domain_prefix: world.domainPrefix,
        name: world.name,
        account_status: 'active',
        account_type: 'plus',
        version: '12',
        no_tax_group_id: world.noTax,
        discount_product_id: world.discountProduct,
        culture: 'en_NZ',
        tax_exclusive: world.taxExclusive,
        country: world.country,
        currency: { code: world.currency, symbol: world.symbol },
        timezone: world.timezone,
        sku_sequence: { enabled: true, value: 10_000 },
        store_credit: false,
        created_at: new Date(openedAt).toISOString().replace('.000', ''),
        activated_at: new Date(openedAt).toISOString().replace('.000', ''),
      }),
  },
  outlets: {
    [`GET ${base}/outlets`]: ({ request, context: world }) =>
      listed(request, world.outlets.values(), renderOutlet(world)),
    [`GET ${base}/outlets/:id`]: ({ params: { id = '' }, context: world }) => {
      const outlet = world.outlets.get(id)
      return outlet ? ok(renderOutlet(world)(outlet)) : missing('Outlet not found')
    },
  },
  registers: {
    [`GET ${base}/registers`]: ({ request, context: world }) =>
      listed(request, world.registers.values(), renderRegister),
  },
  users: {
    [`GET ${base}/users`]: ({ request, context: world }) => listed(request, world.users.values(), renderUser),
    [`GET ${base}/user`]: ({ context: world }) =>
      ok(renderUser(world.users.find(({ primary }) => primary) ?? missing('user'))),
  },
  taxes: {
    // Deleted ones are in the list.
    [`GET ${base}/taxes`]: ({ request, context: world }) => listed(request, world.taxes.values(), renderTax, true),
    [`GET ${base}/taxes/:id`]: ({ params: { id = '' }, context: world }) => {
      const tax = world.taxes.get(id)
      return tax ? ok(renderTax(tax)) : missing('tax')
    },
  },
  payment_types: {
    [`GET ${base}/payment_types`]: ({ request, context: world }) =>
      listed(request, world.paymentTypes.values(), renderPaymentType),
  },
  products: {
    [`GET ${base}/brands`]: ({ request, context: world }) => listed(request, world.brands.values(), label),
    [`POST ${base}/brands`]: ({ request, context: world }) => create(world, world.brands, bodyOf(request).name),
    [`GET ${base}/tags`]: ({ request, context: world }) => listed(request, world.tags.values(), label),
    [`POST ${base}/tags`]: ({ request, context: world }) => create(world, world.tags, bodyOf(request).name),
    [`GET ${base}/product_categories`]: listCategories,
    [`POST ${base}/product_categories/bulk`]: createCategories,
  },
}
