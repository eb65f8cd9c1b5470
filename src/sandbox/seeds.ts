// Realistic records from a seed: the same seed and the same calls return the same values on every machine.
import { articles, dishes, type Good, type Kind, kindOf } from './goods.ts'
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
  /** A name that this seed has not returned before, of one of the categories; prices are multiplied by the rate. */
  dish(options?: GoodOptions): Good
  article(options?: GoodOptions): Good
  /** The price in cents of something with this name whose price is set at the sale. */
  priceOf(name: string, rate?: number): number
  job(): string
  note(): string
  address(country: string): Address
  phone(country: string): string // E.164
  sku(): string // unique within a seed
  ean13(): string // with its check digit
  cents(from: number, to: number): number // a price in minor units, mostly ending in 0, 5 or 9
  instant(from: number, to: number): number // milliseconds
}

export interface GoodOptions {
  categories?: readonly string[] // all by default
  rate?: number // units of the shop's currency for a dollar
}

export const upperAlphanumeric = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
export const alphanumeric = `${upperAlphanumeric}abcdefghijklmnopqrstuvwxyz`

/** `serial`: where the numbers in emails and SKUs begin. */
export function createSeed(text: string, serial = 0): Seed {
  const next = createRandom(text)
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  const pick = <T>(list: readonly T[]): T => list[int(0, list.length - 1)]!
  const chance = (probability: number) => next() < probability
  const id = (alphabet: string, length: number) =>
    Array.from({ length }, () => alphabet[int(0, alphabet.length - 1)]).join('')
  const digits = (pattern: string) =>
    pattern.replace(/[#x]/g, () => String(int(0, 9))).replace(/@/g, () => pick([...'ABCEGHJKLMNPRSTVXY']))
  const sample = <T>(list: readonly T[], count: number): T[] => {
    const rest = [...list]
    return Array.from({ length: Math.min(count, rest.length) }, () => rest.splice(int(0, rest.length - 1), 1)[0]!)
  }
  const cents = (from: number, to: number): number => {
    const price = int(from, to)
    return Math.min(to, Math.max(from, price - (price % 10) + pick([0, 0, 5, 9, 9])))
  }
  const goodsOf = (kinds: readonly Kind[]) => {
    let rest: { kind: Kind; name: string }[] = []
    let round = 0
    return ({ categories, rate = 1 }: GoodOptions = {}): Good => {
      const known = categories && kinds.some(({ category }) => categories.includes(category))
      const fits = ({ kind }: { kind: Kind }) => !known || categories.includes(kind.category)
      let index = rest.findIndex(fits)
      if (index < 0) {
        round += 1
        const again = round > 1 ? ` No. ${round}` : ''
        const names = kinds.flatMap((kind) =>
          ['', ...kind.styles].map((style) => ({ kind, name: `${style} ${kind.name}`.trim() + again })),
        )
        rest = [...rest, ...sample(names, names.length)]
        index = rest.findIndex(fits)
      }
      const { kind, name } = rest.splice(index, 1)[0]!
      const price = cents(kind.from, kind.to)
      const inCurrency = (amount: number) => (rate === 1 ? amount : Math.round((amount * rate) / 100) * 100)
      const step = Math.max(5, Math.floor((kind.to - kind.from) / 100) * 10)
      const sizes = [0, 1, 2, 3].map((size) => inCurrency(Math.min(kind.to, price + size * step)))
      return { name, category: kind.category, cents: sizes[0]!, sizes }
    }
  }
  return {
    next,
    int,
    chance,
    pick,
    sample,
    id,
    uuid: () => `${id(hex, 8)}-${id(hex, 4)}-4${id(hex, 3)}-${pick([...'89ab'])}${id(hex, 3)}-${id(hex, 12)}`,
    person() {
      const { given, family } = pick(words.origins)
      const person = { givenName: pick(given), familyName: pick(family) }
      serial += 1
      return { ...person, email: `${plain(person.givenName)}.${plain(person.familyName)}.${serial}@example.com` }
    },
    company: () => `${pick(words.companyWords)} ${pick(words.companyForms)}`,
    dish: goodsOf(dishes),
    article: goodsOf(articles),
    priceOf(name, rate = 1) {
      const { from, to } = kindOf(name) ?? { from: 500, to: 1500 }
      return Math.round((cents(from, to) * rate) / 5) * 5
    },
    job: () => pick(words.jobs),
    note: () => pick(words.notes),
    address(country) {
      const { streets, regions } = words.countries[country]!
      const { city, state, postalCode } = pick(regions)
      return {
        line1: `${int(1, 400)} ${pick(streets)}`,
        ...(chance(0.3) && { line2: `Apt ${int(1, 90)}` }),
        city,
        state,
        postalCode: digits(postalCode),
        country,
      }
    },
    phone(country) {
      const { countryCode, regions } = words.countries[country]!
      return `+${countryCode}${digits(pick(regions).dialling)}`
    },
    sku() {
      serial += 1
      return `${id('ABCDEFGHJKLMNPQRSTUVWXYZ', 3)}-${String(serial).padStart(5, '0')}`
    },
    ean13: () => withCheckDigit(`2${id('0123456789', 11)}`),
    cents,
    instant: (from, to) => int(from, to),
  }
}

const hex = '0123456789abcdef'

/** Where a customer who pays in this currency lives. */
export const countryOf = (currency: string, home: string): string =>
  ({ USD: 'US', CAD: 'CA', GBP: 'GB', EUR: 'DE', NZD: 'NZ', THB: 'TH' })[currency] ?? home

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
