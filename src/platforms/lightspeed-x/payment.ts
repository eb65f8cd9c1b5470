// Payments are parts of sales: there is no list of payments, and a payment alone does not name its sale.
// https://x-series-api.lightspeedhq.com/reference/listsales
import type { EntityAdapter, Excluded, Mapping, ReadCall } from '../../contract/connector.ts'
import type { Payment } from '../../contract/entities/payment.ts'
import { businessDateOf } from '../../kit/business-day.ts'
import { list, text } from '../../kit/fields.ts'
import { fromMinor } from '../../kit/money.ts'
import { toUtc } from '../../kit/time.ts'
import { readShop, type Shop, zonesOf } from './account.ts'
import { living, modifiedAt, pageLimit, walkByVersion } from './api.ts'
import { exact, isRounding, type NativePayment, type NativeSale, rounded, sumsOf, unitOf } from './order-money.ts'
import { excludedOf, readSale, zoneOf } from './order-row.ts'
import { methodTypeOf, type PaymentType, typesOf } from './payment-method.ts'

export interface PaymentRow {
  sale: NativeSale
  payment: NativePayment
  change?: readonly NativePayment[] // what was given back: negative
  isOnly: boolean
  shop?: Shop
  zone?: string
  type?: PaymentType
}
const walk = walkByVersion<NativeSale>('/sales', {
  version: ({ _metadata }) => _metadata?.version,
  stamps: (sale) => sale,
})

/** What was paid, without the payments that only say how much was rounded. */
export const paidIn = ({ payments }: NativeSale): NativePayment[] =>
  list(payments).filter((payment) => living(payment) && !isRounding(payment))
const typeIdOf = ({ type }: NativePayment): string | undefined => text(type?.config_id)

/** Change is a negative payment of the same type. The payments of a return are those of a refund. */
function paymentsOf(sale: NativeSale, shop: Shop): Pick<PaymentRow, 'sale' | 'payment' | 'change' | 'isOnly'>[] {
  if (excludedOf({ sale, shop })) return []
  const all = paidIn(sale)
  const given = all.filter(({ amount }) => exact(amount) >= 0)
  const back = all.filter(({ amount }) => exact(amount) < 0)
  const changeOf = (payment: NativePayment, n: number) =>
    given.findIndex((one) => typeIdOf(one) === typeIdOf(payment)) === n
      ? back.filter((one) => typeIdOf(one) === typeIdOf(payment))
      : []
  const rows = given.map((payment, n) => ({ payment, change: changeOf(payment, n) }))
  const settled = rows.flatMap(({ change }) => change)
  const rest = back.filter((payment) => !settled.includes(payment))
  const isOnly = rows.length === 1 && rest.length === 0
  return [
    ...rows.map((row) => ({ sale, isOnly, ...row })),
    ...rest.map((payment) => ({ sale, payment, isOnly: false })),
  ]
}
async function rowsOf(call: ReadCall, sales: readonly NativeSale[]): Promise<PaymentRow[]> {
  const [shop, zones, types] = [await readShop(call), await zonesOf(call), await typesOf(call)]
  return sales.flatMap((sale) =>
    paymentsOf(sale, shop).map((row) => ({
      ...row,
      shop,
      zone: zones.get(text(sale.source?.outlet_id) ?? ''),
      type: types.get(typeIdOf(row.payment) ?? ''),
    })),
  )
}
const idOf = ({ sale, payment }: Pick<PaymentRow, 'sale' | 'payment'>): string => `${sale.id}:${payment.id}`

/** What an exchange gives back is no payment: the total of its order is negative. */
const moneyBack = ({ sale, payment }: PaymentRow): Excluded | undefined =>
  exact(payment.amount) < 0 ? { as: 'refund', of: sale.id } : undefined

/** A tip belongs to the whole sale: it is known to be on a payment only if there is no other one. */
function tipIn({ sale, shop, isOnly }: PaymentRow, paid: number): number {
  if (list(sale.adjustments).length === 0) return 0
  const { tip, total } = sumsOf(sale, text(shop?.discountProduct), text(shop?.currency))
  if (!tip || !isOnly || tip.amount >= paid) return 0
  const unit = unitOf(text(shop?.currency))
  return tip.isInTotal || rounded(paid, unit) === rounded((total ?? 0) + tip.amount, unit) ? tip.amount : 0
}
function toUnified(row: PaymentRow, mapping: Mapping): Payment {
  const { sale, payment, shop } = row
  const currency = text(shop?.currency)
  const money = (amount: number) => fromMinor(rounded(amount, unitOf(currency)), currency)!
  const type = row.type ? methodTypeOf(row.type) : undefined
  const change = list(row.change).reduce((sum, { amount }) => sum + exact(amount), 0)
  const paid = exact(payment.amount) + change
  const tip = tipIn(row, paid)
  const surcharge = exact(payment.surcharge?.amount)
  const processedAt = toUtc(payment.date) ?? toUtc(sale.date)
  const attributes = list(payment.external_attributes)
  const first = (values: readonly unknown[]) => values.map(text).find((value) => value !== undefined)
  const hasChange = type === 'CASH' && change !== 0
  return {
    externalId: idOf(row),
    amount: money(paid - tip),
    currencyCode: currency,
    tip: tip === 0 ? undefined : money(tip),
    surcharge: surcharge === 0 ? undefined : money(surcharge),
    cashTendered: hasChange ? money(paid - change) : undefined,
    changeGiven: hasChange ? money(-change) : undefined,
    orderExternalId: sale.id,
    locationExternalId: text(payment.source?.outlet_id) ?? text(sale.source?.outlet_id),
    customerExternalId: text(sale.customer_id),
    paymentMethodExternalId: typeIdOf(payment),
    methodType: type,
    methodName: text(payment.type?.name),
    state: text(sale.state) === 'voided' ? 'CANCELED' : 'COMPLETED',
    processedAt,
    businessDate: businessDateOf(processedAt, zoneOf(row), mapping.account.settings),
    cardLast4: first(attributes.map(({ card_last_four_digits }) => card_last_four_digits)),
    reference: first([...attributes.map(({ transaction_id }) => transaction_id), payment.source?.id]),
  }
}

export const payment: EntityAdapter<'payment', PaymentRow, number> = {
  id: idOf,
  toUnified,
  excluded: moneyBack,
  scopes: {
    read: ['sales:read'],
    lacking: {
      'payment_types:read': { pointer: '/methodType', message: 'Lightspeed returns no kinds of payment types.' },
    },
  },
  list: {
    pageLimit,
    updatedAfter: 'service',
    modifiedAt: ({ sale }) => modifiedAt(sale),
    stampPrecision: 'seconds',
    page: async (call, query, at) => {
      const { rows, next } = await walk(call, query, at)
      return { rows: await rowsOf(call, rows), next }
    },
  },
  get: async (call, id) => {
    const [saleId = ''] = id.split(':')
    const sale = await readSale(call, saleId)
    return sale && (await rowsOf(call, [sale])).find((row) => idOf(row) === id)
  },
}
