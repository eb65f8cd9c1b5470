import type { EntityAdapter, ReadCall } from '../../contract/connector.ts'
import type { PaymentMethod } from '../../contract/entities/payment-method.ts'
import type { MethodType } from '../../contract/money-words.ts'
import { flag, text } from '../../kit/fields.ts'
import { flatEntity } from '../../kit/flat.ts'
import { get } from '../../kit/requests.ts'
import { fieldTable } from '../../kit/table.ts'
import type { NumberPlace } from '../../kit/walk-by-number.ts'
import { below, merchantOf, rowsIn } from './account.ts'
import { byCreation, largestPage } from './listing.ts'

export interface NativeTender {
  id: string
  label?: string
  labelKey?: string | null // of Clover's own tenders; the merchant's own ones have none
  enabled?: boolean
  supportsTipping?: boolean
  opensCashDrawer?: boolean
}
/** The keys are in the models of the Android SDK: https://github.com/clover/clover-android-sdk */
const types: Readonly<Record<string, MethodType>> = {
  'com.clover.tender.cash': 'CASH',
  'com.clover.tender.credit_card': 'CARD',
  'com.clover.tender.debit_card': 'CARD',
  'com.clover.tender.external_pin_debit': 'CARD',
  'com.clover.tender.check': 'CHECK',
  'com.clover.tender.external_gift_card': 'GIFT_CARD',
  'com.clover.paypal': 'WALLET',
  'com.clover.venmo': 'WALLET',
}
export const typeOfTender = ({ labelKey }: Pick<NativeTender, 'labelKey'>): MethodType =>
  types[text(labelKey) ?? ''] ?? 'OTHER'

export const readTenders = async (call: ReadCall): Promise<NativeTender[]> =>
  rowsIn(await call.read(get(below(call, '/tenders'), { limit: largestPage })))

const table = fieldTable<'payment_method', NativeTender>({
  '/name': { from: (row) => text(row.label) ?? row.id },
  '/type': { from: typeOfTender },
  '/active': ['/enabled', { read: flag }],
  '/acceptsTips': ['/supportsTipping', { read: flag }],
  '/opensDrawer': ['/opensCashDrawer', { read: flag }],
  '/locationExternalId': { from: (_, { account }): PaymentMethod['locationExternalId'] => merchantOf(account) },
})

export const paymentMethod: EntityAdapter<'payment_method', NativeTender, NumberPlace> = flatEntity('payment_method', {
  id: (row) => row.id,
  table,
  list: {
    pageLimit: largestPage,
    updatedAfter: 'none', // a tender has no times
    page: byCreation(async (call, _, page) =>
      rowsIn<NativeTender>(await call.read(get(below(call, '/tenders'), page))),
    ),
  },
  get: async (call, id) => (await readTenders(call)).find((row) => row.id === id),
})
