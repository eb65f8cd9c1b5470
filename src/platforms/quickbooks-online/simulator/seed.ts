// A company's customers over the years: imported in bulk, incomplete, in several currencies and scripts, some inactive.
import type { Fields } from '../../../sandbox/http.ts'
import { countryOf, type Seed } from '../../../sandbox/seeds.ts'
import { currencies, deletedName, isTaken, localTime, nextId, type StoredCustomer, type World } from './world.ts'

const day = 86_400_000
const imported = 130 // customers of one bulk import, created and changed in the same second

export function seedCustomers(world: World, seed: Seed, size: 'small' | 'full', seededAt: number): void {
  for (const name of ['Cascade Paper Supply', 'Marta Lindqvist', 'Pacific Freight Lines'])
    world.otherNames.set(name, name)
  const count = size === 'full' ? 470 : 8
  for (let n = 1; n <= count; n += 1) {
    const age = size === 'full' && n > imported ? seed.int(1, 900) * day + seed.int(0, 86_399) * 1000 : 1000 * day
    const created = seededAt - age
    const changed = seed.chance(0.5) && n > imported ? created + seed.int(0, Math.floor(age / 1000)) * 1000 : created
    addCustomer(world, seed, {
      created,
      changed,
      inactive: n % 9 === 4,
      balance: seed.chance(0.3) ? seed.cents(500, 900_000) / 100 : 0,
    })
  }
}

export function addCustomer(
  world: World,
  seed: Seed,
  { created, changed, inactive, balance }: { created: number; changed: number; inactive: boolean; balance: number },
): string {
  const Id = nextId(world, 'customer')
  const number = Number(Id)
  const person = seed.person()
  const company = seed.company()
  const isCompany = number % 3 === 0
  const name = freeName(world, isCompany ? company : `${person.givenName} ${person.familyName}`)
  const parent = number % 13 === 0 ? world.customers.get(String(number - 1)) : undefined
  const currency = number % 5 === 2 ? seed.pick(Object.keys(currencies)) : 'USD'
  const country = countryOf(currency, 'US')
  const customer: StoredCustomer = {
    Taxable: seed.chance(0.7),
    ...addressOf(world, seed, number, country),
    ...(parent && { ParentRef: { value: parent.Id, name: parent.DisplayName }, Level: 1 }),
    Job: parent !== undefined,
    BillWithParent: parent !== undefined && seed.chance(0.5),
    Balance: inactive ? 0 : balance,
    BalanceWithJobs: inactive ? 0 : balance,
    CurrencyRef: { value: currency, name: currencies[currency]! },
    PreferredDeliveryMethod: seed.pick(['Print', 'Email', 'None']),
    IsProject: false,
    domain: 'QBO',
    sparse: false,
    Id,
    SyncToken: String(changed > created ? seed.int(1, 9) : 0),
    MetaData: { CreateTime: localTime(created), LastUpdatedTime: localTime(changed) },
    ...(number % 7 !== 5 &&
      (!isCompany || seed.chance(0.6)) && {
        GivenName: person.givenName,
        ...(number % 11 !== 1 && { FamilyName: person.familyName }),
      }),
    ...(isCompany && { CompanyName: company }),
    FullyQualifiedName: parent ? `${parent.DisplayName}:${name}` : name,
    DisplayName: inactive ? deletedName(world, name, Id) : name,
    PrintOnCheckName: isCompany ? company : name,
    Active: !inactive,
    V4IDPseudonym: seed.id('0123456789abcdef', 38),
    ...contactOf(seed, number, person.email, country),
    ...(seed.chance(0.25) && { Notes: seed.note() }),
  }
  world.customers.set(Id, customer)
  return Id
}

function freeName(world: World, name: string): string {
  for (let copy = 1; ; copy += 1) {
    const candidate = copy === 1 ? name : `${name} ${copy}`
    if (!isTaken(world, candidate)) return candidate
  }
}

function contactOf(seed: Seed, number: number, email: string, country: string): Fields {
  return {
    ...(seed.chance(0.75) && {
      PrimaryEmailAddr: { Address: number % 17 === 3 ? `${email}, office.${number}@example.com` : email },
    }),
    ...(seed.chance(0.6) && { PrimaryPhone: { FreeFormNumber: seed.phone(country) } }),
    ...(seed.chance(0.3) && {
      Mobile: { FreeFormNumber: seed.phone(country).replace(/^\+1(\d{3})(\d{3})/, '($1) $2-') },
    }),
    ...(seed.chance(0.2) && { WebAddr: { URI: 'https://example.com' } }),
  }
}

/** None, an empty address with only an id, a simple address, or four lines typed into one field. */
function addressOf(world: World, seed: Seed, number: number, country: string): Fields {
  if (number % 6 === 1) return {}
  const Id = nextId(world, 'address')
  if (number % 6 === 5) return { BillAddr: { Id }, ShipAddr: { Id } }
  const { line1, line2, city, state, postalCode } = seed.address(country)
  if (number % 6 === 2)
    return {
      BillAddr: {
        Id,
        Line1: `Attn: ${seed.person().givenName}`,
        Line2: line1,
        Line3: line2 ?? 'Haus B, 2. Stock',
        Line4: `${city}, ${state} ${postalCode}`,
        Country: country,
      },
    }
  const BillAddr = {
    Id,
    Line1: line1,
    ...(line2 && { Line2: line2 }),
    City: city,
    CountrySubDivisionCode: state,
    PostalCode: postalCode,
    ...(country !== 'US' && { Country: country }),
  }
  return {
    BillAddr: { ...BillAddr, ...(seed.chance(0.5) && { Lat: '37.7749', Long: '-122.4194' }) },
    ...(seed.chance(0.5) && { ShipAddr: { ...BillAddr, Id: nextId(world, 'address') } }),
  }
}
