// The sandbox of a chaos run: counts limit violations without rejecting calls, chooses faults from the run's seed, and
// counts every call.
import { flushCompileCache } from 'node:module'
import type { EntityType } from '../../src/contract/entity.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { createRandom } from './random.ts'
import type { Ask, Due, NativeChange, NativeChanged, NativePlace, Tally } from './sandbox-process.ts'

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

const tenantOf = ({ platform, vertical }: Omit<Due, 'amount'>) =>
  sandbox.simulator(platform).tenants.find((tenant) => tenant.vertical === vertical)
const recordsOf = ({ entityType, ...place }: Omit<NativeChange, 'operation' | 'id'>) =>
  tenantOf(place)?.records[entityType]

function places(): NativePlace[] {
  return sandbox.platforms.flatMap((platform) =>
    sandbox.simulator(platform).tenants.flatMap(({ vertical, records }) =>
      Object.entries(records).map(([entityType, native]) => ({
        platform,
        vertical,
        entityType: entityType as EntityType,
        ids: native.ids(),
        removes: native.remove !== undefined,
      })),
    ),
  )
}
/** Null if the record does not exist, or the platform deletes none. */
function change({ operation, id = '', ...place }: NativeChange): NativeChanged | null {
  const records = recordsOf(place)
  if (!records) throw new Error(`the tenant has no records of ${place.entityType}`)
  const before = new Set(records.ids())
  if (operation !== 'add' && !before.has(id)) return null
  const from = Date.now()
  if (operation === 'add') records.add(1)
  else if (operation === 'touch') records.touch(id)
  else if (records.remove) records.remove(id)
  else return null
  const to = Date.now()
  const after = new Set(records.ids())
  return {
    from,
    to,
    appeared: [...after].filter((one) => !before.has(one)),
    gone: [...before].filter((one) => !after.has(one)),
  }
}
function payable({ amount, ...place }: Due): string {
  const id = tenantOf(place)?.payable?.(amount)
  if (id === undefined) throw new Error('the tenant has no orders that are due')
  return id
}
function answer(ask: Ask): unknown {
  if (ask.what === 'places') return places()
  if (ask.what === 'change') return change(ask.change)
  if (ask.what === 'payable') return payable(ask.due)
  count()
  return tally
}
process.on('message', ({ number, ask }: { number: number; ask: Ask }) =>
  process.send?.({ number, answer: answer(ask) }),
)
process.on('disconnect', () => process.exit(0))
flushCompileCache() // it ends with kill -9, and the next one starts faster
process.send?.({ listening: sandbox.url })
