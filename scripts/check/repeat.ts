// Runs tests again and again, in another order each time: `npm run repeat -- 10`. Some test files, or any option of
// vitest: `npm run repeat -- 30 test/chaos -t lease`. Beside four processes that keep the processor busy: `--busy 4`.
// With the order of a run that failed: `--seed 12345`. Exits with 1 if a test ever failed.
import type { ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { startBusy } from './busy.ts'
import { type Failure, failuresOf, type Outcome, readReport, succeeded } from './test-report.ts'
import { runVitest } from './vitest-run.ts'

interface Run {
  number: number
  seed: number
  outcome: Outcome
  failures: Failure[]
}
const root = join(import.meta.dirname, '../..')
const usage = 'Usage: npm run repeat -- <times> [files and options of vitest] [--busy <processes>] [--seed <number>]'

function reject(why: string): never {
  console.error(`${why}\n${usage}`)
  process.exit(2)
}

function readArguments(given: readonly string[]) {
  const rest = [...given]
  const take = (option: string, least: number): number | undefined => {
    const index = rest.findIndex((word) => word === option || word.startsWith(`${option}=`))
    if (index < 0) return undefined
    const [word = ''] = rest.splice(index, 1)
    const value = word.includes('=') ? word.slice(option.length + 1) : (rest.splice(index, 1)[0] ?? '')
    if (!/^\d{1,9}$/.test(value) || Number(value) < least)
      reject(`${option} takes a whole number from ${least}; not ${value || 'nothing'}.`)
    return Number(value)
  }
  const seed = take('--seed', 0)
  const busy = take('--busy', 0) ?? 0
  const [times = '', ...filters] = rest
  if (!/^\d+$/.test(times) || Number(times) < 1) reject(`How many times? ${times || 'Nothing'} is not a number from 1.`)
  return { times: Number(times), filters, busy, seed }
}

const { times, filters, busy, seed: givenSeed } = readArguments(process.argv.slice(2))
const logs = join(root, '.cache/repeat', new Date().toISOString().replaceAll(':', '-'))
const runs: Run[] = []
let vitest: ChildProcess | undefined
let interrupted: NodeJS.Signals | undefined

async function runOnce(number: number, seed: number): Promise<Run> {
  const start = performance.now()
  const options = ['--sequence.shuffle.files', '--sequence.shuffle.tests', `--sequence.seed=${seed}`]
  const { code, output, report } = await runVitest([...filters, ...options], {
    show: false,
    environment: { CASES: String(seed) }, // see test/case-choice.ts
    started: (child) => {
      vitest = child
    },
  })
  vitest = undefined
  const seconds = (performance.now() - start) / 1000
  const outcome = { part: 'tests', name: `run ${number}`, seconds, ...readReport(report, code, filters) }
  const found = report === undefined ? [] : failuresOf(report)
  const unnamed = outcome.failed > found.length ? [{ test: '(outside of a test)', message: output.trim() }] : []
  const skipped = outcome.skipped.map((test) => ({ test, message: 'A skipped test fails the run.' }))
  const run = { number, seed, outcome, failures: [...found, ...unnamed, ...skipped] }
  if (!interrupted && !succeeded([outcome])) keepOutput(run, output)
  return run
}

/** Its workers would go on without it. */
function endVitest(): void {
  if (vitest?.pid === undefined) return
  if (process.platform === 'win32') vitest.kill()
  else process.kill(-vitest.pid, 'SIGTERM')
}

function keepOutput({ number, seed }: Run, output: string): void {
  mkdirSync(logs, { recursive: true })
  const file = join(logs, `run-${number}-seed-${seed}.log`)
  writeFileSync(file, stripVTControlCharacters(output))
  console.log(`The output of run ${number} is in ${relative(root, file)}.`)
}

function show({ number, seed, outcome, failures }: Run): void {
  const verdict = succeeded([outcome]) ? 'ok    ' : 'FAILED'
  const { seconds, passed } = outcome
  console.log(
    `${verdict}  run ${number} of ${times}, seed ${seed}: ${seconds.toFixed(1)} s, ${passed} passed, ${failures.length} failed`,
  )
  for (const { test, message } of failures) console.log(`\n── run ${number}, seed ${seed}: ${test} ──\n${message}\n`)
}

function summary(): string[] {
  const failed = Map.groupBy(
    runs.flatMap(({ seed, failures }) =>
      [...new Set(failures.map(({ test }) => test))].map((test) => ({ seed, test })),
    ),
    ({ test }) => test,
  )
  const again = [...filters, ...(busy > 0 ? ['--busy', busy] : [])].join(' ')
  const [firstSeed] = runs.filter(({ outcome }) => !succeeded([outcome])).map(({ seed }) => seed)
  return [
    '',
    ' run        seed  seconds   passed  failed',
    ...runs.map(({ number, seed, outcome: { seconds, passed }, failures }) =>
      [
        String(number).padStart(4),
        String(seed).padStart(12),
        seconds.toFixed(1).padStart(9),
        String(passed).padStart(9),
        String(failures.length).padStart(8),
      ].join(''),
    ),
    '',
    ...[...failed.entries()]
      .toSorted(([, left], [, right]) => right.length - left.length)
      .map(([test, found]) => {
        const seeds = found.map(({ seed }) => seed).join(', ')
        return `FAILED in ${found.length} of ${runs.length} runs: ${test} (${found.length > 1 ? 'seeds' : 'seed'} ${seeds})`
      }),
    ...(firstSeed === undefined ? [] : [`Again: npm run repeat -- ${[1, again, '--seed', firstSeed].join(' ')}`]),
    `${runs.length} of ${times} runs${busy > 0 ? ` beside ${busy} busy processes` : ''}; tests that ever failed: ${failed.size}`,
  ]
}

const load = await startBusy(busy)
if (busy > 0) console.log(`Beside processes ${load.pids.join(', ')}.`)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    interrupted = signal
    endVitest()
  })
try {
  for (let number = 1; number <= times && !interrupted; number++) {
    const run = await runOnce(number, givenSeed ?? randomInt(1_000_000_000))
    if (interrupted) break
    runs.push(run)
    show(run)
  }
} finally {
  await load.stop()
}
console.log(summary().join('\n'))
process.exitCode = interrupted
  ? 128 + constants.signals[interrupted]
  : runs.every(({ outcome }) => succeeded([outcome]))
    ? 0
    : 1
