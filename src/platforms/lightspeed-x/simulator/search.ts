// The search: a separate index, sorted and paged by offset, that lags slightly behind the lists.
import type { Routes } from '../../../sandbox/router.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import { renderCustomer } from './customers.ts'
import { renderProduct } from './products.ts'
import { renderSale } from './sales.ts'
import { failure } from './wire.ts'
import type { Changed, World } from './world.ts'

type Values<T> = Readonly<Record<string, (record: T) => readonly (string | null | undefined)[]>>

function searched<T extends Changed>(
  { query }: WireRequest,
  world: World,
  records: readonly T[],
  values: Values<T>,
  render: (record: T) => unknown,
): WireResponse {
  const withDeleted = query.get('deleted') === 'true'
  const indexed = world.now() - world.searchLagMs
  const fits = (record: T): boolean =>
    [...new Set(query.keys())].every((name) => {
      if (name === '_id') return query.getAll('_id').includes(record.id)
      const of = values[name]
      return (
        of === undefined ||
        of(record).some((value) => value !== null && value !== undefined && query.getAll(name).includes(value))
      )
    })
  const offset = Number(query.get('offset') ?? 0)
  const size = Math.min(Number(query.get('page_size') ?? 50), 1000)
  const found = records.filter(
    (record) => (withDeleted || record.deleted === undefined) && record.created <= indexed && fits(record),
  )
  return { status: 200, body: { data: found.slice(offset, offset + size).map(render) } }
}
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const search = (world: World, request: WireRequest): WireResponse => {
  switch (request.query.get('type')) {
    case 'products':
      // Skus are indexed in lower case.
      return searched(
        request,
        world,
        world.products.values(),
        {
          sku: ({ codes }) => codes.map(({ code }) => code.toLowerCase()),
          brand_id: ({ brand }) => [brand],
          supplier_id: ({ supplier }) => [supplier],
          tag_id: ({ tags }) => tags,
          product_type_id: ({ category }) => [category],
          variant_parent_id: ({ parent }) => [parent],
        },
        (product) => renderProduct(world, product),
      )
    case 'customers': {
      const names = ['customer_code', 'email', 'first_name', 'last_name', 'company_name', 'phone', 'mobile']
      return searched(
        request,
        world,
        world.customers.values(),
        Object.fromEntries(names.map((name) => [name, ({ fields }) => [text(fields[name])]])),
        renderCustomer,
      )
    }
    case 'sales':
      return searched(
        request,
        world,
        world.sales.values(),
        {
          state: ({ state }) => [state],
          invoice_number: ({ invoice }) => [invoice],
          customer_id: ({ customer }) => [customer],
          user_id: ({ author }) => [author],
          outlet_id: ({ outlet }) => [outlet],
          register_id: ({ register }) => [register],
          product_id: ({ lines }) => lines.map(({ product }) => product),
        },
        (sale) => renderSale(world, sale),
      )
    default:
      return failure(400, 'Bad Request', 'type must be one of sales, products, customers')
  }
}
export const searchScope = ({ query }: WireRequest): string => `${query.get('type') ?? 'sales'}:read`
export const searchRoutes: Routes<World> = {
  'GET /api/2026-07/search': ({ request, context }) => search(context, request),
}
