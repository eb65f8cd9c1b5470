// Orders of each kind that a till has.
import type { Fields } from '../../../sandbox/http.ts'
import { type Totals, totalsOf } from './order-totals.ts'
import type { Making } from './seed-records.ts'
import { type Item, type LineItem, newId, type Order, type Payment, type World, wholeSecond } from './world.ts'

interface Draft {
  world: World
  making: Making
  order: Order
}
type Kind = (draft: Draft) => void
interface Reduction {
  name: string
  amount?: number
  percentage?: number
  percentageDecimal?: number
}
const changed = ({ order }: Draft, change: Partial<Order>) => void Object.assign(order, change)
/** Nothing happens later than now. */
const later = ({ world, making, order }: Draft, wait: number): number =>
  Math.min(order.modifiedTime + wait, wholeSecond(Math.max(world.now(), making.at)))
const idFor = ({ making }: Draft) => newId(making.random)

function makeLines(world: World, { seed, random, at }: Making, item: Item, count: number): LineItem[] {
  const price = item.priceType === 'VARIABLE' ? seed.priceOf(item.name) : item.price
  const measured = item.priceType === 'PER_UNIT'
  const discount: Reduction | undefined = seed.pick([
    undefined,
    undefined,
    undefined,
    undefined,
    { name: 'Regulars', amount: -100 },
    { name: 'Happy hour', percentage: 10 },
    { name: 'Neighbors', percentageDecimal: 125_000 },
  ])
  const modifiers = seed.chance(0.4) ? seed.sample(world.modifiers.values(), seed.int(1, 3)) : []
  const twice = modifiers.length > 0 && seed.chance(0.3) ? [modifiers[0]!] : []
  const note = seed.chance(0.1) ? 'no salt' : ''
  return Array.from({ length: measured ? 1 : count }, () => ({
    id: newId(random),
    item: { id: item.id },
    name: item.name,
    price,
    ...(item.code && { itemCode: item.code }),
    note,
    printed: seed.chance(0.5),
    exchanged: false,
    refunded: false,
    isRevenue: true,
    ...(measured && { unitQty: seed.int(100, 4000), unitName: String(item.unitName) }),
    createdTime: at,
    discountList: discount ? [{ id: newId(random), ...discount }] : [],
    modificationList: [...modifiers, ...twice].map(({ id, name, price: amount }) => ({
      id: newId(random),
      name,
      amount,
      modifier: { id },
    })),
    taxRateList: item.defaultTaxRates
      ? world.taxRates.filter(({ isDefault }) => isDefault)
      : item.taxRateIds.map((id) => world.taxRates.get(id)!),
  }))
}
const openLine = (draft: Draft, change: Partial<LineItem>): LineItem => ({
  id: idFor(draft),
  name: 'Open food',
  price: 500,
  note: '',
  createdTime: draft.order.createdTime,
  exchanged: false,
  refunded: false,
  isRevenue: true,
  discountList: [],
  modificationList: [],
  taxRateList: [],
  ...change,
})

/** How a payment was made: most with a card, of which Clover tells more than an app should keep. */
function tenderOf({ world, making: { seed } }: Draft, due: number): Pick<Payment, 'tender'> & Fields {
  const tender = seed.pick([...world.tenders.values(), ...world.tenders.filter(({ label }) => label === 'Credit Card')])
  const key = tender.labelKey ?? ''
  const last4 = String(seed.int(1000, 9999))
  return {
    tender: { id: tender.id },
    ...(key.endsWith('cash') && { cashTendered: due + seed.pick([0, 37, 500]) }),
    ...(key.endsWith('card') &&
      !key.endsWith('gift_card') && {
        cardTransaction: {
          cardType: seed.pick(['VISA', 'MC', 'AMEX']),
          entryType: 'EMV_CONTACT',
          first6: '411111',
          last4,
          cardholderName: 'ADA LOVELACE',
          token: `tok-${last4}`,
          state: 'CLOSED',
        },
      }),
    ...(seed.chance(0.2) && { externalReferenceId: `R-${last4}` }),
  }
}

/** Divides what is due into payments; the last one takes what is left, as Clover does with the last cent of tax. */
function pay(draft: Draft, options: { parts?: number; tip?: number; result?: string } = {}): void {
  const { order } = draft
  const { parts = 1, tip = 0, result = 'SUCCESS' } = options
  const { total, tax } = totalsOf(order)
  const share = (amount: number, part: number) =>
    part < parts - 1 ? Math.trunc(amount / parts) : amount - Math.trunc(amount / parts) * (parts - 1)
  const paymentList = Array.from({ length: parts }, (_, part): Payment => {
    const at = later(draft, part * 60_000)
    return {
      id: idFor(draft),
      order: { id: order.id },
      employee: order.employee as Fields,
      ...tenderOf(draft, share(total, part)),
      offline: false,
      amount: share(total, part),
      taxAmount: share(tax, part),
      tipAmount: share(tip, part),
      result,
      createdTime: at,
      clientCreatedTime: at,
      modifiedTime: at,
    }
  })
  changed(draft, {
    paymentList: [...order.paymentList, ...paymentList],
    state: 'locked',
    paymentState: 'PAID',
    payType: parts > 1 ? 'SPLIT_GUEST' : 'FULL',
    modifiedTime: Math.max(...paymentList.map(({ modifiedTime }) => modifiedTime)),
  })
}
function refund(draft: Draft, amounts: { amount: number; taxAmount: number; tipAmount?: number }, line?: LineItem) {
  const { order } = draft
  const at = later(draft, 3_600_000)
  changed(draft, {
    refundList: [
      ...order.refundList,
      {
        id: idFor(draft),
        orderRef: { id: order.id },
        payment: { id: order.paymentList.at(-1)!.id },
        tipAmount: 0,
        ...amounts,
        status: 'SUCCESS',
        voided: false,
        createdTime: at,
        clientCreatedTime: at,
        ...(line && { lineItems: { elements: [{ id: line.id }] }, reason: 'sent back' }),
        employee: order.employee as Fields,
      },
    ],
    lines: order.lines.map((one) => (one.id === line?.id ? { ...one, refunded: true } : one)),
    paymentState: 'PARTIALLY_REFUNDED',
    modifiedTime: at,
  })
}
function refundLine(draft: Draft, line: LineItem): void {
  const before = totalsOf(draft.order, { refunded: false })
  const lines = draft.order.lines.map((one) => (one.id === line.id ? { ...one, refunded: true } : one))
  const after = totalsOf({ ...draft.order, lines }, { refunded: false })
  refund(draft, { amount: before.total - after.total, taxAmount: before.tax - after.tax }, line)
}

const discount = (draft: Draft, given: Reduction) =>
  changed(draft, { discountList: [...draft.order.discountList, { id: idFor(draft), ...given }] })
const serviceCharge = (draft: Draft, name: string, percentageDecimal: number, isAutoApplied: boolean) =>
  changed(draft, { serviceChargeOf: { id: idFor(draft), name, percentageDecimal, isAutoApplied } })
const add = (draft: Draft, change: Partial<LineItem>) =>
  changed(draft, { lines: [...draft.order.lines, openLine(draft, change)] })
const ratesOf = ({ world }: Draft, ...names: string[]) => world.taxRates.filter(({ name }) => names.includes(name))

/** Kinds that are sales. */
export const kinds: Readonly<Record<string, Kind>> = {
  plain(draft) {
    const { seed } = draft.making
    const state = seed.pick(['open', 'open', 'paid', 'paid', 'paid', 'part'])
    if (state === 'paid') pay(draft)
    if (state !== 'part') return
    pay(draft, { parts: 2 })
    changed(draft, {
      paymentList: draft.order.paymentList.slice(0, 1),
      state: 'open',
      paymentState: 'PARTIALLY_PAID',
    })
  },
  tipped(draft) {
    const [sauce] = draft.world.modifiers.values()
    add(draft, {
      name: 'Salad bar',
      price: 1099,
      unitQty: draft.making.seed.int(100, 900),
      unitName: 'lb',
      modificationList: [{ id: idFor(draft), name: sauce!.name, amount: sauce!.price, modifier: { id: sauce!.id } }],
      taxRateList: ratesOf(draft, 'Sales'),
    })
    pay(draft, { tip: draft.making.seed.int(100, 900) })
    // The tip was entered later, when the guest had signed.
    const at = later(draft, 7_200_000)
    changed(draft, {
      paymentList: draft.order.paymentList.map((payment) => ({ ...payment, modifiedTime: at })),
      modifiedTime: at,
    })
  },
  'percent off and service charge'(draft) {
    discount(draft, { name: 'Staff meal', percentage: 15 })
    serviceCharge(draft, 'Service', 125_000, false)
    pay(draft, { tip: 300 })
  },
  'amount off, gratuity, split'(draft) {
    discount(draft, { name: 'Voucher', amount: -333 })
    serviceCharge(draft, 'Gratuity for large parties', 180_000, true)
    pay(draft, { parts: 3, tip: 100 })
  },
  'two discounts, open'(draft) {
    discount(draft, { name: 'Birthday', percentageDecimal: 75_000 })
    discount(draft, { name: 'Late', amount: -200 })
    serviceCharge(draft, 'Service', 100_000, false)
    for (const result of ['AUTH', 'PENDING', 'DISCOUNT']) pay(draft, { result })
    changed(draft, { state: 'open', paymentState: 'OPEN' })
  },
  'line refunded'(draft) {
    add(draft, { name: 'Sent back', price: 1150, taxRateList: ratesOf(draft, 'Sales') })
    pay(draft, { tip: 200 })
    refundLine(draft, draft.order.lines.at(-1)!)
  },
  'amount refunded'(draft) {
    pay(draft, { tip: 400 })
    refund(draft, { amount: 250, taxAmount: 0, tipAmount: 150 })
    refund(draft, { amount: 99, taxAmount: 0 })
    const [, last] = draft.order.refundList
    changed(draft, {
      refundList: [draft.order.refundList[0]!, { ...last!, status: 'VOIDED', voided: true }],
    })
  },
  'all refunded'(draft) {
    pay(draft)
    const { total, tax } = totalsOf(draft.order)
    refund(draft, { amount: total, taxAmount: tax })
    changed(draft, {
      paymentState: 'REFUNDED',
      lines: draft.order.lines.map((line) => ({ ...line, refunded: true })),
    })
  },
  'paid after a void'(draft) {
    pay(draft, { result: 'VOIDED' })
    pay(draft, { result: 'FAIL' })
    pay(draft, { result: 'AUTH_COMPLETED' })
  },
  'exchanged line and gift card'(draft) {
    add(draft, { name: 'Wrong dish', price: 1725, exchanged: true, taxRateList: ratesOf(draft, 'Sales') })
    add(draft, { name: 'Gift card', price: 2500, isRevenue: false })
    pay(draft)
  },
  'two taxes and a flat one'(draft) {
    add(draft, { name: 'Bottled beer', price: 645, taxRateList: ratesOf(draft, 'Sales', 'Alcohol', 'Bottle deposit') })
    add(draft, { name: 'Bottled beer', price: 645, taxRateList: ratesOf(draft, 'Sales', 'Alcohol', 'Bottle deposit') })
  },
  'tax removed'(draft) {
    changed(draft, { taxRemoved: true })
    pay(draft, { result: 'VOID_FAILED' })
  },
  'prices with tax'(draft) {
    changed(draft, { isVat: true })
    add(draft, { name: 'Wine', price: 899, taxRateList: ratesOf(draft, 'Sales', 'Alcohol') })
    discount(draft, { name: 'Opening week', percentage: 10 })
    if (draft.making.seed.chance(0.5)) pay(draft, { tip: 120 })
  },
  'order fees'(draft) {
    add(draft, { name: 'Delivery fee', price: 399, isOrderFee: true })
    add(draft, {
      name: 'Gratuity',
      price: 0,
      isOrderFee: true,
      percentage: 200_000,
      orderFeeType: 'AUTO_GRATUITY',
      taxRateList: ratesOf(draft, 'Sales'),
    })
    pay(draft)
  },
  'tip inside the total'(draft) {
    pay(draft)
    const [payment] = draft.order.paymentList
    changed(draft, { paymentList: [{ ...payment!, amount: payment!.amount + 500, tipAmount: 500 }] })
  },
  credited(draft) {
    pay(draft)
    changed(draft, { paymentState: 'CREDITED', creditList: [creditOf(draft, 300)] })
  },
}
const creditOf = (draft: Draft, amount: number) => ({
  id: idFor(draft),
  orderRef: { id: draft.order.id },
  amount,
  taxAmount: 0,
  result: 'SUCCESS',
  voided: false,
  createdTime: draft.order.modifiedTime,
  clientCreatedTime: draft.order.modifiedTime,
})
/** Kinds that are no sales, or that the merchant's own app does not balance. */
export const oddKinds = {
  test(draft: Draft) {
    changed(draft, { testMode: true })
    pay(draft)
  },
  'manual refund'(draft: Draft) {
    changed(draft, { manualTransaction: true, state: 'locked', paymentState: 'CREDITED' })
    changed(draft, { lines: [openLine(draft, { name: 'Manual refund', price: -1500 })] })
    changed(draft, { creditList: [creditOf(draft, 1500)] })
  },
  /** An app wrote another total than that of the lines, and Clover keeps it. */
  unbalanced() {},
} satisfies Record<string, Kind>

/** What Clover shows as the total: refunded lines are no longer in it. */
function shownTotal({ order }: Draft, kind: Kind): number {
  const { total }: Totals = totalsOf(order, { refunded: false })
  const tips = order.paymentList.reduce((sum, { tipAmount }) => sum + tipAmount, 0)
  if (kind === kinds['tip inside the total']) return total + tips
  return kind === oddKinds.unbalanced ? total + 111 : total
}

/** `units`: the number of identical units. */
export function makeOrder(
  world: World,
  making: Making,
  { kind = kinds.plain!, units = 0 }: { kind?: Kind; units?: number } = {},
): Order {
  const { seed, random } = making
  const id = newId(random)
  const at = wholeSecond(making.at)
  const items = seed.sample(world.items.values(), seed.int(1, 3))
  const lines = items.flatMap((item) => makeLines(world, { ...making, at }, item, seed.int(1, 3)))
  if (units)
    lines.push(
      ...makeLines(world, { ...making, at }, world.items.find(({ priceType }) => priceType === 'FIXED')!, units),
    )
  const order: Order = {
    id,
    currency: world.merchant.currency,
    employee: { id: seed.pick(world.employees.ids()) },
    total: 0,
    ...(seed.chance(0.5) && { title: String(seed.int(1, 999)) }),
    ...(seed.chance(0.3) && { note: seed.note() }),
    ...(seed.chance(0.5) && { orderTypeId: seed.pick(world.orderTypes.ids()) }),
    taxRemoved: false,
    isVat: false,
    state: 'open',
    paymentState: 'OPEN',
    manualTransaction: false,
    groupLineItems: true,
    testMode: false,
    createdTime: at,
    clientCreatedTime: at - 1000,
    modifiedTime: at,
    customerIds: seed.chance(0.4) ? [seed.pick(world.customers.ids())] : [],
    lines,
    discountList: [],
    paymentList: [],
    refundList: [],
    creditList: [],
  }
  const draft = { world, making, order }
  if (seed.chance(0.1)) add(draft, { userData: 'another app' })
  kind(draft)
  return world.orders.set(id, { ...order, total: shownTotal(draft, kind) })
}
