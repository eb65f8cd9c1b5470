// unirec watch …: what the change feed watches of an account.
import { accountArgument, entityArgument } from './account-argument.ts'
import { type Command, exitCodes, type Flag } from './command.ts'
import { managed } from './connect.ts'
import { numberIn } from './flag-values.ts'
import { showTable } from './table.ts'

interface WatchShown {
  watched: boolean
  setBy?: string
  status?: {
    phase: string
    records: number
    completeUntil: { modified?: string; all?: string }
    walk?: { records: number }
    paused?: string
    starvedSince?: string
    lastError?: { code: string; detail: string }
  }
}
const pathOf = (account = '') => `{workspace}/accounts/${encodeURIComponent(account)}/watches`

export const watchList: Command = {
  name: 'watch list',
  summary: 'List what is watched of an account, and how current it is',
  arguments: [accountArgument],
  flags: [],
  async run({ arguments: { account }, output, connect }) {
    const shown = await managed(await connect()).call<{ entities: Record<string, WatchShown> }>('GET', pathOf(account))
    if (output.json) output.line(JSON.stringify(shown))
    else
      showTable(
        output,
        ['entity', 'watch'],
        Object.entries(shown.entities).map(([entity, watch]) => [entity, describe(watch)]),
      )
    return exitCodes.ok
  },
}

function describe({ watched, setBy, status }: WatchShown): string {
  if (!watched) return setBy === 'account' ? 'not watched, stopped for this account' : 'not watched'
  const source = `set by the ${setBy}`
  if (!status) return `${source}, not started`
  const { completeUntil } = status
  return [
    status.phase === 'first_walk'
      ? `first walk, ${status.walk?.records ?? 0} records so far`
      : `${status.records} records, complete until ${completeUntil.modified ?? completeUntil.all ?? 'the first walk'}`,
    source,
    ...(status.paused ? [`paused: ${status.paused}`] : []),
    ...(status.starvedSince ? [`without free calls since ${status.starvedSince}`] : []),
    ...(status.lastError ? [`last error ${status.lastError.code}: ${status.lastError.detail}`] : []),
  ].join('; ')
}

const pollSeconds: Flag = {
  name: 'poll-seconds',
  field: 'pollSeconds',
  type: 'string',
  value: 'SECONDS',
  description: 'Shortest time between two incremental reads, at least 30; by default 300',
}
const walkHours: Flag = {
  name: 'walk-hours',
  field: 'walkHours',
  type: 'string',
  value: 'HOURS',
  description: 'Shortest time between two full reads, 1 to 168; by default 24, or 1 without incremental reads',
}

export const watchSet: Command = {
  name: 'watch set',
  summary: 'Watch an entity of an account',
  arguments: [accountArgument, entityArgument],
  flags: [pollSeconds, walkHours],
  examples: ['unirec watch set sandbox-square-restaurant product --poll-seconds 60'],
  async run({ arguments: { account, entity }, flags, output, connect }) {
    const body = { pollSeconds: numberIn(flags, pollSeconds), walkHours: numberIn(flags, walkHours) }
    const watch = await managed(await connect()).call<WatchShown>('PUT', `${pathOf(account)}/${entity}`, body)
    if (output.json) output.line(JSON.stringify(watch))
    else output.note(`${account} ${entity} is watched; see unirec watch list ${account}`)
    return exitCodes.ok
  },
}

export const watchStop: Command = {
  name: 'watch stop',
  summary: 'Stop watching an entity of an account; its cursors expire',
  arguments: [accountArgument, entityArgument],
  flags: [
    {
      name: 'reset',
      type: 'boolean',
      description: 'Only remove the setting of the account, so that the default of the workspace applies',
    },
  ],
  async run({ arguments: { account, entity }, flags, output, connect }) {
    const reset = flags.reset ? '?reset=true' : ''
    await managed(await connect()).call('DELETE', `${pathOf(account)}/${entity}${reset}`)
    if (!output.json)
      output.note(`${account} ${entity} ${reset ? 'follows the default of the workspace' : 'is no longer watched'}`)
    return exitCodes.ok
  },
}
