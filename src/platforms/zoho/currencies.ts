// Contacts are written with the id of a currency, never with its code.
import type { ReadCall } from '../../contract/connector.ts'
import { refusal } from '../../kit/errors.ts'
import { list, text } from '../../kit/fields.ts'
import { get } from '../../kit/requests.ts'
import type { ZohoProduct } from './zoho-product.ts'

interface NativeCurrency {
  currency_id: string | number
  currency_code: string
}

const readCurrencies = async (call: ReadCall, { base }: ZohoProduct): Promise<Record<string, string>> => {
  const { body } = await call.read(get(`${base}/settings/currencies`, { per_page: 200 }))
  return Object.fromEntries(list<NativeCurrency>(body.currencies).map(({ currency_id, currency_code }) => [text(currency_code)?.toUpperCase(), String(currency_id)]))
}

export async function currencyId(call: ReadCall, product: ZohoProduct, code: string): Promise<string> {
  const kept = await call.cached('currencies', () => readCurrencies(call, product))
  if (kept[code]) return kept[code]
  const now = await readCurrencies(call, product) // it may have been added since
  const id = now[code]
  if (!id) throw refusal('currency_id', `is not a currency of this organization, which has ${Object.keys(now).toSorted().join(', ')}`)
  return id
}
