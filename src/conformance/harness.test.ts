import { afterEach, describe, expect, it } from 'vitest'
import { connectors } from '../platforms/registry.ts'
import { simulators } from '../platforms/simulators.ts'
import { createMovableClock } from '../sandbox/movable-clock.ts'
import { createHarness, type Harness } from './harness.ts'
import { holdCalls } from './held-calls.ts'

describe('a harness', () => {
  let harness: Harness
  afterEach(() => harness.close())
  const list = () => harness.call('GET', '/unified/square-restaurant/customer?pageSize=1')

  it('repeats no call that a busy machine delays, and gives up those that a test stalls', async () => {
    harness = await createHarness({ connectors, simulators, platform: 'square', callTimeoutMs: 1 })
    expect([(await list()).status, harness.sandbox.calls('square').length]).toEqual([200, 1])
    harness.sandbox.fault('square', { kind: 'stall', delayMs: 1_000 })
    expect((await list()).status).toBe(504)
  })

  it('holds calls at the platform until a test releases them', async () => {
    harness = await createHarness({ connectors, simulators, platform: 'square' })
    const held = holdCalls(harness.sandbox.simulator('square'), ({ method }) => method === 'GET')
    const both = [list(), list()]
    await held.came(2)
    expect(harness.sandbox.calls('square').map(({ status }) => status)).toEqual([0, 0])
    held.release()
    expect((await Promise.all([...both, list()])).map(({ status }) => status)).toEqual([200, 200, 200])
  })
})

it('the clock of a platform runs on, can be moved, and stands still', () => {
  let ours = 10_300
  const time = createMovableClock(() => ours)
  ours += 50
  expect(time.now()).toBe(10_350)
  time.nextSecond()
  expect(time.now()).toBe(11_000)
  time.nextSecond()
  expect(time.now()).toBe(12_000)
  time.stop()
  ours += 700
  time.skip(5)
  expect(time.now()).toBe(12_005)
  time.go()
  expect(time.now()).toBe(12_005)
  ours += 20
  expect(time.now()).toBe(12_025)
})
