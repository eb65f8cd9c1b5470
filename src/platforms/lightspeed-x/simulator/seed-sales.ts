// Sales as tills make them: discounts as lines, fees, tips, cash rounding, gift cards, deposits, returns, exchanges.
import type { Seed } from '../../../sandbox/seeds.ts'
import { ids } from './ids.ts'
import { centsOf, five, paid, sumOf, times } from './money.ts'
import { nextInvoice, startReturn } from './sale-writes.ts'
import { dueOf } from './sales.ts'
import { defaultTax, type Product, rateOf, type Sale, type SaleLine, type SalePayment, type World } from './world.ts'

const [cash, card, , giftCard, rounding] = ids.paymentTypes
export const sellable = (world: World): Product[] => world.products.filter((product) => product.deleted === undefined)

/** A price that contains the tax, in the two amounts that a sale has. */
function withoutTax(amount: number, rate: number): { price: number; tax: number } {
  const price = five(amount / (1 + rate))
  return { price, tax: sumOf([amount, -price]) }
}
function lineOf(world: World, seed: Seed, product: Product, sequence: number): SaleLine {
  const tax = product.tax === undefined ? defaultTax(world) : world.taxes.get(product.tax)!
  const rate = rateOf(tax)
  const discount = seed.chance(0.2) ? paid(centsOf(product.price * 0.1)) : 0
  const { price, tax: amount } = withoutTax(sumOf([product.price, -discount]), rate)
  return {
    id: seed.uuid(),
    product: product.id,
    quantity: seed.chance(0.1) ? seed.pick([0.5, 0.335]) : seed.int(1, 3),
    price,
    discount: withoutTax(discount, rate).price,
    cost: product.cost,
    loyalty: 0,
    tax: { id: tax.id, amount },
    status: 'SAVED',
    note: seed.chance(0.1) ? seed.note() : null,
    salesperson: null,
    sequence,
    override: false,
    isReturn: false,
    giftCard: null,
  }
}

interface Draft {
  sale: Sale
  seed: Seed
  world: World
}
const goods = ({ sale }: Draft): number =>
  paid(
    sale.lines.reduce((sum, { quantity, price, tax }) => sum + centsOf(times(quantity, sumOf([price, tax.amount]))), 0),
  )
const statusOf = (state: string) => (state === 'voided' ? 'VOIDED' : state === 'closed' ? 'CONFIRMED' : 'SAVED')
const payment = ({ sale, seed }: Draft, type: string, cents: number, more: Partial<SalePayment> = {}): SalePayment => ({
  id: seed.uuid(),
  amount: paid(cents),
  date: sale.date,
  type,
  register: sale.register,
  ...(type === card && { card: String(seed.int(1000, 9999)) }),
  ...more,
})
const due = ({ sale }: Draft): number => centsOf(dueOf(sale))

/** Ways to pay; those without a name of their own pay all at once. */
const pay = {
  atOnce(draft: Draft): SalePayment[] {
    return due(draft) === 0 ? [] : [payment(draft, draft.seed.pick([cash, card]), due(draft))]
  },
  /** Coins of ten cents are the smallest. */
  rounded(draft: Draft): SalePayment[] {
    const amount = Math.round(due(draft) / 10) * 10
    const rest = due(draft) - amount
    return [payment(draft, cash, amount), ...(rest === 0 ? [] : [payment(draft, rounding, rest)])]
  },
  withChange(draft: Draft): SalePayment[] {
    const given = (Math.floor(due(draft) / 2000) + 1) * 2000
    return [payment(draft, cash, given), payment(draft, cash, due(draft) - given)]
  },
  split(draft: Draft): SalePayment[] {
    const part = Math.floor(due(draft) / 3)
    // One was taken back before the sale was closed.
    const removed = payment(draft, cash, part, { deleted: draft.sale.date })
    return [removed, payment(draft, giftCard, part), payment(draft, card, due(draft) - part)]
  },
  deposit(draft: Draft): SalePayment[] {
    return [payment(draft, cash, Math.floor(due(draft) / 5))]
  },
  later: (): SalePayment[] => [],
}

interface Kind {
  state?: string
  attributes?: string[]
  change?(draft: Draft): void
  pay?(draft: Draft): SalePayment[]
  after?(world: World, sale: Sale, seed: Seed): void
}
/** Taxed as the goods are. */
function discountLine({ sale, seed, world }: Draft, amount: number): SaleLine {
  const tax = sale.lines.find((line) => line.tax.amount !== 0)?.tax.id ?? world.noTax
  const { price, tax: unitTax } = withoutTax(amount, rateOf(world.taxes.get(tax)))
  const shared = { cost: 0, loyalty: 0, discount: 0, note: null, salesperson: null, isReturn: false, giftCard: null }
  const rest = { status: 'SAVED', sequence: sale.lines.length, override: true }
  return {
    ...shared,
    ...rest,
    id: seed.uuid(),
    product: world.discountProduct,
    quantity: -1,
    price,
    tax: { id: tax, amount: unitTax },
  }
}
const retax = (draft: Draft, tax: string): void => {
  const rate = rateOf(draft.world.taxes.get(tax))
  draft.sale.lines = draft.sale.lines.map((line) => {
    const unit = withoutTax(sumOf([line.price, line.tax.amount]), rate)
    return { ...line, price: unit.price, tax: { id: tax, amount: unit.tax } }
  })
}
/** Fees are a part of what the goods cost. */
function fee({ sale, world }: Draft, type: 'SURCHARGE' | 'NON_CASH_FEE', name: string, amount: number): void {
  const { price, tax } = withoutTax(amount, rateOf(defaultTax(world)))
  sale.adjustments.push({ type, name, total: price, tax })
}
const closedReturn = (world: World, sold: Sale, at: number, change: (sale: Sale) => Sale, uuid: () => string): Sale => {
  const begun = change(startReturn(world, sold))
  const cents = centsOf(dueOf(begun))
  const [own] = sold.payments.filter(({ deleted }) => deleted === undefined)
  const back = { id: uuid(), amount: paid(cents), date: at, type: own?.type ?? cash, register: sold.register }
  return world.sales.set(begun.id, {
    ...begun,
    date: at,
    state: 'closed',
    lines: begun.lines.map((line) => ({ ...line, status: 'CONFIRMED' })),
    payments: cents === 0 ? [] : [{ ...back, ...(own?.card && { card: own.card }) }],
  })
}
const hour = 3_600_000
const later = (world: World, { date }: Sale, seed: Seed): number =>
  Math.max(date, Math.min(date + seed.int(1, 9) * hour, world.now()))
const firstOf = ({ lines }: Sale): SaleLine[] => lines.filter(({ sequence }) => sequence === 0)

const kinds: Readonly<Record<string, Kind>> = {
  plain: {},
  'discounted as a whole': {
    change: (draft) =>
      void draft.sale.lines.push(discountLine(draft, paid(centsOf(goods(draft) * draft.seed.pick([0.1, 0.25, 0.5]))))),
  },
  parked: { state: 'parked', pay: pay.later },
  'rounded in cash': { pay: pay.rounded },
  'on account': { state: 'pending', attributes: ['onaccount'], pay: pay.later },
  voided: { state: 'voided', pay: pay.later },
  'with two taxes': { change: (draft) => retax(draft, ids.taxes.group) },
  'with a surcharge': {
    change: (draft) => fee(draft, 'SURCHARGE', 'Card surcharge', paid(centsOf(goods(draft) * 0.015) + 1)),
    pay(draft) {
      const { total, tax } = draft.sale.adjustments[0]!
      return [payment(draft, card, due(draft), { surcharge: { amount: sumOf([total, tax]), rule: '1.5%' } })]
    },
  },
  'with a tip': {
    change: ({ sale, seed }) => void sale.adjustments.push({ type: 'TIP', name: 'Tip', total: seed.int(1, 9), tax: 0 }),
    pay: (draft) => [payment(draft, card, due(draft))],
  },
  'with a fee': { change: (draft) => fee(draft, 'NON_CASH_FEE', 'Non-cash fee', 0.5) },
  'reduced by an adjustment': {
    change: ({ sale }) => void sale.adjustments.push({ type: 'DISCOUNT', name: 'Staff', total: -0.4, tax: -0.06 }),
  },
  'of a gift card': {
    change({ sale, seed, world }) {
      const [line] = sale.lines
      const price = seed.pick([20, 50, 100])
      const sold = { quantity: 1, price, discount: 0, tax: { id: world.noTax, amount: 0 } }
      sale.lines = [{ ...line!, ...sold, giftCard: String(seed.int(10_000_000, 99_999_999)) }, ...sale.lines.slice(1)]
    },
  },
  'paid in parts': { pay: pay.split },
  'paid with change': { pay: pay.withChange },
  'a layby with a deposit': { state: 'pending', attributes: ['layby'], pay: pay.deposit },
  'a layby that is paid': { attributes: ['layby'] },
  'to be picked up': { state: 'pending', attributes: ['pickup'] },
  'of a web shop': {
    attributes: ['delivery'],
    change({ sale, world }) {
      const { price, tax } = withoutTax(10, rateOf(defaultTax(world)))
      sale.source = { id: `EC-${sale.shortCode}`, type: 'Ecwid' }
      sale.charges.push({ source: 'dcq0jek', name: 'Gift Wrapping', total: price, tax })
    },
    pay: (draft) => [payment(draft, card, due(draft))],
  },
  'edited before it was paid': {
    change({ sale, seed }) {
      const [line] = sale.lines
      sale.lines.push({ ...line!, id: seed.uuid(), sequence: sale.lines.length, status: 'VOIDED' })
    },
  },
  'given away': {
    change({ sale }) {
      sale.lines = sale.lines.map((line) => ({
        ...line,
        price: 0,
        discount: sumOf([line.price, line.discount]),
        tax: { ...line.tax, amount: 0 },
      }))
    },
  },
  'returned in part': {
    change({ sale }) {
      sale.lines[0]!.quantity = 2
    },
    after: (world, sale, seed) =>
      void closedReturn(
        world,
        sale,
        later(world, sale, seed),
        (begun) => ({ ...begun, lines: firstOf(begun).map((line) => ({ ...line, quantity: -1 })) }),
        seed.uuid,
      ),
  },
  'returned with its discount': {
    change: (draft) => void draft.sale.lines.push(discountLine(draft, paid(centsOf(goods(draft) * 0.2)))),
    after: (world, sale, seed) => void closedReturn(world, sale, later(world, sale, seed), (begun) => begun, seed.uuid),
  },
  'with a return that was begun': {
    after(world, sale) {
      startReturn(world, sale) // this one is voided by the next
      startReturn(world, sale)
    },
  },
  exchanged: {
    after(world, sale, seed) {
      const bought = lineOf(world, seed, seed.pick(sellable(world)), 9)
      closedReturn(
        world,
        sale,
        later(world, sale, seed),
        (begun) => ({ ...begun, lines: [...firstOf(begun), bought] }),
        seed.uuid,
      )
    },
  },
  'besides a return without a receipt': {
    after: (world, sale, seed) =>
      void closedReturn(
        world,
        sale,
        later(world, sale, seed),
        (begun) => ({ ...begun, original: null, lines: firstOf(begun) }),
        seed.uuid,
      ),
  },
}
export const kindNames = Object.keys(kinds)

export function seedSale(world: World, seed: Seed, at: number, index: number, products = sellable(world)): string {
  const {
    state = 'closed',
    attributes = [],
    change,
    pay: paying = pay.atOnce,
    after,
  } = kinds[kindNames[index % kindNames.length]!] as Kind
  const register = seed.pick(world.registers.values())
  const customers = world.customers.ids()
  const id = seed.uuid()
  const lines = Array.from({ length: seed.int(1, 4) }, (_, n) => lineOf(world, seed, seed.pick(products), n))
  const sale: Sale = {
    id,
    date: at,
    state,
    attributes,
    customer: seed.chance(0.7) ? seed.pick(customers) : null,
    invoice: nextInvoice(world, register.id),
    shortCode: seed.id('abcdefghijklmnopqrstuvwxyz0123456789', 6),
    note: seed.chance(0.2) ? seed.note() : '',
    author: seed.pick(ids.users),
    register: register.id,
    outlet: register.outlet,
    source: { id: null, type: 'USER' },
    isReturn: false,
    original: null,
    lines,
    adjustments: [],
    charges: [],
    payments: [],
    created: at,
    updated: at,
    version: world.version(),
  }
  const draft = { sale, seed, world }
  change?.(draft)
  sale.lines = sale.lines.map((line) => ({ ...line, status: line.status === 'VOIDED' ? 'VOIDED' : statusOf(state) }))
  sale.payments = paying(draft)
  if (index % 9 === 2) sale.lines.reverse() // not in the order of the receipt
  world.sales.set(id, sale)
  after?.(world, sale, seed)
  return id
}
/** A sale that is returned in part; the id of the return. */
export function seedReturn(world: World, seed: Seed, at: number): string {
  const sold = seedSale(world, seed, at, kindNames.indexOf('returned in part'))
  return world.sales.find(({ original }) => original === sold)!.id
}
