// Order search by location, time and state, for at most ten locations.
import type { Fields } from '../../../sandbox/http.ts'
import { carriedInCursor } from '../../../sandbox/paging.ts'
import type { Routes } from '../../../sandbox/router.ts'
import type { WireResponse } from '../../../sandbox/simulator.ts'
import type { StoredOrder } from './orders.ts'
import { accept, bodyOf, inRange, invalid, list } from './wire.ts'
import { iso, locationOf, pageOf, type World } from './world.ts'

interface Search extends Fields {
  location_ids?: string[]
  limit?: number
  cursor?: string
  return_entries?: boolean
  query?: {
    filter?: {
      date_time_filter?: Record<string, Fields | null>
      state_filter?: { states?: string[] }
      customer_filter?: { customer_ids?: string[] }
      source_filter?: { source_names?: string[] }
    }
    sort?: { sort_field?: string; sort_order?: string }
  }
}
const timeFields = { created_at: 'CREATED_AT', updated_at: 'UPDATED_AT', closed_at: 'CLOSED_AT' } as const
type TimeField = keyof typeof timeFields

/** The time field of the filter, which must also be the sort field. */
function timeFieldOf({ filter, sort }: NonNullable<Search['query']>): { field: TimeField; range?: Fields } {
  const used = Object.entries(filter?.date_time_filter ?? {}).filter(([, range]) => range)
  if (used.length > 1)
    invalid(
      'BAD_REQUEST',
      'Only one of created_at, updated_at and closed_at may be filtered by.',
      'query.filter.date_time_filter',
    )
  const sorted = sort?.sort_field ?? 'CREATED_AT'
  const [filtered] = used
  if (filtered && timeFields[filtered[0] as TimeField] !== sorted)
    invalid(
      'BAD_REQUEST',
      `The sort field must match the date time filter: ${timeFields[filtered[0] as TimeField]}.`,
      'query.sort.sort_field',
    )
  const states = filter?.state_filter?.states ?? []
  if (
    sorted === 'CLOSED_AT' &&
    (states.length === 0 || states.some((state) => state !== 'COMPLETED' && state !== 'CANCELED'))
  ) {
    invalid('BAD_REQUEST', 'CLOSED_AT needs a state filter of closed states.', 'query.filter.state_filter')
  }
  const field = (Object.keys(timeFields) as TimeField[]).find((name) => timeFields[name] === sorted)!
  return { field, range: filtered?.[1] ?? undefined }
}

function atMostTen(ids: readonly string[] | undefined, field: string): void {
  if (ids && ids.length > 10) invalid('ARRAY_LENGTH_TOO_LONG', 'At most 10 ids.', field)
}

function searchOrders(world: World, given: Fields): WireResponse {
  const body = accept('SearchOrdersRequest', given) as Search
  const { location_ids: locations, limit = 500, query = {} } = body
  if (!locations?.length) return invalid('MISSING_REQUIRED_PARAMETER', 'Missing required parameter.', 'location_ids')
  atMostTen(locations, 'location_ids')
  for (const [index, id] of locations.entries()) locationOf(world, id, `location_ids[${index}]`)
  if (limit < 1 || limit > 1000)
    invalid(limit < 1 ? 'VALUE_TOO_LOW' : 'VALUE_TOO_HIGH', 'limit must be from 1 to 1000.', 'limit')
  const { customer_filter, source_filter, state_filter } = query.filter ?? {}
  atMostTen(customer_filter?.customer_ids, 'query.filter.customer_filter.customer_ids')
  atMostTen(source_filter?.source_names, 'query.filter.source_filter.source_names')
  const { field, range } = timeFieldOf(query)
  // Without an end, the time of the first page is the end for all pages: an order that changes later drops out of an
  // updated_at walk.
  const { cursor: _, limit: __, ...bound } = body
  const end =
    (carriedInCursor(body.cursor, bound) as string | undefined) ??
    iso(Math.max(world.now(), Date.parse(newest(world, field))))
  const within = inRange({ ...range, end_at: range?.end_at ?? end }, `query.filter.date_time_filter.${field}`)
  const rows = world.orders.filter(
    (order) =>
      locations.includes(order.location_id) &&
      within(order[field] as string | undefined) &&
      (!state_filter?.states?.length || state_filter.states.includes(order.state)) &&
      (!customer_filter?.customer_ids?.length || customer_filter.customer_ids.includes(String(order.customer_id))) &&
      (!source_filter?.source_names?.length ||
        source_filter.source_names.includes(String((order.source as Fields | undefined)?.name))),
  )
  const page = pageOf(rows, body, {
    limit,
    key: (order) => `${String(order[field])} ${order.id}`,
    descending: query.sort?.sort_order !== 'ASC',
    carried: end,
  })
  if (body.return_entries === true)
    return list(
      'order_entries',
      page.rows.map(({ id, version, location_id }) => ({ order_id: id, version, location_id })),
      page.rest,
    )
  return list('orders', page.rows, page.rest)
}

const newest = (world: World, field: TimeField): string =>
  world.orders
    .values()
    .reduce((last, order: StoredOrder) => (String(order[field] ?? '') > last ? String(order[field]) : last), iso(0))

export const orderSearchRoutes: Routes<World> = {
  'POST /v2/orders/search': ({ request, context: world }) => searchOrders(world, bodyOf(request)),
  'POST /v2/orders/batch-retrieve': ({ request, context: world }) => {
    const { order_ids: ids } = bodyOf(request)
    if (!Array.isArray(ids) || ids.length === 0)
      return invalid('MISSING_REQUIRED_PARAMETER', 'Missing required parameter.', 'order_ids')
    if (ids.length > 100) invalid('ARRAY_LENGTH_TOO_LONG', 'At most 100 ids.', 'order_ids')
    return list(
      'orders',
      ids.flatMap((id) => world.orders.get(String(id)) ?? []),
    )
  },
}
