// An organization's contacts over the years: imported in bulk, incomplete, in several currencies and scripts, some
// inactive, with vendors among them.

import { randomBytes } from 'node:crypto'
import type { Fields } from '../../../sandbox/http.ts'
import { createAdding, recordsIn } from '../../../sandbox/records.ts'
import { countryOf, createSeed, type Seed } from '../../../sandbox/seeds.ts'
import type { NativeRecords } from '../../../sandbox/simulator.ts'
import { addressOf, blankContact, personOf } from './contact-rules.ts'
import { changedNow, isTaken, nextId, nextNumber, type StoredContact, type StoredPerson, type World } from './world.ts'

const day = 86_400_000
const imported = 130 // contacts of one bulk import, created and changed in the same second

export function seedContacts(world: World, size: 'small' | 'full', seededAt: number): void {
  const seed = createSeed(world.product.platform)
  const count = size === 'full' ? 520 : 9
  for (let n = 1; n <= count; n += 1) {
    const age = size === 'full' && n > imported ? seed.int(1, 900) * day + seed.int(0, 86_399) * 1000 : 1000 * day
    const created = seededAt - age
    const modified = seed.chance(0.5) && n > imported ? created + seed.int(0, Math.floor(age / 1000)) * 1000 : created
    addContact(world, seed, {
      created,
      modified,
      contact_type: n % 11 === 7 ? 'vendor' : 'customer',
      status: n % 9 === 4 ? 'inactive' : 'active',
    })
  }
}

function addContact(
  world: World,
  seed: Seed,
  own: Pick<StoredContact, 'created' | 'modified' | 'contact_type' | 'status'>,
): string {
  const contact_id = nextId(world)
  const number = world.contacts.count() + 1
  const company = number % 3 === 0 ? seed.company() : ''
  const person = seed.person()
  const traded = seed.chance(0.4)
  const { baseCurrency } = world.product.organization
  const home = countryOf(baseCurrency, 'US')
  const base = world.currencies.find(({ currency_code }) => currency_code === baseCurrency)!
  const currency = number % 4 === 2 ? seed.pick(world.currencies) : base
  const country = countryOf(currency.currency_code, home)
  const addresses = addressesOf(seed, number, country)
  world.contacts.set(contact_id, {
    ...blankContact(world),
    ...own,
    contact_id,
    contact_name: freeName(world, company || `${person.givenName} ${person.familyName}`),
    company_name: company,
    ...(world.product.numbersContacts && { customer_sub_type: company ? 'business' : 'individual' }),
    ...(world.product.assignsNumbers && { contact_number: number % 10 === 3 ? '' : nextNumber(world) }),
    currency_id: currency.currency_id,
    notes: seed.chance(0.25) ? seed.note() : '',
    has_transaction: traded,
    outstanding_receivable_amount: traded ? seed.cents(500, 900_000) / 100 : 0,
    payment_terms: seed.pick([0, 15, 30]),
    is_linked_with_zohocrm: number % 17 === 5,
    ...addresses,
    contact_persons: personsOf(world, seed, number, country, person),
  })
  return contact_id
}

function freeName(world: World, name: string): string {
  for (let copy = 1; ; copy += 1) {
    const candidate = copy === 1 ? name : `${name} ${copy}`
    if (!isTaken(world, candidate)) return candidate
  }
}

/** No person, one without a last name, one with only an email, or two of whom the second is the primary one. */
function personsOf(
  world: World,
  seed: Seed,
  number: number,
  country: string,
  { givenName, familyName, email }: ReturnType<Seed['person']>,
): StoredPerson[] {
  if (number % 8 === 5) return []
  const first = {
    ...(number % 7 !== 1 && { first_name: givenName, ...(number % 13 !== 2 && { last_name: familyName }) }),
    ...(seed.chance(0.75) && { email }),
    ...(seed.chance(0.5) && { phone: seed.phone(country) }),
    ...(seed.chance(0.4) && { mobile: seed.phone(country) }),
    ...(seed.chance(0.2) && { salutation: seed.pick(['Mr', 'Ms', 'Dr.']), designation: seed.job() }),
  }
  if (number % 6 !== 2) return [personOf(world, { ...first, is_primary_contact: true })]
  const other = seed.person()
  return [
    personOf(world, { first_name: other.givenName, email: other.email, department: 'Accounts' }),
    personOf(world, { ...first, is_primary_contact: true }),
  ]
}

/** None, a simple address, or four lines typed into one field. */
function addressesOf(
  seed: Seed,
  number: number,
  country: string,
): Pick<StoredContact, 'billing_address' | 'shipping_address'> {
  if (number % 6 === 1) return { billing_address: addressOf({}), shipping_address: addressOf({}) }
  const { line1, line2, city, state, postalCode } = seed.address(country)
  const plain: Fields = {
    address: line1,
    street2: line2 ?? '',
    city,
    state,
    state_code: state,
    zip: postalCode,
    country,
    phone: number % 8 === 5 ? seed.phone(country) : '',
  }
  const lines = `${line1}\nHaus B, 2. Stock\nHinterhof\nBei „Müller & Söhne“`
  return {
    billing_address: addressOf(number % 6 === 3 ? { ...plain, attention: 'Frau Weiß', address: lines } : plain),
    shipping_address: addressOf(seed.chance(0.5) ? plain : {}),
  }
}

/** What the bookkeeper does without the API. */
export function createRecords(world: World): NativeRecords {
  const adding = createAdding(() => `added ${randomBytes(8).toString('hex')}`, world.now)
  return recordsIn(world.contacts, {
    isListed: ({ contact_type }) => contact_type === 'customer',
    add: adding((seed, at) =>
      addContact(world, seed, {
        created: at,
        modified: at,
        contact_type: 'customer',
        status: seed.chance(0.1) ? 'inactive' : 'active',
      }),
    ),
    touch: (contact) => ({
      ...contact,
      notes: `Called ${randomBytes(3).toString('hex')}`,
      modified: changedNow(world, contact),
    }),
    remove: 'delete',
  })
}
