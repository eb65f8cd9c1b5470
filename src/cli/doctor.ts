// unirec doctor: looks at everything that must be right, and says how to right what is not.
import { type Command, CommandFailure, exitCodes, type Invocation } from './command.ts'
import { type Check, type Finding, problem } from './finding.ts'
import { inline } from './printable.ts'

const marks = { ok: 'ok      ', skipped: 'skipped ', warning: 'warning ', problem: 'PROBLEM ' }

const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`

const mostListed = 3
function listed(findings: readonly Finding[]): string {
  const shown = findings.slice(0, mostListed).map(({ check, message }) => `${check} (${message})`)
  const more = findings.length - shown.length
  return [...shown, ...(more > 0 ? [`and ${more} more (--all lists them)`] : [])].join(', ')
}

export const doctor: Command = {
  name: 'doctor',
  summary: 'Check configuration, database, clock, credentials and platforms; print problems and fixes',
  arguments: [],
  flags: [
    { name: 'all', type: 'boolean', description: 'Also print what is right, and what was not checked' },
    { name: 'no-platforms', type: 'boolean', description: 'Do not call any platform' },
  ],
  examples: ['unirec doctor', 'unirec doctor --all', 'unirec doctor --json | jq .fix'],
  async run(invocation) {
    const { flags, output } = invocation
    const [{ checkMachine }, { checkService }] = await Promise.all([
      import('./doctor-machine.ts'),
      import('./doctor-service.ts'),
    ])
    const found: Finding[] = []
    for (const check of [checkMachine, checkService]) {
      for await (const one of guarded(check, invocation)) {
        found.push(one)
        if ((one.level === 'ok' || one.level === 'skipped') && !flags.all) continue
        if (output.json) output.line(JSON.stringify(one))
        else
          output.line(
            `${marks[one.level]} ${one.check}: ${inline(one.message)}${one.fix ? `\n          fix: ${inline(one.fix)}` : ''}`,
          )
      }
    }
    const problems = found.filter(({ level }) => level === 'problem')
    const notMade = found.filter(({ level }) => level === 'skipped')
    const made = counted(found.length - notMade.length, 'check')
    output.note(
      problems.length === 0 ? `no problems found in ${made}` : `${counted(problems.length, 'problem')} in ${made}`,
    )
    if (notMade.length > 0) output.note(inline(`${counted(notMade.length, 'check')} skipped: ${listed(notMade)}`))
    if (problems.some(({ unreachable }) => unreachable)) return exitCodes.unreachable
    return problems.length > 0 ? exitCodes.failed : exitCodes.ok
  },
}

/** A check that fails is a finding too; the other checks continue. */
async function* guarded(check: Check, invocation: Invocation): AsyncGenerator<Finding> {
  try {
    yield* check(invocation)
  } catch (error) {
    if (invocation.signal.aborted) throw error
    const unreachable = error instanceof CommandFailure && error.exitCode === exitCodes.unreachable
    yield { ...problem('check', (error as Error).message, 'see above'), unreachable: unreachable || undefined }
  }
}
