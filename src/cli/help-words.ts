// What the help and docs/cli.md say in the same words.
import type { Argument, Command, Flag } from './command.ts'

export const environment: readonly (readonly [name: string, meaning: string])[] = [
  ['UNIREC_URL', 'URL of the service; if the service has a MANAGE_PORT, its management URL'],
  ['UNIREC_PROFILE', 'profile of `unirec login`; by default the current one'],
  ['UNIREC_API_KEY', 'API key of a workspace'],
  ['UNIREC_ACCESS_ID, UNIREC_ACCESS_SECRET', 'access id and secret, instead of an API key'],
  ['UNIREC_AUTH_URL', 'URL of the token endpoint for an access id, if it is not at the service'],
  ['UNIREC_MAPPING_KEYS', 'mapping keys for an access id: ACCOUNT=READ/WRITE, separated by commas'],
  [
    'UNIREC_ADMIN_TOKEN',
    "the service's ADMIN_TOKEN, for commands that use the management API; for most an API key with the scope `manage` will do",
  ],
  ['UNIREC_WEBHOOK_SECRET', 'secret that unirec listen signs with'],
  ['UNIREC_WORKSPACE', 'workspace for the management API; required if there are several'],
  ['XDG_CONFIG_HOME', 'directory of unirec/profiles.json (default ~/.config)'],
  ['DATA_DIR', 'data directory of a service on this machine (default ./data)'],
  [
    'DATABASE_URL, DATABASE_DIRECT_URL, ENCRYPTION_KEY',
    'same values as the service, for `doctor`, `encryption-key rotate`, `users`, `backup`, `restore` and `serve`',
  ],
  ['ALLOWED_HOSTS', 'same value as the service, for new webhook endpoints of `apply`'],
  ['NO_COLOR', 'disables colors'],
]
export const exits: readonly (readonly [code: number, meaning: string])[] = [
  [0, 'success'],
  [1, 'partial failure: rejected records, an account that does not respond, problems found by `doctor`'],
  [2, 'usage error: unknown command or flag, unreadable file'],
  [3, 'the service is unreachable or rejects the credentials'],
  [4, 'there is something to do (`apply --plan`)'],
  [130, 'interrupted (Ctrl-C); the command can be run again'],
]

export const flagWords = ({ name, short, type, value, choices }: Flag) =>
  `${short ? `-${short}, ` : ''}--${name}${type === 'string' ? ` ${choices ? choices.join('|') : (value ?? 'VALUE')}` : ''}`
export const flagMeaning = (flag: Flag) =>
  `${flag.description}${flag.default === undefined ? '' : ` (default: ${flag.default})`}`
/** A longer list of choices is part of the meaning instead. */
const shortChoices = (choices: readonly string[] | undefined): string | undefined =>
  choices && choices.join('|').length <= 34 ? choices.join('|') : undefined
export const argumentWords = ({ name, optional, choices }: Argument) =>
  optional ? `[${shortChoices(choices) ?? name}]` : (shortChoices(choices) ?? `<${name}>`)
export const argumentMeaning = ({ description, choices }: Argument) =>
  choices && !shortChoices(choices) && !choices.every((choice) => description.includes(choice))
    ? `${description}: ${choices.join(', ')}`
    : description
export const usageLine = (command: Command, typed = `unirec ${command.name}`) =>
  [typed, ...command.arguments.map(argumentWords), ...(command.flags.length > 0 ? ['[flags]'] : [])].join(' ')

export const whereFrom =
  'URL and credentials come from flags, then from the environment, then from a profile of unirec login, then from DATA_DIR/sandbox.json of a running sandbox. A note says which was used. A profile that --profile names goes before the environment, and the sandbox of --data-dir before the current profile. Credentials of a profile or a sandbox are sent only to their own URL.'

/** What `accounts` and the other first words of several commands are about. */
export const families: Readonly<Record<string, string>> = {
  accounts: 'Connected accounts',
  'connect-link': 'Links with which customers connect their accounts',
  'encryption-key': 'Key of the stored secrets',
  hooks: 'Webhooks from platforms',
  keys: 'API keys and access ids',
  logs: 'Requests and what they did',
  profiles: 'URLs and credentials on this machine',
  sandbox: 'Faults of the simulated platforms',
  users: 'People who sign in',
  watch: 'What is watched for changes',
  webhooks: 'Webhook endpoints and their deliveries',
  workspaces: 'Workspaces',
}
export const familyOf = ({ name }: Command): string | undefined => {
  const [first, ...rest] = name.split(' ')
  return rest.length > 0 ? first : undefined
}
