// unirec webhooks …: endpoints that events are sent to.
import { type Argument, type Command, CommandFailure, exitCodes } from './command.ts'
import { managed } from './connect.ts'
import { listAll } from './manage.ts'
import { inline } from './printable.ts'

interface Endpoint {
  id: string
  url: string
  events: string[]
  state: string
  stateReason?: string
  failing: boolean
  waiting: number
  secret?: string
}
interface Delivery {
  id: string
  type: string
  accountId?: string
  state: string
  createdAt: string
  nextAttemptAt?: string
  attempts: { at: string; durationMs: number; status?: number; error?: string }[]
}
const base = '{workspace}/webhook-endpoints'
const pathOf = (id = '') => `${base}/${encodeURIComponent(id)}`
const endpointArgument: Argument = { name: 'endpoint', description: 'Id of the webhook endpoint' }
const listed = (text: string | boolean | undefined) =>
  typeof text === 'string' ? text.split(',').map((part) => part.trim()) : undefined

const describe = ({ id, url, events, state, stateReason, failing, waiting }: Endpoint): string =>
  [
    `${id}  ${url}  ${events.join(',')}  ${state}`,
    ...(stateReason ? [stateReason] : []),
    ...(failing ? ['failing'] : []),
    ...(waiting > 0 ? [`${waiting} waiting`] : []),
  ].join('; ')

export const webhooksList: Command = {
  name: 'webhooks list',
  summary: 'List webhook endpoints and how they are',
  arguments: [],
  flags: [],
  async run({ output, connect }) {
    for await (const endpoint of listAll<Endpoint>(managed(await connect()), base))
      output.line(output.json ? JSON.stringify(endpoint) : inline(describe(endpoint)))
    return exitCodes.ok
  },
}

export const webhooksAdd: Command = {
  name: 'webhooks add',
  summary: 'Create a webhook endpoint; prints its secret, which is shown once',
  arguments: [{ name: 'url', description: 'Receives the events; https, in the sandbox also http on localhost' }],
  flags: [
    { name: 'events', type: 'string', value: 'TYPES', description: 'Types, separated by commas; by default * for all' },
    {
      name: 'accounts',
      type: 'string',
      value: 'IDS',
      description: 'Only events of these accounts, separated by commas',
    },
    { name: 'thin', type: 'boolean', description: 'Send the ids of records without the records' },
    { name: 'coalesce', type: 'boolean', description: 'Replace events that were not attempted yet by newer ones' },
  ],
  examples: ["unirec webhooks add https://example.com/hooks --events 'product.*,order.created'"],
  async run({ arguments: { url }, flags, output, connect }) {
    const endpoint = await managed(await connect()).call<Endpoint>('POST', base, {
      url,
      events: listed(flags.events) ?? ['*'],
      accounts: listed(flags.accounts),
      ...(flags.thin ? { data: 'thin' } : {}),
      ...(flags.coalesce ? { coalesce: true } : {}),
    })
    if (output.json) output.line(JSON.stringify(endpoint))
    else {
      output.line(inline(`id      ${endpoint.id}`))
      output.line(inline(`secret  ${endpoint.secret}`))
      output.note('store the secret: it is not shown again')
    }
    return exitCodes.ok
  },
}

function action(
  name: 'enable' | 'disable' | 'test' | 'rotate' | 'delete',
  summary: string,
  done: (endpoint: string, answer: { id?: string; secret?: string } | undefined) => string,
): Command {
  return {
    name: `webhooks ${name}`,
    summary,
    arguments: [endpointArgument],
    flags: [],
    async run({ arguments: { endpoint = '' }, output, connect }) {
      const api = managed(await connect())
      const answer = await (name === 'delete'
        ? api.call<undefined>('DELETE', pathOf(endpoint))
        : api.call<{ id?: string; secret?: string }>('POST', `${pathOf(endpoint)}/${name}`))
      if (output.json && answer) output.line(JSON.stringify(answer))
      else if (answer?.secret) output.line(inline(answer.secret))
      if (!output.json) output.note(done(endpoint, answer))
      return exitCodes.ok
    },
  }
}
export const webhooksEnable = action(
  'enable',
  'Enable a webhook endpoint; what has happened meanwhile is sent',
  (endpoint) => `${endpoint} is enabled`,
)
export const webhooksDisable = action(
  'disable',
  'Disable a webhook endpoint; its events wait',
  (endpoint) => `${endpoint} is disabled`,
)
export const webhooksTest = action(
  'test',
  'Send a test event',
  (endpoint, answer) => `${answer?.id} is on its way; see unirec webhooks deliveries ${endpoint}`,
)
export const webhooksRotate = action(
  'rotate',
  'Replace the secret and print the new one; the old one is valid for 24 hours more',
  (endpoint) => `${endpoint} signs with both secrets for 24 hours`,
)
export const webhooksDelete = action(
  'delete',
  'Delete a webhook endpoint; what waits is not sent',
  (endpoint) => `${endpoint} is deleted`,
)

export const webhooksDeliveries: Command = {
  name: 'webhooks deliveries',
  summary: 'List the newest deliveries of a webhook endpoint with their last attempt',
  arguments: [endpointArgument],
  flags: [
    { name: 'state', type: 'string', value: 'STATE', description: 'Only waiting, delivered, failed or superseded' },
  ],
  async run({ arguments: { endpoint }, flags, output, connect }) {
    const query = typeof flags.state === 'string' ? `?state=${encodeURIComponent(flags.state)}` : ''
    const page = await managed(await connect()).call<{ data: Delivery[] }>(
      'GET',
      `${pathOf(endpoint)}/deliveries${query}`,
    )
    for (const delivery of page.data)
      output.line(output.json ? JSON.stringify(delivery) : inline(describeDelivery(delivery)))
    return exitCodes.ok
  },
}
function describeDelivery({ id, type, accountId, state, createdAt, nextAttemptAt, attempts }: Delivery): string {
  const last = attempts.at(-1)
  return [
    `${createdAt}  ${id}  ${type}${accountId ? `  ${accountId}` : ''}  ${state}`,
    ...(last ? [`attempt ${attempts.length}: ${last.status ?? last.error} after ${last.durationMs} ms`] : []),
    ...(nextAttemptAt && attempts.length > 0 ? [`next at ${nextAttemptAt}`] : []),
  ].join('; ')
}

export const webhooksResend: Command = {
  name: 'webhooks resend',
  summary: 'Send a delivery again, with the same id and body',
  arguments: [endpointArgument, { name: 'delivery', description: 'Id of the delivery' }],
  flags: [],
  async run({ arguments: { endpoint, delivery = '' }, output, connect }) {
    const path = `${pathOf(endpoint)}/deliveries/${encodeURIComponent(delivery)}/resend`
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
      description: 'All events since this time, such as 2026-11-16T08:00:00Z',
    },
    { name: 'account', type: 'string', value: 'ID', description: 'Events of this account, with --from' },
    { name: 'from', type: 'string', value: 'SEQUENCE', description: 'The first sequence in the feed of the account' },
  ],
  async run({ arguments: { endpoint }, flags: { since, account, from }, output, connect }) {
    const isFrom = typeof account === 'string' && typeof from === 'string' && /^\d+$/.test(from) && since === undefined
    const isSince = typeof since === 'string' && account === undefined && from === undefined
    if (!isFrom && !isSince)
      throw new CommandFailure(exitCodes.usage, 'pass --since TIME, or --account ID with --from SEQUENCE')
    const body = isFrom ? { accountId: account, from: Number(from) } : { since }
    const answer = await managed(await connect()).call<{ logs: number }>('POST', `${pathOf(endpoint)}/replay`, body)
    if (output.json) output.line(JSON.stringify(answer))
    else output.note(`${answer.logs} ${answer.logs === 1 ? 'log is' : 'logs are'} read again`)
    return exitCodes.ok
  },
}
