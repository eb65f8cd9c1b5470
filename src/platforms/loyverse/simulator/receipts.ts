// Receipts: written once, never changed. A refund is a separate receipt.
// https://developer.loyverse.com/docs/#tag/Receipts
import type { Fields } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import { appliedDiscounts, draftLine, reckon, summed } from './receipt-totals.ts'
import {
  acceptObject,
  bodyOf,
  failure,
  invalid,
  listed,
  listOfObjects,
  ok,
  refuse,
  required,
  type Schema,
  text,
  unknown,
} from './wire.ts'
import { type Line, money, type Receipt, setLevel, stockAt, type World } from './world.ts'

const anyText = text(0, 255)
const schema: Schema = {
  store_id: 'uuid',
  employee_id: 'uuid',
  order: anyText,
  customer_id: 'uuid',
  source: anyText,
  receipt_date: 'date',
  note: anyText,
  total_discounts: listOfObjects({
    id: 'uuid',
    scope: { enum: ['RECEIPT', 'LINE_ITEM'] },
    percentage: 'number',
    money_amount: 'number',
  }),
  line_items: listOfObjects({
    variant_id: 'uuid',
    quantity: 'number',
    price: 'number',
    cost: 'number',
    line_note: anyText,
    line_taxes: listOfObjects({ id: 'uuid' }),
    line_discounts: listOfObjects({ id: 'uuid' }),
    line_modifiers: listOfObjects({ modifier_option_id: 'uuid', price: 'number' }),
  }),
  payments: listOfObjects({ payment_type_id: 'uuid', paid_at: 'date' }),
}
const refundSchema: Schema = {
  receipt_date: 'date',
  source: anyText,
  employee_id: 'uuid',
  store_id: 'uuid',
  line_items: listOfObjects({ id: text(1, 64), quantity: 'number' }),
}
const application = 'Your application' // the default source
const historyMs = 31 * 86_400_000

const sum = (amounts: readonly number[]): number => money(amounts.reduce((total, amount) => total + amount, 0))
export const totalsOf = (lines: readonly Line[]) => ({
  total_money: sum(lines.map(({ total_money }) => total_money)),
  total_tax: sum(lines.flatMap(({ line_taxes }) => line_taxes.map(({ money_amount }) => money_amount))),
  total_discount: sum(lines.map(({ total_discount }) => total_discount)),
})
export const blankReceipt = {
  note: null,
  order: null,
  refund_for: null,
  cancelled_at: null,
  points_earned: 0,
  points_deducted: 0,
  points_balance: 0,
  customer_id: null,
  employee_id: null,
  pos_device_id: null,
  dining_option: null,
  tip: 0,
  surcharge: 0,
}
export const receiptNumber = (world: World): string => `1-${world.next('receipt')}`

/** Both list what the lines have, once for each discount and tax. */
export const groupedOf = (lines: readonly Line[]) => ({
  total_discounts: summed(lines.flatMap(({ line_discounts }) => line_discounts)),
  total_taxes: summed(lines.flatMap(({ line_taxes }) => line_taxes)),
})
/** Sales reduce the stock, refunds restore it. */
function moveStock(world: World, lines: readonly Line[], storeId: string, sign: 1 | -1): void {
  for (const { variant_id, item_id, quantity } of lines)
    if (world.items.get(item_id)?.track_stock)
      setLevel(world, variant_id, storeId, Number((stockAt(world, variant_id, storeId) + sign * quantity).toFixed(3)))
}
function paymentOf(world: World, given: readonly Fields[], storeId: string) {
  if (given.length !== 1)
    return refuse(
      400,
      given.length ? 'INVALID_VALUE' : 'MISSING_REQUIRED_PARAMETER',
      'Exactly one payment is allowed',
      'payments',
    )
  required(given[0]!, 'payment_type_id')
  const type = world.paymentTypes.get(given[0]!.payment_type_id as string)
  if (!type || type.deleted_at || !type.stores.includes(storeId)) return unknown('payments[0].payment_type_id')
  return { type, paid_at: given[0]!.paid_at as string | null }
}
function create(world: World, body: unknown): Receipt {
  const fields = acceptObject(schema, body)
  required(fields, 'store_id', 'line_items', 'payments')
  const storeId = fields.store_id as string
  const store = world.stores.get(storeId)
  if (!store || store.deleted_at) return unknown('store_id')
  const customerId = fields.customer_id as string | null
  const customer = customerId === null ? undefined : world.customers.get(customerId)
  if (customerId !== null && (!customer || customer.deleted_at)) return unknown('customer_id')
  const posted = fields.line_items as Fields[]
  if (posted.length === 0)
    return refuse(400, 'MISSING_REQUIRED_PARAMETER', 'A receipt must have line items', 'line_items')
  const applied = appliedDiscounts(world, (fields.total_discounts as Fields[] | null) ?? [], storeId)
  const drafts = posted.map((line, index) => draftLine(world, line, index, storeId))
  for (const [index, { discountIds }] of drafts.entries())
    if (discountIds.some((id) => !applied.some(({ discount, scope }) => discount.id === id && scope === 'LINE_ITEM')))
      invalid(`line_items[${index}].line_discounts`, 'The discount is not among total_discounts')
  const { type, paid_at } = paymentOf(world, fields.payments as Fields[], storeId)
  const reckoned = reckon(drafts, applied)
  const totals = totalsOf(reckoned.line_items)
  const stamp = world.stamp()
  const receipt: Receipt = {
    ...blankReceipt,
    ...reckoned,
    ...totals,
    receipt_number: receiptNumber(world),
    receipt_type: 'SALE',
    note: fields.note as string | null,
    order: fields.order as string | null,
    source: (fields.source as string | null) ?? application,
    receipt_date: (fields.receipt_date as string | null) ?? stamp,
    customer_id: customerId,
    employee_id: fields.employee_id as string | null,
    store_id: storeId,
    payments: [
      {
        payment_type_id: type.id,
        name: type.name,
        type: type.type,
        money_amount: totals.total_money,
        paid_at: paid_at ?? stamp,
        payment_details: null,
      },
    ],
    created_at: stamp,
    updated_at: stamp,
  }
  world.receipts.set(receipt.receipt_number, receipt)
  moveStock(world, receipt.line_items, storeId, -1)
  if (customer)
    world.customers.set(customer.id, {
      ...customer,
      first_visit: customer.first_visit ?? stamp,
      last_visit: stamp,
      total_visits: customer.total_visits + 1,
      total_spent: money(customer.total_spent + totals.total_money),
      updated_at: world.stamp(customer.updated_at),
    })
  return receipt
}

/** The refunded part of a line, in proportion; quantities and amounts stay positive. */
export function refundedLine(line: Line, quantity: number): Line {
  const part = (amount: number) => money((amount * quantity) / line.quantity)
  const parts = <T extends { money_amount: number }>(list: readonly T[]): T[] =>
    list.map((one) => ({ ...one, money_amount: part(one.money_amount) }))
  return {
    ...line,
    quantity,
    gross_total_money: part(line.gross_total_money),
    total_money: part(line.total_money),
    cost_total: part(line.cost_total),
    total_discount: part(line.total_discount),
    line_taxes: parts(line.line_taxes),
    line_discounts: parts(line.line_discounts),
    line_modifiers: parts(line.line_modifiers),
  }
}
function refund(world: World, sale: Receipt, body: unknown): Receipt {
  const fields = acceptObject(refundSchema, body)
  required(fields, 'line_items')
  if (sale.receipt_type !== 'SALE') invalid('receipt_number', 'Only a sale can be refunded')
  if (sale.payments.length > 1) invalid('receipt_number', 'A receipt with several payments cannot be refunded')
  if (sale.payments.some(({ type }) => !['CASH', 'NONINTEGRATEDCARD', 'CHECK', 'OTHER'].includes(type)))
    invalid('receipt_number', 'A payment with an integrated card cannot be refunded')
  const lines = (fields.line_items as Fields[]).map(({ id, quantity }, index) => {
    const line = sale.line_items.find((one) => one.id === id)
    if (!line) return unknown(`line_items[${index}].id`)
    if (typeof quantity !== 'number' || quantity <= 0 || quantity > line.quantity)
      return invalid(`line_items[${index}].quantity`, 'More than was sold')
    return { ...refundedLine(line, quantity), id: world.uuid() }
  })
  const stamp = world.stamp()
  const totals = totalsOf(lines)
  const receipt: Receipt = {
    ...sale,
    ...totals,
    ...groupedOf(lines),
    receipt_number: receiptNumber(world),
    receipt_type: 'REFUND',
    refund_for: sale.receipt_number,
    source: (fields.source as string | null) ?? application,
    receipt_date: (fields.receipt_date as string | null) ?? stamp,
    tip: 0,
    surcharge: 0,
    line_items: lines,
    payments: [{ ...sale.payments[0]!, money_amount: totals.total_money, paid_at: stamp }],
    created_at: stamp,
    updated_at: stamp,
  }
  moveStock(world, lines, sale.store_id, 1)
  return world.receipts.set(receipt.receipt_number, receipt) // the sale itself has no reference to it
}

const notPaid = () =>
  failure(
    402,
    'PAYMENT_REQUIRED',
    'Unable to retrieve receipts created earlier than 31 days ago. Please subscribe to Unlimited sales history.',
  )
const receiptOf = (world: World, number = ''): Receipt => world.receipts.get(number) ?? unknown('receipt_number')

export const receiptRoutes: Routes<World> = {
  'GET /v1.0/receipts': ({ request, context: world }) => {
    const page = (limit?: number) => {
      const query = new URLSearchParams(request.query)
      if (limit !== undefined) query.set('limit', String(limit))
      return listed({ ...request, query }, world.receipts.values(), {
        name: 'receipts',
        id: ({ receipt_number }) => receipt_number,
        ids: 'receipt_numbers',
        paged: true,
        equal: { store_id: ({ store_id }) => store_id, order: ({ order }) => order, source: ({ source }) => source },
      })
    }
    const answer = page()
    const rows = (answer.body as { receipts?: Receipt[] }).receipts ?? []
    const recent = rows.filter(({ created_at }) => Date.parse(created_at) > world.now() - historyMs)
    if (world.unlimitedHistory || recent.length === rows.length) return answer
    return recent.length === 0 ? notPaid() : page(recent.length)
  },
  'GET /v1.0/receipts/:number': ({ params, context: world }) => {
    const receipt = receiptOf(world, params.number)
    return !world.unlimitedHistory && Date.parse(receipt.created_at) < world.now() - historyMs ? notPaid() : ok(receipt)
  },
  'POST /v1.0/receipts': ({ request, context: world }) => ok(create(world, bodyOf(request))),
  'POST /v1.0/receipts/:number/refund': ({ request, params, context: world }) =>
    ok(refund(world, receiptOf(world, params.number), bodyOf(request))),
}
