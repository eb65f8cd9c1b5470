// All checks: `npm test`. One part: `npm test -- --only types,lint`. Some test files, or any option of vitest: `npm
// test -- src/kit -t money`. Of many cases the part of another seed than that of the commit, or all: `npm test --
// --cases all`.
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { isSeed, type Seed } from '../../test/case-choice.ts'
import { seedOfCommit } from '../../test/commit-seed.ts'
import { linesOf, type Outcome, parts, readReport, succeeded } from './test-report.ts'
import { runNode, runVitest } from './vitest-run.ts'

interface Check {
  part: string
  name: string
  run(): Promise<Omit<Outcome, 'part' | 'name' | 'seconds'>>
}
const root = join(import.meta.dirname, '../..')
const { chosen, filters, cases } = readArguments(process.argv.slice(2))

function reject(why: string): never {
  console.error(why)
  process.exit(2)
}

function readArguments(given: string[]): { chosen: string[]; filters: string[]; cases: Seed } {
  const rest = [...given]
  const take = (option: string): string | undefined => {
    const index = rest.findIndex((argument) => argument === option || argument.startsWith(`${option}=`))
    if (index < 0) return undefined
    const [found = ''] = rest.splice(index, 1)
    return found.includes('=') ? found.slice(option.length + 1) : (rest.splice(index, 1)[0] ?? '')
  }
  const wanted = take('--cases') ?? process.env.CASES ?? String(seedOfCommit())
  if (wanted !== 'all' && !isSeed(wanted)) reject(`--cases takes all or a seed; not ${wanted || 'nothing'}.`)
  const cases = wanted === 'all' ? wanted : Number(wanted)
  const names = take('--only')
  if (names === undefined) return { chosen: rest.length > 0 ? ['tests'] : parts, filters: rest, cases }
  const selected = names.split(',').filter(Boolean)
  const unknown = selected.filter((name) => !parts.includes(name))
  if (unknown.length > 0 || selected.length === 0)
    reject(`--only takes ${parts.join(', ')}; not ${unknown.join(', ') || 'nothing'}.`)
  if (rest.length > 0 && !selected.includes('tests'))
    reject(`${rest.join(' ')} is for the tests, which --only leaves out.`)
  return { chosen: selected, filters: rest, cases }
}

const program = (part: string, name: string, ...parameters: string[]): Check => ({
  part,
  name,
  async run() {
    // GOGC is for tsc, which is written in Go: fewer garbage collections.
    const { code, output } = await runNode(parameters, { show: false, environment: { GOGC: '400' } })
    if (code !== 0) console.log(`\n── ${name} failed ──\n${output.trim() || `exit code ${code}, no output`}`)
    return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: [] }
  },
})

function staticChecks(): Check[] {
  const modules = 'node_modules'
  const workspaces = globSync('packages/*/tsconfig.json', { cwd: root }).map((file) =>
    file.replace(/[\\/]tsconfig\.json$/, ''),
  )
  const sources = [
    'src',
    ...workspaces.map((folder) => join(folder, 'src')).filter((folder) => existsSync(join(root, folder))),
  ]
  return [
    ...['.', ...workspaces].map((project) =>
      program(
        'types',
        `types${project === '.' ? '' : ` of ${project}`}`,
        `${modules}/typescript-native/bin/tsc`,
        '-p',
        project,
        '--noEmit',
        '--singleThreaded', // each of several checkers repeats what its files have in common
      ),
    ),
    program('lint', 'lint and format', `${modules}/@biomejs/biome/bin/biome`, 'ci', '--error-on-warnings', '.'),
    program(
      'structure',
      'who imports whom',
      `${modules}/dependency-cruiser/bin/dependency-cruise.mjs`,
      '--config',
      '.dependency-cruiser.cjs',
      ...sources,
    ),
    program('unused', 'nothing unused', `${modules}/knip/bin/knip.js`, '--no-progress', '--no-config-hints'),
    program('docs', 'generated docs are current', 'scripts/docs/generate-docs.ts', '--check'),
  ]
}

const tests: Check = {
  part: 'tests',
  name: filters.length > 0 ? `tests (${filters.join(' ')})` : 'tests',
  async run() {
    // COMPILE_SOURCES: see test/global-setup.ts; for a few files it takes longer.
    const environment = { CASES: String(cases), ...(filters.length > 0 ? {} : { COMPILE_SOURCES: '1' }) }
    const { code, report, casesLeft } = await runVitest(filters, { show: true, environment })
    return { ...readReport(report, code, filters), left: { cases: casesLeft, seed: cases } }
  },
}

async function timed(check: Check): Promise<Outcome> {
  const start = performance.now()
  const outcome = await check.run()
  return { part: check.part, name: check.name, ...outcome, seconds: (performance.now() - start) / 1000 }
}

async function inOrder(checks: Check[], width: number): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const waiting = [...checks.entries()]
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) outcomes[next[0]] = await timed(next[1])
  }
  await Promise.all(Array.from({ length: width }, work))
  return outcomes
}

const withTests = chosen.includes('tests')
const outcomes = (
  await Promise.all([
    // Beside the tests one at a time, otherwise two: more would only wait for each other on a small machine.
    inOrder(
      staticChecks().filter((check) => chosen.includes(check.part)),
      withTests ? 1 : 2,
    ),
    inOrder(withTests ? [tests] : [], 1),
  ])
).flat()
console.log(linesOf(outcomes, chosen).join('\n'))
process.exitCode = succeeded(outcomes) ? 0 : 1
