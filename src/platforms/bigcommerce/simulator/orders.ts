// V2 orders: bare arrays, 204 past the end, archived instead of deleted.
import { type Fields, isObject } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import type { WireResponse } from '../../../sandbox/simulator.ts'
import { amountIn, bothOrNone, changedLines, feesIn, newLine } from './order-lines.ts'
import { moneyOf } from './order-money.ts'
import { feeViews, lineViews, orderView, statusNames, taxViews } from './order-view.ts'
import { invalidV2, missingV2, objectOf, refuseV2, wholeNumber } from './wire.ts'
import { inSeconds, type StoredOrder, type World } from './world.ts'

const texts = [
  'staff_notes',
  'customer_message',
  'external_order_id',
  'external_source',
  'external_merchant_id',
  'payment_method',
  'geoip_country',
  'geoip_country_iso2',
  'customer_locale',
]
const address = [
  'first_name',
  'last_name',
  'company',
  'street_1',
  'street_2',
  'city',
  'state',
  'zip',
  'country',
  'country_iso2',
  'phone',
  'email',
]
export const blankOrder: Fields = {
  staff_notes: '',
  customer_message: '',
  external_order_id: '',
  external_source: null,
  external_merchant_id: null,
}
export const blankAddress: Fields = Object.fromEntries(address.map((name) => [name, '']))
const mailPattern = /^[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d (?:GMT|[+-]\d{4})$/

/** The fields that both POST and PUT accept. */
function common(world: World, body: Fields): Partial<StoredOrder> & { fields: Fields } {
  const { status_id, customer_id, date_created } = body
  if (status_id !== undefined && statusNames[status_id as number] === undefined)
    invalidV2('status_id', 'Not an order status.')
  if (customer_id !== undefined && customer_id !== 0 && !world.customers.has(String(customer_id)))
    invalidV2('customer_id', `The customer ${String(customer_id)} does not exist.`)
  if (date_created !== undefined && !mailPattern.test(String(date_created)))
    invalidV2('date_created', 'Must be an RFC-2822 date.')
  const fields: Fields = {}
  for (const name of texts)
    if (body[name] !== undefined)
      fields[name] =
        typeof body[name] === 'string' && (body[name] as string).length <= 65535
          ? body[name]
          : invalidV2(name, 'Must be text.')
  const discount = amountIn(body, 'discount_amount')
  const set = bothOrNone(body, 'total_ex_tax', 'total_inc_tax')
  const shipping = bothOrNone(body, 'shipping_cost_ex_tax', 'shipping_cost_inc_tax')
  const handling = bothOrNone(body, 'handling_cost_ex_tax', 'handling_cost_inc_tax')
  return {
    fields,
    ...(status_id !== undefined && { status_id: status_id as number }),
    ...(customer_id !== undefined && { customer_id: customer_id as number }),
    ...(date_created !== undefined && { created: Date.parse(String(date_created)) }),
    ...(discount !== undefined && { discount }),
    ...(shipping && { shipping }),
    ...(handling && { handling }),
    ...(set && { totals: set }),
  }
}
const addressIn = (given: Fields): Fields => ({
  ...blankAddress,
  ...Object.fromEntries(address.filter((name) => typeof given[name] === 'string').map((name) => [name, given[name]])),
})
function billing(body: Fields): Fields {
  const given = body.billing_address
  if (!isObject(given)) return missingV2('billing_address')
  if (typeof given.zip !== 'string' || given.zip.length < 2)
    return invalidV2('billing_address.zip', 'The ZIP code must be two or more characters.')
  return addressIn(given)
}
function shipping({ shipping_addresses: given }: Fields): Fields[] {
  if (given === undefined) return []
  return Array.isArray(given) && given.every(isObject)
    ? given.map(addressIn)
    : invalidV2('shipping_addresses', 'Must be an array of addresses.')
}

function createOrder(world: World, body: Fields): StoredOrder {
  if (!Array.isArray(body.products) || body.products.length === 0) return missingV2('products')
  const { fields, ...rest } = common(world, body)
  const billing_address = billing(body)
  const lines = body.products.map((line) =>
    isObject(line) ? newLine(world, line, world.pricesWithTax) : invalidV2('products', 'Must be objects.'),
  )
  const currency = body.default_currency_code ?? world.currency
  if (![world.currency, 'EUR', 'JPY'].includes(String(currency)))
    invalidV2('default_currency_code', 'Not a transactional currency of this store.')
  const at = world.tick()
  const id = world.nextId('order')
  const order: StoredOrder = {
    id,
    customer_id: 0,
    status_id: 1,
    currency: String(currency),
    inclusive: world.pricesWithTax,
    discount: 0,
    fees: body.fees === undefined ? [] : feesIn(world, { fees: [] }, body.fees),
    created: at,
    ...rest,
    fields: { ...blankOrder, ...fields },
    billing_address,
    shipping_addresses: shipping(body),
    lines,
    modified: at,
    deleted: false,
  }
  return world.orders.set(String(id), order)
}

function updateOrder(world: World, current: StoredOrder, body: Fields): StoredOrder {
  const { fields, ...rest } = common(world, body)
  const products =
    body.products === undefined
      ? undefined
      : Array.isArray(body.products)
        ? changedLines(world, current, body.products)
        : invalidV2('products', 'Must be an array.')
  const fees = body.fees === undefined ? undefined : feesIn(world, current, body.fees)
  const { totals: set, coupon, ...kept } = current
  const recalculated = products || fees || rest.shipping || rest.handling
  const lines = products ?? current.lines
  const promotions = lines.reduce((sum, { promotion }) => sum + (promotion?.amount ?? 0), 0)
  return world.orders.set(String(current.id), {
    ...kept,
    // An order with other costs is recalculated, without the totals of a client. Changed lines lose their discounts.
    ...(!recalculated && set && { totals: set }),
    ...(products ? { discount: 0 } : coupon && { coupon }),
    ...rest,
    ...(rest.discount !== undefined && { discount: Math.max(0, rest.discount - promotions) }),
    ...(fees && { fees }),
    lines,
    ...(isObject(body.billing_address) && { billing_address: { ...current.billing_address, ...billing(body) } }),
    fields: { ...current.fields, ...fields },
    deleted: current.deleted || body.is_deleted === true,
    modified: world.tick(),
  })
}

function time(query: URLSearchParams, name: string): number | undefined {
  const given = query.get(name)
  if (given === null) return undefined
  const at = Date.parse(given)
  return Number.isNaN(at) ? invalidV2(name, 'Not a date.') : at
}
function matching(world: World, query: URLSearchParams): StoredOrder[] {
  const number = (name: string) => (query.has(name) ? Number(query.get(name)) : undefined)
  const [least, most, customer, status] = [
    number('min_id'),
    number('max_id'),
    number('customer_id'),
    number('status_id'),
  ]
  const [minTotal, maxTotal] = [number('min_total'), number('max_total')]
  const [created, createdEnd, modified, modifiedEnd] = [
    'min_date_created',
    'max_date_created',
    'min_date_modified',
    'max_date_modified',
  ].map((name) => time(query, name))
  const [external, email] = [query.get('external_order_id'), query.get('email')]
  const from = (value: number, min: number | undefined, max: number | undefined) =>
    (min === undefined || value >= min) && (max === undefined || value <= max)
  return world.orders.filter(
    (order) =>
      !order.deleted &&
      from(order.id, least, most) &&
      (customer === undefined || order.customer_id === customer) &&
      (status === undefined || order.status_id === status) &&
      from(moneyOf(order).total.inc / 10_000, minTotal, maxTotal) &&
      from(inSeconds(order.created), created, createdEnd) &&
      from(inSeconds(order.modified), modified, modifiedEnd) &&
      (external === null || order.fields.external_order_id === external) &&
      (email === null || order.billing_address.email === email),
  )
}
const sortKeys: Readonly<Record<string, (order: StoredOrder) => number | string>> = {
  id: ({ id }) => id,
  customer_id: ({ customer_id }) => customer_id,
  date_created: ({ created }) => inSeconds(created),
  date_modified: ({ modified }) => inSeconds(modified),
  status_id: ({ status_id }) => status_id,
  channel_id: () => 1,
  external_id: () => '',
}
/** A page past the end is a 204, not an empty array. */
export function page<T>(rows: readonly T[], query: URLSearchParams, view: (row: T) => Fields): WireResponse {
  const [number, limit] = [wholeNumber(query.get('page'), 1), wholeNumber(query.get('limit'), 50)]
  if (!(number >= 1)) invalidV2('page', 'Must be a positive integer.')
  if (!(limit >= 1 && limit <= 250)) invalidV2('limit', 'Must be from 1 to 250.')
  const served = rows.slice((number - 1) * limit, number * limit)
  return served.length ? { status: 200, body: served.map(view) } : { status: 204 }
}
function sorted(rows: StoredOrder[], sort: string): StoredOrder[] {
  const [field = 'id', direction = 'asc'] = sort.split(':')
  const key = sortKeys[field] ?? invalidV2('sort', 'Not a field to sort by.')
  return [...rows].sort(
    (a, b) => (direction === 'desc' ? -1 : 1) * (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.id - b.id),
  )
}

const findOrder = (world: World, id: string): StoredOrder =>
  world.orders.get(id) ?? refuseV2(404, 'The requested resource was not found.')

export const orderRoutes: Routes<World> = {
  'GET /orders': ({ request: { query }, context: world }) =>
    page(sorted(matching(world, query), query.get('sort') ?? 'id'), query, (order) => orderView(world, order, query)),
  'POST /orders': ({ request, context: world }) => ({
    status: 201,
    body: orderView(world, createOrder(world, objectOf(request))),
  }),
  'GET /orders/:id': ({ request: { query }, params: { id = '' }, context: world }) => ({
    status: 200,
    body: orderView(world, findOrder(world, id), query),
  }),
  'PUT /orders/:id': ({ request, params: { id = '' }, context: world }) => ({
    status: 200,
    body: orderView(world, updateOrder(world, findOrder(world, id), objectOf(request))),
  }),
  'DELETE /orders/:id': ({ params: { id = '' }, context: world }) => {
    world.orders.set(id, { ...findOrder(world, id), deleted: true, modified: world.tick() })
    return { status: 204 }
  },
  'GET /orders/:id/products': ({ request: { query }, params: { id = '' }, context: world }) =>
    page(
      lineViews(findOrder(world, id)).toSorted((a, b) => Number(a.id) - Number(b.id)),
      query,
      (line) => line,
    ),
  'GET /orders/:id/taxes': ({ request: { query }, params: { id = '' }, context: world }) =>
    page(taxViews(findOrder(world, id), query.get('details') === 'true'), query, (tax) => tax),
  'GET /orders/:id/fees': ({ params: { id = '' }, context: world }) => ({
    status: 200,
    body: { fees: feeViews(findOrder(world, id)) },
  }),
}
