// Realistic records from a seed: the same seed and the same calls return the same values on every machine.
import * as words from './seed-words.ts'

export interface Person {
  givenName: string
  familyName: string
  email: string // example.com, unique within a seed
}
export interface Address {
  line1: string
  line2?: string
  city: string
  state: string
  postalCode: string
  country: string
}
export interface Seed {
  next(): number // 0 <= n < 1
  int(from: number, to: number): number // both included
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  sample<T>(list: readonly T[], count: number): T[] // without duplicates
  id(alphabet: string, length: number): string
  uuid(): string // version 4
  person(): Person
  company(): string
  dish(): string
  article(): string
  size(): string
  category(): string
  job(): string
  note(): string
  address(country?: string): Address
  phone(country?: string): string // E.164
  sku(): string // unique within a seed
  ean13(): string // with its check digit
  cents(from: number, to: number): number // a price in minor units, mostly ending in 0, 5 or 9
  instant(from: number, to: number): number // milliseconds
}

export const upperAlphanumeric = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
export const alphanumeric = `${upperAlphanumeric}abcdefghijklmnopqrstuvwxyz`

export function createSeed(text: string): Seed {
  const next = createRandom(text)
  let serial = 0
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  const pick = <T>(list: readonly T[]): T => list[int(0, list.length - 1)]!
  const chance = (probability: number) => next() < probability
  const id = (alphabet: string, length: number) =>
    Array.from({ length }, () => alphabet[int(0, alphabet.length - 1)]).join('')
  const digits = (pattern: string) =>
    pattern.replace(/[#x]/g, () => String(int(0, 9))).replace(/@/g, () => pick([...'ABCEGHJKLMNPRSTVXY']))
  const region = (country?: string) =>
    pick(words.regions.filter((one) => country === undefined || one.country === country))
  return {
    next,
    int,
    chance,
    pick,
    sample(list, count) {
      const rest = [...list]
      return Array.from({ length: Math.min(count, rest.length) }, () => rest.splice(int(0, rest.length - 1), 1)[0]!)
    },
    id,
    uuid: () => `${id(hex, 8)}-${id(hex, 4)}-4${id(hex, 3)}-${pick([...'89ab'])}${id(hex, 3)}-${id(hex, 12)}`,
    person() {
      const person = { givenName: pick(words.givenNames), familyName: pick(words.familyNames) }
      serial += 1
      return { ...person, email: `${plain(person.givenName)}.${plain(person.familyName)}.${serial}@example.com` }
    },
    company: () => `${pick(words.companyWords)} ${pick(words.companyForms)}`,
    dish: () => (chance(0.4) ? `${pick(words.dishStyles)} ${pick(words.dishes)}` : pick(words.dishes)),
    article: () => (chance(0.6) ? `${pick(words.articleStyles)} ${pick(words.articles)}` : pick(words.articles)),
    size: () => pick(words.sizes),
    category: () => pick(words.categories),
    job: () => pick(words.jobs),
    note: () => pick(words.notes),
    address(country) {
      const { city, state, postalCode, country: code } = region(country)
      return {
        line1: `${int(1, 4000)} ${pick(words.streets)}`,
        ...(chance(0.3) && { line2: `Apt ${int(1, 90)}` }),
        city,
        state,
        postalCode: digits(postalCode),
        country: code,
      }
    },
    phone(country) {
      const { countryCode, dialling } = region(country)
      return `+${countryCode}${digits(dialling)}`
    },
    sku() {
      serial += 1
      return `${id('ABCDEFGHJKLMNPQRSTUVWXYZ', 3)}-${String(serial).padStart(5, '0')}`
    },
    ean13: () => withCheckDigit(`2${id('0123456789', 11)}`),
    cents(from, to) {
      const price = int(from, to)
      return Math.min(to, Math.max(from, price - (price % 10) + pick([0, 0, 5, 9, 9])))
    },
    instant: (from, to) => int(from, to),
  }
}

const hex = '0123456789abcdef'

function plain(name: string): string {
  const latin = name
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase()
  return latin || 'guest'
}

function withCheckDigit(twelve: string): string {
  const sum = [...twelve].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0)
  return twelve + String((10 - (sum % 10)) % 10)
}

/** mulberry32 over an FNV-1a hash of the text. */
function createRandom(text: string): () => number {
  let state = 2166136261
  for (const character of text) state = Math.imul(state ^ character.codePointAt(0)!, 16777619)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
