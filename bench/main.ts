// `npm run bench`: comparisons inside one run, printed as ratios. `--quick` is a short run, `--json` prints JSON,
// `--only reads` runs a part; `npm run bench -- pacing` runs another benchmark.
import { parseArgs } from 'node:util'
import { benchActivity, showActivity } from './activity.ts'
import { benchBursts, showBursts } from './bursts.ts'
import { benchChangesCallers, showChangesCallers } from './changes-callers.ts'
import { benchChangesSize, showChangesSize } from './changes-size.ts'
import { benchDashboard, showDashboard } from './dashboard.ts'
import { benchDeliveries, showDeliveries } from './deliveries.ts'
import { benchHostile, showHostile } from './hostile.ts'
import { benchOverload, showOverload } from './overload.ts'
import { benchPacing, showPacing } from './pacing.ts'
import { benchPull, showPull } from './pull.ts'
import { benchReservations, showReservations } from './reservations.ts'
import { benchScale, showScale } from './scale.ts'
import { benchSpeed, showSpeed } from './speed/speed.ts'
import { benchVisits, showVisits } from './visits.ts'
import { benchWindows, showWindows } from './windows.ts'

/** Returns the figures, and the same as a table. */
const benchmarks: Record<string, (quick: boolean) => Promise<{ results: unknown; shown: string }>> = {
  async activity(quick) {
    const results = await benchActivity(quick ? { rounds: 5, seconds: 3 } : { rounds: 12, seconds: 4 })
    return { results, shown: showActivity(results) }
  },
  async bursts(quick) {
    const results = await benchBursts(quick ? 1 : 5)
    return { results, shown: showBursts(results) }
  },
  async changes(quick) {
    const size = only === 'callers' ? undefined : await benchChangesSize(quick ? 20_000 : 1_000_000)
    const callers =
      only === 'size'
        ? undefined
        : await benchChangesCallers(quick ? { rounds: 3, seconds: 4 } : { rounds: 9, seconds: 8 })
    const shown = [size && showChangesSize(size), callers && showChangesCallers(callers)]
    return { results: { size, callers }, shown: shown.filter((part) => part !== undefined).join('\n\n') }
  },
  async dashboard(quick) {
    const results = await benchDashboard(quick ? 50_000 : 1_000_000)
    return { results, shown: showDashboard(results) }
  },
  async deliveries(quick) {
    const results = await benchDeliveries(
      quick
        ? { accounts: 50, perSecond: 50, seconds: 10, rounds: 1, roundSeconds: 5 }
        : { accounts: 200, perSecond: 200, seconds: 30, rounds: 5, roundSeconds: 10 },
    )
    return { results, shown: showDeliveries(results) }
  },
  async hostile(quick) {
    const results = await benchHostile(quick ? 8 : 30)
    return { results, shown: showHostile(results) }
  },
  async speed(quick) {
    const report = await benchSpeed(quick, only)
    return { results: report, shown: showSpeed(report) }
  },
  async overload(quick) {
    const results = await benchOverload({ connections: 10_000, seconds: quick ? 20 : 60 })
    return { results, shown: showOverload(results) }
  },
  async pacing(quick) {
    const results = await benchPacing(quick ? 15 : 60, only)
    return { results, shown: showPacing(results) }
  },
  async pull(quick) {
    const results = await benchPull(quick ? 50_000 : 1_000_000)
    return { results, shown: showPull(results) }
  },
  async reservations(quick) {
    const results = await benchReservations(quick ? 2_000 : 20_000)
    return { results, shown: showReservations(results) }
  },
  async scale(quick) {
    const results = await benchScale(quick ? { accounts: 100, calls: 500 } : { accounts: 1_000, calls: 5_000 })
    return { results, shown: showScale(results) }
  },
  async visits(quick) {
    const results = await benchVisits(quick ? 3 : 20)
    return { results, shown: showVisits(results) }
  },
  async windows(quick) {
    const results = await benchWindows(quick ? { seconds: 20, starts: 5 } : { seconds: 90, starts: 20 }, only)
    return { results, shown: showWindows(results) }
  },
}
const usage = `npm run bench -- [${Object.keys(benchmarks).join('|')}] [--quick] [--json] [--only PART]`
const { values, positionals } = (() => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        help: { type: 'boolean' },
        quick: { type: 'boolean' },
        json: { type: 'boolean' },
        only: { type: 'string' },
      },
    })
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`)
    process.exit(2)
  }
})()
const { only } = values
const [what = 'speed'] = positionals
const benchmark = benchmarks[what]
if (values.help) console.log(usage)
else if (!benchmark) {
  console.error(`there is no benchmark "${what}"\n${usage}`)
  process.exitCode = 2
} else {
  const { results, shown } = await benchmark(values.quick === true)
  console.log(values.json ? JSON.stringify(results, null, 2) : shown)
}
