// The whole check: `npm test`. One part: `npm test -- --only types,lint`. Some test files, or any option of vitest: `npm test -- src/kit -t money`.
import { spawn } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

interface Outcome {
  part: string
  name: string
  passed: number
  failed: number
  failures?: string[]
  skipped: string[]
  seconds: number
}
interface Check {
  part: string
  name: string
  run(): Promise<Omit<Outcome, 'part' | 'name' | 'seconds'>>
}
interface VitestReport {
  testResults: { name: string; status: string; message: string; assertionResults: { status: string; fullName: string; failureMessages: string[] }[] }[]
}

const root = join(import.meta.dirname, '..')
const parts = ['types', 'lint', 'structure', 'unused', 'docs', 'tests']
const { chosen, filters } = readArguments(process.argv.slice(2))

function readArguments(given: string[]): { chosen: string[]; filters: string[] } {
  const rest = [...given]
  const place = rest.findIndex((argument) => argument === '--only' || argument.startsWith('--only='))
  if (place < 0) return { chosen: rest.length > 0 ? ['tests'] : parts, filters: rest }
  const [option = ''] = rest.splice(place, 1)
  const names = option.includes('=') ? option.slice('--only='.length) : (rest.splice(place, 1)[0] ?? '')
  const wanted = names.split(',').filter(Boolean)
  const unknown = wanted.filter((name) => !parts.includes(name))
  if (unknown.length > 0 || wanted.length === 0) {
    console.error(`--only takes ${parts.join(', ')}; not ${unknown.join(', ') || 'nothing'}.`)
    process.exit(2)
  }
  if (rest.length > 0 && !wanted.includes('tests')) {
    console.error(`${rest.join(' ')} is for the tests, which --only leaves out.`)
    process.exit(2)
  }
  return { chosen: wanted, filters: rest }
}

function runNode(parameters: string[], show: boolean): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, parameters, { cwd: root, stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'] })
    const output: Buffer[] = []
    child.stdout?.on('data', (piece: Buffer) => output.push(piece))
    child.stderr?.on('data', (piece: Buffer) => output.push(piece))
    child.on('error', (error) => resolve({ code: null, output: error.message }))
    child.on('close', (code) => resolve({ code, output: Buffer.concat(output).toString() }))
  })
}

const program = (part: string, name: string, ...parameters: string[]): Check => ({
  part,
  name,
  async run() {
    const { code, output } = await runNode(parameters, false)
    if (code !== 0) console.log(`\n── ${name} failed ──\n${output.trim() || `exit code ${code}, no output`}`)
    return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: [] }
  },
})

function docsCheck(): Check {
  const generator = 'scripts/generate-docs.ts'
  if (existsSync(join(root, generator))) return program('docs', 'generated docs are current', generator, '--check')
  return { part: 'docs', name: 'generated docs are current', run: async () => ({ passed: 0, failed: 0, skipped: [`${generator} does not exist`] }) }
}

function staticChecks(): Check[] {
  const modules = 'node_modules'
  const workspaces = globSync('packages/*/tsconfig.json', { cwd: root }).map((file) => file.replace(/[\\/]tsconfig\.json$/, ''))
  const sources = ['src', ...workspaces.map((folder) => join(folder, 'src')).filter((folder) => existsSync(join(root, folder)))]
  return [
    ...['.', ...workspaces].map((project) =>
      program('types', `types${project === '.' ? '' : ` of ${project}`}`, `${modules}/typescript-native/bin/tsc`, '-p', project, '--noEmit'),
    ),
    program('lint', 'lint and format', `${modules}/@biomejs/biome/bin/biome`, 'ci', '--error-on-warnings', '.'),
    program('structure', 'who imports whom', `${modules}/dependency-cruiser/bin/dependency-cruise.mjs`, '--config', '.dependency-cruiser.cjs', ...sources),
    program('unused', 'nothing unused', `${modules}/knip/bin/knip.js`, '--no-progress', '--no-config-hints'),
    docsCheck(),
  ]
}

/** Counts cases; a file that does not load, and an error outside of any case, count as one failure each. */
function readReport(file: string, code: number | null): Omit<Outcome, 'part' | 'name' | 'seconds'> {
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: [] }
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as VitestReport
  const cases = testResults.flatMap((result) => result.assertionResults)
  const passed = cases.filter((one) => one.status === 'passed').length
  const firstLine = (text = '') => stripVTControlCharacters(text).split('\n', 1)[0]
  const failedCases = cases.filter((one) => one.status === 'failed').length
  const failedFiles = testResults.filter((result) => result.status === 'failed' && !result.assertionResults.some((one) => one.status === 'failed'))
  const failed = failedCases + failedFiles.length
  return {
    passed,
    failed: failed === 0 && (code !== 0 || passed === 0) ? 1 : failed,
    failures: [
      ...testResults.flatMap(({ name, assertionResults }) =>
        assertionResults.filter((one) => one.status === 'failed').map((one) => `${relative(root, name)}: ${one.fullName}: ${firstLine(one.failureMessages.at(-1))}`),
      ),
      ...failedFiles.map(({ name, message }) => `${relative(root, name)}: ${firstLine(message)}`),
    ],
    skipped: cases.filter((one) => one.status !== 'passed' && one.status !== 'failed').map((one) => `${one.fullName} (${one.status})`),
  }
}

const tests: Check = {
  part: 'tests',
  name: filters.length > 0 ? `tests (${filters.join(' ')})` : 'tests',
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'unified-records-tests-'))
    const report = join(folder, 'report.json')
    try {
      const { code } = await runNode(['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...filters], true)
      return readReport(report, code)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function timed(check: Check): Promise<Outcome> {
  const start = performance.now()
  const outcome = await check.run()
  return { part: check.part, name: check.name, ...outcome, seconds: (performance.now() - start) / 1000 }
}

/** Two at a time: more would only wait for each other on a small machine. */
async function inPairs(checks: Check[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const waiting = [...checks.entries()]
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) outcomes[next[0]] = await timed(next[1])
  }
  await Promise.all([work(), work()])
  return outcomes
}

function report(outcomes: Outcome[]): boolean {
  const verdict = ({ passed, failed, skipped }: Outcome) => (failed > 0 ? 'FAILED' : skipped.length > 0 && passed === 0 ? 'SKIPPED' : 'ok')
  console.log('')
  for (const outcome of outcomes) {
    const count = outcome.passed + outcome.failed > 1 ? `  (${outcome.passed} passed, ${outcome.failed} failed)` : ''
    console.log(`${verdict(outcome).padEnd(8)}${outcome.seconds.toFixed(1).padStart(6)} s  ${outcome.name}${count}`)
  }
  for (const { name, skipped } of outcomes) for (const reason of skipped) console.log(`SKIPPED  ${name}: ${reason}`)
  for (const { name, failures } of outcomes) for (const reason of failures ?? []) console.log(`FAILED   ${name}: ${reason}`)
  const left = parts.filter((part) => !chosen.includes(part))
  if (left.length > 0) console.log(`NOT RUN  ${left.join(', ')} (only ${chosen.join(', ')} asked for)`)
  const sum = (pick: (outcome: Outcome) => number) => outcomes.reduce((total, outcome) => total + pick(outcome), 0)
  const failed = sum((outcome) => outcome.failed)
  console.log(`${sum((outcome) => outcome.passed)} passed, ${failed} failed`)
  return failed === 0
}

const outcomes = await inPairs(staticChecks().filter((check) => chosen.includes(check.part)))
if (chosen.includes('tests')) outcomes.push(await timed(tests))
process.exitCode = report(outcomes) ? 0 : 1
