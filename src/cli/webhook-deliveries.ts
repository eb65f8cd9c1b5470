// unirec webhooks test, deliveries, resend and replay: what was sent to an endpoint.
import type { ManageAnswer } from '../../packages/client/src/manage-call.ts'
import { toInstant } from '../contract/instant.ts'
import { CommandFailure, exitCodes } from './command.ts'
import { numberIn } from './flag-values.ts'
import { command, listCommand } from './operation.ts'
import { endpointId } from './webhooks.ts'

type Delivery = ManageAnswer<'testWebhookEndpoint'>

function lastAttempt({ attempts }: Delivery): string {
  const last = attempts.at(-1)
  return last ? `${last.status ?? last.error} after ${last.durationMs} ms` : 'not attempted yet'
}

export const webhooksTest = command({
  operation: 'testWebhookEndpoint',
  name: 'webhooks test',
  summary: 'Send a test event, once, and show what the receiver returned; fails if it was not accepted',
  arguments: { endpointId },
  show: (delivery, { arguments: { endpoint } }) => ({
    note:
      delivery.state === 'waiting'
        ? `${delivery.id} waits; see unirec webhooks deliveries ${endpoint}`
        : `${delivery.id} is ${delivery.state}: ${lastAttempt(delivery)}`,
    failed: delivery.state === 'failed',
  }),
})

export const webhooksDeliveries = listCommand({
  operation: 'listWebhookDeliveries',
  name: 'webhooks deliveries',
  summary: 'List the newest deliveries of a webhook endpoint with their record and last attempt',
  arguments: { endpointId },
  flags: {
    state: { choices: ['waiting', 'delivered', 'failed', 'superseded'], description: 'Only in this state' },
    type: { name: 'event', value: 'TYPE', description: "Only of this type, or family, such as 'order.*'" },
    accountId: { name: 'account', value: 'ID' },
    externalId: { name: 'record', value: 'ID', description: 'Only of this record of the account (externalId)' },
    sequence: { value: 'NUMBER', description: 'Only this change of the account' },
  },
  examples: [
    'unirec webhooks deliveries urwh_… --state failed',
    'unirec webhooks deliveries urwh_… --account cafe --record 17',
  ],
  check({ flags }) {
    for (const name of ['record', 'sequence'])
      if (flags[name] !== undefined && flags.account === undefined)
        throw new CommandFailure(exitCodes.usage, `--${name} needs --account: each account has its own`)
    numberIn(flags, { name: 'sequence' })
  },
  onePage: true,
  columns: {
    created: ({ createdAt }) => createdAt,
    delivery: ({ id }) => id,
    event: ({ type }) => type,
    account: ({ accountId }) => accountId,
    record: ({ externalId }) => externalId,
    sequence: ({ sequence }) => sequence,
    state: ({ state }) => state,
    attempts: ({ attempts }) => attempts.length,
    'last attempt': (delivery) => (delivery.attempts.length === 0 ? '' : lastAttempt(delivery)),
    'next attempt': ({ nextAttemptAt }) => nextAttemptAt,
  },
  none: 'there are no such deliveries',
})

export const webhooksResend = command({
  operation: 'resendWebhookDelivery',
  name: 'webhooks resend',
  summary: 'Send a delivery again, with the same id and body',
  arguments: {
    endpointId,
    deliveryId: {
      name: 'delivery',
      listedBy: 'unirec webhooks deliveries <endpoint>',
      description: 'Id of the delivery',
    },
  },
  show: (_, { arguments: { delivery } }) => ({ note: `${delivery} is sent again` }),
})

export const webhooksReplay = command({
  operation: 'replayWebhooks',
  name: 'webhooks replay',
  summary: 'Send past events again, with new ids',
  arguments: { endpointId },
  flags: {
    since: { value: 'TIME', description: 'All events since this time, such as 2026-11-16T08:00:00Z' },
    accountId: { name: 'account', value: 'ID', description: 'Events of this account, with --from' },
    from: { value: 'SEQUENCE', description: 'The first sequence in the feed of the account' },
  },
  check({ flags }) {
    const { since, account } = flags
    const from = numberIn(flags, { name: 'from' })
    const isFrom = account !== undefined && from !== undefined && since === undefined
    const isSince = since !== undefined && account === undefined && from === undefined
    if (!isFrom && !isSince)
      throw new CommandFailure(exitCodes.usage, 'pass --since TIME, or --account ID with --from SEQUENCE')
    if (typeof since === 'string' && toInstant(since) === undefined)
      throw new CommandFailure(exitCodes.usage, `--since takes a time such as 2026-11-16T08:00:00Z, not "${since}"`)
  },
  show: ({ logs }) => ({ note: `${logs} ${logs === 1 ? 'log is' : 'logs are'} read again` }),
})
