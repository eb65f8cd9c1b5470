import type { AccountView, EntityAdapter, ReadCall, WriteCall } from '../../contract/connector.ts'
import type { Product } from '../../contract/entities/product.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { refusal } from '../../kit/errors.ts'
import { compact, flag, list, text } from '../../kit/fields.ts'
import { fromDecimal, toDecimal } from '../../kit/money.ts'
import { pageAfter } from '../../kit/paging.ts'
import { path, post, put } from '../../kit/requests.ts'
import { checkCurrency, currencyOf, idNumber, locationOf } from './account.ts'
import { type Item, itemsWithSku, readItem, readItems } from './item.ts'
import { describe, type Extras, longestSku, readExtras } from './product-row.ts'

export interface ProductRow extends Extras {
  item: Item
}
const isOpenPrice = (mode: unknown): boolean => text(mode)?.endsWith('_OPEN_PRICE') ?? false
/** The first price list is the default; a PERCENT item's amount is not money. */
const priceOf = ({ prices, priceMode }: Item): number | undefined =>
  priceMode === 'PERCENT' ? undefined : fromDecimal(list(prices)[0]?.amount)
const barcodeOf = ({ barcode, barcodes }: Item): string | undefined => text(barcode) ?? text(list(barcodes)[0])

function toUnified({ item, description, stock }: ProductRow, { account }: { account: AccountView }): Product {
  const disabled = flag(item.disabled)
  return {
    externalId: String(item.id),
    name: text(item.name) ?? String(item.id),
    description,
    sku: text(item.sku),
    barcode: barcodeOf(item),
    price: priceOf(item),
    cost: fromDecimal(item.costPrice),
    active: item.active,
    categoryExternalId: text(item.accountingGroup?.id),
    stockOnHand: stock,
    currencyCode: text(currencyOf({ account })),
    trackInventory: disabled === undefined ? undefined : !disabled,
    priceType: isOpenPrice(item.priceMode) ? 'VARIABLE' : item.priceMode === 'PERCENT' ? undefined : 'FIXED',
  }
}
async function finish(call: ReadCall, rows: ProductRow[]): Promise<ProductRow[]> {
  const extrasOf = await readExtras(
    call,
    rows.map(({ item }) => item.sku),
  )
  return rows.map(({ item }) => ({ item, ...extrasOf(item.sku) }))
}
async function readRow(call: ReadCall, id: string): Promise<ProductRow | undefined> {
  const item = await readItem(call, id)
  return item && (await finish(call, [{ item }]))[0]
}

const longest = { '/name': 180, '/sku': 32, '/barcode': 64, '/description': 4000 } as const
/**
 * A full replacement: all writable fields are sent, those that the record does not have unchanged. Lightspeed requires
 * both price and sku.
 */
function fromUnified(call: WriteCall, record: Product, sku: string, current?: Item) {
  const currency = checkCurrency(call, record.currencyCode)
  const amount = (value: number | undefined, native: string) =>
    value === undefined ? undefined : Number(toDecimal(value, currency, native))
  const known = list(current?.barcodes)
  const sameBarcode = current !== undefined && record.barcode === barcodeOf(current)
  const barcodes = sameBarcode ? known : [record.barcode, ...known.slice(1)].filter((code) => code !== undefined)
  const category = record.categoryExternalId
  return compact({
    name: record.name,
    businessLocationId: idNumber(locationOf(call), 'businessLocationId'),
    accountingGroupId: category === undefined ? current?.accountingGroup?.id : idNumber(category, 'accountingGroupId'),
    defaultPrice: amount(record.price, 'defaultPrice') ?? list(current?.prices)[0]?.amount ?? 0,
    sku,
    docketName: current?.docketName,
    active: record.active ?? current?.active,
    barcode: barcodes[0],
    barcodes,
    costPrice: amount(record.cost, 'costPrice'),
    priceMode: priceMode(record, current?.priceMode),
  })
}
function priceMode({ priceType }: Product, current = 'AMOUNT'): string {
  if (priceType === 'VARIABLE') return isOpenPrice(current) ? current : 'POSITIVE_OPEN_PRICE'
  return priceType === 'FIXED' ? 'AMOUNT' : current
}
/** An item references only its accounting group, so the group was not found. */
async function knowingItsGroup<T>(written: Promise<T>): Promise<T> {
  try {
    return await written
  } catch (error) {
    if (error instanceof NativeFailure && error.error.kind === 'not_found')
      throw refusal('accountingGroupId', `Lightspeed has no such accounting group: ${error.error.message}`)
    throw error
  }
}
const fields = {
  name: '/name',
  sku: '/sku',
  barcode: '/barcode',
  'barcodes[*]': '/barcode',
  accountingGroupId: '/categoryExternalId',
  defaultPrice: '/price',
  costPrice: '/cost',
  priceMode: '/priceType',
  active: '/active',
  currency: '/currencyCode',
  'descriptions[*].description': '/description',
} as const
// Taxes belong to accounting groups; sales limits and stock tracking are read only; a weight or volume measures the
// stock, not the price.
const notStored = {
  '/taxable': true,
  '/stockOnHand': true,
  '/trackInventory': true,
  '/priceType': ['PER_UNIT'],
} as const

export const product: EntityAdapter<'product', ProductRow, number> = {
  scopes: {
    read: ['items'],
    write: ['items', 'orders-api'],
    lacking: {
      'orders-api': { message: 'Descriptions and the stock that is left cannot be read.' },
    },
  },
  id: ({ item }) => String(item.id),
  toUnified,
  list: {
    pageLimit: 100,
    updatedAfter: 'none', // items have no modification time
    page: async (call, query, after) => {
      const { rows, next } = pageAfter(await readItems(call), (item) => item.id, query, after)
      return { rows: rows.map((item) => ({ item })), next }
    },
    complete: { size: 50, fields: ['/description', '/stockOnHand'], rows: finish },
  },
  get: readRow,
  create: {
    requires: ['/categoryExternalId'],
    notStored,
    fields,
    requiresWhen: [{ pointer: '/price', isNot: { '/priceType': ['VARIABLE'] } }],
    longest: { ...longest, '/sku': longestSku },
    run: async (call, record) => {
      const sku = text(record.sku) ?? call.reference // an item without a sku could not be found after a lost response
      const body = fromUnified(call, record, sku)
      const same = (item: Item) =>
        item.name === body.name &&
        list(item.prices)[0]?.amount === body.defaultPrice &&
        item.accountingGroup?.id === body.accountingGroupId
      const created = await knowingItsGroup(
        call.write('item', {
          request: post('/items/v1/items', body),
          read: (response) => ({ id: String((response.body as Item).id) }),
          recovery: {
            find: async (unclaimed) => {
              for (const item of await itemsWithSku(call, sku))
                if (same(item) && (await unclaimed(String(item.id)))) return { id: String(item.id) }
              return undefined
            },
          },
        }),
      )
      if (record.description !== undefined) await describe(call, sku, record.description)
      return { id: created.id }
    },
  },
  update: {
    notStored,
    fields,
    longest,
    current: async (call, id) => {
      const item = await readItem(call, id)
      return item && { item }
    },
    run: async (call, { item: current }, record) => {
      const id = String(current.id)
      const sku = text(record.sku) ?? current.sku ?? call.reference
      const describable = sku.length <= longestSku
      if (!describable && record.description !== undefined)
        throw refusal(
          'descriptions[0].description',
          `Lightspeed has descriptions only for items with a sku of at most ${longestSku} characters`,
        )
      await knowingItsGroup(
        call.write('item', {
          request: put(path`/items/v1/items/${id}`, fromUnified(call, record, sku, current)),
          read: (response) => String((response.body as Item).id),
          recovery: 'repeat',
        }),
      )
      // The description belongs to the sku, which may be new.
      if (describable) await describe(call, sku, record.description)
      return { id }
    },
  },
}
