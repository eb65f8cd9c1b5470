// The enabled payment methods of a store. BigCommerce calls the list deprecated, and it may lack some:
// https://developer.bigcommerce.com/docs/rest-payments/methods
import type { ReadCall } from '../../contract/connector.ts'
import type { MethodType } from '../../contract/money-words.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { list, text } from '../../kit/fields.ts'
import { flatEntity } from '../../kit/flat.ts'
import { pageAfter } from '../../kit/paging.ts'
import { get } from '../../kit/requests.ts'
import { v2 } from './account.ts'
import { missingScope } from './error.ts'

const kinds: readonly (readonly [RegExp, MethodType])[] = [
  [/store ?credit/i, 'STORE_CREDIT'],
  [/gift ?cert/i, 'GIFT_CARD'],
  [/klarna|afterpay|affirm|sezzle|\bzip\b|clearpay|pay later/i, 'BNPL'],
  [/paypal|apple ?pay|google ?pay|amazon|venmo|wallet/i, 'WALLET'],
  [/cash|\bcod\b/i, 'CASH'],
  [/che(ck|que)|money order/i, 'CHECK'],
  [/bank|wire|transfer|sepa|\bach\b/i, 'BANK_TRANSFER'],
  [/purchase order/i, 'HOUSE_ACCOUNT'],
  [/card|braintree|stripe|authorize\.?net|square|worldpay|adyen|bigpay/i, 'CARD'],
]
/** Of the name that a store gives to a method, or the code of its provider. */
export const kindOfMethod = (name: string | undefined): MethodType =>
  kinds.find(([words]) => words.test(name ?? ''))?.[1] ?? 'OTHER'

const scope = 'store_payments_methods_read'
interface NativeMethod {
  code: string
  name?: string
  test_mode?: boolean
}
const perPage = 250
async function readMethods(call: ReadCall): Promise<NativeMethod[]> {
  const found: NativeMethod[] = []
  for (let page = 1, more = true; more; page++) {
    const rows = list<NativeMethod>(
      (await call.read(get(v2(call, '/payments/methods'), { page, limit: perPage }))).body,
    )
    found.push(...rows)
    more = rows.length === perPage
  }
  return found
}

/** The ids of methods by the names that orders have. None if the account may not read them. */
export const methodIds = (call: ReadCall): Promise<Readonly<Record<string, string>>> =>
  call.cached('payment methods', async () => {
    if (call.account.settings.scope?.split(/\s+/).includes(scope) === false) return {}
    try {
      return Object.fromEntries((await readMethods(call)).map(({ code, name }) => [text(name) ?? code, code]))
    } catch (error) {
      if (error instanceof NativeFailure && error.error.code === missingScope) return {}
      throw error
    }
  })

export const paymentMethod = flatEntity<'payment_method', NativeMethod, string>('payment_method', {
  id: ({ code }) => code,
  toUnified: ({ code, name }) => ({
    externalId: code,
    name: text(name) ?? code,
    type: kindOfMethod(`${text(name) ?? ''} ${code}`),
    active: true, // others are not listed
  }),
  scopes: { read: [scope] },
  list: {
    pageLimit: 250,
    updatedAfter: 'none',
    page: async (call, query, after) => pageAfter(await readMethods(call), ({ code }) => code, query, after),
  },
  get: async (call, id) => (await readMethods(call)).find(({ code }) => code === id),
})
