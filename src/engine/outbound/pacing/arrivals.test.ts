// Limits as the platform counts them: a call leaves some time after it has its slot, and arrives some time after that.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FakeProcess, FakeTime } from '../../../../test/fake-time.ts'
import { createPacingDatabase, type PacingDatabase } from '../../../../test/pacing-database.ts'
import type { Rate } from '../../../contract/connector.ts'
import { createReferee } from '../../../sandbox/referee.ts'
import { createMemorySlots } from './memory-slots.ts'
import { createPacer, type Pacer } from './pacer.ts'
import { createPostgresSlots } from './postgres-slots.ts'

const limits: [string, Rate[]][] = [
  ['1/s', [{ requests: 1, seconds: 1 }]],
  ['5/s', [{ requests: 5, seconds: 1 }]],
  [
    '10/s and 100/min',
    [
      { requests: 10, seconds: 1 },
      { requests: 100, seconds: 60 },
    ],
  ],
  ['5/6 s', [{ requests: 5, seconds: 6 }]],
]
/** The same numbers in every run. */
function createRandom() {
  let state = 7
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
interface Way {
  leavesAfter: number
  arrivesAfter: number
  respondsAfter: number
}

describe.each(['memory', 'postgres'])('with slots from %s', (kind) => {
  let database: PacingDatabase | undefined
  let accounts = 0
  beforeAll(async () => {
    if (kind === 'postgres') database = await createPacingDatabase()
  })
  afterAll(() => database?.close())

  /** Callers that always want one more call, at one instance or at three. */
  async function run(rates: readonly Rate[], wayOf: () => Way) {
    const time = new FakeTime()
    const referee = createReferee({ limit: rates, now: () => time.now })
    const owner = `account-${++accounts}`
    const span = Math.max(...rates.map(({ seconds }) => seconds)) * (rates.length > 1 ? 3_000 : 20_000)
    const allowed = Math.min(...rates.map(({ requests, seconds }) => (span / 1000 / seconds) * requests))
    let arrived = 0
    async function keepCalling(pacer: Pacer, process: FakeProcess, caller: string) {
      const pass = (milliseconds: number) => new Promise<void>((resolve) => process.after(milliseconds, resolve))
      for (;;) {
        const call = {}
        await pacer.take({ owner, rates, caller, maxWaitMs: 1e9, call })
        const { leavesAfter, arrivesAfter, respondsAfter } = wayOf()
        await pass(leavesAfter)
        pacer.sent({ owner, rates }, call)
        await pass(arrivesAfter)
        arrived++
        referee.call('tenant')
        await pass(respondsAfter)
        pacer.responded({ owner, rates }, call)
        pacer.release({ owner, rates }, call)
      }
    }
    for (let instance = 0; instance < (database ? 3 : 1); instance++) {
      const process = new FakeProcess(time)
      const source = database
        ? createPostgresSlots({ pacing: database.pacingOf(process), scale: 1, clock: process })
        : createMemorySlots({ scale: 1 })
      const pacer = createPacer(source, process)
      for (let caller = 0; caller < 8; caller++) void keepCalling(pacer, process, `c${caller}`)
    }
    await time.advance(span)
    return { over: referee.violations(), used: arrived / allowed }
  }

  it.each(limits)('no call is over %s on a busy machine, where calls leave and arrive late', async (_, rates) => {
    const random = createRandom()
    const shortest = Math.min(...rates.map(({ seconds }) => seconds)) * 1000
    const { over, used } = await run(rates, () => ({
      leavesAfter: random() < 0.1 ? random() * 0.05 * shortest : random() * 2,
      arrivesAfter: random() < 0.2 ? random() * 0.09 * shortest : 1,
      respondsAfter: random() < 0.05 ? 5_000 : random() * 20,
    }))
    expect(over).toBe(0)
    expect(used).toBeGreaterThan(0.85)
  })
  it.each(limits)('at least 97 % of %s is used when responses are fast', async (_, rates) => {
    const { over, used } = await run(rates, () => ({ leavesAfter: 1, arrivesAfter: 1, respondsAfter: 2 }))
    expect(over).toBe(0)
    expect(used).toBeGreaterThanOrEqual(0.97)
  })
})
