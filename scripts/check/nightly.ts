// `npm run nightly`: what is too slow for `npm test`, for a scheduler. Chaos, fuzz, all tests with the cases of which
// `npm test` takes a part, the database through PgBouncer and with partitions, all tests three times in random order
// beside a load, benchmarks, the calls per 1 000 records of all platforms, packages and deployment, then the versions of
// platforms' APIs that must be reviewed.
// `--only reviews,fuzz` runs some parts. Exits with 1 if a part fails.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { daysToReview, reviewNoticeDays } from '../../src/contract/review.ts'
import { connectors } from '../../src/platforms/registry.ts'

const program =
  (path: string, ...parameters: string[]) =>
  (): boolean =>
    spawnSync(process.execPath, [join(import.meta.dirname, '../..', path), ...parameters], { stdio: 'inherit' })
      .status === 0
/** Test files with all cases and another database. */
const tests = (paths: readonly string[], environment: Record<string, string>) => (): boolean =>
  spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...paths], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, CASES: 'all', ...environment },
    stdio: 'inherit',
  }).status === 0

/** A review that is due soon is a warning, an overdue one is a failure. */
function reviews(): boolean {
  const due = Object.values(connectors)
    .map(({ name, apiVersion }) => ({ name, apiVersion, days: daysToReview(apiVersion) }))
    .filter(({ days }) => days <= reviewNoticeDays)
    .toSorted((left, right) => left.days - right.days)
  for (const { name, apiVersion, days } of due)
    console.log(
      `${days < 0 ? 'OVERDUE' : 'warning'}  ${name}: review version ${apiVersion.name} of its API by ${apiVersion.reviewBy}${days < 0 ? '' : `, days left: ${days}`}. Check the vendor's changelog, then set apiVersion in the connector.`,
    )
  if (due.length === 0) console.log(`No version of an API is due for review within ${reviewNoticeDays} days.`)
  return due.every(({ days }) => days >= 0)
}

/** 0.1.0, which has no tag. It needs the history of the repository. */
const previousRelease = '029a4e1a6bb12c3428177ee5a4a8aad86f94b643'
/** Alone, 0.1.0 sometimes takes one Clover record for two keys with equal content. */
const platformsOfPrevious = Object.keys(connectors)
  .filter((platform) => platform !== 'clover')
  .join(',')
const parts: Readonly<Record<string, () => boolean>> = {
  chaos: program('scripts/chaos/chaos.ts'),
  safeguards: program('scripts/chaos/chaos.ts', 'safeguards'),
  changes: program('scripts/chaos/chaos.ts', 'changes', '--changes', '3000'),
  deliveries: program('scripts/chaos/chaos.ts', 'deliveries', '--events', '10000'),
  mcp: program('scripts/chaos/chaos.ts', 'mcp', '--writes', '300'),
  sandbox: program('scripts/chaos/chaos.ts', 'sandbox'),
  upgrade: program(
    'scripts/chaos/chaos.ts',
    'upgrade',
    '--from',
    previousRelease,
    '--writes',
    '300',
    '--platforms',
    platformsOfPrevious,
  ),
  failover: program('scripts/chaos/chaos.ts', 'failover'),
  fuzz: program('scripts/check/fuzz.ts'),
  native: program('scripts/check/fuzz.ts', 'native', '--requests', '200000'),
  tests: program('scripts/check/test.ts', '--only', 'tests', '--cases', 'all'),
  pooler: tests(['src/store', 'src/engine/outbound/pacing'], { POOLER: '1' }),
  partitions: tests(['src/store', 'src/engine/write'], { PARTITIONED: '1' }),
  repeat: program('scripts/check/repeat.ts', '3', '--busy', '4'),
  bench: program('bench/main.ts', '--quick'),
  clients: program('scripts/clients/generated-clients.ts'),
  calls: program('scripts/docs/generate-docs.ts', '--check', '--measure'),
  pack: program('scripts/release/pack-check.ts'),
  deploy: program('scripts/release/deploy-check.ts'),
  image: program('scripts/release/image-check.ts'),
  reviews,
}
const { values } = parseArgs({ options: { only: { type: 'string', default: Object.keys(parts).join(',') } } })
const chosen = values.only.split(',')
const unknown = chosen.filter((name) => !parts[name])
if (unknown.length > 0) {
  console.error(`--only takes ${Object.keys(parts).join(', ')}; not ${unknown.join(', ') || 'nothing'}.`)
  process.exit(2)
}
const outcomes = chosen.map((name) => {
  console.log(`── ${name} ──`)
  return { name, passed: parts[name]?.() ?? false }
})
console.log(outcomes.map(({ name, passed }) => `${passed ? 'ok    ' : 'FAILED'}  ${name}`).join('\n'))
process.exitCode = outcomes.every(({ passed }) => passed) ? 0 : 1
