// Money that went back: refunds of payments, and credits, which have no payment.
// https://docs.clover.com/dev/reference/paygetrefunds
import type { EntityAdapter, ReadCall } from '../../contract/connector.ts'
import type { Refund, RefundState } from '../../contract/entities/refund.ts'
import { businessDateOf, zoneOf } from '../../kit/business-day.ts'
import { ifFound } from '../../kit/errors.ts'
import { flag, number, text } from '../../kit/fields.ts'
import { fromMinor } from '../../kit/money.ts'
import { type ChunkPlace, overChunks, type Window, windows } from '../../kit/paging.ts'
import { get, path } from '../../kit/requests.ts'
import { fromUnixMs, toUnixMs } from '../../kit/time.ts'
import type { NumberPlace } from '../../kit/walk-by-number.ts'
import type { TimePlace } from '../../kit/walk-by-time.ts'
import { below, currencyOf, type Elements, elementsOf, merchantOf, openedAt, rowsIn, windowMs } from './account.ts'
import { byCreation, byModification, pageLimit } from './listing.ts'
import { whole } from './order-lines.ts'
import { typeOfTender } from './payment-method.ts'

interface NativeTenderRef {
  id?: string
  labelKey?: string | null
}
interface NativeBack {
  id: string
  orderRef?: { id?: string }
  amount?: number // of a refund with the tip
  taxAmount?: number
  tipAmount?: number
  employee?: { id?: string }
  createdTime?: number
  clientCreatedTime?: number
  voided?: boolean
  reason?: string
}
interface NativeRefund extends NativeBack {
  payment?: { id?: string; tender?: NativeTenderRef }
  status?: string
  overrideMerchantTender?: NativeTenderRef | null
  lineItems?: Elements<{ id: string }>
}
interface NativeCredit extends NativeBack {
  tender?: NativeTenderRef
  result?: string
  customers?: { id?: string }
}
interface OrderWithCredits {
  id: string
  modifiedTime?: number
  credits?: Elements<NativeCredit>
}
type RefundRow = { currency: string } & ({ refund: NativeRefund } | { credit: NativeCredit; orderId: string })
const expand = 'payment,lineItems'

const states: Readonly<Record<string, RefundState>> = {
  SUCCESS: 'COMPLETED',
  AUTH_COMPLETED: 'COMPLETED',
  VOID_FAILED: 'COMPLETED',
  PENDING: 'PENDING',
  INITIATED: 'PENDING',
  OFFLINE_RETRYING: 'PENDING',
  AUTH: 'PENDING',
  FAIL: 'FAILED',
  VOIDED: 'CANCELED',
  VOIDING: 'CANCELED',
}
/** A credit can be read with its order only, so its id has both. */
const idOf = (row: RefundRow): string => ('refund' in row ? row.refund.id : `${row.orderId}:${row.credit.id}`)

const toUnified: EntityAdapter<'refund', RefundRow>['toUnified'] = (row, { account, warn }) => {
  const { back, result, tender, lines, more } = partsOf(row)
  const money = (minor: number) => fromMinor(minor, row.currency) as number
  const state = flag(back.voided) ? 'CANCELED' : states[result ?? 'SUCCESS']
  if (!state) warn('/state', `Clover's status ${result} is unknown`)
  const processedAt = fromUnixMs(back.clientCreatedTime ?? back.createdTime)
  return {
    externalId: idOf(row),
    amount: money(whole(back.amount) - whole(back.tipAmount)),
    taxAmount: number(back.taxAmount) === undefined ? undefined : money(whole(back.taxAmount)),
    tip: number(back.tipAmount) === undefined ? undefined : money(whole(back.tipAmount)),
    currencyCode: row.currency,
    locationExternalId: merchantOf(account),
    employeeExternalId: text(back.employee?.id),
    kind: lines.length > 0 ? 'RETURN' : 'REFUND',
    reason: text(back.reason),
    state,
    processedAt,
    businessDate: businessDateOf(processedAt, zoneOf(account.settings), account.settings),
    paymentMethodExternalId: text(tender?.id),
    methodType: text(tender?.labelKey) ? typeOfTender(tender!) : undefined,
    lineItems: lines.length > 0 ? lines.map(({ id }) => ({ orderLineExternalId: text(id), quantity: 1 })) : undefined,
    ...more,
  } as Refund
}
function partsOf(row: RefundRow) {
  if ('credit' in row) {
    const { credit, orderId } = row
    const more = { orderExternalId: orderId, customerExternalId: text(credit.customers?.id) }
    return { back: credit, result: text(credit.result), tender: credit.tender, lines: [], more }
  }
  const { refund } = row
  return {
    back: refund,
    result: text(refund.status),
    tender: text(refund.overrideMerchantTender?.id) ? refund.overrideMerchantTender : refund.payment?.tender,
    lines: elementsOf(refund.lineItems),
    more: { orderExternalId: text(refund.orderRef?.id), paymentExternalId: text(refund.payment?.id) },
  }
}

/** Refunds have no modification time: they are walked by creation, and credits with the orders that they are in. */
interface Span extends Window {
  of: 'refunds' | 'credits'
}
const spanned = (call: ReadCall, from: string): (Span & { key: string })[] =>
  (['refunds', 'credits'] as const).flatMap((of) =>
    windows(from, call.now, windowMs).map((window) => ({ key: `${of} ${window.from}`, of, ...window })),
  )
const creditsIn = ({ id, credits }: OrderWithCredits, currency: string): RefundRow[] =>
  elementsOf(credits).map((credit) => ({ credit, orderId: id, currency }))

type Place = NumberPlace | TimePlace<number>
async function page(
  call: ReadCall,
  query: Parameters<EntityAdapter<'refund', RefundRow>['list']['page']>[1],
  { of, from, to }: Span,
  at?: Place,
) {
  const currency = await currencyOf(call)
  if (of === 'credits') {
    const walk = byModification<OrderWithCredits>('/orders', ['credits'], to === undefined ? undefined : toUnixMs(to))
    // Few orders have credits: pages are as large as they can be.
    const found = await walk(call, { ...query, size: pageLimit, updatedAfter: from }, at as TimePlace<number>)
    return { ...found, rows: found.rows.flatMap((order) => creditsIn(order, currency)) }
  }
  const filter = [`createdTime>=${toUnixMs(from)}`, ...(to === undefined ? [] : [`createdTime<${toUnixMs(to)}`])]
  const walk = byCreation<NativeRefund>(async (reading, _, place) =>
    rowsIn(await reading.read(get(below(reading, '/refunds'), { filter, expand, ...place }))),
  )
  const found = await walk(call, query, at as NumberPlace)
  return { ...found, rows: found.rows.map((refund) => ({ refund, currency })) }
}

async function readRefund(call: ReadCall, id: string): Promise<RefundRow | undefined> {
  const currency = await currencyOf(call)
  const [, orderId, creditId] = /^([^:]+):([^:]+)$/.exec(id) ?? []
  if (orderId !== undefined) {
    const response = await ifFound(call.read(get(below(call, path`/orders/${orderId}`), { expand: 'credits' })))
    const found = response && creditsIn(response.body, currency)
    return found?.find((row) => 'credit' in row && row.credit.id === creditId)
  }
  const response = await ifFound(call.read(get(below(call, path`/refunds/${id}`), { expand })))
  return response && { refund: response.body, currency }
}

export const refund: EntityAdapter<'refund', RefundRow, ChunkPlace<Span, Place>> = {
  id: idOf,
  toUnified,
  list: {
    pageLimit,
    updatedAfter: 'none',
    page: overChunks<RefundRow, Span, Place>(async (call) => spanned(call, await openedAt(call)), page),
  },
  get: readRefund,
}
