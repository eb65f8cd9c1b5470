// `npm run bench -- pacing`: comparisons inside one run, printed as ratios. `--quick` for a short one, `--json` for machines.
import { benchPacing, showPacing } from './pacing.ts'

const [what = 'pacing', ...options] = process.argv.slice(2)
const quick = options.includes('--quick')
if (what !== 'pacing') {
  console.error(`there is no benchmark "${what}"; there is: pacing`)
  process.exit(2)
}
const results = await benchPacing(quick ? 15 : 60)
console.log(options.includes('--json') ? JSON.stringify(results, null, 2) : showPacing(results))
