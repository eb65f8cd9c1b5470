// Customers: email and phone are unique, addresses are separate records.
// https://shopify.dev/docs/api/admin-graphql/2026-07/objects/Customer
import { connection, matches, termsOf } from './connections.ts'
import { type Arguments, idIn, mutation, type Resolvers, refuse } from './wire.ts'
import { type Address, type Customer, gid, iso, type World } from './world.ts'

const provinces: Readonly<Record<string, readonly string[]>> = {
  US: 'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY'.split(
    ' ',
  ),
  CA: 'AB BC MB NB NL NS NT NU ON PE QC SK YT'.split(' '),
}
const addressView = (address: Address): object => ({
  ...address,
  id: `${gid('MailingAddress', address.id)}?model_name=CustomerAddress`,
  countryCodeV2: address.countryCode ?? null,
  province: address.provinceCode ?? null,
})
/** Without a name, the display name is the email, then the phone. */
const shownAs = ({ firstName, lastName, email, phone }: Customer): string =>
  [firstName, lastName].filter(Boolean).join(' ') || email || phone || ''

export function customerView(customer: Customer): object {
  return {
    ...customer,
    id: gid('Customer', customer.id),
    legacyResourceId: customer.id,
    displayName: shownAs(customer),
    createdAt: iso(customer.createdAt),
    updatedAt: iso(customer.updatedAt),
    defaultEmailAddress: customer.email ? { emailAddress: customer.email } : null,
    defaultPhoneNumber: customer.phone ? { phoneNumber: customer.phone } : null,
    defaultAddress: customer.addresses[0] ? addressView(customer.addresses[0]) : null,
    metafield: ({ namespace, key }: { namespace?: string; key: string }) =>
      customer.metafields.find((one) => one.key === key && one.namespace === (namespace ?? '$app')) ?? null,
  }
}
function sortValue(customer: Customer, key: string): number | string {
  if (key === 'UPDATED_AT') return customer.updatedAt
  if (key === 'CREATED_AT') return customer.createdAt
  return key === 'NAME' ? shownAs(customer) : Number(customer.id)
}
export const customerQueries: Resolvers = {
  customers: (args: Arguments, { world }) => {
    const terms = termsOf(args.query)
    const rows = world.customers.filter(({ id, email, phone, firstName, lastName, tags: tag, createdAt, updatedAt }) =>
      // According to the schema, the customers' updated_at filter matches a whole day.
      matches(
        terms,
        {
          id,
          email,
          phone,
          first_name: firstName,
          last_name: lastName,
          tag,
          default: [firstName ?? '', lastName ?? '', email ?? '', phone ?? ''],
          created_at: createdAt,
          updated_at: updatedAt,
        },
        true,
      ),
    )
    return connection(rows, args, sortValue, customerView)
  },
  customer: ({ id }, { world }) => {
    const customer = world.customers.get(idIn('Customer', id))
    return customer ? customerView(customer) : null
  },
}

const blank = (value: string | null | undefined): string | undefined => value?.trim() || undefined
function checked(world: World, customer: Customer): Customer {
  const { id, email, phone } = customer
  const another = (matches: (one: Customer) => boolean) =>
    world.customers.find((one) => one.id !== id && matches(one)) !== undefined
  if (email !== undefined && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) refuse(['email'], 'Email is invalid')
  if (email !== undefined && another((one) => one.email?.toLowerCase() === email.toLowerCase()))
    refuse(['email'], 'Email has already been taken')
  if (phone !== undefined && !/^\+[1-9]\d{7,14}$/.test(phone)) refuse(['phone'], 'Phone is invalid')
  if (phone !== undefined && another((one) => one.phone === phone)) refuse(['phone'], 'Phone has already been taken')
  if (!customer.firstName && !customer.lastName && !email && !phone)
    refuse(null, 'A name, phone number, or email address must be present')
  return customer
}
function changesIn(input: Arguments): Partial<Customer> {
  const changes: Partial<Customer> = {}
  for (const name of ['firstName', 'lastName', 'email', 'note'] as const)
    if (input[name] !== undefined) changes[name] = blank(input[name])
  if (input.phone !== undefined) changes.phone = blank(input.phone)?.replace(/[\s().-]/g, '')
  if (input.tags !== undefined) changes.tags = [...(input.tags ?? [])].sort()
  return changes
}
const found = (world: World, id: string, field: string[]): Customer =>
  world.customers.get(idIn('Customer', id)) ?? refuse(field, 'Customer does not exist')
export const putCustomer = (world: World, customer: Customer, changes: Partial<Customer>): Customer =>
  world.customers.set(customer.id, { ...customer, ...changes, updatedAt: world.tick() })

function addressIn(input: Arguments): Omit<Address, 'id'> {
  const address: Record<string, string | undefined> = {}
  for (const name of ['address1', 'address2', 'city', 'company', 'countryCode', 'provinceCode', 'zip'])
    if (input[name] !== undefined) address[name] = blank(input[name])
  const known = provinces[address.countryCode ?? '']
  if (address.provinceCode && known && !known.includes(address.provinceCode))
    refuse(['address', 'province'], 'Province is not valid')
  return address
}
const sameAddress = ({ id: _, ...left }: Address, { id: __, ...right }: Address) =>
  JSON.stringify(Object.entries(left).sort()) === JSON.stringify(Object.entries(right).sort())

export const customerMutations: Resolvers = {
  customerCreate: mutation(({ input }: Arguments, { world }) => {
    const at = world.tick()
    const metafields = (input.metafields ?? []).map(({ namespace, key, value }: Arguments) => ({
      namespace: namespace ?? '$app',
      key,
      value,
    }))
    const customer = checked(world, {
      id: world.nextId('customer'),
      tags: [],
      addresses: [],
      metafields,
      createdAt: at,
      updatedAt: at,
      ...changesIn(input),
    })
    return { customer: customerView(world.customers.set(customer.id, customer)) }
  }),
  customerUpdate: mutation(({ input }: Arguments, { world }) => {
    if (!input.id) refuse(['id'], 'Customer does not exist')
    const customer = checked(world, { ...found(world, input.id, ['id']), ...changesIn(input) })
    return { customer: customerView(putCustomer(world, customer, {})) }
  }),
  customerDelete: mutation(({ input }: Arguments, { world }) => {
    const { id } = found(world, input.id, ['id'])
    if (world.orders.find((order) => order.customerId === id))
      refuse(['id'], "Customer can't be deleted because they have associated orders")
    world.customers.delete(id)
    return { deletedCustomerId: input.id, shop: { id: gid('Shop', '1'), name: world.name } }
  }),
  customerAddressCreate: mutation(({ customerId, address: input, setAsDefault }: Arguments, { world }) => {
    const customer = found(world, customerId, ['customerId'])
    const address: Address = { id: world.nextId('address'), ...addressIn(input) }
    if (customer.addresses.some((one) => sameAddress(one, address))) refuse(['address'], 'Address already exists')
    putCustomer(world, customer, {
      addresses: setAsDefault ? [address, ...customer.addresses] : [...customer.addresses, address],
    })
    return { address: addressView(address) }
  }),
  customerAddressUpdate: mutation(({ customerId, addressId, address: input }: Arguments, { world }) => {
    const customer = found(world, customerId, ['customerId'])
    const id = idIn('MailingAddress', addressId)
    const current = customer.addresses.find((one) => one.id === id) ?? refuse(['addressId'], 'Address does not exist')
    const address: Address = { ...current, ...addressIn(input) }
    putCustomer(world, customer, { addresses: customer.addresses.map((one) => (one.id === id ? address : one)) })
    return { address: addressView(address) }
  }),
  customerAddressDelete: mutation(({ customerId, addressId }: Arguments, { world }) => {
    const customer = found(world, customerId, ['customerId'])
    const id = idIn('MailingAddress', addressId)
    if (!customer.addresses.some((one) => one.id === id)) refuse(['addressId'], 'Address does not exist')
    putCustomer(world, customer, { addresses: customer.addresses.filter((one) => one.id !== id) })
    return { deletedAddressId: addressId }
  }),
}
