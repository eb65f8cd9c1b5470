// Countries and their states, as names or codes (ISO 3166-1 and -2): converted to the form that a platform takes.
import { iso31661, iso31662 } from 'iso-3166'
import type { Address } from '../../contract/address.ts'
import type { AddressForm, Write } from '../../contract/connector.ts'
import type { UnifiedRecord } from '../../contract/entities/index.ts'
import type { EntityType } from '../../contract/entity.ts'
import type { Violation } from '../../contract/errors.ts'

interface Region {
  code: string // of a state: without the country, as on an envelope
  name: string
}
type Index = ReadonlyMap<string, Region>

/** Spelling does not count: case, accents, punctuation, "St.", "&" and "the". */
const plain = (value: string): string =>
  value
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/&/g, ' and ')
    .replace(/\bst\b\.?/g, 'saint')
    .replace(/\bthe\b/g, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
/** "Korea, Republic of" -> also "Republic of Korea"; "Virgin Islands (U.S.)" -> also "U.S. Virgin Islands". */
const turned = (name: string): string =>
  name.replace(/^([^,(]+), ([^,]+)$/, '$2 $1').replace(/^([^(]+) \((.+)\)$/, '$2 $1')

/** The first entry of a spelling wins, so codes are entered before names. */
function indexOf(entries: readonly (readonly [spelling: string, place: Region])[]): Index {
  const index = new Map<string, Region>()
  for (const [spelling, place] of entries) {
    const key = plain(spelling)
    if (key && !index.has(key)) index.set(key, place)
  }
  return index
}

/** Names in use that neither ISO nor the Unicode locale data has. */
const otherCountryNames: Readonly<Record<string, readonly string[]>> = {
  CD: ['DR Congo', 'DRC'],
  CG: ['Republic of the Congo'],
  CI: ['Ivory Coast'],
  CZ: ['Czech Republic'],
  GB: ['Great Britain'],
  IE: ['Republic of Ireland'],
  MK: ['Macedonia'],
  MM: ['Burma'],
  MO: ['Macau'],
  SZ: ['Swaziland'],
  TL: ['East Timor'],
  TR: ['Turkey', 'Türkiye'],
  AE: ['UAE'],
  VA: ['Vatican'],
}
/** Parts of addresses in the United States and Canada that ISO does not have, or spells differently. */
const otherStates: Readonly<Record<string, readonly Region[]>> = {
  US: [
    { code: 'AA', name: 'Armed Forces Americas' },
    { code: 'AE', name: 'Armed Forces Europe' },
    { code: 'AP', name: 'Armed Forces Pacific' },
    { code: 'DC', name: 'Washington DC' },
    { code: 'VI', name: 'Virgin Islands' },
  ],
  CA: [{ code: 'YT', name: 'Yukon Territory' }],
}

function loadCountries(): Index {
  const long = new Intl.DisplayNames(['en'], { type: 'region' })
  const short = new Intl.DisplayNames(['en'], { type: 'region', style: 'short' })
  // Kosovo has no entry in ISO 3166-1, and a code that everyone uses.
  const all = [...iso31661, { alpha2: 'XK', alpha3: 'XKX', name: 'Kosovo' }].map(({ alpha2, alpha3, name }) => {
    const place = { code: alpha2, name: long.of(alpha2) ?? name }
    const names = [place.name, name, turned(name), short.of(alpha2) ?? name, ...(otherCountryNames[alpha2] ?? [])]
    return { place, codes: [alpha2, alpha3], names }
  })
  const entriesOf = (part: 'codes' | 'names') =>
    all.flatMap((one) => one[part].map((text) => [text, one.place] as const))
  return indexOf([...entriesOf('codes'), ...entriesOf('names')])
}
function loadStates(country: string): Index {
  const subdivisions = iso31662
    .filter(({ code }) => code.startsWith(`${country}-`))
    // Where a region and its only province have one name, the address names the province.
    .sort((left, right) => Number(right.parent !== country) - Number(left.parent !== country))
    .map(({ code, name }) => ({ code: code.slice(3), name }))
  const byCode = new Map(subdivisions.map((place) => [place.code, place]))
  const others = subdivisions.length > 0 ? (otherStates[country] ?? []) : []
  const places = [...subdivisions, ...others.map((place) => byCode.get(place.code) ?? place)]
  return indexOf([
    ...places.flatMap((place) => [
      [place.code, place] as const,
      [`${country}${place.code}`, place] as const, // US-CA
    ]),
    ...places.map((place) => [place.name, place] as const),
    ...others.map((place) => [place.name, byCode.get(place.code) ?? place] as const),
    ...places.map((place) => [turned(place.name), place] as const),
  ])
}

let countries: Index | undefined
const states = new Map<string, Index>()
function countryOf(value: string | undefined): Region | undefined {
  countries ??= loadCountries()
  return value === undefined ? undefined : countries.get(plain(value))
}
function statesOf(country: string): Index {
  const loaded = states.get(country) ?? loadStates(country)
  states.set(country, loaded)
  return loaded
}
const stateOf = ({ state, country }: Address): Region | undefined => {
  const code = countryOf(country)?.code
  return state === undefined || code === undefined ? undefined : statesOf(code).get(plain(state))
}

const addressOf = (record: unknown): Address | undefined => (record as { address?: Address } | undefined)?.address

const isCode = (value: string): boolean => /^([A-Z]{2}-)?[A-Z0-9]{1,3}$/i.test(value.replace(/[.\s]/g, ''))
/** A name stays as it is spelled where the platform takes names. */
const inForm = (given: string, { code, name }: Region, form: 'code' | 'name'): string =>
  form === 'code' ? code : isCode(given) ? name : given

/** The record with its country and state in the platform's form. What cannot be found stays as it is. */
export function withPlaces(record: UnifiedRecord, places: AddressForm | undefined): UnifiedRecord {
  const address = addressOf(record)
  if (!places || !address) return record
  const changed = { ...address }
  const [country, state] = [countryOf(address.country), stateOf(address)]
  if (places.country && address.country && country) changed.country = inForm(address.country, country, places.country)
  if (places.state && address.state && country && state) {
    const long = places.state === 'code' && places.longStateCodes?.includes(country.code)
    changed.state = `${long ? `${country.code}-` : ''}${inForm(address.state, state, places.state)}`
  }
  return { ...record, address: changed } as UnifiedRecord
}

/** Codes that only the platform knows may be longer: TAMPS. */
const isOwnCode = (value: string): boolean => /^[A-Z0-9][A-Z0-9 -]{0,5}$/.test(value)
/**
 * Countries and states that cannot be found. What already has the platform's form goes to the platform: it may know
 * codes that ISO lacks, and takes the name of any county.
 */
export function unknownPlaces(
  record: UnifiedRecord,
  { places }: Write<EntityType>,
  held: UnifiedRecord | 'none' | 'unread',
): Violation[] {
  const address = addressOf(record)
  if (!places || !address || held === 'unread') return []
  const before = typeof held === 'string' ? undefined : addressOf(held)
  const { country, state } = address
  const found: Violation[] = []
  const known = countryOf(country)
  if (country !== undefined && places.country && !known && country !== before?.country)
    if (!(places.country === 'code' && /^[A-Z]{2}$/.test(country)))
      found.push({
        pointer: '/address/country',
        message: 'is not a country that can be found; send its ISO 3166-1 code, such as US, or its English name',
      })
  if (state !== undefined && places.state && known && statesOf(known.code).size > 0 && state !== before?.state)
    if (!stateOf(address) && (places.state === 'code' ? !isOwnCode(state) : isCode(state)))
      found.push({
        pointer: '/address/state',
        message: `is not a state of ${known.name} that can be found; send its ISO 3166-2 code, such as CA or US-CA, or its name`,
      })
  return found
}

/** Two spellings of one place, such as "CA" and "California" in an address of the United States. */
export function samePlace(pointer: string, left: UnifiedRecord, right: UnifiedRecord): boolean {
  if (pointer !== '/address/country' && pointer !== '/address/state') return false
  const [one, other] = [addressOf(left) ?? {}, addressOf(right) ?? {}]
  const countriesEqual = countryOf(one.country) !== undefined && countryOf(one.country) === countryOf(other.country)
  if (pointer === '/address/country') return countriesEqual
  return countriesEqual && stateOf(one) !== undefined && stateOf(one) === stateOf(other)
}
