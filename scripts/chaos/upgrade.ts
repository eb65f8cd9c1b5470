// npm run chaos -- upgrade --from REVISION [--writes 500] [--updates 0] [--instances 3] [--kills 6] [--seed 7]
// [--platforms square,toast]
// REVISION is a tag or commit of an older version, or the folder of its checkout. It is built with the dependencies of
// this version if it is not a built folder. All instances start with it, on one PostgreSQL database. Each kill
// replaces one of them by this version: the first upgrades the database under the writes of the others, and both
// versions write until the last one is replaced. Every write must be made exactly once.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { connectors } from '../../src/platforms/registry.ts'
import { chaoticFaults } from '../../test/chaos/faults.ts'
import { report } from '../../test/chaos/report.ts'
import { runChaos } from '../../test/chaos/run.ts'
import { freshDatabase, startPostgres } from '../../test/postgres.ts'

const text = { type: 'string' } as const
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { from: text, writes: text, updates: text, instances: text, kills: text, seed: text, platforms: text },
})
const root = join(import.meta.dirname, '../..')
const git = (...parameters: string[]) => execFileSync('git', parameters, { cwd: root, encoding: 'utf8' })
const { from } = values
if (!from) {
  console.error('--from takes a tag or commit of the older version, or the folder of its checkout.')
  process.exit(2)
}
/** The folder, or a temporary checkout of the revision. */
function folderOf(place: string): string {
  if (existsSync(join(place, 'dist/main.mjs'))) return resolve(place)
  const folder = join(mkdtempSync(join(tmpdir(), 'unified-records-older-')), 'checkout')
  git('worktree', 'add', '--quiet', '--detach', folder, place)
  process.once('exit', () => {
    git('worktree', 'remove', '--force', folder)
    rmSync(resolve(folder, '..'), { recursive: true, force: true })
  })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  execFileSync(process.execPath, ['scripts/setup/build.mjs'], { cwd: folder, stdio: 'inherit' })
  return folder
}
const whole = (name: 'writes' | 'updates' | 'instances' | 'kills' | 'seed', fallback: number): number => {
  const number = Number(values[name] ?? fallback)
  if (Number.isInteger(number) && number >= 0) return number
  console.error(`--${name} takes a whole number, not "${values[name]}".`)
  process.exit(2)
}
const instances = whole('instances', 3)
const kills = whole('kills', 2 * instances)
if (kills < instances) {
  console.error(`--kills must be at least ${instances}, so that every instance is replaced.`)
  process.exit(2)
}
const older = folderOf(from)
const postgres = await startPostgres()
try {
  const result = await runChaos({
    writes: whole('writes', 500),
    updates: whole('updates', 0),
    instances,
    kills,
    seed: whole('seed', 1 + Math.floor(Math.random() * 1e9)),
    platforms: values.platforms?.split(',') ?? Object.keys(connectors),
    databaseUrl: await freshDatabase(postgres.url),
    older: join(older, 'dist/main.mjs'),
    faults: chaoticFaults(),
    awaitSweep: true,
    say: (line) => console.log(line),
  })
  console.log(report(result))
  process.exitCode = result.violations.length === 0 ? 0 : 1
} finally {
  await postgres.stop()
}
process.exit()
