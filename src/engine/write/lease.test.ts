import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LostEntry } from '../../store/lost-entry.ts'
import { LeaseEnded } from '../outbound/fence.ts'
import { createLease, type Lease, leaseMs } from './lease.ts'

let monotonic = 0
let wall = 0
let renewals: (string | undefined)[]
let renewed: boolean | Error
let lease: Lease
const pass = (milliseconds: number) => {
  monotonic += milliseconds
  wall += milliseconds
}

beforeEach(() => {
  vi.useFakeTimers()
  monotonic = 0
  wall = 1_000_000
  renewals = []
  renewed = true
  const readClock = () => ({ monotonic, wall })
  lease = createLease({
    granted: readClock(),
    readClock,
    renew: async (waiting) => {
      renewals.push(waiting)
      if (renewed instanceof Error) throw renewed
      return renewed
    },
  })
})
afterEach(() => {
  lease.end()
  vi.useRealTimers()
})

describe('a lease', () => {
  it('lets a request through while there is enough of it, and not after', () => {
    lease.check()
    pass(leaseMs - 3_000)
    lease.check()
    pass(1)
    expect(() => lease.check()).toThrow(LeaseEnded)
  })

  it.each(['monotonic', 'wall'])('ends when only the %s clock went on', async (clock) => {
    if (clock === 'monotonic') monotonic += leaseMs
    else wall += leaseMs
    expect(() => lease.check()).toThrow(LeaseEnded)
    await lease.ready()
    lease.check()
  })

  it('does not last longer when the wall clock is set back', () => {
    pass(leaseMs)
    wall -= 3_600_000
    expect(() => lease.check()).toThrow(LeaseEnded)
  })

  it('asks the journal after a long wait, and not after a short one', async () => {
    pass(leaseMs / 2 - 1)
    await lease.ready()
    expect(renewals).toEqual([])
    pass(10)
    await lease.ready()
    expect(renewals).toHaveLength(1)
    pass(leaseMs / 2)
    lease.check()
  })

  it('is over for good when another holder has the write', async () => {
    renewed = false
    pass(leaseMs)
    await expect(lease.ready()).rejects.toThrow(LostEntry)
    renewed = true
    await expect(lease.ready()).rejects.toThrow(LostEntry)
    expect(() => lease.check()).toThrow(LeaseEnded)
  })

  it('is not prolonged by a renewal that fails, and a request that waits for one is not sent', async () => {
    renewed = new Error('the database does not respond')
    for (let third = 0; third < 3; third++) {
      pass(leaseMs / 3)
      await vi.advanceTimersByTimeAsync(leaseMs / 3)
    }
    expect(renewals).toHaveLength(3)
    expect(() => lease.check()).toThrow(LeaseEnded)
    await expect(lease.ready()).rejects.toThrow('does not respond')
  })

  it('counts from before the renewal, not from its response', async () => {
    renewed = true
    const slow = createLease({
      granted: { monotonic, wall },
      readClock: () => ({ monotonic, wall }),
      renew: async () => {
        pass(leaseMs)
        return true
      },
    })
    pass(leaseMs / 2 + 1)
    await slow.ready()
    expect(() => slow.check()).toThrow(LeaseEnded)
    slow.end()
  })

  it('names the step that waits to be sent in its renewals, and no step that was sent', async () => {
    const third = () => vi.advanceTimersByTimeAsync(leaseMs / 3)
    lease.step('create')
    lease.waiting()
    await third()
    lease.check()
    await third()
    lease.waiting()
    await third()
    expect(renewals).toEqual(['create', undefined, 'create'])
  })

  it('knows how long ago the last request was sent', () => {
    expect(lease.sinceSent()).toBeUndefined()
    lease.check()
    pass(700)
    expect(lease.sinceSent()).toBe(700)
  })
})
