// The financial API: businesses, accounting groups, closed sales in two versions, a receipt by its external reference.
// Amounts are decimal strings.
import type { Fields } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import { deliverTasks } from './delivery.ts'
import { financeError, ok, refuse } from './wire.ts'
import { type Account, amountOf, decimal, encodedUuid, iso, type Line, type Payment, type World } from './world.ts'

const yearMs = 365 * 86_400_000

function shownLine(world: World, line: Line, timeKey: 'timeOfSale' | 'timeofSale'): Fields {
  const amount = amountOf(line)
  const net = amount / 100 / (1 + line.taxPercent / 100)
  const tax = (amount / 100 - net).toFixed(6)
  const group = world.groups.get(String(line.accountingGroupId))
  const owner = world.staff.get(String(line.staffId))
  return {
    id: line.id,
    parentLineId: line.parentLineId,
    sku: line.sku,
    name: line.name,
    nameOverride: line.nameOverride,
    quantity: (line.quantity / 1000).toFixed(3),
    menuListPrice: decimal(line.unit),
    unitCostPrice: line.cost === null ? null : decimal(line.cost),
    totalNetAmountWithTax: decimal(amount),
    totalNetAmountWithoutTax: net.toFixed(6),
    taxAmount: tax,
    taxCode: `VAT${line.taxPercent}`,
    taxRatePercentage: line.taxPercent.toFixed(2),
    taxLines: [
      {
        taxId: '41910290874374',
        taxCode: `VAT${line.taxPercent}`,
        taxRate: String(1 + line.taxPercent / 100),
        taxAmount: tax,
        taxIncluded: true,
      },
    ],
    discountAmount: decimal(line.discount),
    accountDiscountAmount: '0.00',
    totalDiscountAmount: decimal(line.discount),
    serviceCharge: '0.00',
    serviceChargeType: 'NO_SERVICE_CHARGE',
    accountingGroup: group ?? null,
    currency: world.currency,
    [timeKey]: iso(line.at),
    staffId: line.staffId,
    staffName: owner?.username ?? owner?.firstName ?? null,
    voidReason: line.voidReason,
  }
}
const shownPayment = (world: World, payment: Payment, withConsumer: boolean): Fields => ({
  code: payment.reference ? 'OOPAYMENT' : 'CASH',
  description: payment.reference ? 'Online order' : 'Cash',
  paymentMethodId: 141948669132824,
  netAmountWithTax: decimal(payment.amount),
  currency: world.currency,
  tip: decimal(payment.tip),
  ...(withConsumer && payment.consumer && { consumer: payment.consumer }),
  type: 'NORMAL',
  externalReference: payment.reference,
  fiscId: payment.fiscId,
  fiscDate: iso(payment.at),
})
/** The two versions name their times differently; payments and guests are included only on request. */
function shownSale(world: World, account: Account, version: 1 | 2, include: readonly string[]): Fields {
  const closed = account.closedAt === undefined ? undefined : iso(account.closedAt)
  const times =
    version === 1
      ? { timeofOpening: iso(account.openedAt), timeofCloseAndPaid: closed }
      : { timeOfOpening: iso(account.openedAt), timeClosed: closed }
  return {
    accountReference: encodedUuid(account.uuid),
    accountFiscId: account.id,
    receiptId: account.receiptId,
    source: {
      initialAccountId: account.initial,
      ...(account.initial !== account.id && { previousAccountId: account.initial }),
    },
    salesLines: account.lines.map((line) => shownLine(world, line, version === 1 ? 'timeofSale' : 'timeOfSale')),
    ...(include.includes('payments') && {
      payments: account.payments.map((payment) => shownPayment(world, payment, include.includes('consumer'))),
    }),
    ...times,
    cancelled: account.cancelled,
    externalFiscalNumber: null,
    ...(include.includes('table') && { tableNumber: account.table === null ? null : String(account.table) }),
    ...(include.includes('staff') && { ownerId: account.staffId }),
    type: account.type,
    externalReferences: account.references.map((reference) => `TASK:OO-${world.locationId}-${reference}`),
    nbCovers: account.covers,
    dineIn: account.table !== null,
    voidReason: account.voidReason,
  }
}
const includeOf = (request: WireRequest): string[] => (request.query.get('include') ?? '').split(',').filter(Boolean)

function instantOf(given: string | null, name: string): number {
  if (given === null)
    return refuse(
      financeError(400, `Required request parameter '${name}' for method parameter type OffsetDateTime is not present`),
    )
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(given))
    return refuse(financeError(400, `Invalid date format: ${given}`))
  return Date.parse(given)
}
function range(world: World, from: number, givenTo: number | undefined): { from: number; to: number } {
  const to = Math.min(givenTo ?? world.now(), world.now())
  if (from > to)
    refuse(financeError(400, `Invalid date range: 'from' date ${iso(from)} should not be after 'to' date ${iso(to)}`))
  if (to - from > yearMs) refuse(financeError(400, 'The date range between from and to cannot exceed 365 days'))
  return { from, to }
}
function locationOf(world: World, id: string): void {
  if (id !== String(world.locationId)) refuse(financeError(403, 'Access to this business location is denied'))
}
/** By closing time, oldest first; the page begins at the account of the token. */
function salesPage(world: World, { from, to }: { from: number; to: number }, size: number, token: string) {
  const closed = world.accounts
    .filter(({ closedAt }) => closedAt !== undefined && closedAt >= from && closedAt <= to)
    .sort((a, b) => a.closedAt! - b.closedAt! || (a.id < b.id ? -1 : 1))
  const start = token === '' ? 0 : closed.findIndex(({ id }) => id === token)
  return {
    page: start < 0 ? [] : closed.slice(start, start + size),
    next: start < 0 ? undefined : closed[start + size]?.id,
  }
}
function pageSizeOf(request: WireRequest, fallback: number, most: number): number {
  const given = request.query.get('pageSize')
  const size = given === null ? fallback : Number(given)
  return Number.isInteger(size) && size >= 1 && size <= most
    ? size
    : refuse(financeError(400, `pageSize must be between 1 and ${most}`))
}

function salesV2(world: World, request: WireRequest): WireResponse {
  const from = instantOf(request.query.get('from'), 'from')
  const to = request.query.get('to')
  const target = range(world, from, to === null ? undefined : instantOf(to, 'to'))
  if (from < world.openedAt)
    return financeError(
      400,
      `Invalid 'from' date query parameter. The requested business location was not operational on the provided date.\nPlease specify a date and time after: ${iso(world.openedAt)}, which is the earliest available date for this location.\n`,
    )
  const token = Buffer.from(request.query.get('nextPageToken') ?? '', 'base64url').toString('utf8')
  const { page, next } = salesPage(world, target, pageSizeOf(request, 50, 100), token)
  const include = includeOf(request)
  return ok({
    sales: page.map((account) => shownSale(world, account, 2, include)),
    nextPageToken: next === undefined ? '' : Buffer.from(next).toString('base64url'),
  })
}
function salesV1(world: World, request: WireRequest, from: string, to: string): WireResponse {
  const target = range(world, instantOf(from, 'from'), instantOf(to, 'to'))
  const { page, next } = salesPage(
    world,
    target,
    pageSizeOf(request, 1000, 1000),
    request.query.get('nextPageToken') ?? '',
  )
  const include = includeOf(request)
  return ok({
    businessName: world.name,
    businessLocationId: world.locationId,
    sales: page.map((account) => shownSale(world, account, 1, include)),
    dataComplete: true,
    nextPageToken: next,
    _links: { self: { href: request.path } },
  })
}

/** The location of the account, and others of the same business. */
export const locationsOf = ({ name, locationId: id, branches }: World): { id: number; name: string }[] => [
  branches.get(String(id)) ?? { id, name: `${name} - Location 1` },
  ...branches.filter((branch) => branch.id !== id),
]

export const salesRoutes: Routes<World> = {
  'GET /f/data/businesses': ({ context: world }) =>
    ok({
      _embedded: {
        businessList: [
          {
            businessName: world.name,
            businessId: world.businessId,
            currencyCode: world.currency,
            businessLocations: locationsOf(world).map(({ id, name }) => ({
              blName: name,
              blID: id,
              country: world.country,
              timezone: world.timezone,
            })),
          },
        ],
      },
      _links: { self: { href: 'https://api.lsk.lightspeed.app/f/data/businesses' } },
    }),
  'GET /f/finance/:location/accountingGroups': ({ params: { location = '' }, context: world }) => {
    locationOf(world, location)
    const groups = world.groups.values()
    return ok({
      ...(groups.length > 0 && { _embedded: { accountingGroupList: groups } }),
      _links: { self: { href: `https://api.lsk.lightspeed.app/f/finance/${location}/accountingGroups` } },
    })
  },
  'GET /f/v2/business-location/:location/sales': ({ request, params: { location = '' }, context: world }) => {
    locationOf(world, location)
    return salesV2(world, request)
  },
  'GET /f/finance/:location/financials/:from/:to': ({
    request,
    params: { location = '', from = '', to = '' },
    context: world,
  }) => {
    locationOf(world, location)
    return salesV1(world, request, from, to)
  },
  'GET /f/finance/:location/saleByExternalReference': ({ request, params: { location = '' }, context: world }) => {
    locationOf(world, location)
    deliverTasks(world)
    const target = request.query.get('externalReferenceId')
    const account = world.accounts.find(({ references }) =>
      references.some((reference) => `TASK:OO-${location}-${reference}` === target),
    )
    return account
      ? ok(shownSale(world, account, 1, ['payments']))
      : financeError(404, 'No receipt found for this external reference')
  },
}
