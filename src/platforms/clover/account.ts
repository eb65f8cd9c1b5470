// The merchant that every path starts with, and facts about it that all entities need.
import type { AccountView, NativeResponse, ReadCall, WriteCall } from '../../contract/connector.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { ifFound, refusal } from '../../kit/errors.ts'
import { flag, list, text } from '../../kit/fields.ts'
import { del, get, path } from '../../kit/requests.ts'
import { fromUnixMs } from '../../kit/time.ts'

/** Every collection is wrapped, including nested ones. */
export interface Elements<T> {
  elements?: T[]
}
export const elementsOf = <T>(collection: Elements<T> | null | undefined): readonly T[] => list(collection?.elements)
export const rowsIn = <T>({ body }: NativeResponse): T[] => [...elementsOf<T>(body)]

/** Only the redirect after consent contains it. */
export function merchantOf({ settings }: AccountView): string {
  if (!settings.merchantId) throw new NativeFailure({ kind: 'reconnect', message: 'The account has no merchantId' })
  return settings.merchantId
}
export const below = ({ account }: ReadCall, rest: string): string => path`/v3/merchants/${merchantOf(account)}` + rest

/** What the merchant has set for all records. */
interface Properties {
  currency: string
  vat: boolean // whether prices contain the taxes
}
export const propertiesOf = (call: ReadCall): Promise<Properties> =>
  call.cached('properties', async () => {
    const { body } = await call.read(get(below(call, '/properties')))
    const currency = text(body.defaultCurrency)
    if (!currency)
      throw new NativeFailure({ kind: 'unavailable', message: "Clover did not return the merchant's currency" })
    return { currency, vat: flag(body.vat) === true }
  })
export const currencyOf = async (call: ReadCall): Promise<string> => (await propertiesOf(call)).currency
/** Where the merchant is, for business dates. A token that may not read the merchant gets a 401, and connects, too. */
export async function discover(call: ReadCall): Promise<Readonly<Record<string, string>>> {
  if (!call.account.settings.merchantId) return {} // the form says that it is missing
  try {
    const timezone = text((await call.read(get(below(call, '/properties')))).body.timezone)
    return timezone === undefined ? {} : { timezone }
  } catch (error) {
    if (error instanceof NativeFailure && (error.status === 401 || error.status === 403)) return {}
    throw error
  }
}
/** Items and orders have no currency field: all are in the merchant's currency. */
export async function currencyFor(call: ReadCall, requested: string | undefined): Promise<string> {
  const currency = await currencyOf(call)
  if (requested !== undefined && requested !== currency)
    throw refusal('currency', `The merchant's currency is ${currency}, not ${requested}`)
  return currency
}
export function mustBeHere(call: ReadCall, location: string | undefined): void {
  const merchant = merchantOf(call.account)
  if ((location ?? merchant) !== merchant)
    throw refusal('merchant', `The account is the merchant ${merchant}, and that is its only location`)
}
/**
 * Removes lines or contacts. Clover documents no response that would confirm it, so `present` reads which ones are
 * left, and those are removed once more.
 */
export async function removeAll(
  call: WriteCall,
  to: string,
  ids: readonly string[],
  present: () => Promise<readonly { id?: string }[]>,
): Promise<void> {
  const leftOf = async (some: readonly string[]) => {
    const there = new Set((await present()).map(({ id }) => id))
    return some.filter((id) => there.has(id))
  }
  let left = ids
  for (const step of ['remove', 'remove-again']) {
    if (left.length === 0) return
    for (const id of left)
      await ifFound(
        call.write(`${step}-${id}`, {
          request: del(to + path`/${id}`),
          read: () => true,
          recovery: { find: async () => (await leftOf([id])).length === 0 || undefined },
        }),
      )
    left = await leftOf(left)
  }
  if (left.length > 0)
    throw new NativeFailure({ kind: 'unavailable', message: `Clover did not remove ${left.join(', ')}` })
}
/**
 * Clover silently cuts a longer span of orders or payments to its last 90 days:
 * https://docs.clover.com/docs/limits-added-to-calls-to-payments-and-orders-endpoints. One day is left for clock
 * differences.
 */
export const windowMs = 89 * 86_400_000
/** No record is older than the merchant. Clover launched in 2012. */
export const openedAt = (call: ReadCall): Promise<string> =>
  call.cached(
    'opened',
    async () => fromUnixMs((await call.read(get(below(call, '')))).body.createdTime) ?? '2012-01-01T00:00:00.000Z',
  )
