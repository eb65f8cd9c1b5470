// The verdict of `npm test`: a run with a skipped test is not a success.
import { describe, expect, it } from 'vitest'
import { linesOf, type Outcome, readReport, succeeded } from '../scripts/check/test-report.ts'

const reportOf = (...statuses: string[]) =>
  JSON.stringify({
    testResults: [
      {
        name: 'a.test.ts',
        status: 'passed',
        message: '',
        assertionResults: statuses.map((status, index) => ({
          status,
          fullName: `case ${index}`,
          failureMessages: ['why'],
          tags: index === 1 ? ['chromium', 'pgbouncer'] : [],
        })),
      },
    ],
  })
const outcomeOf = (text: string | undefined, code = 0, filters: string[] = [], missing: string[] = []): Outcome => ({
  part: 'tests',
  name: 'tests',
  seconds: 1,
  ...readReport(text, code, filters, (tags) => tags.filter((tag) => missing.includes(tag))),
})

describe('the report of npm test', () => {
  it('is a success when every test passed', () => {
    const outcome = outcomeOf(reportOf('passed', 'passed'))
    expect(succeeded([outcome])).toBe(true)
    expect(linesOf([outcome], ['tests']).at(-1)).toBe('2 passed, 0 failed')
  })
  it.each(['skipped', 'todo', 'pending'])('is a failure when one test is %s, and names it', (status) => {
    const outcome = outcomeOf(reportOf('passed', status))
    expect(succeeded([outcome])).toBe(false)
    const lines = linesOf([outcome], ['tests'])
    expect(lines.filter((line) => line.startsWith('SKIPPED  tests: '))).toEqual([
      expect.stringContaining(`a.test.ts: case 1 (${status})`),
    ])
    expect(lines.at(-1)).toBe('1 passed, 0 failed, 1 skipped: a skipped test fails the run')
  })
  it('says how many cases are left to the nightly run, and how to run the same part again', () => {
    const linesWith = (left: Outcome['left']) =>
      linesOf([{ ...outcomeOf(reportOf('passed')), left }], ['tests']).filter((line) => line.startsWith('CASES'))
    expect(linesWith({ cases: 412, seed: 48213 })).toEqual([
      'CASES    tests: at least 412 left to the nightly run. The same part again: npm test -- --cases 48213; all of them: --cases all',
    ])
    expect(linesWith({ cases: 0, seed: 48213 })).toEqual([
      'CASES    tests: all of them, none is left to the nightly run',
    ])
    expect(linesWith({ cases: 0, seed: 'all' })).toEqual(['CASES    tests: all of them'])
    expect(linesWith(undefined)).toEqual([])
  })
  it('names the tests that lack a program of the system, and how to install it; that fails only with CI=true', () => {
    const outcome = outcomeOf(reportOf('passed', 'skipped'), 0, [], ['pgbouncer', 'curl'])
    expect([false, true].map((complete) => succeeded([outcome], complete))).toEqual([true, false])
    expect(linesOf([outcome, outcome], ['tests'], false).slice(-3)).toEqual([
      expect.stringMatching(/^NOT RUN {2}2 tests of a\.test\.ts: pgbouncer missing \(.* install pgbouncer\)$/),
      expect.stringContaining('only tests asked for'),
      '2 passed, 0 failed, 2 not run',
    ])
    expect(linesOf([outcome], ['tests'], true).at(-1)).toBe(
      '1 passed, 0 failed, 1 not run: with CI=true that fails the run',
    )
  })
  it.each([
    ['another program is missing', ['passed', 'skipped'], ['curl']],
    ['the test has no tag', ['skipped', 'passed'], ['pgbouncer']],
    ['the test is still to be written', ['passed', 'todo'], ['pgbouncer']],
  ])('does not take a skipped test for one that lacks a program when %s', (_, statuses, missing) => {
    const outcome = outcomeOf(reportOf(...statuses), 0, [], missing)
    expect([outcome.notRun, outcome.skipped.length, succeeded([outcome], false)]).toEqual([[], 1, false])
  })
  it('does not count the tests that a name pattern leaves out', () => {
    for (const filters of [['src/kit', '-t', 'money'], ['-t=money'], ['--testNamePattern=money']])
      expect(succeeded([outcomeOf(reportOf('passed', 'skipped'), 0, filters)])).toBe(true)
    expect(succeeded([outcomeOf(reportOf('passed', 'skipped'), 0, ['test/tidy.test.ts'])])).toBe(false)
  })
  it('is a failure when a test failed, when no test passed, when vitest failed and when there is no report', () => {
    const failures = [
      outcomeOf(reportOf('passed', 'failed'), 1),
      outcomeOf(reportOf()),
      outcomeOf(reportOf('passed'), 1),
      outcomeOf(undefined, 1),
    ]
    expect(failures.map(({ failed }) => failed)).toEqual([1, 1, 1, 1])
    expect(failures.map((outcome) => succeeded([outcome]))).toEqual([false, false, false, false])
  })
})
