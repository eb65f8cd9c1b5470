// Facts about the whole account: currency, stores, and the settings that writes need.
// https://developer.loyverse.com/docs/#tag/Merchant
import type { ReadCall } from '../../contract/connector.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { refusal, requirement } from '../../kit/errors.ts'
import { compact, text } from '../../kit/fields.ts'
import { sameMerchant } from '../../kit/merchant.ts'
import { toDecimal } from '../../kit/money.ts'
import { get } from '../../kit/requests.ts'
import { type ListName, readAll, type Stamped } from './listing.ts'

export interface Currency {
  code: string
  decimal_places?: number
}
export interface Store extends Stamped {
  id: string
  name?: string
}
export const merchantCurrency = (call: ReadCall): Promise<Currency> =>
  call.cached('currency', async () => (await call.read(get('/v1.0/merchant/'))).body.currency as Currency)

/** An account has one currency; another one cannot be stored. */
export async function checkCurrency(call: ReadCall, requested: string | undefined): Promise<Currency> {
  const currency = await merchantCurrency(call)
  if (requested !== undefined && requested !== currency.code)
    throw refusal('currency', `The account's currency is ${currency.code}`)
  return currency
}
/** Loyverse stores the decimals that are usual in the merchant's country, which may be fewer than the currency has. */
export function toAmount(amount: number, { code, decimal_places: places }: Currency, native: string): number {
  if (places !== undefined && Number(amount.toFixed(places)) !== amount)
    throw refusal(native, `Loyverse keeps ${places} decimals of ${code}`)
  return Number(toDecimal(amount, code, native))
}
const present = <T extends Stamped>(records: readonly T[]): T[] => records.filter(({ deleted_at }) => !deleted_at)

export const stores = (call: ReadCall): Promise<Store[]> =>
  call.cached('stores', async () => present(await readAll<Store>(call, 'stores')))

/** The store of a record without one: the account's setting, otherwise its only store. */
export async function homeStore(call: ReadCall, native: string): Promise<string> {
  const chosen = text(call.account.settings.storeId)
  if (chosen !== undefined) return chosen
  const [only, ...others] = await stores(call)
  if (!only || others.length) throw requirement(native, 'The account has several stores: set storeId in its settings')
  return only.id
}

/**
 * Determined if there is exactly one choice. A token without the permission to read it does not prevent the connection.
 */
async function only(call: ReadCall, name: ListName): Promise<string | undefined> {
  try {
    const found = present(await readAll<Store>(call, name))
    return found.length === 1 ? found[0]!.id : undefined
  } catch (error) {
    if (error instanceof NativeFailure && error.error.kind === 'forbidden') return undefined
    throw error
  }
}
async function merchant(call: ReadCall): Promise<string | undefined> {
  try {
    return text((await call.read(get('/v1.0/merchant/'))).body.id)
  } catch (error) {
    if (error instanceof NativeFailure && error.error.kind === 'forbidden') return undefined
    throw error
  }
}
export const discover = async (call: ReadCall): Promise<Readonly<Record<string, string>>> =>
  compact({
    merchantId: sameMerchant(call, 'Loyverse', await merchant(call)),
    storeId: await only(call, 'stores'),
    paymentTypeId: await only(call, 'payment_types'),
    taxId: await only(call, 'taxes'),
  }) as Record<string, string>
