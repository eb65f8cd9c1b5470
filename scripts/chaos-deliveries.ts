// npm run chaos -- deliveries [--events 100000] [--kills 20] [--pauses 2] [--instances 1|3] [--database sqlite|postgres]
// [--seed 7]
// By default one instance on SQLite, then three on PostgreSQL.
// npm run chaos -- deliveries safeguards: each safeguard switched off in turn
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { reportDeliveries } from '../test/chaos/deliveries/report.ts'
import { runDeliveryChaos } from '../test/chaos/deliveries/run.ts'
import { freshDatabase, startPostgres } from '../test/postgres.ts'

const given = process.argv.slice(3)
if (given[0] === 'safeguards') {
  const vitest = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs')
  const { status } = spawnSync(process.execPath, [vitest, 'run', 'test/chaos/deliveries'], {
    stdio: 'inherit',
    env: { ...process.env, LONG_TESTS: '1' },
  })
  process.exit(status ?? 1)
}

const text = { type: 'string' } as const
const { values } = parseArgs({
  args: given,
  options: { events: text, kills: text, pauses: text, instances: text, seed: text, database: text },
})
function whole(name: Exclude<keyof typeof values, 'database'>, fallback: number, least = 0): number {
  const value = values[name] === undefined ? fallback : Number(values[name])
  if (!Number.isInteger(value) || value < least)
    throw new Error(`--${name} takes a whole number of at least ${least}, not "${values[name]}"`)
  return value
}
if (values.database !== undefined && values.database !== 'sqlite' && values.database !== 'postgres')
  throw new Error(`--database takes sqlite or postgres, not "${values.database}"`)
const wanted = values.instances === undefined ? undefined : whole('instances', 1, 1)
const database = values.database ?? (wanted === undefined ? undefined : wanted > 1 ? 'postgres' : 'sqlite')
if (database === 'sqlite' && (wanted ?? 1) > 1) throw new Error('--instances 2 or more needs --database postgres')
const events = whole('events', 100_000, 1)
const seed = whole('seed', 1 + Math.floor(Math.random() * 1e9), 1)

let isPassed = true
for (const kind of database ? [database] : (['sqlite', 'postgres'] as const)) {
  const instances = wanted ?? (kind === 'postgres' ? 3 : 1)
  const run = {
    events,
    instances,
    kills: whole('kills', Math.max(2, Math.min(20, Math.ceil(events / 5000)))),
    pauses: whole('pauses', instances > 1 ? Math.ceil(events / 50_000) : 0),
  }
  console.log(
    `${kind}, seed ${seed}: repeat with npm run chaos -- deliveries --database ${kind} --events ${events} --instances ${instances} --kills ${run.kills} --pauses ${run.pauses} --seed ${seed}`,
  )
  const postgres = kind === 'postgres' ? await startPostgres() : undefined
  try {
    const result = await runDeliveryChaos({
      ...run,
      seed,
      databaseUrl: postgres && (await freshDatabase(postgres.url)),
      say: (line) => console.log(line),
    })
    console.log(reportDeliveries(result))
    isPassed &&= result.violations.length === 0
  } finally {
    await postgres?.stop()
  }
}
// Without it, Node.js can wait forever for the handles of processes that were killed.
process.exit(isPassed ? 0 : 1)
