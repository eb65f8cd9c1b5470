// Customers: an update replaces the whole customer, and text that looks like a card number is silently masked.
import type { Fields } from '../../../sandbox/http.ts'
import { resource } from './resource.ts'
import { listed, refuse, stamp, stampOrNull } from './wire.ts'
import { type Customer, changed, deleted, type World } from './world.ts'

const base = '/api/2026-07'
const places = ['physical', 'postal'].flatMap((kind) =>
  ['address_1', 'address_2', 'suburb', 'city', 'postcode', 'state', 'country_id'].map((part) => `${kind}_${part}`),
)
const nullable = [
  ...[
    'first_name',
    'last_name',
    'email',
    'note',
    'gender',
    'company_name',
    'phone',
    'mobile',
    'fax',
    'twitter',
    'website',
    'on_account_limit',
  ],
  ...['custom_field_1', 'custom_field_2', 'custom_field_3', 'custom_field_4'],
  ...places,
]
const others = ['customer_code', 'customer_group_id', 'enable_loyalty', 'date_of_birth', 'do_not_email']
const guarded = new Set([
  'first_name',
  'last_name',
  'company_name',
  'note',
  ...places,
  'custom_field_1',
  'custom_field_2',
  'custom_field_3',
  'custom_field_4',
])

/** Lightspeed is strict for forty countries; these are a few of them. */
const postcodes: Readonly<Record<string, RegExp>> = {
  US: /^\d{5}(-\d{4})?$/,
  CA: /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/i,
  GB: /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/i,
  NZ: /^\d{4}$/,
  AU: /^\d{4}$/,
  DE: /^\d{5}$/,
  FR: /^\d{5}$/,
}
function luhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
const redacted = (text: string): string =>
  text.replace(/\d(?:[ -]?\d){12,18}/g, (found) => (luhn(found.replace(/\D/g, '')) ? '*'.repeat(found.length) : found))

export function acceptCustomer(world: World, body: Fields, own?: Customer): Fields {
  for (const name of ['first_name', 'last_name']) if (body[name] === undefined) refuse(name, `${name} is required`)
  const fields: Fields = Object.fromEntries(nullable.map((name) => [name, body[name] ?? null]))
  for (const name of others) if (body[name] !== undefined) fields[name] = body[name] ?? refuse(name, 'must not be null')
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string' && guarded.has(name)) fields[name] = redacted(value)
    else if (
      value !== null &&
      typeof value !== 'string' &&
      !['enable_loyalty', 'do_not_email', 'on_account_limit'].includes(name)
    )
      refuse(name, 'must be a string')
  }
  for (const kind of ['physical', 'postal']) {
    const [country, postcode] = [fields[`${kind}_country_id`], fields[`${kind}_postcode`]]
    if (country !== null && !/^[A-Z]{2}$/.test(country as string)) refuse(`${kind}_country_id`, 'is not a country code')
    if (postcode && postcodes[country as string]?.test(postcode as string) === false)
      refuse(`${kind}_postcode`, `is not a postal code of ${country}`)
  }
  const code = (fields.customer_code ??
    own?.fields.customer_code ??
    `${fields.first_name ?? 'Customer'}-${world.uuid().slice(0, 4).toUpperCase()}`) as string
  if (
    world.customers.find(
      (other) => other.id !== own?.id && other.deleted === undefined && other.fields.customer_code === code,
    )
  )
    refuse('customer_code', `${code} is already in use`)
  return {
    do_not_email: false,
    enable_loyalty: true,
    customer_group_id: 'b1c4e2ae-f019-11e3-a0f5-b8ca3a64f8f4',
    ...fields,
    customer_code: code,
  }
}
export const renderCustomer = ({ id, fields, created, updated, deleted: gone, version }: Customer) => ({
  id,
  ...fields,
  name: [fields.first_name, fields.last_name].filter(Boolean).join(' ') || null,
  date_of_birth: fields.date_of_birth ?? null,
  year_to_date: 0,
  balance: 0,
  loyalty_balance: 0,
  created_at: stamp(created),
  updated_at: stamp(updated),
  deleted_at: stampOrNull(gone),
  version,
})
export const customerRoutes = resource<Customer>({
  name: 'customer',
  path: `${base}/customers`,
  records: ({ customers }) => customers,
  finds: ({ deleted: gone }) => gone === undefined,
  list: (rows, { request }) => listed(request, rows, renderCustomer),
  show: renderCustomer,
  create(body, { context: world }) {
    const fields = acceptCustomer(world, body)
    const [id, at] = [world.uuid(), world.now()]
    return { id, fields, created: at, updated: at, version: world.version() }
  },
  update: (current, body, { context: world }) =>
    changed(world, { ...current, fields: acceptCustomer(world, body, current) }),
  remove: (current, { context: world }) => deleted(world, current),
}).routes
