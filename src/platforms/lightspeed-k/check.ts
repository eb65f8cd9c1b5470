// An account (a check, an order) in its two stages: open, in order and pay; closed, a sale of the financial API.
import type { ListQuery, Page, ReadCall } from '../../contract/connector.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { ifFound } from '../../kit/errors.ts'
import { list } from '../../kit/fields.ts'
import { type ChunkPlace, overChunks, pageAfter, type Window, windows } from '../../kit/paging.ts'
import { get, path } from '../../kit/requests.ts'
import { addMs, compareInstants, latestOf, toUtc } from '../../kit/time.ts'
import { locationOf, may, readList } from './account.ts'

export interface CheckLine {
  id?: number | string
  itemName?: string
  itemSku?: string
  unitAmount?: number | string
  quantity?: number | string
  amountWithTax?: number | string
  amountLessTax?: number | string
  discountedAmount?: number | string
  timeOfTransactionUtc?: string
  active?: boolean
  modifiers?: { name?: string; quantity?: number | string }[] // production instructions
  subLineItems?: CheckLine[]
  taxIncluded?: boolean
}
export interface CheckPayment {
  paymentMethodDescription?: string
  paymentMethodCode?: string
  externalReference?: string | null
  amountPaid?: number | string
  paymentDate?: string
  active?: boolean
}
export interface Check {
  ikaccountId: string
  name?: string | null
  openDate?: string
  closeDate?: string
  currentAmount?: number | string
  serviceCharge?: number | string
  clientCount?: number
  tableNumber?: number | string | null
  staffId?: number | string
  salesEntries?: CheckLine[]
  paidAmount?: number | string
  paymentEntries?: CheckPayment[]
}
export interface SaleLine {
  id?: string
  parentLineId?: string | null
  sku?: string
  name?: string
  nameOverride?: string | null
  quantity?: string
  menuListPrice?: string
  totalNetAmountWithTax?: string
  totalNetAmountWithoutTax?: string
  taxCode?: string | null
  taxRatePercentage?: string
  taxAmount?: string
  taxLines?: { taxCode?: string; taxRate?: string; taxAmount?: string; taxIncluded?: boolean }[]
  discountAmount?: string
  discountCode?: string
  discountName?: string
  accountDiscountAmount?: string
  accountDiscountCode?: string
  accountDiscountName?: string
  totalDiscountAmount?: string
  serviceCharge?: string
  accountingGroup?: { accountingGroupId?: number } | null
  currency?: string
  voidReason?: string | null
}
export interface SalePayment {
  fiscId?: string
  uuid?: string
  code?: string
  description?: string
  paymentMethodId?: number
  type?: string
  staffId?: number
  currency?: string
  externalReference?: string | null
  netAmountWithTax?: string
  tip?: string
  surcharge?: string
  roundingAmount?: string // only in version 2
  fiscDate?: string
  consumer?: { id?: string } | null
}
export interface Sale {
  accountFiscId: string
  receiptId?: string | null
  source?: { initialAccountId?: string; previousAccountId?: string }
  type?: string
  cancelled?: boolean
  timeOfOpening?: string
  timeClosed?: string
  tableNumber?: string | null
  tableName?: string | null
  accountProfileCode?: string | null
  ownerId?: number
  nbCovers?: number
  dineIn?: boolean
  salesLines?: SaleLine[]
  payments?: SalePayment[]
  voidReason?: string | null
}
/** The account that a sale follows: what it refunds, for example. */
export function originalOf({ accountFiscId, source }: Sale): string | undefined {
  const of = source?.previousAccountId ?? source?.initialAccountId
  return of === accountFiscId ? undefined : of
}
/** A refund is a sale of its own, with negative quantities. So is a void that takes back another sale. */
export const isRefund = (sale: Sale): boolean =>
  sale.type === 'REFUND' || (sale.type === 'VOID' && originalOf(sale) !== undefined)
/** If other accounts are between a sale and the first one, the one that it follows can be a refund itself. */
export const isDirect = ({ source }: Sale): boolean =>
  source?.previousAccountId === undefined || source.previousAccountId === source.initialAccountId
/** Past the accounts of the same kind that are between. */
export function rootOf(sale: Sale, between: ReadonlyMap<string, Sale>): string | undefined {
  const seen = new Set<string>()
  let of = originalOf(sale)
  for (let before = between.get(of ?? ''); before && !seen.has(of!); before = between.get(of ?? '')) {
    seen.add(of!)
    of = originalOf(before)
  }
  return of
}
export const byId = (sales: readonly Sale[]): Map<string, Sale> =>
  new Map(sales.map((sale) => [sale.accountFiscId, sale]))

/** `products` and `refunds` are filled in for returned rows. */
export interface OrderRow {
  check?: Check
  sale?: Sale
  refunds?: readonly Sale[] // of this sale
  products?: Readonly<Record<string, string>>
}
export const accountId = ({ check, sale }: OrderRow): string => sale?.accountFiscId ?? check!.ikaccountId
export const linesOf = (check: Check): CheckLine[] => {
  const flat = (lines: readonly CheckLine[]): CheckLine[] =>
    lines.flatMap((line) => [line, ...flat(list(line.subLineItems))])
  return flat(list(check.salesEntries)).filter(({ active }) => active !== false)
}
/**
 * A sale is final once it is closed; an open check has the time of the last addition or payment, not of the last
 * removal.
 */
export function modifiedAt({ check, sale }: OrderRow): string | undefined {
  if (sale) return toUtc(sale.timeClosed)
  const times = [
    check!.openDate,
    ...linesOf(check!).map((line) => line.timeOfTransactionUtc),
    ...list(check!.paymentEntries).map(({ paymentDate }) => paymentDate),
  ]
  return latestOf(...times.map((time) => toUtc(time, 'UTC')))
}

const include = 'payments,consumer,staff,table,account_profile'
/** Change put into a drawer is a sale without lines, not an order. */
export const isOrder = ({ salesLines }: Sale): boolean => list(salesLines).length > 0
/** Version 1 names its times differently, and its specification differs from its examples. */
export function fromFirstVersion(sale: Sale & Record<string, unknown>): Sale {
  const time = (...names: string[]) =>
    names.map((name) => sale[name]).find((value) => typeof value === 'string') as string | undefined
  return {
    ...sale,
    timeOfOpening: time('timeOfOpening', 'timeofOpening'),
    timeClosed: time('timeClosed', 'timeofCloseAndPaid', 'timeOfCloseAndPaid'),
  }
}

export const readChecks = (call: ReadCall): Promise<readonly Check[]> =>
  readList(call, '/o/op/1/order/table/getCheck', {}, '/o/op/1/order/accounts/A0.0')

const longestRangeMs = 364 * 86_400_000 // 365 days are allowed
const marginMs = 60_000
export const largestPage = 100
const beforeAnySale = '2011-01-01T00:00:00.000Z'

/** Sales are requested by time, and times before a location's first day are rejected; the error contains that day. */
export async function firstSale(call: ReadCall): Promise<string> {
  const configured = toUtc(call.account.settings.salesSince, 'UTC')
  if (configured) return configured
  return call.cached('first sale', async () => {
    try {
      await readSales(call, { from: beforeAnySale, to: addMs(beforeAnySale, 1000) }, 1)
      return beforeAnySale
    } catch (error) {
      const day =
        error instanceof NativeFailure && error.error.kind === 'invalid'
          ? /after:\s*(\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-][\d:]+)?)?)/.exec(error.error.message)?.[1]
          : undefined
      const first = toUtc(day, 'UTC')
      if (!first) throw error
      return addMs(first, 1000)
    }
  })
}
async function readSales(
  call: ReadCall,
  { from, to }: Window,
  pageSize: number,
  nextPageToken?: string,
): Promise<Page<Sale, string>> {
  const { body } = await call.read(
    get(path`/f/v2/business-location/${locationOf(call)}/sales`, { from, to, include, pageSize, nextPageToken }),
  )
  return { rows: [...list<Sale>(body?.sales)], ...(body?.nextPageToken ? { next: body.nextPageToken } : {}) }
}
/**
 * Year by year by closing time; the last window has no end. Whether the bounds are inclusive is not documented, and
 * clocks differ: a little more is requested and cut here.
 */
export const walkSales = (isWanted: (sale: Sale) => boolean) =>
  overChunks<Sale, Window, string>(
    async (call, { updatedAfter }) => {
      const first = await firstSale(call)
      return windows(
        updatedAfter !== undefined && compareInstants(updatedAfter, first) > 0 ? updatedAfter : first,
        call.now,
        longestRangeMs,
      )
    },
    async (call, { size }, window, token) => {
      const earlier = addMs(window.from, -marginMs)
      const first = await firstSale(call)
      const { rows, next } = await readSales(
        call,
        { ...window, from: compareInstants(earlier, first) < 0 ? first : earlier },
        size,
        token,
      )
      const within = ({ timeClosed = window.from }: Sale) =>
        compareInstants(timeClosed, window.from) >= 0 &&
        (window.to === undefined || compareInstants(timeClosed, window.to) < 0)
      return { rows: rows.filter((sale) => isWanted(sale) && within(sale)), next }
    },
  )
const walkOrders = walkSales(isOrder)

/** A receipt can be refunded on its own day only. */
export const refundableMs = 86_400_000
/**
 * The sales that were closed from a day before the first of these until a day after the last: their refunds, corrections
 * and originals.
 */
export async function salesAround(
  call: ReadCall,
  times: readonly (string | undefined)[],
  before = marginMs,
): Promise<Sale[]> {
  const sorted = times.filter((time) => time !== undefined).toSorted((a, b) => compareInstants(a, b))
  const [first, last] = [sorted[0], sorted.at(-1)]
  if (first === undefined || last === undefined) return []
  return salesBetween(call, addMs(first, -before), addMs(last, refundableMs))
}
/** Of at most a year. The last one has no end if that is in the future. */
export function rangesIn(call: ReadCall, from: string, to: string): Window[] {
  return windows(from, to, longestRangeMs).map(({ from: since, to: until = to }) =>
    compareInstants(until, call.now) < 0 ? { from: since, to: until } : { from: since },
  )
}
/** All sales that were closed in this time. */
async function salesBetween(call: ReadCall, from: string, to: string): Promise<Sale[]> {
  const first = await firstSale(call)
  const found: Sale[] = []
  for (const window of rangesIn(call, compareInstants(from, first) < 0 ? first : from, to))
    for (let token: string | undefined = ''; token !== undefined; ) {
      const { rows, next } = await readSales(call, window, largestPage, token || undefined)
      found.push(...rows)
      token = next
    }
  return found
}

export type OrderPlace = { open: string } | { sales?: ChunkPlace<Window, string> }
export const checkKey = ({ openDate, ikaccountId }: Check): string => `${toUtc(openDate) ?? ''} ${ikaccountId}`

/**
 * Open checks first: a check that is closed during the walk is returned again as a sale; in the reverse order it would
 * be missed.
 */
export async function walkAccounts(
  call: ReadCall,
  query: ListQuery,
  at: OrderPlace = { open: '' },
): Promise<Page<OrderRow, OrderPlace>> {
  if ('open' in at) {
    const { rows, next } = pageAfter(await readChecks(call), checkKey, query, at.open)
    return { rows: rows.map((check) => ({ check })), next: next === undefined ? {} : { open: next } }
  }
  const { rows, next } = await walkOrders(call, query, at.sales)
  return { rows: rows.map((sale) => ({ sale })), ...(next === undefined ? {} : { next: { sales: next } }) }
}

const readOpen = async (call: ReadCall, id: string): Promise<OrderRow | undefined> => {
  if (!/^A\d+\.\d+$/.test(id) || !may(call, 'orders-api')) return undefined
  const request = get(path`/o/op/1/order/accounts/${id}`, { businessLocationId: locationOf(call) })
  const check: Check | undefined = (await ifFound(call.read(request)))?.body
  return check && !check.closeDate ? { check } : undefined
}
/** An account that was closed since this operation began. */
async function readJustClosed(call: ReadCall, id: string): Promise<OrderRow | undefined> {
  const sale = byId(await salesBetween(call, addMs(call.now, -marginMs), call.now)).get(id)
  return sale && { sale }
}
/** An account that this operation may have changed: open, or closed since. */
export const readChanged = async (call: ReadCall, id: string): Promise<OrderRow | undefined> =>
  (await readOpen(call, id)) ?? readJustClosed(call, id)
/** One account: open, or closed in any way. There is no endpoint for a single sale, but a list can begin at a given account. */
export async function readAccount(call: ReadCall, id: string): Promise<OrderRow | undefined> {
  if (!/^A\d+\.\d+$/.test(id)) return undefined
  const open = await readOpen(call, id)
  if (open) return open
  for (const { from, to = call.now } of windows(await firstSale(call), call.now, longestRangeMs).toReversed()) {
    const { body } = await call.read(
      get(path`/f/finance/${locationOf(call)}/financials/${from}/${to}`, { include, pageSize: 1, nextPageToken: id }),
    )
    const sale = list<Sale & Record<string, unknown>>(body?.sales)[0]
    if (sale?.accountFiscId === id) return { sale: fromFirstVersion(sale) }
  }
  return readJustClosed(call, id)
}
/** The account of an accepted order, found by its reference; works for open and closed accounts. */
export async function accountByReference(call: ReadCall, reference: string): Promise<string | undefined> {
  const location = locationOf(call)
  const found = await ifFound(
    call.read(
      get(path`/f/finance/${location}/saleByExternalReference`, {
        externalReferenceId: `TASK:OO-${location}-${reference}`,
      }),
    ),
  )
  return (found?.body as Sale | undefined)?.accountFiscId
}
