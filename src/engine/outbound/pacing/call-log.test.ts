import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createCallLog } from './call-log.ts'
import { createMemorySlots } from './memory-slots.ts'
import { createPacer } from './pacer.ts'

/** A machine whose clocks the test sets. The pacing clock starts at 0 with each process. */
function setUp() {
  const file = join(mkdtempSync(join(tmpdir(), 'unified-records-calls-')), 'calls.log')
  const machine = { boot: 'a' as string | undefined, monotonic: () => time.monotonic, wall: () => time.wall }
  const time = { monotonic: 5_000, wall: 1_000_000 }
  const pass = (milliseconds: number) => {
    time.monotonic += milliseconds
    time.wall += milliseconds
  }
  const start = () => {
    const began = time.monotonic
    const clock = {
      now: () => time.monotonic - began,
      after: () => undefined,
      cancel: () => undefined,
    }
    const log = createCallLog({ file, now: clock.now, machine })
    return { log, pacer: createPacer(createMemorySlots({ scale: 1, log }), clock) }
  }
  return { file, machine, time, pass, start }
}
const limits = { owner: 'business x', rates: [{ requests: 3, seconds: 10 }] }
const request = { ...limits, caller: 'c', maxWaitMs: 0 }
type Started = ReturnType<ReturnType<typeof setUp>['start']>
async function send({ pacer }: Started, calls: number, more: object = {}): Promise<void> {
  for (let call = 0; call < calls; call++) {
    const paced = {}
    expect(await pacer.take({ ...request, ...more, call: paced })).toEqual({ waitedMs: 0 })
    pacer.sent({ ...limits, ...more }, paced)
  }
}

it('calls of a killed process count until their window has passed', async () => {
  const { pass, start } = setUp()
  const first = start()
  for (let call = 0; call < 3; call++) {
    await send(first, 1)
    pass(10)
  }
  pass(4_000)
  const second = start()
  expect(second.pacer.status(limits)).toMatchObject({ left: 0 })
  // The responses are not in the log: each call counts from the latest instant at which it can have arrived.
  expect(await second.pacer.take(request)).toEqual({ wouldWaitMs: 10_100 + 1_500 - 4_030 })
  pass(2_000)
  expect(start().pacer.status(limits)).toMatchObject({ left: 0 }) // a second restart forgets nothing either
  pass(5_600)
  expect(start().pacer.status(limits)).toMatchObject({ left: 3 })
})

it('a call that got a slot and was not sent does not count', async () => {
  const { start } = setUp()
  await start().pacer.take(request)
  expect(start().pacer.status(limits)).toMatchObject({ left: 3 })
})

it('a pause that the platform asked for continues', async () => {
  const { pass, start } = setUp()
  await start().pacer.hold(limits, 30_000)
  pass(10_000)
  expect(await start().pacer.take(request)).toEqual({ wouldWaitMs: 20_000 })
})

it('calls of a lane count for the lane', async () => {
  const { start } = setUp()
  const lane = { name: 'reports', rates: [{ requests: 1, seconds: 60 }] }
  await send(start(), 1, { lane })
  expect(await start().pacer.take({ ...request, lane })).toEqual({ wouldWaitMs: 60_600 })
})

it('after a loss of the whole machine every window counts as used, and after a clean end only what was sent', async () => {
  const { machine, time, pass, start } = setUp()
  const first = start()
  await send(first, 1)
  machine.boot = 'b'
  time.monotonic = 100
  time.wall += 4_000
  const second = start()
  expect(await second.pacer.take({ ...request, owner: 'business y' })).toEqual({ wouldWaitMs: 10_100 })
  pass(11_000)
  expect(second.pacer.status(limits)).toMatchObject({ left: 3 })
  await send(second, 1)
  second.log.close()
  machine.boot = 'c'
  time.monotonic = 200
  time.wall += 4_000
  expect(start().pacer.status(limits)).toMatchObject({ left: 2 })
})

it('replaces its file before it grows without end, and loses no call that counts', async () => {
  const { file, pass, start } = setUp()
  const { log } = start()
  for (let call = 0; call < 200_000; call++) {
    pass(1)
    log.sent('business z', '', call, 10_100)
  }
  expect(readFileSync(file).length).toBeLessThan(5 * 1024 * 1024)
  expect(start().log.past('business z')?.own.length).toBe(10_099)
})
