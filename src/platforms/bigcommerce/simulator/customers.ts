// Customers and their addresses: bulk calls, cursors that encode ids, unique email addresses.
import type { Fields } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import { createAcceptor, type Schemas } from '../../../sandbox/schema.ts'
import type { WireResponse } from '../../../sandbox/simulator.ts'
import { addressIn, addressView } from './addresses.ts'
import { includesOf } from './products.ts'
import { data, idsIn, knownFilters, numbered, recordsOf, refuse, wholeNumber } from './wire.ts'
import { inSeconds, type StoredCustomer, type World, zuluSeconds } from './world.ts'

const filled = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength }) as const
const texts: Schemas = {
  email: filled(250),
  first_name: filled(100),
  last_name: filled(100),
  company: 255,
  phone: 50,
  notes: 65535,
  tax_exempt_category: 255,
}
const sorts = ['date_created', 'last_name', 'date_modified']
const ranges = [
  'date_created',
  'date_created:min',
  'date_created:max',
  'date_modified',
  'date_modified:min',
  'date_modified:max',
]
const lists = ['company:in', 'email:in', 'name:in', 'phone:in', 'customer_group_id:in', 'registration_ip_address:in']
const filters = ['page', 'limit', 'after', 'before', 'include', 'sort', 'id:in', 'name:like', ...ranges, ...lists]
const includes = ['addresses', 'storecredit', 'attributes', 'formfields', 'shopper_profile_id', 'segment_ids']

function customerView(customer: StoredCustomer, include: readonly string[] = []): Fields {
  return {
    id: customer.id,
    ...customer.fields,
    registration_ip_address: '',
    customer_group_id: 0,
    date_created: zuluSeconds(customer.created),
    date_modified: zuluSeconds(customer.modified),
    address_count: customer.addresses.length,
    attribute_count: 0,
    authentication: { force_password_reset: false },
    accepts_product_review_abandoned_cart_emails: false,
    origin_channel_id: 1,
    channel_ids: [1],
    ...(include.includes('addresses') && {
      addresses: customer.addresses.map((address) => addressView(address, customer.id)),
    }),
  }
}

function failed(verb: 'Create' | 'Update', errors: Fields): never {
  return refuse(422, `${verb} customers failed.`, errors)
}
function accept(body: Fields, index: number, verb: 'Create' | 'Update'): Fields {
  const acceptTexts = createAcceptor({
    invalid({ kind, name, schema: { maxLength } }) {
      if (kind === 'unknown') return
      const text = kind === 'short' ? 'not be empty' : `be text of at most ${maxLength} characters`
      failed(verb, { [`${index}.${name}`]: `${name} must ${text}` })
    },
  })
  const accepted = acceptTexts(body, texts)
  if (accepted.email !== undefined && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(String(accepted.email)))
    failed(verb, { [`${index}.email`]: 'Invalid email' })
  return accepted
}
function checkEmail(world: World, email: unknown, verb: 'Create' | 'Update', own?: number): void {
  if (email === undefined) return
  const taken = world.customers.find(
    ({ id, fields }) => id !== own && String(fields.email).toLowerCase() === String(email).toLowerCase(),
  )
  if (taken)
    failed(verb, {
      [verb === 'Create' ? '.customer_create' : '.customer_update']:
        `Error ${verb === 'Create' ? 'creating' : 'updating'} customers: email ${String(email)} already in use`,
    })
}

function createCustomers(world: World, bodies: readonly Fields[]): WireResponse {
  const drafts = bodies.map((body, index) => {
    for (const name of ['email', 'first_name', 'last_name'])
      if (body[name] === undefined) failed('Create', { [`${index}.${name}`]: `missing required field ${name}` })
    const fields = accept(body, index, 'Create')
    checkEmail(world, fields.email, 'Create')
    const addresses = Array.isArray(body.addresses)
      ? body.addresses.map((address: Fields, n) => addressIn(world, address, `${index}.addresses.${n}.`))
      : []
    return { fields: { ...Object.fromEntries(Object.keys(texts).map((name) => [name, ''])), ...fields }, addresses }
  })
  const made = drafts.map(({ fields, addresses }) => {
    const at = world.tick()
    const id = world.nextId('customer')
    return world.customers.set(String(id), { id, fields, addresses, created: at, modified: at })
  })
  return data(made.map((customer) => customerView(customer)))
}

function updateCustomers(world: World, bodies: readonly Fields[]): WireResponse {
  const changes = bodies.map((body, index) => {
    const current =
      world.customers.get(String(body.id)) ??
      failed('Update', { [`${index}.id`]: `customer ${String(body.id)} does not exist` })
    const fields = accept(body, index, 'Update')
    checkEmail(world, fields.email, 'Update', current.id)
    return { current, fields }
  })
  return data(
    changes.map(({ current, fields }) =>
      customerView(
        world.customers.set(String(current.id), {
          ...current,
          fields: { ...current.fields, ...fields },
          modified: world.tick(),
        }),
      ),
    ),
  )
}

function time(query: URLSearchParams, name: string): number | undefined {
  const given = query.get(name)
  if (given === null) return undefined
  const at = Date.parse(/T\d\d:\d\d(:\d\d)?$/.test(given) ? `${given}Z` : given)
  return Number.isNaN(at) ? refuse(422, `${name} is not a date`, { [name]: 'invalid date' }) : at
}
function matching(world: World, query: URLSearchParams): StoredCustomer[] {
  knownFilters(query, filters)
  const ids = idsIn(query, 'id:in')
  const among = (name: string) => query.get(name)?.toLowerCase().split(',')
  const [emails, phones, companies] = [among('email:in'), among('phone:in'), among('company:in')]
  const like = query.get('name:like')?.toLowerCase()
  const bounds = ['date_created:min', 'date_created:max', 'date_modified:min', 'date_modified:max'].map((name) =>
    time(query, name),
  )
  const within = (at: number, min: number | undefined, max: number | undefined) =>
    (min === undefined || inSeconds(at) >= min) && (max === undefined || inSeconds(at) <= max)
  const has = (values: string[] | undefined, value: unknown) => !values || values.includes(String(value).toLowerCase())
  return world.customers.filter(
    ({ id, fields, created, modified }) =>
      (!ids || ids.has(id)) &&
      has(emails, fields.email) &&
      has(phones, fields.phone) &&
      has(companies, fields.company) &&
      (like === undefined || `${String(fields.first_name)} ${String(fields.last_name)}`.toLowerCase().includes(like)) &&
      within(created, bounds[0], bounds[1]) &&
      within(modified, bounds[2], bounds[3]),
  )
}

const seal = (id: number): string => Buffer.from(JSON.stringify({ id })).toString('base64url')
function opened(cursor: string): number {
  try {
    const { id } = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as { id?: unknown }
    if (typeof id === 'number') return id
  } catch {}
  return refuse(422, 'The cursor is not valid')
}
/**
 * A cursor encodes an id, so rows that are added or removed before it do not shift the rest. Page numbers are ignored
 * with a cursor.
 */
function cursorPage(
  rows: readonly StoredCustomer[],
  after: number | undefined,
  limit: number,
  newestFirst: boolean,
): { rows: StoredCustomer[]; cursor_pagination: Fields } {
  const rest = rows
    .filter(({ id }) => after === undefined || (newestFirst ? id < after : id > after))
    .sort((a, b) => (newestFirst ? b.id - a.id : a.id - b.id))
  const served = rest.slice(0, limit)
  const [first, last] = [served[0], served.at(-1)]
  const next = last && rest.length > served.length ? { next: `?limit=${limit}&after=${seal(last.id)}` } : {}
  const cursors = first && last ? { start_cursor: seal(first.id), end_cursor: seal(last.id) } : {}
  return {
    rows: served,
    cursor_pagination: {
      count: served.length,
      per_page: limit,
      ...cursors,
      links: { current: `?limit=${limit}`, ...next },
    },
  }
}

function listCustomers(world: World, query: URLSearchParams, include: readonly string[]): WireResponse {
  const found = matching(world, query)
  const limit = wholeNumber(query.get('limit'), 50)
  if (!(limit >= 1 && limit <= 250)) refuse(422, 'limit must be from 1 to 250')
  const views = (rows: readonly StoredCustomer[]) => rows.map((customer) => customerView(customer, include))
  const after = query.get('after')
  const [field = 'id', direction = 'desc'] = query.get('sort')?.split(':') ?? []
  const newestFirst = direction === 'desc'
  if (after !== null) {
    const { rows, cursor_pagination } = cursorPage(found, opened(after), limit, newestFirst)
    return data(views(rows), { cursor_pagination })
  }
  if (field !== 'id' && !sorts.includes(field)) refuse(422, 'sort is not valid')
  const key = ({ id, fields, created, modified }: StoredCustomer) =>
    field === 'id'
      ? id
      : field === 'last_name'
        ? String(fields.last_name)
        : field === 'date_created'
          ? created
          : modified
  const ordered = [...found].sort(
    (a, b) => (direction === 'desc' ? -1 : 1) * (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0),
  )
  const { rows, pagination } = numbered(ordered, query)
  const first = wholeNumber(query.get('page'), 1) === 1
  return data(views(rows), {
    pagination,
    ...(first && { cursor_pagination: cursorPage(found, undefined, limit, newestFirst).cursor_pagination }),
  })
}

export const customerRoutes: Routes<World> = {
  'GET /customers': ({ request, context: world }) => listCustomers(world, request.query, includesOf(request, includes)),
  'POST /customers': ({ request, context: world }) => createCustomers(world, recordsOf(request)),
  'PUT /customers': ({ request, context: world }) => updateCustomers(world, recordsOf(request)),
  'DELETE /customers': ({ request: { query }, context: world }) => {
    for (const id of idsIn(query, 'id:in') ?? []) world.customers.delete(String(id))
    return { status: 204 }
  },
}
