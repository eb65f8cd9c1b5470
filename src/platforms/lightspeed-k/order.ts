// Orders are read as open checks and sales.
import type { EntityAdapter, ReadCall } from '../../contract/connector.ts'
import { compact, list } from '../../kit/fields.ts'
import { may } from './account.ts'
import {
  accountId,
  byId,
  isOrder,
  isRefund,
  linesOf,
  modifiedAt,
  type OrderPlace,
  type OrderRow,
  readAccount,
  rootOf,
  type Sale,
  salesAround,
  walkAccounts,
} from './check.ts'
import { idsBySku } from './item.ts'
import { excludedOf, toUnified } from './order-row.ts'
import { createOrder, sums } from './order-write.ts'

/** Lines reference items by sku; a product is identified by its id. */
async function withProducts(call: ReadCall, rows: readonly OrderRow[]): Promise<OrderRow[]> {
  if (!may(call, 'items')) return [...rows]
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
/** By the sale that they take back. A refund of the rest of a sale can name the refund before it. */
export function refundsBySale(sales: readonly Sale[]): Map<string, Sale[]> {
  const refunds = byId(sales.filter(isRefund))
  return Map.groupBy(refunds.values(), (refund) => rootOf(refund, refunds) ?? '')
}
/** With the refunds of their day, and as version 2 has them: version 1 lacks the rounding of cash. */
async function withRefunds(call: ReadCall, rows: readonly OrderRow[]): Promise<OrderRow[]> {
  const isSale = (row: OrderRow): row is OrderRow & { sale: Sale } => row.sale !== undefined && !excludedOf(row)
  const sales = await salesAround(
    call,
    rows.filter(isSale).map(({ sale }) => sale.timeClosed),
  )
  const [refunds, known] = [refundsBySale(sales), byId(sales)]
  return rows.map((row) =>
    isSale(row) ? { ...row, sale: known.get(accountId(row)) ?? row.sale, refunds: refunds.get(accountId(row)) } : row,
  )
}
const completed = async (call: ReadCall, rows: readonly OrderRow[]): Promise<OrderRow[]> =>
  withProducts(call, await withRefunds(call, rows))
async function readOrder(call: ReadCall, id: string): Promise<OrderRow | undefined> {
  const row = await readAccount(call, id)
  if (row?.sale && !isOrder(row.sale)) return undefined
  return row && (await completed(call, [row]))[0]
}

export const order: EntityAdapter<'order', OrderRow, OrderPlace> = {
  revision: 2,
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
  sums,
  list: {
    pageLimit: 100,
    updatedAfter: 'platform',
    modifiedAt,
    page: walkAccounts,
    complete: { size: 100, fields: ['/lineItems/*/productExternalId', '/refundTotal'], rows: completed },
  },
  get: readOrder,
  // No update: a sent order can only be added to.
  create: createOrder,
}
