// Orders: lists by modification or business date, numbered pages with link headers, and a create that prices everything
// from the menu.
import { type Fields, isObject } from '../../../sandbox/http.ts'
import { numberedPage } from '../../../sandbox/paging.ts'
import type { Routes } from '../../../sandbox/router.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import { checkOf, inCents, orderOf, selectionOf } from './checks.ts'
import { givenModifiers, groupsOf } from './modifiers.ts'
import {
  findByEither,
  invalid,
  isExternalId,
  ok,
  readDate,
  readDates,
  readNumber,
  readObject,
  readText,
  refuse,
  timeOf,
  wireDate,
} from './wire.ts'
import { type Check, type DiningOption, type Item, newGuid, type Order, type Selection, type World } from './world.ts'

const earliest = Date.parse('2015-12-01T00:00:00.000Z')

function listOrders(world: World, request: WireRequest): WireResponse {
  const { query } = request
  const size = readNumber(query, 'pageSize', 100, 100)
  const page = readNumber(query, 'page', 1)
  const dates = readDates(query, 'startDate', 'endDate')
  const onDay = query.get('businessDate')
  if (!dates && !/^\d{8}$/.test(onDay ?? '')) invalid('startDate and endDate, or businessDate, are required')
  if (dates && dates.from <= earliest) invalid('startDate must be after 2015-12-01T00:00:00.000+0000')
  const rows = world.orders.filter(({ modifiedDate, businessDate: date }) =>
    dates ? timeOf(modifiedDate) >= dates.from && timeOf(modifiedDate) < dates.to : String(date) === onDay,
  )
  // The order is not documented: a client that relies on dates fails here.
  rows.sort((a, b) => (a.guid < b.guid ? -1 : 1))
  const { rows: served, pages } = numberedPage(rows, { page, size })
  return ok(served, { link: links(request, page, pages) })
}
function links(request: WireRequest, page: number, pages: number): string {
  const to = (number: number, rel: string) => {
    const query = new URLSearchParams(request.query)
    query.set('page', String(number))
    return `<https://toast-api-server${request.path}?${query}>; rel="${rel}"`
  }
  return [
    to(1, 'first'),
    to(page, 'self'),
    ...(page > 1 ? [to(page - 1, 'prev')] : []),
    ...(page < pages ? [to(page + 1, 'next')] : []),
  ].join(', ')
}

const guidIn = (value: unknown): string | undefined =>
  isObject(value) && typeof value.guid === 'string' ? value.guid : undefined

function diningOptionOf(world: World, order: Fields): DiningOption {
  const guid = guidIn(order.diningOption) ?? invalid('diningOption is required')
  return world.diningOptions.get(guid) ?? refuse(404, 'The dining option does not exist')
}

function priceOf(item: Item, groupGuid: string, given: Fields): number {
  if (item.pricingStrategy === 'OPEN_PRICE') {
    const amount = given.openPriceAmount ?? 0
    return typeof amount === 'number' && amount >= 0 ? inCents(amount) : invalid('openPriceAmount must not be negative')
  }
  if (item.dinnerPrice !== undefined && item.groups[0] !== groupGuid) return inCents(item.dinnerPrice)
  return inCents(item.price ?? 0)
}

function givenSelection(world: World, given: unknown, at: number): Selection {
  if (!isObject(given)) return invalid('A selection must be an object')
  const item =
    world.items.get(guidIn(given.item) ?? invalid('item is required')) ?? refuse(404, 'The menu item does not exist')
  const groupGuid = guidIn(given.itemGroup) ?? invalid('itemGroup is required')
  if (!item.groups.includes(groupGuid)) refuse(404, 'The menu group does not exist or does not hold the item')
  const quantity = given.quantity ?? 1
  if (typeof quantity !== 'number' || quantity <= 0) return invalid('quantity must be greater than 0')
  if (item.unitOfMeasure === 'NONE' && !Number.isInteger(quantity)) invalid('quantity must be a counting number')
  return selectionOf({
    item,
    groupGuid,
    quantity,
    unitPrice: priceOf(item, groupGuid, given),
    modifiers: givenModifiers(given.modifiers, groupsOf(item), quantity),
    at,
    guid: newGuid(),
    externalId: readText(given, 'externalId'),
  })
}
function givenCheck(world: World, given: unknown, behavior: DiningOption['behavior'], at: number): Check {
  if (!isObject(given) || !Array.isArray(given.selections) || given.selections.length === 0)
    return invalid('A check must have selections')
  if (Array.isArray(given.payments) && given.payments.length > 0) invalid('The payment type is not supported')
  const customer = isObject(given.customer) ? given.customer : null
  if (behavior !== 'DINE_IN' && !['firstName', 'lastName', 'email', 'phone'].every((name) => customer?.[name]))
    invalid('Customer is required for takeout and delivery orders')
  const selections = given.selections.map((selection) => givenSelection(world, selection, at))
  const displayNumber = readText(given, 'displayNumber') ?? String((world.orders.count() % 900) + 1)
  return checkOf(selections, {
    guid: newGuid(),
    displayNumber,
    at,
    tabName: readText(given, 'tabName'),
    customer: customer && { ...customer, guid: newGuid(), entityType: 'Customer' },
  })
}

/** With the prices of the menu, and not stored. */
function pricedOrder(world: World, body: Fields): Order {
  const externalId = readText(body, 'externalId')
  if (externalId !== null && !isExternalId(externalId)) invalid('externalId must be prefixed with a naming authority')
  if (externalId !== null && world.orders.find((order) => order.externalId === externalId))
    invalid(`An order with externalId ${externalId} already exists`)
  const diningOption = diningOptionOf(world, body)
  if (!Array.isArray(body.checks) || body.checks.length === 0) return invalid('checks are required')
  if (body.checks.length > 10) refuse(413, 'Too many checks')
  const at = world.tick()
  const opened = body.openedDate === undefined ? at : readDate(body.openedDate, 'openedDate')
  const promised = body.promisedDate === undefined ? undefined : readDate(body.promisedDate, 'promisedDate')
  if (promised !== undefined && promised <= at) invalid('promisedDate must be in the future')
  const checks = body.checks.map((check) => givenCheck(world, check, diningOption.behavior, at))
  return orderOf({
    guid: newGuid(),
    at: opened,
    diningOption: diningOption.guid,
    checks,
    externalId,
    source: 'API',
    displayNumber: String((world.orders.count() % 900) + 1),
    createdDate: wireDate(at),
    modifiedDate: wireDate(at),
    promisedDate: promised === undefined ? null : wireDate(promised),
    approvalStatus: promised === undefined ? 'NEEDS_APPROVAL' : 'FUTURE',
    numberOfGuests: typeof body.numberOfGuests === 'number' ? body.numberOfGuests : 1,
  })
}
function createOrder(world: World, body: Fields): Order {
  const order = pricedOrder(world, body)
  return world.orders.set(order.guid, order)
}
/** Nothing of it is stored, so nothing has a GUID. */
const withoutGuids = (order: Order): Fields => ({
  ...order,
  guid: null,
  checks: order.checks.map((check) => ({
    ...check,
    guid: null,
    selections: check.selections.map((selection) => ({ ...selection, guid: null })),
  })),
})

export const orderRoutes: Routes<World> = {
  'GET /orders/v2/ordersBulk': ({ request, context: world }) => listOrders(world, request),
  'GET /orders/v2/orders/:id': ({ params: { id = '' }, context: world }) => ok(findByEither(world.orders, id, 'order')),
  'POST /orders/v2/prices': ({ request, context: world }) => ok(withoutGuids(pricedOrder(world, readObject(request)))),
  'POST /orders/v2/orders': ({ request, context: world }) => ok(createOrder(world, readObject(request))),
}
