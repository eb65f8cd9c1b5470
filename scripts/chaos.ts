// npm run chaos -- --writes 10000 --instances 3 [--kills 25] [--seed 7] [--platforms square,toast] [--minutes 10]
import { parseArgs } from 'node:util'
import { connectors } from '../src/platforms/registry.ts'
import { simulators } from '../src/platforms/simulators.ts'
import { report } from '../test/chaos/report.ts'
import { runChaos } from '../test/chaos/run.ts'
import { freshDatabase, startPostgres } from '../test/postgres.ts'

const text = { type: 'string' } as const
const { values } = parseArgs({
  options: { writes: text, instances: text, kills: text, seed: text, platforms: text, minutes: text, callers: text },
})

function whole(name: keyof typeof values, fallback: number): number {
  const given = values[name]
  const number = given === undefined ? fallback : Number(given)
  if (!Number.isInteger(number) || number < (name === 'kills' ? 0 : 1))
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
const seed = whole('seed', 1 + Math.floor(Math.random() * 1e9))
console.log(
  `seed ${seed}: repeat with npm run chaos -- --writes ${writes} --instances ${instances} --kills ${kills} --seed ${seed} --platforms ${platforms.join(',')}`,
)

const postgres = instances > 1 ? await startPostgres() : undefined
try {
  const result = await runChaos({
    writes,
    instances,
    kills,
    seed,
    platforms,
    callers: whole('callers', 30),
    minutes: values.minutes === undefined ? undefined : whole('minutes', 1),
    databaseUrl: postgres && (await freshDatabase(postgres.url)),
    say: (line) => console.log(line),
  })
  console.log(report(result))
  process.exitCode = result.violations.length === 0 ? 0 : 1
} finally {
  await postgres?.stop()
}
