// unirec logs …: the requests of a workspace as they come, and one of them with everything that it did.
import { setTimeout as sleep } from 'node:timers/promises'
import { entityTypes } from '../contract/entity.ts'
import { errorTable } from '../contract/errors.ts'
import { type Command, CommandFailure, exitCodes, type Invocation, type Manage } from './command.ts'
import { managed } from './connect.ts'
import { numberIn, pastTimeIn, textIn } from './flag-values.ts'
import { type Entry, entryLine, traceLines } from './log-lines.ts'
import { ManageFailure } from './manage.ts'
import { flagsOf } from './operation.ts'
import { didYouMean } from './parse.ts'

const pollMs = 2_000
const awayMs = 10_000
const pageSize = 200
const mostPages = 50
/** An entry appears when its request has ended, among those that began at the same time. */
const longestRequestMs = 120_000

const filters = flagsOf('listActivity', {
  accountId: { name: 'account', value: 'ID', complete: 'account', description: 'Of this account' },
  credentialId: { name: 'caller', value: 'ID', description: 'Of this API key, access id or user' },
  platform: { value: 'NAME', description: 'To this platform' },
  status: { value: 'STATUS', description: 'ok, error, 4xx, 5xx or an error code such as validation_failed' },
  entityType: { name: 'entity', choices: entityTypes, description: 'For this entity' },
  record: { value: 'ID', description: 'For this record, by platform id or externalId' },
  search: {
    value: 'TEXT',
    description: 'Start of a request id, an id of a record or account, or a part of an error',
  },
  since: { value: 'TIME', description: 'From 15m, 2h or 3d ago, or a time, on' },
  until: { value: 'TIME', description: 'Before this; does not follow then' },
})

function queryOf({ flags }: Invocation): Record<string, string> {
  const status = textIn(flags.status)
  const known = ['ok', 'error', '4xx', '5xx', ...Object.keys(errorTable)]
  if (status !== undefined && !known.includes(status))
    throw new CommandFailure(
      exitCodes.usage,
      `--status takes ok, error, 4xx, 5xx or an error code, not "${status}"${didYouMean(status, known)}`,
    )
  const values = filters.map(({ name, field = '' }) => [
    field,
    name === 'since' || name === 'until' ? pastTimeIn(flags, name) : textIn(flags[name]),
  ])
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

export const logsTail: Command = {
  name: 'logs tail',
  summary: 'Print the latest requests of a workspace, and then new ones as they end',
  arguments: [],
  flags: [
    ...filters,
    {
      name: 'lines',
      short: 'n',
      type: 'string',
      value: 'COUNT',
      default: '10',
      description: 'Latest requests to print first',
    },
    { name: 'no-follow', type: 'boolean', description: 'Do not wait for new requests' },
  ],
  examples: [
    'unirec logs tail --status error',
    'unirec logs tail --account sandbox-square-restaurant --since 1h --lines 100 --no-follow',
    'unirec logs tail --json | jq .errorCode',
  ],
  async run(invocation) {
    const { flags, output, signal, connect } = invocation
    const query = queryOf(invocation)
    const lines = numberIn(flags, { name: 'lines' }) ?? 10
    const print = (entries: readonly Entry[]) => {
      for (const entry of entries) output.line(output.json ? JSON.stringify(entry) : entryLine(entry))
    }
    const manage = managed(await connect())
    const latest = await newest(manage, query, (entries) => entries.length < lines)
    const shown = latest.slice(0, lines)
    print(shown.toReversed())
    if (flags['no-follow'] || query.until !== undefined) {
      if (latest.length === 0) output.note('there are no such requests; see unirec logs tail --help')
      return exitCodes.ok
    }
    output.note('waiting for requests; Ctrl-C ends it')
    // Ids are in the order of time: what is older than the first page was there before.
    const floor = latest.at(-1)?.requestId ?? ''
    const seen = new Map(latest.map(({ requestId, at }) => [requestId, Date.parse(at)]))
    const following = follow({ manage, query, floor, seen, print, invocation })
    return following.catch((error: unknown) => {
      if (signal.aborted) return exitCodes.ok
      throw error
    })
  },
}

interface Following {
  manage: Manage
  query: Record<string, string>
  floor: string
  seen: Map<string, number>
  print(entries: readonly Entry[]): void
  invocation: Invocation
}
async function follow({ manage, query, floor, seen, print, invocation }: Following): Promise<never> {
  const { output, signal } = invocation
  const isNew = ({ requestId }: Entry) => requestId > floor && !seen.has(requestId)
  for (;;) {
    await sleep(pollMs, undefined, { signal })
    try {
      const from = Math.max(...seen.values(), Date.parse(query.since ?? '') || 0) - longestRequestMs
      const since = Math.max(from, Date.parse(query.since ?? '') || 0)
      const window: Record<string, string> = since > 0 ? { since: new Date(since).toISOString() } : {}
      const entries = await newest(manage, { ...query, ...window }, (_, page) => page.some(isNew))
      const fresh = entries.filter(isNew)
      print(fresh.toReversed())
      for (const { requestId, at } of fresh) seen.set(requestId, Date.parse(at))
      for (const [requestId, at] of seen) if (at < since) seen.delete(requestId)
    } catch (error) {
      signal.throwIfAborted()
      const isAway = error instanceof CommandFailure && !(error instanceof ManageFailure && error.status < 500)
      if (!isAway) throw error
      output.note(`${error.message}. Trying again in ${awayMs / 1000} s`)
      await sleep(awayMs, undefined, { signal })
    }
  }
}

/** Newest first, page by page as long as more are needed. A page of a search can be empty and have a next one. */
async function newest(
  manage: Manage,
  query: Record<string, string>,
  needsMore: (entries: readonly Entry[], page: readonly Entry[]) => boolean,
): Promise<Entry[]> {
  const entries: Entry[] = []
  let after: string | undefined
  for (let pages = 0; pages < mostPages; pages++) {
    const { data, next } = await manage.call('listActivity', { query: { ...query, limit: pageSize, after } })
    entries.push(...data)
    after = next
    if (after === undefined || (data.length > 0 && !needsMore(entries, data))) break
  }
  return entries
}

export const logsShow: Command = {
  name: 'logs show',
  summary: 'Show a request with its stages, its calls to the platform and its error',
  arguments: [
    {
      name: 'request',
      field: 'requestId',
      description: 'Id of the request: X-Request-Id of a response, or of logs tail',
    },
  ],
  flags: [],
  examples: ['unirec logs show req_…', 'unirec logs show req_… --json | jq .trace.calls'],
  async run({ arguments: { request = '' }, output, connect }) {
    const entry = await managed(await connect()).call('getActivity', { path: { requestId: request } })
    if (output.json) output.line(JSON.stringify(entry))
    else for (const line of traceLines(entry)) output.line(line)
    return exitCodes.ok
  },
}
