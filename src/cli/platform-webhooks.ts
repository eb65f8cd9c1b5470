// unirec hooks …: webhooks that platforms send to the service.
import type { ManageItem } from '../../packages/client/src/manage-call.ts'
import { type Command, CommandFailure, exitCodes, type Invocation } from './command.ts'
import { managed } from './connect.ts'
import { listCommand } from './operation.ts'
import { pipedSecret } from './secret-input.ts'

type Hook = ManageItem<'listHooks'>

function noteOf({ platform, accountId, error, code, secret }: Hook): string {
  return [
    ...(secret && !secret.stored
      ? [`${secret.label} is missing: unirec hooks set-secret ${platform}${accountId ? ` --account ${accountId}` : ''}`]
      : []),
    ...(code ? [`code ${code}`] : []),
    ...(error ? [error] : []),
  ].join('; ')
}

export const hooksList = listCommand({
  operation: 'listHooks',
  name: 'hooks list',
  summary: 'List the URLs that receive webhooks of platforms, and how they are',
  columns: {
    platform: ({ platform }) => platform,
    account: ({ accountId = 'all' }) => accountId,
    state: ({ state }) => state,
    'last received': ({ lastReceivedAt = 'never' }) => lastReceivedAt,
    url: ({ url = '-' }) => url,
    note: noteOf,
  },
  none: 'no connected platform sends webhooks',
})

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
    const manage = managed(await connect())
    const hook =
      typeof account === 'string'
        ? await manage.call('setHookSecret', { path: { accountId: account }, body: { secret } })
        : await manage.call('setApplicationHookSecret', { path: { platform }, body: { secret } })
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
