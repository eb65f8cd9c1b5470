// How an order is paid. Square counts a tip in the total of the order once it is paid.
import { withTotals } from './order-totals.ts'
import type { StoredOrder } from './orders.ts'
import { iso, type Money, newId, type Tender, type World } from './world.ts'

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
}
/** Where no coin is smaller, what is paid in cash is rounded. */
const smallestCoins: Readonly<Record<string, number>> = { CAD: 5, AUD: 5, NZD: 10, CHF: 5 }

/** The order with its tenders, priced again. */
export function paid(world: World, order: StoredOrder, { at, random, by, customer }: PayOptions): StoredOrder {
  const { tenders: _, rounding_adjustment: __, ...unpaid } = order
  const priced = withTotals<StoredOrder>({ ...unpaid, state: 'OPEN' }, world)
  const coin = by.every(({ type }) => type === 'CASH') ? (smallestCoins[world.currency] ?? 1) : 1
  const money = (amount: number): Money => ({ amount, currency: world.currency })
  const exact = (priced.net_amount_due_money as Money).amount
  const due = exact > 0 ? Math.round(exact / coin) * coin : exact
  let left = Math.max(0, due) // of an exchange, money may go back
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
