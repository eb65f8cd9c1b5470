// What happens at a register: each kind of account with what belongs to it, such as a sale and its refund.
import type { Seed } from '../../../sandbox/seeds.ts'
import { centsOf, costOf, dueOf, sum } from './amounts.ts'
import { nextAccountId } from './delivery.ts'
import { productModifiers, taxes } from './menu.ts'
import type { Account, Item, Line, Payment, SaleType, Tax, World } from './world.ts'

const minute = 60_000
interface Till {
  world: World
  seed: Seed
  at: number // when the account is closed
}
type LineChanges = Partial<Line>

function lineOf({ world, at }: Till, item: Item, changes: LineChanges = {}): Line {
  return {
    id: `S65315.${world.serial('line')}`,
    parentLineId: null,
    sku: item.sku,
    name: item.name,
    nameOverride: null,
    instructions: [],
    quantity: 1000,
    unit: Math.round(item.prices[0]!.amount * 100),
    discount: 0,
    accountDiscount: 0,
    chargePpm: 0,
    taxes: [taxes.vat20],
    accountingGroupId: item.accountingGroupId,
    cost: item.costPrice === null ? null : Math.round(item.costPrice * 100),
    at,
    staffId: 14_001,
    voidReason: null,
    ...changes,
  }
}
const anyItem = ({ world, seed }: Till): Item => seed.pick(world.items.values())
/** Each with a price, so that shares of it are amounts. */
const items = (till: Till, count: number, changes: LineChanges = {}): Line[] =>
  Array.from({ length: count }, () => lineOf(till, anyItem(till), changes))
/** A product modifier is a line of its own. */
function modifierOf({ world }: Till, parent: Line, sku: (typeof productModifiers)[number]['sku'], count = 1): Line {
  const { name, unit } = productModifiers.find((modifier) => modifier.sku === sku)!
  const quantity = count * parent.quantity
  const own = { id: `S65315.${world.serial('line')}`, parentLineId: parent.id, sku, name, unit, quantity }
  return { ...parent, ...own, nameOverride: null, instructions: [], discount: 0, accountDiscount: 0, cost: null }
}
/** The opposite of lines: what a refund, a void or a transfer books. */
function reversed({ world, at }: Till, lines: readonly Line[], voidReason: string | null = null): Line[] {
  const ids = new Map(lines.map(({ id }) => [id, `S65315.${world.serial('line')}`]))
  return lines.map((line) => ({
    ...line,
    id: ids.get(line.id)!,
    parentLineId: line.parentLineId === null ? null : (ids.get(line.parentLineId) ?? null),
    quantity: -line.quantity,
    discount: -line.discount,
    accountDiscount: -line.accountDiscount,
    at,
    voidReason,
  }))
}
const copied = (till: Till, lines: readonly Line[]): Line[] => reversed(till, reversed(till, lines))

function paid({ world, seed, at }: Till, amount: number, changes: Partial<Payment> = {}): Payment {
  return {
    fiscId: `T72691.${world.serial('payment')}`,
    uuid: seed.uuid(),
    code: 'CASH',
    amount,
    tip: 0,
    surcharge: 0,
    rounding: 0,
    at,
    reference: null,
    consumer: null,
    ...changes,
  }
}
/** A closed account, paid in one amount unless payments are given. */
function book(till: Till, lines: readonly Line[], changes: Partial<Account> = {}): Account {
  const { world, seed, at } = till
  const id = nextAccountId(world)
  return world.accounts.set(id, {
    id,
    uuid: seed.uuid(),
    name: seed.chance(0.4) ? `ORDER ${seed.id('ABCDEFGHJKLM', 4)}` : null,
    type: 'SALE',
    cancelled: false,
    initial: id,
    openedAt: at - seed.int(5, 120) * minute,
    closedAt: at,
    receiptId: `R65315.${world.serial('receipt')}`,
    references: seed.chance(0.1) ? [`ref-${seed.id('0123456789abcdef', 12)}`] : [],
    table: seed.chance(0.7) ? seed.int(1, 40) : null,
    covers: seed.int(1, 8),
    profile: null,
    staffId: 14_001,
    lines,
    payments: changes.payments ?? [
      paid(till, dueOf({ lines }), {
        code: seed.pick(['CASH', 'VISA', 'VISA', 'GIFTCARD', 'INVOICE']),
        consumer: consumerOf(world, seed),
      }),
    ],
    voidReason: null,
    ...changes,
  })
}
function consumerOf(world: World, seed: Seed): Payment['consumer'] {
  if (!seed.chance(0.4)) return null
  const person = seed.person()
  return {
    id: seed.uuid(),
    customerId: 120_000 + world.serial('consumer'),
    firstName: person.givenName,
    lastName: seed.chance(0.8) ? person.familyName : null,
    email: seed.chance(0.7) ? person.email : null,
    phoneNumber1: seed.chance(0.5) ? seed.phone('GB') : null,
    companyName: seed.chance(0.1) ? seed.company() : null,
    addressLine1: null,
    zipCode: null,
    city: null,
  }
}
/** A sale that corrects another one, later but not in the future. */
function follow(till: Till, of: Account, type: SaleType, lines: readonly Line[], changes: Partial<Account> = {}) {
  const { world } = till
  const at = Math.min(till.at + 30 * minute, world.now())
  return book({ ...till, at }, lines, {
    type,
    initial: of.initial,
    previous: of.id,
    openedAt: at,
    references: [],
    table: of.table,
    covers: 0,
    profile: of.profile,
    ...changes,
  })
}

/** Plain goods: some by weight, some discounted, some with a second tax. */
function goods(till: Till): Line[] {
  const { seed } = till
  return Array.from({ length: seed.int(1, 4) }, () => {
    const item = anyItem(till)
    const unit = Math.round(item.prices[0]!.amount * 100)
    return lineOf(till, item, {
      nameOverride: seed.chance(0.05) ? `${item.name} extra` : null,
      quantity: seed.chance(0.05) ? 250 * seed.int(1, 9) : 1000 * seed.int(1, 4),
      discount: seed.chance(0.1) ? Math.min(Math.floor(unit / 4), 100) : 0,
      taxes: seed.pick<readonly Tax[]>([[taxes.vat20], [taxes.vat20], [taxes.vat5], [taxes.vat20, taxes.levy]]),
    })
  })
}
function withModifiers(till: Till): Line[] {
  const { seed } = till
  const [first, second] = items(till, 2, { quantity: 1000 * seed.int(1, 3) }) as [Line, Line]
  const burger = { ...first, instructions: ['Rare'] }
  const cheese = modifierOf(till, burger, 'MOD-CHEESE', seed.int(1, 2))
  return [
    burger,
    cheese,
    modifierOf(till, cheese, 'MOD-TRUFFLE'),
    second,
    modifierOf(till, second, 'MOD-OAT'),
    modifierOf(till, second, 'MOD-HOT'),
  ]
}
const charged = { chargePpm: 125_000 } as const
const onTop = { chargePpm: 100_000, taxes: [taxes.vatOnTop, taxes.city] as readonly Tax[] }
/** A tenth of each price is taken off by a discount on the account. */
const discounted = (lines: readonly Line[]): Line[] =>
  lines.map((line) => ({ ...line, accountDiscount: Math.floor((line.unit * line.quantity) / 10_000) }))

type Story = (till: Till) => Account
const kinds = {
  plain: (till) => book(till, goods(till)),
  modifiers: (till) => book(till, withModifiers(till)),
  serviceCharge: (till) => book(till, discounted(items(till, till.seed.int(2, 4), charged))),
  /** The order profile has prices without taxes. */
  taxesOnTop: (till) =>
    book(till, items(till, till.seed.int(2, 4), { ...onTop, quantity: 250 * till.seed.int(3, 9) }), {
      profile: 'EVENT',
    }),
  mixedTaxes: (till) => book(till, [...items(till, 1), ...items(till, 1, { taxes: [taxes.vat20, taxes.city] })]),
  /** One of three is taken off the check, and a whole line with its modifier. */
  voidedLines(till) {
    const [kept, dropped] = items(till, 2, { quantity: 3000 }) as [Line, Line]
    const all = [kept, dropped, modifierOf(till, dropped, 'MOD-OAT')]
    const oneLess = reversed(till, [{ ...kept, quantity: 1000 }], 'User Mistake')
    return book(till, [...all, ...oneLess, ...reversed(till, all.slice(1), 'Unhappy Client')])
  },
  /** Half of the check moves to an account of its own: what moved is a transfer, both halves are sales. */
  splitCheck(till) {
    const [left, moved] = [items(till, 2, charged), items(till, 1, charged)]
    const first = book(till, left)
    follow(till, first, 'SPLIT', reversed(till, moved), { payments: [] })
    follow(till, first, 'SALE', copied(till, moved), { covers: 1 })
    return first
  },
  /** Two pence are taken off. */
  cashRounding(till) {
    const [first, second] = items(till, 2) as [Line, Line]
    const lines = [{ ...first, discount: (dueOf({ lines: [first, second] }) + 3) % 5 }, second]
    const due = dueOf({ lines })
    const amount = Math.round(due / 5) * 5
    return book(till, lines, { payments: [paid(till, amount, { rounding: amount - due })] })
  },
  /** Part in cash; the rest by card, with a tip and a surcharge. The table is closed later. */
  tippedCard(till) {
    const lines = items(till, 3)
    const due = dueOf({ lines })
    const card = Math.ceil(due / 2)
    const before = { ...till, at: till.at - 10 * minute }
    return book(till, lines, {
      payments: [
        paid(before, due - card),
        paid(before, card, { code: 'VISA', tip: 250, surcharge: Math.floor(card / 100) }),
      ],
    })
  },
  /** One line of it, and later one unit of another. */
  refundedLines(till) {
    const lines = discounted(items(till, 2, { quantity: 2000 }))
    const sale = book(till, lines)
    const back = reversed(till, lines.slice(0, 1), 'Cooking')
    const first = follow(till, sale, 'REFUND', back, { voidReason: 'Cooking' })
    const share = { quantity: 1000, accountDiscount: Math.floor(lines[1]!.accountDiscount / 2) }
    follow(till, first, 'REFUND', reversed(till, [{ ...lines[1]!, ...share }], 'Taste'), { voidReason: 'Taste' })
    return sale
  },
  /** Refunded and opened again, as "Refund and reopen" does. */
  refundedAndReopened(till) {
    const lines = items(till, 2, { ...onTop })
    const sale = book(till, lines, { profile: 'EVENT' })
    const back = follow(till, sale, 'REFUND', reversed(till, lines))
    follow(till, back, 'SALE', copied(till, lines), { covers: sale.covers })
    return sale
  },
  voided(till) {
    const lines = items(till, 1)
    const sale = book(till, lines)
    follow(till, sale, 'VOID', reversed(till, lines, 'User Mistake'), { voidReason: 'User Mistake' })
    return sale
  },
  /** Still open when the day ended: the old day books it negatively, and the new one has the sale. */
  carriedOver(till) {
    const lines = goods(till)
    const id = nextAccountId(till.world)
    const before = { ...till, at: till.at - 60 * minute }
    book(before, reversed(before, lines), { id, initial: id, type: 'TRANSITORY', payments: [] })
    return book(till, lines, { initial: id, previous: id })
  },
  /** Paid by card, not in cash: the back office reverts the account and creates it again. */
  paymentCorrected(till) {
    const lines = items(till, 1)
    const due = dueOf({ lines })
    const sale = book(till, lines, { payments: [paid(till, due)] })
    const back = follow(till, sale, 'UPDATE', reversed(till, lines), { payments: [paid(till, -due)] })
    follow(till, back, 'UPDATE', copied(till, lines), { payments: [paid(till, due, { code: 'VISA' })] })
    return sale
  },
  /** Moved to another table, which pays for it. */
  transferred(till) {
    const lines = goods(till)
    const sale = book(till, lines)
    follow(till, sale, 'TRANSFER', reversed(till, lines.slice(0, 1)), { payments: [] })
    return sale
  },
  canceled: (till) => book(till, goods(till), { type: 'CANCEL', cancelled: true, payments: [] }),
} as const satisfies Record<string, Story>
export type StoryKind = keyof typeof kinds
export const storyKinds = Object.keys(kinds) as StoryKind[]

/** The id of the order. */
export const tell = (kind: StoryKind, till: Till): string => kinds[kind](till).id
/** A voucher is worth more than the check, and no change is given: payments and lines do not match. */
export function overpaid(till: Till): string {
  const lines = items(till, 3)
  return book(till, lines, { payments: [paid(till, dueOf({ lines }) + 35, { code: 'VOUCHER' })] }).id
}
/** Open checks of all kinds that a register has. */
export function openCheck(till: Till, kind: number): string {
  const lines = [
    goods,
    withModifiers,
    () => discounted(items(till, 2, charged)),
    () => items(till, 2, onTop),
    () => [...items(till, 1), ...items(till, 1, { taxes: [taxes.vat20, taxes.city] })],
  ]
  const made = lines[kind % lines.length]!(till)
  const part = centsOf(Math.floor(sum(made.map(costOf)) / 2))
  const { closedAt: _, ...open } = book(till, made, {
    receiptId: null,
    payments: kind % 7 === 3 ? [paid(till, part, { code: 'GIFTCARD' })] : [],
  })
  till.world.accounts.set(open.id, open)
  return open.id
}
/** Change put into the drawer: a sale without lines, which is not an order. */
export const float = (till: Till): string =>
  book(till, [], { type: 'FLOAT', receiptId: null, covers: 0, table: null, payments: [] }).id

const notOrders: readonly SaleType[] = [
  'REFUND',
  'VOID',
  'RECALL',
  'SPLIT',
  'UPDATE',
  'TRANSFER',
  'FLOAT',
  'TRANSITORY',
  'CROSS_BL',
]
export const isOrder = ({ type, lines }: Account): boolean => !notOrders.includes(type) && lines.length > 0
