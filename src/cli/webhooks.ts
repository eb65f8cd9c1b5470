// unirec webhooks …: endpoints that events are sent to.
import { type Command, CommandFailure, exitCodes } from './command.ts'
import { command, type Flags, listCommand } from './operation.ts'

export const endpointId = {
  name: 'endpoint',
  listedBy: 'unirec webhooks list',
  description: 'Id of the webhook endpoint',
}

export const webhooksList = listCommand({
  operation: 'listWebhookEndpoints',
  name: 'webhooks list',
  summary: 'List webhook endpoints and how they are',
  columns: {
    endpoint: ({ id }) => id,
    state: ({ failing, state }) => (failing && state === 'active' ? 'failing' : state),
    waiting: ({ waiting }) => waiting,
    failed: ({ failed }) => failed,
    'last success': ({ lastSuccessAt }) => lastSuccessAt ?? 'never',
    events: ({ events }) => events.join(','),
    url: ({ url }) => url,
    note: ({ description, stateReason }) => [description, stateReason].filter((text) => text !== undefined).join('; '),
  },
  none: 'there are no webhook endpoints; see unirec webhooks add --help',
})

const settings = {
  events: {
    value: 'TYPES',
    description: 'Types, separated by commas, such as product.*,order.created; by default * for all',
  },
  accounts: {
    value: 'IDS',
    canBeEmpty: true,
    description: "Only events of these accounts, separated by commas; '' for all",
  },
  description: { value: 'TEXT', canBeEmpty: true, description: "What the receiver is; '' for none" },
  data: { description: 'With the record, or thin with its ids only; by default full' },
  format: { description: 'Format of the body; by default standard' },
  coalesce: {
    choices: ['on', 'off'],
    description: 'Replace events of a record that were not attempted yet by newer ones; by default off',
  },
  concurrency: {},
  perSecond: {},
} as const satisfies Flags<'changeWebhookEndpoint'>

export const webhooksAdd = command({
  operation: 'createWebhookEndpoint',
  name: 'webhooks add',
  summary: 'Create a webhook endpoint; prints its secret, which is shown once',
  arguments: {
    url: { name: 'url', description: 'Receives the events; https, in the sandbox also http on localhost' },
  },
  flags: settings,
  examples: [
    "unirec webhooks add https://example.com/hooks --events 'product.*,order.created'",
    'unirec webhooks add https://example.com/hooks --data thin --format cloudevents --per-second 10',
  ],
  otherwise: { events: ['*'] },
  show: ({ id, secret }) => ({
    lines: [`id      ${id}`, `secret  ${secret}`],
    note: 'store the secret: it is not shown again',
  }),
})

export const webhooksUpdate: Command = command({
  operation: 'changeWebhookEndpoint',
  name: 'webhooks update',
  summary: 'Change settings of a webhook endpoint; what waits is sent with the new ones',
  arguments: { endpointId },
  flags: {
    url: { name: 'endpoint-url', value: 'URL', description: 'Another URL; the secret stays the same' },
    ...settings,
  },
  examples: [
    "unirec webhooks update urwh_… --events 'order.*' --per-second 20",
    "unirec webhooks update urwh_… --accounts ''",
  ],
  check({ flags }) {
    const names = webhooksUpdate.flags.map(({ name }) => name)
    if (names.every((name) => flags[name] === undefined))
      throw new CommandFailure(exitCodes.usage, `pass what to change: ${names.map((name) => `--${name}`).join(', ')}`)
  },
  show: (_, { arguments: { endpoint } }) => ({ note: `${endpoint} is changed` }),
})

export const webhooksEnable = command({
  operation: 'enableWebhookEndpoint',
  name: 'webhooks enable',
  summary: 'Enable a webhook endpoint; what has happened meanwhile is sent',
  arguments: { endpointId },
  show: (_, { arguments: { endpoint } }) => ({ note: `${endpoint} is enabled` }),
})
export const webhooksDisable = command({
  operation: 'disableWebhookEndpoint',
  name: 'webhooks disable',
  summary: 'Disable a webhook endpoint; its events wait',
  arguments: { endpointId },
  show: (_, { arguments: { endpoint } }) => ({ note: `${endpoint} is disabled` }),
})
export const webhooksRotate = command({
  operation: 'rotateWebhookSecret',
  name: 'webhooks rotate',
  summary: 'Replace the secret and print the new one; the old one is valid for 24 hours more',
  arguments: { endpointId },
  show: ({ secret, previousSecretUntil }, { arguments: { endpoint } }) => ({
    lines: [secret],
    note: `${endpoint} signs with both secrets until ${previousSecretUntil}`,
  }),
})
export const webhooksDelete = command({
  operation: 'deleteWebhookEndpoint',
  name: 'webhooks delete',
  summary: 'Delete a webhook endpoint; what waits is not sent',
  arguments: { endpointId },
  show: (_, { arguments: { endpoint } }) => ({ note: `${endpoint} is deleted` }),
})
