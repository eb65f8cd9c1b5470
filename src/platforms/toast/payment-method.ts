// Toast's own payment types have no list: they are fixed. A restaurant adds others, which do.
import type { EntityAdapter } from '../../contract/connector.ts'
import type { MethodType } from '../../contract/money-words.ts'
import { text } from '../../kit/fields.ts'
import { displayName } from '../../kit/names.ts'
import { pageAfter } from '../../kit/paging.ts'
import { type PaymentType, paymentTypes } from './account.ts'

export const fixedMethods: Readonly<Record<string, { name: string; type: MethodType }>> = {
  CASH: { name: 'Cash', type: 'CASH' },
  CREDIT: { name: 'Credit card', type: 'CARD' },
  GIFTCARD: { name: 'Gift card', type: 'GIFT_CARD' },
  HOUSE_ACCOUNT: { name: 'House account', type: 'HOUSE_ACCOUNT' },
  LEVELUP: { name: 'LevelUp', type: 'LOYALTY' },
  REWARDCARD: { name: 'Rewards card', type: 'LOYALTY' },
  TOAST_SV: { name: 'Toast Cash', type: 'GIFT_CARD' },
}
/** The method of a payment, by the word of its type or by the GUID of the restaurant's type. */
export function methodOf(payment: { type?: string | null; otherPayment?: { guid?: string | null } | null }): {
  method?: string
  type: MethodType
} {
  const word = text(payment.type) ?? ''
  const fixed = Object.hasOwn(fixedMethods, word) ? fixedMethods[word] : undefined
  const method = fixed ? word : text(payment.otherPayment?.guid)
  return { ...(method !== undefined && { method }), type: fixed?.type ?? 'OTHER' }
}

const fixed: readonly PaymentType[] = Object.entries(fixedMethods).map(([guid, { name }]) => ({ guid, name }))

export const paymentMethod: EntityAdapter<'payment_method', PaymentType, string> = {
  id: (row) => row.guid,
  toUnified: (row, { account }) => ({
    externalId: row.guid,
    name: displayName(row.name, row.guid)!,
    type: fixedMethods[row.guid]?.type ?? 'OTHER',
    active: true, // an archived one is no longer listed
    locationExternalId: account.settings.restaurantGuid,
  }),
  list: {
    pageLimit: 200,
    updatedAfter: 'none', // the fixed ones have no time
    page: async (call, query, at) =>
      pageAfter([...fixed, ...(await paymentTypes(call, 'again'))], ({ guid }) => guid, query, at),
  },
  get: async (call, id) =>
    fixed.find(({ guid }) => guid === id) ?? (await paymentTypes(call, 'again')).find(({ guid }) => guid === id),
}
