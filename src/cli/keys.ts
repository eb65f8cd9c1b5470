// unirec keys …: API keys and access ids, what they may be used for and when they were used.
import type { ManageAnswer, ManageItem } from '../../packages/client/src/manage-call.ts'
import { entityTypes } from '../contract/entity.ts'
import { defaultScopes, scopes } from '../contract/scopes.ts'
import { type Argument, type Command, CommandFailure, exitCodes, type Invocation, type Manage } from './command.ts'
import { managed } from './connect.ts'
import { listAll } from './manage.ts'
import { type Flags, flagsOf, print, requestOf, showList } from './operation.ts'

type Credential = ManageItem<'listApiKeys'>
const kinds = {
  'api-key': { list: 'listApiKeys', create: 'createApiKey', rotate: 'rotateApiKey', revoke: 'revokeApiKey' },
  'access-id': { list: 'listAccessIds', create: 'createAccessId', rotate: 'rotateAccessId', revoke: 'revokeAccessId' },
} as const
const kindOf = (id = '') => kinds[id.startsWith('uri_') ? 'access-id' : 'api-key']
const keyArgument: Argument = {
  name: 'id',
  field: 'id',
  listedBy: 'unirec keys list',
  description: 'Id of the API key (urk_…) or access id (uri_…)',
}

const expiryIn = ({ revokedAt, expiresAt }: Credential): string => {
  if (revokedAt) return 'revoked'
  if (expiresAt === undefined) return 'never'
  return Date.parse(expiresAt) <= Date.now() ? `expired ${expiresAt}` : expiresAt
}
const limitsOf = ({ accounts, entities, hiddenFields }: Credential): string =>
  [
    ...(accounts ? [`accounts ${accounts.join(',')}`] : []),
    ...(entities ? [`entities ${entities.join(',')}`] : []),
    ...(hiddenFields ? [`without ${hiddenFields.join(',')}`] : []),
  ].join('; ')
const useOf = ({ lastUsedAt, lastAddress }: Credential): string =>
  lastUsedAt ? `${lastUsedAt} from ${lastAddress ?? 'an unknown address'}` : 'never'

async function* listKeys(manage: Manage): AsyncGenerator<Credential> {
  for (const { list } of Object.values(kinds)) yield* listAll(manage, list)
}
export const keysList: Command = {
  name: 'keys list',
  summary: 'List API keys and access ids with scopes, limits, expiry and last use',
  arguments: [],
  flags: [],
  async run({ output, connect }) {
    await showList(
      output,
      listKeys(managed(await connect())),
      {
        id: ({ id }) => id,
        name: ({ name }) => name,
        scopes: ({ scopes }) => scopes.join(','),
        expires: expiryIn,
        'last used': useOf,
        limits: limitsOf,
      },
      'there are no API keys and access ids; see unirec keys create --help',
    )
    return exitCodes.ok
  },
}

/** `90d`, `12h`, or a time. */
function expiryOf(text: string, now = Date.now()): string {
  const [, count, unit] = /^(\d{1,5})([dh])$/.exec(text) ?? []
  const at = count ? now + Number(count) * (unit === 'd' ? 86_400_000 : 3_600_000) : Date.parse(text)
  if (Number.isNaN(at))
    throw new CommandFailure(exitCodes.usage, `--expires must be like 90d, 12h or 2027-01-31T00:00:00Z, not "${text}"`)
  return new Date(at).toISOString()
}

const keyFlags = {
  scopes: {
    name: 'scope',
    value: 'SCOPES',
    description: `Separated by commas: ${scopes.join(', ')}; by default ${defaultScopes.join(',')}`,
  },
  accounts: { name: 'account', value: 'IDS', description: 'Only these accounts, separated by commas' },
  entities: {
    name: 'entity',
    value: 'TYPES',
    description: `Only these entities, separated by commas: ${entityTypes.join(', ')}`,
  },
  hiddenFields: {
    name: 'hide',
    value: 'FIELDS',
    description: 'Leave these fields out of records, such as email,phone',
  },
  expiresAt: { name: 'expires', value: 'TIME', description: 'Such as 90d, 12h or 2027-01-31T00:00:00Z' },
} as const satisfies Flags<'createApiKey'>
const kindFlag = {
  name: 'kind',
  type: 'string',
  value: 'KIND',
  choices: Object.keys(kinds),
  default: 'api-key',
  description: 'Kind',
} as const
const declared = {
  arguments: [{ name: 'name', field: 'name', description: 'The system that uses it' }],
  flags: flagsOf('createApiKey', keyFlags),
}

export const keysCreate: Command = {
  name: 'keys create',
  summary: 'Create an API key or an access id; prints what is shown once',
  arguments: declared.arguments,
  flags: [kindFlag, ...declared.flags],
  examples: [
    "unirec keys create 'Order import' --scope records:read,changes --account corner-cafe --expires 90d",
    "unirec keys create 'Shop backend' --scope accounts:read,connect:create",
  ],
  async run({ arguments: given, flags, output, connect }) {
    const expires = typeof flags.expires === 'string' ? expiryOf(flags.expires) : undefined
    const [request] = requestOf('createApiKey', declared, { arguments: given, flags: { ...flags, expires } })
    const { create } = kinds[flags.kind as keyof typeof kinds]
    return printOnce(output, await managed(await connect()).call(create, request))
  },
}

function printOnce(
  output: Invocation['output'],
  made: ManageAnswer<'createApiKey'> | ManageAnswer<'createAccessId'>,
): number {
  print(output, made, {
    lines: [`id      ${made.id}`, 'key' in made ? `key     ${made.key}` : `secret  ${made.secret}`],
    note: 'store it: it is not shown again',
  })
  return exitCodes.ok
}

export const keysRotate: Command = {
  name: 'keys rotate',
  summary: 'Replace the secret of an API key or access id; the old one stops working now',
  arguments: [keyArgument],
  flags: [],
  async run({ arguments: { id = '' }, output, connect }) {
    return printOnce(output, await managed(await connect()).call(kindOf(id).rotate, { path: { id } }))
  },
}

export const keysRevoke: Command = {
  name: 'keys revoke',
  summary: 'Revoke an API key or access id; it stops working now',
  arguments: [keyArgument],
  flags: [],
  async run({ arguments: { id = '' }, output, connect }) {
    await managed(await connect()).call(kindOf(id).revoke, { path: { id } })
    if (!output.json) output.note(`${id} is revoked`)
    return exitCodes.ok
  },
}
