// Orders are read as open checks and sales, and written as online orders, which the platform accepts first and delivers
// to a POS later.
import type { EntityAdapter, ReadCall, WriteCall } from '../../contract/connector.ts'
import type { LineItem, Order } from '../../contract/entities/order.ts'
import type { Pointer } from '../../contract/entity.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { refusal } from '../../kit/errors.ts'
import { compact, list } from '../../kit/fields.ts'
import { toDecimal } from '../../kit/money.ts'
import { get, post } from '../../kit/requests.ts'
import { checkCurrency, idNumber, locationOf, may } from './account.ts'
import {
  accountByReference,
  accountId,
  linesOf,
  modifiedAt,
  type OrderPlace,
  type OrderRow,
  readAccount,
  walkAccounts,
} from './check.ts'
import { type Item, idsBySku, itemsByIds } from './item.ts'
import { excludedOf, toUnified } from './order-row.ts'
import { longestSku } from './rich-item.ts'

/** Lines reference items by sku; a product is identified by its id. */
async function withProducts(call: ReadCall, rows: OrderRow[]): Promise<OrderRow[]> {
  if (!may(call, 'items')) return rows
  const skusOf = ({ check, sale }: OrderRow) =>
    (check ? linesOf(check).map((line) => line.itemSku) : list(sale?.salesLines).map((line) => line.sku)).filter(
      (sku) => sku !== undefined,
    )
  const idOf = await idsBySku(call, rows.flatMap(skusOf))
  return rows.map((row) => ({
    ...row,
    products: compact(Object.fromEntries(skusOf(row).map((sku) => [sku, idOf(sku)]))) as Record<string, string>,
  }))
}
async function readOrder(call: ReadCall, id: string): Promise<OrderRow | undefined> {
  const row = await readAccount(call, id)
  return row && (await withProducts(call, [row]))[0]
}

function check(record: Order): { pointer: Pointer; message: string }[] {
  const found: { pointer: Pointer; message: string }[] = []
  for (const [n, { quantity, lineDiscount = 0 }] of record.lineItems.entries()) {
    if (!Number.isInteger(quantity))
      found.push({ pointer: `/lineItems/${n}/quantity`, message: 'Lightspeed accepts only whole quantities' })
    if (lineDiscount < 0)
      found.push({ pointer: `/lineItems/${n}/lineDiscount`, message: 'A discount cannot be negative' })
  }
  return found
}
async function checkReady(call: ReadCall): Promise<void> {
  const { body } = await call.read(get('/o/op/1/onlineOrderReadiness', { businessLocationId: locationOf(call) }))
  // An order that no POS accepts would fail silently: only a webhook would report it.
  if (body?.status === 'NOT_READY')
    throw new NativeFailure({ kind: 'unavailable', code: 'NOT_READY', message: 'No POS accepts online orders now' })
}
function toLine(
  line: LineItem,
  n: number,
  items: Map<string, Item>,
  currency: string,
  discountCode: string | undefined,
) {
  const item = items.get(line.productExternalId ?? '')
  const at = `items[${n}]`
  if (!item?.sku) throw refusal(`${at}.sku`, `Lightspeed has no item ${line.productExternalId}`)
  if (item.active === false)
    throw refusal(`${at}.sku`, `The item ${line.productExternalId} is archived: no POS would accept it`)
  if (item.sku.length > longestSku)
    throw refusal(
      `${at}.sku`,
      `Lightspeed accepts orders only for items with a sku of at most ${longestSku} characters`,
    )
  const open = item.priceMode?.endsWith('_OPEN_PRICE')
  return compact({
    sku: item.sku,
    quantity: line.quantity,
    customItemPrice:
      open && line.unitPrice !== undefined
        ? Number(toDecimal(line.unitPrice, currency, `${at}.customItemPrice`))
        : undefined,
    ...(line.lineDiscount
      ? {
          discountCode,
          discountAmountOverride: Number(toDecimal(line.lineDiscount, currency, `${at}.discountAmountOverride`)),
        }
      : {}),
  })
}
async function orderBody(call: WriteCall, record: Order) {
  const { endpointId, discountCode, orderProfile } = call.account.settings
  if (record.locationExternalId !== undefined && record.locationExternalId !== locationOf(call))
    throw refusal('businessLocationId', `The location of the account is ${locationOf(call)}`)
  const currency = checkCurrency(call, record.currencyCode)
  const products = record.lineItems.map(({ productExternalId }) => productExternalId ?? '')
  const items = await itemsByIds(call, products)
  return compact({
    businessLocationId: idNumber(locationOf(call), 'businessLocationId'),
    thirdPartyReference: call.reference,
    endpointId,
    // Guests have no id here, and an email would be bound to the first reference it was sent with.
    customerInfo: { firstName: 'Guest' },
    orderNote: [record.orderNumber, record.note].filter((part) => part !== undefined).join(' - ') || undefined,
    accountProfileCode: orderProfile,
    maxTimeToAttemptOrderDeliverToPos: 60_000, // otherwise it might appear hours after the client has given up
    items: record.lineItems.map((line, n) => toLine(line, n, items, currency, discountCode)),
  })
}
/**
 * The reference is the platform's idempotency key: a second order with it is rejected, which means that the first one
 * arrived.
 */
async function send(call: WriteCall, record: Order): Promise<void> {
  try {
    await call.write('order', {
      request: post('/o/op/1/order/toGo', await orderBody(call, record)),
      read: () => call.reference,
      recovery: 'key',
    })
  } catch (error) {
    if (!(error instanceof NativeFailure && error.error.kind === 'duplicate')) throw error
  }
}
const looks = 10
async function create(call: WriteCall, record: Order): Promise<{ id: string }> {
  await checkReady(call)
  await send(call, record)
  for (let look = 0; look < looks; look += 1) {
    const id = await accountByReference(call, call.reference)
    if (id !== undefined) return { id }
  }
  // Accepted but not at the POS yet: the engine reports that, and looks again on the next request.
  return { id: call.reference }
}

export const order: EntityAdapter<'order', OrderRow, OrderPlace> = {
  scopes: {
    read: ['financial-api', 'orders-api'],
    write: ['orders-api', 'financial-api', 'items'],
    lacking: {
      items: {
        pointer: '/lineItems/*/productExternalId',
        message: 'Lines have a sku, but the products with these skus cannot be read.',
      },
    },
  },
  id: accountId,
  toUnified,
  excluded: excludedOf,
  list: {
    pageLimit: 100,
    updatedAfter: 'platform',
    modifiedAt,
    page: walkAccounts,
    complete: { size: 100, fields: ['/lineItems/*/productExternalId'], rows: withProducts },
  },
  get: readOrder,
  // No update: a sent order can only be added to.
  create: {
    // Orders come from a registered webhook, and a discount needs the code of a manual discount.
    requires: ['/lineItems/*/productExternalId', '/settings/endpointId'],
    requiresWhen: [{ pointer: '/settings/discountCode', with: '/lineItems/*/lineDiscount' }],
    values: { '/state': { only: ['OPEN'], why: 'only a payment at the POS closes an order at Lightspeed' } },
    // The POS calculates totals and assigns numbers; number and note are printed on dockets and cannot be read back.
    // The name is that of the item.
    notStored: {
      '/orderNumber': true,
      '/processedAt': true,
      '/customerExternalId': true,
      '/note': true,
      '/total': true,
      '/taxTotal': true,
      '/lineItems/*/name': true,
      '/lineItems/*/lineTax': true,
    },
    fields: {
      'items[*].sku': '/lineItems/*/productExternalId',
      'items[*].quantity': '/lineItems/*/quantity',
      'items[*].customItemPrice': '/lineItems/*/unitPrice',
      'items[*].discountAmountOverride': '/lineItems/*/lineDiscount',
      'items[*].discountCode': '/lineItems/*/lineDiscount',
      businessLocationId: '/locationExternalId',
      currency: '/currencyCode',
      orderNote: '/note',
      items: '/lineItems',
    },
    check,
    run: create,
  },
}
