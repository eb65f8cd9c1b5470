// What `npm test` prints and when it fails.
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Seed } from '../../test/case-choice.ts'
import { findProgram, howToInstall, programs } from '../setup/programs.mjs'

export interface Outcome {
  part: string
  name: string
  passed: number
  failed: number
  failures?: string[]
  skipped: string[]
  /** A line for each test that runs a program of the system that is missing. */
  notRun?: string[]
  seconds: number
  /** How many cases were left to the nightly run, and which part was taken: see test/case-choice.ts. */
  left?: { cases: number; seed: Seed }
}
/** A test, or a file that did not load, with all that vitest says about it. */
export interface Failure {
  test: string
  message: string
}
interface FileResult {
  name: string
  status: string
  message: string
  assertionResults: { status: string; fullName: string; failureMessages: string[]; tags: string[] }[]
}
interface VitestReport {
  testResults: FileResult[]
}

const root = join(import.meta.dirname, '../..')
export const parts = ['types', 'lint', 'structure', 'unused', 'docs', 'tests']

const isNamePattern = (option: string) => /^(-t|--testNamePattern)(=|$)/.test(option)
/** Tests have the programs of the system that they run as tags. */
const missingOf = (tags: readonly string[]) => tags.filter((tag) => tag in programs && !findProgram(tag))
function leftOut(files: readonly FileResult[], missing: typeof missingOf): { skipped: string[]; notRun: string[] } {
  const all = files.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status !== 'passed' && status !== 'failed')
      .map(({ fullName, status, tags }) => ({
        file: relative(root, name),
        test: `${fullName} (${status})`,
        lacks: status === 'skipped' ? missing(tags) : [],
      })),
  )
  return {
    skipped: all.filter(({ lacks }) => lacks.length === 0).map(({ file, test }) => `${file}: ${test}`),
    notRun: all
      .filter(({ lacks }) => lacks.length > 0)
      .map(({ file, lacks }) => `${file}: ${lacks.join(' and ')} missing (${howToInstall(lacks)})`),
  }
}

const isFailedFile = ({ status, assertionResults }: VitestReport['testResults'][number]) =>
  status === 'failed' && !assertionResults.some((one) => one.status === 'failed')

/** What failed: tests, and files in which no test did. */
export function failuresOf(text: string): Failure[] {
  return (JSON.parse(text) as VitestReport).testResults.flatMap((result) =>
    isFailedFile(result)
      ? [{ test: relative(root, result.name), message: stripVTControlCharacters(result.message) }]
      : result.assertionResults
          .filter(({ status }) => status === 'failed')
          .map(({ fullName, failureMessages }) => ({
            test: `${relative(root, result.name)}: ${fullName}`,
            message: stripVTControlCharacters(failureMessages.join('\n')),
          })),
  )
}

/** Counts tests. A file that does not load, and an error outside of any test, count as one failure each. */
export function readReport(
  text: string | undefined,
  code: number | null,
  filters: readonly string[],
  missing = missingOf,
): Omit<Outcome, 'part' | 'name' | 'seconds'> {
  if (text === undefined) return { passed: 0, failed: 1, skipped: [] }
  const { testResults } = JSON.parse(text) as VitestReport
  const passed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'passed').length
  const failures = failuresOf(text)
  return {
    passed,
    failed: failures.length === 0 && (code !== 0 || passed === 0) ? 1 : failures.length,
    failures: failures.map(({ test, message }) => `${test}: ${message.split('\n', 1)[0]}`),
    // With a name pattern, vitest reports every other test as skipped.
    ...(filters.some(isNamePattern) ? { skipped: [] } : leftOut(testResults, missing)),
  }
}

/** A system for checks is meant to have every program, a person's computer is not. */
const isComplete = !['', '0', 'false'].includes(process.env.CI ?? '')
/** A skipped test proves nothing, so it fails the run like a failed one. */
export const succeeded = (outcomes: readonly Outcome[], complete = isComplete) =>
  outcomes.every(
    ({ failed, skipped, notRun = [] }) => failed === 0 && skipped.length === 0 && !(complete && notRun.length > 0),
  )

function lineOfLeft(name: string, { cases, seed }: NonNullable<Outcome['left']>): string {
  if (seed === 'all') return `CASES    ${name}: all of them`
  if (cases === 0) return `CASES    ${name}: all of them, none is left to the nightly run`
  return `CASES    ${name}: at least ${cases} left to the nightly run. The same part again: npm test -- --cases ${seed}; all of them: --cases all`
}

export function linesOf(outcomes: readonly Outcome[], chosen: readonly string[], complete = isComplete): string[] {
  const verdict = ({ failed, skipped }: Outcome) => (failed > 0 ? 'FAILED' : skipped.length > 0 ? 'SKIPPED' : 'ok')
  const countOf = ({ passed, failed }: Outcome) => (passed + failed > 1 ? `  (${passed} passed, ${failed} failed)` : '')
  const sum = (pick: (outcome: Outcome) => number) => outcomes.reduce((total, outcome) => total + pick(outcome), 0)
  const left = parts.filter((part) => !chosen.includes(part))
  const skipped = sum((outcome) => outcome.skipped.length)
  const notRun = outcomes.flatMap((outcome) => outcome.notRun ?? [])
  return [
    '',
    ...outcomes.map(
      (outcome) =>
        `${verdict(outcome).padEnd(8)}${outcome.seconds.toFixed(1).padStart(6)} s  ${outcome.name}${countOf(outcome)}`,
    ),
    ...outcomes.flatMap((outcome) => outcome.skipped.map((reason) => `SKIPPED  ${outcome.name}: ${reason}`)),
    ...outcomes.flatMap((outcome) => (outcome.failures ?? []).map((reason) => `FAILED   ${outcome.name}: ${reason}`)),
    ...outcomes.flatMap(({ name, left }) => (left ? [lineOfLeft(name, left)] : [])),
    ...Object.entries(Object.groupBy(notRun, (reason) => reason)).map(
      ([reason, tests = []]) => `NOT RUN  ${tests.length} tests of ${reason}`,
    ),
    ...(left.length > 0 ? [`NOT RUN  ${left.join(', ')} (only ${chosen.join(', ')} asked for)`] : []),
    [
      `${sum(({ passed }) => passed)} passed`,
      `${sum(({ failed }) => failed)} failed`,
      ...(notRun.length > 0 ? [`${notRun.length} not run${complete ? ': with CI=true that fails the run' : ''}`] : []),
      ...(skipped > 0 ? [`${skipped} skipped: a skipped test fails the run`] : []),
    ].join(', '),
  ]
}
