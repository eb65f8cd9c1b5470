// One user with two organizations, one of which is inactive; the other has contacts (customers and vendors) and
// currencies.

import type { Rate } from '../../../contract/connector.ts'
import type { Collection, State } from '../../../sandbox/collection.ts'
import type { Fields } from '../../../sandbox/http.ts'
import { createSerial, type Serial } from '../../../sandbox/world.ts'

/** The differences between the two products and the data centers of their sandboxes. */
export interface SimulatedProduct {
  platform: string
  name: string
  base: string
  scope: string
  limit: readonly Rate[]
  plan: string
  callsPerDay: number // of this plan
  dataCenter: { location: string; accountsServer: string; apiDomain: string }
  organization: { id: string; name: string; zone: string; shortZone: string; baseCurrency: string }
  idPrefix: string
  numbersContacts: boolean // contacts may have a contact_number
  assignsNumbers?: boolean // a preference of the organization: contacts have numbers, assigned automatically
  filtersByType: boolean // contact_type in the query
  allowsDuplicates?: boolean // a preference of the organization: names need not be unique
}
export interface StoredPerson extends Fields {
  contact_person_id: string
  is_primary_contact: boolean
}
export interface StoredContact extends Fields {
  contact_id: string
  contact_name: string
  contact_type: string
  status: string
  currency_id: string
  notes: string
  has_transaction: boolean
  billing_address: Fields
  shipping_address: Fields
  contact_persons: readonly StoredPerson[]
  created: number // milliseconds; the wire has whole seconds
  modified: number
}
export interface Currency {
  currency_id: string
  currency_code: string
  currency_name: string
  currency_symbol: string
  price_precision: number
}
export interface World {
  product: SimulatedProduct
  contacts: Collection<StoredContact>
  serial: Serial
  currencies: readonly Currency[]
  now(): number
}

const known: readonly [code: string, name: string, symbol: string, precision: number][] = [
  ['USD', 'US Dollar', '$', 2],
  ['EUR', 'Euro', '€', 2],
  ['GBP', 'Pound Sterling', '£', 2],
  ['INR', 'Indian Rupee', '₹', 2],
  ['JPY', 'Japanese Yen', '¥', 0],
  ['KWD', 'Kuwaiti Dinar', 'KWD', 3],
  ['CAD', 'Canadian Dollar', '$', 2],
]

export function createWorld(product: SimulatedProduct, state: State, now: () => number): World {
  const currencies = known.map(([code, name, symbol, precision], index) => ({
    currency_id: `${product.idPrefix}${String(97 + index * 2).padStart(6, '0')}`,
    currency_code: code,
    currency_name: `${code}- ${name}`,
    currency_symbol: symbol,
    price_precision: precision,
  }))
  return { product, contacts: state.collection('contacts'), serial: createSerial(state), currencies, now }
}

export const baseCurrency = ({ currencies, product }: World): Currency =>
  currencies.find(({ currency_code }) => currency_code === product.organization.baseCurrency)!

export const nextId = (world: World): string =>
  `${world.product.idPrefix}${String(26_000 + world.serial('id') * 2).padStart(6, '0')}`
export const nextNumber = (world: World): string => `CUS-${String(world.serial('number')).padStart(5, '0')}`

/** A later change never has an earlier time, even if the clock goes back. */
export const changedNow = (world: World, current?: StoredContact): number =>
  Math.max(world.now(), current?.modified ?? 0)

const offsetFormats = new Map<string, Intl.DateTimeFormat>()
/** By zone and quarter of an hour. Asking the format takes longer than the rest of a page. */
const offsets = new Map<string, string>()
function offsetAt(zone: string, milliseconds: number): string {
  const key = `${zone} ${Math.floor(milliseconds / 900_000)}`
  const known = offsets.get(key)
  if (known !== undefined) return known
  const format =
    offsetFormats.get(zone) ?? new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  offsetFormats.set(zone, format)
  const name = format.formatToParts(milliseconds).find(({ type }) => type === 'timeZoneName')!.value
  const offset = name.slice(3) || '+00:00'
  offsets.set(key, offset)
  return offset
}
/** In the organization's own offset, without a colon, whole seconds. */
export function localTime({ product }: World, milliseconds: number): string {
  const offset = offsetAt(product.organization.zone, milliseconds)
  const shift =
    (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4))) * (offset.startsWith('-') ? -60_000 : 60_000)
  return new Date(milliseconds + shift).toISOString().slice(0, 19) + offset.replace(':', '')
}

/** One namespace for customers and vendors, regardless of status. */
export function isTaken(world: World, name: string, except?: string): boolean {
  const target = name.toLowerCase()
  return (
    world.contacts.find(
      ({ contact_id, contact_name }) => contact_id !== except && contact_name.toLowerCase() === target,
    ) !== undefined
  )
}
