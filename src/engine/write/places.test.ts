import { describe, expect, it } from 'vitest'
import type { Address } from '../../contract/address.ts'
import type { AddressForm } from '../../contract/connector.ts'
import type { UnifiedRecord } from '../../contract/entities/index.ts'
import { samePlace, unknownPlaces, withPlaces } from './places.ts'

const customer = (address: Address): UnifiedRecord => ({ externalId: 'C-1', name: 'Ada', address })
const converted = (address: Address, places: AddressForm) =>
  (withPlaces(customer(address), places) as { address: Address }).address
const codes = { country: 'code', state: 'code' } as const
const names = { country: 'name', state: 'name' } as const
const refused = (address: Address, places: AddressForm, held: UnifiedRecord | 'none' | 'unread' = 'none') =>
  unknownPlaces(customer(address), { places }, held).map(({ pointer }) => pointer)

describe('a country', () => {
  it.each([
    ['US', 'US'],
    ['usa', 'US'],
    ['U.S.A.', 'US'],
    ['United States', 'US'],
    ['the united states of america', 'US'],
    ['UK', 'GB'],
    ['Great Britain', 'GB'],
    ["Cote d'Ivoire", 'CI'],
    ['South Korea', 'KR'],
    ['Republic of Korea', 'KR'],
    ['Czech Republic', 'CZ'],
    ['Turkey', 'TR'],
    ['St. Lucia', 'LC'],
    ['Saint Lucia', 'LC'],
    ['Trinidad & Tobago', 'TT'],
    ['Kosovo', 'XK'],
    ['Hong Kong', 'HK'],
    ['Georgia', 'GE'],
    ['Niger', 'NE'],
    ['Nigeria', 'NG'],
    ['Congo', 'CG'],
    ['Democratic Republic of the Congo', 'CD'],
  ])('%s is %s', (given, code) => {
    expect(converted({ country: given }, codes)).toEqual({ country: code })
  })
  it('is a name where the platform takes names; a name stays as it is spelled', () => {
    expect(converted({ country: 'DEU' }, names)).toEqual({ country: 'Germany' })
    expect(converted({ country: 'United States of America' }, names)).toEqual({ country: 'United States of America' })
  })
  it('is as given where the platform takes any text', () => {
    expect(converted({ country: 'usa', state: 'California' }, {})).toEqual({ country: 'usa', state: 'California' })
    expect(refused({ country: 'Atlantis' }, {})).toEqual([])
  })
  it('is refused if its name cannot be found, unless the record already has it', () => {
    const held = customer({ country: 'Atlantis' })
    for (const places of [codes, names]) {
      expect(refused({ country: 'Atlantis' }, places)).toEqual(['/address/country'])
      expect(refused({ country: 'Atlantis' }, places, held)).toEqual([])
      expect(refused({ country: 'Atlantis' }, places, 'unread')).toEqual([])
    }
    expect(refused({ country: 'constructor' }, codes)).toEqual(['/address/country'])
    expect(refused({ country: '---' }, codes)).toEqual(['/address/country'])
    expect(refused({ country: 'QZ' }, codes), 'the platform may know the code').toEqual([])
  })
})

describe('a state', () => {
  it.each([
    ['California', 'US', 'CA'],
    ['us-ca', 'United States', 'CA'],
    ['Washington', 'US', 'WA'],
    ['Washington, D.C.', 'US', 'DC'],
    ['Armed Forces Europe', 'US', 'AE'],
    ['Québec', 'Canada', 'QC'],
    ['Yukon Territory', 'CA', 'YT'],
    ['new south wales', 'AUS', 'NSW'],
    ['Tasmania', 'Australia', 'TAS'],
    ['Madrid', 'Spain', 'M'],
    ['Bayern', 'Germany', 'BY'],
  ])('%s in %s is %s', (state, country, code) => {
    expect(converted({ state, country }, codes).state).toBe(code)
  })
  it('is a name where the platform takes names', () => {
    expect(converted({ state: 'WA', country: 'AU' }, names).state).toBe('Western Australia')
    expect(converted({ state: 'WA', country: 'US' }, names).state).toBe('Washington')
    expect(converted({ state: 'AP', country: 'US' }, names).state).toBe('Armed Forces Pacific')
    expect(converted({ state: 'Middlesex', country: 'GB' }, names).state).toBe('Middlesex')
  })
  it('is as given without a country, and in a country without known states', () => {
    for (const address of [{ state: 'California' }, { state: 'Old Town', country: 'GI' }]) {
      expect(converted(address, codes).state).toBe(address.state)
      expect(refused(address, codes)).toEqual([])
    }
  })
  it('has the long code where the platform takes it', () => {
    const places = { ...codes, longStateCodes: ['JP'] }
    for (const state of ['Tokyo', '13', 'JP-13'])
      expect(converted({ state, country: 'Japan' }, places)).toEqual({ state: 'JP-13', country: 'JP' })
  })
  it('is refused if it cannot be found and does not have the form of the platform', () => {
    expect(refused({ state: 'Nowhere', country: 'US' }, codes)).toEqual(['/address/state'])
    expect(refused({ state: 'QQ', country: 'US' }, names)).toEqual(['/address/state'])
    expect(refused({ state: 'TAMPS', country: 'MX' }, codes)).toEqual([])
    expect(refused({ state: 'Nowhere', country: 'US' }, codes, customer({ state: 'Nowhere', country: 'US' }))).toEqual(
      [],
    )
  })
})

it('converts a converted record to itself', () => {
  for (const places of [codes, names, { ...codes, longStateCodes: ['US'] }]) {
    const once = converted({ state: 'us-ny', country: 'usa' }, places)
    expect(converted(once, places)).toEqual(once)
  }
})

it('knows two spellings of one place', () => {
  const short = customer({ state: 'GA', country: 'US' })
  const long = customer({ state: 'Georgia', country: 'United States' })
  const other = customer({ state: 'Georgia', country: 'Georgia' })
  expect([samePlace('/address/country', short, long), samePlace('/address/state', short, long)]).toEqual([true, true])
  expect([samePlace('/address/country', short, other), samePlace('/address/state', short, other)]).toEqual([
    false,
    false,
  ])
  expect(samePlace('/name', short, long)).toBe(false)
  expect(samePlace('/address/country', customer({}), customer({}))).toBe(false)
})
