// Facts about the location of an account.
import type { ReadCall } from '../../contract/connector.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { requirement } from '../../kit/errors.ts'
import { list, text } from '../../kit/fields.ts'
import { get, path } from '../../kit/requests.ts'
import { addMs, latestOf } from '../../kit/time.ts'
import { fromBusinessDate } from './api.ts'

export interface NativeRestaurant {
  guid: string
  general?: {
    name?: string
    locationName?: string
    timeZone?: string
    currencyCode?: string
    firstBusinessDate?: number
    archived?: boolean
  } | null
  location?: {
    address1?: string | null
    address2?: string | null
    city?: string | null
    stateCode?: string | null
    administrativeArea?: string | null
    zipCode?: string | null
    country?: string | null
  } | null
}
export interface Restaurant {
  currency?: string
  opened: string // no record was modified before
}
const earliest = '2015-12-02T00:00:00.000Z' // Toast rejects order searches before it
// The first business date is the day on which a restaurant began to use Toast. In the easternmost time zone it begins
// 14 hours before it does in UTC.
const earlierMs = 14 * 3_600_000

export const readRestaurant = async (call: ReadCall): Promise<NativeRestaurant> =>
  (await call.read(get(path`/restaurants/v1/restaurants/${call.account.settings.restaurantGuid ?? ''}`))).body

/** Records have no currency: all are in the restaurant's currency. */
export const restaurant = (call: ReadCall): Promise<Restaurant> =>
  call.cached('restaurant', async () => {
    const { general } = await readRestaurant(call)
    const first = fromBusinessDate(general?.firstBusinessDate)
    return {
      currency: text(general?.currencyCode),
      opened: latestOf(earliest, first && addMs(first, -earlierMs))!,
    }
  })

interface DiningOption {
  guid: string
  behavior?: 'DINE_IN' | 'TAKE_OUT' | 'DELIVERY'
  curbside?: boolean
}
interface Table {
  guid: string
  name?: string
}
/**
 * Takeout and delivery need a guest's name, phone and email, which a unified order does not have.
 * https://doc.toasttab.com/doc/devguide/apiOrderTypeDetails.html
 */
export async function diningOption(call: ReadCall): Promise<string> {
  const { diningOptionGuid } = call.account.settings
  if (diningOptionGuid) return diningOptionGuid
  const guid = (await diningOptions(call)).find(({ behavior }) => behavior === 'DINE_IN')?.guid
  if (!guid)
    throw requirement(
      '/settings/diningOptionGuid',
      'The restaurant has no dine-in option: set diningOptionGuid on the account',
    )
  return guid
}
/** A payment type that the restaurant has set up. */
export interface PaymentType {
  guid: string
  name?: string | null
}
export const diningOptions = (call: ReadCall): Promise<DiningOption[]> =>
  call.cached('dining options', () => configured<DiningOption>(call, '/config/v2/diningOptions'))
export const tables = (call: ReadCall): Promise<Table[]> =>
  call.cached('tables', () => configured<Table>(call, '/config/v2/tables'))
/** As they were a few minutes ago, or `again`. */
export const paymentTypes = (call: ReadCall, again?: 'again'): Promise<PaymentType[]> => {
  const load = () => configured<PaymentType>(call, '/config/v2/alternatePaymentTypes')
  return again ? load() : call.cached('payment types', load)
}

/** A client without `config:read` reads orders and payments, too: what only the configuration says is left out. */
export async function unlessForbidden<T>(entries: Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await entries
  } catch (error) {
    if (error instanceof NativeFailure && error.error.kind === 'forbidden') return []
    throw error
  }
}

const mostStarts = 3
/** A restaurant that publishes its configuration between two pages rejects the next one with 409: they begin again. */
export async function configured<T>(call: ReadCall, at: string, query: { lastModified?: string | undefined } = {}) {
  for (let start = 1; ; start++)
    try {
      return await allPages<T>(call, at, query)
    } catch (error) {
      const published = error instanceof NativeFailure && error.error.kind === 'stale'
      if (!published || start === mostStarts) throw error
    }
}
async function allPages<T>(call: ReadCall, at: string, query: { lastModified?: string | undefined }): Promise<T[]> {
  const entries: T[] = []
  for (let pageToken: string | undefined; ; ) {
    const { body, headers } = await call.read(get(at, { ...query, pageToken }))
    entries.push(...list<T>(body))
    pageToken = text(headers['toast-next-page-token'])
    if (!pageToken) return entries
  }
}
