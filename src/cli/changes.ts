// unirec changes: changes of records as JSON lines, from now on or from where the last run ended.
import { existsSync, readFileSync } from 'node:fs'
import type { EntityName } from '../../packages/client/src/index.ts'
import { entityTypes } from '../contract/entity.ts'
import { accountArgument } from './account-argument.ts'
import { type Command, CommandFailure, exitCodes, unreadable } from './command.ts'
import { printable } from './printable.ts'
import { replaceFile } from './replace-file.ts'

export const changesCommand: Command = {
  name: 'changes',
  summary: 'Print changes of watched records, one JSON object per line',
  arguments: [accountArgument],
  flags: [
    {
      name: 'entity',
      type: 'string',
      value: 'NAMES',
      description: 'Entities, separated by commas; by default all that are watched',
    },
    {
      name: 'follow',
      short: 'f',
      type: 'boolean',
      description: 'Wait for more changes until the command is interrupted',
    },
    { name: 'cursor', type: 'string', value: 'CURSOR', description: 'Start where an earlier run ended' },
    {
      name: 'state',
      type: 'string',
      value: 'FILE',
      description: 'Read the cursor from this file if it exists, and store it there after every page',
    },
  ],
  examples: [
    'unirec changes sandbox-square-restaurant --follow',
    'unirec changes sandbox-square-restaurant --entity product,order --state changes.cursor',
  ],
  async run({ arguments: { account = '' }, flags, output, signal, connect }) {
    const state = typeof flags.state === 'string' ? flags.state : undefined
    if (state !== undefined && flags.cursor !== undefined)
      throw new CommandFailure(exitCodes.usage, '--cursor and --state cannot be combined: both say where to start')
    const cursor = typeof flags.cursor === 'string' ? flags.cursor : readCursor(state)
    const { client } = await connect()
    const changes = client.account(account).changes({
      cursor,
      entityTypes: entitiesIn(flags.entity),
      follow: flags.follow === true,
      signal,
      ...(state === undefined ? {} : { onCursor: (reached) => replaceFile(state, `${reached}\n`) }),
    })
    for await (const { data } of changes.pages())
      await output.data(data.map((change) => `${printable(JSON.stringify(change))}\n`).join(''))
    if (state === undefined) output.note(`cursor: ${changes.cursor}`)
    return exitCodes.ok
  },
}

export function entitiesIn(text: string | boolean | undefined): EntityName[] | undefined {
  if (typeof text !== 'string') return undefined
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !(entityTypes as readonly string[]).includes(name))
  if (unknown !== undefined)
    throw new CommandFailure(exitCodes.usage, `--entity takes ${entityTypes.join(', ')}, not "${unknown}"`)
  return names as EntityName[]
}

function readCursor(file: string | undefined): string | undefined {
  if (file === undefined || !existsSync(file)) return undefined
  try {
    return readFileSync(file, 'utf8').trim() || undefined
  } catch (error) {
    throw unreadable(file, error)
  }
}
