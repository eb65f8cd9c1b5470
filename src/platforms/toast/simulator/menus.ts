// Menus v2 and the stock API: the whole tree at once, and counts only of limited items.
import { type Fields, isObject } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import { ratesOf } from './checks.ts'
import { groupsOf, modifierMaps } from './modifiers.ts'
import { invalid, isGuid, ok, readBody, readObject, refuse, wireDate } from './wire.ts'
import type { Group, Inventory, Item, World } from './world.ts'

const names = (name: string) => ({ name, posName: '', posButtonColorLight: '#DCDCDC', posButtonColorDark: '#2B2B2B' })

/** Menu changes are visible only after publication. */
export function publish(world: World, at: number): void {
  world.publication.set('menus', { lastUpdated: wireDate(at) })
}
const published = (world: World): string =>
  world.publication.get('menus')?.lastUpdated ?? refuse(404, 'No published data was found for the restaurant')

function itemIn(item: Item, groupGuid: string): Fields {
  const elsewhere = item.dinnerPrice !== undefined && item.groups[0] !== groupGuid
  return {
    ...names(item.name),
    kitchenName: '',
    guid: item.guid,
    multiLocationId: item.multiLocationId,
    masterId: Number(item.multiLocationId),
    description: item.description,
    image: null,
    images: [],
    visibility: item.visibility,
    price: elsewhere ? item.dinnerPrice : item.price,
    pricingStrategy: item.pricingStrategy,
    pricingRules: pricingRules(item),
    isDeferred: false,
    isDiscountable: true,
    salesCategory: { name: 'Food', guid: 'c0915e46-341e-4ec0-b46e-cb87fab729fd' },
    taxInfo: ratesOf(item).map(({ guid }) => guid),
    taxInclusion: item.taxInclusive ? 'TAX_INCLUDED' : 'TAX_NOT_INCLUDED',
    itemTags: [],
    plu: item.plu,
    sku: item.sku,
    calories: null,
    contentAdvisories: { alcohol: { containsAlcohol: 'NO' } },
    unitOfMeasure: item.unitOfMeasure,
    portions: [],
    prepTime: null,
    prepStations: [],
    modifierGroupReferences: groupsOf(item).map(({ referenceId }) => referenceId),
    eligiblePaymentAssistancePrograms: [],
    sortOrder: null,
  }
}
function pricingRules({ pricingStrategy, price, guid }: Item): Fields | null {
  if (pricingStrategy === 'SIZE_PRICE') {
    const sizes = [
      ['Small', 6.5],
      ['Large', 9],
    ] as const
    return {
      timeSpecificPricingRules: [],
      sizeSpecificPricingGuid: guid,
      sizeSequencePricingRules: sizes.map(([sizeName, amount]) => ({
        sizeName,
        sizeGuid: guid,
        sequencePrices: [{ sequence: 1, price: amount }],
      })),
    }
  }
  if (pricingStrategy !== 'TIME_SPECIFIC_PRICE') return null
  const schedule = [{ days: ['MONDAY', 'TUESDAY'], timeRanges: [{ start: '12:00', end: '14:00' }] }]
  return {
    timeSpecificPricingRules: [{ timeSpecificPrice: 5, basePrice: price, schedule }],
    sizeSpecificPricingGuid: null,
    sizeSequencePricingRules: [],
  }
}

function tree(world: World): Fields[] {
  const itemsOf = new Map<string, Item[]>()
  for (const item of world.items.values())
    for (const guid of item.groups) itemsOf.set(guid, [...(itemsOf.get(guid) ?? []), item])
  const groups = world.groups.values()
  const groupIn = ({ parentGuid: _, menuGuid: __, ...group }: Group): Fields => ({
    ...group,
    ...names(group.name),
    itemTags: [],
    menuGroups: groups.filter(({ parentGuid }) => parentGuid === group.guid).map(groupIn),
    menuItems: (itemsOf.get(group.guid) ?? []).map((item) => itemIn(item, group.guid)),
  })
  return world.menus.values().map((menu) => ({
    ...menu,
    ...names(menu.name),
    highResImage: null,
    image: null,
    visibility: ['POS', 'TOAST_ONLINE_ORDERING'],
    availability: { alwaysAvailable: true, schedule: [] },
    menuGroups: groups
      .filter(({ menuGuid, parentGuid }) => menuGuid === menu.guid && parentGuid === undefined)
      .map(groupIn),
  }))
}
export const menuRoutes: Routes<World> = {
  'GET /menus/v2/metadata': ({ context: world }) => ok({ restaurantGuid: world.guid, lastUpdated: published(world) }),
  'GET /menus/v2/menus': ({ context: world }) => {
    const lastUpdated = published(world)
    const headers = {
      'x-toast-ratelimit-by': 'ENDPOINT',
      'x-toast-ratelimit-remaining': '0',
      'x-toast-ratelimit-reset': String(Math.floor(world.now() / 1000) + 1),
    }
    return ok(
      {
        restaurantGuid: world.guid,
        lastUpdated,
        restaurantTimeZone: world.timeZone,
        menus: tree(world),
        ...modifierMaps(),
      },
      headers,
    )
  },
}

const uncounted = ({ guid, multiLocationId }: Item): Inventory => ({
  guid,
  multiLocationId,
  status: 'IN_STOCK',
  quantity: null,
})
const show = (world: World, item: Item) => ({
  ...(world.inventory.get(item.guid) ?? uncounted(item)),
  itemGuidValidity: 'VALID',
})

function found(world: World, { guid, multiLocationId }: Fields): Item | undefined {
  return isGuid(guid) ? world.items.get(guid) : world.items.find((item) => item.multiLocationId === multiLocationId)
}
/** Archived items and items of another location are reported as invalid, not rejected. */
const unknown = ({ guid, multiLocationId }: Fields) => ({
  ...(guid ? { guid } : { multiLocationId }),
  itemGuidValidity: 'INVALID',
})

function setStock(world: World, entry: unknown): Fields {
  if (!isObject(entry) || (!isGuid(entry.guid) && typeof entry.multiLocationId !== 'string'))
    return invalid('A guid or multiLocationId is required')
  const { status, quantity } = entry
  if (status !== 'IN_STOCK' && status !== 'QUANTITY' && status !== 'OUT_OF_STOCK')
    return invalid('status must be one of IN_STOCK, QUANTITY, OUT_OF_STOCK')
  if (
    status === 'QUANTITY' ? typeof quantity !== 'number' || quantity <= 0 : quantity !== undefined && quantity !== null
  )
    return invalid('quantity must be greater than 0, and only with QUANTITY')
  const item = found(world, entry)
  if (!item) return unknown(entry)
  if (status === 'IN_STOCK') world.inventory.delete(item.guid)
  else
    world.inventory.set(item.guid, {
      ...uncounted(item),
      status,
      quantity: status === 'QUANTITY' ? (quantity as number) : null,
    })
  return show(world, item)
}

export const stockRoutes: Routes<World> = {
  'GET /stock/v1/inventory': ({ request: { query }, context: world }) => {
    const status = query.get('status')
    if (status !== null && status !== 'OUT_OF_STOCK' && status !== 'QUANTITY')
      invalid('status must be OUT_OF_STOCK or QUANTITY')
    return ok(
      world.items
        .filter(
          ({ guid }) => world.inventory.has(guid) && (status === null || world.inventory.get(guid)?.status === status),
        )
        .map((item) => show(world, item)),
    )
  },
  'POST /stock/v1/inventory/search': ({ request, context: world }) => {
    const { guids = [], multiLocationIds = [] } = readObject(request)
    if (!Array.isArray(guids) || !Array.isArray(multiLocationIds) || guids.length + multiLocationIds.length === 0)
      return invalid('guids or multiLocationIds are required')
    if (!guids.every(isGuid)) invalid('guids must hold GUIDs')
    const target: Fields[] = [
      ...guids.map((guid) => ({ guid })),
      ...multiLocationIds.map((multiLocationId) => ({ multiLocationId })),
    ]
    return ok(
      target.map((entry) => {
        const item = found(world, entry)
        return item ? show(world, item) : unknown(entry)
      }),
    )
  },
  'PUT /stock/v1/inventory/update': ({ request, context: world }) => {
    const entries = readBody(request)
    return Array.isArray(entries)
      ? ok(entries.map((entry) => setStock(world, entry)))
      : invalid('The message body must be an array')
  },
}
