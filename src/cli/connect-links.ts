// unirec connect-link …: links with which customers connect their accounts.
import type { ConnectLink, CreatedConnectLink, NewConnectLink } from '../../packages/client/src/index.ts'
import { verticals } from '../contract/entity.ts'
import { type Argument, type Command, exitCodes, type Flag } from './command.ts'
import { managed } from './connect.ts'
import { listIn, numberIn, textIn } from './flag-values.ts'
import { listAll } from './manage.ts'
import { inline } from './printable.ts'
import { showTable } from './table.ts'

const base = '{workspace}/connect-links'
const minutes: Flag = {
  name: 'minutes',
  field: 'expiresInMinutes',
  type: 'string',
  value: 'COUNT',
  description: 'How long the link works; 60 by default, at most 10080',
}
const link: Argument = {
  name: 'id',
  field: 'linkId',
  listedBy: 'unirec connect-link list',
  description: 'Id of the link',
}

export const connectLinkCreate: Command = {
  name: 'connect-link create',
  summary: 'Create a link that lets a customer connect one account; it is shown once',
  arguments: [],
  flags: [
    {
      name: 'platform',
      field: 'platforms',
      type: 'string',
      value: 'NAMES',
      description: 'Only these platforms, separated by commas; by default all',
    },
    { name: 'vertical', field: 'vertical', type: 'string', choices: verticals, description: 'Only this vertical' },
    {
      name: 'account',
      field: 'accountId',
      type: 'string',
      value: 'ID',
      complete: 'account',
      description: 'Reconnect this account; its references and mappings are kept',
    },
    { name: 'manage', type: 'boolean', description: 'With --account: a page to see, reconnect and end the connection' },
    { name: 'id', field: 'newAccountId', type: 'string', value: 'ID', description: 'Id of the new account' },
    { name: 'name', field: 'accountName', type: 'string', value: 'TEXT', description: 'Name of the new account' },
    { name: 'purpose', field: 'purpose', type: 'string', value: 'TEXT', description: 'Why the customer is asked' },
    {
      name: 'return-url',
      field: 'returnUrl',
      type: 'string',
      value: 'URL',
      description: 'Where the customer goes afterwards, with a signed result',
    },
    {
      name: 'popup-origin',
      field: 'popupOrigin',
      type: 'string',
      value: 'ORIGIN',
      description: 'Origin of the page that opens the link in a popup',
    },
    { name: 'state', field: 'state', type: 'string', value: 'TEXT', description: 'Returned with the result' },
    minutes,
  ],
  examples: [
    'unirec connect-link create --platform square --vertical restaurant --id main-street',
    'unirec connect-link create --account main-street --minutes 1440',
    'unirec connect-link create --json | jq -r .url',
  ],
  async run({ flags, output, signal, connect }) {
    const body: NewConnectLink = {
      platforms: listIn(flags.platform),
      vertical: textIn(flags.vertical) as NewConnectLink['vertical'],
      accountId: textIn(flags.account),
      ...(flags.manage ? { manage: true } : {}),
      newAccountId: textIn(flags.id),
      accountName: textIn(flags.name),
      purpose: textIn(flags.purpose),
      returnUrl: textIn(flags['return-url']),
      popupOrigin: textIn(flags['popup-origin']),
      state: textIn(flags.state),
      expiresInMinutes: numberIn(flags, minutes),
    }
    const connection = await connect()
    // A key can create links where it reads records, too: a service may have its management API elsewhere.
    const made = connection.byKey
      ? await connection.client.manage.connectLinks.create(body, { signal })
      : await managed(connection).call<CreatedConnectLink>('POST', base, body)
    if (output.json) output.line(JSON.stringify(made))
    else {
      output.line(inline(`id              ${made.id}`))
      output.line(inline(`url             ${made.url}`))
      output.line(inline(`signing secret  ${made.signingSecret}`))
      output.note(`pass the url on: it works until ${made.expiresAt} and is not shown again`)
    }
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
    const links: AsyncIterable<ConnectLink> = connection.byKey
      ? connection.client.manage.connectLinks.list({ signal })
      : listAll<ConnectLink>(managed(connection), base)
    const rows: (string | undefined)[][] = []
    for await (const one of links)
      if (output.json) output.line(JSON.stringify(one))
      else
        rows.push([
          one.id,
          one.status,
          one.platforms?.join(',') ?? 'all platforms',
          one.connectedAccountId ?? one.accountId ?? one.newAccountId,
          one.expiresAt,
        ])
    if (rows.length > 0) showTable(output, ['id', 'status', 'platforms', 'account', 'expires'], rows)
    else if (!output.json) output.note('there are no connect links; see unirec connect-link create --help')
    return exitCodes.ok
  },
}

export const connectLinkRevoke: Command = {
  name: 'connect-link revoke',
  summary: 'Revoke a connect link; an account that it connected is kept',
  arguments: [link],
  flags: [],
  async run({ arguments: { id = '' }, output, signal, connect }) {
    const connection = await connect()
    if (connection.byKey) await connection.client.manage.connectLinks.revoke(id, { signal })
    else await managed(connection).call('DELETE', `${base}/${encodeURIComponent(id)}`)
    if (!output.json) output.note(`${id} is revoked`)
    return exitCodes.ok
  },
}
