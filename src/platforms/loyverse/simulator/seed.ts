// Fills the account with realistic records: three stores, variants, variable prices, goods by weight, refunds, canceled
// receipts, customers with minimal names.
import { articles, categoryNames, fitsCategory } from '../../../sandbox/goods.ts'
import { createSeed, type Seed } from '../../../sandbox/seeds.ts'
import { blankCustomer } from './customers.ts'
import { overridesOf } from './item-writes.ts'
import { type Draft, reckon } from './receipt-totals.ts'
import { blankReceipt, groupedOf, receiptNumber, refundedLine, totalsOf } from './receipts.ts'
import {
  type Item,
  type Line,
  liveStores,
  liveVariants,
  money,
  type PaymentType,
  type Receipt,
  variantName,
  type World,
  wholeSecond,
} from './world.ts'

const amounts = {
  small: { items: 5, receipts: 8, customers: 7, categories: 4 },
  full: { items: 480, receipts: 1300, customers: 420, categories: 24 },
} as const
export const day = 86_400_000
const bahtPerDollar = 35
const iso = wholeSecond
const stamps = (at: number) => ({ created_at: iso(at), updated_at: iso(at), deleted_at: null })

export function seedWorld(world: World, size: 'small' | 'full', seededAt: number): void {
  const seed = createSeed('loyverse')
  const amount = amounts[size]
  const opened = seededAt - 600 * day
  for (const name of ['ตลาดบัว (Old Town)', 'Riverside', 'Airport kiosk'])
    add(world, seed, 'stores', opened, storeOf(name))
  add(world, seed, 'stores', opened, { ...storeOf('Closed corner'), deleted_at: iso(opened + 90 * day) })
  const stores = liveStores(world).map(({ id }) => id)
  for (const [name, type] of Object.entries({ Cash: 'CASH', Card: 'NONINTEGRATEDCARD', 'QR PromptPay': 'OTHER' }))
    add(world, seed, 'paymentTypes', opened, { name, type, stores })
  add(world, seed, 'taxes', opened, { name: 'VAT', type: 'INCLUDED', rate: 7, stores })
  add(world, seed, 'taxes', opened, { name: 'City tax', type: 'ADDED', rate: 1.5, stores })
  seedMoney(world, opened, stores)
  const discount = { discount_amount: null, discount_percent: null, stores, restricted_access: false }
  add(world, seed, 'discounts', opened, { ...discount, name: 'Staff', type: 'FIXED_PERCENT', discount_percent: 10 })
  add(world, seed, 'discounts', opened, { ...discount, name: 'Voucher', type: 'FIXED_AMOUNT', discount_amount: 5 })
  for (const name of ['Online 1', 'Online 2'])
    add(world, seed, 'discounts', opened, { ...discount, name, type: 'VARIABLE_AMOUNT' })
  seedModifiers(world, opened, stores)
  for (const name of categoryNames(articles, amount.categories)) add(world, seed, 'categories', opened, { name })
  for (const name of ['North Roasters', 'Ødegård', 'Müller & Söhne', '京都ワークス'])
    add(world, seed, 'suppliers', opened, { name })
  for (let index = 0; index < amount.items; index += 1)
    seedItem(world, seed, seed.instant(seededAt - 400 * day, seededAt - day), index)
  for (let index = 0; index < amount.customers; index += 1)
    seedCustomer(world, seed, seed.instant(seededAt - 500 * day, seededAt - day), index)
  const everything = forSale(world)
  // Some receipts arrive at the same time, when a POS comes back online.
  const step = (90 * day - 3_600_000) / amount.receipts
  for (let index = 0, at = 0; index < amount.receipts; index += 1) {
    const from = Math.floor(seededAt - 90 * day + index * step)
    if (index === 0 || !seed.chance(0.05)) at = seed.instant(from, from + Math.floor(step))
    seedReceipt(world, seed, at, index, everything)
  }
}
/** A card terminal, and what sales no longer have. Their seed is their own. */
function seedMoney(world: World, at: number, stores: string[]): void {
  const seed = createSeed('loyverse money')
  const gone = { stores: stores.slice(0, 1), deleted_at: iso(at + 90 * day), updated_at: iso(at + 90 * day) }
  add(world, seed, 'paymentTypes', at, { name: 'Terminal', type: 'SUMUP', stores })
  add(world, seed, 'paymentTypes', at, { name: 'Cheque', type: 'CHECK', ...gone })
  add(world, seed, 'taxes', at, { name: 'Old levy', type: 'ADDED', rate: 0.25, ...gone })
}
const currentTaxes = (world: World) => world.taxes.values().slice(0, 2)

/** A group with prices, and one that costs nothing. Their seed is their own. */
function seedModifiers(world: World, at: number, stores: string[]): void {
  const seed = createSeed('loyverse modifiers')
  const groups = { Wrapping: { Ribbon: 2.5, Box: 35.5 }, Sweetness: { Less: 0, None: 0 } }
  for (const [name, options] of Object.entries(groups)) {
    const id = seed.uuid()
    const modifier_options = Object.entries(options).map(([option, price], position) => ({
      id: seed.uuid(),
      name: option,
      price,
      position,
    }))
    world.modifiers.set(id, { id, name, stores, modifier_options, ...stamps(at) })
  }
}
/** The first option of a group on a line. */
function modifierOn(world: World, group: number, quantity: number): Line['line_modifiers'][number] {
  const { id, name, modifier_options } = world.modifiers.values()[group]!
  const [option] = modifier_options
  const { price } = option!
  return {
    id,
    modifier_option_id: option!.id,
    name,
    option: option!.name,
    price,
    money_amount: money(price * quantity),
  }
}
export const storeOf = (name: string) => ({
  name,
  address: '88 Charoen Krung Road',
  city: 'Bangkok',
  region: null,
  postal_code: '10500',
  country_code: 'TH',
  phone_number: '+6621234567',
  description: null,
})
export function add(
  world: World,
  seed: Seed,
  kind: 'stores' | 'paymentTypes' | 'taxes' | 'discounts' | 'categories' | 'suppliers',
  at: number,
  fields: object,
): string {
  const id = seed.uuid()
  world[kind].set(id, { id, ...stamps(at), ...fields } as never)
  return id
}

/** Every fifth item has sizes; one in nine has a variable price, one in eleven is sold by weight. */
export function seedItem(world: World, seed: Seed, at: number, index: number): string[] {
  const id = seed.uuid()
  const categories = world.categories.values()
  const good = seed.article({ categories: categories.map(({ name }) => name), rate: bahtPerDollar })
  const fitting = categories.filter(({ name }) => fitsCategory(name, good.category))
  const sizes = index % 5 === 3 ? ['S', 'M', 'L', 'XL'].slice(0, 2 + (index % 3)) : [null]
  const item: Item = {
    id,
    handle: `item-${index}`,
    reference_id: null,
    item_name: good.name,
    description: seed.chance(0.4) ? seed.note() : seed.chance(0.3) ? `<p><strong>${seed.note()}</strong></p>` : null,
    track_stock: seed.chance(0.7),
    sold_by_weight: index % 11 === 7,
    is_composite: false,
    use_production: false,
    category_id: seed.chance(0.8) && fitting.length > 0 ? seed.pick(fitting).id : null,
    components: [],
    primary_supplier_id: seed.chance(0.4) ? seed.pick(world.suppliers.values()).id : null,
    tax_ids: seed.sample(
      currentTaxes(world).map((tax) => tax.id),
      seed.int(0, 2),
    ),
    modifiers_ids: index % 6 === 1 ? [seed.uuid()] : [],
    form: 'SQUARE',
    color: 'GREY',
    image_url: seed.chance(0.4) ? `https://api.loyverse.com/image/${id}` : null,
    option1_name: sizes[0] === null ? null : 'Size',
    option2_name: null,
    option3_name: null,
    variant_ids: sizes.map(() => seed.uuid()),
    ...stamps(at),
  }
  const { cents } = good
  for (const [place, variant_id] of item.variant_ids.entries()) {
    const type = index % 9 === 5 ? 'VARIABLE' : 'FIXED'
    const price = type === 'FIXED' ? good.sizes[place]! / 100 : null
    const overrides = overridesOf(world, [], type, price).map((store, n) => ({
      ...store,
      ...(n === 1 && price !== null && seed.chance(0.2) && { price: money(price + 10) }),
      available_for_sale: index % 13 !== 9 && seed.chance(0.95),
    }))
    world.variants.set(variant_id, {
      variant_id,
      item_id: id,
      sku: String(world.next('sku')),
      reference_variant_id: null,
      option1_value: sizes[place] ?? null,
      option2_value: null,
      option3_value: null,
      barcode: seed.chance(0.5) ? seed.ean13() : null,
      cost: seed.chance(0.6) ? Math.ceil(cents * 0.4) / 100 : 0,
      purchase_cost: 0,
      default_pricing_type: type,
      default_price: price,
      stores: overrides,
      ...stamps(at),
    })
    for (const { id: store_id } of liveStores(world)) {
      const in_stock = !item.track_stock ? 0 : item.sold_by_weight ? seed.int(0, 90_000) / 1000 : seed.int(-2, 60)
      world.levels.set(`${variant_id}/${store_id}`, { variant_id, store_id, in_stock, updated_at: iso(at) })
    }
  }
  world.items.set(id, item)
  return item.variant_ids
}

export function seedCustomer(world: World, seed: Seed, at: number, index: number): string {
  const id = seed.uuid()
  const { givenName, familyName, email } = seed.person()
  const { line1, line2, city, state, postalCode, country } = seed.address('TH')
  world.customers.set(id, {
    ...blankCustomer,
    id,
    name: index % 11 === 6 ? seed.company() : index % 7 === 5 ? givenName : `${givenName} ${familyName}`,
    email: seed.chance(0.7) ? email.replace('@', `.${id.slice(0, 4)}@`) : null,
    phone_number: seed.chance(0.6) ? seed.phone('TH') : null,
    ...(seed.chance(0.5) && {
      address: line2 ? `${line1}, ${line2}` : line1,
      city,
      region: state,
      postal_code: postalCode,
      country_code: country,
    }),
    customer_code: seed.chance(0.2) ? `C-${world.next('record')}` : null,
    note: seed.chance(0.2) ? seed.note() : null,
    total_visits: seed.int(0, 30),
    total_spent: seed.int(0, 90_000),
    total_points: seed.int(0, 900),
    ...stamps(at),
  })
  return id
}

function seedLine(world: World, seed: Seed, item: Item): Draft {
  const variant = seed.pick(liveVariants(world, item))
  const quantity = item.sold_by_weight ? seed.int(100, 2500) / 1000 : seed.int(1, 3)
  const price = variant.default_price ?? seed.priceOf(item.item_name, bahtPerDollar) / 100
  const extra = seed.chance(0.1) ? [modifierOn(world, 0, quantity)] : []
  return {
    id: seed.uuid(),
    item_id: item.id,
    variant_id: variant.variant_id,
    item_name: item.item_name,
    variant_name: variantName(variant),
    sku: variant.sku,
    quantity,
    price,
    gross_total_money: money(price * quantity + (extra[0]?.money_amount ?? 0)),
    cost: variant.cost,
    cost_total: money(variant.cost * quantity),
    line_note: null,
    line_modifiers: extra,
    taxes: item.tax_ids.map((id) => world.taxes.get(id)!),
    discountIds: [],
  }
}
/** By the number of the receipt: taxes in the price, on top of it, both or none, and modifiers with and without price. */
function asRung(world: World, draft: Draft, index: number, place: number): Draft {
  const taxes = currentTaxes(world)
  const wanted = [taxes.slice(0, 1), taxes.slice(1, 2), draft.taxes, draft.taxes, taxes][index % 5] ?? draft.taxes
  if (index % 8 !== 1 || place > 0) return { ...draft, taxes: wanted }
  const line_modifiers = [modifierOn(world, 0, draft.quantity), modifierOn(world, 1, draft.quantity)]
  const extra = line_modifiers.reduce((sum, { money_amount }) => sum + money_amount, 0)
  return {
    ...draft,
    taxes: wanted,
    line_note: 'A gift',
    line_modifiers,
    gross_total_money: money(draft.price * draft.quantity + extra),
  }
}
/** By the number of the receipt: one payment in cash, by card or at a terminal, or two of different types. */
function paymentsOf(world: World, total: number, at: number, index: number, picked: PaymentType): Receipt['payments'] {
  const [cash, card, , terminal] = world.paymentTypes.values()
  const pay = ({ id, name, type }: PaymentType, money_amount: number): Receipt['payments'][number] => ({
    payment_type_id: id,
    name,
    type,
    money_amount,
    paid_at: iso(at),
    payment_details:
      type === 'SUMUP'
        ? {
            authorization_code: '204801',
            reference_id: `TX-${index}`,
            entry_method: 'chip',
            card_company: 'VISA',
            card_number: '************1881',
          }
        : null,
  })
  if (index % 9 !== 5 && index % 9 !== 7) return [pay(index % 4 === 3 ? terminal! : picked, total)]
  const half = money(total / 2)
  return [pay(cash!, half), pay(card!, money(total - half))]
}
const forSale = (world: World) => ({
  items: world.items.filter(({ deleted_at }) => !deleted_at),
  customers: world.customers.filter(({ deleted_at }) => !deleted_at),
  stores: liveStores(world),
})
/** One in seventeen sales is canceled; of the others one in thirteen is refunded, in full or in part, minutes later. */
export function seedReceipt(
  world: World,
  seed: Seed,
  at: number,
  index: number,
  { items, customers, stores } = forSale(world),
): string {
  const drafts = Array.from({ length: seed.int(1, 4) }, () => seedLine(world, seed, seed.pick(items))).map(
    (draft, place) => asRung(world, draft, index, place),
  )
  const staff = world.discounts.find(({ type }) => type === 'FIXED_PERCENT')!
  const voucher = world.discounts.find(({ type }) => type === 'FIXED_AMOUNT')!
  const reckoned = reckon(drafts, [
    ...(seed.chance(0.2) ? [{ discount: staff, scope: 'RECEIPT' as const, percentage: 10 }] : []),
    ...(index % 6 === 4 ? [{ discount: voucher, scope: 'RECEIPT' as const, amount: 5 }] : []),
  ])
  const sums = totalsOf(reckoned.line_items)
  // Tip and surcharge are parts of the total.
  const tip = index % 5 === 2 ? 25.5 : 0
  const surcharge = index % 7 === 3 ? 12.25 : 0
  const totals = { ...sums, total_money: money(sums.total_money + tip + surcharge) }
  const payment = seed.pick(world.paymentTypes.values().slice(0, 3))
  // Not in the future for a receipt that is added now.
  const canceledAt = Math.min(at + 60_000, Math.max(at, world.now()))
  const receipt: Receipt = {
    ...blankReceipt,
    ...reckoned,
    ...totals,
    tip,
    surcharge,
    dining_option: index % 3 === 0 ? null : index % 3 === 1 ? 'Takeout' : 'Gift desk',
    receipt_number: receiptNumber(world),
    receipt_type: 'SALE',
    source: 'point of sale',
    note: seed.chance(0.15) ? seed.note() : null,
    order: seed.chance(0.3) ? `Ticket ${index}` : null,
    receipt_date: iso(at - seed.int(0, 600) * 1000),
    cancelled_at: index % 17 === 4 ? iso(canceledAt) : null,
    customer_id: seed.chance(0.5) ? seed.pick(customers).id : null,
    store_id: seed.pick(stores).id,
    payments: paymentsOf(world, totals.total_money, at, index, payment),
    ...stamps(at),
    updated_at: iso(index % 17 === 4 ? canceledAt : at),
  }
  world.receipts.set(receipt.receipt_number, receipt)
  if (index % 13 === 6) {
    const lines = seed.chance(0.5) ? receipt.line_items : receipt.line_items.slice(0, 1)
    const refundedAt = Math.min(at + 300_000, Math.max(at, world.now()))
    if (receipt.cancelled_at === null) seedRefund(world, receipt, refundedAt, lines, index % 4 === 1)
  }
  return receipt.receipt_number
}
/** A tip and a surcharge go back with all goods. */
function seedRefund(world: World, sale: Receipt, at: number, lines: readonly Line[], isCanceled: boolean): string {
  const receipt_number = receiptNumber(world)
  const seed = createSeed(`loyverse refund ${receipt_number}`)
  const line_items = lines.map((line) => ({ ...refundedLine(line, line.quantity), id: seed.uuid() }))
  const { tip, surcharge } = lines.length === sale.line_items.length ? sale : blankReceipt
  const totals = totalsOf(line_items)
  const total_money = money(totals.total_money + tip + surcharge)
  // In proportion to what was paid; the last payment gets the rest.
  const shares = sale.payments.map(({ money_amount }) => money((money_amount * total_money) / (sale.total_money || 1)))
  const rest = money(total_money - shares.slice(0, -1).reduce((sum, share) => sum + share, 0))
  world.receipts.set(receipt_number, {
    ...sale,
    ...totals,
    ...groupedOf(line_items),
    receipt_number,
    receipt_type: 'REFUND',
    refund_for: sale.receipt_number,
    total_money,
    tip,
    surcharge,
    line_items,
    payments: sale.payments.map((payment, place) => ({
      ...payment,
      money_amount: place === shares.length - 1 ? rest : shares[place]!,
      paid_at: iso(at),
    })),
    ...stamps(at),
    receipt_date: iso(at),
    cancelled_at: isCanceled ? iso(at) : null,
  })
  return receipt_number
}
/** A sale and the receipt of its refund, whose number is returned. */
export function seedRefunded(world: World, seed: Seed, at: number, index: number): string {
  const sale = world.receipts.get(seedReceipt(world, seed, at, 0))!
  const lines = index % 2 === 0 ? sale.line_items : sale.line_items.slice(0, 1)
  return seedRefund(world, sale, at, lines, index % 4 === 3)
}
