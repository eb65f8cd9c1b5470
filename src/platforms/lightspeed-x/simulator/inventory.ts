// Stock by outlet: bare arrays since the dated versions, read with a POST whose order is descending unless it says so.
// https://x-series-api.lightspeedhq.com/reference/listinventoryrecords
import { type Fields, Refusal } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import type { WireResponse } from '../../../sandbox/simulator.ts'
import { bodyOf, failure, integerOf, refuse } from './wire.ts'
import type { Inventory, World } from './world.ts'

const base = '/api/2026-07'
const most = 5000
const usual = 1000

interface Wanted {
  after: number
  before: number
  size: number
  product: string | undefined
  variants: boolean
  direction: 'asc' | 'desc'
}
const render = ({ id, product, outlet, level, reorder_point, reorder_amount, version }: Inventory) => ({
  id,
  product_id: product,
  outlet_id: outlet,
  current_inventory_level: level,
  quantity_to_procure: 0,
  reorder_point,
  reorder_amount,
  reorder_target: null,
  reorder_method: reorder_point === null ? null : 'FIXED',
  deleted_at: null,
  version,
})
/** With `variants`, the product is the first of a family, and all of its members count. */
const isOf = (world: World, { product, variants }: Wanted, id: string): boolean =>
  product === undefined || id === product || (variants && world.products.get(id)?.parent === product)

function found(world: World, wanted: Wanted): WireResponse {
  if (wanted.size < 1 || wanted.size > most) throw new Refusal(failure(400, 'Bad Request', `the size is 1 to ${most}`))
  const sign = wanted.direction === 'asc' ? 1 : -1
  const rows = world.inventory
    .filter(({ version, product }) => version > wanted.after && version < wanted.before && isOf(world, wanted, product))
    .sort((a, b) => sign * (a.version - b.version))
    .slice(0, wanted.size)
  return { status: 200, body: rows.map(render) }
}

function numberIn(body: Fields, name: string): number | undefined {
  const value = body[name]
  if (value === undefined || value === null) return undefined
  return Number.isInteger(value) ? (value as number) : refuse(name, 'must be an integer')
}
const directionOf = (value: unknown, otherwise: 'asc' | 'desc'): 'asc' | 'desc' => {
  if (value === undefined || value === null) return otherwise
  return value === 'asc' || value === 'desc' ? value : refuse('sort_direction', 'must be asc or desc')
}

export const inventoryRoutes: Routes<World> = {
  [`POST ${base}/inventory`]: ({ request, context: world }) => {
    const body = bodyOf(request)
    return found(world, {
      after: numberIn(body, 'after') ?? 0,
      before: numberIn(body, 'before') ?? Number.POSITIVE_INFINITY,
      size: numberIn(body, 'size') ?? usual,
      product: typeof body.product_id === 'string' ? body.product_id : undefined,
      variants: body.variants === true,
      direction: directionOf(body.sort_direction, 'desc'),
    })
  },
  // A product without inventory has no records; neither has an unknown one.
  [`GET ${base}/inventory/:id`]: ({ request: { query }, params: { id = '' }, context: world }) =>
    found(world, {
      after: integerOf(query, 'after', 0) ?? 0,
      before: integerOf(query, 'before', 0) ?? Number.POSITIVE_INFINITY,
      size: integerOf(query, 'page_size', 1) ?? usual,
      product: id,
      variants: query.get('variants') === 'true',
      direction: directionOf(query.get('order_direction'), 'asc'),
    }),
}
