// unirec webhooks …: endpoints that events are sent to.
import { type Argument, type Command, CommandFailure, exitCodes, type Flag, type Invocation } from './command.ts'
import { managed } from './connect.ts'
import { listIn, numberIn, textIn } from './flag-values.ts'
import { listAll } from './manage.ts'
import { inline } from './printable.ts'
import { showTable } from './table.ts'

interface Endpoint {
  id: string
  url: string
  description?: string
  events: string[]
  state: string
  stateReason?: string
  failing: boolean
  waiting: number
  failed: number
  lastSuccessAt?: string
  previousSecretUntil?: string
  secret?: string
}
const webhooksPath = '{workspace}/webhook-endpoints'
export const endpointPath = (id = '') => `${webhooksPath}/${encodeURIComponent(id)}`
export const endpointArgument: Argument = {
  name: 'endpoint',
  field: 'endpointId',
  listedBy: 'unirec webhooks list',
  description: 'Id of the webhook endpoint',
}

export const webhooksList: Command = {
  name: 'webhooks list',
  summary: 'List webhook endpoints and how they are',
  arguments: [],
  flags: [],
  async run({ output, connect }) {
    const rows: (string | number | undefined)[][] = []
    for await (const endpoint of listAll<Endpoint>(managed(await connect()), webhooksPath)) {
      const { id, url, events, state, failing, waiting, failed, lastSuccessAt, description, stateReason } = endpoint
      const note = [description, stateReason].filter((text) => text !== undefined).join('; ')
      const shownState = failing && state === 'active' ? 'failing' : state
      if (output.json) output.line(JSON.stringify(endpoint))
      else rows.push([id, shownState, waiting, failed, lastSuccessAt ?? 'never', events.join(','), url, note])
    }
    if (rows.length > 0)
      showTable(output, ['endpoint', 'state', 'waiting', 'failed', 'last success', 'events', 'url', 'note'], rows)
    else if (!output.json) output.note('there are no webhook endpoints; see unirec webhooks add --help')
    return exitCodes.ok
  },
}

const perSecond: Flag = {
  name: 'per-second',
  type: 'string',
  value: 'NUMBER',
  field: 'perSecond',
  description: 'At most this many attempts per second; 0 for no limit, which is the default',
}
const concurrency: Flag = {
  name: 'concurrency',
  type: 'string',
  value: 'NUMBER',
  field: 'concurrency',
  description: 'Attempts at the same time, 1 to 32; by default 8',
}
const settingFlags: readonly Flag[] = [
  {
    name: 'events',
    type: 'string',
    value: 'TYPES',
    field: 'events',
    description: 'Types, separated by commas, such as product.*,order.created; by default * for all',
  },
  {
    name: 'accounts',
    type: 'string',
    value: 'IDS',
    field: 'accounts',
    canBeEmpty: true,
    description: "Only events of these accounts, separated by commas; '' for all",
  },
  {
    name: 'description',
    type: 'string',
    value: 'TEXT',
    field: 'description',
    canBeEmpty: true,
    description: "What the receiver is; '' for none",
  },
  {
    name: 'data',
    type: 'string',
    choices: ['full', 'thin'],
    field: 'data',
    description: 'With the record, or thin with its ids only; by default full',
  },
  {
    name: 'format',
    type: 'string',
    choices: ['standard', 'cloudevents'],
    field: 'format',
    description: 'Format of the body; by default standard',
  },
  {
    name: 'coalesce',
    type: 'string',
    choices: ['on', 'off'],
    field: 'coalesce',
    description: 'Replace events of a record that were not attempted yet by newer ones; by default off',
  },
  concurrency,
  perSecond,
]
/** Of what was not given, nothing is sent. */
const settingsIn = (flags: Invocation['flags']) => ({
  events: listIn(flags.events),
  accounts: listIn(flags.accounts),
  description: textIn(flags.description),
  data: flags.data,
  format: flags.format,
  coalesce: flags.coalesce === undefined ? undefined : flags.coalesce === 'on',
  concurrency: numberIn(flags, concurrency),
  perSecond: numberIn(flags, perSecond),
})

export const webhooksAdd: Command = {
  name: 'webhooks add',
  summary: 'Create a webhook endpoint; prints its secret, which is shown once',
  arguments: [
    { name: 'url', field: 'url', description: 'Receives the events; https, in the sandbox also http on localhost' },
  ],
  flags: settingFlags,
  examples: [
    "unirec webhooks add https://example.com/hooks --events 'product.*,order.created'",
    'unirec webhooks add https://example.com/hooks --data thin --format cloudevents --per-second 10',
  ],
  async run({ arguments: { url }, flags, output, connect }) {
    const settings = settingsIn(flags)
    const endpoint = await managed(await connect()).call<Endpoint>('POST', webhooksPath, {
      url,
      ...settings,
      events: settings.events ?? ['*'],
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

const endpointUrl: Flag = {
  name: 'endpoint-url',
  type: 'string',
  value: 'URL',
  field: 'url',
  description: 'Another URL; the secret stays the same',
}
export const webhooksUpdate: Command = {
  name: 'webhooks update',
  summary: 'Change settings of a webhook endpoint; what waits is sent with the new ones',
  arguments: [endpointArgument],
  flags: [endpointUrl, ...settingFlags],
  examples: [
    "unirec webhooks update urwh_… --events 'order.*' --per-second 20",
    "unirec webhooks update urwh_… --accounts ''",
  ],
  async run({ arguments: { endpoint }, flags, output, connect }) {
    const settings = { url: textIn(flags[endpointUrl.name]), ...settingsIn(flags) }
    if (Object.values(settings).every((value) => value === undefined))
      throw new CommandFailure(
        exitCodes.usage,
        `pass what to change: ${[endpointUrl, ...settingFlags].map(({ name }) => `--${name}`).join(', ')}`,
      )
    const changed = await managed(await connect()).call<Endpoint>('PATCH', endpointPath(endpoint), settings)
    if (output.json) output.line(JSON.stringify(changed))
    else output.note(`${endpoint} is changed`)
    return exitCodes.ok
  },
}

interface Answer {
  secret?: string
  previousSecretUntil?: string
}
function action(
  name: 'enable' | 'disable' | 'rotate' | 'delete',
  summary: string,
  done: (endpoint: string, answer: Answer | undefined) => string,
): Command {
  return {
    name: `webhooks ${name}`,
    summary,
    arguments: [endpointArgument],
    flags: [],
    async run({ arguments: { endpoint = '' }, output, connect }) {
      const api = managed(await connect())
      const answer = await (name === 'delete'
        ? api.call<undefined>('DELETE', endpointPath(endpoint))
        : api.call<Answer>('POST', `${endpointPath(endpoint)}/${name}`))
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
export const webhooksRotate = action(
  'rotate',
  'Replace the secret and print the new one; the old one is valid for 24 hours more',
  (endpoint, answer) => `${endpoint} signs with both secrets until ${answer?.previousSecretUntil}`,
)
export const webhooksDelete = action(
  'delete',
  'Delete a webhook endpoint; what waits is not sent',
  (endpoint) => `${endpoint} is deleted`,
)
