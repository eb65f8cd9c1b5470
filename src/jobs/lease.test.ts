import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readClock } from '../base/clock.ts'
import { LostLease } from '../store/lost-lease.ts'
import { createLease, type Lease, leaseMs } from './lease.ts'

let lease: Lease
let renew: () => Promise<boolean>
beforeEach(() => {
  vi.useFakeTimers()
  renew = async () => true
  lease = createLease({ granted: readClock(), renew: () => renew() })
})
afterEach(() => {
  lease.end()
  vi.useRealTimers()
})
const isLost = () => [lease.isHeld(), lease.signal.aborted, lease.signal.reason instanceof LostLease]
const lost = [false, true, true]

describe('a lease', () => {
  it('lasts while it is renewed', async () => {
    await vi.advanceTimersByTimeAsync(10 * leaseMs)
    expect(lease.isHeld()).toBe(true)
    expect(lease.check).not.toThrow()
    expect(lease.signal.aborted).toBe(false)
  })

  it('is lost before it ends in the database, if it cannot be renewed', async () => {
    renew = () => Promise.reject(new Error('the database is away'))
    await vi.advanceTimersByTimeAsync(leaseMs / 2)
    expect(lease.isHeld()).toBe(true)
    await vi.advanceTimersByTimeAsync(leaseMs / 2 - 1)
    expect(lease.signal.aborted).toBe(true)
    expect(lease.check).toThrow('has ended')
  })

  it('is lost at once, if somebody else has it', async () => {
    renew = async () => false
    await vi.advanceTimersByTimeAsync(leaseMs / 3)
    expect(isLost()).toEqual(lost)
  })

  it.each(['performance', 'Date'] as const)(
    'is lost after a standstill, before any timer has run, by %s alone',
    (clock) => {
      const { monotonic, wall } = readClock()
      if (clock === 'Date') vi.setSystemTime(wall + leaseMs)
      else vi.spyOn(performance, 'now').mockReturnValue(monotonic + leaseMs)
      expect(lease.check).toThrow('has ended')
      expect(isLost()).toEqual(lost)
      vi.restoreAllMocks()
    },
  )

  it('does not begin again after it has ended: the renewal was on its way', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    renew = () => promise
    await vi.advanceTimersByTimeAsync(leaseMs)
    resolve(true)
    await vi.advanceTimersByTimeAsync(leaseMs)
    expect(isLost()).toEqual(lost)
  })

  it('is neither renewed nor lost when its turn is over', async () => {
    let renewals = 0
    renew = async () => ++renewals > 0
    lease.end()
    await vi.advanceTimersByTimeAsync(leaseMs / 2)
    expect([renewals, lease.signal.aborted]).toEqual([0, false])
  })
})
