// unirec diff: what two accounts have in common, and where they differ.
import { entityArgument } from '../account-argument.ts'
import { type Command, CommandFailure, exitCodes } from '../command.ts'

export const diffCommand: Command = {
  name: 'diff',
  summary: 'Compare the records of two accounts without writing',
  arguments: [
    { name: 'a', description: 'Account id', complete: 'account' },
    { name: 'b', description: 'Account id to compare with', complete: 'account' },
    entityArgument,
  ],
  flags: [
    {
      name: 'report',
      type: 'string',
      value: 'FOLDER',
      description:
        'Report folder of a migration between the two accounts; without it, records are matched by code, address, number or name',
    },
    {
      name: 'patience',
      type: 'string',
      value: 'MINUTES',
      default: '15',
      description: 'How long to wait during an outage of the service or a platform',
    },
  ],
  examples: ['unirec diff sandbox-clover-restaurant sandbox-square-restaurant product'],
  async run({ arguments: { a = '', b = '', entity = '' }, flags, ...invocation }) {
    if (!/^\d{1,4}$/.test(String(flags.patience))) throw new CommandFailure(exitCodes.usage, '--patience takes minutes')
    const { diff } = await import('./run-diff.ts')
    return diff(
      {
        from: a,
        to: b,
        entity,
        patienceMs: Number(flags.patience) * 60_000,
        report: typeof flags.report === 'string' ? flags.report : undefined,
      },
      invocation,
    )
  },
}
