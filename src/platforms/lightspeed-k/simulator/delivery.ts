// A POS accepts an order some time after the cloud does. A webhook reports the outcome, or a client looks it up.
import { createHash, randomUUID } from 'node:crypto'
import type { Account, Line, Task, TaskLine, World } from './world.ts'

const looksUntilDelivered = 2
const deliveredAfterMs = 3000

/** Called by every lookup of an order: the POS fetches its tasks in the meantime. */
export function deliverTasks(world: World): void {
  for (const task of world.tasks.filter(({ state }) => state === 'waiting')) {
    const looks = task.looks + 1
    if (looks < looksUntilDelivered && world.now() - task.acceptedAt < deliveredAfterMs)
      world.tasks.set(task.reference, { ...task, looks })
    else deliver(world, { ...task, looks })
  }
}

function deliver(world: World, task: Task): void {
  const unknown = task.order.items.find(({ sku }) => !world.items.find((item) => item.sku === sku && item.active))
  if (unknown) {
    world.tasks.set(task.reference, { ...task, state: 'failed', reason: `Item ${unknown.sku} not found` })
    return
  }
  world.tasks.set(task.reference, { ...task, state: 'delivered' })
  openAccount(world, task)
}
export const nextAccountId = (world: World): string => `A65315.${world.serial('account')}`

function openAccount(world: World, { reference, order }: Task): Account {
  const at = world.tick()
  const id = nextAccountId(world)
  const code = order.collectionCode ?? createHash('sha256').update(reference).digest('hex').slice(0, 4).toUpperCase()
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
    staffId: world.staff.values()[0]!.staffId,
    lines: order.items.map((item) => lineOf(world, item, at)),
    payments: [],
    voidReason: null,
  })
}
/**
 * The POS uses name and price from its menu; only an open-price item accepts a price, and only a manual discount an
 * amount.
 */
function lineOf(world: World, target: TaskLine, at: number): Line {
  const item = world.items.find(({ sku }) => sku === target.sku)!
  const open = item.priceMode === 'POSITIVE_OPEN_PRICE' && target.customItemPrice !== undefined
  return {
    id: `S65315.${world.serial('line')}`,
    parentLineId: null,
    sku: item.sku,
    name: item.name,
    nameOverride: null,
    quantity: target.quantity * 1000,
    unit: Math.round((open ? target.customItemPrice! : item.prices[0]!.amount) * 100),
    discount: target.discountCode === 'MANUAL' ? Math.round((target.discountAmountOverride ?? 0) * 100) : 0,
    taxPercent: 20,
    accountingGroupId: item.accountingGroupId,
    cost: item.costPrice === null ? null : Math.round(item.costPrice * 100),
    at,
    staffId: world.staff.values()[0]!.staffId,
    voidReason: null,
  }
}
