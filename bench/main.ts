// `npm run bench -- pacing`: comparisons inside one run, printed as ratios. `--quick` for a short one, `--json` for machines.
import { benchPacing, showPacing } from './pacing.ts'
import { benchReservations, showReservations } from './reservations.ts'
import { benchScale, showScale } from './scale.ts'

/** Answers what to print: the figures, and the same as a table. */
const benchmarks: Record<string, (quick: boolean) => Promise<{ results: unknown; shown: string }>> = {
  async pacing(quick) {
    const results = await benchPacing(quick ? 15 : 60)
    return { results, shown: showPacing(results) }
  },
  async reservations(quick) {
    const results = await benchReservations(quick ? 2_000 : 20_000)
    return { results, shown: showReservations(results) }
  },
  async scale(quick) {
    const results = await benchScale(quick ? { accounts: 100, calls: 500 } : { accounts: 1_000, calls: 5_000 })
    return { results, shown: showScale(results) }
  },
}
const [what = 'pacing', ...options] = process.argv.slice(2)
const benchmark = benchmarks[what]
if (!benchmark) {
  console.error(`there is no benchmark "${what}"; there are: ${Object.keys(benchmarks).join(', ')}`)
  process.exit(2)
}
const { results, shown } = await benchmark(options.includes('--quick'))
console.log(options.includes('--json') ? JSON.stringify(results, null, 2) : shown)
