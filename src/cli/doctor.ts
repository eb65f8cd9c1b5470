// unirec doctor: looks at everything that must be right, and says how to right what is not.
import { type Command, CommandFailure, exitCodes, type Invocation } from './command.ts'
import { type Check, type Finding, problem } from './finding.ts'
import { inline } from './printable.ts'

const marks = { ok: 'ok      ', warning: 'warning ', problem: 'PROBLEM ' }

export const doctor: Command = {
  name: 'doctor',
  summary: 'Check configuration, database, clock, credentials and platforms; print problems and fixes',
  arguments: [],
  flags: [
    { name: 'all', type: 'boolean', description: 'Also print what is right' },
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
        if (one.level === 'ok' && !flags.all) continue
        if (output.json) output.line(JSON.stringify(one))
        else
          output.line(
            `${marks[one.level]} ${one.check}: ${inline(one.message)}${one.fix ? `\n          fix: ${inline(one.fix)}` : ''}`,
          )
      }
    }
    const problems = found.filter(({ level }) => level === 'problem')
    output.note(
      problems.length === 0
        ? `no problems found in ${found.length} checks`
        : `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'} in ${found.length} checks`,
    )
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
