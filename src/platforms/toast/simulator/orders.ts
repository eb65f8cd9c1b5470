// Orders: lists by modification or business date, numbered pages with link headers, and a create that prices everything
// from the menu.
import { type Fields, isObject } from '../../../sandbox/http.ts'
import { numberedPage } from '../../../sandbox/paging.ts'
import type { Routes } from '../../../sandbox/router.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import {
  findByEither,
  invalid,
  isExternalId,
  never,
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
import {
  businessDate,
  type Check,
  cents,
  type DiningOption,
  type Item,
  newGuid,
  type Order,
  referenceTo,
  type Selection,
  type World,
} from './world.ts'

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
    return typeof amount === 'number' && amount >= 0 ? cents(amount) : invalid('openPriceAmount must not be negative')
  }
  if (item.dinnerPrice !== undefined && item.groups[0] !== groupGuid) return item.dinnerPrice
  return item.price ?? 0
}

export function selectionOf(
  world: World,
  item: Item,
  groupGuid: string,
  options: {
    quantity: number
    unitPrice: number
    discount: number
    at: number
    guid: string
    externalId?: string | null
  },
): Selection {
  const { quantity, unitPrice, discount, at, guid } = options
  const preDiscountPrice = cents(unitPrice * quantity)
  const price = cents(preDiscountPrice - discount)
  const { taxRate } = world
  const date = wireDate(at)
  const tax = item.taxed ? cents(price * taxRate.rate) : 0
  const applied = {
    guid: newTaxGuid(guid),
    entityType: 'AppliedTaxRate',
    taxRate: { guid: taxRate.guid, entityType: 'TaxRate' },
    name: taxRate.name,
    rate: taxRate.rate,
    taxAmount: tax,
    type: 'PERCENT',
  }
  const reduced = {
    guid: newTaxGuid(guid),
    entityType: 'AppliedCustomDiscount',
    externalId: null,
    name: 'Happy hour',
    discountAmount: discount,
    nonTaxDiscountAmount: discount,
    discountType: 'OPEN_FIXED',
  }
  return {
    guid,
    entityType: 'MenuItemSelection',
    externalId: options.externalId ?? null,
    item: { ...referenceTo('MenuItem', item.guid), multiLocationId: item.multiLocationId },
    itemGroup: referenceTo('MenuGroup', groupGuid),
    displayName: item.name,
    quantity,
    unitOfMeasure: item.unitOfMeasure,
    selectionType: 'NONE',
    preDiscountPrice,
    price,
    receiptLinePrice: unitPrice,
    tax,
    voided: false,
    fulfillmentStatus: 'NEW',
    taxInclusion: 'NOT_INCLUDED',
    plu: item.plu,
    modifiers: [],
    appliedDiscounts: discount > 0 ? [reduced] : [],
    appliedTaxes: item.taxed ? [applied] : [],
    createdDate: date,
    modifiedDate: date,
  }
}
/** A guid that differs from the selection's own, but is the same for the same seed. */
const newTaxGuid = (guid: string): string => `${guid.slice(0, -1)}${guid.endsWith('0') ? '1' : '0'}`

export function checkOf(
  selections: Selection[],
  facts: { guid: string; displayNumber: string; at: number; tabName: string | null; customer: object | null },
): Check {
  const live = selections.filter(({ voided }) => !voided)
  const amount = cents(live.reduce((sum, { price }) => sum + price, 0))
  const taxAmount = cents(live.reduce((sum, { tax }) => sum + tax, 0))
  const date = wireDate(facts.at)
  return {
    guid: facts.guid,
    entityType: 'Check',
    externalId: null,
    displayNumber: facts.displayNumber,
    openedDate: date,
    createdDate: date,
    modifiedDate: date,
    closedDate: null,
    deletedDate: never,
    paymentStatus: 'OPEN',
    voided: false,
    deleted: false,
    tabName: facts.tabName,
    taxExempt: false,
    amount,
    taxAmount,
    totalAmount: cents(amount + taxAmount),
    customer: facts.customer,
    selections,
    appliedDiscounts: [],
    appliedServiceCharges: [],
    payments: [],
  }
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
  if (item.needsModifier && !(Array.isArray(given.modifiers) && given.modifiers.length > 0))
    invalid(`${item.name} requires a selection from modifier group Temperature`)
  return selectionOf(world, item, groupGuid, {
    quantity,
    unitPrice: priceOf(item, groupGuid, given),
    discount: 0,
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

function createOrder(world: World, body: Fields): Order {
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
  const order: Order = {
    guid: newGuid(),
    entityType: 'Order',
    externalId,
    source: 'API',
    businessDate: businessDate(opened),
    displayNumber: String((world.orders.count() % 900) + 1),
    openedDate: wireDate(opened),
    createdDate: wireDate(at),
    modifiedDate: wireDate(at),
    closedDate: null,
    paidDate: null,
    promisedDate: promised === undefined ? null : wireDate(promised),
    voided: false,
    voidDate: null,
    deleted: false,
    deletedDate: never,
    approvalStatus: promised === undefined ? 'NEEDS_APPROVAL' : 'FUTURE',
    numberOfGuests: typeof body.numberOfGuests === 'number' ? body.numberOfGuests : 1,
    diningOption: referenceTo('DiningOption', diningOption.guid),
    server: null,
    table: null,
    revenueCenter: null,
    deliveryInfo: null,
    pricingFeatures: ['TAXESV2'],
    checks,
  }
  return world.orders.set(order.guid, order)
}

export const orderRoutes: Routes<World> = {
  'GET /orders/v2/ordersBulk': ({ request, context: world }) => listOrders(world, request),
  'GET /orders/v2/orders/:id': ({ params: { id = '' }, context: world }) => ok(findByEither(world.orders, id, 'order')),
  'POST /orders/v2/orders': ({ request, context: world }) => ok(createOrder(world, readObject(request))),
}
