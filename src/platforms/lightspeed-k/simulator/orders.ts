// Order and pay: orders are accepted, not created; open checks; readiness; webhooks. Amounts are JSON numbers.
import type { Fields } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import { addedTaxOf, baseOf, chargeOf, dueOf, netOf, sum } from './amounts.ts'
import { deliverTasks } from './delivery.ts'
import { instructionGroups } from './menu.ts'
import { bodyOf, type FieldError, ok, springError, springTime } from './wire.ts'
import { type Account, isOpen, type Line, type TaskLine, type World } from './world.ts'

const hasLocation = (world: World, request: WireRequest): boolean =>
  request.query.get('businessLocationId') === String(world.locationId)
const noLocation = (request: WireRequest): WireResponse =>
  springError(
    400,
    "Required request parameter 'businessLocationId' for method parameter type Long is not present",
    request.path,
  )

const number = (micros: number): number => micros / 1_000_000
function shownEntry(line: Line, lines: readonly Line[]): Fields {
  return {
    id: 1341648999000000 + Number(line.id.split('.')[1]),
    itemName: line.nameOverride ?? line.name,
    itemSku: line.sku,
    unitAmount: line.unit / 100,
    grossUnitAmount: line.unit / 100,
    quantity: line.quantity / 1000,
    modifiers: line.instructions.map((name) => ({ name, quantity: 1 })),
    amountWithTax: number(baseOf(line) + addedTaxOf(line)),
    amountLessTax: number(netOf(line)),
    discountedAmount: (line.discount + line.accountDiscount) / 100,
    timeOfTransactionUtc: springTime(line.at),
    active: true,
    subLineItems: lines.filter(({ parentLineId }) => parentLineId === line.id).map((sub) => shownEntry(sub, lines)),
    taxIncluded: line.taxes.every(({ included }) => included),
  }
}
function shownCheck(world: World, account: Account): Fields {
  const owner = world.staff.get(String(account.staffId))
  return {
    clientCount: account.covers,
    uuid: account.uuid,
    openDate: springTime(account.openedAt),
    ...(account.closedAt !== undefined && { closeDate: springTime(account.closedAt) }),
    paidAmount: sum(account.payments.map(({ amount }) => amount)) / 100,
    serviceCharge: number(sum(account.lines.map(chargeOf))),
    name: account.name,
    currentAmount: dueOf(account) / 100,
    staffName: owner?.username ?? null,
    staffId: account.staffId,
    salesEntries: account.lines
      .filter(({ parentLineId }) => parentLineId === null)
      .map((line) => shownEntry(line, account.lines)),
    paymentEntries: account.payments.map(({ amount, at, reference, code }) => ({
      paymentMethodDescription: world.methods.get(code)!.name,
      externalReference: reference,
      paymentMethodCode: code,
      amountPaid: amount / 100,
      paymentDate: springTime(at),
      active: true,
    })),
    ikaccountId: account.id,
    tableNumber: account.table,
    posId: 65315,
  }
}

function itemErrors(items: unknown, field = 'items'): FieldError[] {
  if (!Array.isArray(items) || items.length === 0) return [{ field, message: 'must not be empty' }]
  return (items as Fields[]).flatMap((item, index) => lineErrors(item, `${field}[${index}]`))
}
function lineErrors(
  { sku, quantity, discountAmountOverride, discountPercentOverride, discountCode, modifiers = [], subItems }: Fields,
  line: string,
): FieldError[] {
  const at = (field: string, message: string) => ({ field: `${line}.${field}`, message })
  return [
    ...(typeof sku !== 'string' || sku === ''
      ? [at('sku', 'must not be null')]
      : sku.length > 25
        ? [at('sku', 'size must be between 0 and 25')]
        : []),
    ...(Number.isInteger(quantity) ? [] : [at('quantity', 'must be an integer')]),
    ...(discountAmountOverride !== undefined && discountPercentOverride !== undefined
      ? [at('discountAmountOverride', 'only one override can be set')]
      : []),
    ...(discountAmountOverride !== undefined && !discountCode ? [at('discountCode', 'must not be null')] : []),
    ...(Array.isArray(modifiers) && modifiers.every((one) => typeof (one as Fields)?.modifierId === 'string')
      ? []
      : [at('modifiers', 'must have an id as a string')]),
    ...(subItems === undefined || (Array.isArray(subItems) && subItems.length === 0)
      ? []
      : itemErrors(subItems, `${line}.subItems`)),
  ]
}
function orderErrors(world: World, body: Fields): FieldError[] {
  const {
    thirdPartyReference: reference,
    customerInfo,
    endpointId,
    maxTimeToAttemptOrderDeliverToPos: longest,
    collectionCode,
    staffId,
  } = body
  const guest = (customerInfo ?? {}) as Fields
  return [
    ...(typeof reference !== 'string' ? [{ field: 'thirdPartyReference', message: 'must not be null' }] : []),
    ...(typeof reference === 'string' && (reference.length < 1 || reference.length > 48)
      ? [{ field: 'thirdPartyReference', message: 'size must be between 1 and 48' }]
      : []),
    ...(body.businessLocationId === world.locationId
      ? []
      : [{ field: 'businessLocationId', message: 'must be a location of the business' }]),
    ...(typeof endpointId === 'string' && world.endpoints.has(endpointId)
      ? []
      : [{ field: 'endpointId', message: 'must be a registered webhook' }]),
    ...(typeof guest.firstName === 'string' && guest.firstName.length >= 1 && guest.firstName.length <= 128
      ? []
      : [{ field: 'customerInfo.firstName', message: 'must not be null' }]),
    ...(guest.thirdPartyReference && !guest.email
      ? [{ field: 'customerInfo.thirdPartyReference', message: 'must be empty without an email' }]
      : []),
    ...(longest !== undefined && (typeof longest !== 'number' || longest < 60_000)
      ? [{ field: 'maxTimeToAttemptOrderDeliverToPos', message: 'must be greater than or equal to 60000' }]
      : []),
    ...(typeof collectionCode === 'string' && collectionCode.length > 8
      ? [{ field: 'collectionCode', message: 'size must be between 0 and 8' }]
      : []),
    ...(staffId === undefined || world.staff.get(String(staffId))?.userTypes.includes('POS')
      ? []
      : [{ field: 'staffId', message: 'must be a user of the POS' }]),
    ...itemErrors(body.items),
  ]
}
function placeOrder(world: World, request: WireRequest, toGo: boolean): WireResponse {
  const body = bodyOf(request)
  const errors = orderErrors(world, body)
  if (errors.length > 0)
    return springError(
      400,
      `Validation failed for object='${toGo ? 'toGoOrder' : 'localOrder'}'. Error count: ${errors.length}`,
      request.path,
      errors,
    )
  const reference = String(body.thirdPartyReference)
  if (world.tasks.has(reference))
    return { status: 409, body: { status: 'fail', msg: `reference has already been used ${reference}` } }
  world.tasks.set(reference, {
    reference,
    acceptedAt: world.now(),
    looks: 0,
    state: 'waiting',
    order: {
      items: body.items as TaskLine[],
      collectionCode: typeof body.collectionCode === 'string' ? body.collectionCode : null,
      clientCount: Number(body.clientCount ?? 1),
      tableNumber: body.tableNumber === undefined ? null : Number(body.tableNumber),
      profile: typeof body.accountProfileCode === 'string' ? body.accountProfileCode : null,
      staffId: typeof body.staffId === 'number' ? body.staffId : null,
      toGo,
    },
  })
  return ok({ status: 'ok' })
}

export const orderRoutes: Routes<World> = {
  'POST /o/op/1/order/toGo': ({ request, context }) => placeOrder(context, request, true),
  'POST /o/op/1/order/local': ({ request, context }) => placeOrder(context, request, false),
  'GET /o/op/1/order/table/getCheck': ({ request, context }) => {
    if (!hasLocation(context, request)) return noLocation(request)
    deliverTasks(context)
    return ok(
      context.accounts
        .filter(isOpen)
        .toReversed()
        .map((account) => shownCheck(context, account)),
    )
  },
  'GET /o/op/1/order/accounts/:id': ({ request, params: { id = '' }, context }) => {
    if (!hasLocation(context, request)) return noLocation(request)
    if (!/^A\d+\.\d+$/.test(id)) return springError(400, 'Invalid account identifier', request.path)
    deliverTasks(context)
    const account = context.accounts.get(id)
    // A closed account is no longer in order and pay: it is a sale.
    return account && isOpen(account)
      ? ok(shownCheck(context, account))
      : springError(404, `account not found for BL ${context.locationId}`, request.path)
  },
  'GET /o/op/1/menu/modifiers': ({ request, context }) =>
    hasLocation(context, request) ? ok(instructionGroups) : noLocation(request),
  'GET /o/op/1/onlineOrderReadiness': ({ request, context }) => {
    if (!hasLocation(context, request)) return noLocation(request)
    return ok({
      status: 'READY',
      lastUpdatedAt: new Date(context.now()).toISOString(),
      onlineOrderingApiConfiguration: {
        enabled: true,
        orderProfileId: 123456,
        staffId: context.staff.values()[0]?.staffId,
      },
      posStatus: { salesPeriod: 'OPENED', acceptingOnlineOrders: true, availableDevices: true },
    })
  },
  'PUT /o/wh/1/webhook': ({ request, context }) => {
    const { endpointId, url } = bodyOf(request)
    if (typeof endpointId !== 'string' || typeof url !== 'string')
      return springError(400, "Validation failed for object='webhookEndpointDto'. Error count: 1", request.path, [
        { field: endpointId ? 'url' : 'endpointId', message: 'must not be null' },
      ])
    return ok(context.endpoints.set(endpointId, { endpointId, url }))
  },
  'GET /o/wh/1/webhook/:id': ({ request, params: { id = '' }, context }) => {
    const endpoint = context.endpoints.get(id)
    return endpoint ? ok(endpoint) : springError(404, `endpoint ID not found for ${id}`, request.path)
  },
}
