// Orders are written as online orders, which the platform accepts first and delivers to a POS later.
import type { EntityAdapter, OrderSums, ReadCall, WriteCall } from '../../contract/connector.ts'
import type { LineItem, Modifier, Order } from '../../contract/entities/order.ts'
import type { Pointer } from '../../contract/entity.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { refusal } from '../../kit/errors.ts'
import { compact, list } from '../../kit/fields.ts'
import { fromMinor, toDecimal, toMinor } from '../../kit/money.ts'
import { orderTables } from '../../kit/orders.ts'
import { get, post } from '../../kit/requests.ts'
import { checkCurrency, idNumber, locationOf } from './account.ts'
import { accountByReference, type OrderRow } from './check.ts'
import { type Item, itemsByIds } from './item.ts'
import { longestSku } from './product-row.ts'

/** Sub-items are lines of their own; tips are in the payments, and refunds are sales of their own. */
export const sums: OrderSums = {
  prices: 'either',
  tips: 'beside_total',
  refunds: 'beside_total',
  modifiers: 'beside_price',
}

function check(record: Order): { pointer: Pointer; message: string }[] {
  const found: { pointer: Pointer; message: string }[] = []
  for (const [n, { quantity, lineDiscount = 0, modifiers = [] }] of record.lineItems.entries()) {
    if (!Number.isInteger(quantity))
      found.push({ pointer: `/lineItems/${n}/quantity`, message: 'Lightspeed accepts only whole quantities' })
    if (lineDiscount < 0)
      found.push({ pointer: `/lineItems/${n}/lineDiscount`, message: 'A discount cannot be negative' })
    found.push(...modifierFaults(modifiers, `/lineItems/${n}/modifiers`))
  }
  return found
}
type Entry = NonNullable<Modifier['modifiers']>[number] & Pick<Modifier, 'modifiers'>
function modifierFaults(modifiers: readonly Entry[], at: Pointer): { pointer: Pointer; message: string }[] {
  return modifiers.flatMap(({ modifierExternalId, quantity = 1, modifiers: below = [] }, n) => [
    ...(modifierExternalId === undefined
      ? [
          {
            pointer: `${at}/${n}/modifierExternalId` as Pointer,
            message: 'Lightspeed needs the sku of the modifier, or the id of the production instruction',
          },
        ]
      : []),
    ...(Number.isInteger(quantity) && quantity > 0
      ? []
      : [{ pointer: `${at}/${n}/quantity` as Pointer, message: 'Lightspeed accepts only whole quantities' }]),
    ...modifierFaults(below, `${at}/${n}/modifiers`),
  ])
}
async function checkReady(call: ReadCall): Promise<void> {
  const { body } = await call.read(get('/o/op/1/onlineOrderReadiness', { businessLocationId: locationOf(call) }))
  // An order that no POS accepts would fail silently: only a webhook would report it.
  if (body?.status === 'NOT_READY')
    throw new NativeFailure({ kind: 'unavailable', code: 'NOT_READY', message: 'No POS accepts online orders now' })
}
/** Ids of production instructions; the other modifiers are items, which orders name by their sku. */
async function instructionIds(call: ReadCall, record: Order): Promise<ReadonlySet<string>> {
  const given = (modifiers: readonly Entry[] = []): boolean =>
    modifiers.some((one) => /^\d+$/.test(one.modifierExternalId ?? '') || given(one.modifiers))
  if (!record.lineItems.some(({ modifiers }) => given(modifiers))) return new Set()
  const ids = await call.cached('production instructions', async () => {
    const { body } = await call.read(get('/o/op/1/menu/modifiers', { businessLocationId: locationOf(call) }))
    return list<InstructionGroup>(body).flatMap(({ productionInstructionList }) =>
      list(productionInstructionList).map(({ ikentooModifierId }) => String(ikentooModifierId)),
    )
  })
  return new Set(ids)
}
interface InstructionGroup {
  productionInstructionList?: { ikentooModifierId?: number }[]
}
interface Written {
  items: Map<string, Item>
  instructions: ReadonlySet<string>
  currency: string
  discountCode: string | undefined
}
/** Prices of modifiers and of the choices of an order are those of the POS. */
function withModifiers(modifiers: readonly Entry[], at: string, written: Written): object {
  const [instructions, items] = [true, false].map((wanted) =>
    modifiers.filter(({ modifierExternalId = '' }) => written.instructions.has(modifierExternalId) === wanted),
  ) as [Entry[], Entry[]]
  if (instructions.some(({ price = 0, modifiers: below = [] }) => price !== 0 || below.length > 0))
    throw refusal(`${at}.modifiers`, 'A production instruction has no price and no modifiers at Lightspeed')
  const subItems = items.map(({ modifierExternalId = '', quantity = 1, modifiers: below = [] }, n) => {
    if (modifierExternalId.length > longestSku)
      throw refusal(`${at}.subItems[${n}].sku`, `A sku has at most ${longestSku} characters`)
    return { sku: modifierExternalId, quantity, ...withModifiers(below, `${at}.subItems[${n}]`, written) }
  })
  return {
    ...(instructions.length > 0 && {
      modifiers: instructions.map(({ modifierExternalId }) => ({ modifierId: modifierExternalId })),
    }),
    ...(subItems.length > 0 && { subItems }),
  }
}
/** On one unit of the line, in minor units. */
const modifiersCost = (modifiers: readonly Entry[], currency: string): number =>
  modifiers.reduce(
    (sum, { quantity = 1, price = 0, modifiers: below = [] }) =>
      sum + quantity * (toMinor(price, currency, 'items') + modifiersCost(below, currency)),
    0,
  )
function toLine(line: LineItem, n: number, written: Written) {
  const { items, currency, discountCode } = written
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
  const { unitPrice, modifiers = [] } = line
  const open = item.priceMode?.endsWith('_OPEN_PRICE')
  // Without the modifiers, which have prices of their own.
  const base = (price: number) =>
    fromMinor(toMinor(price, currency, `${at}.customItemPrice`) - modifiersCost(modifiers, currency), currency)
  return compact({
    sku: item.sku,
    quantity: line.quantity,
    customItemPrice: open && unitPrice !== undefined ? base(unitPrice) : undefined,
    ...(line.lineDiscount
      ? {
          discountCode,
          discountAmountOverride: Number(toDecimal(line.lineDiscount, currency, `${at}.discountAmountOverride`)),
        }
      : {}),
    ...withModifiers(modifiers, at, written),
  })
}
async function orderBody(call: WriteCall, record: Order) {
  const { endpointId, discountCode, orderProfile } = call.account.settings
  if (record.locationExternalId !== undefined && record.locationExternalId !== locationOf(call))
    throw refusal('businessLocationId', `The location of the account is ${locationOf(call)}`)
  const currency = checkCurrency(call, record.currencyCode)
  const products = record.lineItems.map(({ productExternalId }) => productExternalId ?? '')
  const written = {
    items: await itemsByIds(call, products),
    instructions: await instructionIds(call, record),
    currency,
    discountCode,
  }
  const { employeeExternalId: staff } = record
  return compact({
    businessLocationId: idNumber(locationOf(call), 'businessLocationId'),
    thirdPartyReference: call.reference,
    endpointId,
    // Guests have no id here, and an email would be bound to the first reference it was sent with.
    customerInfo: { firstName: 'Guest' },
    orderNote: [record.orderNumber, record.note].filter((part) => part !== undefined).join(' - ') || undefined,
    accountProfileCode: orderProfile,
    staffId: staff === undefined ? undefined : idNumber(staff, 'staffId'),
    maxTimeToAttemptOrderDeliverToPos: 60_000, // otherwise it might appear hours after the client has given up
    items: record.lineItems.map((line, n) => toLine(line, n, written)),
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
const tables = orderTables(sums, ['/lineItems/*/modifiers', '/employeeExternalId'])
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

export const createOrder: NonNullable<EntityAdapter<'order', OrderRow>['create']> = {
  // Orders come from a registered webhook, and a discount needs the code of a manual discount.
  requires: ['/lineItems/*/productExternalId', '/settings/endpointId'],
  requiresWhen: [{ pointer: '/settings/discountCode', with: '/lineItems/*/lineDiscount' }],
  refused: tables.refused,
  values: {
    ...tables.values,
    '/state': { only: ['OPEN'], why: 'only a payment at the POS closes an order at Lightspeed' },
  },
  // The POS calculates totals and assigns numbers; number and note are printed on dockets and cannot be read back.
  // The name is that of the item.
  notStored: {
    ...tables.notStored,
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
    'items[*].modifiers': '/lineItems/*/modifiers',
    'items[*].subItems[*].sku': '/lineItems/*/modifiers/*/modifierExternalId',
    staffId: '/employeeExternalId',
    businessLocationId: '/locationExternalId',
    currency: '/currencyCode',
    orderNote: '/note',
    items: '/lineItems',
  },
  check,
  run: create,
}
