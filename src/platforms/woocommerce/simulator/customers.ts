// /customers: users of WordPress. The email is unique, the login name is derived from it, and there is no trash.

import type { Fields } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import type { Schemas } from '../../../sandbox/schema.ts'
import { addressSchemas, blankBilling, blankShipping } from './orders.ts'
import { accept, enumOf, listed, refuse } from './wire.ts'
import { type Address, type Customer, dates, mergeMeta, metaSchema, type World } from './world.ts'

const api = '/wp-json/wc/v3'
export const roles = [
  'customer',
  'subscriber',
  'shop_manager',
  'administrator',
  'editor',
  'author',
  'contributor',
] as const
const schema: Schemas = {
  id: 'integer',
  email: 'email',
  first_name: 'string',
  last_name: 'string',
  username: 'string',
  password: 'string',
  ...addressSchemas,
  meta_data: metaSchema,
}
const invalidId = (status: number): never => refuse(status, 'woocommerce_rest_invalid_id', 'Invalid resource ID.')
const byEmail = (world: World, email: string) =>
  world.customers.find((customer) => customer.email.toLowerCase() === email.toLowerCase())

export const blankCustomer = (id: number, at: number): Customer => ({
  id,
  created: at,
  modified: at,
  meta: [],
  email: '',
  first_name: '',
  last_name: '',
  username: '',
  role: 'customer',
  saved: false,
  billing: blankBilling,
  shipping: blankShipping,
})
function usernameFor(world: World, email: string): string {
  const stem = email.split('@')[0]!.toLowerCase()
  const taken = (name: string) => world.customers.find(({ username }) => username === name) !== undefined
  let name = stem
  for (let n = 2; taken(name); n += 1) name = `${stem}${n}`
  return name
}
const apply = (world: World, current: Customer, body: Fields): Customer => ({
  ...current,
  email: String(body.email ?? current.email),
  first_name: String(body.first_name ?? current.first_name).trim(),
  last_name: String(body.last_name ?? current.last_name).trim(),
  billing: { ...current.billing, ...(body.billing as Address | undefined) },
  shipping: { ...current.shipping, ...(body.shipping as Address | undefined) },
  meta: mergeMeta(world, current.meta, body.meta_data),
  saved: true,
  modified: world.second(),
})
export const showCustomer = (world: World, customer: Customer): Fields => ({
  id: customer.id,
  ...dates(world, 'date_created', customer.created),
  ...dates(world, 'date_modified', customer.saved ? customer.modified : null),
  email: customer.email,
  first_name: customer.first_name,
  last_name: customer.last_name,
  role: customer.role,
  username: customer.username,
  billing: customer.billing,
  shipping: customer.shipping,
  is_paying_customer: false,
  avatar_url: `https://secure.gravatar.com/avatar/${customer.id}?s=96&d=mm&r=g`,
  meta_data: customer.meta,
})
const orders = {
  id: (row: Customer) => row.id,
  include: (row: Customer) => row.id,
  name: (row: Customer) => `${row.first_name} ${row.last_name}`.toLowerCase(),
  registered_date: (row: Customer) => row.created,
}

export const customerRoutes: Routes<World> = {
  [`GET ${api}/customers`]: ({ request, context: world }) => {
    const role = enumOf(request.query, 'role', 'customer', ['all', ...roles])
    const email = request.query.get('email')?.toLowerCase()
    const search = request.query.get('search')?.toLowerCase()
    const rows = world.customers.filter(
      (row) =>
        (role === 'all' || row.role === role) &&
        (!email || row.email.toLowerCase() === email) &&
        (!search || `${row.email} ${row.username}`.toLowerCase().includes(search)),
    )
    return listed(request, rows, {
      ...world,
      orders,
      initially: { by: 'name', order: 'asc' },
      render: (row) => showCustomer(world, row),
    })
  },
  [`GET ${api}/customers/:id`]: ({ params: { id = '' }, context: world }) => ({
    status: 200,
    body: showCustomer(world, world.customers.get(id) ?? invalidId(404)),
  }),
  [`POST ${api}/customers`]: ({ request, context: world }) => {
    const body = accept(request, schema)
    if (body.email === undefined)
      return refuse(400, 'rest_missing_callback_param', 'Missing parameter(s): email', { params: ['email'] })
    if (body.id) return refuse(400, 'woocommerce_rest_customer_exists', 'Cannot create existing resource.')
    const email = String(body.email)
    if (email === '') return refuse(400, 'registration-error-invalid-email', 'Please provide a valid email address.')
    if (byEmail(world, email))
      return refuse(
        400,
        'registration-error-email-exists',
        'An account is already registered with your email address. <a href="#" class="showlogin">Please log in.</a>',
      )
    const id = world.next('user')
    const customer = {
      ...apply(world, blankCustomer(id, world.second()), body),
      username: String(body.username || usernameFor(world, email)),
    }
    world.customers.set(String(id), customer)
    return {
      status: 201,
      headers: { location: `${world.origin}${api}/customers/${id}` },
      body: showCustomer(world, customer),
    }
  },
  [`PUT ${api}/customers/:id`]: ({ request, params: { id = '' }, context: world }) => {
    const body = accept(request, schema)
    const current = world.customers.get(id) ?? invalidId(400)
    const holder = body.email ? byEmail(world, String(body.email)) : undefined
    if (holder && holder.id !== current.id)
      return refuse(400, 'woocommerce_rest_customer_invalid_email', 'Email address is invalid.')
    if (body.username !== undefined && body.username !== current.username)
      return refuse(400, 'woocommerce_rest_customer_invalid_argument', "Username isn't editable.")
    return { status: 200, body: showCustomer(world, world.customers.set(id, apply(world, current, body))) }
  },
  [`DELETE ${api}/customers/:id`]: ({ request, params: { id = '' }, context: world }) => {
    const current = world.customers.get(id) ?? invalidId(400)
    if (!/^(true|1)$/.test(request.query.get('force') ?? ''))
      return refuse(501, 'woocommerce_rest_trash_not_supported', 'Customers do not support trashing.')
    world.customers.delete(id)
    return { status: 200, body: showCustomer(world, current) }
  },
}
