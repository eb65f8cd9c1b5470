// Orders. Without a state an order is hidden: it is in no list and can only be read by id. The client sets totals.
import { type Fields, isObject } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import type { Schemas } from '../../../sandbox/schema.ts'
import type { WireRequest } from '../../../sandbox/simulator.ts'
import { accept, bodyOf, type Condition, conditionsOf, expandOf, invalid, listOf, nested, ok, refuse } from './wire.ts'
import { changeOrder, type LineItem, newId, type Order, type World } from './world.ts'

const day = 86_400_000
/** The fields that a create accepts; the rest of the body is ignored, including the client's reference and times. */
const creatable: Schemas = {
  title: 127,
  note: 2047,
  state: 31,
  total: 'integer',
  taxRemoved: 'boolean',
  testMode: 'boolean',
  manualTransaction: 'boolean',
  groupLineItems: 'boolean',
  orderType: 'reference',
  employee: 'reference',
}
const changeable: Schemas = { ...creatable, externalReferenceId: 127 }

export function showLine(
  { discountList, modificationList, taxRateList, ...line }: LineItem,
  expand: ReadonlySet<string>,
): Fields {
  return {
    unitQty: null,
    unitName: '',
    ...line,
    ...(expand.has('discounts') && discountList.length > 0 && { discounts: nested(discountList) }),
    ...(expand.has('modifications') && modificationList.length > 0 && { modifications: nested(modificationList) }),
    ...(expand.has('taxRates') && taxRateList.length > 0 && { taxRates: nested(taxRateList) }),
  }
}
const voided = ['VOIDED', 'VOIDING']
function showOrder(world: World, order: Order, expand: ReadonlySet<string>): Fields {
  const { customerIds, lines, discountList, paymentList, refundList, creditList, ...rest } = order
  const { serviceChargeOf, orderTypeId, state, ...shown } = rest
  const orderType = world.orderTypes.get(orderTypeId ?? '')
  const plainly = paymentList.map(({ cardTransaction: _, additionalCharges: __, ...payment }) => payment)
  const charged = plainly.filter(({ result }) => !voided.includes(result))
  const voids = plainly.filter(({ result }) => voided.includes(result))
  const deeper = new Set(
    [...expand].filter((name) => name.startsWith('lineItems.')).map((name) => name.slice('lineItems.'.length)),
  )
  return {
    href: `${world.base}/orders/${order.id}`,
    ...shown,
    ...(state !== null && { state }),
    ...(expand.has('lineItems') && { lineItems: nested(lines.map((line) => showLine(line, deeper))) }),
    ...(expand.has('customers') && customerIds.length > 0 && { customers: nested(customerIds.map((id) => ({ id }))) }),
    ...(orderType && { orderType: expand.has('orderType') ? orderType : { id: orderType.id } }),
    ...(expand.has('serviceCharge') && serviceChargeOf && { serviceCharge: serviceChargeOf }),
    ...(expand.has('payments') && charged.length > 0 && { payments: nested(charged) }),
    ...(expand.has('voids') && voids.length > 0 && { voids: nested(voids) }),
    ...(expand.has('refunds') && refundList.length > 0 && { refunds: nested(refundList) }),
    ...(expand.has('credits') && creditList.length > 0 && { credits: nested(creditList) }),
    ...(expand.has('discounts') && discountList.length > 0 && { discounts: nested(discountList) }),
  }
}
export const findOrder = (world: World, id: string): Order => {
  const order = world.orders.get(id)
  return order && order.deletedTimestamp === undefined ? order : refuse(404, 'Not Found', 'Order not found')
}
export const visibleOrders = (world: World): Order[] =>
  world.orders.filter(({ state, deletedTimestamp }) => state !== null && deletedTimestamp === undefined)

const times = ['createdTime', 'clientCreatedTime', 'modifiedTime'] as const
const restricted = [
  'deletedTime',
  'externalReferenceId',
  'createdTime',
  'total',
  'payType',
  'title',
  'note',
  'state',
  'manualTransaction',
  'testMode',
]

/**
 * One call covers at most 90 days: a longer range is silently cut to its last 90 days. Filters on other fields and
 * calls without a time cover the last 90 days.
 */
export function within90Days(
  conditions: readonly Condition[],
  now: number,
): (row: { createdTime: number; clientCreatedTime?: unknown; modifiedTime: number }) => boolean {
  const spans = times.flatMap((field) => {
    const bounds = conditions.filter((condition) => condition.field === field)
    if (bounds.length === 0) return []
    const upper = bounds
      .filter(({ operator }) => /[<=]/.test(operator) && operator !== '>=')
      .map(({ value }) => Number(value))
    return [{ field, from: Math.min(now, ...upper) - 90 * day }]
  })
  const recent =
    spans.length === 0 || conditions.some(({ field }) => restricted.includes(field) && field !== 'createdTime')
  return (row) =>
    spans.every(({ field, from }) => Number(row[field]) >= from) && (!recent || row.createdTime >= now - 90 * day)
}
function listOrders(request: WireRequest, world: World) {
  const conditions = conditionsOf(request.query)
  const rows = visibleOrders(world).filter(within90Days(conditions, world.now()))
  const plain = [
    'id',
    'note',
    'title',
    'modifiedTime',
    'createdTime',
    'clientCreatedTime',
    'externalReferenceId',
    'total',
    'payType',
    'state',
    'manualTransaction',
    'testMode',
  ]
  return listOf(request, {
    href: `${world.base}/orders`,
    rows,
    id: ({ id }) => id,
    created: ({ createdTime }) => createdTime,
    sorts: {
      modifiedTime: ({ modifiedTime }) => modifiedTime,
      createdTime: ({ createdTime }) => createdTime,
      clientCreatedTime: ({ clientCreatedTime }) => clientCreatedTime,
    },
    filters: {
      ...Object.fromEntries(plain.map((name) => [name, (order: Order) => order[name]])),
      deletedTime: ({ deletedTimestamp }) => deletedTimestamp,
      'employee.id': ({ employee }) => (employee as { id?: string } | undefined)?.id,
    },
    show: (order, expand) => showOrder(world, order, expand),
  })
}

function customersIn(world: World, body: Fields): { customerIds?: string[] } {
  if (body.customers === undefined) return {}
  const given = isObject(body.customers) ? body.customers.elements : body.customers
  if (!Array.isArray(given)) return invalid("Invalid value for 'customers'")
  return {
    customerIds: given.map((customer: Fields) => {
      if (!world.customers.has(String(customer?.id))) invalid('Customer not found')
      return String(customer.id)
    }),
  }
}

export const orderRoutes: Routes<World> = {
  'GET /orders': ({ request, context: world }) => listOrders(request, world),
  'GET /orders/:id': ({ request, params: { id = '' }, context: world }) =>
    ok(showOrder(world, findOrder(world, id), expandOf(request.query))),
  'POST /orders': ({ request, context: world }) => {
    const body = bodyOf(request)
    const fields = accept(body, creatable)
    const at = world.stamp()
    const order = {
      state: null,
      paymentState: 'OPEN',
      currency: world.merchant.currency,
      total: 0,
      taxRemoved: false,
      isVat: false,
      manualTransaction: false,
      groupLineItems: true,
      testMode: false,
      ...fields,
      id: newId(),
      createdTime: at,
      clientCreatedTime: at,
      modifiedTime: at,
      customerIds: [],
      ...customersIn(world, body),
      lines: [],
      discountList: [],
      paymentList: [],
      refundList: [],
      creditList: [],
    } as unknown as Order
    return ok(showOrder(world, world.orders.set(order.id, order), new Set()))
  },
  'POST /orders/:id': ({ request, params: { id = '' }, context: world }) => {
    const order = findOrder(world, id)
    const body = bodyOf(request)
    return ok(
      showOrder(
        world,
        changeOrder(world, order, { ...accept(body, changeable), ...customersIn(world, body) }),
        expandOf(request.query),
      ),
    )
  },
  'DELETE /orders/:id': ({ params: { id = '' }, context: world }) => {
    changeOrder(world, findOrder(world, id), { deletedTimestamp: world.now() })
    return ok({})
  },
}
