// One realistic order: from the POS, online, for delivery, split, discounted, voided.
import type { Seed } from '../../../sandbox/seeds.ts'
import { checkOf, inCents, orderOf, selectionOf, times, voidedCheck } from './checks.ts'
import { cashedCheck } from './payments.ts'
import { never, wireDate } from './wire.ts'
import { businessDate, referenceTo, type Selection, type World } from './world.ts'

export interface OrderSeed {
  uuid(): string
  at: number
  shape: number
}
const minute = 60_000

function seedSelections(world: World, seed: Seed, { uuid, at, shape }: OrderSeed): Selection[] {
  const whole = shape % 10 === 3 || shape % 40 === 39 // voided or deleted with all lines
  const sold = seed.sample(world.items.ids(), seed.int(1, 4)).map((guid) => world.items.get(guid)!)
  return sold.map((item) => {
    const quantity = item.unitOfMeasure === 'NONE' ? seed.int(1, 4) : seed.int(1, 30) / 10
    const unitPrice = item.price === null ? seed.priceOf(item.name) : inCents(item.price)
    const discount = seed.chance(0.15) ? Math.round(times(quantity, unitPrice) / 10) : 0
    const groupGuid = item.groups[0]!
    const selection = selectionOf({ item, groupGuid, quantity, unitPrice, discount, at, guid: uuid() })
    const voided = !whole && seed.chance(0.05)
    return {
      ...selection,
      voided,
      ...(voided && { voidDate: wireDate(at), voidBusinessDate: businessDate(at) }),
      fulfillmentStatus: 'READY',
    }
  })
}
/** A special request that is in no menu: it has no item. */
function specialRequest(selection: Selection, guid: string): Selection {
  return {
    ...selection,
    guid,
    item: null,
    itemGroup: null,
    displayName: 'No onions',
    selectionType: 'SPECIAL_REQUEST',
    quantity: 1,
    preDiscountPrice: 0,
    price: 0,
    receiptLinePrice: 0,
    tax: 0,
    appliedTaxes: [],
    appliedDiscounts: [],
  }
}

export function seedOrder(world: World, seed: Seed, options: OrderSeed): string {
  const { uuid, at, shape } = options
  const kind = shape % 10
  const person = seed.person()
  const guest = kind === 2 || kind === 5
  const customer = guest
    ? {
        guid: uuid(),
        entityType: 'Customer',
        firstName: person.givenName,
        lastName: person.familyName,
        phone: seed.phone('US').slice(2),
        email: person.email,
      }
    : null
  const number = String((shape % 900) + 1)
  const numbered = (selections: Selection[], suffix = '') =>
    checkOf(selections, {
      guid: uuid(),
      displayNumber: `${number}${suffix}`,
      at,
      tabName: seed.chance(0.3) ? person.givenName : null,
      customer,
    })
  const lines = seedSelections(world, seed, options)
  if (kind === 6) lines.push(specialRequest(lines[0]!, uuid()))
  if (kind === 1) lines[0] = { ...lines[0]!, receiptLinePrice: null }
  let checks = kind === 7 ? [numbered(lines), numbered(seedSelections(world, seed, options), '-2')] : [numbered(lines)]
  const voided = kind === 3
  const finished = kind !== 0 && kind !== 2 && kind !== 4 && !voided
  const closedAt = at + seed.int(20, 90) * minute
  const opened = wireDate(at)
  const closedDate = finished ? wireDate(closedAt) : null
  if (finished) checks = checks.map((check) => cashedCheck(check, closedAt, uuid()))
  if (voided) checks = checks.map((check) => voidedCheck(check, at))
  if (kind === 8)
    checks = [
      ...checks,
      { ...numbered(seedSelections(world, seed, options), '-x'), deleted: true, deletedDate: wireDate(at) },
    ]
  const behavior = kind === 5 ? 'DELIVERY' : kind === 2 ? 'TAKE_OUT' : 'DINE_IN'
  const order = orderOf({
    guid: uuid(),
    at,
    checks,
    diningOption: world.diningOptions.find((option) => option.behavior === behavior)!.guid,
    source: guest ? 'Online' : 'In Store',
    displayNumber: number,
    modifiedDate: closedDate ?? opened,
    closedDate,
    paidDate: closedDate,
    voided,
    voidDate: voided ? opened : null,
    deleted: shape % 40 === 39,
    deletedDate: shape % 40 === 39 ? opened : never,
    approvalStatus: kind === 2 ? 'NEEDS_APPROVAL' : kind === 4 ? 'NOT_APPROVED' : 'APPROVED',
    numberOfGuests: seed.int(1, 6),
    server: guest ? null : referenceTo('RestaurantUser', seed.pick(world.employees.ids())),
    deliveryInfo:
      kind === 5
        ? {
            address1: '401 Park Drive',
            address2: 'Suite 801',
            city: 'Boston',
            state: 'MA',
            zipCode: '02215',
            notes: seed.note(),
            deliveryState: 'DELIVERED',
          }
        : null,
  })
  world.orders.set(order.guid, order)
  return order.guid
}
