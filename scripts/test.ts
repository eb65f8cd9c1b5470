// All checks: `npm test`. One part: `npm test -- --only types,lint`. Some test files, or any option of vitest: `npm
// test -- src/kit -t money`.
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { linesOf, type Outcome, parts, readReport, succeeded } from './test-report.ts'
import { runNode, runVitest } from './vitest-run.ts'

interface Check {
  part: string
  name: string
  run(): Promise<Omit<Outcome, 'part' | 'name' | 'seconds'>>
}
const root = join(import.meta.dirname, '..')
const { chosen, filters } = readArguments(process.argv.slice(2))

function readArguments(given: string[]): { chosen: string[]; filters: string[] } {
  const rest = [...given]
  const index = rest.findIndex((argument) => argument === '--only' || argument.startsWith('--only='))
  if (index < 0) return { chosen: rest.length > 0 ? ['tests'] : parts, filters: rest }
  const [option = ''] = rest.splice(index, 1)
  const names = option.includes('=') ? option.slice('--only='.length) : (rest.splice(index, 1)[0] ?? '')
  const selected = names.split(',').filter(Boolean)
  const unknown = selected.filter((name) => !parts.includes(name))
  if (unknown.length > 0 || selected.length === 0) {
    console.error(`--only takes ${parts.join(', ')}; not ${unknown.join(', ') || 'nothing'}.`)
    process.exit(2)
  }
  if (rest.length > 0 && !selected.includes('tests')) {
    console.error(`${rest.join(' ')} is for the tests, which --only leaves out.`)
    process.exit(2)
  }
  return { chosen: selected, filters: rest }
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
    program('docs', 'generated docs are current', 'scripts/generate-docs.ts', '--check'),
  ]
}

const tests: Check = {
  part: 'tests',
  name: filters.length > 0 ? `tests (${filters.join(' ')})` : 'tests',
  async run() {
    const { code, report } = await runVitest(filters, {
      show: true,
      environment: filters.length > 0 ? {} : { COMPILE_SOURCES: '1' }, // see test/global-setup.ts; for a few files it takes longer
    })
    return readReport(report, code, filters)
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
