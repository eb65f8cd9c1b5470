// What `npm test` prints and when it fails.
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

export interface Outcome {
  part: string
  name: string
  passed: number
  failed: number
  failures?: string[]
  skipped: string[]
  seconds: number
}
interface VitestReport {
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

const root = join(import.meta.dirname, '..')
export const parts = ['types', 'lint', 'structure', 'unused', 'docs', 'tests']

const isNamePattern = (option: string) => /^(-t|--testNamePattern)(=|$)/.test(option)
const skippedOf = ({ name, assertionResults }: VitestReport['testResults'][number]) =>
  assertionResults
    .filter(({ status }) => status !== 'passed' && status !== 'failed')
    .map(({ fullName, status }) => `${relative(root, name)}: ${fullName} (${status})`)

/** Counts tests. A file that does not load, and an error outside of any test, count as one failure each. */
export function readReport(
  text: string | undefined,
  code: number | null,
  filters: readonly string[],
): Omit<Outcome, 'part' | 'name' | 'seconds'> {
  if (text === undefined) return { passed: 0, failed: 1, skipped: [] }
  const { testResults } = JSON.parse(text) as VitestReport
  const cases = testResults.flatMap((result) => result.assertionResults)
  const passed = cases.filter((one) => one.status === 'passed').length
  const firstLine = (text = '') => stripVTControlCharacters(text).split('\n', 1)[0]
  const failedCases = cases.filter((one) => one.status === 'failed').length
  const failedFiles = testResults.filter(
    (result) => result.status === 'failed' && !result.assertionResults.some((one) => one.status === 'failed'),
  )
  const failed = failedCases + failedFiles.length
  return {
    passed,
    failed: failed === 0 && (code !== 0 || passed === 0) ? 1 : failed,
    failures: [
      ...testResults.flatMap(({ name, assertionResults }) =>
        assertionResults
          .filter((one) => one.status === 'failed')
          .map((one) => `${relative(root, name)}: ${one.fullName}: ${firstLine(one.failureMessages.at(-1))}`),
      ),
      ...failedFiles.map(({ name, message }) => `${relative(root, name)}: ${firstLine(message)}`),
    ],
    // With a name pattern, vitest reports every other test as skipped.
    skipped: filters.some(isNamePattern) ? [] : testResults.flatMap(skippedOf),
  }
}

/** A skipped test proves nothing, so it fails the run like a failed one. */
export const succeeded = (outcomes: readonly Outcome[]) =>
  outcomes.every(({ failed, skipped }) => failed === 0 && skipped.length === 0)

export function linesOf(outcomes: readonly Outcome[], chosen: readonly string[]): string[] {
  const verdict = ({ failed, skipped }: Outcome) => (failed > 0 ? 'FAILED' : skipped.length > 0 ? 'SKIPPED' : 'ok')
  const countOf = ({ passed, failed }: Outcome) => (passed + failed > 1 ? `  (${passed} passed, ${failed} failed)` : '')
  const sum = (pick: (outcome: Outcome) => number) => outcomes.reduce((total, outcome) => total + pick(outcome), 0)
  const left = parts.filter((part) => !chosen.includes(part))
  const skipped = sum((outcome) => outcome.skipped.length)
  return [
    '',
    ...outcomes.map(
      (outcome) =>
        `${verdict(outcome).padEnd(8)}${outcome.seconds.toFixed(1).padStart(6)} s  ${outcome.name}${countOf(outcome)}`,
    ),
    ...outcomes.flatMap((outcome) => outcome.skipped.map((reason) => `SKIPPED  ${outcome.name}: ${reason}`)),
    ...outcomes.flatMap((outcome) => (outcome.failures ?? []).map((reason) => `FAILED   ${outcome.name}: ${reason}`)),
    ...(left.length > 0 ? [`NOT RUN  ${left.join(', ')} (only ${chosen.join(', ')} asked for)`] : []),
    `${sum(({ passed }) => passed)} passed, ${sum(({ failed }) => failed)} failed${skipped > 0 ? `, ${skipped} skipped: a skipped test fails the run` : ''}`,
  ]
}
