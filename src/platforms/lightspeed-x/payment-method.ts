// Payment types of the shop. https://x-series-api.lightspeedhq.com/reference/listpaymenttypes
import type { EntityAdapter, ReadCall } from '../../contract/connector.ts'
import type { MethodType } from '../../contract/money-words.ts'
import { list, number, text } from '../../kit/fields.ts'
import { get } from '../../kit/requests.ts'
import { api, living, may, pageLimit, type Stamped } from './api.ts'

export interface PaymentType extends Stamped {
  name?: string
  type_id?: number // of the platform: several types of a shop may have the same
  disabled?: boolean
  outlet_ids?: readonly string[] | null
  payment_type?: { category?: string; subcategory?: string; name?: string } | null
}
/** The ids that the vendor's examples name. */
const known: Readonly<Record<number, MethodType>> = { 1: 'CASH', 3: 'CARD', 106: 'LOYALTY', 118: 'GIFT_CARD' }
/** The words of categories are not documented; a shop cannot change them, unlike the names of its types. */
const words: readonly (readonly [RegExp, MethodType])[] = [
  [/gift/, 'GIFT_CARD'],
  [/loyalty/, 'LOYALTY'],
  [/store.?credit/, 'STORE_CREDIT'],
  [/on.?account|house/, 'HOUSE_ACCOUNT'],
  [/cheque|check/, 'CHECK'],
  [/voucher/, 'VOUCHER'],
  [/bank|transfer/, 'BANK_TRANSFER'],
  [/card|eftpos|terminal|integrated/, 'CARD'],
  [/rounding/, 'OTHER'],
  [/cash/, 'CASH'],
]
const inWords = (value: unknown): MethodType | undefined => {
  const word = text(value)?.toLowerCase()
  return word === undefined ? undefined : words.find(([pattern]) => pattern.test(word))?.[1]
}
export const methodTypeOf = ({ type_id, payment_type }: PaymentType): MethodType =>
  known[number(type_id) ?? 0] ??
  inWords(payment_type?.category) ??
  inWords(payment_type?.subcategory) ??
  inWords(payment_type?.name) ??
  'OTHER'

const address = `${api}/payment_types`
const readTypes = async (call: ReadCall): Promise<readonly PaymentType[]> =>
  list<PaymentType>((await call.read(get(address, { page_size: 1000, deleted: true }))).body?.data)
/** By id; none if the account may not read them. */
export const typesOf = async (call: ReadCall): Promise<ReadonlyMap<string, PaymentType>> =>
  new Map(
    (may(call, 'payment_types:read') ? await call.cached('payment types', () => readTypes(call)) : []).map((type) => [
      type.id,
      type,
    ]),
  )

export const paymentMethod: EntityAdapter<'payment_method', PaymentType, number> = {
  id: ({ id }) => id,
  scopes: { read: ['payment_types:read'] },
  toUnified: (row) => {
    const outlets = list(row.outlet_ids)
    return {
      externalId: row.id,
      name: text(row.name) ?? row.id,
      type: methodTypeOf(row),
      active: living(row) && row.disabled !== true,
      locationExternalId: outlets.length === 1 ? text(outlets[0]) : undefined,
    }
  },
  list: {
    pageLimit,
    updatedAfter: 'none', // payment types have no time of modification
    page: async (call, { size }, after = 0) => {
      const { body } = await call.read(get(address, { after, page_size: size, deleted: true }))
      const rows = [...list<PaymentType>(body.data)]
      return rows.length > 0 ? { rows, next: body.version.max } : { rows }
    },
  },
  // There is no call for one.
  get: async (call, wanted) => (await readTypes(call)).find(({ id }) => id === wanted),
}
