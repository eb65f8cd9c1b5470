import type { ReadCall } from '../../contract/connector.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { zoneOf } from '../../kit/business-day.ts'
import { refusal, requirement } from '../../kit/errors.ts'
import { list } from '../../kit/fields.ts'
import { sameMerchant } from '../../kit/merchant.ts'
import { cursorPages } from '../../kit/pages.ts'
import { addressTable } from '../../kit/person.ts'
import { get } from '../../kit/requests.ts'

export interface NativeAddress {
  address_line_1?: string
  address_line_2?: string
  locality?: string
  administrative_district_level_1?: string
  postal_code?: string
  country?: string
}
export const address = addressTable('/address', {
  line1: 'address_line_1',
  line2: 'address_line_2',
  city: 'locality',
  state: 'administrative_district_level_1',
  postalCode: 'postal_code',
  country: 'country',
})
export const pages = cursorPages({
  parameters: (limit, cursor) => ({ limit, cursor }),
  next: '/cursor',
})

export interface Location {
  id: string
  status: 'ACTIVE' | 'INACTIVE'
  currency: string
  name?: string
  business_name?: string
  address?: NativeAddress | null
  timezone?: string
  created_at?: string
  merchant_id?: string
}
/**
 * All locations, including closed ones (their orders remain), oldest first: a new location comes last and does not
 * shift a walk. Square itself sorts them by name.
 */
export const locations = (call: ReadCall): Promise<Location[]> =>
  call.cached('locations', async () => {
    const { body } = await call.read(get('/v2/locations'))
    return list<Location>(body.locations).toSorted(
      (a, b) => compare(a.created_at ?? '', b.created_at ?? '') || compare(a.id, b.id),
    )
  })
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The time zones of the locations, without those that do not exist. A token that cannot read locations gets none. */
export const zones = (call: ReadCall): Promise<Readonly<Record<string, string>>> =>
  call.cached('time zones', async () => {
    try {
      const known = (await locations(call)).map(({ id, timezone = '' }) => [id, zoneOf({ timezone })] as const)
      return Object.fromEntries(known.filter(([, zone]) => zone !== undefined)) as Record<string, string>
    } catch (error) {
      if (error instanceof NativeFailure && error.error.kind === 'forbidden') return {}
      throw error
    }
  })

/** A row with the time zone of its location, which a business day needs. It is not a member of Square's. */
export interface Zoned {
  location_id?: string
  location_timezone?: string
}
export function zoned<Row extends Zoned>(row: Row, known: Readonly<Record<string, string>>): Row {
  const location_timezone = known[row.location_id ?? '']
  return location_timezone === undefined ? row : { ...row, location_timezone }
}

interface Part<Row> {
  rows: Row[]
  cursor?: string
}
/** So many rows after so many others, of as many pages as it takes. */
export async function rowsAfter<Row>(
  fetch: (limit: number, cursor?: string) => Promise<Part<Row>>,
  { offset, limit, most }: { offset: number; limit: number; most: number },
): Promise<Row[]> {
  const size = Math.min(most, offset + limit)
  let { rows, cursor } = await fetch(size)
  while (cursor && rows.length < offset + limit) {
    const further = await fetch(size, cursor)
    rows = [...rows, ...further.rows]
    cursor = further.cursor
  }
  return rows.slice(offset, offset + limit)
}

/** The location for stock and for the currency of prices: the setting, otherwise the oldest open location. */
export async function homeLocation(call: ReadCall): Promise<Location> {
  const all = await locations(call)
  const chosen = call.account.settings.locationId
  const found = chosen ? all.find(({ id }) => id === chosen) : (all.find(({ status }) => status === 'ACTIVE') ?? all[0])
  if (!found)
    throw refusal(
      '/settings/locationId',
      chosen ? `The account has no location ${chosen}` : 'The account has no location',
    )
  return found
}
/** The location of an order cannot change, so it is never guessed if there are several. */
export async function orderLocation(call: ReadCall, requested: string | undefined): Promise<Location> {
  const all = await locations(call)
  const open = all.filter(({ status }) => status === 'ACTIVE')
  const id = requested ?? call.account.settings.locationId ?? (open.length === 1 ? open[0]!.id : undefined)
  if (id === undefined)
    throw requirement(
      'order.location_id',
      'The account has several locations: send locationExternalId, or set locationId on the account',
    )
  const found = all.find((location) => location.id === id)
  if (!found) throw refusal('order.location_id', `The account has no location ${id}`)
  return found
}
/** All prices at a location are in its currency; Square cannot store another one. */
export function currencyAt(location: Location, requested: string | undefined, native: string): string {
  if (requested !== undefined && requested !== location.currency)
    throw refusal(native, `Location ${location.id} uses ${location.currency}, not ${requested}`)
  return location.currency
}
/** The merchant of the token: the one that Square counts calls for. A token that cannot read locations connects, too. */
export async function discover(call: ReadCall): Promise<Readonly<Record<string, string>>> {
  try {
    const merchantId = sameMerchant(call, 'Square', (await locations(call))[0]?.merchant_id)
    return merchantId === undefined ? {} : { merchantId }
  } catch (error) {
    if (error instanceof NativeFailure && error.error.kind === 'forbidden') return {}
    throw error
  }
}
