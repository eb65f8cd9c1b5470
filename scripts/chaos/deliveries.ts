// npm run chaos -- deliveries [--events 100000] [--kills 20] [--pauses 2] [--instances 1|3] [--seed 7]
// [--database sqlite|postgres]
// By default one instance on SQLite, then three on PostgreSQL.
// npm run chaos -- deliveries safeguards: each safeguard switched off in turn
import { reportDeliveries } from '../../test/chaos/deliveries/report.ts'
import { runDeliveryChaos } from '../../test/chaos/deliveries/run.ts'
import { chaosCommand } from './command.ts'

const { whole, onEach } = chaosCommand('test/chaos/deliveries', ['events', 'kills', 'pauses'])
const events = whole('events', 100_000, 1)
await onEach(async ({ kind, instances, seed, databaseUrl }) => {
  const run = {
    events,
    instances,
    kills: whole('kills', Math.max(2, Math.min(20, Math.ceil(events / 5000)))),
    pauses: whole('pauses', instances > 1 ? Math.ceil(events / 50_000) : 0),
  }
  const options = Object.entries({ ...run, database: kind, seed }).map(([name, value]) => `--${name} ${value}`)
  console.log(`${kind}, seed ${seed}: repeat with npm run chaos -- deliveries ${options.join(' ')}`)
  const result = await runDeliveryChaos({ ...run, seed, databaseUrl, say: (line) => console.log(line) })
  console.log(reportDeliveries(result))
  return result.violations.length
})
