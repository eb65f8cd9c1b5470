// Payment types of the merchant. https://developer.loyverse.com/docs/#tag/Payment-Types
import type { EntityAdapter } from '../../contract/connector.ts'
import type { MethodType } from '../../contract/money-words.ts'
import { list, text } from '../../kit/fields.ts'
import { type Stamped, wholeList } from './listing.ts'

interface NativePaymentType extends Stamped {
  id: string
  name?: string
  type?: string
  stores?: readonly string[] | null
}
/** Most types are terminals of a company, all for cards. New ones appear without notice. */
const terminals =
  'NONINTEGRATEDCARD WORLDPAY COINEY IZETTLE SUMUP TYRO CHECURITY SMARTPAY YOCO NICEPAY PAYGATE EZETAP FIRSTDATA SOFTBANK ONEPAY KICC MERCADOPAGO'
const types: ReadonlyMap<string, MethodType> = new Map<string, MethodType>([
  ['CASH', 'CASH'],
  ['CHECK', 'CHECK'],
  ...terminals.split(' ').map((name): [string, MethodType] => [name, 'CARD']),
])
export const methodTypeOf = (type: unknown): MethodType | undefined => {
  const word = text(type)?.toUpperCase()
  return word === undefined ? undefined : (types.get(word) ?? 'OTHER')
}

export const paymentMethod: EntityAdapter<'payment_method', NativePaymentType, string> = {
  ...wholeList<NativePaymentType>('payment_types', 'payment_type_ids'),
  id: ({ id }) => id,
  scopes: { read: ['PAYMENT_TYPES_READ'] },
  toUnified: (row) => {
    const stores = list(row.stores)
    return {
      externalId: row.id,
      name: text(row.name) ?? row.id,
      type: methodTypeOf(row.type),
      active: !row.deleted_at,
      locationExternalId: stores.length === 1 ? text(stores[0]) : undefined,
    }
  },
}
