// The merchant that every path is below, and the few facts about it that are needed everywhere.
import type { AccountView, NativeResponse, ReadCall } from '../../contract/connector.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { refusal } from '../../kit/errors.ts'
import { list, text } from '../../kit/fields.ts'
import { get, path } from '../../kit/requests.ts'
import { fromUnixMs } from '../../kit/time.ts'

/** Every collection is wrapped, nested ones too. */
export interface Elements<T> {
  elements?: T[]
}
export const elementsOf = <T>(collection: Elements<T> | undefined): readonly T[] => list(collection?.elements)
export const rowsIn = <T>({ body }: NativeResponse): T[] => [...elementsOf<T>(body)]

/** Clover tells it only in the redirect after consent. */
export function merchantOf({ settings }: AccountView): string {
  if (!settings.merchantId)
    throw new NativeFailure({ kind: 'reconnect', message: 'The account has no merchantId' }, 401)
  return settings.merchantId
}
export const below = ({ account }: ReadCall, rest: string): string => path`/v3/merchants/${merchantOf(account)}` + rest

export const currencyOf = (call: ReadCall): Promise<string> =>
  call.cached('currency', async () => {
    const { body } = await call.read(get(below(call, '/properties')))
    const currency = text(body.defaultCurrency)
    if (!currency)
      throw new NativeFailure({ kind: 'unavailable', message: "Clover does not tell the merchant's currency" }, 502)
    return currency
  })
/** Items and orders have no currency of their own: all are in the merchant's. */
export async function currencyFor(call: ReadCall, wanted: string | undefined): Promise<string> {
  const currency = await currencyOf(call)
  if (wanted !== undefined && wanted !== currency)
    throw refusal('currency', `The merchant works in ${currency}, not in ${wanted}`)
  return currency
}
/** Nothing is older than the merchant. Clover began to sell in 2012. */
export const openedAt = (call: ReadCall): Promise<string> =>
  call.cached(
    'opened',
    async () => fromUnixMs((await call.read(get(below(call, '')))).body.createdTime) ?? '2012-01-01T00:00:00.000Z',
  )
