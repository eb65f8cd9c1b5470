// Facts about the shop that every write needs.
import type { ReadCall } from '../../contract/connector.ts'
import { refusal, requirement } from '../../kit/errors.ts'
import { ask, referenceTo } from './api.ts'

interface Home {
  shop: { currencyCode: string }
  location: { id: string } | null
}
const home = (call: ReadCall): Promise<Home> => call.cached('home', () => ask(call, 'home'))

/** A shop has one currency; prices in another currency cannot be stored. */
export async function shopCurrency(call: ReadCall, requested: string | undefined, native: string): Promise<string> {
  const { currencyCode } = (await home(call)).shop
  if ((requested ?? currencyCode) !== currencyCode) throw refusal(native, `The shop's currency is ${currencyCode}`)
  return currencyCode
}
/** The location for stock: the setting, otherwise the shop's primary location. */
export async function stockLocation(call: ReadCall, native: string): Promise<string> {
  const { locationId } = call.account.settings
  if (locationId) return referenceTo('Location', locationId, native)
  const { location } = await home(call)
  if (!location) throw requirement(native, 'The shop has no primary location for stock: set locationId')
  return location.id
}
