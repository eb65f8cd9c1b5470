import type { EntityAdapter, ReadCall, WriteCall } from '../../contract/connector.ts'
import type { Product } from '../../contract/entities/product.ts'
import type { Refused } from '../../kit/checks.ts'
import { bodyWith } from '../../kit/custom.ts'
import { refusal, requirement } from '../../kit/errors.ts'
import { compact } from '../../kit/fields.ts'
import { toMinor } from '../../kit/money.ts'
import { get, path, post } from '../../kit/requests.ts'
import { fromUnixMs } from '../../kit/time.ts'
import type { NumberPlace } from '../../kit/walk-by-number.ts'
import type { TimePlace } from '../../kit/walk-by-time.ts'
import { below, currencyFor, currencyOf, rowsIn } from './account.ts'
import { readCategory } from './category.ts'
import { createOnce } from './create-once.ts'
import { byCreation, byModification, pageLimit } from './listing.ts'
import {
  activeOf,
  categoryIdsOf,
  type ItemRow,
  itemExpand,
  type NativeItem,
  readItem,
  stockOf,
  taxableOf,
  toUnified,
} from './product-row.ts'

const needsPrice = 'Clover needs a price, unless priceType is VARIABLE'
const check = ({ price, priceType }: Product): Refused[] => [
  ...(priceType === 'VARIABLE' && price !== undefined
    ? [{ pointer: '/price' as const, message: 'The price of a VARIABLE product is entered at each sale' }]
    : []),
  ...((price ?? 0) < 0 ? [{ pointer: '/price' as const, message: 'A price cannot be negative' }] : []),
]
const write = {
  notStored: { '/description': true },
  // Lengths are those of Clover's own models: https://github.com/clover/clover-android-sdk
  longest: { '/name': 127, '/sku': 100, '/barcode': 100 },
  fields: { price: '/price', cost: '/cost', currency: '/currencyCode', category: '/categoryExternalId' },
} as const

const priceOf = (record: Product, currency: string): number =>
  record.price === undefined ? 0 : toMinor(record.price, currency, 'price')
const costOf = (record: Product, currency: string): number | undefined =>
  record.cost === undefined ? undefined : toMinor(record.cost, currency, 'cost')

async function knownCategory(call: ReadCall, id: string): Promise<string> {
  const found = await readCategory(call, id)
  if (!found || found.deleted) throw refusal('category', `Clover has no category ${id}`)
  return id
}
const linking = (call: WriteCall, itemId: string, categoryIds: readonly string[], remove = false) =>
  post(
    below(call, '/category_items'),
    { elements: categoryIds.map((id) => ({ category: { id }, item: { id: itemId } })) },
    remove ? { query: { delete: true } } : {},
  )
/** The id of the item if it is as the step leaves it. */
async function findItem(call: ReadCall, id: string, holds: (item: ItemRow) => boolean): Promise<string | undefined> {
  const item = await readItem(call, id)
  return item && holds(item) ? id : undefined
}
const link = (call: WriteCall, id: string, categoryId: string) =>
  call.write('category', {
    request: linking(call, id, [categoryId]),
    read: () => id,
    recovery: { find: () => findItem(call, id, (item) => categoryIdsOf(item).includes(categoryId)) },
    undo: () => linking(call, id, [categoryId], true),
  })
const setStock = (call: WriteCall, id: string, quantity: number) =>
  call.write('stock', {
    request: post(below(call, path`/item_stocks/${id}`), { quantity }),
    read: () => id,
    recovery: { find: () => findItem(call, id, ({ itemStock }) => itemStock?.quantity === quantity) },
  })

async function create(call: WriteCall, record: Product): Promise<{ id: string }> {
  const currency = await currencyFor(call, record.currencyCode)
  const categoryId = await knownCategory(call, record.categoryExternalId!)
  const body = compact({
    name: record.name,
    price: priceOf(record, currency),
    priceType: record.priceType,
    sku: record.sku,
    code: record.barcode,
    cost: costOf(record, currency),
    available: record.active,
    autoManage: record.trackInventory,
    defaultTaxRates: record.taxable,
  })
  const id = await createOnce<NativeItem>(call, {
    collection: '/items',
    filter: [record.sku ? `sku=${record.sku}` : `name=${record.name}`],
    request: post(below(call, '/items'), body),
    same: (row) =>
      row.name === body.name &&
      row.price === body.price &&
      (row.sku ?? '') === (body.sku ?? '') &&
      (row.code ?? '') === (body.code ?? ''),
  })
  await link(call, id, categoryId)
  if (record.stockOnHand !== undefined) await setStock(call, id, record.stockOnHand)
  return { id }
}

/**
 * Only what differs: a product with its own tax rates or fractional stock must not change when it is sent back as it
 * was read.
 */
function changesOf(record: Product, current: ItemRow): Record<string, unknown> {
  const { currency } = current
  const target: Partial<NativeItem> = compact({
    name: record.name,
    price: priceOf(record, currency),
    priceType: record.priceType,
    sku: record.sku ?? '',
    code: record.barcode ?? '',
    cost: costOf(record, currency) ?? (current.cost ? 0 : undefined),
    autoManage: record.trackInventory,
    defaultTaxRates: record.taxable === taxableOf(current) ? undefined : record.taxable,
  })
  const differs = Object.entries(target).filter(
    ([name, value]) => ((current as unknown as Record<string, unknown>)[name] ?? '') !== value,
  )
  const activity =
    record.active === undefined || record.active === activeOf(current)
      ? {}
      : record.active
        ? { hidden: false, available: true }
        : { available: false }
  return { ...Object.fromEntries(differs), ...activity }
}
async function update(call: WriteCall, current: ItemRow, record: Product): Promise<{ id: string }> {
  const { id } = current
  await currencyFor(call, record.currencyCode)
  const linked = categoryIdsOf(current)
  const target = record.categoryExternalId
  if (record.price === undefined && record.priceType !== 'VARIABLE') throw requirement('price', needsPrice)
  const moves = target !== undefined && target !== linked[0]
  if (moves) await knownCategory(call, target)
  const changes = changesOf(record, current)
  if (Object.keys(changes).length)
    await call.write('item', {
      request: post(below(call, path`/items/${id}`), changes),
      read: () => id,
      recovery: 'repeat',
    })
  if (moves) {
    const others = linked.filter((other) => other !== target)
    if (!linked.includes(target)) await link(call, id, target)
    if (others.length)
      await call.write('former-categories', {
        request: linking(call, id, others, true),
        read: () => id,
        recovery: {
          find: () => findItem(call, id, (item) => !categoryIdsOf(item).some((other) => others.includes(other))),
        },
      })
  }
  if (record.stockOnHand !== undefined && record.stockOnHand !== stockOf(current))
    await setStock(call, id, record.stockOnHand)
  return { id }
}

const page = byModification<NativeItem>('/items', [itemExpand])

export const product: EntityAdapter<'product', ItemRow, TimePlace<number>> = {
  id: (row) => row.id,
  toUnified,
  list: {
    pageLimit,
    updatedAfter: 'platform',
    modifiedAt: (row) => fromUnixMs(row.modifiedTime),
    stampPrecision: 'seconds',
    page: async (call, query, at) => {
      const { rows, next } = await page(call, query, at)
      const currency = await currencyOf(call)
      return { rows: rows.map((row) => ({ ...row, currency })), next }
    },
  },
  get: readItem,
  search: {
    by: ['name', 'sku'],
    newestFirst: false,
    page: async (call, { text, size }, at: { filter: string; at: NumberPlace } | undefined) => {
      const items = async (filter: string) => {
        const walk = byCreation(async (reading, _, page) =>
          rowsIn<NativeItem>(
            await reading.read(get(below(reading, '/items'), { filter: [filter], expand: itemExpand, ...page })),
          ),
        )
        const { rows, next } = await walk(call, { size }, at?.at)
        return { rows, next: next && { filter, at: next } }
      }
      const first = await items(at?.filter ?? `sku=${text}`)
      const { rows, next } = at || first.rows.length > 0 ? first : await items(`name=${text}*`)
      const currency = await currencyOf(call)
      return { rows: rows.map((row) => ({ ...row, currency })), next }
    },
  },
  custom: {
    fields: { '/alternateName': 'string' },
    async set(call, { id }, values) {
      await call.write('custom', {
        request: post(below(call, path`/items/${id}`), bodyWith(values, '')),
        read: () => id,
        recovery: 'repeat',
        undo: 'nothing',
      })
      return (await readItem(call, id))!
    },
  },
  create: {
    ...write,
    requires: ['/categoryExternalId'],
    requiresWhen: [{ pointer: '/price', isNot: { '/priceType': ['VARIABLE'] } }],
    check,
    run: create,
  },
  update: {
    ...write,
    check,
    keeps: ({ priceType }) => ['/categoryExternalId', ...(priceType === 'VARIABLE' ? [] : (['/price'] as const))],
    run: update,
  },
}
