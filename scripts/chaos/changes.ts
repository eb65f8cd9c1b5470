// npm run chaos -- changes [--changes 20000] [--instances 3] [--kills 20] [--pauses 3] [--cuts 2] [--writes 400]
// [--interruptions 20] [--seed 7] [--database sqlite|postgres] [--platforms square,toast] [--rate 60]
// By default one instance on SQLite, then three on PostgreSQL.
// npm run chaos -- changes safeguards: each safeguard switched off in turn
import { simulators } from '../../src/platforms/simulators.ts'
import { reportFeed } from '../../test/chaos/changes/report.ts'
import { runFeedChaos } from '../../test/chaos/changes/run.ts'
import { chaosCommand } from './command.ts'

const names = ['changes', 'kills', 'pauses', 'cuts', 'writes', 'interruptions', 'platforms', 'rate']
const { text, whole, onEach } = chaosCommand('test/chaos/changes', names)
const known = Object.keys(simulators)
const platforms = text('platforms')?.split(',') ?? known
const unknown = platforms.filter((platform) => !known.includes(platform))
if (unknown.length > 0) throw new Error(`--platforms takes ${known.join(', ')}; not ${unknown.join(', ')}`)
const changes = whole('changes', 20_000, 1)
await onEach(async ({ kind, instances, seed, databaseUrl }) => {
  const run = {
    changes,
    instances,
    kills: whole('kills', Math.max(2, Math.min(20, Math.ceil(changes / 1000)))),
    pauses: whole('pauses', Math.ceil(changes / 10_000)),
    cuts: kind === 'postgres' ? whole('cuts', Math.ceil(changes / 10_000)) : 0,
    writes: whole('writes', Math.ceil(changes / 50)),
    interruptions: whole('interruptions', Math.ceil(changes / 1000)),
  }
  const rate = whole('rate', 60, 1)
  const given = { ...run, rate, database: kind, seed, platforms: platforms.join(',') }
  const options = Object.entries(given).map(([name, value]) => `--${name} ${value}`)
  console.log(`${kind}, seed ${seed}: repeat with npm run chaos -- changes ${options.join(' ')}`)
  const say = (line: string) => console.log(line)
  const result = await runFeedChaos({ ...run, perSecond: rate, seed, platforms, databaseUrl, say })
  console.log(reportFeed(result))
  return result.violations.length
})
