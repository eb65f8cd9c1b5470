// unirec listen: follows changes and delivers them to a receiver on this machine, as a webhook endpoint would.
import { setTimeout as sleep } from 'node:timers/promises'
import { type EntityName, UnifiedError } from '../../packages/client/src/index.ts'
import { createSecret, isSecret } from '../deliveries/signature.ts'
import { entitiesIn } from './changes.ts'
import { type Command, CommandFailure, type Connection, exitCodes, type Output } from './command.ts'
import { managed } from './connect.ts'
import { createForward, type Forward } from './forward.ts'
import { listAll } from './manage.ts'
import { inline } from './printable.ts'

/** Each one takes a connection to the service for as long as the command runs. */
const mostAccounts = 50
const reconnectMs = 2_000
const lostReasons = { pruned: 'pruned', restored: 'restored', epoch: 'watched again', stopped: 'watched again' }

export const listen: Command = {
  name: 'listen',
  summary: 'Deliver changes to a receiver on this machine, signed as webhooks are',
  arguments: [],
  flags: [
    {
      name: 'forward',
      type: 'string',
      value: 'URL',
      description:
        'URL of the receiver; events are signed with UNIREC_WEBHOOK_SECRET, or with a secret that is printed',
    },
    {
      name: 'account',
      type: 'string',
      value: 'IDS',
      description: 'Accounts, separated by commas; by default all watched ones of the workspace (management API)',
    },
    {
      name: 'entity',
      type: 'string',
      value: 'NAMES',
      description: 'Entities, separated by commas; by default all that are watched',
    },
    { name: 'print', type: 'boolean', description: 'Print each event as a line of JSON, with or without --forward' },
  ],
  examples: [
    'unirec listen --forward http://localhost:3000/hooks',
    'unirec listen --account sandbox-square-restaurant --entity product --print',
  ],
  async run({ flags, environment, output, signal, connect }) {
    const url = receiverIn(flags.forward)
    const print = flags.print === true
    if (url === undefined && !print)
      throw new CommandFailure(exitCodes.usage, 'pass --forward URL, --print, or both: events must go somewhere')
    const entityTypes = entitiesIn(flags.entity)
    const given = secretIn(environment)
    const connection = await connect()
    const named = typeof flags.account === 'string' ? flags.account.split(',').map((id) => id.trim()) : undefined
    const accounts = named ?? (await allAccounts(connection))
    if (accounts.length > mostAccounts)
      throw new CommandFailure(
        exitCodes.usage,
        `there are ${accounts.length} accounts, and at most ${mostAccounts} can be followed: choose some with --account`,
      )
    const secret = given ?? createSecret()
    if (url !== undefined) {
      output.note(given === undefined ? `secret: ${secret}` : 'secret: UNIREC_WEBHOOK_SECRET')
      output.note(`forwarding to ${inline(url)}`)
    }
    // An account that fails ends the others.
    const stop = new AbortController()
    const until = AbortSignal.any([signal, stop.signal])
    const forward = createForward({ url, secret, print, output, signal: until })
    const follow = (account: string) => followAccount({ connection, account, entityTypes, forward, output, until })
    const followed = accounts.map(async (account) => {
      try {
        return await follow(account)
      } catch (error) {
        if (named !== undefined || !(error instanceof UnifiedError) || error.code !== 'not_watched') throw error
        return false
      }
    })
    try {
      const outcomes = await Promise.all(followed)
      if (outcomes.includes(true)) return exitCodes.ok
    } catch (error) {
      stop.abort(error)
      await Promise.allSettled(followed)
      throw error
    }
    throw new CommandFailure(
      exitCodes.failed,
      `no account is watched${entityTypes ? ` for ${entityTypes.join(', ')}` : ''}: watch one with unirec watch set ACCOUNT ENTITY`,
    )
  },
}

interface FollowOptions {
  connection: Connection
  account: string
  entityTypes: EntityName[] | undefined
  forward: Forward
  output: Output
  until: AbortSignal
}
/** Ends with true when the account is no longer watched. A service that cannot be reached for a while loses nothing. */
async function followAccount({ connection, account, entityTypes, forward, output, until }: FollowOptions) {
  const { client } = connection
  let cursor: string | undefined
  let isListening = false
  let isAway = false
  let lost: string | undefined // why changes since the last cursor are unknown
  async function resume(): Promise<void> {
    const reason = lost
    lost = undefined
    if (reason !== undefined) await forward.lost(account, reason)
    if (!isListening || isAway) output.note(`listening      ${inline(account)}`)
    isListening = true
    isAway = false
  }
  for (;;) {
    const changes = client.account(account).changes({ cursor, entityTypes, signal: until, onCursor: resume })
    try {
      for await (const { data } of changes.pages()) {
        await resume()
        await forward.changes(account, data)
      }
    } catch (error) {
      cursor = changes.cursor
      if (until.aborted || !(error instanceof UnifiedError) || !isListening) throw error
      if (error.code === 'cursor_expired') {
        cursor = undefined
        lost = lostReasons[error.reason ?? 'pruned']
      } else if (error.code === 'not_watched') {
        output.note(`not watched    ${inline(account)}`)
        return true
      } else if (error.status === 0 || error.status >= 500) {
        if (!isAway) output.note(`reconnecting   ${inline(`${account}: ${error.detail}`)}`)
        isAway = true
        await sleep(reconnectMs, undefined, { signal: until })
      } else throw error
    }
  }
}

async function allAccounts(connection: Connection): Promise<string[]> {
  const active: string[] = []
  for await (const { id, state } of listAll(managed(connection), 'listAccounts'))
    if (state === 'active') active.push(id)
  return active
}

function receiverIn(text: string | boolean | undefined): string | undefined {
  if (typeof text !== 'string') return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new CommandFailure(
      exitCodes.usage,
      '--forward is not a URL such as http://localhost:3000/hooks, without a user name or password',
    )
  return url.href
}

function secretIn({ UNIREC_WEBHOOK_SECRET: secret }: NodeJS.ProcessEnv): string | undefined {
  if (!secret) return undefined
  if (!isSecret(secret))
    throw new CommandFailure(
      exitCodes.usage,
      'UNIREC_WEBHOOK_SECRET is not whsec_ followed by base64, as unirec webhooks add prints it',
    )
  return secret
}
