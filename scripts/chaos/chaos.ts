// npm run chaos -- --writes 5000 --updates 2000 --instances 3 [--kills 25] [--pauses 5] [--cuts 5] [--seed 7]
// [--platforms square,toast] [--minutes 10]
// npm run chaos -- safeguards: each safeguard switched off in turn
// npm run chaos -- changes: the change feed instead of writes
// npm run chaos -- deliveries: outgoing webhooks
// npm run chaos -- mcp: agents that lose responses and retry with fresh keys
// npm run chaos -- native: native calls that write
// npm run chaos -- upgrade --from REVISION: instances of an older version, replaced one by one
// npm run chaos -- failover: the primary of a PostgreSQL pair is killed
// npm run chaos -- sandbox: the service is killed together with its simulators
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { justInside, runLate } from '../../test/chaos/late.ts'
import { report } from '../../test/chaos/report.ts'
import { runChaos } from '../../test/chaos/run.ts'
import { runStandstill } from '../../test/chaos/standstill.ts'
import { freshDatabase, startPostgres } from '../../test/postgres.ts'

if (process.argv[2] === 'changes') await import('./changes.ts') // ends the process
if (process.argv[2] === 'deliveries') await import('./deliveries.ts') // ends the process
if (process.argv[2] === 'mcp') await import('./mcp.ts') // ends the process
if (process.argv[2] === 'native') await import('./native.ts') // ends the process
if (process.argv[2] === 'upgrade') await import('./upgrade.ts') // ends the process
if (process.argv[2] === 'failover') await import('./failover.ts') // ends the process
if (process.argv[2] === 'sandbox') await import('./sandbox.ts') // ends the process
if (process.argv[2] === 'safeguards') {
  // Each safeguard is switched off in turn, and the checker must notice.
  const vitest = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs')
  const { status } = spawnSync(process.execPath, [vitest, 'run', 'test/chaos/safeguards.long.ts'], {
    stdio: 'inherit',
    env: { ...process.env, LONG_TESTS: '1' },
  })
  process.exit(status ?? 1)
}

const text = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    writes: text,
    updates: text,
    instances: text,
    kills: text,
    pauses: text,
    cuts: text,
    seed: text,
    platforms: text,
    minutes: text,
    callers: text,
  },
})

const mayBeZero = new Set(['kills', 'updates', 'pauses', 'cuts'])
function whole(name: keyof typeof values, fallback: number): number {
  const given = values[name]
  const number = given === undefined ? fallback : Number(given)
  if (!Number.isInteger(number) || number < (mayBeZero.has(name) ? 0 : 1))
    throw new Error(`--${name} takes a whole number, not "${given}"`)
  return number
}

const known = Object.keys(connectors).filter((platform) => simulators[platform])
const platforms = values.platforms?.split(',') ?? known
const unknown = platforms.filter((platform) => !known.includes(platform))
if (unknown.length > 0) throw new Error(`--platforms takes ${known.join(', ')}; not ${unknown.join(', ')}`)
const writes = whole('writes', 1000)
const instances = whole('instances', 1)
const kills = whole('kills', Math.max(3, Math.min(30, Math.ceil(writes / 100))))
const updates = whole('updates', Math.ceil(writes * 0.4))
const pauses = whole('pauses', Math.ceil(writes / 1000))
const cuts = whole('cuts', instances > 1 ? Math.ceil(writes / 1000) : 0)
if (cuts > 0 && instances === 1) throw new Error('--cuts needs --instances 2 or more: SQLite has no connection to cut')
const seed = whole('seed', 1 + Math.floor(Math.random() * 1e9))
console.log(
  `seed ${seed}: repeat with npm run chaos -- --writes ${writes} --updates ${updates} --instances ${instances} --kills ${kills} --pauses ${pauses} --cuts ${cuts} --seed ${seed} --platforms ${platforms.join(',')}`,
)

const postgres = instances > 1 ? await startPostgres() : undefined
const database = async () => postgres && (await freshDatabase(postgres.url))
/**
 * The longest that a call can be under way, where effects come after the response: longer than the longest of these.
 */
const callTimeoutMs = 25_000
try {
  const [result, late, standstill] = await Promise.all([
    runChaos({
      writes,
      updates,
      instances,
      kills,
      pauses,
      cuts,
      seed,
      platforms,
      callers: whole('callers', 30),
      minutes: values.minutes === undefined ? undefined : whole('minutes', 1),
      databaseUrl: await database(),
      awaitSweep: true,
      say: (line) => console.log(line),
    }),
    runLate({
      callTimeoutMs,
      delaysMs: [5000, 20_000, justInside(callTimeoutMs)],
      instances,
      databaseUrl: await database(),
    }),
    postgres ? runStandstill({ databaseUrl: (await database()) as string }) : [],
  ])
  console.log(report(result))
  const beside = [...late, ...standstill]
  for (const { kind, site, detail } of beside) console.log(`${kind.toUpperCase()} ${site}: ${detail}`)
  console.log(
    `${beside.length === 0 ? 'PASSED' : 'FAILED'}: effects after the response${postgres ? ', processes that stand still' : ''}`,
  )
  process.exitCode = result.violations.length + beside.length === 0 ? 0 : 1
} finally {
  await postgres?.stop()
}
// Without it, Node.js can wait forever for the handles of processes that were killed.
process.exit()
