// unirec accounts …
import { readFileSync } from 'node:fs'
import { verticals } from '../contract/entity.ts'
import { type Command, CommandFailure, exitCodes, type Flag, type Invocation, type Output } from './command.ts'
import { managed } from './connect.ts'
import { type AccountShown, listAccounts } from './manage.ts'

export const accountsList: Command = {
  name: 'accounts list',
  summary: 'List the connected accounts of a workspace',
  arguments: [],
  flags: [],
  async run({ output, connect }) {
    const rows: string[][] = []
    for await (const account of listAccounts(managed(await connect()))) {
      if (output.json) output.line(JSON.stringify(account))
      else rows.push([account.id, account.platform, account.vertical, account.state, account.name])
    }
    if (rows.length > 0) show(output, [['account', 'platform', 'vertical', 'state', 'name'], ...rows])
    else if (!output.json) output.note('no accounts are connected; see unirec accounts connect --help')
    return exitCodes.ok
  },
}

function show(output: Output, rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  for (const row of rows)
    output.line(
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}

const noTest: Flag = { name: 'no-test', type: 'boolean', description: 'Store the credentials without testing them with a call to the platform' }
const auth: Flag = { name: 'auth', type: 'string', value: 'KIND', description: "Which of the platform's ways to authenticate; by default the one that fits the credentials" }
const untested = (flags: Invocation['flags']) => (flags['no-test'] ? '?test=false' : '')
const wayOf = (flags: Invocation['flags']) => (typeof flags.auth === 'string' ? { auth: flags.auth } : {})
const outcome = (flags: Invocation['flags']) => (flags['no-test'] ? 'stored untested' : 'connected')

export const accountsConnect: Command = {
  name: 'accounts connect',
  summary: "Connect an account with the platform's credentials, once the platform accepts them",
  arguments: [
    { name: 'platform', description: 'Such as square, shopify, xero' },
    { name: 'vertical', description: 'Which flavor of the entities', choices: verticals },
  ],
  flags: [
    { name: 'credentials', type: 'string', value: 'FILE', description: 'JSON object with the credentials; - for standard input' },
    { name: 'settings', type: 'string', value: 'FILE', description: 'JSON object with the settings; what the platform tells need not be there' },
    { name: 'id', type: 'string', value: 'ID', description: 'Id of the account; one is made unless told' },
    { name: 'name', type: 'string', value: 'TEXT', description: 'Name for people' },
    auth,
    noTest,
  ],
  examples: [`printf '{"accessToken":"…"}' | unirec accounts connect square restaurant --credentials - --id main-street`],
  async run({ arguments: { platform, vertical }, flags, output, connect }) {
    if (typeof flags.credentials !== 'string') throw new CommandFailure(exitCodes.usage, 'accounts connect needs --credentials FILE (- for standard input)')
    const body = {
      platform,
      vertical,
      credentials: readObject(flags.credentials),
      ...(typeof flags.settings === 'string' ? { settings: readObject(flags.settings) } : {}),
      ...Object.fromEntries(['id', 'name'].flatMap((name) => (typeof flags[name] === 'string' ? [[name, flags[name]]] : []))),
      ...wayOf(flags),
    }
    const account = await managed(await connect()).call<AccountShown>('POST', `{workspace}/accounts${untested(flags)}`, body)
    output.line(output.json ? JSON.stringify(account) : `${account.id} is ${outcome(flags)} (${account.platform}, ${account.vertical})`)
    return exitCodes.ok
  },
}

export const accountsReconnect: Command = {
  name: 'accounts reconnect',
  summary: 'Replace the credentials of an account, once the platform accepts the new ones',
  arguments: [{ name: 'account', description: 'Account id', complete: 'account' }],
  flags: [{ name: 'credentials', type: 'string', value: 'FILE', description: 'JSON object with the new credentials; - for standard input' }, auth, noTest],
  examples: [`printf '{"accessToken":"…"}' | unirec accounts reconnect main-street --credentials -`],
  async run({ arguments: { account }, flags, output, connect }) {
    if (typeof flags.credentials !== 'string') throw new CommandFailure(exitCodes.usage, 'accounts reconnect needs --credentials FILE (- for standard input)')
    const path = `{workspace}/accounts/${encodeURIComponent(account as string)}/reconnect${untested(flags)}`
    const shown = await managed(await connect()).call<AccountShown>('POST', path, { credentials: readObject(flags.credentials), ...wayOf(flags) })
    output.line(output.json ? JSON.stringify(shown) : `${shown.id} is ${outcome(flags)} (${shown.platform}, ${shown.vertical})`)
    return exitCodes.ok
  },
}

function readObject(file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'))
    if (value && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>
  } catch (error) {
    // A message of the parser would quote the file, and with it a secret.
    throw new CommandFailure(
      exitCodes.usage,
      `${file === '-' ? 'standard input' : file} ${error instanceof SyntaxError ? 'is not JSON' : `cannot be read: ${(error as Error).message}`}`,
    )
  }
  throw new CommandFailure(exitCodes.usage, `${file === '-' ? 'standard input' : file} must hold a JSON object`)
}

export const accountsTest: Command = {
  name: 'accounts test',
  summary: "Make one cheap call to an account's platform",
  arguments: [{ name: 'account', description: 'Account id; all of them unless told', optional: true, complete: 'account' }],
  flags: [],
  async run({ arguments: { account }, output, connect }) {
    const manage = managed(await connect())
    let failed = 0
    async function test(id: string): Promise<void> {
      const result = await manage.call<{ ok: boolean; code?: string; detail?: string }>('POST', `{workspace}/accounts/${encodeURIComponent(id)}/test`)
      if (!result.ok) failed++
      output.line(output.json ? JSON.stringify({ account: id, ...result }) : `${id}: ${result.ok ? 'ok' : `${result.code}: ${result.detail}`}`)
    }
    if (account) await test(account)
    else for await (const { id } of listAccounts(manage)) await test(id)
    return failed > 0 ? exitCodes.failed : exitCodes.ok
  },
}
