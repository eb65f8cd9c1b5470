// unirec watch …: what the change feed watches of an account.
import type { ManageAnswer } from '../../packages/client/src/manage-call.ts'
import { accountArgument as accountId, entityArgument as entityType } from './account-argument.ts'
import { type Command, exitCodes } from './command.ts'
import { managed } from './connect.ts'
import { command } from './operation.ts'
import { showTable } from './table.ts'

type WatchShown = ManageAnswer<'setWatch'>

export const watchList: Command = {
  name: 'watch list',
  summary: 'List what is watched of an account, and how current it is',
  arguments: [accountId],
  flags: [],
  async run({ arguments: { account = '' }, output, connect }) {
    const shown = await managed(await connect()).call('listWatches', { path: { accountId: account } })
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

export const watchSet = command({
  operation: 'setWatch',
  name: 'watch set',
  summary: 'Watch an entity of an account',
  arguments: { accountId, entityType },
  flags: { pollSeconds: { value: 'SECONDS' }, walkHours: { value: 'HOURS' } },
  examples: ['unirec watch set sandbox-square-restaurant product --poll-seconds 60'],
  show: (_, { arguments: { account, entity } }) => ({
    note: `${account} ${entity} is watched; see unirec watch list ${account}`,
  }),
})

export const watchStop = command({
  operation: 'stopWatch',
  name: 'watch stop',
  summary: 'Stop watching an entity of an account; its cursors expire',
  arguments: { accountId, entityType },
  flags: {
    reset: {
      type: 'boolean',
      description: 'Only remove the setting of the account, so that the default of the workspace applies',
    },
  },
  show: (_, { arguments: { account, entity }, flags }) => ({
    note: `${account} ${entity} ${flags.reset ? 'follows the default of the workspace' : 'is no longer watched'}`,
  }),
})
