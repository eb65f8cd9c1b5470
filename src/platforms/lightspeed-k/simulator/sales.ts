// The financial API: businesses, accounting groups, closed sales in two versions and by business day, a receipt by its
// external reference.
import type { Routes } from '../../../sandbox/router.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import { deliverTasks } from './delivery.ts'
import { instantOf, locationOf, pageSizeOf, range } from './finance.ts'
import { moneyRoutes } from './money.ts'
import { shownSale } from './receipts.ts'
import { financeError, ok } from './wire.ts'
import { type Account, iso, type World } from './world.ts'

const includeOf = (request: WireRequest): string[] => (request.query.get('include') ?? '').split(',').filter(Boolean)

type Range = { from: number; to: number }
/** Version 2 has no transitory accounts. */
const inVersion2 = ({ type }: Account): boolean => type !== 'TRANSITORY'
/** By closing time, oldest first. */
const closedIn = (world: World, { from, to }: Range): Account[] =>
  world.accounts
    .filter(({ closedAt }) => closedAt !== undefined && closedAt >= from && closedAt <= to)
    .sort((a, b) => a.closedAt! - b.closedAt! || (a.id < b.id ? -1 : 1))
/** The page begins at the account of the token. */
function pageOf(closed: readonly Account[], size: number, token: string) {
  const start = token === '' ? 0 : closed.findIndex(({ id }) => id === token)
  return {
    page: start < 0 ? [] : closed.slice(start, start + size),
    next: start < 0 ? undefined : closed[start + size]?.id,
  }
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
  const { page, next } = pageOf(closedIn(world, target).filter(inVersion2), pageSizeOf(request, 50, 100), token)
  const include = includeOf(request)
  return ok({
    sales: page.map((account) => shownSale(world, account, 2, include)),
    nextPageToken: next === undefined ? '' : Buffer.from(next).toString('base64url'),
  })
}
function salesV1(world: World, request: WireRequest, from: string, to: string): WireResponse {
  const target = range(world, instantOf(from, 'from'), instantOf(to, 'to'))
  const { page, next } = pageOf(
    closedIn(world, target),
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

const dayMs = 86_400_000
const dayStartMs = 4 * 3_600_000 // a business day begins at 04:00
/** The offset of the location's zone at an instant, in milliseconds. */
function offsetAt(world: World, at: number): number {
  const format = new Intl.DateTimeFormat('en', { timeZone: world.timezone, timeZoneName: 'longOffset' })
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}
function startOfDay(world: World, day: string): { at: number; local: string } {
  const wall = Date.parse(`${day}T00:00:00Z`) + dayStartMs
  const offset = offsetAt(world, wall)
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 3_600_000), (Math.abs(offset) / 60_000) % 60]
  const zone = `${offset < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
  return { at: wall - offset, local: `${new Date(wall).toISOString().slice(0, 19)}${zone}` }
}
function dailySales(world: World, request: WireRequest): WireResponse {
  const date = request.query.get('date')
  if (date === null)
    return financeError(400, "Required request parameter 'date' for method parameter type LocalDate is not present")
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return financeError(400, `Invalid date format: ${date}`)
  const next = startOfDay(world, new Date(Date.parse(date) + dayMs).toISOString().slice(0, 10))
  const include = includeOf(request)
  const sales = closedIn(world, { from: startOfDay(world, date).at, to: next.at - 1 }).filter(inVersion2)
  return ok({
    sales: sales.map((account) => shownSale(world, account, 2, include)),
    nextStartOfDayAsIso8601: next.local,
    dataComplete: next.at <= world.now(),
  })
}

/** The location of the account, and others of the same business. */
export const locationsOf = ({ name, locationId: id, branches }: World): { id: number; name: string }[] => [
  branches.get(String(id)) ?? { id, name: `${name} - Location 1` },
  ...branches.filter((branch) => branch.id !== id),
]

export const salesRoutes: Routes<World> = {
  ...moneyRoutes,
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
  'GET /f/v2/business-location/:location/sales-daily': ({ request, params: { location = '' }, context: world }) => {
    locationOf(world, location)
    return dailySales(world, request)
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
