// npm run chaos -- failover [--writes 1500] [--failovers 3] [--instances 2] [--seed 7] [--platforms square,toast]
// [--commit on|remote_apply]: kills the primary of a PostgreSQL pair with -9 while writes run, and promotes the standby.
// With --asynchronous the standby is behind when it is promoted: acknowledged writes are lost, and the check must fail.
import { parseArgs } from 'node:util'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { report } from '../../test/chaos/report.ts'
import { runChaos } from '../../test/chaos/run.ts'
import { startReplicatedPostgres } from '../../test/replicated-postgres.ts'

const text = { type: 'string' } as const
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    writes: text,
    failovers: text,
    instances: text,
    seed: text,
    platforms: text,
    commit: text,
    asynchronous: { type: 'boolean', default: false },
  },
})
function whole(name: 'writes' | 'failovers' | 'instances' | 'seed', fallback: number): number {
  const number = Number(values[name] ?? fallback)
  if (!Number.isInteger(number) || number < 1)
    throw new Error(`--${name} takes a whole number of at least 1, not "${values[name]}"`)
  return number
}
const { commit = 'on', asynchronous } = values
if (commit !== 'on' && commit !== 'remote_apply') throw new Error(`--commit takes on or remote_apply, not "${commit}"`)
const known = Object.keys(connectors).filter((platform) => simulators[platform])
const platforms = values.platforms?.split(',') ?? known
const unknown = platforms.filter((platform) => !known.includes(platform))
if (unknown.length > 0) throw new Error(`--platforms takes ${known.join(', ')}; not ${unknown.join(', ')}`)
const [writes, failovers, instances] = [whole('writes', 1500), whole('failovers', 3), whole('instances', 2)]
const seed = whole('seed', 1 + Math.floor(Math.random() * 1e9))
console.log(
  `seed ${seed}: repeat with npm run chaos -- failover --writes ${writes} --failovers ${failovers} --instances ${instances} --seed ${seed} --commit ${commit}${asynchronous ? ' --asynchronous' : ''} --platforms ${platforms.join(',')}`,
)

const postgres = await startReplicatedPostgres({ synchronous: !asynchronous, synchronousCommit: commit })
let begun = 0
let running = false
let killedAt: number | undefined // until the next write is acknowledged
/** Of an asynchronous standby that is about to be promoted: how far it is behind. */
const writesBehind = Math.max(1, Math.round(writes / 5))
try {
  const result = await runChaos({
    writes,
    updates: Math.ceil(writes * 0.2),
    instances,
    kills: 0,
    seed,
    platforms,
    faults: [],
    databaseUrl: postgres.url,
    awaitSweep: true,
    say: (line) => console.log(line),
    disrupt(settled) {
      if (killedAt !== undefined && !running) {
        console.log(`the first write after the failover was acknowledged ${seconds(killedAt)} s after the kill`)
        killedAt = undefined
        return begun < failovers ? postgres.addStandby() : undefined
      }
      const due = Math.round((writes * (begun + 1)) / (failovers + 1))
      if (asynchronous && settled === due - writesBehind) return postgres.delayStandby()
      if (running || begun === failovers || settled < due) return undefined
      begun++
      running = true
      killedAt = performance.now()
      return postgres.failOver().then((milliseconds) => {
        running = false
        console.log(`failover ${begun} after ${settled} writes: promoted in ${(milliseconds / 1000).toFixed(1)} s`)
      })
    },
  })
  console.log(report(result))
  const acknowledged = result.outcomes.filter(({ id }) => id !== undefined).length
  const passed = result.violations.length === 0 && begun === failovers
  console.log(
    `${passed ? 'PASSED' : 'FAILED'}: failovers to ${asynchronous ? 'an asynchronous' : 'a synchronous'} standby: ${begun}, acknowledged writes: ${acknowledged}`,
  )
  process.exitCode = passed ? 0 : 1
} finally {
  await postgres.stop()
}
// Without it, Node.js can wait forever for the handles of processes that were killed.
process.exit()

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1)
}
