// The sandbox of a chaos run: counts limit violations without rejecting calls, chooses faults from the run's seed, and
// counts every call.
import { flushCompileCache } from 'node:module'
import { simulators } from '../../src/platforms/simulators.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { createRandom } from './random.ts'
import type { Tally } from './sandbox-process.ts'

const { CHAOS_SEED = '1', CHAOS_PLATFORMS = '', PACE_SCALE = '1' } = process.env
const random = createRandom(`${CHAOS_SEED}/sandbox`)
Math.random = random.number // the sandbox chooses its faults with it

const selected = CHAOS_PLATFORMS.split(',')
const sandbox = await createSandbox({
  simulators: Object.fromEntries(Object.entries(simulators).filter(([platform]) => selected.includes(platform))),
  size: 'small',
  paceScale: Number(PACE_SCALE),
  strict: false,
})
const tally: Tally = {}
for (const platform of sandbox.platforms) tally[platform] = { calls: 0, over: 0, faults: {}, faultyWrites: {} }

/** The sandbox stores only the last calls, so they are counted before they are dropped. */
function count(): void {
  for (const platform of sandbox.platforms) {
    const sums = tally[platform]!
    for (const { fault, method, path, overLimit } of sandbox.calls(platform)) {
      sums.calls++
      if (overLimit) sums.over++
      if (!fault) continue
      sums.faults[fault] = (sums.faults[fault] ?? 0) + 1
      if (method === 'GET') continue
      const call = `${method} ${path} ${fault}`
      sums.faultyWrites[call] = (sums.faultyWrites[call] ?? 0) + 1
    }
    sandbox.clearCalls(platform)
  }
}
setInterval(count, 100)

process.on('message', () => {
  count()
  process.send?.({ tally })
})
process.on('disconnect', () => process.exit(0))
flushCompileCache() // it ends with kill -9, and the next one starts faster
process.send?.({ listening: sandbox.url })
