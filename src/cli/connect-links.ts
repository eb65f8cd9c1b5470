// unirec connect-link …: links with which customers connect their accounts.
import { type Command, exitCodes } from './command.ts'
import { managed } from './connect.ts'
import { listAll } from './manage.ts'
import { type Flags, flagsOf, print, requestOf, showList } from './operation.ts'

const linkFlags = {
  platforms: {
    name: 'platform',
    value: 'NAMES',
    description: 'Only these platforms, separated by commas; by default all',
  },
  vertical: { description: 'Only this vertical' },
  accountId: {
    name: 'account',
    value: 'ID',
    complete: 'account',
    description: 'Reconnect this account; its references and mappings are kept',
  },
  manage: { description: 'With --account: a page to see, reconnect and end the connection' },
  newAccountId: { name: 'id', value: 'ID' },
  accountName: { name: 'name', value: 'TEXT' },
  purpose: { value: 'TEXT' },
  returnUrl: { value: 'URL', description: 'Where the customer goes afterwards, with a signed result' },
  popupOrigin: { value: 'ORIGIN' },
  state: { value: 'TEXT' },
  expiresInMinutes: {
    name: 'minutes',
    value: 'COUNT',
    description: 'How long the link works; 60 by default, at most 10080',
  },
} as const satisfies Flags<'createConnectLink'>

export const connectLinkCreate: Command = {
  name: 'connect-link create',
  summary: 'Create a link that lets a customer connect one account; it is shown once',
  arguments: [],
  flags: flagsOf('createConnectLink', linkFlags),
  examples: [
    'unirec connect-link create --platform square --vertical restaurant --id main-street',
    'unirec connect-link create --account main-street --minutes 1440',
    'unirec connect-link create --json | jq -r .url',
  ],
  async run({ output, signal, connect, ...given }) {
    const [request] = requestOf('createConnectLink', connectLinkCreate, given)
    const connection = await connect()
    // A key can create links where it reads records, too: a service may have its management API elsewhere.
    const made = connection.byKey
      ? await connection.client.manage.connectLinks.create(request.body, { signal })
      : await managed(connection).call('createConnectLink', request)
    print(output, made, {
      lines: [`id              ${made.id}`, `url             ${made.url}`, `signing secret  ${made.signingSecret}`],
      note: `pass the url on: it works until ${made.expiresAt} and is not shown again`,
    })
    return exitCodes.ok
  },
}

export const connectLinkList: Command = {
  name: 'connect-link list',
  summary: 'List connect links and what became of them',
  arguments: [],
  flags: [],
  async run({ output, signal, connect }) {
    const connection = await connect()
    const links = connection.byKey
      ? connection.client.manage.connectLinks.list({ signal })
      : listAll(managed(connection), 'listConnectLinks')
    await showList(
      output,
      links,
      {
        id: ({ id }) => id,
        status: ({ status }) => status,
        platforms: ({ platforms }) => platforms?.join(',') ?? 'all platforms',
        account: ({ connectedAccountId, accountId, newAccountId }) => connectedAccountId ?? accountId ?? newAccountId,
        expires: ({ expiresAt }) => expiresAt,
      },
      'there are no connect links; see unirec connect-link create --help',
    )
    return exitCodes.ok
  },
}

export const connectLinkRevoke: Command = {
  name: 'connect-link revoke',
  summary: 'Revoke a connect link; an account that it connected is kept',
  arguments: [{ name: 'id', field: 'linkId', listedBy: 'unirec connect-link list', description: 'Id of the link' }],
  flags: [],
  async run({ arguments: { id = '' }, output, signal, connect }) {
    const connection = await connect()
    if (connection.byKey) await connection.client.manage.connectLinks.revoke(id, { signal })
    else await managed(connection).call('revokeConnectLink', { path: { linkId: id } })
    if (!output.json) output.note(`${id} is revoked`)
    return exitCodes.ok
  },
}
