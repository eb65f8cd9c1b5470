// A business's clients over the years: imported in bulk, incomplete, in several currencies and scripts, some archived,
// some deleted.

import { randomBytes } from 'node:crypto'
import type { Fields } from '../../../sandbox/http.ts'
import { createAdding, recordsIn } from '../../../sandbox/records.ts'
import { countryOf, createSeed, type Seed } from '../../../sandbox/seeds.ts'
import type { NativeRecords } from '../../../sandbox/simulator.ts'
import { createClient, updateClient } from './clients.ts'
import { currencies, type StoredClient, type World } from './world.ts'

const day = 86_400_000
const imported = 130 // changed in the same second
const countries: Readonly<Record<string, string>> = {
  US: 'United States',
  CA: 'Canada',
  GB: 'United Kingdom',
  DE: 'Germany',
}

export function seedClients(world: World, size: 'small' | 'full', seededAt: number): void {
  const seed = createSeed('freshbooks')
  const count = size === 'full' ? 500 : 10
  for (let n = 1; n <= count; n += 1) {
    const signedUpAt =
      n <= imported ? seededAt - 1000 * day : seededAt - seed.int(2, 900) * day - seed.int(0, 86_399) * 1000
    const updatedAt = n > imported && seed.chance(0.5) ? seed.instant(signedUpAt, seededAt - day) : signedUpAt
    add(world, seed, { signedUpAt, updatedAt, vis_state: n % 16 === 9 ? 1 : n % 7 === 4 ? 2 : 0 })
  }
}

function add(
  world: World,
  seed: Seed,
  { signedUpAt, updatedAt, vis_state }: Pick<StoredClient, 'signedUpAt' | 'updatedAt' | 'vis_state'>,
): string {
  const number = world.clients.count() + 1
  const currency_code = number % 4 === 2 ? seed.pick(currencies) : undefined
  const country = countryOf(currency_code ?? 'USD', 'US')
  const client = createClient(world, {
    ...namesOf(seed, number, world.habits),
    ...addressOf(seed, number, country),
    ...contactOf(seed, number, country),
    ...(currency_code && { currency_code }),
  })
  world.clients.set(String(client.id), { ...client, signedUpAt, updatedAt, vis_state })
  return String(client.id)
}

/** A company with a contact, a company alone, a person, a partial name, or only an email. */
function namesOf(seed: Seed, number: number, { uniqueEmails }: World['habits']): Fields {
  const { givenName, familyName, email } = seed.person()
  const organization = seed.company()
  if (number % 11 === 5) return { email }
  if (number % 11 === 7) return { fname: givenName, ...(seed.chance(0.5) && { email }) }
  if (number % 3 === 0) return { organization, ...(seed.chance(0.4) && { email }) }
  if (number % 3 === 1)
    return {
      organization,
      fname: givenName,
      lname: familyName,
      email: number % 17 === 3 && !uniqueEmails ? 'office@example.com' : email,
    }
  return { fname: givenName, lname: familyName, email }
}

function contactOf(seed: Seed, number: number, country: string): Fields {
  return {
    ...(seed.chance(0.5) && { bus_phone: seed.phone(country) }),
    ...(seed.chance(0.3) && { mob_phone: seed.phone(country).replace(/^\+1(\d{3})(\d{3})/, '($1) $2-') }),
    ...(seed.chance(0.1) && { home_phone: seed.phone(country) }),
    ...(seed.chance(0.25) && { note: seed.note() }),
    ...(seed.chance(0.1) && { vat_name: 'VAT', vat_number: seed.id('0123456789', 9) }),
    ...(number % 9 === 1 && { language: 'fr' }),
  }
}

/** None, two fields with four lines together, or a simple address. */
function addressOf(seed: Seed, number: number, country: string): Fields {
  if (number % 6 === 1) return {}
  const { line1, line2, city, state, postalCode } = seed.address(country)
  const place = { p_city: city, p_province: state, p_code: postalCode, p_country: countries[country] ?? country }
  if (number % 6 === 2)
    return {
      p_street: `Attn: ${seed.person().givenName}\n${line1}`,
      p_street2: `${line2 ?? 'Haus B, 2. Stock'}\nDock ${seed.int(1, 40)}`,
      ...place,
      s_city: city,
    }
  return { p_street: line1, ...(line2 && { p_street2: line2 }), ...place }
}

/** What the bookkeeper does without the API. */
export function createRecords(world: World): NativeRecords {
  const adding = createAdding(() => `added ${randomBytes(8).toString('hex')}`, world.now)
  return recordsIn(world.clients, {
    isListed: ({ vis_state }) => vis_state !== 1,
    add: adding((seed, at) => add(world, seed, { signedUpAt: at, updatedAt: at, vis_state: seed.chance(0.1) ? 2 : 0 })),
    touch: (client) => updateClient(world, client, { fax: randomBytes(3).toString('hex') }),
    remove: (client) => updateClient(world, client, { vis_state: 1 }),
  })
}
