// unirec keys …: API keys and access ids, what they may be used for and when they were used.
import { entityTypes } from '../contract/entity.ts'
import { defaultScopes, scopes } from '../contract/scopes.ts'
import { type Argument, type Command, CommandFailure, exitCodes } from './command.ts'
import { managed } from './connect.ts'
import { listIn } from './flag-values.ts'
import { listAll } from './manage.ts'
import { inline } from './printable.ts'
import { showTable } from './table.ts'

interface Shown {
  id: string
  name: string
  scopes: string[]
  accounts?: string[]
  entities?: string[]
  hiddenFields?: string[]
  expiresAt?: string
  lastUsedAt?: string
  lastAddress?: string
  revokedAt?: string
  key?: string
  secret?: string
}
const kinds = { 'api-key': '{workspace}/api-keys', 'access-id': '{workspace}/access-ids' } as const
const keyArgument: Argument = {
  name: 'id',
  field: 'id',
  listedBy: 'unirec keys list',
  description: 'Id of the API key (urk_…) or access id (uri_…)',
}
const pathOf = (id = '') => `${kinds[id.startsWith('uri_') ? 'access-id' : 'api-key']}/${encodeURIComponent(id)}`

const expiryIn = ({ revokedAt, expiresAt }: Shown): string => {
  if (revokedAt) return 'revoked'
  if (expiresAt === undefined) return 'never'
  return Date.parse(expiresAt) <= Date.now() ? `expired ${expiresAt}` : expiresAt
}
const limitsOf = ({ accounts, entities, hiddenFields }: Shown): string =>
  [
    ...(accounts ? [`accounts ${accounts.join(',')}`] : []),
    ...(entities ? [`entities ${entities.join(',')}`] : []),
    ...(hiddenFields ? [`without ${hiddenFields.join(',')}`] : []),
  ].join('; ')
const useOf = ({ lastUsedAt, lastAddress }: Shown): string =>
  lastUsedAt ? `${lastUsedAt} from ${lastAddress ?? 'an unknown address'}` : 'never'

export const keysList: Command = {
  name: 'keys list',
  summary: 'List API keys and access ids with scopes, limits, expiry and last use',
  arguments: [],
  flags: [],
  async run({ output, connect }) {
    const manage = managed(await connect())
    const rows: string[][] = []
    for (const path of Object.values(kinds))
      for await (const key of listAll<Shown>(manage, path))
        if (output.json) output.line(JSON.stringify(key))
        else rows.push([key.id, key.name, key.scopes.join(','), expiryIn(key), useOf(key), limitsOf(key)])
    if (rows.length > 0) showTable(output, ['id', 'name', 'scopes', 'expires', 'last used', 'limits'], rows)
    else if (!output.json) output.note('there are no API keys and access ids; see unirec keys create --help')
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

export const keysCreate: Command = {
  name: 'keys create',
  summary: 'Create an API key or an access id; prints what is shown once',
  arguments: [{ name: 'name', field: 'name', description: 'The system that uses it' }],
  flags: [
    {
      name: 'kind',
      type: 'string',
      value: 'KIND',
      choices: Object.keys(kinds),
      default: 'api-key',
      description: 'Kind',
    },
    {
      name: 'scope',
      field: 'scopes',
      type: 'string',
      value: 'SCOPES',
      description: `Separated by commas: ${scopes.join(', ')}; by default ${defaultScopes.join(',')}`,
    },
    {
      name: 'account',
      field: 'accounts',
      type: 'string',
      value: 'IDS',
      description: 'Only these accounts, separated by commas',
    },
    {
      name: 'entity',
      field: 'entities',
      type: 'string',
      value: 'TYPES',
      description: `Only these entities, separated by commas: ${entityTypes.join(', ')}`,
    },
    {
      name: 'hide',
      field: 'hiddenFields',
      type: 'string',
      value: 'FIELDS',
      description: 'Leave these fields out of records, such as email,phone',
    },
    {
      name: 'expires',
      field: 'expiresAt',
      type: 'string',
      value: 'TIME',
      description: 'Such as 90d, 12h or 2027-01-31T00:00:00Z',
    },
  ],
  examples: [
    "unirec keys create 'Order import' --scope records:read,changes --account corner-cafe --expires 90d",
    "unirec keys create 'Shop backend' --scope accounts:read,connect:create",
  ],
  async run({ arguments: { name }, flags, output, connect }) {
    const path = kinds[flags.kind as keyof typeof kinds]
    const made = await managed(await connect()).call<Shown>('POST', path, {
      name,
      scopes: listIn(flags.scope),
      accounts: listIn(flags.account),
      entities: listIn(flags.entity),
      hiddenFields: listIn(flags.hide),
      expiresAt: typeof flags.expires === 'string' ? expiryOf(flags.expires) : undefined,
    })
    return printOnce(output, made)
  },
}

function printOnce(output: Parameters<Command['run']>[0]['output'], made: Shown): number {
  if (output.json) output.line(JSON.stringify(made))
  else {
    output.line(inline(`id      ${made.id}`))
    output.line(inline(made.key ? `key     ${made.key}` : `secret  ${made.secret}`))
    output.note('store it: it is not shown again')
  }
  return exitCodes.ok
}

export const keysRotate: Command = {
  name: 'keys rotate',
  summary: 'Replace the secret of an API key or access id; the old one stops working now',
  arguments: [keyArgument],
  flags: [],
  async run({ arguments: { id }, output, connect }) {
    return printOnce(output, await managed(await connect()).call<Shown>('POST', `${pathOf(id)}/rotate`))
  },
}

export const keysRevoke: Command = {
  name: 'keys revoke',
  summary: 'Revoke an API key or access id; it stops working now',
  arguments: [keyArgument],
  flags: [],
  async run({ arguments: { id }, output, connect }) {
    await managed(await connect()).call('DELETE', pathOf(id))
    if (!output.json) output.note(`${id} is revoked`)
    return exitCodes.ok
  },
}
