// unirec hooks …: webhooks that platforms send to the service.
import { type Command, CommandFailure, exitCodes, type Invocation } from './command.ts'
import { managed } from './connect.ts'
import { listAll } from './manage.ts'
import { pipedSecret } from './secret-input.ts'
import { showTable } from './table.ts'

interface Hook {
  platform: string
  accountId?: string
  state: string
  error?: string
  url?: string
  automatic: boolean
  steps: string[]
  secret?: { label: string; stored: boolean }
  code?: string
  lastReceivedAt?: string
}
const base = '{workspace}/hooks'

const noteOf = ({ platform, accountId, error, code, secret }: Hook): string =>
  [
    ...(secret && !secret.stored
      ? [`${secret.label} is missing: unirec hooks set-secret ${platform}${accountId ? ` --account ${accountId}` : ''}`]
      : []),
    ...(code ? [`code ${code}`] : []),
    ...(error ? [error] : []),
  ].join('; ')

export const hooksList: Command = {
  name: 'hooks list',
  summary: 'List the URLs that receive webhooks of platforms, and how they are',
  arguments: [],
  flags: [],
  async run({ output, connect }) {
    const rows: string[][] = []
    for await (const hook of listAll<Hook>(managed(await connect()), base)) {
      const { platform, accountId = 'all', state, lastReceivedAt = 'never', url = '-' } = hook
      if (output.json) output.line(JSON.stringify(hook))
      else rows.push([platform, accountId, state, lastReceivedAt, url, noteOf(hook)])
    }
    if (rows.length > 0) showTable(output, ['platform', 'account', 'state', 'last received', 'url', 'note'], rows)
    else if (!output.json) output.note('no connected platform sends webhooks')
    return exitCodes.ok
  },
}

export const hooksSetSecret: Command = {
  name: 'hooks set-secret',
  summary:
    "Store the secret that a platform's console shows for its webhooks; the previous one stays valid for 24 hours",
  arguments: [{ name: 'platform', description: 'Platform' }],
  flags: [
    {
      name: 'account',
      type: 'string',
      value: 'ID',
      description: 'Account, where each account has its own webhooks; by default all accounts on the platform',
    },
  ],
  examples: ['unirec hooks set-secret xero < secret.txt', 'HOOK_SECRET=… unirec hooks set-secret xero'],
  async run({ arguments: { platform = '' }, flags: { account }, output, input, environment, connect }) {
    const secret = await readSecret(input, environment)
    const path =
      typeof account === 'string'
        ? `{workspace}/accounts/${encodeURIComponent(account)}/hook`
        : `${base}/${encodeURIComponent(platform)}`
    const hook = await managed(await connect()).call<Hook>('PUT', path, { secret })
    if (output.json) output.line(JSON.stringify(hook))
    else {
      output.note(`stored the secret of ${platform}`)
      for (const step of hook.steps) output.note(step)
    }
    return exitCodes.ok
  },
}

/** Never an argument: other users of the machine see those. */
async function readSecret(input: Invocation['input'], environment: NodeJS.ProcessEnv): Promise<string> {
  const given = environment.HOOK_SECRET
  if (given) return given
  const refusal =
    'the secret is read from standard input or HOOK_SECRET: a terminal would show it. Pipe it or redirect a file'
  const secret = await pipedSecret(input, refusal)
  if (secret === '') throw new CommandFailure(exitCodes.usage, 'standard input has no secret')
  return secret
}
