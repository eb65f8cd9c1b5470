// unirec webhooks test, deliveries, resend and replay: what was sent to an endpoint.
import { toInstant } from '../contract/instant.ts'
import { type Command, CommandFailure, exitCodes } from './command.ts'
import { managed } from './connect.ts'
import { numberIn } from './flag-values.ts'
import { showTable } from './table.ts'
import { endpointArgument, endpointPath } from './webhooks.ts'

interface Delivery {
  id: string
  type: string
  accountId?: string
  entityType?: string
  externalId?: string
  sequence?: number
  state: string
  createdAt: string
  nextAttemptAt?: string
  attempts: { at: string; durationMs: number; status?: number; error?: string }[]
}

function lastAttempt({ attempts }: Delivery): string {
  const last = attempts.at(-1)
  return last ? `${last.status ?? last.error} after ${last.durationMs} ms` : 'not attempted yet'
}

export const webhooksTest: Command = {
  name: 'webhooks test',
  summary: 'Send a test event, once, and show what the receiver returned; fails if it was not accepted',
  arguments: [endpointArgument],
  flags: [],
  async run({ arguments: { endpoint = '' }, output, connect }) {
    const delivery = await managed(await connect()).call<Delivery>('POST', `${endpointPath(endpoint)}/test`)
    const { id, state } = delivery
    if (output.json) output.line(JSON.stringify(delivery))
    else if (state === 'waiting') output.note(`${id} waits; see unirec webhooks deliveries ${endpoint}`)
    else output.note(`${id} is ${state}: ${lastAttempt(delivery)}`)
    return state === 'failed' ? exitCodes.failed : exitCodes.ok
  },
}

export const webhooksDeliveries: Command = {
  name: 'webhooks deliveries',
  summary: 'List the newest deliveries of a webhook endpoint with their record and last attempt',
  arguments: [endpointArgument],
  flags: [
    {
      name: 'state',
      type: 'string',
      choices: ['waiting', 'delivered', 'failed', 'superseded'],
      description: 'Only in this state',
    },
    { name: 'event', type: 'string', value: 'TYPE', description: "Only of this type, or family, such as 'order.*'" },
    { name: 'account', type: 'string', value: 'ID', description: 'Only changes of this account' },
    { name: 'record', type: 'string', value: 'ID', description: 'Only of this record of the account (externalId)' },
    { name: 'sequence', type: 'string', value: 'NUMBER', description: 'Only this change of the account' },
  ],
  examples: [
    'unirec webhooks deliveries urwh_… --state failed',
    'unirec webhooks deliveries urwh_… --account cafe --record 17',
  ],
  async run({ arguments: { endpoint }, flags, output, connect }) {
    const { account } = flags
    for (const name of ['record', 'sequence'])
      if (flags[name] !== undefined && account === undefined)
        throw new CommandFailure(exitCodes.usage, `--${name} needs --account: each account has its own`)
    const query = new URLSearchParams()
    const given = { state: flags.state, type: flags.event, accountId: account, externalId: flags.record }
    for (const [name, value] of Object.entries({ ...given, sequence: numberIn(flags, { name: 'sequence' }) }))
      if (value !== undefined) query.set(name, String(value))
    const page = await managed(await connect()).call<{ data: Delivery[] }>(
      'GET',
      `${endpointPath(endpoint)}/deliveries${query.size > 0 ? `?${query}` : ''}`,
    )
    if (output.json) for (const delivery of page.data) output.line(JSON.stringify(delivery))
    else if (page.data.length > 0) showTable(output, header, page.data.map(cellsOf))
    else output.note('there are no such deliveries')
    return exitCodes.ok
  },
}
const header = [
  'created',
  'delivery',
  'event',
  'account',
  'record',
  'sequence',
  'state',
  'attempts',
  'last attempt',
  'next attempt',
] as const
function cellsOf(delivery: Delivery): (string | number | undefined)[] {
  const { createdAt, id, type, accountId, externalId, sequence, state, attempts, nextAttemptAt } = delivery
  const last = attempts.length === 0 ? '' : lastAttempt(delivery)
  return [createdAt, id, type, accountId, externalId, sequence, state, attempts.length, last, nextAttemptAt]
}

export const webhooksResend: Command = {
  name: 'webhooks resend',
  summary: 'Send a delivery again, with the same id and body',
  arguments: [
    endpointArgument,
    {
      name: 'delivery',
      field: 'deliveryId',
      listedBy: 'unirec webhooks deliveries <endpoint>',
      description: 'Id of the delivery',
    },
  ],
  flags: [],
  async run({ arguments: { endpoint, delivery = '' }, output, connect }) {
    const path = `${endpointPath(endpoint)}/deliveries/${encodeURIComponent(delivery)}/resend`
    const answer = await managed(await connect()).call<Delivery>('POST', path)
    if (output.json) output.line(JSON.stringify(answer))
    else output.note(`${delivery} is sent again`)
    return exitCodes.ok
  },
}

export const webhooksReplay: Command = {
  name: 'webhooks replay',
  summary: 'Send past events again, with new ids',
  arguments: [endpointArgument],
  flags: [
    {
      name: 'since',
      type: 'string',
      value: 'TIME',
      field: 'since',
      description: 'All events since this time, such as 2026-11-16T08:00:00Z',
    },
    {
      name: 'account',
      type: 'string',
      value: 'ID',
      field: 'accountId',
      description: 'Events of this account, with --from',
    },
    {
      name: 'from',
      type: 'string',
      value: 'SEQUENCE',
      field: 'from',
      description: 'The first sequence in the feed of the account',
    },
  ],
  async run({ arguments: { endpoint }, flags, output, connect }) {
    const { since, account } = flags
    const from = numberIn(flags, { name: 'from' })
    const isFrom = account !== undefined && from !== undefined && since === undefined
    const isSince = since !== undefined && account === undefined && from === undefined
    if (!isFrom && !isSince)
      throw new CommandFailure(exitCodes.usage, 'pass --since TIME, or --account ID with --from SEQUENCE')
    if (typeof since === 'string' && toInstant(since) === undefined)
      throw new CommandFailure(exitCodes.usage, `--since takes a time such as 2026-11-16T08:00:00Z, not "${since}"`)
    const body = isFrom ? { accountId: account, from } : { since }
    const answer = await managed(await connect()).call<{ logs: number }>(
      'POST',
      `${endpointPath(endpoint)}/replay`,
      body,
    )
    if (output.json) output.line(JSON.stringify(answer))
    else output.note(`${answer.logs} ${answer.logs === 1 ? 'log is' : 'logs are'} read again`)
    return exitCodes.ok
  },
}
