// unirec erase: removes one person from what the service has stored of an account.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ManageAnswer, ManageBody } from '../../packages/client/src/manage-call.ts'
import { personTypes } from '../contract/person.ts'
import { accountArgument } from './account-argument.ts'
import { type Command, CommandFailure, exitCodes } from './command.ts'
import { managed } from './connect.ts'
import { showTable } from './table.ts'

type Person = ManageBody<'erasePerson'>['entityType']
type Shown = ManageAnswer<'getErasure'>
const pollMs = 500
const places: Readonly<Record<string, string>> = {
  writes: 'finished writes',
  changes: 'entries of the change log',
  hints: 'records that wait for the change log',
  deliveries: 'webhook deliveries',
  activity: 'requests in the activity',
  migrationReports: 'plans and reports of migrations',
  migrationRecords: 'records in migrations',
}

export const eraseCommand: Command = {
  name: 'erase',
  summary: 'Erase one person from writes, change log, deliveries, activity and migrations of an account',
  arguments: [
    accountArgument,
    { name: 'entity', field: 'entityType', description: `One of ${personTypes.join(', ')}`, choices: personTypes },
    { name: 'id', field: 'id', description: "The platform's id of the person" },
  ],
  flags: [
    { name: 'plan', field: 'plan', type: 'boolean', description: 'Only count what would be erased' },
    { name: 'yes', type: 'boolean', description: 'Erase it. Nothing can be restored' },
  ],
  examples: [
    'unirec erase sandbox-square-restaurant customer CUSTOMER_ID --plan',
    'unirec erase sandbox-square-restaurant customer CUSTOMER_ID --yes',
  ],
  async run({ arguments: { account = '', entity, id = '' }, flags, output, connect, signal }) {
    const plan = flags.plan === true
    if (plan === (flags.yes === true))
      throw new CommandFailure(
        exitCodes.usage,
        'use --plan to count what would be erased, or --yes to erase it: nothing can be restored',
      )
    const manage = managed(await connect())
    const person = { entityType: entity as Person, id, plan }
    let shown = await manage.call('erasePerson', { path: { accountId: account }, body: person })
    const path = { accountId: account, erasureId: shown.id }
    for (let said = ''; shown.state !== 'done'; shown = await manage.call('getErasure', { path })) {
      if (shown.state === 'checking' && said !== shown.state)
        output.note('everything was searched once; it is searched again in a minute for what was under way')
      said = shown.state
      await sleep(pollMs, undefined, { signal })
    }
    if (output.json) output.line(JSON.stringify(shown))
    else show(shown)
    return exitCodes.ok

    function show({ found, openWrites, unsettled, notCovered }: Shown): void {
      const rows = Object.entries(found).map(([place, count]) => [places[place] ?? place, count])
      showTable(output, ['place', plan ? 'to erase' : 'erased'], rows)
      if (openWrites + rows.reduce((sum, [, count]) => sum + Number(count), 0) === 0)
        output.note('nothing is stored of this id: check that it is the id at the platform')
      if (openWrites > 0)
        output.note(`writes of this person that are not finished: ${openWrites}; erasing waits for them`)
      if (unsettled > 0)
        output.note(`open creates of this entity without a platform id: ${unsettled}; settle them and erase again`)
      output.note(`not covered: ${notCovered.join('; ')}`)
    }
  },
}
