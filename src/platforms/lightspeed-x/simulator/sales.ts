// Sales of the dated versions: nested, and listed together with deleted ones.
import type { Routes } from '../../../sandbox/router.ts'
import { acceptSale, startReturn } from './sale-writes.ts'
import { bodyOf, failure, isUuid, listed, missing, ok, stamp, stampOrNull } from './wire.ts'
import type { Sale, SaleLine, SalePayment, World } from './world.ts'

const base = '/api/2026-07'
const ten = (amount: number): number => Number(amount.toFixed(10))
const two = (amount: number): number => Number(amount.toFixed(2))
const rateOf = (tax: string): string => `${tax.slice(0, -1)}9`

const renderLine = ({
  id,
  product,
  quantity,
  price,
  discount,
  cost,
  loyalty,
  tax,
  status,
  note,
  salesperson,
  sequence,
  override,
  isReturn,
}: SaleLine) => ({
  id,
  quantity,
  product: { id: product },
  // The unit price is after the discount.
  pricing: {
    total: ten(price * quantity),
    cost,
    discount,
    price,
    loyalty_amount: loyalty,
    cost_total: ten(cost * quantity),
    discount_total: ten(discount * quantity),
    loyalty_amount_total: ten(loyalty * quantity),
  },
  tax: { id: tax.id, amount: tax.amount, total: ten(tax.amount * quantity) },
  status,
  promotions: [],
  note,
  surcharges: [],
  customizations: [],
  return: { reason: null, is_return: isReturn },
  gift_card_number: null,
  salesperson_id: salesperson,
  _metadata: {
    sequence,
    is_price_override: override,
    tax_components: [{ rate_id: rateOf(tax.id), total_tax: ten(tax.amount * quantity) }],
  },
})
const renderPayment = (world: World, outlet: string, { id, amount, date, type, register }: SalePayment) => {
  const found = world.paymentTypes.get(type)
  return {
    id,
    amount,
    date: stamp(date),
    type: { id: String(found?.typeId), config_id: type, name: found?.name },
    source: { id: null, register_id: register, outlet_id: outlet },
    surcharge: null,
    external_applications: [],
    external_attributes: [],
    deleted_at: null,
    _metadata: { register_open_sequence_id: null },
  }
}
export function renderSale(world: World, sale: Sale) {
  const lines = sale.lines.map(renderLine)
  const price = ten(lines.reduce((sum, line) => sum + line.pricing.total, 0))
  const tax = ten(lines.reduce((sum, line) => sum + line.tax.total, 0))
  const taxes = Map.groupBy(lines, (line) => line.tax.id)
  return {
    id: sale.id,
    date: stamp(sale.date),
    invoice_number: sale.invoice,
    short_code: sale.shortCode,
    state: sale.state,
    note: sale.note,
    source: {
      id: sale.source.id,
      type: sale.source.type,
      author: { id: sale.author },
      register_id: sale.register,
      outlet_id: sale.outlet,
    },
    customer_id: sale.customer,
    attributes: sale.attributes,
    payments: sale.payments.map((payment) => renderPayment(world, sale.outlet, payment)),
    line_items: lines,
    return: {
      original_sale_id: sale.original,
      return_sale_ids: world.sales.filter(({ original }) => original === sale.id).map(({ id }) => id),
      is_return: sale.original !== null,
    },
    taxes: [...taxes].map(([id, own]) => ({
      id: rateOf(id),
      tax: ten(own.reduce((sum, line) => sum + line.tax.total, 0)),
    })),
    totals: { price: two(price), tax: two(tax), loyalty: 0, surcharge: 0, price_incl_tax: ten(price + tax) },
    adjustments: [],
    external_applications: [],
    ecom_custom_charges: [],
    receipt_number: sale.invoice,
    created_at: stamp(sale.created),
    updated_at: stamp(sale.updated),
    deleted_at: stampOrNull(sale.deleted),
    _metadata: {
      version: sale.version,
      xero_reference: null,
      complete_open_sequence_id: null,
      has_unsynced_on_account_payments: null,
    },
  }
}

export const saleRoutes: Routes<World> = {
  // No filter by date, and deleted sales are included.
  [`GET ${base}/sales`]: ({ request, context: world }) =>
    listed(request, world.sales.values(), (sale) => renderSale(world, sale), true),
  [`GET ${base}/sales/:id`]: ({ params: { id = '' }, context: world }) =>
    ok(renderSale(world, world.sales.get(id) ?? missing('sale'))),
  [`POST ${base}/sales`]: ({ request, context: world }) => {
    const body = bodyOf(request)
    if (body.id !== undefined && !isUuid(body.id)) return failure(400, 'Bad Request', 'id is not a UUID')
    const id = (body.id as string | undefined) ?? world.uuid()
    return ok(renderSale(world, acceptSale(world, id, body, world.sales.get(id))))
  },
  // https://x-series-api.lightspeedhq.com/docs/sales_returns
  [`POST ${base}/sales/:id/actions/return`]: ({ params: { id = '' }, context: world }) =>
    ok(renderSale(world, startReturn(world, world.sales.get(id) ?? missing('sale')))),
  [`PUT ${base}/sales/:id`]: ({ request, params: { id = '' }, context: world }) =>
    ok(renderSale(world, acceptSale(world, id, bodyOf(request), world.sales.get(id) ?? missing('sale')))),
}
