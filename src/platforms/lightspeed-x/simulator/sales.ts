// Sales of the dated versions: nested, and listed together with deleted ones.
import type { Routes } from '../../../sandbox/router.ts'
import { parts, sumOf, times } from './money.ts'
import { acceptSale, startReturn } from './sale-writes.ts'
import { bodyOf, failure, isUuid, listed, missing, ok, stamp, stampOrNull } from './wire.ts'
import { defaultTax, type Sale, type SaleLine, type SalePayment, type Tax, type World } from './world.ts'

const base = '/api/2026-07'

const componentsOf = (tax: Tax | undefined, total: number) =>
  parts(total, tax?.rates.map(({ rate }) => rate) ?? []).map((part, n) => ({
    rate_id: tax!.rates[n]!.id,
    total_tax: part,
  }))
const renderLine = (world: World, sale: Sale) => (line: SaleLine) => {
  const { id, product, quantity, price, discount, cost, loyalty, tax, status, note, salesperson } = line
  const taxes = times(quantity, tax.amount)
  return {
    id,
    quantity,
    product: { id: product },
    // The unit price is after the discount.
    pricing: {
      total: times(quantity, price),
      cost,
      discount,
      price,
      loyalty_amount: loyalty,
      cost_total: times(quantity, cost),
      discount_total: times(quantity, discount),
      loyalty_amount_total: times(quantity, loyalty),
    },
    tax: { id: tax.id, amount: tax.amount, total: taxes },
    status,
    promotions: [],
    note,
    surcharges: surchargesOf(world, sale, line),
    customizations: [],
    return: { reason: null, is_return: line.isReturn },
    gift_card_number: line.giftCard,
    salesperson_id: salesperson,
    _metadata: {
      sequence: line.sequence,
      is_price_override: line.override,
      tax_components: componentsOf(world.taxes.get(tax.id), taxes),
    },
  }
}
const counted = ({ state, lines }: Sale): SaleLine[] =>
  lines.filter(({ status }) => status !== 'VOIDED' || state === 'voided')
/** The surcharge of the sale once more, spread over its lines. */
function surchargesOf(world: World, sale: Sale, line: SaleLine) {
  const surcharge = sale.adjustments.find(({ type }) => type === 'SURCHARGE')
  const lines = counted(sale)
  const n = lines.indexOf(line)
  if (!surcharge || n < 0) return []
  const weights = lines.map(({ quantity, price }) => times(quantity, price))
  return [
    {
      value: parts(surcharge.total, weights)[n]!,
      tax_components: componentsOf(defaultTax(world), parts(surcharge.tax, weights)[n]!),
    },
  ]
}
const renderPayment = (world: World, outlet: string, payment: SalePayment) => {
  const { id, amount, date, type, register, surcharge, card } = payment
  const found = world.paymentTypes.get(type)
  return {
    id,
    amount,
    date: stamp(date),
    type: { id: String(found?.typeId), config_id: type, name: found?.name },
    source: { id: null, register_id: register, outlet_id: outlet },
    surcharge: surcharge ?? { amount: 0, rule: null },
    external_applications: [],
    external_attributes: card
      ? [{ source: 'LightspeedPayments', transaction_id: id.slice(0, 8), card_last_four_digits: card }]
      : [],
    billing_address_id: null,
    deleted_at: stampOrNull(payment.deleted),
    _metadata: { register_open_sequence_id: null },
  }
}
/** Adjustments are in the totals; the charges of a web shop are not. */
function totalsOf(sale: Sale) {
  const lines = counted(sale)
  const price = sumOf([
    ...lines.map((line) => times(line.quantity, line.price)),
    ...sale.adjustments.map(({ total }) => total),
  ])
  const tax = sumOf([
    ...lines.map((line) => times(line.quantity, line.tax.amount)),
    ...sale.adjustments.map((adjustment) => adjustment.tax),
  ])
  const surcharges = sale.adjustments.filter(({ type }) => type === 'SURCHARGE')
  return {
    price,
    tax,
    loyalty: 0,
    surcharge: sumOf(surcharges.map(({ total }) => total)),
    price_incl_tax: sumOf([price, tax]),
  }
}
/** What is to be paid. */
export const dueOf = (sale: Sale): number =>
  sumOf([totalsOf(sale).price_incl_tax, ...sale.charges.flatMap(({ total, tax }) => [total, tax])])

export function renderSale(world: World, sale: Sale) {
  const taxes = Map.groupBy(counted(sale), ({ tax }) => tax.id)
  const own = defaultTax(world)
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
    line_items: sale.lines.map(renderLine(world, sale)),
    return: {
      original_sale_id: sale.original,
      return_sale_ids: world.sales.filter(({ original }) => original === sale.id).map(({ id }) => id),
      is_return: sale.isReturn,
    },
    taxes: [...taxes].map(([id, lines]) => ({
      id,
      tax: sumOf(lines.map((line) => times(line.quantity, line.tax.amount))),
    })),
    totals: totalsOf(sale),
    adjustments: sale.adjustments.map(({ type, name, total, tax }) => ({
      adjustment_type: type,
      name,
      total,
      tax_components: tax === 0 ? [] : componentsOf(own, tax),
    })),
    external_applications: [],
    ecom_custom_charges: sale.charges.map(({ source, name, total, tax }) => ({
      source_id: source,
      name,
      total,
      total_tax: tax,
      total_incl: sumOf([total, tax]),
      tax_components: componentsOf(own, tax),
    })),
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
