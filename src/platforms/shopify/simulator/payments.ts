// How orders are paid and refunded at the register and in the admin.
import { chargeNet, currentQuantity, receivedOf, refundedOf, totalOf, withTax, worthOf } from './order-money.ts'
import { type Order, type Refund, type RefundedUnits, sum, type Transaction, type World } from './world.ts'

const cards = [
  { company: 'Visa', last4: '4242' },
  { company: 'Mastercard', last4: '4444' },
  { company: 'American Express', last4: '0005' },
] as const
type Moved = Pick<Transaction, 'kind' | 'amount' | 'gateway'> & Partial<Transaction>

export const transaction = (world: World, at: number, moved: Moved): Transaction => ({
  id: world.nextId('transaction'),
  status: 'SUCCESS',
  createdAt: at,
  processedAt: at,
  ...moved,
})
/** By card through Shopify Payments, which charges 2.4 % and 30 cents. */
export function byCard(world: World, at: number, amount: number, kind: Transaction['kind'] = 'SALE'): Transaction {
  const card = cards[Math.floor(at / 1000) % cards.length]!
  const fee = kind === 'SALE' || kind === 'CAPTURE' ? { fee: Math.round((amount * 24) / 1000) + 30 } : {}
  return transaction(world, at, { kind, amount, gateway: 'shopify_payments', card, ...fee })
}
/** In Canada, cash is rounded to five cents: the customer pays that, and gets change for a larger note. */
export function inCash(world: World, at: number, due: number): Transaction[] {
  const rounded = Math.round(due / 5) * 5
  const given = Math.ceil(rounded / 1000) * 1000
  const sale = transaction(world, at, { kind: 'SALE', gateway: 'cash', amount: given, rounding: rounded - due })
  if (given === rounded) return [sale]
  const change = { kind: 'CHANGE', gateway: 'cash', amount: given - rounded, parentId: sale.id } as const
  return [sale, transaction(world, at, change)]
}

export interface RefundOf {
  at: number
  units?: readonly { lineId: string; quantity: number; restock?: RefundedUnits['restock'] }[]
  shipping?: true
  amount?: number // instead of what the goods are worth
  note?: string
}
/** The order with a refund: goods, and the money through the gateway that received it. */
export function refunded(world: World, order: Order, { at, units = [], shipping, amount, note }: RefundOf): Order {
  const lines = units.map(({ lineId, quantity, restock = 'RETURN' }): RefundedUnits => {
    const line = order.lines.find(({ id }) => id === lineId)!
    return { id: world.nextId('refunded'), lineId, quantity, restock, ...worthOf(order, line, quantity) }
  })
  const charges = (shipping ? order.shipping : []).map((charge) => ({
    id: world.nextId('refunded'),
    chargeId: charge.id,
    net: chargeNet(charge),
    taxes: charge.taxes,
  }))
  const worth = sum([...lines, ...charges].map((one) => withTax(order, one)))
  const money = Math.min(amount ?? worth, receivedOf(order) - refundedOf(order))
  const parent = order.transactions.find(
    ({ kind, status }) => ['SALE', 'CAPTURE'].includes(kind) && status === 'SUCCESS',
  )
  const back =
    parent && money > 0
      ? [
          transaction(world, at, {
            kind: 'REFUND',
            amount: money,
            gateway: parent.gateway,
            parentId: parent.id,
            ...(parent.card && { card: parent.card }),
          }),
        ]
      : []
  const refund: Refund = {
    id: world.nextId('refund'),
    createdAt: at,
    processedAt: at,
    ...(note !== undefined && { note }),
    lines,
    shipping: charges,
    adjustments:
      money === worth
        ? []
        : [{ id: world.nextId('refunded'), reason: 'REFUND_DISCREPANCY', amount: worth - money, tax: 0 }],
    transactionIds: back.map(({ id }) => id),
  }
  const changed = {
    ...order,
    updatedAt: at,
    transactions: [...order.transactions, ...back],
    refunds: [...order.refunds, refund],
  }
  if (money === 0) return changed
  const rest = receivedOf(changed) - refundedOf(changed)
  return { ...changed, financial: rest > 0 ? 'PARTIALLY_REFUNDED' : 'REFUNDED' }
}
/** Everything that is left of the order, its shipping too. */
export const refundedWhole = (world: World, order: Order, at: number): Order =>
  refunded(world, order, {
    at,
    units: order.lines
      .map((line) => ({ lineId: line.id, quantity: currentQuantity(order, line) }))
      .filter(({ quantity }) => quantity > 0),
    shipping: true,
    amount: receivedOf(order) - refundedOf(order),
  })

/** Takes units out of the lines, and settles the difference: paid again by card, or refunded. */
export function edited(
  world: World,
  order: Order,
  {
    at,
    remove,
    add = [],
  }: { at: number; remove: readonly { lineId: string; quantity: number }[]; add?: Order['lines'] },
): Order {
  const removed = remove.map(({ lineId, quantity }) => {
    const line = order.lines.find(({ id }) => id === lineId)!
    return { lineId, quantity, ...worthOf(order, line, quantity) }
  })
  const edit = { id: world.nextId('agreement'), at, added: add.map(({ id }) => id), removed }
  const changed: Order = { ...order, updatedAt: at, lines: [...order.lines, ...add], edits: [...order.edits, edit] }
  const due = totalOf(changed) - totalOf(order) - sum(removed.map((units) => withTax(order, units)))
  if (receivedOf(order) === 0 || due === 0) return changed
  if (due > 0) return { ...changed, transactions: [...changed.transactions, byCard(world, at, due)] }
  const parent = order.transactions.find(({ kind }) => kind === 'SALE')!
  const back = transaction(world, at, {
    kind: 'REFUND',
    amount: -due,
    gateway: parent.gateway,
    parentId: parent.id,
    ...(parent.card && { card: parent.card }),
  })
  const refund: Refund = {
    id: world.nextId('refund'),
    createdAt: at,
    processedAt: at,
    lines: [],
    shipping: [],
    adjustments: [],
    transactionIds: [back.id],
  }
  return {
    ...changed,
    transactions: [...changed.transactions, back],
    refunds: [...changed.refunds, refund],
    financial: 'PARTIALLY_REFUNDED',
  }
}
/** Taxes by rate on the net prices, or out of them where prices contain them. */
export function taxesOn(net: number, rates: readonly { title: string; rate: number }[], included: boolean) {
  const all = sum(rates.map(({ rate }) => Math.round(rate * 10_000)))
  return rates.map(({ title, rate }) => {
    const points = Math.round(rate * 10_000)
    return { title, rate, amount: Math.round((net * points) / (included ? 10_000 + all : 10_000)) }
  })
}
