import { afterEach, expect, it, vi } from 'vitest'
import { createLease } from './lease.ts'

afterEach(() => void vi.useRealTimers())

it('does not begin again after it has ended', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const lease = createLease(performance.now() + 30_000)
  vi.advanceTimersByTime(20_000)
  lease.extend(performance.now() + 30_000)
  vi.advanceTimersByTime(20_000)
  expect(lease.isHeld()).toBe(true)
  expect(lease.check).not.toThrow()
  vi.advanceTimersByTime(5_000)
  expect(lease.check).toThrow('has ended')
  lease.extend(performance.now() + 30_000) // the renewal was on its way
  expect(lease.isHeld()).toBe(false)
  expect(lease.check).toThrow('has ended')
})
