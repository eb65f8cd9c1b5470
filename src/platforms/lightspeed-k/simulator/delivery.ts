// A POS accepts an order some time after the cloud does. A webhook reports the outcome, or a client looks it up.
import { createHash, randomUUID } from 'node:crypto'
import { dueOf, sum } from './amounts.ts'
import { instructionOf, productModifiers, taxes } from './menu.ts'
import {
  type Account,
  type Item,
  isOpen,
  type Line,
  type PayTask,
  type Task,
  type TaskLine,
  type World,
} from './world.ts'

const looksUntilDelivered = 2
const deliveredAfterMs = 3000

/** Called by every lookup of an order: the POS fetches its tasks in the meantime. */
export function deliverTasks(world: World): void {
  for (const task of world.pays.filter(({ state }) => state === 'waiting')) {
    const looks = task.looks + 1
    if (looks < looksUntilDelivered && world.now() - task.acceptedAt < deliveredAfterMs)
      world.pays.set(task.reference, { ...task, looks })
    else book(world, { ...task, looks })
  }
  for (const task of world.tasks.filter(({ state }) => state === 'waiting')) {
    const looks = task.looks + 1
    if (looks < looksUntilDelivered && world.now() - task.acceptedAt < deliveredAfterMs)
      world.tasks.set(task.reference, { ...task, looks })
    else deliver(world, { ...task, looks })
  }
}

/** A payment is on the account, or fails without a trace in the API. A check that is paid is closed. */
function book(world: World, task: PayTask): void {
  const account = world.accounts.get(task.account)
  const paid = sum((account?.payments ?? []).map(({ amount }) => amount))
  const reason =
    account === undefined
      ? 'Account not found'
      : !isOpen(account)
        ? 'Account already closed'
        : !world.methods.has(task.code)
          ? 'Payment method not found'
          : paid + task.amount > dueOf(account)
            ? 'the payment amount is greater than the amount due'
            : undefined
  world.pays.set(task.reference, reason ? { ...task, state: 'failed', reason } : { ...task, state: 'delivered' })
  if (reason !== undefined || account === undefined) return
  const { reference, code, amount, tip } = task
  const at = world.tick()
  const fiscId = `T72691.${world.serial('payment')}`
  const own = {
    fiscId,
    uuid: randomUUID(),
    code,
    amount,
    tip,
    at,
    reference,
    surcharge: 0,
    rounding: 0,
    consumer: null,
  }
  world.accounts.set(account.id, {
    ...account,
    payments: [...account.payments, own],
    ...(paid + amount === dueOf(account) && { closedAt: at, receiptId: `R65315.${world.serial('receipt')}` }),
  })
}
function deliver(world: World, task: Task): void {
  const unknown = task.order.items.map((item) => unknownIn(world, item)).find((found) => found !== undefined)
  if (unknown) {
    world.tasks.set(task.reference, { ...task, state: 'failed', reason: `${unknown} not found` })
    return
  }
  world.tasks.set(task.reference, { ...task, state: 'delivered' })
  openAccount(world, task)
}
const itemOf = (world: World, sku: string): Item | undefined =>
  world.items.find((item) => item.sku === sku && item.active)
const modifierOf = (sku: string) => productModifiers.find((modifier) => modifier.sku === sku)
function unknownIn(world: World, { sku, modifiers = [], subItems = [] }: TaskLine, isSub = false): string | undefined {
  if (!itemOf(world, sku) && !(isSub && modifierOf(sku))) return `Item ${sku}`
  const instruction = modifiers.find(({ modifierId }) => instructionOf(modifierId) === undefined)
  if (instruction) return `Production instruction ${instruction.modifierId}`
  return subItems.map((item) => unknownIn(world, item, true)).find((found) => found !== undefined)
}
export const nextAccountId = (world: World): string => `A65315.${world.serial('account')}`

function openAccount(world: World, { reference, order }: Task): Account {
  const at = world.tick()
  const id = nextAccountId(world)
  const code = order.collectionCode ?? createHash('sha256').update(reference).digest('hex').slice(0, 4).toUpperCase()
  const staffId = order.staffId ?? world.staff.values()[0]!.staffId
  return world.accounts.set(id, {
    id,
    uuid: randomUUID(),
    name: `Order ${code}`,
    type: 'SALE',
    cancelled: false,
    initial: id,
    openedAt: at,
    receiptId: null,
    references: [reference],
    table: order.tableNumber,
    covers: order.clientCount,
    profile: order.profile,
    staffId,
    lines: order.items.flatMap((item) => linesOf(world, item, { at, staffId })),
    payments: [],
    voidReason: null,
  })
}
interface Entered {
  at: number
  staffId: number
  parent?: Line
}
/**
 * The POS uses name and price from its menu; only an open-price item accepts a price, and only a manual discount an
 * amount. A sub-item is on each unit of its item, and a line of its own.
 */
function linesOf(world: World, target: TaskLine, { at, staffId, parent }: Entered): Line[] {
  const item = itemOf(world, target.sku)
  const modifier = modifierOf(target.sku)
  const open = item?.priceMode === 'POSITIVE_OPEN_PRICE' && target.customItemPrice !== undefined
  const price = open ? target.customItemPrice! : (item?.prices[0]?.amount ?? 0)
  const line: Line = {
    id: `S65315.${world.serial('line')}`,
    parentLineId: parent?.id ?? null,
    sku: target.sku,
    name: item?.name ?? modifier!.name,
    nameOverride: null,
    instructions: (target.modifiers ?? []).map(({ modifierId }) => instructionOf(modifierId)!),
    quantity: target.quantity * (parent?.quantity ?? 1000),
    unit: item ? Math.round(price * 100) : modifier!.unit,
    discount: target.discountCode === 'MANUAL' ? Math.round((target.discountAmountOverride ?? 0) * 100) : 0,
    accountDiscount: 0,
    chargePpm: 0,
    taxes: [taxes.vat20],
    accountingGroupId: item?.accountingGroupId ?? parent!.accountingGroupId,
    cost: item?.costPrice == null ? null : Math.round(item.costPrice * 100),
    at,
    staffId,
    voidReason: null,
  }
  return [line, ...(target.subItems ?? []).flatMap((sub) => linesOf(world, sub, { at, staffId, parent: line }))]
}
