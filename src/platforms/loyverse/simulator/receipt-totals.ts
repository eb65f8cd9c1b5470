// How Loyverse calculates a receipt: gross with modifiers, minus discounts, plus the taxes that are added. Money is in
// major units, rounded to cents.
import type { Fields } from '../../../sandbox/http.ts'
import { invalid, refuse, required, unknown } from './wire.ts'
import { type Discount, type Line, money, type Tax, variantName, type World } from './world.ts'

export interface Applied {
  discount: Discount
  scope: 'RECEIPT' | 'LINE_ITEM'
  percentage?: number
  amount?: number
}
export function appliedDiscounts(world: World, given: readonly Fields[], storeId: string): Applied[] {
  return given.map((fields, index) => {
    const at = `total_discounts[${index}]`
    const discount = world.discounts.get((fields.id as string | null) ?? '')
    if (!discount || discount.deleted_at || !discount.stores.includes(storeId)) return unknown(`${at}.id`)
    const variable = {
      percentage: discount.type === 'VARIABLE_PERCENT',
      money_amount: discount.type === 'VARIABLE_AMOUNT' || discount.type === 'DISCOUNT_BY_POINTS',
    }
    for (const name of ['percentage', 'money_amount'] as const) {
      if (variable[name] && typeof fields[name] !== 'number')
        refuse(400, 'MISSING_REQUIRED_PARAMETER', `Parameter ${name} is required`, `${at}.${name}`)
      if (!variable[name] && fields[name] !== null)
        invalid(`${at}.${name}`, `A discount of type ${discount.type} has its own value`)
    }
    return {
      discount,
      scope: fields.scope === 'LINE_ITEM' ? 'LINE_ITEM' : 'RECEIPT',
      percentage: (fields.percentage as number | null) ?? discount.discount_percent ?? undefined,
      amount: (fields.money_amount as number | null) ?? discount.discount_amount ?? undefined,
    }
  })
}
const lineTax = ({ id, type, name, rate }: Tax, net: number) => ({
  id,
  type,
  name,
  rate,
  money_amount: money(type === 'ADDED' ? (net * rate) / 100 : net - net / (1 + rate / 100)),
})

export type Draft = Omit<Line, 'total_money' | 'total_discount' | 'line_discounts' | 'line_taxes'> & {
  taxes: Tax[]
  discountIds: string[]
}

/** The price of an option may be another one on this line. */
function modifierOf(world: World, { modifier_option_id, price }: Fields, quantity: number, at: string) {
  for (const { id, name, modifier_options, deleted_at } of world.modifiers.values()) {
    const option = deleted_at ? undefined : modifier_options.find((one) => one.id === modifier_option_id)
    if (!option) continue
    const each = (price as number | null) ?? option.price
    return {
      id,
      modifier_option_id: option.id,
      name,
      option: option.name,
      price: each,
      money_amount: money(each * quantity),
    }
  }
  return unknown(`${at}.modifier_option_id`)
}

export function draftLine(world: World, fields: Fields, index: number, storeId: string): Draft {
  const at = `line_items[${index}]`
  required(fields, 'variant_id', 'quantity')
  const variant = world.variants.get(fields.variant_id as string)
  if (!variant || variant.deleted_at) return unknown(`${at}.variant_id`)
  const item = world.items.get(variant.item_id)!
  const quantity = fields.quantity as number
  if (quantity <= 0) invalid(`${at}.quantity`, 'The quantity must be positive')
  if (!Number.isInteger(quantity) && !item.sold_by_weight) invalid(`${at}.quantity`, 'The item is not sold by weight')
  const price =
    (fields.price as number | null) ?? variant.stores.find(({ store_id }) => store_id === storeId)?.price ?? 0
  if (price < 0 || money(price) !== price) invalid(`${at}.price`, 'The value is not an amount of money')
  const cost = (fields.cost as number | null) ?? variant.cost
  const taxes = ((fields.line_taxes as Fields[] | null) ?? []).map(({ id }) => {
    const tax = world.taxes.get((id as string | null) ?? '')
    return tax && !tax.deleted_at && tax.stores.includes(storeId) ? tax : unknown(`${at}.line_taxes`)
  })
  const line_modifiers = ((fields.line_modifiers as Fields[] | null) ?? []).map((given) =>
    modifierOf(world, given, quantity, `${at}.line_modifiers`),
  )
  const extra = line_modifiers.reduce((sum, { money_amount }) => sum + money_amount, 0)
  return {
    id: world.uuid(),
    item_id: item.id,
    variant_id: variant.variant_id,
    item_name: item.item_name,
    variant_name: variantName(variant),
    sku: variant.sku,
    quantity,
    price,
    gross_total_money: money(price * quantity + extra),
    cost,
    cost_total: money(cost * quantity),
    line_note: fields.line_note as string | null,
    line_modifiers,
    taxes,
    discountIds: ((fields.line_discounts as Fields[] | null) ?? []).map(({ id }) => id as string),
  }
}
/** An amount is distributed over its lines in proportion to what remains of each; the last line gets the rest. */
export function reckon(
  drafts: readonly Draft[],
  applied: readonly Applied[],
): { line_items: Line[]; total_discounts: object[]; total_taxes: object[] } {
  const left = drafts.map(({ gross_total_money }) => gross_total_money)
  const discounts: Line['line_discounts'][] = drafts.map(() => [])
  for (const { discount, scope, percentage, amount = 0 } of applied) {
    const touched = drafts
      .map((_, index) => index)
      .filter((index) => scope === 'RECEIPT' || drafts[index]!.discountIds.includes(discount.id))
    const base = touched.reduce((sum, index) => sum + left[index]!, 0)
    let rest = money(Math.min(amount, base))
    for (const [place, index] of touched.entries()) {
      const share =
        percentage !== undefined
          ? (left[index]! * percentage) / 100
          : place === touched.length - 1
            ? rest
            : (amount * left[index]!) / (base || 1)
      const money_amount = Math.min(left[index]!, money(share))
      rest = money(rest - money_amount)
      left[index] = money(left[index]! - money_amount)
      discounts[index]!.push({
        id: discount.id,
        type: discount.type,
        name: discount.name,
        ...(percentage !== undefined && { percentage }),
        money_amount,
      })
    }
  }
  const line_items = drafts.map(({ taxes, discountIds: _, ...line }, index): Line => {
    const line_taxes = taxes.map((tax) => lineTax(tax, left[index]!))
    const added = line_taxes
      .filter(({ type }) => type === 'ADDED')
      .reduce((sum, { money_amount }) => sum + money_amount, 0)
    const total_discount = money(line.gross_total_money - left[index]!)
    return {
      ...line,
      line_taxes,
      total_discount,
      line_discounts: discounts[index]!,
      total_money: money(left[index]! + added),
    }
  })
  return {
    line_items,
    total_discounts: summed(line_items.flatMap(({ line_discounts }) => line_discounts)),
    total_taxes: summed(line_items.flatMap(({ line_taxes }) => line_taxes)),
  }
}
export function summed<T extends { id: string; money_amount: number }>(parts: readonly T[]): T[] {
  const sums = new Map<string, T>()
  for (const part of parts)
    sums.set(part.id, { ...part, money_amount: money((sums.get(part.id)?.money_amount ?? 0) + part.money_amount) })
  return [...sums.values()]
}
