// Lines of an order. There is no quantity: one line is one unit, except for items sold by measure, which have `unitQty`
// in thousandths.
import { type Fields, isObject } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import type { Schemas } from '../../../sandbox/schema.ts'
import { findOrder, showLine } from './orders.ts'
import { accept, bodyOf, byName, expandOf, invalid, listOf, nested, ok, refuse } from './wire.ts'
import {
  changeOrder,
  type Discount,
  type LineItem,
  type Modification,
  type Modifier,
  newId,
  type Order,
  type World,
  wholeSecond,
} from './world.ts'

const lineFields: Schemas = {
  name: 127,
  alternateName: 127,
  price: 'integer',
  unitQty: 'integer',
  unitName: 64,
  itemCode: 100,
  note: 255,
  userData: 255,
  printed: 'boolean',
  isRevenue: 'boolean',
  item: 'reference',
}
const most = 3000

function buildLine(world: World, body: unknown, at: number): LineItem {
  if (!isObject(body)) return invalid('Invalid line item')
  const fields = accept(body, lineFields)
  const item =
    fields.item === undefined
      ? undefined
      : (world.items.get((fields.item as { id: string }).id) ?? invalid('Item not found'))
  if (item === undefined && fields.price === undefined) invalid('A line item needs a price or the id of an item')
  const taxRates = item
    ? item.defaultTaxRates
      ? world.taxRates.filter(({ isDefault }) => isDefault === true)
      : item.taxRateIds.map((id) => world.taxRates.get(id)!)
    : []
  return {
    name: item?.name,
    price: item?.price,
    ...(item?.code && { itemCode: item.code }),
    printed: false,
    exchanged: false,
    refunded: false,
    isRevenue: true,
    ...fields,
    id: newId(),
    createdTime: wholeSecond(at),
    discountList: [],
    modificationList: [],
    taxRateList: taxRates,
  } as unknown as LineItem
}
function addLines(world: World, order: Order, bodies: readonly unknown[]): LineItem[] {
  if (order.lines.length + bodies.length > most) invalid(`An order is limited to a maximum of ${most} line items`)
  const at = world.tick()
  const added = bodies.map((body) => buildLine(world, body, at))
  changeOrder(world, order, { lines: [...order.lines, ...added] })
  return added
}
const findLine = (order: Order, id: string): LineItem =>
  order.lines.find((line) => line.id === id) ?? refuse(404, 'Not Found', 'Line item not found')

function buildDiscount(body: Fields): Discount {
  const fields = accept(body, {
    name: 64,
    amount: 'integer',
    percentage: 'integer',
    percentageDecimal: 'integer',
    discount: 'reference',
  })
  if ([fields.amount, fields.percentage, fields.percentageDecimal].every((one) => one === undefined))
    invalid('A discount needs an amount or a percentage')
  if (Number(fields.amount ?? 0) > 0) invalid('Discount amount must be negative')
  if (fields.percentage !== undefined && (Number(fields.percentage) < 1 || Number(fields.percentage) > 100))
    invalid('Discount percentage must be from 1 to 100')
  return { name: '', ...fields, id: newId() }
}
function buildModification(world: World, body: Fields): Modification {
  const fields = accept(body, { name: 255, amount: 'integer', modifier: 'reference' })
  const modifier = world.modifiers.get((fields.modifier as { id?: string } | undefined)?.id ?? '')
  if (!modifier) return invalid('Modifier not found')
  const { id, name, price } = modifier
  return { name, amount: price, ...fields, id: newId(), modifier: { id } }
}
function changeLine(world: World, order: Order, changed: LineItem): void {
  changeOrder(world, order, { lines: order.lines.map((line) => (line.id === changed.id ? changed : line)) })
}

export const lineRoutes: Routes<World> = {
  'GET /orders/:id/line_items': ({ request, params: { id = '' }, context: world }) =>
    listOf(request, {
      href: `${world.base}/orders/${id}/line_items`,
      rows: findOrder(world, id).lines,
      id: (line) => line.id,
      created: ({ createdTime }) => createdTime,
      filters: {},
      show: showLine,
    }),
  'GET /orders/:id/line_items/:line': ({ request, params: { id = '', line = '' }, context: world }) =>
    ok(showLine(findLine(findOrder(world, id), line), expandOf(request.query))),
  'POST /orders/:id/line_items': ({ request, params: { id = '' }, context: world }) => {
    const [line] = addLines(world, findOrder(world, id), [bodyOf(request)])
    return ok(showLine(line!, new Set()))
  },
  'POST /orders/:id/bulk_line_items': ({ request, params: { id = '' }, context: world }) => {
    const order = findOrder(world, id)
    const { items } = bodyOf(request)
    if (!Array.isArray(items) || items.length === 0) return invalid('items is required')
    if (items.length > 100) invalid('At most 100 line items can be created at once')
    if (items.some((item: Fields) => item?.price === undefined)) invalid('Each line item must include a price')
    return ok(addLines(world, order, items).map((line) => showLine(line, new Set())))
  },
  'DELETE /orders/:id/line_items/:line': ({ params: { id = '', line = '' }, context: world }) => {
    const order = findOrder(world, id)
    const gone = findLine(order, line)
    changeOrder(world, order, { lines: order.lines.filter((other) => other.id !== gone.id) })
    return ok({})
  },
  'POST /orders/:id/line_items/:line/discounts': ({ request, params: { id = '', line = '' }, context: world }) => {
    const order = findOrder(world, id)
    const target = findLine(order, line)
    const discount = buildDiscount(bodyOf(request))
    changeLine(world, order, { ...target, discountList: [...target.discountList, discount] })
    return ok(discount)
  },
  'POST /orders/:id/line_items/:line/modifications': ({ request, params: { id = '', line = '' }, context: world }) => {
    const order = findOrder(world, id)
    const target = findLine(order, line)
    const modification = buildModification(world, bodyOf(request))
    changeLine(world, order, { ...target, modificationList: [...target.modificationList, modification] })
    return ok({ ...modification, lineItemRef: { id: target.id } })
  },
  'GET /modifiers': ({ request, context: world }) =>
    listOf(request, {
      href: `${world.base}/modifiers`,
      rows: world.modifiers.values(),
      id: (modifier) => modifier.id,
      created: () => 0,
      filters: byName<Modifier>('id', 'name', 'price'),
      show: (modifier) => modifier,
    }),
  'GET /orders/:id/discounts': ({ params: { id = '' }, context: world }) =>
    ok(nested(findOrder(world, id).discountList)),
  'POST /orders/:id/discounts': ({ request, params: { id = '' }, context: world }) => {
    const order = findOrder(world, id)
    const discount = buildDiscount(bodyOf(request))
    changeOrder(world, order, { discountList: [...order.discountList, discount] })
    return ok(discount)
  },
}
