import type { EntityAdapter } from '../../contract/connector.ts'
import { orderTables } from '../../kit/orders.ts'
import { type ChunkPlace, overChunks, type Window, windows } from '../../kit/paging.ts'
import { fromUnixMs, toUnixMs } from '../../kit/time.ts'
import type { TimePlace } from '../../kit/walk-by-time.ts'
import { openedAt, windowMs } from './account.ts'
import { byModification } from './listing.ts'
import { excluded, finishOrder, type NativeOrder, orderParts, readOrder, toUnified } from './order-row.ts'
import { checkLines, create, update } from './order-write.ts'

const sums = { prices: 'either', tips: 'either', refunds: 'in_total', modifiers: 'beside_price' } as const
const { notStored, refused, values } = orderTables(sums, ['/lineItems/*/modifiers', '/lineItems/*/note'])
const write = {
  requiresWhen: [
    { pointer: '/lineItems/*/name', without: '/lineItems/*/productExternalId' },
    { pointer: '/lineItems/*/unitPrice', without: '/lineItems/*/productExternalId' },
    { pointer: '/lineItems/*/unitPrice', fact: 'the price of the product is VARIABLE' },
  ],
  values: {
    ...values,
    '/state': {
      only: ['OPEN'],
      why: 'at Clover a payment completes an order, deleting cancels it, and an order without a state is hidden',
    },
  },
  refused,
  longest: { '/orderNumber': 127, '/note': 2047, '/lineItems/*/name': 127, '/lineItems/*/note': 255 },
  // The total is that of the lines, with the taxes of their items. Clover keeps any other one, too.
  derived: ['/total'],
  // Clover sets the times, and tax follows from the rates of the items.
  notStored: {
    ...notStored,
    '/processedAt': true,
    '/taxTotal': true,
    '/lineItems/*/lineTax': true,
  },
  fields: {
    currency: '/currencyCode',
    merchant: '/locationExternalId',
    customers: '/customerExternalId',
    state: '/state',
    total: '/total',
    tax: '/taxTotal',
    lineItems: '/lineItems',
    'lineItems[*].item': '/lineItems/*/productExternalId',
    'lineItems[*].price': '/lineItems/*/unitPrice',
    'lineItems[*].quantity': '/lineItems/*/quantity',
    'lineItems[*].discount': '/lineItems/*/lineDiscount',
    'lineItems[*].tax': '/lineItems/*/lineTax',
    'lineItems[*].modifiers': '/lineItems/*/modifiers',
  },
} as const

export const order: EntityAdapter<'order', NativeOrder, ChunkPlace<Window, TimePlace<number>>> = {
  revision: 2,
  sums,
  id: (row) => row.id,
  excluded,
  toUnified,
  list: {
    pageLimit: 250, // a call with the lines of more could exceed the largest response
    updatedAfter: 'platform',
    modifiedAt: (row) => fromUnixMs(row.modifiedTime),
    stampPrecision: 'seconds',
    page: overChunks<NativeOrder, Window, TimePlace<number>>(
      async (call, { updatedAfter }) => windows(updatedAfter ?? (await openedAt(call)), call.now, windowMs),
      (call, query, { from, to }, at) =>
        byModification<NativeOrder>('/orders', orderParts, to === undefined ? undefined : toUnixMs(to))(
          call,
          { ...query, updatedAfter: from },
          at,
        ),
    ),
    complete: {
      size: 1, // most orders need no more calls
      rows: async (call, rows) => {
        const finished: NativeOrder[] = []
        for (const row of rows) finished.push(await finishOrder(call, row))
        return finished
      },
    },
  },
  get: readOrder,
  create: { ...write, check: checkLines, run: create },
  update: { ...write, check: checkLines, run: update },
}
