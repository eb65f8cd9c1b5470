// Payments of orders: https://docs.clover.com/dev/reference/paygetpayments. A new one is a record of money that moved
// elsewhere; Clover charges cards on its devices only.
import type { EntityAdapter, ReadCall, WriteCall } from '../../contract/connector.ts'
import type { Payment, PaymentState } from '../../contract/entities/payment.ts'
import type { MethodType } from '../../contract/money-words.ts'
import { businessDateOf, zoneOf } from '../../kit/business-day.ts'
import { ifFound, refusal } from '../../kit/errors.ts'
import { compact, flag, number, text } from '../../kit/fields.ts'
import { fromMinor, toMinor } from '../../kit/money.ts'
import { type ChunkPlace, overChunks, type Window, windows } from '../../kit/paging.ts'
import { get, path, post } from '../../kit/requests.ts'
import { fromUnixMs, toUnixMs } from '../../kit/time.ts'
import type { TimePlace } from '../../kit/walk-by-time.ts'
import {
  below,
  currencyFor,
  currencyOf,
  type Elements,
  elementsOf,
  merchantOf,
  mustBeHere,
  openedAt,
  rowsIn,
  windowMs,
} from './account.ts'
import { byModification, type Joined } from './listing.ts'
import { share, whole } from './order-lines.ts'
import { type NativeOrder, paymentsOf, readOrder, refundedOf, totalsOf } from './order-row.ts'
import { type NativeTender, readTenders, typeOfTender } from './payment-method.ts'

interface NativePayment {
  id: string
  order?: { id?: string; testMode?: boolean }
  tender?: NativeTender
  employee?: { id?: string }
  amount?: number
  tipAmount?: number
  cashTendered?: number | null
  result?: string
  createdTime?: number
  clientCreatedTime?: number // of the device: an offline payment arrives later
  modifiedTime?: number
  externalPaymentId?: string
  externalReferenceId?: string
  note?: string
  cardTransaction?: { cardType?: string; last4?: string }
  refunds?: NativeOrder['refunds']
  additionalCharges?: Elements<{ amount?: number; type?: string }>
}
/** A payment with the merchant's currency. */
interface PaymentRow extends NativePayment {
  currency: string
}
/** A call has at most three expansions. What is a bare reference in one part must be expanded in a later one. */
const paymentParts = ['cardTransaction,refunds,additionalCharges', 'tender,order'] as const

const states: Readonly<Record<string, PaymentState>> = {
  SUCCESS: 'COMPLETED',
  AUTH_COMPLETED: 'COMPLETED',
  VOID_FAILED: 'COMPLETED',
  AUTH: 'AUTHORIZED',
  VOIDED: 'CANCELED',
  VOIDING: 'CANCELED',
  FAIL: 'FAILED',
  INITIATED: 'PENDING',
  PENDING: 'PENDING',
  OFFLINE_RETRYING: 'PENDING',
}
/** Clover keeps some discounts as payments. */
const isMoney = ({ result }: NativePayment): boolean => text(result) !== 'DISCOUNT'
/** A reference of this service, which finds a payment whose response was lost. */
const isOwn = (id: string | undefined): boolean => /^ur\w{14}$/.test(id ?? '')
function typeOf({ tender, cardTransaction }: NativePayment): MethodType | undefined {
  if (text(cardTransaction?.cardType) === 'GIFT_CARD') return 'GIFT_CARD'
  if (text(cardTransaction?.cardType)) return 'CARD'
  return tender && typeOfTender(tender)
}
/** What is taken off for paying in cash, and a fee for delivery, are no surcharge. */
const notSurcharges = ['CASH_DISCOUNT', 'DELIVERY_FEE']
function surchargeOf({ additionalCharges }: NativePayment): number | undefined {
  const charges = elementsOf(additionalCharges).filter(({ type }) => !notSurcharges.includes(text(type) ?? ''))
  return charges.length > 0 ? charges.reduce((sum, { amount }) => sum + whole(amount), 0) : undefined
}

const toUnified: EntityAdapter<'payment', PaymentRow>['toUnified'] = (row, { account, warn }) => {
  const money = (minor: number | undefined) => fromMinor(minor, row.currency)
  const result = text(row.result)
  const state = states[result ?? '']
  if (result !== undefined && !state) warn('/state', `Clover's result ${result} is unknown`)
  const processedAt = fromUnixMs(row.clientCreatedTime ?? row.createdTime)
  const tendered = number(row.cashTendered)
  const change = tendered === undefined ? undefined : tendered - whole(row.amount) - whole(row.tipAmount)
  const refunded = refundedOf(row.refunds)
  const methodType = typeOf(row)
  const hasCard = methodType === 'CARD' || methodType === 'GIFT_CARD'
  return {
    externalId: row.id,
    amount: money(whole(row.amount))!,
    currencyCode: row.currency,
    tip: money(row.tipAmount),
    surcharge: money(surchargeOf(row)),
    cashTendered: money(tendered),
    changeGiven: change === undefined || change < 0 ? undefined : money(change),
    refundedAmount: refunded > 0 ? money(refunded) : undefined,
    orderExternalId: text(row.order?.id),
    locationExternalId: merchantOf(account),
    employeeExternalId: text(row.employee?.id),
    paymentMethodExternalId: text(row.tender?.id),
    methodType,
    methodName: text(row.tender?.label),
    state,
    processedAt,
    businessDate: businessDateOf(processedAt, zoneOf(account.settings), account.settings),
    cardBrand: hasCard ? text(row.cardTransaction?.cardType) : undefined,
    cardLast4: hasCard ? text(row.cardTransaction?.last4) : undefined,
    reference:
      text(row.externalReferenceId) ?? (isOwn(row.externalPaymentId) ? undefined : text(row.externalPaymentId)),
    note: text(row.note),
  }
}

async function readPayment(call: ReadCall, id: string): Promise<PaymentRow | undefined> {
  const parts: NativePayment[] = []
  for (const expand of paymentParts) {
    const response = await ifFound(call.read(get(below(call, path`/payments/${id}`), { expand })))
    if (!response) return undefined
    parts.push(response.body)
  }
  const payment: NativePayment = Object.assign({}, ...parts)
  return isMoney(payment) ? { ...safe(payment), currency: await currencyOf(call) } : undefined
}
/** Never more of a card than its brand and last digits. */
function safe({ cardTransaction, ...payment }: NativePayment): NativePayment {
  const { cardType, last4 } = cardTransaction ?? {}
  return cardTransaction ? { ...payment, cardTransaction: compact({ cardType, last4 }) as object } : payment
}

/** An external tender of the merchant: the one that is named, whatever its kind, else the first of that kind. */
async function tenderFor(call: ReadCall, record: Payment): Promise<NativeTender> {
  const tenders = await readTenders(call)
  const { paymentMethodExternalId: id, methodType, methodName } = record
  if (id !== undefined) {
    const tender = tenders.find((one) => one.id === id)
    if (!tender) throw refusal('tender', `Clover has no tender ${id}`)
    if (typeOfTender(tender) === 'CARD') throw refusal('tender', 'Clover takes cards on its devices only')
    return tender
  }
  const alike = tenders.filter((one) => flag(one.enabled) !== false && typeOfTender(one) === (methodType ?? 'OTHER'))
  const tender = alike.find(({ label }) => methodName !== undefined && text(label) === methodName) ?? alike[0]
  if (!tender) throw refusal('methodType', `Clover has no tender of the kind ${methodType ?? 'OTHER'}`)
  return tender
}
/** The tax in a payment, in proportion; the last one gets what is left. */
async function taxIn(call: ReadCall, orderId: string, amount: number): Promise<number> {
  const order = await readOrder(call, orderId)
  if (!order) throw refusal('order', `Clover has no order ${orderId}`)
  const { shown = 0, tax } = totalsOf(order)
  const paid = paymentsOf(order)
  const left = tax - paid.reduce((sum, { taxAmount }) => sum + whole(taxAmount), 0)
  const due = shown - paid.reduce((sum, one) => sum + whole(one.amount), 0)
  return Math.max(0, due <= amount ? left : Math.min(left, share(amount, tax, Math.max(1, shown))))
}

async function create(call: WriteCall, record: Payment): Promise<{ id: string }> {
  const currency = await currencyFor(call, record.currencyCode)
  mustBeHere(call, record.locationExternalId)
  const orderId = record.orderExternalId!
  const amount = toMinor(record.amount, currency, 'amount')
  const tender = await tenderFor(call, record)
  const body = compact({
    tender: { id: tender.id },
    amount,
    tipAmount: record.tip === undefined ? undefined : toMinor(record.tip, currency, 'tipAmount'),
    taxAmount: await taxIn(call, orderId, amount),
    externalPaymentId: call.reference,
    note: record.note,
  })
  const filter = [`externalPaymentId=${call.reference}`]
  const id = await call.write('payment', {
    request: post(below(call, path`/orders/${orderId}/payments`), body),
    read: (response) => response.body.id as string,
    recovery: {
      find: async () =>
        rowsIn<NativePayment>(await call.read(get(below(call, '/payments'), { filter }))).find(
          (row) => row.externalPaymentId === call.reference,
        )?.id,
    },
  })
  return { id }
}

export const payment: EntityAdapter<'payment', PaymentRow, ChunkPlace<Window, TimePlace<number>>> = {
  id: (row) => row.id,
  excluded: (row) => (flag(row.order?.testMode) ? { as: 'test' } : undefined),
  toUnified,
  list: {
    pageLimit: 500,
    updatedAfter: 'platform',
    modifiedAt: (row) => fromUnixMs(row.modifiedTime),
    stampPrecision: 'seconds',
    page: overChunks<PaymentRow, Window, TimePlace<number>>(
      async (call, { updatedAfter }) => windows(updatedAfter ?? (await openedAt(call)), call.now, windowMs),
      async (call, query, { from, to }, at) => {
        const until = to === undefined ? undefined : toUnixMs(to)
        const walk = byModification<NativePayment>('/payments', paymentParts, until)
        const page = await walk(call, { ...query, updatedAfter: from }, at)
        if (page.rows.length === 0) return { ...page, rows: [] }
        const currency = await currencyOf(call)
        return { ...page, rows: page.rows.filter(isMoney).map((row) => ({ ...safe(row), currency })) }
      },
    ),
    complete: {
      size: 1,
      rows: async (call, rows) => {
        const finished: PaymentRow[] = []
        for (const listed of rows) {
          const { torn, ...row }: Joined<PaymentRow> = listed
          finished.push(torn ? ((await readPayment(call, row.id)) ?? row) : row)
        }
        return finished
      },
    },
  },
  get: readPayment,
  create: {
    requires: ['/orderExternalId'],
    values: {
      '/methodType': {
        only: ['CASH', 'CHECK', 'GIFT_CARD', 'WALLET', 'OTHER'],
        why: 'Clover takes cards on its devices only, and has no tenders of the other kinds',
      },
      '/state': { only: ['COMPLETED'], why: 'a payment of an external tender is complete' },
    },
    longest: { '/note': 255 },
    // A customer, an employee, a time and what was handed over are those of the device.
    notStored: {
      '/surcharge': true,
      '/cashTendered': true,
      '/changeGiven': true,
      '/employeeExternalId': true,
      '/customerExternalId': true,
      '/processedAt': true,
      '/cardBrand': true,
      '/cardLast4': true,
      '/reference': true,
    },
    derived: ['/methodName', '/methodType'],
    fields: {
      currency: '/currencyCode',
      merchant: '/locationExternalId',
      order: '/orderExternalId',
      tender: '/paymentMethodExternalId',
      amount: '/amount',
      tipAmount: '/tip',
      methodType: '/methodType',
    },
    check: ({ amount, tip = 0 }) => [
      ...(amount > 0 ? [] : [{ pointer: '/amount' as const, message: 'Clover takes positive amounts only' }]),
      ...(tip < 0 ? [{ pointer: '/tip' as const, message: 'A tip cannot be negative' }] : []),
    ],
    run: create,
  },
}
