// Payments are parts of sales, which are listed by their closing time; what a client of the API pays is visible before,
// on the open check.
import type { EntityAdapter, ListQuery, Mapping, Page, ReadCall } from '../../contract/connector.ts'
import type { Payment } from '../../contract/entities/payment.ts'
import { businessDateOf, zoneOf } from '../../kit/business-day.ts'
import { flag, list, number, text } from '../../kit/fields.ts'
import { fromDecimal } from '../../kit/money.ts'
import { type ChunkPlace, pageAfter, type Window } from '../../kit/paging.ts'
import { get, path } from '../../kit/requests.ts'
import { addMs, compareInstants, toUtc } from '../../kit/time.ts'
import { currencyOf, locationOf, may } from './account.ts'
import {
  byId,
  type Check,
  type CheckPayment,
  checkKey,
  largestPage,
  rangesIn,
  readAccount,
  readChecks,
  refundableMs,
  rootOf,
  type Sale,
  type SalePayment,
  salesAround,
  walkSales,
} from './check.ts'
import { excludedOf, isSurchargeBeside } from './order-row.ts'
import { methodTypeOf, readMethods } from './payment-method.ts'
import { createPayment } from './payment-write.ts'
import { majorOf, micros, sum, unitOf } from './sold.ts'

export interface PaymentRow {
  account: string
  sale?: Sale
  payment?: SalePayment
  entry?: CheckPayment // of an open check
  order?: string | undefined // of a corrected payment: the sale that was paid
  isReverted?: boolean
  fee?: number // micros
  method?: string // id of the method of an entry
}
/** References of this service: they identify a payment before it has an id of its own. */
const isOwn = (reference: unknown): boolean => /^ur[A-Za-z0-9]{14}$/.test(text(reference) ?? '')
/** There is no read by id, so the id names the account, too. */
const idOf = ({ account, payment, entry }: PaymentRow): string => {
  const reference = text((payment ?? entry)?.externalReference)
  return `${account}:${isOwn(reference) ? reference : text(payment?.fiscId)}`
}
const entriesOf = (check: Check): PaymentRow[] =>
  list(check.paymentEntries)
    .filter(({ active, externalReference }) => active !== false && isOwn(externalReference))
    .map((entry) => ({ account: check.ikaccountId, entry }))
const isCorrection = ({ type }: Sale): boolean => type === 'UPDATE'
/** A correction books the wrong payment negatively and the right one again. */
const paymentsOf = (sale: Sale): PaymentRow[] =>
  list(sale.payments)
    .filter(({ netAmountWithTax }) => !isCorrection(sale) || micros(netAmountWithTax) > 0)
    .map((payment) => ({ account: sale.accountFiscId, sale, payment }))
const hasPayments = (sale: Sale): boolean => isCorrection(sale) || !excludedOf({ sale })

function fromEntry(entry: CheckPayment, method: string | undefined, mapping: Mapping) {
  const { account } = mapping
  const processedAt = toUtc(entry.paymentDate, 'UTC')
  return {
    amount: fromDecimal(entry.amountPaid) ?? 0,
    currencyCode: text(currencyOf(mapping)),
    paymentMethodExternalId: method,
    methodType: methodTypeOf(entry.paymentMethodCode, account),
    methodName: text(entry.paymentMethodDescription) ?? text(entry.paymentMethodCode),
    state: 'COMPLETED' as const,
    processedAt,
    businessDate: businessDateOf(processedAt, zoneOf(account.settings), account.settings),
  }
}
function fromSale(
  { sale, payment, isReverted, fee }: Required<Pick<PaymentRow, 'sale' | 'payment'>> & PaymentRow,
  mapping: Mapping,
) {
  const { account } = mapping
  const currency = text(payment.currency) ?? currencyOf(mapping)
  const unit = unitOf(currency)
  const surcharge = micros(payment.surcharge)
  const charged = number(fee)
  const closedAt = toUtc(sale.timeClosed)
  const known = text(payment.type) === 'ACCOUNTS_RECEIVABLE' ? 'HOUSE_ACCOUNT' : methodTypeOf(payment.code, account)
  return {
    amount: majorOf(micros(payment.netAmountWithTax) + (isSurchargeBeside(sale) ? surcharge : 0), unit),
    currencyCode: currency,
    tip: majorOf(micros(payment.tip), unit),
    surcharge: majorOf(surcharge, unit),
    fee: charged === undefined ? undefined : majorOf(charged, unit),
    employeeExternalId: text(payment.staffId),
    customerExternalId: text(payment.consumer?.id),
    paymentMethodExternalId: text(payment.paymentMethodId),
    // Lightspeed Payments has fees, and takes cards only.
    methodType: known === 'OTHER' && charged !== undefined ? ('CARD' as const) : known,
    methodName: text(payment.description) ?? text(payment.code),
    state: flag(isReverted) || flag(sale.cancelled) ? ('CANCELED' as const) : ('COMPLETED' as const),
    processedAt: toUtc(payment.fiscDate) ?? closedAt,
    businessDate: businessDateOf(closedAt, zoneOf(account.settings), account.settings),
    reference: text(payment.externalReference),
  }
}
function toUnified(row: PaymentRow, mapping: Mapping): Payment {
  const { sale, payment, entry, account } = row
  return {
    externalId: idOf(row),
    orderExternalId: text(row.order) ?? account,
    locationExternalId: text(locationOf(mapping)),
    ...(sale && payment
      ? fromSale({ ...row, sale, payment }, mapping)
      : fromEntry(entry ?? {}, text(row.method), mapping)),
  }
}

interface Corrections {
  reverted: ReadonlySet<string> // ids of payments
  orders: ReadonlyMap<string, string> // correcting account -> the sale that was paid
}
/**
 * Corrections of the day of a sale, oldest first: each negative payment takes back one of the same kind and amount. The
 * payments of a later correction are not served, because the sale keeps its own.
 */
export function correctionsOf(sales: readonly Sale[]): Corrections {
  const known = byId(sales)
  const updates = sales.filter(isCorrection)
  const between = byId(updates)
  const [reverted, orders] = [new Set<string>(), new Map<string, string>()]
  const pools = new Map<string, PaymentRow[]>()
  const time = ({ timeClosed = '' }: Sale) => timeClosed
  for (const update of updates.toSorted((a, b) => compareInstants(time(a), time(b)))) {
    const of = known.get(rootOf(update, between) ?? '')
    if (!of || isCorrection(of) || compareInstants(time(update), time(of)) > refundableMs) continue
    orders.set(update.accountFiscId, of.accountFiscId)
    const pool = pools.get(of.accountFiscId) ?? paymentsOf(of)
    for (const { code, netAmountWithTax } of list(update.payments)) {
      const same = pool.findIndex(
        ({ payment }) => payment!.code === code && micros(payment!.netAmountWithTax) === -micros(netAmountWithTax),
      )
      if (micros(netAmountWithTax) < 0 && same >= 0) reverted.add(idOf(pool.splice(same, 1)[0]!))
    }
    pools.set(of.accountFiscId, [...pool, ...paymentsOf(update)])
  }
  return { reverted, orders }
}

interface Fee {
  accountFiscId?: string
  uuid?: string
  fees?: { value?: string }
}
/** By account and uuid. A split payment has one uuid for several payments: then the fee of each is not known. */
async function readFees(call: ReadCall, sales: readonly Sale[]): Promise<(row: PaymentRow) => number | undefined> {
  const rows = sales.flatMap(paymentsOf)
  const key = (account: unknown, uuid: unknown) => JSON.stringify([account, uuid])
  const shared = Map.groupBy(rows, ({ account, payment }) => key(account, payment!.uuid))
  const times = rows.flatMap(({ payment }) => toUtc(payment!.fiscDate) ?? []).toSorted()
  const [first, last] = [times[0], times.at(-1)]
  const found: Fee[] = []
  if (first !== undefined && last !== undefined)
    for (const window of rangesIn(call, addMs(first, -refundableMs), addMs(last, refundableMs)))
      for (let offset: number | undefined = 0; offset !== undefined; ) {
        const { body }: { body?: { payments?: Fee[]; nextOffset?: number } } = await call.read(
          get(path`/f/v2/business-location/${locationOf(call)}/lightspeed-payments`, {
            ...window,
            dateType: 'CREATED',
            pageSize: largestPage,
            offset,
          }),
        )
        found.push(...list(body?.payments))
        offset = body?.nextOffset !== undefined && body.nextOffset > offset ? body.nextOffset : undefined
      }
  const fees = Map.groupBy(found, ({ accountFiscId, uuid }) => key(accountFiscId, uuid))
  return ({ account, payment }) => {
    const own = fees.get(key(account, payment?.uuid))
    const isOnly = shared.get(key(account, payment?.uuid))?.length === 1
    return own && isOnly ? sum(own.map((fee) => micros(fee.fees?.value))) : undefined
  }
}
/** With corrections and fees; the sale as version 2 has it. A payment of a later correction is left out. */
async function completed(call: ReadCall, rows: readonly PaymentRow[]): Promise<PaymentRow[]> {
  const sales = rows.flatMap(({ sale }) => sale ?? [])
  const around = await salesAround(
    call,
    sales.map(({ timeClosed }) => timeClosed),
    sales.some(isCorrection) ? 2 * refundableMs : undefined,
  )
  const known = byId(around)
  const { reverted, orders } = correctionsOf(around)
  const feeOf = await readFees(
    call,
    sales.map((sale) => known.get(sale.accountFiscId) ?? sale),
  )
  const methods = rows.some(({ entry }) => entry) ? await readMethods(call) : []
  const methodOf = (entry: CheckPayment | undefined) =>
    text(methods.find(({ code }) => code === entry?.paymentMethodCode)?.pmId)
  return rows.flatMap((row): PaymentRow[] => {
    const sale = row.sale && (known.get(row.account) ?? row.sale)
    if (!sale) return [{ ...row, method: methodOf(row.entry) }]
    const order = isCorrection(sale) ? orders.get(row.account) : row.account
    if (order === undefined) return []
    return [{ ...row, sale, order, isReverted: reverted.has(idOf(row)), fee: feeOf(row) }]
  })
}

type PaymentPlace = { open: string } | { sales?: ChunkPlace<Window, string> }
const walk = walkSales(hasPayments)
/** Open checks first, as for orders. */
async function page(call: ReadCall, query: ListQuery, at?: PaymentPlace): Promise<Page<PaymentRow, PaymentPlace>> {
  const place = at ?? (may(call, 'orders-api') ? { open: '' } : {})
  if ('open' in place) {
    const { rows, next } = pageAfter(await readChecks(call), checkKey, query, place.open)
    return { rows: rows.flatMap(entriesOf), next: next === undefined ? {} : { open: next } }
  }
  const { rows, next } = await walk(call, query, place.sales)
  return { rows: rows.flatMap(paymentsOf), ...(next === undefined ? {} : { next: { sales: next } }) }
}
async function readPayment(call: ReadCall, id: string): Promise<PaymentRow | undefined> {
  const [account = '', own] = id.split(':')
  const { check, sale } = own ? ((await readAccount(call, account)) ?? {}) : {}
  const rows = check ? entriesOf(check) : sale && hasPayments(sale) ? paymentsOf(sale) : []
  const row = rows.find((one) => idOf(one) === id)
  return row && (await completed(call, [row]))[0]
}

export const payment: EntityAdapter<'payment', PaymentRow, PaymentPlace> = {
  scopes: {
    read: ['financial-api'],
    write: ['orders-api', 'financial-api'],
    lacking: { 'orders-api': { message: 'Payments of checks that are still open cannot be read.' } },
  },
  id: idOf,
  toUnified,
  list: {
    pageLimit: 100,
    updatedAfter: 'platform',
    modifiedAt: ({ sale, entry }) => toUtc(sale?.timeClosed) ?? toUtc(entry?.paymentDate, 'UTC'),
    page,
    complete: {
      size: 100,
      fields: ['/orderExternalId', '/state', '/fee', '/methodType', '/paymentMethodExternalId'],
      rows: completed,
    },
  },
  get: readPayment,
  create: createPayment,
}
