// https://developer.loyverse.com/docs/#tag/Customers
import { resource } from './resource.ts'
import { acceptObject, identified, invalid, listed, required, type Schema, text, unknown } from './wire.ts'
import type { Customer } from './world.ts'

const schema: Schema = {
  id: 'uuid',
  name: text(1, 64),
  email: text(1, 100),
  phone_number: text(1, 15),
  address: text(0, 192),
  city: text(0, 64),
  region: text(0, 64),
  postal_code: text(0, 20),
  country_code: text(2, 2),
  customer_code: text(1, 40),
  note: text(0, 255),
  total_points: 'number',
}
export const blankCustomer = {
  email: null,
  phone_number: null,
  address: null,
  city: null,
  region: null,
  postal_code: null,
  country_code: null,
  customer_code: null,
  note: null,
  first_visit: null,
  last_visit: null,
  total_visits: 0,
  total_spent: 0,
  total_points: 0,
  deleted_at: null,
  permanent_deletion_at: null,
}
export const customerRoutes = resource<Customer>({
  name: 'customer',
  path: '/v1.0/customers',
  records: (world) => world.customers,
  find: (id, { context }) => context.customers.get(identified(id, 'customer_id')),
  list: (rows, { request }) =>
    listed(request, rows, {
      name: 'customers',
      id: ({ id }) => id,
      ids: 'customer_ids',
      paged: true,
      equal: { email: ({ email }) => email },
    }),
  /** With an id it changes the customer. */
  create(body, { context: world }) {
    const fields = acceptObject(schema, body)
    required(fields, 'name')
    const current = fields.id === null ? undefined : (world.customers.get(fields.id as string) ?? unknown('id'))
    if (current?.deleted_at) unknown('id')
    if (fields.email !== null && !/^[^\s@]+@[^\s@]+$/.test(fields.email as string))
      invalid('email', 'The value is not an e-mail address')
    if (fields.country_code !== null && !/^[A-Z]{2}$/.test(fields.country_code as string))
      invalid('country_code', 'The value is not a country code')
    const taken = (other: Customer) =>
      other.customer_code !== null &&
      other.customer_code === fields.customer_code &&
      other.id !== current?.id &&
      !other.deleted_at
    if (world.customers.find(taken)) invalid('customer_code', 'The customer code must be unique')
    const stamp = world.stamp(current?.updated_at)
    const id = current?.id ?? world.uuid()
    const { first_visit, last_visit, total_visits, total_spent } = current ?? blankCustomer
    const visits = { first_visit, last_visit, total_visits, total_spent, total_points: fields.total_points ?? 0 }
    const created_at = current?.created_at ?? stamp
    return { ...({ ...blankCustomer, ...fields, ...visits } as Customer), id, created_at, updated_at: stamp }
  },
  /** Removed from lists at once, but readable by id for one day. */
  remove(customer, { context: world }) {
    const stamp = world.stamp(customer.updated_at)
    const permanent_deletion_at = new Date(Date.parse(stamp) + 86_400_000).toISOString()
    return { ...customer, updated_at: stamp, deleted_at: stamp, permanent_deletion_at }
  },
}).routes
