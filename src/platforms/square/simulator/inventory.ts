// Stock: counts per variation, location and state, changed by physical counts and adjustments.
import type { Fields } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import type { WireResponse } from '../../../sandbox/simulator.ts'
import { findObject } from './catalog.ts'
import { accept, bodyOf, invalid, list, notFound, textOf, timeOf } from './wire.ts'
import { type InventoryCount, iso, locationOf, newId, once, pageOf, type World } from './world.ts'

const day = 86_400_000
const countId = (variation: string, location: string, state: string): string => `${variation}/${location}/${state}`

export function setCount(
  world: World,
  variation: string,
  location: string,
  state: string,
  quantity: string,
): InventoryCount {
  return world.counts.set(countId(variation, location, state), {
    catalog_object_id: variation,
    catalog_object_type: 'ITEM_VARIATION',
    state,
    location_id: location,
    quantity,
    calculated_at: iso(world.tick()),
  })
}

function retrieveCounts(world: World, given: Fields): WireResponse {
  const body = accept('BatchRetrieveInventoryCountsRequest', given) as Fields & {
    catalog_object_ids?: string[]
    location_ids?: string[]
    states?: string[]
    limit?: number
  }
  const after = timeOf(body.updated_after, 'updated_after')
  const target = {
    variations: named(body.catalog_object_ids),
    locations: named(body.location_ids),
    states: named(body.states),
  }
  const rows = world.counts.filter(
    (count) =>
      target.variations(count.catalog_object_id) &&
      target.locations(count.location_id) &&
      target.states(count.state) &&
      (after === undefined || Date.parse(count.calculated_at) > after),
  )
  const page = pageOf(rows, body, {
    limit: limitOf(body.limit),
    key: ({ catalog_object_id, location_id, state }) => countId(catalog_object_id, location_id, state),
  })
  return list('counts', page.rows, page.rest)
}

function retrieveChanges(world: World, given: Fields): WireResponse {
  const body = accept('BatchRetrieveInventoryChangesRequest', given) as Fields & {
    catalog_object_ids?: string[]
    location_ids?: string[]
    types?: string[]
    limit?: number
  }
  const after = timeOf(body.updated_after, 'updated_after')
  const before = timeOf(body.updated_before, 'updated_before')
  const target = {
    variations: named(body.catalog_object_ids),
    locations: named(body.location_ids),
    types: named(body.types),
  }
  const rows = world.changes.filter(({ change: { type, ...details } }) => {
    const detail = (details.physical_count ?? details.adjustment) as Record<string, string>
    const created = Date.parse(detail.created_at!)
    return (
      target.variations(detail.catalog_object_id!) &&
      target.locations(detail.location_id!) &&
      target.types(type) &&
      (after === undefined || created > after) &&
      (before === undefined || created < before)
    )
  })
  const page = pageOf(rows, body, { limit: limitOf(body.limit), key: ({ id }) => id })
  return list(
    'changes',
    page.rows.map(({ change }) => change),
    page.rest,
  )
}

/** A missing or empty list matches everything. */
const named = (ids: readonly string[] | null | undefined) => (id: string) => !ids?.length || ids.includes(id)

function limitOf(limit: number | null | undefined): number {
  if (limit !== undefined && limit !== null && (limit < 1 || limit > 1000))
    invalid(limit < 1 ? 'VALUE_TOO_LOW' : 'VALUE_TOO_HIGH', 'limit must be from 1 to 1000.', 'limit')
  return limit ?? 100
}

type Detail = Record<string, string | undefined>
interface Change {
  type?: string
  physical_count?: Detail
  adjustment?: Detail
}

function applyChanges(world: World, changes: readonly Change[]): WireResponse {
  if (changes.length > 100) invalid('ARRAY_LENGTH_TOO_LONG', 'At most 100 changes.', 'changes')
  for (const [index, change] of changes.entries()) checkChange(world, change, `changes[${index}]`)
  const counts = changes.flatMap((change) => applyChange(world, change))
  return list('counts', counts)
}

function checkChange(world: World, change: Change, path: string): void {
  const [name, detail] =
    change.type === 'PHYSICAL_COUNT'
      ? ['physical_count', change.physical_count]
      : change.type === 'ADJUSTMENT'
        ? ['adjustment', change.adjustment]
        : ['type', undefined]
  if (!detail)
    return void invalid(
      'MISSING_REQUIRED_PARAMETER',
      'A change needs a type of PHYSICAL_COUNT or ADJUSTMENT and its details.',
      `${path}.${name}`,
    )
  const where = `${path}.${name}`
  for (const field of [
    'catalog_object_id',
    'location_id',
    'quantity',
    'occurred_at',
    ...(name === 'adjustment' ? ['from_state', 'to_state'] : ['state']),
  ]) {
    if (!detail[field]) invalid('MISSING_REQUIRED_PARAMETER', 'Missing required parameter.', `${where}.${field}`)
  }
  if (findObject(world, detail.catalog_object_id!)?.type !== 'ITEM_VARIATION')
    notFound(
      `Item variation with catalog object ID \`${detail.catalog_object_id}\` not found.`,
      `${where}.catalog_object_id`,
    )
  locationOf(world, detail.location_id, `${where}.location_id`)
  if (!/^-?\d+(\.\d{1,5})?$/.test(detail.quantity!))
    invalid('INVALID_VALUE', 'quantity must be a decimal with at most 5 digits after the point.', `${where}.quantity`)
  const occurred = timeOf(detail.occurred_at, `${where}.occurred_at`)!
  if (occurred > world.now() + 1000)
    invalid('INVALID_TIME', 'occurred_at must not be in the future.', `${where}.occurred_at`)
  if (occurred < world.now() - day)
    invalid('INVALID_TIME', 'occurred_at must be within the last 24 hours.', `${where}.occurred_at`)
}

function applyChange(world: World, { type, physical_count: count, adjustment }: Change): InventoryCount[] {
  const id = newId('uid')
  const created_at = iso(world.tick())
  const detail = { ...(count ?? adjustment), id, catalog_object_type: 'ITEM_VARIATION', created_at }
  world.changes.set(`${created_at} ${id}`, {
    id: `${created_at} ${id}`,
    change: { type: type!, [count ? 'physical_count' : 'adjustment']: detail },
  })
  if (count) return [setCount(world, count.catalog_object_id!, count.location_id!, count.state!, count.quantity!)]
  const {
    catalog_object_id: variation,
    location_id: location,
    from_state,
    to_state,
    quantity,
  } = adjustment as Record<string, string>
  const moved = [
    { state: from_state!, by: -Number(quantity) },
    { state: to_state!, by: Number(quantity) },
  ]
  return moved
    .filter(({ state }) => state !== 'NONE')
    .map(({ state, by }) =>
      setCount(
        world,
        variation!,
        location!,
        state,
        decimal(Number(world.counts.get(countId(variation!, location!, state))?.quantity ?? 0) + by),
      ),
    )
}

const decimal = (value: number): string => String(Number(value.toFixed(5)))

export const inventoryRoutes: Routes<World> = {
  'POST /v2/inventory/counts/batch-retrieve': ({ request, context: world }) => retrieveCounts(world, bodyOf(request)),
  'POST /v2/inventory/changes/batch-retrieve': ({ request, context: world }) => retrieveChanges(world, bodyOf(request)),
  'POST /v2/inventory/changes/batch-create': ({ request, context: world }) => {
    const body = bodyOf(request)
    const key = textOf(body, 'idempotency_key', { max: 128, required: true })
    return once(world, 'inventory/changes', key, body, () => {
      const { changes } = accept('BatchChangeInventoryRequest', body) as { changes?: Change[] | null }
      return applyChanges(world, changes ?? [])
    })
  },
  'GET /v2/inventory/:id': ({ request: { query }, params: { id = '' }, context: world }) => {
    if (findObject(world, id)?.type !== 'ITEM_VARIATION')
      notFound(`Item variation with catalog object ID \`${id}\` not found.`)
    const locations = named(query.get('location_ids')?.split(','))
    const rows = world.counts.filter((count) => count.catalog_object_id === id && locations(count.location_id))
    const page = pageOf(
      rows,
      { id, cursor: query.get('cursor') ?? undefined },
      { limit: 100, key: ({ location_id, state }) => countId(id, location_id, state) },
    )
    return list('counts', page.rows, page.rest)
  },
}
