import type { EntityAdapter, WriteCall, Written } from '../../contract/connector.ts'
import type { Order } from '../../contract/entities/order.ts'
import { refusal } from '../../kit/errors.ts'
import { compact, list, text } from '../../kit/fields.ts'
import { orderTables } from '../../kit/orders.ts'
import { path, post, put } from '../../kit/requests.ts'
import type { NumberPlace } from '../../kit/walk-by-number.ts'
import { checkCurrency, readShop, registerAt } from './account.ts'
import { api, modifiedAt, pageLimit, searchWalk, walkByVersion } from './api.ts'
import type { NativeSale } from './order-money.ts'
import { excludedOf, finishRows, readSale, type SaleRow, states, system, toUnified } from './order-row.ts'
import { checkLines, checkReferences, dueOf, linesAfter, newLine, paymentsAfter } from './order-write.ts'

const walk = walkByVersion<NativeSale>('/sales', {
  version: ({ _metadata }) => _metadata?.version,
  stamps: (sale) => sale,
})

/** The platform accepts an id from the client: a UUID derived from the key, the same for every attempt. */
export function uuidOf(key: string): string {
  const hex = [...key.padEnd(32, '0')].map((character) => (character.charCodeAt(0) % 16).toString(16)).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
/** The response contains the whole sale; older versions return only its id. */
const written = async (call: WriteCall, sale: NativeSale): Promise<Written<SaleRow>> =>
  sale.line_items ? { id: sale.id, row: (await finishRows(call, [sale]))[0] } : { id: sale.id }
const readAnswer = ({ body }: { body: { data: NativeSale } }): NativeSale => {
  if (!text(body.data.id)) throw new Error('a sale without an id')
  return body.data
}

async function create(call: WriteCall, record: Order): Promise<Written<SaleRow>> {
  const { account } = call
  const shop = await checkCurrency(call, record.currencyCode)
  const register = await registerAt(call, record.locationExternalId)
  const lines = record.lineItems.map((line, n) => newLine(line, n, shop, account))
  await checkReferences(
    call,
    record,
    record.lineItems.map((line, n) => ({ line, n })),
  )
  const id = uuidOf(call.key('sale'))
  const state = states.write(record.state ?? 'OPEN')
  const payments = paymentsAfter(
    { closing: state === 'closed', due: dueOf(lines, shop), date: record.processedAt, register },
    [],
    shop,
    account,
  )
  const body = compact({
    id,
    state,
    date: record.processedAt,
    customer_id: record.customerExternalId,
    note: record.note,
    invoice_number: record.orderNumber,
    source: compact({ author_id: account.settings.userId, register_id: register, id: call.reference, type: system }),
    line_items: lines,
    payments: payments.length ? payments : undefined,
  })
  const sale = await call.write<NativeSale>('sale', {
    request: post(`${api}/sales`, body),
    read: readAnswer,
    recovery: { find: () => readSale(call, id), lagSeconds: 5 },
  })
  return written(call, sale)
}

/** A closed sale can be voided, and a voided sale cannot be restored. */
function checkTransition(current: NativeSale, state: string | undefined, linesChanged: boolean): void {
  const ended = current.state === 'closed' || current.state === 'voided'
  if (ended && state !== current.state && !(current.state === 'closed' && state === 'voided'))
    throw refusal(
      'state',
      current.state === 'closed'
        ? 'A closed sale can only become CANCELED'
        : 'The state of a voided sale cannot change',
    )
  if (ended && linesChanged) throw refusal('line_items', `The lines of a ${current.state} sale cannot be changed`)
}
/** Undefined if nothing differs. */
async function changeOf(call: WriteCall, record: Order, current: NativeSale): Promise<object | undefined> {
  const { account } = call
  const shop = await readShop(call)
  const before = toUnified({ sale: current, shop }, { account, warn: () => {} })
  const { lines, touched, changed: linesChanged } = linesAfter(record, before, current, shop, account)
  const changed = (field: keyof Order) => (record[field] ?? '') !== (before[field] ?? '')
  const asked = (field: keyof Order) => record[field] !== undefined && changed(field)
  const state = asked('state') ? states.write(record.state) : current.state
  const moved = asked('processedAt') && Date.parse(record.processedAt!) !== Date.parse(before.processedAt ?? '')
  if (
    !linesChanged &&
    state === current.state &&
    !moved &&
    !changed('note') &&
    !changed('customerExternalId') &&
    !asked('orderNumber') &&
    !asked('locationExternalId')
  )
    return undefined
  checkTransition(current, state, linesChanged)
  await checkReferences(
    call,
    changed('customerExternalId') ? record : { ...record, customerExternalId: undefined },
    touched,
  )
  const { source = {} } = current
  const register = asked('locationExternalId') ? await registerAt(call, record.locationExternalId) : source.register_id
  const closing = state === 'closed' && current.state !== 'closed'
  const payments = paymentsAfter(
    { closing, due: dueOf(lines, shop, current), date: call.now, register },
    list(current.payments),
    shop,
    account,
  )
  const date = moved ? record.processedAt : current.date
  return {
    ...compact({
      state,
      date,
      customer_id: record.customerExternalId,
      invoice_number: record.orderNumber ?? text(current.invoice_number),
      short_code: text(current.short_code),
      attributes: list(current.attributes),
      source: compact({
        author_id: source.author?.id ?? account.settings.userId,
        register_id: register,
        id: source.id,
        type: source.type,
      }),
      line_items: lines,
      payments: payments.length ? payments : undefined,
    }),
    ...(changed('customerExternalId') && record.customerExternalId === undefined && { customer_id: null }),
    note: record.note ?? '',
  }
}
async function update(call: WriteCall, { sale: current }: SaleRow, record: Order): Promise<Written<SaleRow>> {
  const { id } = current
  await checkCurrency(call, record.currencyCode)
  const body = await changeOf(call, record, current)
  if (!body) return { id, row: (await finishRows(call, [current]))[0] }
  const sale = await call.write<NativeSale>('sale', {
    request: put(`${api}${path`/sales/${id}`}`, body),
    read: readAnswer,
    // Lines and payments without an id are added each time: the call is repeated only if the sale does not match yet.
    recovery: {
      find: async () => {
        const now = await readSale(call, id)
        return now && !(await changeOf(call, record, now)) ? now : undefined
      },
      lagSeconds: 5,
    },
  })
  return written(call, sale)
}

/** Sales have prices without taxes, also where prices on the shelf contain them. */
const sums = { prices: 'without_tax', tips: 'in_total', refunds: 'beside_total', modifiers: 'none' } as const
// Requests can have tips and fees, but whether an update adds them to those that a sale has is not documented.
const tables = orderTables(sums, ['/lineItems/*/note'])
const write = {
  ...tables,
  requires: ['/lineItems/*/productExternalId', '/lineItems/*/unitPrice', '/lineItems/*/lineTax'],
  // Totals are calculated from the lines; sku and name belong to the product.
  notStored: {
    ...tables.notStored,
    '/total': true,
    '/taxTotal': true,
    '/lineItems/*/sku': true,
    '/lineItems/*/name': true,
  },
  fields: {
    state: '/state',
    currency: '/currencyCode',
    date: '/processedAt',
    note: '/note',
    invoice_number: '/orderNumber',
    customer_id: '/customerExternalId',
    'source.outlet_id': '/locationExternalId',
    'source.register_id': '/locationExternalId',
    line_items: '/lineItems',
    'line_items[*].product.id': '/lineItems/*/productExternalId',
    'line_items[*].quantity': '/lineItems/*/quantity',
    'line_items[*].pricing.price': '/lineItems/*/unitPrice',
    'line_items[*].pricing.discount': '/lineItems/*/lineDiscount',
    'line_items[*].tax.id': '/lineItems/*/lineTax',
    'line_items[*].tax.amount': '/lineItems/*/lineTax',
  },
} as const

export const order: EntityAdapter<'order', SaleRow, number> = {
  revision: 2,
  id: ({ sale }) => sale.id,
  toUnified,
  sums,
  excluded: excludedOf,
  version: ({ sale: { _metadata } }) => (_metadata?.version === undefined ? undefined : String(_metadata.version)),
  scopes: {
    read: ['sales:read'],
    write: ['sales:write'],
    lacking: {
      'taxes:read': { pointer: '/taxes', message: 'Lightspeed returns neither names nor rates of taxes.' },
      'outlets:read': {
        pointer: '/businessDate',
        message: 'Lightspeed returns no time zones of outlets: business days are those of the retailer.',
      },
    },
  },
  list: {
    pageLimit,
    updatedAfter: 'service',
    modifiedAt: ({ sale }) => modifiedAt(sale),
    stampPrecision: 'seconds',
    page: async (call, query, at) => {
      const { rows, next } = await walk(call, query, at)
      const shop = await readShop(call)
      return { rows: rows.map((sale) => ({ sale, shop })), next }
    },
    complete: {
      size: pageLimit,
      rows: (call, rows) =>
        finishRows(
          call,
          rows.map(({ sale }) => sale),
        ),
    },
  },
  search: {
    by: ['number'],
    newestFirst: false,
    page: async (call, { text, size }, at: NumberPlace | undefined) => {
      const { rows, next } = await searchWalk<NativeSale>('sales', { invoice_number: text })(call, { size }, at)
      const shop = await readShop(call)
      return { rows: rows.map((sale) => ({ sale, shop })), next }
    },
  },
  get: async (call, id) => {
    const sale = await readSale(call, id)
    return sale && (await finishRows(call, [sale]))[0]
  },
  create: {
    ...write,
    requires: [...write.requires, '/settings/userId'], // who made the sale
    requiresWhen: [
      { pointer: '/settings/registerId', without: '/locationExternalId' },
      { pointer: '/settings/registerId', with: '/locationExternalId', fact: 'the outlet has several registers' },
      { pointer: '/settings/taxId', with: '/lineItems/*/lineTax' },
      { pointer: '/settings/paymentTypeId', is: { '/state': ['COMPLETED'] } },
    ],
    check: checkLines,
    run: create,
  },
  update: {
    ...write,
    check: checkLines,
    run: update,
  },
}
