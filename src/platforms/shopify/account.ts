// Facts about the shop that every write needs.
import type { ReadCall } from '../../contract/connector.ts'
import { refusal, requirement } from '../../kit/errors.ts'
import { list } from '../../kit/fields.ts'
import { ask, referenceTo } from './api.ts'

interface Home {
  shop: { currencyCode: string }
  location: { id: string } | null
}
const home = (call: ReadCall): Promise<Home> => call.cached('home', () => ask(call, 'home'))

/**
 * The scopes of the token. A response to OAuth has them, too, but an access token that was created in the admin comes
 * without a response.
 */
export async function accessScopes(call: ReadCall): Promise<Readonly<Record<string, string>>> {
  const { currentAppInstallation } = await ask(call, 'accessScopes')
  const granted = list<{ handle: string }>(currentAppInstallation.accessScopes)
  return { scope: granted.map(({ handle }) => handle).join(',') }
}

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
  if (!location) throw requirement('/settings/locationId', 'The shop has no primary location for stock: set locationId')
  return location.id
}
