// What all calls to one store have in common.
import type { ReadCall } from '../../contract/connector.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { refusal, requirement } from '../../kit/errors.ts'
import { flag, text } from '../../kit/fields.ts'
import { get, path } from '../../kit/requests.ts'
import { toUtc } from '../../kit/time.ts'
import { missingScope } from './error.ts'

const prefix = (call: ReadCall): string => path`/stores/${call.account.settings.storeHash ?? ''}`
export const v2 = (call: ReadCall, rest: string): string => `${prefix(call)}/v2${rest}`
export const v3 = (call: ReadCall, rest: string): string => `${prefix(call)}/v3${rest}`

/** Ids are numbers on the wire; anything else cannot identify a record, and the filters return 422 for it. */
export const isId = (value: string): boolean => /^[1-9]\d{0,14}$/.test(value)
export function idOf(value: string, native: string, what: string): number {
  if (!isId(value)) throw refusal(native, `No ${what} has the id ${value}`)
  return Number(value)
}

interface StoreFacts {
  currency?: string // of products, and of orders by default
  pricesWithTax: boolean // of products, and of orders that are placed from now on
}
/** Undefined if the app may not read the store's settings. */
export const storeFacts = (call: ReadCall): Promise<StoreFacts | undefined> =>
  call.cached('store', async () => {
    const body = await readStore(call, v2(call, '/store'))
    return body && { currency: text(body.currency), pricesWithTax: flag(body.is_price_entered_with_tax) ?? false }
  })
export const storeCurrency = async (call: ReadCall): Promise<string | undefined> => (await storeFacts(call))?.currency

interface StoreSettings {
  currency?: string
  is_price_entered_with_tax?: boolean
  timezone?: { name?: string }
}
async function readStore(call: ReadCall, address: string): Promise<StoreSettings | undefined> {
  try {
    return (await call.read(get(address))).body ?? {}
  } catch (error) {
    if (error instanceof NativeFailure && error.error.code === missingScope) return undefined
    throw error
  }
}
/** An installed app gets its store with the token ("stores/abc123"); an API account needs the setting. */
export async function discover(call: ReadCall): Promise<Record<string, string>> {
  const { context, storeHash: entered, timezone: known } = call.account.settings
  const storeHash = context?.startsWith('stores/') ? context.slice('stores/'.length) : entered
  if (!storeHash) return {}
  const timezone = text(known) ?? text((await readStore(call, path`/stores/${storeHash}/v2/store`))?.timezone?.name)
  return { storeHash, ...(timezone && { timezone }) }
}
/** The currency of written amounts. A currency other than the store's would silently store wrong amounts. */
export async function writtenCurrency(call: ReadCall, requested: string | undefined): Promise<string> {
  const own = await storeCurrency(call)
  if (own && requested && own !== requested) throw refusal('currency', `The store's currency is ${own}`)
  const currency = requested ?? own
  if (!currency)
    throw requirement('currency', 'This account may not read the store, so the record must include its currency')
  return currency
}

/**
 * Whether a filter includes its own second is not documented, so it starts at the second before the wanted ones. A time
 * of day is always sent: without one BigCommerce adds the current time.
 */
export const since = (updatedAfter: string | undefined): string | undefined =>
  updatedAfter === undefined ? undefined : wholeSecond(updatedAfter)
export const modifiedAt = (native: unknown): string | undefined => toUtc(native, 'UTC')
const wholeSecond = (instant: string): string => instant.replace(/\.\d{3}Z$/, 'Z')
