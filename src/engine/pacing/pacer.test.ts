import { describe, expect, it } from 'vitest'
import type { Rate } from '../../contract/connector.ts'
import { createPacer } from './pacer.ts'

/** Time that passes only when everybody waits. */
function createFakeClock() {
  let time = 1_000_000
  const timers: { at: number; run: () => void }[] = []
  return {
    now: () => time,
    after: (milliseconds: number, run: () => void) => {
      const timer = { at: time + milliseconds, run }
      timers.push(timer)
      return timer
    },
    cancel: (timer: unknown) => {
      const index = timers.indexOf(timer as (typeof timers)[number])
      if (index >= 0) timers.splice(index, 1)
    },
    async advance(milliseconds: number) {
      const end = time + milliseconds
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve))
        const next = timers.toSorted((left, right) => left.at - right.at)[0]
        if (!next || next.at > end) break
        time = next.at
        timers.splice(timers.indexOf(next), 1)
        next.run()
      }
      time = end
    },
  }
}
const limits: [string, Rate[]][] = [
  ['1/s', [{ requests: 1, seconds: 1 }]],
  ['5/s', [{ requests: 5, seconds: 1 }]],
  [
    '5/s and 300/min',
    [
      { requests: 5, seconds: 1 },
      { requests: 300, seconds: 60 },
    ],
  ],
  [
    '10/s and 100/min',
    [
      { requests: 10, seconds: 1 },
      { requests: 100, seconds: 60 },
    ],
  ],
  ['100/60 s', [{ requests: 100, seconds: 60 }]],
  ['1/10 s', [{ requests: 1, seconds: 10 }]],
  ['5/6 s', [{ requests: 5, seconds: 6 }]],
]

describe.each(limits)('the limit %s', (_, rates) => {
  it('is used to at least 98 % and never exceeded in any window', async () => {
    const clock = createFakeClock()
    const pacer = createPacer({ scale: 1, clock })
    const left: number[] = []
    const longest = Math.max(...rates.map(({ seconds }) => seconds))
    const span = longest * 5_000
    const allowed = Math.min(...rates.map(({ requests, seconds }) => (span / 1000 / seconds) * requests))
    for (let call = 0; call < allowed * 1.2; call++) void pacer.take({ accountId: 'a', rates, caller: 'x', maxWaitMs: 1e9 }).then(() => left.push(clock.now()))
    const began = clock.now()
    await clock.advance(span)
    const gone = left.filter((at) => at <= began + span)
    for (const { requests, seconds } of rates) {
      for (const [index, at] of gone.entries()) {
        const before = gone[index - requests]
        if (before !== undefined) expect(at - before, `${requests + 1} calls within ${seconds} s`).toBeGreaterThan(seconds * 1000)
      }
    }
    expect(gone.length / allowed).toBeGreaterThanOrEqual(0.98)
  })
})

describe('waiting', () => {
  const rates = [{ requests: 1, seconds: 1 }]
  it('is refused at once when it would take too long, with the honest time', async () => {
    const pacer = createPacer({ scale: 1, clock: createFakeClock() })
    const wish = { accountId: 'a', rates, caller: 'x', maxWaitMs: 1500 }
    expect(await pacer.take(wish)).toEqual({ waitedMs: 0 })
    void pacer.take(wish)
    expect(await pacer.take(wish)).toEqual({ wouldWaitMs: 2020 })
  })
  it('goes in turns between callers, first come within one', async () => {
    const clock = createFakeClock()
    const pacer = createPacer({ scale: 1, clock })
    const order: string[] = []
    const ask = (caller: string, name: string) => void pacer.take({ accountId: 'a', rates, caller, maxWaitMs: 1e6 }).then(() => order.push(name))
    for (const name of ['a1', 'a2', 'a3', 'a4']) ask('a', name)
    for (const name of ['b1', 'b2']) ask('b', name)
    ask('c', 'c1')
    await clock.advance(20_000)
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
  })
  it('is not refused to one caller because another one has filled the queue', async () => {
    const clock = createFakeClock()
    const pacer = createPacer({ scale: 1, clock })
    const wish = { accountId: 'a', rates, maxWaitMs: 5_000 }
    await pacer.take({ ...wish, caller: 'greedy' })
    for (let call = 0; call < 50; call++) void pacer.take({ ...wish, caller: 'greedy' })
    const modest = pacer.take({ ...wish, caller: 'modest' })
    await clock.advance(3_000)
    expect(await modest).toMatchObject({ waitedMs: expect.any(Number) })
  })
  it('holds still as long as the platform asks, and sends away those who cannot wait that long', async () => {
    const clock = createFakeClock()
    const pacer = createPacer({ scale: 1, clock })
    const slot = { accountId: 'a', rates }
    await pacer.take({ ...slot, caller: 'x', maxWaitMs: 0 })
    const patient = pacer.take({ ...slot, caller: 'x', maxWaitMs: 60_000 })
    const hasty = pacer.take({ ...slot, caller: 'x', maxWaitMs: 5_000 })
    pacer.hold(slot, 30_000)
    expect(await hasty).toEqual({ wouldWaitMs: 30_000 })
    await clock.advance(31_000)
    expect(await patient).toEqual({ waitedMs: 30_000 })
  })
  it('ends for a caller who has gone, and the next one moves up', async () => {
    const clock = createFakeClock()
    const pacer = createPacer({ scale: 1, clock })
    const gone = new AbortController()
    const wish = { accountId: 'a', rates, caller: 'x', maxWaitMs: 1e6 }
    await pacer.take(wish)
    const left = pacer.take({ ...wish, signal: gone.signal })
    const next = pacer.take(wish)
    gone.abort()
    expect(await left).toEqual({ wouldWaitMs: 0 })
    await clock.advance(1100)
    expect(await next).toEqual({ waitedMs: 1010 })
  })
  it('on an extra lane does not keep other calls of the account', async () => {
    const clock = createFakeClock()
    const pacer = createPacer({ scale: 1, clock })
    const account = { accountId: 'a', rates: [{ requests: 5, seconds: 1 }], caller: 'x', maxWaitMs: 1e6 }
    const lane = { ...account, lane: { name: 'menus', rates } }
    const gone: string[] = []
    void pacer.take(lane).then(() => gone.push('menu 1'))
    void pacer.take(lane).then(() => gone.push('menu 2'))
    void pacer.take(account).then(() => gone.push('order'))
    await clock.advance(500)
    expect(gone).toEqual(['menu 1', 'order'])
    await clock.advance(1000)
    expect(gone).toEqual(['menu 1', 'order', 'menu 2'])
  })
})
