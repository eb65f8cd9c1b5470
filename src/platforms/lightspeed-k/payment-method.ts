// Ways to pay of a location: https://api-docs.lsk.lightspeed.app/operation/operation-financial-apigetpaymentmethods
import type { AccountView, ReadCall } from '../../contract/connector.ts'
import { type MethodType, methodTypes } from '../../contract/money-words.ts'
import { list, text } from '../../kit/fields.ts'
import { flatEntity } from '../../kit/flat.ts'
import { pageAfter } from '../../kit/paging.ts'
import { get, path } from '../../kit/requests.ts'
import { fieldTable } from '../../kit/table.ts'
import { locationOf } from './account.ts'

interface PaymentMethod {
  pmId: number
  name?: string
  code?: string // what sales and payments name
}
export const readMethods = async (call: ReadCall): Promise<readonly PaymentMethod[]> =>
  list((await call.read(get(path`/f/finance/${locationOf(call)}/paymentMethods`))).body?._embedded?.paymentMethodList)

const isMethodType = (word: string): word is MethodType => (methodTypes as readonly string[]).includes(word)
/** "VISA=CARD, TR=VOUCHER": codes are chosen by the merchant, so the merchant says what they are. */
export function methodTypeOf(code: unknown, { settings }: AccountView): MethodType {
  const name = text(code)?.toUpperCase() ?? ''
  for (const pair of (settings.paymentTypes ?? '').split(',')) {
    const [given = '', type = ''] = pair.split('=').map((part) => part.trim().toUpperCase())
    if (given === name && isMethodType(type)) return type
  }
  return name === 'CASH' ? 'CASH' : 'OTHER'
}

export const paymentMethod = flatEntity('payment_method', {
  scopes: { read: ['financial-api'] },
  id: (row: PaymentMethod) => String(row.pmId),
  table: fieldTable<'payment_method', PaymentMethod>({
    '/name': { from: ({ name, code, pmId }) => text(name) ?? text(code) ?? String(pmId) },
    '/type': { from: ({ code }, { account }) => methodTypeOf(code, account) },
    '/locationExternalId': { from: (_, { account }) => text(account.settings.businessLocationId) },
  }),
  list: {
    pageLimit: 1000,
    updatedAfter: 'none',
    page: async (call, query, after?: number) => pageAfter(await readMethods(call), ({ pmId }) => pmId, query, after),
  },
  get: async (call, id) => (await readMethods(call)).find(({ pmId }) => String(pmId) === id),
})
