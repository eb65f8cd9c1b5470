// Money beside the sales: tax rates, payment methods, fees of Lightspeed Payments (finance), and payments of API clients
// (order and pay), which are accepted first and fetched by a POS later.
import type { Fields } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import { instantOf, locationOf, pageSizeOf, range } from './finance.ts'
import { bodyOf, type FieldError, financeError, integerOf, ok, springError } from './wire.ts'
import { type Account, decimal, encodedUuid, iso, type Payment, type World } from './world.ts'

/** HAL leaves out an empty list. */
const hal = (name: string, rows: readonly unknown[], path: string): WireResponse =>
  ok({
    ...(rows.length > 0 && { _embedded: { [name]: rows } }),
    _links: { self: { href: `https://api.lsk.lightspeed.app${path}` } },
  })

/** Cards at the terminals of Lightspeed: 1.2 % and 10 pence, known when the payment is captured. */
function shownFee(world: World, { id }: Account, payment: Payment): Fields {
  const at = iso(payment.at)
  const amount = (cents: number) => ({ value: decimal(cents), currency: world.currency })
  return {
    accountFiscId: id,
    lightspeedPaymentId: `ad-${payment.fiscId.replace('.', '').padStart(14, '0')}`,
    uuid: encodedUuid(payment.uuid),
    reference: `RF${payment.fiscId.replace('.', '')}`,
    status: 'CAPTURED',
    createdDate: at,
    captureDate: at,
    modificationDate: at,
    fees: amount(Math.floor((payment.amount * 12) / 1000) + 10),
    surcharge: amount(payment.surcharge),
  }
}
function fees(world: World, request: WireRequest): WireResponse {
  const to = request.query.get('to')
  const target = range(
    world,
    instantOf(request.query.get('from'), 'from'),
    to === null ? undefined : instantOf(to, 'to'),
  )
  const size = pageSizeOf(request, 50, 100)
  const offset = integerOf(request, 'offset', 0, { least: 0, most: Number.MAX_SAFE_INTEGER })
  const dateType = request.query.get('dateType') ?? 'MODIFIED'
  if (dateType !== 'CREATED' && dateType !== 'MODIFIED') return financeError(400, `Invalid dateType: ${dateType}`)
  const found = world.accounts
    .values()
    .flatMap((account) =>
      account.payments
        .filter(({ code, amount, at }) => code === 'VISA' && amount > 0 && at >= target.from && at <= target.to)
        .map((payment) => ({ account, payment })),
    )
    .sort((a, b) => a.payment.at - b.payment.at || (a.payment.fiscId < b.payment.fiscId ? -1 : 1))
  const end = offset + size
  return ok({
    payments: found.slice(offset, end).map(({ account, payment }) => shownFee(world, account, payment)),
    pageSize: size,
    offset,
    ...(end < found.length && { nextOffset: end }),
  })
}

function payErrors(world: World, body: Fields): FieldError[] {
  const { thirdPartyPaymentReference: reference, endpointId, taskTtlInMs, paymentAmount, tipAmount = 0 } = body
  return [
    ...(typeof reference === 'string' && reference.length >= 1 && reference.length <= 50
      ? []
      : [{ field: 'thirdPartyPaymentReference', message: 'size must be between 1 and 50' }]),
    ...(body.businessLocationId === world.locationId
      ? []
      : [{ field: 'businessLocationId', message: 'must be a location of the business' }]),
    ...(typeof endpointId === 'string' && world.endpoints.has(endpointId)
      ? []
      : [{ field: 'endpointId', message: 'must be a registered webhook' }]),
    ...(typeof paymentAmount === 'number' && paymentAmount > 0
      ? []
      : [{ field: 'paymentAmount', message: 'must be greater than 0' }]),
    ...(typeof tipAmount === 'number' && tipAmount >= 0
      ? []
      : [{ field: 'tipAmount', message: 'must be greater than or equal to 0' }]),
    ...(taskTtlInMs !== undefined && (typeof taskTtlInMs !== 'number' || taskTtlInMs < 60_000)
      ? [{ field: 'taskTtlInMs', message: 'must be greater than or equal to 60000' }]
      : []),
  ]
}
/** A reference that is used twice is a 400 here, and a 409 where orders are placed. */
function pay(world: World, request: WireRequest): WireResponse {
  const body = bodyOf(request)
  const errors = payErrors(world, body)
  if (errors.length > 0)
    return springError(
      400,
      `Validation failed for object='standalonePayment'. Error count: ${errors.length}`,
      request.path,
      errors,
    )
  const reference = String(body.thirdPartyPaymentReference)
  if (world.pays.has(reference)) return springError(400, `reference has already been used ${reference}`, request.path)
  world.pays.set(reference, {
    reference,
    account: String(body.iKaccountIdentifier ?? ''),
    code: typeof body.paymentMethod === 'string' ? body.paymentMethod : 'OOPAYMENT',
    amount: Math.round(Number(body.paymentAmount) * 100),
    tip: Math.round(Number(body.tipAmount ?? 0) * 100),
    acceptedAt: world.now(),
    looks: 0,
    state: 'waiting',
  })
  return ok({ status: 'ok' })
}

/** Scope financial-api. */
export const moneyRoutes: Routes<World> = {
  'GET /f/finance/:location/tax-rates': ({ request, params: { location = '' }, context: world }) => {
    locationOf(world, location)
    const rates = world.taxes.values().map(({ code, description, multiplier, included }) => ({
      code,
      description,
      rate: Number(multiplier),
      taxIncluded: included,
      accountingReference: '4010',
    }))
    return hal('taxRateList', rates, request.path)
  },
  'GET /f/finance/:location/paymentMethods': ({ request, params: { location = '' }, context: world }) => {
    locationOf(world, location)
    const rows = world.methods.values().map(({ accountingReference, ...method }) => ({
      ...method,
      ...(accountingReference !== null && { accountingReference }),
    }))
    return hal('paymentMethodList', rows, request.path)
  },
  'GET /f/v2/business-location/:location/lightspeed-payments': ({
    request,
    params: { location = '' },
    context: world,
  }) => {
    locationOf(world, location)
    return fees(world, request)
  },
}
/** Scope orders-api. */
export const payRoutes: Routes<World> = {
  'POST /o/op/1/pay': ({ request, context }) => pay(context, request),
}
