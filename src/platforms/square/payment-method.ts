// Square lists no payment methods: they are the sources that a payment can have.
import type { EntityAdapter } from '../../contract/connector.ts'
import type { MethodType } from '../../contract/money-words.ts'
import { text } from '../../kit/fields.ts'
import { flatEntity } from '../../kit/flat.ts'
import { pageAfter } from '../../kit/paging.ts'

interface Method {
  id: string
  name: string
  type: MethodType
}
const of = (id: string, name: string, type: MethodType): Method => ({ id, name, type })
const sources: readonly Method[] = [
  of('CARD', 'Card', 'CARD'),
  of('SQUARE_GIFT_CARD', 'Square Gift Card', 'GIFT_CARD'),
  of('CASH', 'Cash', 'CASH'),
  of('WALLET', 'Digital wallet', 'WALLET'),
  of('BANK_ACCOUNT', 'Bank account', 'BANK_TRANSFER'),
  of('BUY_NOW_PAY_LATER', 'Afterpay', 'BNPL'),
  of('SQUARE_ACCOUNT', 'Square account', 'OTHER'),
]
/** Money that moved outside of Square, by `external_details.type`. The first one of a type is the one that is written. */
const external: readonly Method[] = [
  of('OTHER', 'Other', 'OTHER'),
  of('CHECK', 'Check', 'CHECK'),
  of('BANK_TRANSFER', 'Bank transfer', 'BANK_TRANSFER'),
  of('OTHER_GIFT_CARD', 'Gift card of another system', 'GIFT_CARD'),
  of('FOOD_VOUCHER', 'Food voucher', 'VOUCHER'),
  of('STORED_BALANCE', 'Stored balance', 'STORE_CREDIT'),
  of('CARD', 'Card, not processed by Square', 'CARD'),
  of('EMONEY', 'E-money', 'WALLET'),
  of('SQUARE_CASH', 'Cash App', 'WALLET'),
  of('CRYPTO', 'Cryptocurrency', 'OTHER'),
  of('SOCIAL', 'Social network', 'OTHER'),
  of('EXTERNAL', 'Third party', 'OTHER'),
]
const prefix = 'EXTERNAL_'
const methods = [...sources, ...external.map(({ id, ...method }) => ({ id: prefix + id, ...method }))]

export interface Source {
  source_type?: string
  card_details?: { card?: { card_brand?: string } } | null
  external_details?: { type?: string } | null
}
/** The method of a payment; undefined for a source that is newer than this list. */
export function methodOf({ source_type, card_details, external_details }: Source): Method | undefined {
  const source = text(source_type)
  const giftCard = source === 'CARD' && text(card_details?.card?.card_brand) === 'SQUARE_GIFT_CARD'
  const id = source === 'EXTERNAL' ? prefix + text(external_details?.type) : giftCard ? 'SQUARE_GIFT_CARD' : source
  return methods.find((method) => method.id === id)
}
/** The type of an external payment. */
export const externalType = (type: MethodType | undefined): string | undefined =>
  external.find((method) => method.type === type)?.id

export const paymentMethod: EntityAdapter<'payment_method', Method, string> = flatEntity('payment_method', {
  id: (row) => row.id,
  toUnified: ({ id, name, type }) => ({ externalId: id, name, type, active: true }),
  list: {
    pageLimit: 100,
    updatedAfter: 'none',
    page: async (_, query, after) => pageAfter(methods, ({ id }) => id, query, after),
  },
  get: async (_, id) => methods.find((method) => method.id === id),
})
