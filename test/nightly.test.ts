// `npm run nightly` warns before a version of a platform's API must be reviewed.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { connectors } from '../src/platforms/registry.ts'

const script = join(import.meta.dirname, '../scripts/check/nightly.ts')
const day = 86_400_000
const versions = Object.values(connectors).map(({ apiVersion, name }) => ({ name, reviewBy: apiVersion.reviewBy }))
const first = versions.map(({ reviewBy }) => reviewBy).toSorted()[0] as string
const firstNames = versions.filter(({ reviewBy }) => reviewBy === first).map(({ name }) => name)

function nightlyAt(now: number, ...parameters: string[]) {
  const clock = `import { mock } from 'node:test'; mock.timers.enable({ apis: ['Date'], now: ${now} })`
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(clock)}`, script, ...parameters],
    { encoding: 'utf8' },
  )
  return { status, lines: stdout.trim().split('\n'), stderr }
}
const reviewsAt = (daysBefore: number) =>
  nightlyAt(Date.parse(`${first}T00:00:00Z`) - daysBefore * day, '--only', 'reviews')

it('says nothing 121 days before the first review', () => {
  const { status, lines } = reviewsAt(121)
  expect([status, lines]).toEqual([
    0,
    ['── reviews ──', 'No version of an API is due for review within 120 days.', 'ok      reviews'],
  ])
})
it('warns 120 days before', () => {
  const { status, lines } = reviewsAt(120)
  expect([status, lines.at(-1)]).toEqual([0, 'ok      reviews'])
  for (const name of firstNames)
    expect(lines).toContainEqual(
      expect.stringMatching(`^warning  ${name}: review version .* by ${first}, days left: 120\\.`),
    )
})
it('fails when the day has passed', () => {
  const { status, lines } = reviewsAt(-1)
  expect([status, lines.at(-1)]).toEqual([1, 'FAILED  reviews'])
  for (const name of firstNames)
    expect(lines).toContainEqual(expect.stringMatching(`^OVERDUE  ${name}: review version .* by ${first}\\.`))
})
it('rejects a part that does not exist', () => {
  const { status, stderr } = nightlyAt(Date.now(), '--only', 'chaos,all')
  expect([status, stderr]).toEqual([
    2,
    '--only takes chaos, safeguards, changes, deliveries, mcp, sandbox, upgrade, failover, fuzz, native, tests, pooler, partitions, repeat, bench, clients, calls, pack, deploy, image, reviews; not all.\n',
  ])
})
