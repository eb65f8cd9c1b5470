// Customer addresses: states as full names, countries as codes, no duplicates.
import type { Fields } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import { data, idsIn, numbered, recordsOf, refuse } from './wire.ts'
import { countryName, type StoredAddress, type StoredCustomer, type World } from './world.ts'

const fields = [
  'first_name',
  'last_name',
  'company',
  'address1',
  'address2',
  'city',
  'state_or_province',
  'postal_code',
  'country_code',
  'phone',
  'address_type',
] as const
const required = ['first_name', 'last_name', 'address1', 'city', 'country_code'] as const
const withStates = ['US', 'CA', 'AU']
const withPostalCodes = ['US', 'CA', 'AU', 'GB', 'DE', 'FR']

const failed = (errors: Fields): never => refuse(422, 'The customer address is not valid.', errors)

function check(address: Omit<StoredAddress, 'id'>, path: string): void {
  for (const name of required) if (!address[name]) failed({ [`${path}${name}`]: `missing required field ${name}` })
  const { country_code: country, state_or_province: state } = address
  if (!/^[A-Z]{2}$/.test(country))
    failed({ [`${path}country_code`]: 'country_code must be an ISO 3166-1 code of two letters' })
  if (withStates.includes(country) && (!state || /^[A-Z]{2,3}$/.test(state)))
    failed({ [`${path}state_or_province`]: 'state_or_province must be spelled out in full' })
  if (withPostalCodes.includes(country) && !address.postal_code)
    failed({ [`${path}postal_code`]: 'missing required field postal_code' })
}
const textsOf = (body: Fields): Partial<Record<(typeof fields)[number], string>> =>
  Object.fromEntries(
    fields.filter((name) => typeof body[name] === 'string').map((name) => [name, body[name] as string]),
  )
const blank = Object.fromEntries(fields.map((name) => [name, name === 'address_type' ? 'residential' : ''])) as Omit<
  StoredAddress,
  'id'
>

export function addressIn(world: World, body: Fields, path: string): StoredAddress {
  const address = { ...blank, ...textsOf(body) }
  check(address, path)
  return { id: world.nextId('address'), ...address }
}
export const addressView = (address: StoredAddress, customer_id: number): Fields => ({
  ...address,
  customer_id,
  country: countryName(address.country_code),
})

const same = (left: StoredAddress, right: StoredAddress): boolean => fields.every((name) => left[name] === right[name])
const put = (world: World, customer: StoredCustomer, addresses: readonly StoredAddress[]) =>
  world.customers.set(String(customer.id), { ...customer, addresses, modified: world.tick() })
const ownerOf = (world: World, id: unknown): StoredCustomer | undefined =>
  world.customers.find(({ addresses }) => addresses.some((address) => address.id === id))

function add(world: World, body: Fields, index: number): Fields[] {
  const customer =
    world.customers.get(String(body.customer_id)) ?? failed({ [`${index}.customer_id`]: 'the customer does not exist' })
  for (const name of ['state_or_province', 'postal_code'])
    if (typeof body[name] !== 'string') failed({ [`${index}.${name}`]: `missing required field ${name}` })
  const address = addressIn(world, body, `${index}.`)
  if (customer.addresses.some((existing) => same(existing, address))) return [] // returns 200 and ignores it
  put(world, customer, [...customer.addresses, address])
  return [addressView(address, customer.id)]
}
function change(world: World, body: Fields, index: number): Fields[] {
  const customer = ownerOf(world, body.id) ?? failed({ [`${index}.id`]: 'the address does not exist' })
  const current = customer.addresses.find(({ id }) => id === body.id)!
  const address = { ...current, ...textsOf(body) }
  check(address, `${index}.`)
  if (customer.addresses.some((existing) => same(existing, address))) return []
  put(
    world,
    customer,
    customer.addresses.map((existing) => (existing.id === address.id ? address : existing)),
  )
  return [addressView(address, customer.id)]
}

export const addressRoutes: Routes<World> = {
  'GET /customers/addresses': ({ request: { query }, context: world }) => {
    const [customers, ids] = [idsIn(query, 'customer_id:in'), idsIn(query, 'id:in')]
    const found = world.customers
      .filter(({ id }) => !customers || customers.has(id))
      .flatMap(({ id, addresses }) =>
        addresses.filter((address) => !ids || ids.has(address.id)).map((address) => addressView(address, id)),
      )
    const { rows, pagination } = numbered(found, query)
    return data(rows, { pagination })
  },
  'POST /customers/addresses': ({ request, context: world }) =>
    data(recordsOf(request).flatMap((body, index) => add(world, body, index))),
  'PUT /customers/addresses': ({ request, context: world }) =>
    data(recordsOf(request).flatMap((body, index) => change(world, body, index))),
  'DELETE /customers/addresses': ({ request: { query }, context: world }) => {
    for (const id of idsIn(query, 'id:in') ?? []) {
      const customer = ownerOf(world, id)
      if (customer)
        put(
          world,
          customer,
          customer.addresses.filter((address) => address.id !== id),
        )
    }
    return { status: 204 }
  },
}
