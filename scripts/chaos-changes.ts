// npm run chaos -- changes [--changes 20000] [--instances 3] [--kills 20] [--pauses 3] [--cuts 2] [--writes 400]
// [--seed 7] [--database sqlite|postgres] [--platforms square,toast] [--rate 60]
// By default one instance on SQLite, then three on PostgreSQL.
// npm run chaos -- changes safeguards: each safeguard switched off in turn
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { simulators } from '../src/platforms/simulators.ts'
import { reportFeed } from '../test/chaos/changes/report.ts'
import { runFeedChaos } from '../test/chaos/changes/run.ts'
import { freshDatabase, startPostgres } from '../test/postgres.ts'

const given = process.argv.slice(3)
if (given[0] === 'safeguards') {
  const vitest = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs')
  const { status } = spawnSync(process.execPath, [vitest, 'run', 'test/chaos/changes'], {
    stdio: 'inherit',
    env: { ...process.env, LONG_TESTS: '1' },
  })
  process.exit(status ?? 1)
}

const text = { type: 'string' } as const
const { values } = parseArgs({
  args: given,
  options: {
    changes: text,
    instances: text,
    kills: text,
    pauses: text,
    cuts: text,
    writes: text,
    interruptions: text,
    seed: text,
    database: text,
    platforms: text,
    rate: text,
  },
})
function whole(name: Exclude<keyof typeof values, 'database' | 'platforms'>, fallback: number, least = 0): number {
  const value = values[name] === undefined ? fallback : Number(values[name])
  if (!Number.isInteger(value) || value < least)
    throw new Error(`--${name} takes a whole number of at least ${least}, not "${values[name]}"`)
  return value
}
const known = Object.keys(simulators)
const platforms = values.platforms?.split(',') ?? known
const unknown = platforms.filter((platform) => !known.includes(platform))
if (unknown.length > 0) throw new Error(`--platforms takes ${known.join(', ')}; not ${unknown.join(', ')}`)
if (values.database !== undefined && values.database !== 'sqlite' && values.database !== 'postgres')
  throw new Error(`--database takes sqlite or postgres, not "${values.database}"`)
const wanted = values.instances === undefined ? undefined : whole('instances', 1, 1)
const database = values.database ?? (wanted === undefined ? undefined : wanted > 1 ? 'postgres' : 'sqlite')
if (database === 'sqlite' && (wanted ?? 1) > 1) throw new Error('--instances 2 or more needs --database postgres')
const changes = whole('changes', 20_000, 1)
const seed = whole('seed', 1 + Math.floor(Math.random() * 1e9), 1)

let isPassed = true
for (const kind of database ? [database] : (['sqlite', 'postgres'] as const)) {
  const instances = wanted ?? (kind === 'postgres' ? 3 : 1)
  const run = {
    changes,
    instances,
    kills: whole('kills', Math.max(2, Math.min(20, Math.ceil(changes / 1000)))),
    pauses: whole('pauses', Math.ceil(changes / 10_000)),
    cuts: kind === 'postgres' ? whole('cuts', Math.ceil(changes / 10_000)) : 0,
    writes: whole('writes', Math.ceil(changes / 50)),
    interruptions: whole('interruptions', Math.ceil(changes / 1000)),
    perSecond: whole('rate', 60, 1),
  }
  console.log(
    `${kind}, seed ${seed}: repeat with npm run chaos -- changes --database ${kind} --changes ${changes} --instances ${instances} --kills ${run.kills} --pauses ${run.pauses} --cuts ${run.cuts} --writes ${run.writes} --interruptions ${run.interruptions} --rate ${run.perSecond} --seed ${seed} --platforms ${platforms.join(',')}`,
  )
  const postgres = kind === 'postgres' ? await startPostgres() : undefined
  try {
    const result = await runFeedChaos({
      ...run,
      seed,
      platforms,
      databaseUrl: postgres && (await freshDatabase(postgres.url)),
      say: (line) => console.log(line),
    })
    console.log(reportFeed(result))
    isPassed &&= result.violations.length === 0
  } finally {
    await postgres?.stop()
  }
}
// Without it, Node.js can wait forever for the handles of processes that were killed.
process.exit(isPassed ? 0 : 1)
