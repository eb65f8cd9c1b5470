// How an order is paid. Square counts a tip in the total of the order once it is paid.
import { withTotals } from './order-totals.ts'
import type { StoredOrder } from './orders.ts'
import { percentOf } from './rounding.ts'
import { iso, type Money, newId, type Payment as StoredPayment, type Tender, type World } from './world.ts'

/** A part of what is due: all of the rest by default. */
export interface Payment {
  type: 'CARD' | 'CASH' | 'SQUARE_GIFT_CARD' | 'WALLET' | 'OTHER'
  amount?: number // without the tip
  tip?: number
}
interface PayOptions {
  at: number
  random(below: number): number
  by: readonly Payment[]
  customer?: string | undefined // of the payment, which can differ from that of the order
  settled?: number // when the tip and the fee were known; at the payment by default, and the fee later
}
/** Where no coin is smaller, what is paid in cash is rounded. */
const smallestCoins: Readonly<Record<string, number>> = { CAD: 5, AUD: 5, NZD: 10, CHF: 5 }
export const smallestCoin = ({ currency }: World): number => smallestCoins[currency] ?? 1

/** The order with its tenders, priced again. */
export function paid(world: World, order: StoredOrder, { at, random, by, customer, settled }: PayOptions): StoredOrder {
  const { tenders: former = [], rounding_adjustment: _, ...unpaid } = order
  for (const { id } of former) world.payments.delete(id)
  const priced = withTotals<StoredOrder>({ ...unpaid, state: 'OPEN' }, world)
  const coin = by.every(({ type }) => type === 'CASH') ? smallestCoin(world) : 1
  const money = (amount: number): Money => ({ amount, currency: world.currency })
  const exact = (priced.net_amount_due_money as Money).amount
  const due = exact > 0 ? Math.round(exact / coin) * coin : exact
  let left = Math.max(0, due) // of an exchange, money may go back
  const team_member_id = world.team.ids()[random(Math.max(1, world.team.ids().length))]
  const fields = { ...(team_member_id !== undefined && { team_member_id }), ...(customer && { customer_id: customer }) }
  const tenders = by.flatMap(({ type, amount = left, tip = 0 }): Tender[] => {
    const share = Math.min(amount, left)
    left -= share
    if (share + tip === 0) return []
    const id = newId('uid', random)
    return [
      {
        id,
        payment_id: id,
        location_id: order.location_id,
        transaction_id: order.id,
        type,
        created_at: iso(at),
        amount_money: money(share + tip),
        ...(tip > 0 && { tip_money: money(tip) }),
        ...detailsOf(type, share + tip, money, random),
        ...(customer && { customer_id: customer }),
      },
    ]
  })
  for (const tender of tenders) storePayment(world, order, tender, { at, settled, fields })
  const rounding_adjustment = { uid: 'rounding', name: 'Cash rounding', amount_money: money(due - exact) }
  return withTotals<StoredOrder>(
    {
      ...unpaid,
      ...(due !== exact && { rounding_adjustment }),
      ...(tenders.length > 0 && { tenders }),
    },
    world,
  )
}

function detailsOf(
  type: Payment['type'],
  amount: number,
  money: (amount: number) => Money,
  random: (below: number) => number,
) {
  if (type === 'CASH') {
    const handed = Math.ceil(amount / 500) * 500
    return { cash_details: { buyer_tendered_money: money(handed), change_back_money: money(handed - amount) } }
  }
  if (type !== 'CARD') return {}
  const card_brand = ['VISA', 'MASTERCARD', 'AMERICAN_EXPRESS'][random(3)]!
  const last_4 = String(1000 + random(9000))
  return { card_details: { status: 'CAPTURED', card: { card_brand, last_4 }, entry_method: 'EMV' } }
}

const sources: Readonly<Record<string, string>> = { SQUARE_GIFT_CARD: 'CARD', OTHER: 'EXTERNAL' }
/** The payment of a tender. The fee of a card is known later. */
export function storePayment(
  world: World,
  { id: order_id, location_id }: StoredOrder,
  tender: Tender,
  { at, settled, fields = {} }: { at: number; settled?: number | undefined; fields?: object },
): StoredPayment {
  const money = (amount: number): Money => ({ amount, currency: world.currency })
  const {
    id,
    type,
    amount_money: total_money,
    tip_money,
    cash_details: cash,
    card_details,
  } = tender as Tender & {
    cash_details?: { buyer_tendered_money: Money; change_back_money: Money }
    card_details?: object
  }
  const card = type === 'SQUARE_GIFT_CARD' ? { card: { card_brand: 'SQUARE_GIFT_CARD', last_4: '7783' } } : card_details
  const fee = money(percentOf(total_money.amount, '2.6') + 10)
  return world.payments.set(id, {
    id,
    created_at: iso(at),
    updated_at: iso(settled ?? at),
    amount_money: money(total_money.amount - (tip_money?.amount ?? 0)),
    ...(tip_money && { tip_money }),
    total_money,
    status: 'COMPLETED',
    source_type: sources[type] ?? type,
    ...(card && { card_details: { ...card, status: 'CAPTURED' }, approved_money: total_money }),
    ...(type === 'CARD' &&
      settled !== undefined && {
        processing_fee: [{ effective_at: iso(settled), type: 'INITIAL', amount_money: fee }],
      }),
    ...(cash && {
      cash_details: { buyer_supplied_money: cash.buyer_tendered_money, change_back_money: cash.change_back_money },
    }),
    ...(type === 'WALLET' && { wallet_details: { status: 'CAPTURED', brand: 'CASH_APP' } }),
    ...(type === 'OTHER' && { external_details: { type: 'FOOD_VOUCHER', source: 'Meal vouchers' } }),
    location_id,
    order_id,
    receipt_number: id.slice(0, 4),
    ...fields,
  })
}
