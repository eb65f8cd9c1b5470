// The business and the location of an account, and lists of the location.
import type { AccountView, ReadCall } from '../../contract/connector.ts'
import { Problem } from '../../contract/errors.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { refusal } from '../../kit/errors.ts'
import { compact, list, text } from '../../kit/fields.ts'
import { get, path } from '../../kit/requests.ts'
import { addMs } from '../../kit/time.ts'

interface Business {
  businessId: number
  currencyCode?: string
  businessLocations?: { blID: number; blName?: string; country?: string; timezone?: string }[]
}
export const readBusinesses = async (call: ReadCall): Promise<readonly Business[]> =>
  list<Business>((await call.read(get('/f/data/businesses', { page: 0, size: 1000 }))).body?._embedded?.businessList)

/** If the settings have no location and there are several, none is guessed. */
export async function discover(call: ReadCall): Promise<Readonly<Record<string, string>>> {
  const { apiHost, loginHost = apiHost, businessLocationId: requested } = call.account.settings
  const locations = (await readBusinesses(call)).flatMap((business) =>
    list(business.businessLocations).map(({ blID, blName, timezone }) => ({
      business,
      id: String(blID),
      name: text(blName),
      timezone: text(timezone),
    })),
  )
  const found =
    locations.find(({ id }) => id === requested) ??
    (requested === undefined && locations.length === 1 ? locations[0] : undefined)
  if (!found) throw unclear(locations)
  const facts = {
    businessLocationId: found.id,
    businessId: text(found.business.businessId),
    currencyCode: text(found.business.currencyCode),
    timezone: found.timezone,
    businessDayStart: await dayStart(call, found.id),
  }
  return compact({ ...facts, loginHost, authorizePath: '/oauth/authorize', tokenPath: '/oauth/token' }) as Record<
    string,
    string
  >
}

/** When a business day begins: the platform tells it with the sales of a day, here of yesterday. */
async function dayStart(call: ReadCall, location: string): Promise<string | undefined> {
  const date = addMs(call.now, -86_400_000).slice(0, 10)
  try {
    const { body } = await call.read(get(path`/f/v2/business-location/${location}/sales-daily`, { date }))
    return /T(\d\d:\d\d)/.exec(text(body?.nextStartOfDayAsIso8601) ?? '')?.[1]
  } catch (error) {
    // A location that opened today has no yesterday.
    if (error instanceof NativeFailure && ['not_found', 'invalid'].includes(error.error.kind)) return undefined
    throw error
  }
}

function unclear(locations: readonly { id: string; name?: string }[]): Problem {
  const message = `must be one of the locations of the connected user: ${locations.map(({ id, name }) => (name ? `${id} (${name})` : id)).join(', ') || 'none'}`
  const choices = locations.map(({ id, name }) => ({ value: id, label: name ?? id }))
  return new Problem('validation_failed', 'The account cannot be connected with these settings.', {
    errors: [{ pointer: '/settings/businessLocationId', message, choices }],
    downstream: { platform: 'lightspeed-k' },
  })
}

export const locationOf = ({ account }: { account: AccountView }): string => account.settings.businessLocationId ?? ''
export const businessOf = ({ account }: { account: AccountView }): string => account.settings.businessId ?? ''
export const currencyOf = ({ account }: { account: AccountView }): string => account.settings.currencyCode ?? ''
/** An account without stored scopes may do everything. */
export const may = ({ account }: { account: AccountView }, scope: string): boolean =>
  account.settings.scope?.split(/\s+/).includes(scope) ?? true

/** Ids are 64-bit integers in bodies; JavaScript numbers have 53 bits. */
export function idNumber(id: string, native: string): number {
  const number = Number(id)
  if (!/^\d+$/.test(id) || !Number.isSafeInteger(number)) throw refusal(native, `Lightspeed has no record ${id}`)
  return number
}
export function checkCurrency(call: { account: AccountView }, requested: string | undefined): string {
  const currency = currencyOf(call)
  if (requested !== undefined && requested !== currency)
    throw refusal('currency', `The currency of the business is ${currency}`)
  return currency
}

type Query = Record<string, string | number | readonly string[]>

/**
 * A list that comes as a bare array. An empty one could be anything's, such as a proxy's: it is read again when the
 * service has responded in its own format. `absent` is the path of a record that cannot exist; only Lightspeed says so.
 */
export async function readList<T>(call: ReadCall, path: string, query: Query, absent: string): Promise<readonly T[]> {
  const at = { businessLocationId: locationOf(call) }
  const read = async () => list<T>((await call.read(get(path, { ...at, ...query }))).body)
  const rows = await read()
  if (rows.length > 0) return rows
  try {
    await call.read(get(absent, at))
  } catch (error) {
    const isOwn = error instanceof NativeFailure && ['not_found', 'invalid'].includes(error.error.kind)
    if (!isOwn) throw error
  }
  return read()
}
