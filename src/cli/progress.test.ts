import { expect, it } from 'vitest'
import { clock, createProgress, describeReading, grouped, type Reading } from './progress.ts'

it('a reading tells count, share, rate, time left and what it waits for', () => {
  const reading: Reading = {
    name: 'pull',
    count: 2_500,
    total: 10_000,
    perSecond: 50,
    secondsLeft: 150,
    elapsedMs: 50_000,
  }
  expect(describeReading(reading, 8)).toBe('pull  [██······]  2 500 of 10 000 (25 %)  50/s  2:30 left')
  expect(describeReading({ ...reading, waitingMs: 3_200, platform: 'Square' })).toBe(
    'pull  2 500 of 10 000 (25 %)  50/s  2:30 left  waiting 3 s for Square',
  )
  expect(describeReading({ name: 'pull', count: 7, perSecond: 0.4, elapsedMs: 3_700_000 })).toBe(
    'pull  7  0.4/s  1:01:40',
  )
})

it('numbers are grouped and times short', () => {
  expect([0, 999, 1_000, 1_234_567].map(grouped)).toEqual(['0', '999', '1 000', '1 234 567'])
  expect([0, 59_499, 61_000, 3_600_000].map(clock)).toEqual(['0:00', '0:59', '1:01', '1:00:00'])
})

it('a progress counts, and waits as long as the window is used up', async () => {
  let now = 0
  const shown: { reading: Reading; ended: boolean; message?: string }[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const progress = createProgress({
    name: 'push',
    total: 10,
    everyMs: 5,
    now: () => now,
    show(reading, ended, message) {
      shown.push({ reading, ended, ...(message ? { message } : {}) })
      resolve()
    },
  })
  now = 2_000
  progress.advance(4, { left: 0, resetSeconds: 3, platform: 'Square' })
  await promise
  expect(shown[0]).toMatchObject({
    reading: { count: 4, total: 10, perSecond: 2, secondsLeft: 3, waitingMs: 3_000, platform: 'Square' },
    ended: false,
  })
  now = 4_000
  progress.advance(4)
  progress.end('done')
  expect(shown.at(-1)).toMatchObject({ reading: { count: 8, perSecond: 2 }, ended: true, message: 'done' })
})

it('a total comes late, what an earlier run did counts toward it but not toward the rate, and a wrong one is dropped', async () => {
  let now = 0
  let seen = Promise.withResolvers<Reading>()
  const next = () => {
    seen = Promise.withResolvers<Reading>()
    return seen.promise
  }
  const progress = createProgress({
    name: 'pull',
    done: 50,
    everyMs: 5,
    now: () => now,
    show: (reading) => seen.resolve(reading),
  })
  now = 1_000
  progress.advance(10)
  expect(await next()).toEqual({ name: 'pull', count: 60, total: undefined, perSecond: 10, elapsedMs: 1_000 })
  progress.expect(100)
  expect(await next()).toMatchObject({ count: 60, total: 100, secondsLeft: 4 })
  now = 60_000 // no page for a minute: the rate of the whole run counts
  await next()
  expect(await next()).toMatchObject({ perSecond: 0, secondsLeft: 240 })
  progress.advance(41)
  const reading = await next()
  expect([reading.count, reading.total, reading.secondsLeft]).toEqual([101, undefined, undefined])
  progress.end()
})
