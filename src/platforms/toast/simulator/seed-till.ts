// What real tills have: each kind once in the seed, and in turns among the orders that are added.
import type { Seed } from '../../../sandbox/seeds.ts'
import { chargeOf } from './charges.ts'
import {
  blankSelection,
  checkOf,
  discountOf,
  dueOf,
  grossOf,
  inCents,
  inDollars,
  orderOf,
  type Sold,
  selectionOf,
  spread,
  totalled,
  voidedCheck,
} from './checks.ts'
import { cheeses, chosen, extras, request, temperature } from './modifiers.ts'
import { cashedCheck, closedCheck, paidCheck, paymentOf, refunded, refundOf, voidedPayment } from './payments.ts'
import { day, wireDate } from './wire.ts'
import {
  type AppliedDiscount,
  type AppliedServiceCharge,
  businessDate,
  type Check,
  type Item,
  type Order,
  type Payment,
  referenceTo,
  type Selection,
  type World,
} from './world.ts'

interface Till {
  world: World
  seed: Seed
  uuid(): string
  at: number
  paidAt: number
  server: string
}
type Made = { checks: Check[]; behavior?: 'DINE_IN' | 'TAKE_OUT' | 'DELIVERY' } & Partial<
  Omit<Order, 'checks' | 'diningOption'>
>
type Line = Partial<Pick<Sold, 'quantity' | 'modifiers' | 'discount' | 'percent' | 'share' | 'marketplace'>>

/** An item with these taxes, or any other one as if it had them. */
function priced({ world }: Till, taxes: Pick<Item, 'localTax' | 'taxInclusive'>): Item {
  const { localTax, taxInclusive } = taxes
  const whole = world.items.filter(({ price, unitOfMeasure }) => price !== null && unitOfMeasure === 'NONE')
  const fits = (item: Item) => item.taxed && item.localTax === localTax && item.taxInclusive === taxInclusive
  return whole.find(fits) ?? { ...whole[0]!, localTax: undefined, taxInclusive: undefined, ...taxes, taxed: true }
}
const plain = (till: Till): Item => priced(till, {})
const twiceTaxed = (till: Till): Item => priced(till, { localTax: true })
const inclusive = (till: Till): Item => priced(till, { taxInclusive: true })

function sold({ at, uuid }: Till, item: Item, line: Line = {}): Sold {
  const unitPrice = inCents(item.price!)
  return { item, groupGuid: item.groups[0]!, quantity: 1, unitPrice, at, guid: uuid(), ...line }
}
const sell = (till: Till, item: Item, line?: Line): Selection => selectionOf(sold(till, item, line))
interface Extra {
  discounts?: AppliedDiscount[]
  charges?: AppliedServiceCharge[]
  customer?: object | null
}
function check({ seed, uuid, at }: Till, selections: Selection[], extra: Extra = {}): Check {
  const displayNumber = String(seed.int(1, 900))
  return checkOf(selections, { guid: uuid(), displayNumber, at, tabName: null, customer: null, ...extra })
}
const cash = (till: Till, one: Check): Check => cashedCheck(one, till.paidAt, till.uuid(), till.server)
/** Captured with the batch of the next morning. */
function card(till: Till, one: Check, change: { tip?: number; more?: Payment[] } = {}): Check {
  const { uuid, paidAt: at, server } = till
  const payment = paymentOf({
    guid: uuid(),
    at,
    cents: dueOf(one),
    type: 'CREDIT',
    tip: change.tip ?? 0,
    server,
    status: 'CAPTURED',
  })
  return closedCheck(paidCheck(one, at, [...(change.more ?? []), payment]), nextMorning(at))
}
const nextMorning = (at: number): number => Math.floor(at / day) * day + day + 11 * 3_600_000 + 300_024
function guest({ seed, uuid }: Till): object {
  const { givenName: firstName, familyName: lastName, email } = seed.person()
  return { guid: uuid(), entityType: 'Customer', firstName, lastName, phone: seed.phone('US').slice(2), email }
}
const pay = (one: Check, change: (payment: Payment) => Payment): Check => ({
  ...one,
  payments: one.payments.map((payment, n) => (n === one.payments.length - 1 ? change(payment) : payment)),
})

/** Those of the vendor's own records that are no sales are the last two. */
const kinds: Readonly<Record<string, (till: Till) => Made>> = {
  'amount refunded': (till) => {
    const one = card(till, check(till, [sell(till, plain(till), { quantity: 3 })]), { tip: 300 })
    const full = till.seed.chance(0.5)
    return {
      checks: [
        pay(one, (payment) =>
          refunded(
            payment,
            refundOf(till.uuid(), till.paidAt + 20 * 3_600_000, {
              cents: full ? inCents(payment.amount) : 150,
              tip: full ? inCents(payment.tipAmount) : 0,
            }),
          ),
        ),
      ],
    }
  },
  modifiers: (till) => {
    const cheese = chosen(extras, 0, [chosen(cheeses, 0)])
    const all = [chosen(temperature, 0), cheese, chosen(extras, 1), request('Sauce on the side')]
    return {
      checks: [
        cash(
          till,
          check(till, [
            sell(till, plain(till), { quantity: till.seed.int(2, 3), modifiers: all }),
            sell(till, plain(till), { modifiers: [cheese], discount: 125 }),
            sell(till, inclusive(till), { quantity: 3, modifiers: [chosen(extras, 1)] }),
          ]),
        ),
      ],
    }
  },
  'card tip': (till) => {
    const one = check(till, [sell(till, plain(till), { quantity: till.seed.int(1, 3) })])
    return { checks: [card(till, one, { tip: till.seed.int(100, 900) })] }
  },
  'check discount': (till) => {
    const lines: Sold[] = [
      sold(till, plain(till), { quantity: 2, modifiers: [chosen(extras, 1)] }),
      sold(till, twiceTaxed(till), { discount: 50 }),
      sold(till, inclusive(till)),
    ]
    const cents = till.seed.int(101, 399)
    const shares = spread(cents, lines.map(grossOf))
    const selections = lines.map((line, n) => selectionOf({ ...line, share: shares[n]! }))
    return {
      checks: [
        cash(till, check(till, selections, { discounts: [discountOf(till.uuid(), { name: 'Regular', cents })] })),
      ],
    }
  },
  taxes: (till) => {
    const item = inclusive(till)
    const discount = Math.round(inCents(item.price!) * 0.3)
    return {
      checks: [
        cash(
          till,
          check(till, [
            sell(till, twiceTaxed(till), { quantity: till.seed.int(1, 4) }),
            sell(till, item, { quantity: till.seed.int(2, 5) }),
            sell(till, item, { discount, percent: 30 }),
          ]),
        ),
      ],
    }
  },
  gratuity: (till) => {
    const selections = [sell(till, plain(till), { quantity: till.seed.int(5, 9) }), sell(till, twiceTaxed(till))]
    const on = selections.reduce((sum, { price }) => sum + inCents(price), 0)
    const charges = (['gratuity', 'service'] as const).map((kind) => chargeOf(kind, { guid: till.uuid(), on }))
    const table = till.seed.pick(till.world.tables.ids())
    return {
      checks: [card(till, check(till, selections, { charges }), { tip: till.seed.int(0, 300) })],
      numberOfGuests: till.seed.int(6, 12),
      table: referenceTo('Table', table),
    }
  },
  delivery: (till) => {
    const { seed, uuid, at, paidAt } = till
    const selections = [sell(till, plain(till), { quantity: seed.int(1, 3), marketplace: true })]
    const one = check(till, selections, {
      charges: [chargeOf('delivery', { guid: uuid() })],
      customer: guest(till),
    })
    const payment = paymentOf({ guid: uuid(), at: paidAt, cents: dueOf(one), type: 'OTHER' })
    return {
      checks: [closedCheck(paidCheck(one, paidAt, [payment]), paidAt)],
      behavior: 'DELIVERY',
      source: 'Grubhub',
      server: null,
      promisedDate: wireDate(at + 2_700_000),
      deliveryInfo: {
        address1: '401 Park Drive',
        address2: 'Suite 801',
        city: 'Boston',
        administrativeArea: null,
        state: 'MA',
        zipCode: '02215',
        country: null,
        notes: 'Please ring the bell.',
        deliveryState: seed.pick(['PENDING', 'IN_PROGRESS', 'PICKED_UP', 'DELIVERED']),
      },
    }
  },
  curbside: (till) => {
    const [guid, selections] = [till.uuid(), [sell(till, plain(till), { quantity: 2 })]]
    const on = selections.reduce((sum, { price }) => sum + inCents(price), 0)
    const surcharge = chargeOf('surcharge', { guid: till.uuid(), on, paymentGuid: guid })
    const one = check(till, selections, { charges: [surcharge], customer: guest(till) })
    const facts = { guid, at: till.paidAt, cents: dueOf(one), type: 'CREDIT', status: 'CAPTURED' } as const
    const paid = paidCheck(one, till.paidAt, [paymentOf(facts)])
    return {
      checks: [closedCheck(paid, nextMorning(till.paidAt))],
      behavior: 'TAKE_OUT',
      source: 'Online',
      curbsidePickupInfo: {
        guid: till.uuid(),
        entityType: 'CurbsidePickup',
        transportColor: 'blue',
        transportDescription: 'Street Cruiser',
        notes: 'Convertible with top down',
      },
    }
  },
  'split checks': (till) => {
    const { uuid, paidAt: at, server } = till
    const first = check(till, [sell(till, plain(till)), sell(till, twiceTaxed(till))])
    const due = dueOf(first)
    const part = Math.floor(due / 3)
    const shared = paidCheck(first, at, [
      paymentOf({ guid: uuid(), at, cents: part, type: 'GIFTCARD', server }),
      paymentOf({ guid: uuid(), at, cents: due - part, tendered: due - part + 500, server }),
    ])
    const open = check(till, [sell(till, plain(till), { modifiers: [chosen(extras, 0)] })])
    const left = dueOf(open) % 5
    const charge = chargeOf('rounding', { guid: uuid(), cents: left < 3 ? -left : 5 - left })
    return { checks: [closedCheck(shared, at), cash(till, totalled({ ...open, appliedServiceCharges: [charge] }))] }
  },
  'line refunded': (till) => {
    const one = card(till, check(till, [sell(till, plain(till)), sell(till, twiceTaxed(till))]), { tip: 200 })
    const at = till.paidAt + 2 * 3_600_000
    const back = one.selections[1]!
    const refund = refundOf(till.uuid(), at, { cents: inCents(back.price) + inCents(back.tax) })
    const { refundTransaction } = refund
    const refundDetails = { refundAmount: back.price, taxRefundAmount: back.tax, refundTransaction }
    const selections = one.selections.map((line) => (line === back ? { ...line, refundDetails } : line))
    return { checks: [pay({ ...one, selections }, (payment) => refunded(payment, refund))] }
  },
  'gift card': (till) => {
    const price = inDollars(till.seed.int(2, 10) * 500)
    const sale: Selection = {
      ...blankSelection(till.uuid(), 'Gift card', 1, till.at),
      selectionType: till.seed.pick(['TOAST_CARD_SELL', 'TOAST_CARD_RELOAD']),
      deferred: true,
      preDiscountPrice: price,
      price,
      receiptLinePrice: price,
      taxInclusion: 'NOT_INCLUDED',
    }
    return { checks: [cash(till, check(till, [sale, sell(till, plain(till))]))] }
  },
  voids: (till) => {
    const voided = (one: Selection): Selection => ({
      ...one,
      voided: true,
      voidDate: wireDate(till.paidAt),
      voidBusinessDate: businessDate(till.paidAt),
    })
    const one = check(till, [sell(till, plain(till)), voided(sell(till, twiceTaxed(till), { quantity: 2 }))])
    const wrong = paymentOf({
      guid: till.uuid(),
      at: till.paidAt - 60_000,
      cents: dueOf(one),
      type: 'CREDIT',
      tip: 500,
    })
    const gone = voidedCheck(check(till, [sell(till, plain(till))]), till.paidAt)
    return { checks: [card(till, one, { tip: 100, more: [voidedPayment(wrong, till.paidAt)] }), gone] }
  },
  donation: (till) => {
    const charges = [chargeOf('donation', { guid: till.uuid() })]
    const one = check(till, [sell(till, plain(till), { quantity: 2 })], { charges })
    const { uuid, paidAt: at, server } = till
    const denied = paymentOf({ guid: uuid(), at, cents: dueOf(one), type: 'CREDIT', server, status: 'DENIED' })
    const payment = paymentOf({ guid: uuid(), at, cents: dueOf(one), type: 'HOUSE_ACCOUNT', server })
    return { checks: [closedCheck(paidCheck(one, at, [denied, payment]), at)] }
  },
  waste: (till) => ({ checks: [check(till, [sell(till, plain(till), { quantity: 2 })])], excessFood: true }),
  test: (till) => ({ checks: [cash(till, check(till, [sell(till, plain(till))]))], createdInTestMode: true }),
}
export const tillKinds: readonly string[] = Object.keys(kinds)
export const isSale = ({ excessFood, createdInTestMode }: Order): boolean => !excessFood && !createdInTestMode

export function seedTill(
  world: World,
  seed: Seed,
  { uuid, at, kind }: { uuid(): string; at: number; kind: string },
): string {
  const till: Till = { world, seed, uuid, at, paidAt: at + 54_410, server: seed.pick(world.employees.ids()) }
  const { checks, behavior = 'DINE_IN', ...facts } = kinds[kind]!(till)
  const live = checks.filter(({ voided }) => !voided)
  const paid = live.every(({ paidDate }) => paidDate !== null)
  const closed =
    live
      .map(({ closedDate }) => closedDate ?? '')
      .toSorted()
      .at(-1) || null
  const refunds = live.flatMap(({ payments }) => payments.flatMap(({ refund }) => refund?.refundDate ?? []))
  const curbside = Boolean(facts.curbsidePickupInfo)
  const option = world.diningOptions.find((one) => one.behavior === behavior && one.curbside === curbside)!
  const order = orderOf({
    guid: uuid(),
    at,
    checks,
    diningOption: option.guid,
    displayNumber: checks[0]!.displayNumber,
    numberOfGuests: seed.int(1, 4),
    server: referenceTo('RestaurantUser', till.server),
    paidDate: paid ? wireDate(till.paidAt) : null,
    closedDate: closed,
    modifiedDate: [closed ?? wireDate(at), ...refunds].toSorted().at(-1)!,
    ...facts,
  })
  return world.orders.set(order.guid, order).guid
}
