// Items, categories, the links between them, and stock.
import { type Fields, isObject } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import type { Schemas } from '../../../sandbox/schema.ts'
import { accept, bodyOf, expandOf, invalid, listOf, nested, ok, refuse } from './wire.ts'
import { type Category, type Item, newId, type World, wholeSecond } from './world.ts'

const itemFields: Schemas = {
  name: 127,
  alternateName: 127,
  code: 100,
  sku: 100,
  unitName: 64,
  price: 'integer',
  cost: 'integer',
  priceType: 31,
  hidden: 'boolean',
  available: 'boolean',
  autoManage: 'boolean',
  defaultTaxRates: 'boolean',
  isRevenue: 'boolean',
  colorCode: 9,
}

function showItem(world: World, item: Item, expand: ReadonlySet<string>): Fields {
  const { createdTime: _, categoryIds, taxRateIds, stock, ...shown } = item
  const categories = categoryIds
    .flatMap((id) => world.categories.get(id) ?? [])
    .map(({ id, name, sortOrder }) => ({ id, name, sortOrder }))
  return {
    ...shown,
    ...(expand.has('categories') && { categories: nested(categories) }),
    ...(expand.has('taxRates') && { taxRates: nested(taxRateIds.flatMap((id) => world.taxRates.get(id) ?? [])) }),
    ...(expand.has('itemStock') && { itemStock: showStock(item) }),
  }
}
const showStock = ({ id, stock }: Item): Fields => ({
  item: { id },
  ...(stock && { stockCount: Math.trunc(stock.quantity), ...stock }),
})

function checkItem(fields: Fields): void {
  if (fields.name === '') invalid('Name is required')
  if (fields.priceType !== undefined && !['FIXED', 'VARIABLE', 'PER_UNIT'].includes(String(fields.priceType)))
    invalid(`Invalid priceType: ${String(fields.priceType)}`)
  if (Number(fields.price ?? 0) < 0) invalid('Price cannot be negative')
}
const findItem = (world: World, id: string): Item => world.items.get(id) ?? refuse(404, 'invalid ID')
const findCategory = (world: World, id: string): Category =>
  world.categories.get(id) ?? refuse(404, 'Not Found', 'Category not found')

export function changeItem(world: World, item: Item, change: Partial<Item>): Item {
  return world.items.set(item.id, { ...item, ...change, modifiedTime: Math.max(world.stamp(), item.modifiedTime) })
}
export function changeCategory(world: World, category: Category, change: Partial<Category>): Category {
  return world.categories.set(category.id, {
    ...category,
    ...change,
    modifiedTime: Math.max(world.stamp(), category.modifiedTime),
  })
}
const showCategory = (world: World, { createdTime: _, ...shown }: Category, expand: ReadonlySet<string>): Fields => ({
  ...shown,
  deleted: false,
  ...(expand.has('items') && {
    items: nested(world.items.filter(({ categoryIds }) => categoryIds.includes(shown.id)).map(({ id }) => ({ id }))),
  }),
})
export function removeCategory(world: World, id: string): void {
  world.categories.delete(id)
  for (const item of world.items.filter(({ categoryIds }) => categoryIds.includes(id)))
    changeItem(world, item, { categoryIds: item.categoryIds.filter((other) => other !== id) })
}

export const inventoryRoutes: Routes<World> = {
  'GET /items': ({ request, context: world }) =>
    listOf(request, {
      href: `${world.base}/items`,
      rows: world.items.values(),
      id: ({ id }) => id,
      created: ({ createdTime }) => createdTime,
      sorts: { modifiedTime: ({ modifiedTime }) => modifiedTime, name: ({ name }) => name },
      filters: {
        ...Object.fromEntries(
          ['id', 'name', 'sku', 'alternateName', 'modifiedTime', 'hidden', 'available', 'autoManage', 'price'].map(
            (name) => [name, (item: Item) => item[name]],
          ),
        ),
        itemCode: ({ code }) => code,
        deleted: () => false,
        categoryId: ({ categoryIds }) => categoryIds,
        'itemStock.quantity': ({ stock }) => stock?.quantity,
      },
      show: (item, expand) => showItem(world, item, expand),
    }),
  'GET /items/:id': ({ request, params: { id = '' }, context: world }) =>
    ok(showItem(world, findItem(world, id), expandOf(request.query))),
  'POST /items': ({ request, context: world }) => {
    const fields = accept(bodyOf(request), itemFields)
    checkItem(fields)
    if (fields.name === undefined) invalid('Name is required')
    if (fields.price === undefined) invalid('Price is required')
    const at = world.tick()
    const item = {
      hidden: false,
      available: true,
      autoManage: false,
      priceType: 'FIXED',
      defaultTaxRates: true,
      isRevenue: true,
      ...fields,
      id: newId(),
      createdTime: at,
      modifiedTime: wholeSecond(at),
      categoryIds: [],
      taxRateIds: [],
    } as unknown as Item
    return ok(showItem(world, world.items.set(item.id, item), expandOf(request.query)))
  },
  'POST /items/:id': ({ request, params: { id = '' }, context: world }) => {
    const item = findItem(world, id)
    const fields = accept(bodyOf(request), itemFields)
    checkItem(fields)
    return ok(showItem(world, changeItem(world, item, fields), expandOf(request.query)))
  },
  'DELETE /items/:id': ({ params: { id = '' }, context: world }) => {
    world.items.delete(findItem(world, id).id)
    return ok({})
  },
  'POST /category_items': ({ request, context: world }) => {
    const { elements } = bodyOf(request)
    if (!Array.isArray(elements)) return invalid('elements is required')
    const links = elements.map((element: Fields) => ({
      category: findCategory(world, idIn(element?.category)),
      item: findItem(world, idIn(element?.item)),
    }))
    for (const { category, item } of links) {
      const others = world.items.get(item.id)!.categoryIds.filter((id) => id !== category.id)
      changeItem(world, world.items.get(item.id)!, {
        categoryIds: request.query.get('delete') === 'true' ? others : [...others, category.id],
      })
    }
    return ok({ elements })
  },
  'GET /item_stocks/:id': ({ params: { id = '' }, context: world }) => ok(showStock(findItem(world, id))),
  'POST /item_stocks/:id': ({ request, params: { id = '' }, context: world }) => {
    const item = findItem(world, id)
    const { quantity } = accept(bodyOf(request), { quantity: 'number' })
    if (quantity === undefined) invalid('quantity is required')
    const stock = { quantity: Number(quantity), modifiedTime: world.stamp() }
    // With autoManage the availability depends on the stock.
    return ok(showStock(changeItem(world, item, { stock, ...(item.autoManage && { available: stock.quantity > 0 }) })))
  },
  'GET /categories': ({ request, context: world }) =>
    listOf(request, {
      href: `${world.base}/categories`,
      rows: world.categories.values(),
      id: ({ id }) => id,
      created: ({ createdTime }) => createdTime,
      sorts: {
        modifiedTime: ({ modifiedTime }) => modifiedTime,
        name: ({ name }) => name,
        sortOrder: ({ sortOrder }) => sortOrder,
      },
      filters: {
        ...Object.fromEntries(
          ['id', 'name', 'modifiedTime', 'sortOrder', 'colorCode'].map((name) => [
            name,
            (category: Category) => category[name],
          ]),
        ),
        deleted: () => false,
      },
      show: (category, expand) => showCategory(world, category, expand),
    }),
  'GET /categories/:id': ({ request, params: { id = '' }, context: world }) =>
    ok(showCategory(world, findCategory(world, id), expandOf(request.query))),
  'POST /categories': ({ request, context: world }) => {
    const fields = accept(bodyOf(request), { name: 127, sortOrder: 'integer', colorCode: 9 })
    if (!fields.name) invalid('Name is required')
    const at = world.tick()
    const category = {
      sortOrder: world.categories.count() + 1,
      ...fields,
      id: newId(),
      createdTime: at,
      modifiedTime: wholeSecond(at),
    } as unknown as Category
    return ok(showCategory(world, world.categories.set(category.id, category), expandOf(request.query)))
  },
  'POST /categories/:id': ({ request, params: { id = '' }, context: world }) => {
    const category = findCategory(world, id)
    const fields = accept(bodyOf(request), { name: 127, sortOrder: 'integer', colorCode: 9 })
    if (fields.name === '') invalid('Name is required')
    return ok(showCategory(world, changeCategory(world, category, fields), expandOf(request.query)))
  },
  'DELETE /categories/:id': ({ params: { id = '' }, context: world }) => {
    removeCategory(world, findCategory(world, id).id)
    return ok({})
  },
}
const idIn = (value: unknown): string =>
  isObject(value) && typeof value.id === 'string' ? value.id : invalid('category.id and item.id are required')
