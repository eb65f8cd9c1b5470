// What an order consists of, as clients send it: checked and completed with defaults.
import type { Fields } from '../../../sandbox/http.ts'
import { findObject } from './catalog.ts'
import { invalid, notFound, timeOf, withoutNulls } from './wire.ts'
import {
  type LineItem,
  type LineModifier,
  newId,
  type OrderDiscount,
  type OrderTax,
  type ServiceCharge,
  type World,
} from './world.ts'

export const noted = <T extends { uid?: string | null }>(
  rows: readonly T[] | null | undefined,
): (T & { uid: string })[] | undefined => rows?.map((row) => ({ ...withoutNulls(row), uid: row.uid || newId('uid') }))

export function buildLine(world: World, line: Fields & { uid: string }, path: string): LineItem {
  const { quantity, catalog_object_id: id } = line
  const modifiers = noted(line.modifiers as Fields[] | undefined)?.map((one, index) =>
    buildModifier(world, one, `${path}.modifiers[${index}]`),
  )
  if (quantity === undefined) invalid('MISSING_REQUIRED_PARAMETER', 'Missing required parameter.', `${path}.quantity`)
  if (!/^\d+(\.\d{1,5})?$/.test(String(quantity)))
    invalid('INVALID_VALUE', 'quantity must be a non-negative decimal.', `${path}.quantity`)
  const money = line.base_price_money as LineItem['base_price_money']
  if (money && money.currency !== world.currency)
    invalid('INVALID_VALUE', `Currency must be ${world.currency}.`, `${path}.base_price_money.currency`)
  if (id === undefined) {
    if (!line.name)
      invalid('MISSING_REQUIRED_PARAMETER', 'A line item needs a name or a catalog object.', `${path}.name`)
    if (!money) invalid('MISSING_REQUIRED_PARAMETER', 'An ad hoc line item needs a price.', `${path}.base_price_money`)
    return { item_type: 'ITEM', ...line, quantity: String(quantity), ...(modifiers && { modifiers }) }
  }
  const variation = findObject(world, String(id))
  if (variation?.type !== 'ITEM_VARIATION')
    return notFound(`Item variation with catalog object ID \`${String(id)}\` not found.`, `${path}.catalog_object_id`)
  const item = world.catalog.get(world.itemOf.get(variation.id)!)!
  const price = money ?? variation.item_variation_data?.price_money
  if (!price)
    invalid(
      'MISSING_REQUIRED_PARAMETER',
      'A variation with variable pricing needs a price.',
      `${path}.base_price_money`,
    )
  return {
    item_type: 'ITEM',
    ...line,
    quantity: String(quantity),
    catalog_object_id: variation.id,
    catalog_version: variation.version,
    name: item.item_data?.name,
    variation_name: variation.item_variation_data?.name,
    base_price_money: price,
    ...(modifiers && { modifiers }),
  }
}

/** A price that is sent overrides that of the catalog. */
function buildModifier(world: World, one: Fields & { uid: string }, path: string): LineModifier {
  const { catalog_object_id: id, base_price_money: price, quantity = '1' } = one as LineModifier
  if (!/^\d+(\.\d{1,5})?$/.test(quantity))
    invalid('INVALID_VALUE', 'quantity must be a non-negative decimal.', `${path}.quantity`)
  if (price && price.currency !== world.currency)
    invalid('INVALID_VALUE', `Currency must be ${world.currency}.`, `${path}.base_price_money.currency`)
  if (id === undefined) {
    if (!one.name) invalid('MISSING_REQUIRED_PARAMETER', 'An ad hoc modifier needs a name.', `${path}.name`)
    if (!price) invalid('MISSING_REQUIRED_PARAMETER', 'An ad hoc modifier needs a price.', `${path}.base_price_money`)
    return { ...one, quantity }
  }
  const modifier = findObject(world, String(id))
  if (modifier?.type !== 'MODIFIER')
    return notFound(`Modifier with catalog object ID \`${String(id)}\` not found.`, `${path}.catalog_object_id`)
  const { name, price_money = { amount: 0, currency: world.currency } } = modifier.modifier_data!
  return { ...one, catalog_version: modifier.version, name, quantity, base_price_money: price ?? price_money }
}

export function checkParts(world: World, order: Fields): void {
  for (const [index, discount] of ((order.discounts as OrderDiscount[] | undefined) ?? []).entries()) {
    if (!discount.name && !discount.catalog_object_id)
      invalid('MISSING_REQUIRED_PARAMETER', 'A discount needs a name.', `order.discounts[${index}].name`)
    if ((discount.percentage === undefined) === (discount.amount_money === undefined))
      invalid('BAD_REQUEST', 'A discount has either a percentage or an amount.', `order.discounts[${index}]`)
    if (discount.amount_money && discount.amount_money.currency !== world.currency)
      invalid('INVALID_VALUE', `Currency must be ${world.currency}.`, `order.discounts[${index}].amount_money.currency`)
  }
  for (const [index, tax] of ((order.taxes as OrderTax[] | undefined) ?? []).entries()) {
    if (tax.percentage === undefined || !/^\d+(\.\d+)?$/.test(tax.percentage))
      invalid('INVALID_VALUE', 'A tax needs a percentage.', `order.taxes[${index}].percentage`)
  }
  for (const [index, charge] of ((order.service_charges as ServiceCharge[] | undefined) ?? []).entries()) {
    const at = `order.service_charges[${index}]`
    if (!charge.name && !charge.catalog_object_id)
      invalid('MISSING_REQUIRED_PARAMETER', 'A service charge needs a name.', `${at}.name`)
    if ((charge.percentage === undefined) === (charge.amount_money === undefined))
      invalid('BAD_REQUEST', 'A service charge has either a percentage or an amount.', at)
    if (charge.calculation_phase === 'TOTAL_PHASE' && charge.taxable)
      invalid('BAD_REQUEST', 'A service charge in the TOTAL_PHASE cannot be taxable.', `${at}.taxable`)
    const phase = charge.calculation_phase ?? ''
    if (phase.startsWith('APPORTIONED') !== (charge.treatment_type === 'APPORTIONED_TREATMENT'))
      invalid('BAD_REQUEST', `Unexpected calculation phase ${phase} for the treatment type.`, `${at}.calculation_phase`)
    if (phase.startsWith('APPORTIONED') && phase.includes('PERCENTAGE') !== (charge.percentage !== undefined))
      invalid('BAD_REQUEST', `Unexpected amount for calculation phase ${phase}.`, at)
  }
  for (const [index, line] of ((order.line_items as LineItem[] | undefined) ?? []).entries()) {
    const known = { discounts: uids(order.discounts), taxes: uids(order.taxes), charges: uids(order.service_charges) }
    for (const { service_charge_uid: uid } of line.applied_service_charges ?? [])
      if (!known.charges.has(uid))
        invalid('INVALID_VALUE', `No service charge with uid \`${uid}\`.`, `order.line_items[${index}]`)
    for (const { discount_uid } of line.applied_discounts ?? [])
      if (!known.discounts.has(discount_uid))
        invalid(
          'INVALID_VALUE',
          `No discount with uid \`${discount_uid}\`.`,
          `order.line_items[${index}].applied_discounts`,
        )
    for (const { tax_uid } of line.applied_taxes ?? [])
      if (!known.taxes.has(tax_uid))
        invalid('INVALID_VALUE', `No tax with uid \`${tax_uid}\`.`, `order.line_items[${index}].applied_taxes`)
  }
  checkFulfillments(order)
  if (order.customer_id && !world.customers.has(String(order.customer_id)))
    notFound(`Customer with ID \`${String(order.customer_id)}\` not found.`, 'order.customer_id')
}

const detailsOf = { PICKUP: 'pickup_details', SHIPMENT: 'shipment_details', DELIVERY: 'delivery_details' } as const
interface Details extends Fields {
  recipient?: { customer_id?: string; display_name?: string }
  schedule_type?: string
}
/** https://developer.squareup.com/docs/orders-api/fulfillments */
function checkFulfillments(order: Fields): void {
  for (const [index, fulfillment] of ((order.fulfillments as Fields[] | undefined) ?? []).entries()) {
    const at = `order.fulfillments[${index}]`
    const name = detailsOf[fulfillment.type as keyof typeof detailsOf]
    const details = (fulfillment[name] ?? undefined) as Details | undefined
    if (!name) invalid('MISSING_REQUIRED_PARAMETER', 'Missing required parameter.', `${at}.type`)
    if (!details) invalid('MISSING_REQUIRED_PARAMETER', 'Missing required parameter.', `${at}.${name}`)
    if (!details?.recipient?.display_name && !details?.recipient?.customer_id)
      invalid('MISSING_REQUIRED_PARAMETER', 'A recipient needs a name.', `${at}.${name}.recipient.display_name`)
    const time = { pickup_details: 'pickup_at', delivery_details: 'deliver_at', shipment_details: undefined }[name]
    if (time && details?.schedule_type !== 'ASAP' && details?.[time] === undefined)
      invalid('MISSING_REQUIRED_PARAMETER', 'A scheduled fulfillment needs a time.', `${at}.${name}.${time}`)
    for (const field of Object.keys(details ?? {}).filter((field) => field.endsWith('_at')))
      timeOf(details?.[field], `${at}.${name}.${field}`)
  }
}
export const fulfillmentTyped = <T extends Fields>(fulfillment: T) => ({ state: 'PROPOSED', ...fulfillment })

const uids = (rows: unknown): Set<string> =>
  new Set(((rows as { uid: string }[] | undefined) ?? []).map(({ uid }) => uid))
export const typed = (discount: OrderDiscount): OrderDiscount => ({
  type: discount.percentage === undefined ? 'FIXED_AMOUNT' : 'FIXED_PERCENTAGE',
  scope: 'ORDER',
  ...discount,
})
export const chargeTyped = (charge: ServiceCharge): ServiceCharge => ({
  calculation_phase: 'SUBTOTAL_PHASE',
  taxable: false,
  type: 'CUSTOM',
  treatment_type: charge.calculation_phase?.startsWith('APPORTIONED') ? 'APPORTIONED_TREATMENT' : 'LINE_ITEM_TREATMENT',
  scope: 'ORDER',
  ...charge,
})
export const taxTyped = (tax: OrderTax): OrderTax => ({ type: 'ADDITIVE', scope: 'ORDER', ...tax })
