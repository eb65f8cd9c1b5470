// npm run chaos -- native [--writes 5000] [--kills 20] [--pauses 2] [--instances 1|3] [--seed 7]
// [--database sqlite|postgres]
// By default one instance on SQLite, then three on PostgreSQL.
import { runNativeChaos } from '../../test/chaos/native/run.ts'
import { chaosCommand } from './command.ts'

const { whole, onEach } = chaosCommand('test/chaos/native', ['writes', 'kills', 'pauses'])
const writes = whole('writes', 5000, 1)
await onEach(async ({ kind, instances, seed, databaseUrl }) => {
  const run = {
    writes,
    instances,
    kills: whole('kills', Math.max(2, Math.min(20, Math.ceil(writes / 250)))),
    pauses: whole('pauses', instances > 1 ? 1 : 0),
  }
  const options = Object.entries({ ...run, database: kind, seed }).map(([name, value]) => `--${name} ${value}`)
  console.log(`${kind}, seed ${seed}: repeat with npm run chaos -- native ${options.join(' ')}`)
  const { violations, ...result } = await runNativeChaos({ ...run, seed, databaseUrl })
  console.log(JSON.stringify(result))
  for (const violation of violations) console.log(violation)
  console.log(`${violations.length === 0 ? 'PASSED' : 'FAILED'}: ${violations.length} violations`)
  return violations.length
})
