// What the staff does at the register and in the back office, without the API.
import { randomUUID } from 'node:crypto'
import type { EntityType } from '../../../contract/entity.ts'
import { createAdding, recordsIn } from '../../../sandbox/records.ts'
import { createSeed } from '../../../sandbox/seeds.ts'
import type { NativeRecords } from '../../../sandbox/simulator.ts'
import { taxes } from './menu.ts'
import { locationsOf } from './sales.ts'
import { seedGroup, seedItem, seedShift, seedStaff } from './seed.ts'
import { isOrder, openCheck, storyKinds, tell } from './stories.ts'
import { type Account, encodedUuid, isOpen, isoSeconds, type Payment, type World } from './world.ts'

export function createRecords(world: World): Partial<Record<EntityType, NativeRecords>> {
  const adding = createAdding(randomUUID, world.tick)
  const suffix = () => randomUUID().slice(0, 6)
  return {
    product: recordsIn(world.items, {
      add: adding((seed, at) => seedItem(world, seed, { at })),
      touch: (item) => ({ ...item, name: `${item.name.replace(/ \(.*\)$/, '')} (${suffix()})` }),
    }),
    order: {
      ...recordsIn(world.accounts, {
        // Several may close in the same millisecond, none in the future.
        add: adding((seed, _, index) => {
          const till = { world, seed, at: world.now() }
          if (index % 4 === 3) return openCheck(till, seed.int(0, 99))
          return tell(seed.chance(0.4) ? 'plain' : seed.pick(storyKinds), till)
        }),
        touch: (account) => withAnotherRound(world, account),
      }),
      // Open checks first. Only sales are orders: no refund, no transfer, and no change for the drawer.
      ids: () =>
        [
          ...world.accounts.filter(isOpen),
          ...world.accounts.filter((account) => !isOpen(account) && isOrder(account)),
        ].map(({ id }) => id),
    },
    payment: {
      ids: () =>
        world.accounts
          .values()
          .flatMap((account) => paymentsOf(account).map((payment) => idOfPayment(account, payment))),
      add: adding((seed) => {
        const id = tell('plain', { world, seed, at: world.now() })
        const account = world.accounts.get(id)!
        return idOfPayment(account, account.payments[0]!)
      }),
      touch: (id) => closeAgain(world, id.split(':')[0]!, suffix()),
    },
    refund: {
      ids: () => world.accounts.filter(isRefund).map(({ id }) => id),
      add: adding((seed) => {
        const sale = tell('refundedAndReopened', { world, seed, at: world.now() })
        return world.accounts.find(({ previous, type }) => previous === sale && type === 'REFUND')!.id
      }),
      touch: (id) => closeAgain(world, id, suffix()),
    },
    tax_rate: recordsIn(world.taxes, {
      add: adding((seed) => {
        const serial = world.serial('tax')
        const ppm = 1000 * seed.int(1, 300)
        const multiplier = `1.${String(ppm).padStart(6, '0').replace(/0+$/, '')}`
        const own = { taxId: String(41910290875000 + serial), code: `TAX-${serial}`, multiplier, ppm }
        return world.taxes.set(own.code, { ...own, description: `Tax ${serial}`, included: seed.chance(0.7) }).code
      }),
      touch: (tax) => ({ ...tax, description: `Tax ${suffix()}` }),
    }),
    payment_method: {
      ids: () => world.methods.values().map(({ pmId }) => String(pmId)),
      add: adding(() => {
        const serial = world.serial('method')
        const method = { pmId: 141948669139000 + serial, name: `Voucher ${serial}`, code: `VOUCHER-${serial}` }
        return String(world.methods.set(method.code, { ...method, accountingReference: null }).pmId)
      }),
      touch(id) {
        const method = world.methods.find(({ pmId }) => String(pmId) === id)!
        world.methods.set(method.code, { ...method, name: `Method ${suffix()}` })
      },
    },
    category: recordsIn(world.groups, {
      add: adding((seed) => seedGroup(world, seed)),
      touch: (group) => ({ ...group, name: `Group ${suffix()}` }),
    }),
    employee: recordsIn(world.staff, {
      add: adding((seed, at) => seedStaff(world, seed, { at, types: ['POS'] })),
      touch: (member) => ({ ...member, lastName: `Renamed ${suffix()}`, modifiedOn: isoSeconds(world.tick()) }),
      remove: 'delete', // removes the access to the location
    }),
    time_entry: recordsIn(world.shifts, {
      add: adding((seed, at) => {
        const id = seedShift(world, seed, { at: at - 5 * 3_600_000, open: false })
        world.shifts.set(id, { ...world.shifts.get(id)!, dateInUTC: isoSeconds(at) })
        return id
      }),
      touch(shift) {
        const at = isoSeconds(world.tick())
        const correction = {
          uuid: encodedUuid(randomUUID()),
          eventType: 'CLOCK_OUT' as const,
          timestamp: at,
          createdOn: at,
        }
        return { ...shift, dateInUTC: at, events: [...shift.events, correction] }
      },
      remove: 'delete',
    }),
    location: {
      ids: () => locationsOf(world).map(({ id }) => String(id)),
      add: adding((seed) => {
        const id = world.locationId + seed.int(1, 1e9)
        world.branches.set(String(id), { id, name: `${world.name} - ${suffix()}` })
        return String(id)
      }),
      touch: (id) => void world.branches.set(id, { id: Number(id), name: `${world.name} - ${suffix()}` }),
    },
  }
}

/** What is paid for a sale, and what the back office booked in its place. A refund pays back. */
function paymentsOf(account: Account): readonly Payment[] {
  if (isOpen(account)) return account.payments.filter(isOfClient)
  const { payments } = account
  if (account.type === 'UPDATE') return payments.filter(({ amount }) => amount > 0)
  return isOrder(account) ? payments : []
}
const isOfClient = ({ reference }: Payment): boolean => reference !== null && /^ur[A-Za-z0-9]{14}$/.test(reference)
const idOfPayment = ({ id }: Account, payment: Payment): string =>
  `${id}:${isOfClient(payment) ? payment.reference : payment.fiscId}`
const isRefund = ({ type }: Account): boolean => type === 'REFUND' || type === 'VOID'
/** A register that was offline closes an account again: it gets another reason and other references. */
function closeAgain(world: World, id: string, word: string): void {
  const account = world.accounts.get(id)!
  world.accounts.set(id, {
    ...account,
    closedAt: world.tick(),
    voidReason: isRefund(account) ? `Mistake ${word}` : account.voidReason,
    payments: account.payments.map((payment) => ({
      ...payment,
      reference: isOfClient(payment) ? payment.reference : word,
    })),
  })
}
/** An open check with one line, of which exactly this amount is due. */
export function payableCheck(world: World, amount: number): string {
  const id = openCheck({ world, seed: createSeed(`payable ${amount}`), at: world.now() }, 3)
  const account = world.accounts.get(id)!
  const [first] = account.lines
  const plain = { quantity: 1000, unit: Math.round(amount * 100), chargePpm: 0, taxes: [taxes.vat20] }
  world.accounts.set(id, { ...account, lines: [{ ...first!, ...plain }], payments: [] })
  return id
}

/** A guest orders another round. A closed account is final: corrections are separate sales. */
function withAnotherRound(world: World, account: Account): Account {
  if (!isOpen(account)) return account
  return {
    ...account,
    lines: [...account.lines, { ...account.lines[0]!, id: `S65315.${world.serial('line')}`, at: world.tick() }],
  }
}
