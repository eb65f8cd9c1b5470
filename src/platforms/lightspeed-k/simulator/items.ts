// Items, their accounting groups, their descriptions (rich items) and how many may still be sold (item availability).
import { type Fields, readJson } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import { bodyOf, type FieldError, integerOf, itemsError, ok, refuse, springError } from './wire.ts'
import { type Item, iso, type RichItem, type World } from './world.ts'

const priceModes: readonly string[] = ['AMOUNT', 'PERCENT', 'POSITIVE_OPEN_PRICE', 'NEGATIVE_OPEN_PRICE']

function shownItem(world: World, item: Item): Fields {
  const { accountingGroupId, barcodes, ...rest } = item
  const group = world.groups.get(String(accountingGroupId))
  return {
    ...rest,
    barcode: barcodes[0] ?? null,
    barcodes,
    accountingGroup: { id: accountingGroupId, name: group?.name ?? '' },
    statisticGroups: group ? JSON.parse(group.statisticGroup) : [],
  }
}
function located(world: World, given: unknown): void {
  if (given === null || given === undefined || given === '')
    refuse(
      itemsError(400, "Required request parameter 'businessLocationId' for method parameter type Long is not present"),
    )
  if (String(given) !== String(world.locationId)) refuse(itemsError(404, 'Business location not found'))
}
const itemOf = (world: World, id: string): Item => {
  if (!/^\d+$/.test(id))
    refuse(itemsError(400, `Failed to convert value of type 'java.lang.String' to required type 'java.lang.Long'`))
  return world.items.get(id) ?? refuse(itemsError(404, 'Item not found'))
}

function listItems(world: World, request: WireRequest): WireResponse {
  located(world, request.query.get('businessLocationId'))
  const offset = integerOf(request, 'offset', 0, { least: 0, most: Number.MAX_SAFE_INTEGER })
  const amount = integerOf(request, 'amount', 100, { least: 1, most: 1000 })
  const sku = request.query.get('sku')
  const name = request.query.get('name')
  const group = request.query.get('accountingGroupId')
  const ids = request.query.getAll('itemIds').flatMap((value) => value.split(','))
  if (ids.length > 200)
    refuse(itemsError(400, 'Constraint violation', [{ field: 'itemIds', message: 'size must be between 0 and 200' }]))
  // No order is guaranteed: here the newest is first, so that added items shift the rest.
  const found = world.items
    .filter(
      (item) =>
        (sku === null || item.sku === sku) &&
        (name === null || item.name === name) &&
        (group === null || String(item.accountingGroupId) === group) &&
        (ids.length === 0 || ids.includes(String(item.id))),
    )
    .toReversed()
  return ok((ids.length > 0 ? found : found.slice(offset, offset + amount)).map((item) => shownItem(world, item)))
}

/** All violations at once, as bean validation reports them. */
function violations(world: World, body: Fields, current: Item | undefined): FieldError[] {
  const errors: FieldError[] = []
  const text = (field: string, longest: number, required = false) => {
    const value = body[field]
    if (value === undefined || value === null) {
      if (required) errors.push({ field, message: 'must not be null' })
    } else if (typeof value !== 'string' || value.length > longest || (value.trim() === '' && field !== 'docketName'))
      errors.push({
        field,
        message: value === '' ? 'must not be blank' : `size must be between 1 and ${longest}`,
        rejected: value,
      })
  }
  text('name', 180, true)
  text('docketName', 64)
  text('sku', 32, current !== undefined)
  text('barcode', 64)
  for (const field of ['defaultPrice', 'accountingGroupId', 'businessLocationId'])
    if (typeof body[field] !== 'number') errors.push({ field, message: 'must not be null', rejected: body[field] })
  if (body.costPrice !== undefined && body.costPrice !== null && typeof body.costPrice !== 'number')
    errors.push({ field: 'costPrice', message: 'must be a number', rejected: body.costPrice })
  if (body.priceMode !== undefined && !priceModes.includes(String(body.priceMode)))
    errors.push({ field: 'priceMode', message: 'is not a price mode', rejected: body.priceMode })
  if (typeof body.sku === 'string' && world.items.find((item) => item.sku === body.sku && item.id !== current?.id))
    errors.push({ field: 'sku', message: 'must be unique', rejected: body.sku })
  return errors
}
/** A full replacement: omitted fields are reset to their defaults. */
function accepted(world: World, body: Fields, current?: Item): Item {
  const errors = violations(world, body, current)
  if (errors.length > 0) refuse(itemsError(400, 'Constraint violation', errors))
  located(world, body.businessLocationId)
  if (!world.groups.has(String(body.accountingGroupId))) refuse(itemsError(404, 'Could not create item'))
  const listed = Array.isArray(body.barcodes) ? body.barcodes.map(String) : []
  const barcodes = [...new Set([...(typeof body.barcode === 'string' ? [body.barcode] : []), ...listed])]
  const serial = current ? 0 : world.serial('item')
  return {
    id: current?.id ?? 141948669132000 + serial,
    name: String(body.name),
    docketName: typeof body.docketName === 'string' ? body.docketName : null,
    sku: typeof body.sku === 'string' ? body.sku : String(100_000 + serial),
    active: body.active !== false,
    barcodes,
    accountingGroupId: Number(body.accountingGroupId),
    costPrice: typeof body.costPrice === 'number' ? body.costPrice : null,
    prices: [{ name: 'Default', amount: Number(body.defaultPrice) }, ...(current?.prices.slice(1) ?? [])],
    sharingType: current?.sharingType ?? 'LOCAL',
    priceMode: (body.priceMode as Item['priceMode'] | undefined) ?? 'AMOUNT',
    inventorySource: current?.inventorySource ?? 'PURCHASED',
    disabled: current?.disabled ?? true,
    contentDimension: current?.contentDimension ?? 'DIMENSION_LESS',
    contentUom: current?.contentUom ?? '',
    contentValue: current?.contentValue ?? 1,
    itemType: current?.itemType ?? 'ITEM',
  }
}

export const itemRoutes: Routes<World> = {
  'GET /items/v1/items': ({ request, context }) => listItems(context, request),
  'GET /items/v1/items/:id': ({ request, params: { id = '' }, context }) => {
    located(context, request.query.get('businessLocationId'))
    return ok(shownItem(context, itemOf(context, id)))
  },
  'POST /items/v1/items': ({ request, context }) => {
    const item = accepted(context, bodyOf(request))
    return ok(shownItem(context, context.items.set(String(item.id), item)), 201)
  },
  'PUT /items/v1/items/:id': ({ request, params: { id = '' }, context }) => {
    const item = accepted(context, bodyOf(request), itemOf(context, id))
    return ok(shownItem(context, context.items.set(id, item)))
  },
}

const businessOf = (world: World, id: string, path: string): void => {
  if (id !== String(world.businessId)) refuse(springError(403, 'Access Denied', path))
}
const shownRich = (rich: RichItem) => ({
  ...rich,
  _links: {
    self: { href: `https://api.lsk.lightspeed.app/i/richItem/${rich.businessId}/${encodeURIComponent(rich.sku)}` },
  },
})

function putRich(world: World, path: string, sku: string, body: Fields): RichItem {
  const errors: FieldError[] = []
  const named = String(body.sku ?? '')
  if (body.businessId !== world.businessId)
    errors.push({ field: 'businessId', message: 'must be the id of the business' })
  if (named === '' || named.length > 25) errors.push({ field: 'sku', message: 'size must be between 1 and 25' })
  const descriptions = (Array.isArray(body.descriptions) ? body.descriptions : []) as RichItem['descriptions']
  for (const [index, { localeCode, description }] of descriptions.entries()) {
    if (typeof localeCode !== 'string' || localeCode.length < 2 || localeCode.length > 7)
      errors.push({ field: `descriptions[${index}].localeCode`, message: 'size must be between 2 and 7' })
    if ((description?.length ?? 0) > 4000)
      errors.push({ field: `descriptions[${index}].description`, message: 'size must be between 0 and 4000' })
  }
  if (errors.length > 0)
    refuse(springError(400, `Validation failed for object='richItemDto'. Error count: ${errors.length}`, path, errors))
  const current = world.rich.get(sku)
  const at = iso(world.tick())
  if (named !== sku) world.rich.delete(sku)
  return world.rich.set(named, {
    businessId: world.businessId,
    sku: named,
    descriptions,
    allergenCodes: Array.isArray(body.allergenCodes) ? body.allergenCodes.map(String) : [],
    creationDate: current?.creationDate ?? at,
    lastUpdateDate: at,
  })
}

/** Scope orders-api. */
export const richItemRoutes: Routes<World> = {
  'GET /i/locales/:business': ({ request, params: { business = '' }, context }) => {
    businessOf(context, business, request.path)
    return ok(context.locales)
  },
  'GET /i/richItem/:business/:sku': ({ request, params: { business = '', sku = '' }, context }) => {
    businessOf(context, business, request.path)
    return ok(shownRich(context.rich.get(sku) ?? refuse(springError(404, 'Rich item not found', request.path))))
  },
  'PUT /i/richItem/:business/:sku': ({ request, params: { business = '', sku = '' }, context }) => {
    businessOf(context, business, request.path)
    return ok(shownRich(putRich(context, request.path, sku, bodyOf(request))))
  },
  'POST /i/richItem/:business/itemsBySkus': ({ request, params: { business = '' }, context }) => {
    businessOf(context, business, request.path)
    const skus = readJson(request)
    if (!Array.isArray(skus)) return springError(400, 'JSON parse error: expected an array', request.path)
    if (skus.some((sku) => typeof sku !== 'string' || sku.length > 25))
      return springError(400, 'size must be between 0 and 25', request.path)
    const found = [...new Set(skus as string[])]
      .map((sku) => context.rich.get(sku))
      .filter((rich) => rich !== undefined)
    // HAL omits an empty list.
    return ok({
      ...(found.length > 0 && { _embedded: { richItemDtoList: found.map(shownRich) } }),
      _links: { self: { href: request.path } },
    })
  },
  'POST /o/op/1/itemAvailability': ({ request, context }) => {
    if (request.query.get('businessLocationId') !== String(context.locationId))
      return springError(
        400,
        "Required request parameter 'businessLocationId' for method parameter type Long is not present",
        request.path,
      )
    const { skus } = bodyOf(request)
    if (!Array.isArray(skus) || skus.length < 1 || skus.length > 50)
      return springError(400, "Validation failed for object='skusRequest'. Error count: 1", request.path, [
        { field: 'skus', message: 'size must be between 1 and 50' },
      ])
    const size = integerOf(request, 'size', 25, { least: 1, most: 100 })
    const page = integerOf(request, 'page', 0, { least: 0, most: 10_000 })
    const known = (skus as string[]).flatMap((sku) => {
      const count = context.counts.get(sku)
      return count ? [{ sku, ...count }] : []
    })
    const metadata = {
      warnings: [],
      current: { page, pageSize: size },
      total: known.length,
      totalPages: Math.ceil(known.length / size),
    }
    return ok({ data: known.slice(page * size, (page + 1) * size), metadata })
  },
}
