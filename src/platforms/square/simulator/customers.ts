// The customer directory.
import { type Fields, isObject } from '../../../sandbox/http.ts'
import type { WireResponse } from '../../../sandbox/simulator.ts'
import { resource } from './resource.ts'
import { accept, bodyOf, inRange, invalid, list, refuse, textOf, withoutNulls } from './wire.ts'
import { iso, isoSeconds, newId, once, pageOf, type Stamped } from './world.ts'

export type StoredCustomer = Stamped & { version: number }

const identifying = ['given_name', 'family_name', 'company_name', 'email_address', 'phone_number'] as const
const lengths: Readonly<Record<string, number>> = {
  given_name: 300,
  family_name: 300,
  company_name: 500,
  nickname: 100,
  email_address: 254,
  reference_id: 100,
}

function check(fields: Fields): void {
  for (const [name, most] of Object.entries(lengths))
    if (String(fields[name] ?? '').length > most)
      invalid('VALUE_TOO_LONG', `Field must not be greater than ${most} in length`, name)
  const { email_address: email, phone_number: phone, address, birthday } = fields
  if (typeof birthday === 'string' && !/^(\d{4}-)?\d\d-\d\d$/.test(birthday))
    invalid('INVALID_VALUE', `Expected birthday to be in YYYY-MM-DD or MM-DD format, got \`${birthday}\`.`, 'birthday')
  if (typeof email === 'string' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
    invalid(
      'INVALID_EMAIL_ADDRESS',
      `Expected email_address to be a valid email address, got \`${email}\`.`,
      'email_address',
    )
  if (typeof phone === 'string' && !(/^\+?[\d\s().-]+$/.test(phone) && digits(phone) >= 9 && digits(phone) <= 16))
    invalid(
      'INVALID_PHONE_NUMBER',
      `Expected phone_number to be a valid phone number, got \`${phone}\`.`,
      'phone_number',
    )
  if (isObject(address) && address.country && !/^[A-Z]{2}$/.test(String(address.country)))
    invalid('INVALID_ENUM_VALUE', `\`${String(address.country)}\` is not a valid country.`, 'address.country')
}

/** Birthdays without a year are returned with the year 0000. */
const withYear = <T extends Fields>(fields: T): T =>
  typeof fields.birthday === 'string' && fields.birthday.length === 5
    ? { ...fields, birthday: `0000-${fields.birthday}` }
    : fields
const digits = (phone: string): number => phone.replace(/\D/g, '').length
const isIdentified = (customer: Fields): boolean => identifying.some((name) => customer[name])

const mustBeIdentified = (customer: Fields): void => {
  if (!isIdentified(customer)) invalid('BAD_REQUEST', `At least one of ${identifying.join(', ')} must be set.`)
}

function textFilter(filter: unknown, name: string): (value: unknown) => boolean {
  if (!isObject(filter)) return () => true
  const { exact, fuzzy } = filter as { exact?: string; fuzzy?: string }
  if (name === 'phone_number' && exact !== undefined && !/^\+\d{9,16}$/.test(exact))
    invalid('INVALID_PHONE_NUMBER', 'An exact phone number is E.164.', 'query.filter.phone_number.exact')
  return (value) => {
    const text = String(value ?? '').toLowerCase()
    return (
      (exact === undefined || text === exact.toLowerCase()) &&
      (fuzzy === undefined || text.includes(fuzzy.toLowerCase()))
    )
  }
}

function searchCustomers(customers: readonly StoredCustomer[], given: Fields): WireResponse {
  const body = accept('SearchCustomersRequest', given) as Fields & {
    limit?: number
    count?: boolean
    query?: { filter?: Fields; sort?: { field?: string; order?: string } }
  }
  const { filter = {}, sort } = body.query ?? {}
  const within = {
    created_at: inRange(filter.created_at, 'query.filter.created_at'),
    updated_at: inRange(filter.updated_at, 'query.filter.updated_at'),
  }
  const texts = (['reference_id', 'email_address', 'phone_number'] as const).map((name) => ({
    name,
    matches: textFilter(filter[name], name),
  }))
  const rows = customers.filter(
    (customer) =>
      within.created_at(customer.created_at) &&
      within.updated_at(customer.updated_at) &&
      texts.every(({ name, matches }) => matches(customer[name])),
  )
  return page(rows, body, body.limit, sort?.field, sort?.order, body.count === true)
}

function page(
  rows: readonly StoredCustomer[],
  request: Fields,
  limit = 100,
  field = 'DEFAULT',
  order = 'ASC',
  count = false,
): WireResponse {
  if (!Number.isInteger(limit)) invalid('EXPECTED_INTEGER', 'Expected an integer value.', 'limit')
  if (limit < 1 || limit > 100)
    invalid(limit < 1 ? 'VALUE_TOO_LOW' : 'VALUE_TOO_HIGH', 'limit must be from 1 to 100.', 'limit')
  if (field !== 'DEFAULT' && field !== 'CREATED_AT')
    invalid('INVALID_ENUM_VALUE', `\`${field}\` is not a sort field.`, 'sort_field')
  const sortKey = (customer: StoredCustomer) =>
    field === 'CREATED_AT'
      ? customer.created_at
      : [customer.given_name, customer.family_name, customer.company_name].join(' ').trim().toLowerCase()
  const result = pageOf(rows, request, {
    limit,
    key: (customer) => `${sortKey(customer)} ${customer.id}`,
    descending: order === 'DESC',
  })
  return list('customers', result.rows, { ...result.rest, ...(count && { count: rows.length }) })
}

export const customerRoutes = resource<StoredCustomer>({
  name: 'customer',
  path: '/v2/customers',
  records: ({ customers }) => customers,
  lists: isIdentified,
  list: {
    GET: (rows, { request: { query } }) => {
      const { limit, count, ...rest } = Object.fromEntries(query)
      const most = limit === undefined ? undefined : Number(limit)
      return page(rows, rest, most, rest.sort_field, rest.sort_order, count === 'true')
    },
    'POST /search': (rows, { request }) => searchCustomers(rows, bodyOf(request)),
  },
  once: ({ context }, body, run) =>
    once(context, 'customers', textOf(body, 'idempotency_key', { max: 192 }), body, run),
  accepts: (body, operation) =>
    operation === 'create'
      ? withoutNulls(accept('CreateCustomerRequest', body))
      : accept('UpdateCustomerRequest', body),
  create({ idempotency_key: _, ...fields }, { context: world }) {
    mustBeIdentified(fields)
    check(fields)
    const at = world.tick()
    return {
      ...withYear(fields),
      id: newId('customer'),
      created_at: iso(at),
      updated_at: isoSeconds(at),
      preferences: { email_unsubscribed: false },
      creation_source: 'THIRD_PARTY',
      version: 0,
    }
  },
  version: {
    of: ({ version }) => version,
    given: ({ version }, { request: { query } }, operation) =>
      operation === 'update' ? version : query.has('version') ? Number(query.get('version')) : undefined,
    stale(current, given, operation) {
      const not = operation === 'update' ? `, not ${String(given)}` : ''
      refuse(409, 'VERSION_MISMATCH', `The customer is at version ${current.version}${not}.`, 'version')
    },
  },
  update(current, { version: _, ...change }, { context: world }) {
    check(change)
    const { address, ...plain } = change
    // An address is replaced field by field, like the rest of a sparse update.
    const merged = isObject(address)
      ? { ...plain, address: withoutNulls({ ...(current.address as Fields | undefined), ...address }) }
      : change
    const stamps = { version: current.version + 1, updated_at: isoSeconds(world.tick()) }
    const customer = withoutNulls({ ...current, ...withYear(merged), ...stamps }) as StoredCustomer
    mustBeIdentified(customer)
    return customer
  },
  remove: 'delete',
}).routes
