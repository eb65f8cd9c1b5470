// The books of an organization in New Zealand that sells abroad: archived contacts, several currencies, other scripts,
// addresses of four lines, people without a name.
import { randomUUID } from 'node:crypto'
import { createAdding, recordsIn } from '../../../sandbox/records.ts'
import { countryOf, createSeed, type Seed } from '../../../sandbox/seeds.ts'
import type { NativeRecords } from '../../../sandbox/simulator.ts'
import type { StoredAddress, StoredContact, StoredPhone, World } from './world.ts'

const minute = 60_000
const counts = { small: 7, full: 480 } as const

export function seedWorld(world: World, size: 'small' | 'full', seededAt: number): void {
  const seed = createSeed('xero')
  const imported = seededAt - 90 * 24 * 60 * minute
  for (let number = 1; number <= counts[size]; number += 1) {
    const contact = makeContact(world, seed, number)
    // Every fifth comes from one import, at the same time.
    world.contacts.set(contact.ContactID, {
      ...contact,
      updated: number % 5 === 0 ? imported : seededAt - number * 37 * minute - seed.int(0, minute),
    })
  }
  const [first, second] = world.contacts.values()
  if (size === 'full' && first && second)
    world.contacts.set(second.ContactID, {
      ...second,
      ContactStatus: 'ARCHIVED',
      MergedToContactID: first.ContactID,
      IsCustomer: false,
      IsSupplier: false,
    })
}

function makeContact(world: World, seed: Seed, number: number): StoredContact {
  const person = seed.person()
  const company = number % 3 === 0
  const nameless = number % 11 === 0
  const currency = number % 2 === 0 ? seed.pick(world.currencies) : undefined
  const country = countryOf(currency ?? 'NZD', 'NZ')
  const name = company
    ? `${seed.company()} ${number}`
    : nameless
      ? `Kunde №${number} – 株式会社`
      : `${person.givenName} ${person.familyName} ${number}`
  return {
    ContactID: seed.uuid(),
    ContactStatus: number % 60 === 6 ? 'GDPRREQUEST' : number % 8 === 3 ? 'ARCHIVED' : 'ACTIVE',
    Name: name,
    ...(seed.chance(0.4) && { ContactNumber: `ext-${10_000 + number}` }),
    ...(seed.chance(0.3) && { AccountNumber: `A-${number}` }),
    ...(!nameless && !(company && seed.chance(0.5)) && { FirstName: person.givenName, LastName: person.familyName }),
    ...(seed.chance(0.7) && { EmailAddress: person.email }),
    ...(company && { TaxNumber: seed.id('0123456789', 9) }),
    ...(currency && { DefaultCurrency: currency }),
    addresses: makeAddresses(seed, number, country),
    phones: makePhones(seed, number, country),
    ContactPersons: [],
    IsSupplier: seed.chance(0.2),
    IsCustomer: seed.chance(0.7),
    updated: 0,
  }
}

function makeAddresses(seed: Seed, number: number, country: string): StoredAddress[] {
  const made = (AddressType: string): StoredAddress => {
    const { line1, line2, city, state, postalCode } = seed.address(country)
    const plain = {
      AddressType,
      AddressLine1: line1,
      ...(line2 && { AddressLine2: line2 }),
      City: city,
      Region: state,
      PostalCode: postalCode,
      Country: country,
    }
    if (number % 4 !== 0) return plain
    return {
      ...plain,
      AddressLine1: 'c/o Café Zoë',
      AddressLine2: line1,
      AddressLine3: line2 ?? 'Hinterhaus',
      AddressLine4: 'Level 4',
      AttentionTo: seed.person().familyName,
    }
  }
  if (number % 7 === 0) return []
  if (number % 5 === 0) return [made('POBOX')]
  return number % 3 === 0 ? [made('POBOX'), made('STREET')] : [made('STREET')]
}

function makePhones(seed: Seed, number: number, country: string): StoredPhone[] {
  const whole = (PhoneType: string): StoredPhone => ({ PhoneType, PhoneNumber: seed.phone(country) })
  const parts = (PhoneType: string): StoredPhone => ({
    PhoneType,
    PhoneNumber: `555-01${seed.id('0123456789', 2)}`,
    PhoneAreaCode: '09',
    PhoneCountryCode: '64',
  })
  if (number % 6 === 0) return []
  if (number % 4 === 0) return [parts('MOBILE'), { PhoneType: 'FAX', PhoneNumber: '555-0199' }]
  return number % 3 === 0 ? [parts('DEFAULT')] : [whole('DEFAULT'), parts('DDI')]
}

/** What users do in Xero itself, without the API. Xero never deletes contacts. */
export const createRecords = (world: World): NativeRecords =>
  recordsIn(world.contacts, {
    add: createAdding(
      randomUUID,
      world.tick,
    )((seed, at) => {
      const { ContactNumber: _, AccountNumber: __, ...contact } = makeContact(world, seed, seed.int(1, 1_000_000))
      world.contacts.set(contact.ContactID, {
        ...contact,
        Name: `${contact.Name} ${seed.id('abcdefghkmnpqrstuvwxyz', 6)}`,
        updated: at,
      })
      return contact.ContactID
    }),
    // The new name has another position in the alphabet.
    touch: (contact) => ({
      ...contact,
      Name: `${randomUUID().slice(0, 6)} ${contact.Name}`.slice(0, 255),
      updated: world.tick(),
    }),
  })
