// unirec get, create and update: one record.
import type { AnyRecord, DryRun, Written } from '../../packages/client/src/index.ts'
import { type ReferenceMode, referenceModes } from '../contract/entity.ts'
import { accountArgument, entityArgument, offerOf } from './account-argument.ts'
import {
  type Argument,
  type Command,
  CommandFailure,
  exitCodes,
  type Flag,
  type Invocation,
  type Output,
} from './command.ts'
import { numberIn, textIn } from './flag-values.ts'
import { inline, printable } from './printable.ts'
import { readText } from './record-stream.ts'

type Warnings = readonly { code?: string; id?: string; pointer?: string; message: string }[] | undefined
const platformId: Argument = {
  name: 'id',
  description: "The platform's id of the record: externalId of one that you read",
}
const file: Flag = { name: 'file', type: 'string', value: 'FILE', description: 'JSON object; - for standard input' }
const references: Flag = {
  name: 'references',
  type: 'string',
  choices: referenceModes,
  default: 'source',
  description: "Whose ids the record refers to: your own (source), the platform's, or whichever is known (auto)",
}

const pretty = (value: unknown) => `${printable(JSON.stringify(value, null, 2))}\n`
const compact = (value: unknown) => `${printable(JSON.stringify(value))}\n`
function warn(output: Output, warnings: Warnings): void {
  for (const { id, pointer, message } of warnings ?? [])
    output.note(`warning: ${inline([id, pointer, message].filter(Boolean).join(' '))}`)
}

export const getCommand: Command = {
  name: 'get',
  summary: 'Read one record, or the first records of a list',
  arguments: [accountArgument, entityArgument, { ...platformId, optional: true }],
  flags: [
    {
      name: 'external-id',
      type: 'string',
      value: 'ID',
      description: 'Read by your own id, under which the record was written or linked',
    },
    {
      name: 'search',
      type: 'string',
      value: 'TEXT',
      description: 'List what this finds: an id, or a name, email, phone, SKU or number if the platform can',
    },
    { name: 'limit', type: 'string', value: 'COUNT', default: '10', description: 'Records of a list' },
    {
      name: 'fields',
      type: 'string',
      value: 'NAMES',
      description: 'Only these fields, separated by commas, such as name,address.city',
    },
    { name: 'native', type: 'boolean', description: 'Also what the platform sent' },
  ],
  examples: [
    'unirec get sandbox-square-restaurant customer',
    'unirec get sandbox-square-restaurant customer --search ada@example.com',
    'unirec get sandbox-square-restaurant customer --external-id C-1',
  ],
  async run({ arguments: { account = '', entity = '', id }, flags, output, signal, connect }) {
    const [externalId, search] = [textIn(flags['external-id']), textIn(flags.search)]
    if ([id, externalId, search].filter((one) => one !== undefined).length > 1)
      throw new CommandFailure(exitCodes.usage, '<id>, --external-id and --search cannot be combined: use one of them')
    const limit = numberIn(flags, { name: 'limit' }) ?? 10
    const connection = await connect()
    const offer = await offerOf(connection, account, entity, 'read', signal)
    const target = connection.client.account(account).entity(entity)
    const include = flags.native ? ('native' as const) : undefined
    const options = { signal, wait: 60, include, fields: textIn(flags.fields)?.split(',') }
    if (id === undefined && externalId === undefined) {
      const pageSize = Math.max(1, Math.min(limit, offer.entity.pageLimit ?? limit))
      let left = limit
      for await (const page of target.list({ ...options, pageSize, search }).pages()) {
        if (left === limit && page.data.length === 0 && !page.pagination.hasMore) output.note(`no ${entity} was found`)
        for (const record of page.data.slice(0, left))
          await output.data(compact(include ? { data: record, native: page.native?.[record.externalId] } : record))
        warn(output, page.warnings)
        left -= page.data.length
        if (left <= 0) {
          if (page.pagination.hasMore || left < 0)
            output.note(`there are more: unirec pull ${account} ${entity} reads all`)
          break
        }
      }
      return exitCodes.ok
    }
    const found =
      id === undefined ? await target.findByExternalId(externalId as string, options) : await target.get(id, options)
    if (found.data === undefined) {
      output.error(
        output.json
          ? compact({ error: 'not found', ...found }).trim()
          : `no ${entity} was written or linked under the id ${externalId}`,
      )
      return exitCodes.failed
    }
    await output.data(
      output.json ? compact(found) : pretty(include ? { data: found.data, native: found.native } : found.data),
    )
    warn(output, output.json ? [] : found.warnings)
    if (!output.json && 'etag' in found && found.etag) output.note(`version ${found.etag} (for update --if-match)`)
    return exitCodes.ok
  },
}

async function recordIn({ flags, input }: Invocation, command: string): Promise<Record<string, unknown>> {
  const name = textIn(flags.file)
  if (name === undefined)
    throw new CommandFailure(exitCodes.usage, `${command} needs --file FILE with the record (- for standard input)`)
  const text = await readText(name, input)
  const source = name === '-' ? 'standard input' : name
  let record: unknown
  try {
    record = JSON.parse(text)
  } catch (error) {
    throw new CommandFailure(exitCodes.usage, `--file ${source} is not JSON: ${(error as Error).message}`)
  }
  if (typeof record !== 'object' || record === null || Array.isArray(record))
    throw new CommandFailure(
      exitCodes.usage,
      `--file ${source} must contain one JSON object; unirec push writes several records`,
    )
  return record as Record<string, unknown>
}

async function report(output: Output, written: Written<AnyRecord>, done: string): Promise<number> {
  await output.data(output.json ? compact(written) : pretty(written.data))
  if (output.json) return exitCodes.ok
  warn(output, written.warnings)
  const { id, replayed } = written.reference
  output.note(`${replayed ? 'was there already, nothing was written' : done}: platform id ${inline(id)}`)
  if (written.etag) output.note(`version ${written.etag} (for update --if-match)`)
  return exitCodes.ok
}

export const createCommand: Command = {
  name: 'create',
  summary: 'Write one record; the same externalId is written once, however often this runs',
  arguments: [accountArgument, entityArgument],
  flags: [
    file,
    {
      name: 'external-id',
      field: 'externalId',
      type: 'string',
      value: 'ID',
      description: 'Your id of the record, if the file has none: the idempotency key',
    },
    references,
    {
      name: 'on-unknown',
      type: 'string',
      choices: ['resend'],
      description: 'Resend a record whose outcome the platform cannot report',
    },
    { name: 'dry-run', type: 'boolean', description: 'Check the record and print the calls that it would take' },
  ],
  examples: [
    'unirec create sandbox-square-restaurant customer --file ada.json',
    `echo '{"name":"Ada"}' | unirec create sandbox-square-restaurant customer --file - --external-id C-1`,
  ],
  async run(invocation) {
    const { arguments: given, flags, output, signal, connect } = invocation
    const { account = '', entity = '' } = given
    const record = await recordIn(invocation, 'create')
    const externalId = textIn(flags['external-id']) ?? record.externalId
    if (typeof externalId !== 'string' || externalId === '')
      throw new CommandFailure(
        exitCodes.usage,
        'the record has no externalId: add it to the file, or set --external-id ID',
      )
    if (record.externalId !== undefined && record.externalId !== externalId)
      throw new CommandFailure(
        exitCodes.usage,
        '--external-id and the externalId in the file differ: the record would get another key. Omit one',
      )
    const connection = await connect()
    await offerOf(connection, account, entity, 'write', signal)
    const target = connection.client.account(account).entity(entity)
    const body = { ...record, externalId }
    const options = { signal, wait: 60, references: flags.references as ReferenceMode }
    if (flags['dry-run']) {
      const plan: DryRun = await target.create(body, { ...options, dryRun: true })
      await output.data(output.json ? compact(plan) : pretty(plan))
      output.note('nothing was written')
      return exitCodes.ok
    }
    const onUnknown = flags['on-unknown'] ? ('resend' as const) : undefined
    return report(output, await target.create(body, { ...options, onUnknown }), 'created')
  },
}

export const updateCommand: Command = {
  name: 'update',
  summary: 'Replace one record; fields that the file does not have are cleared',
  arguments: [accountArgument, entityArgument, platformId],
  flags: [
    file,
    {
      name: 'if-match',
      type: 'string',
      value: 'VERSION',
      description: 'Only if the record still has this version, which get prints',
    },
    references,
  ],
  examples: [
    'unirec update sandbox-square-restaurant customer CUST-1 --file ada.json',
    `unirec get A customer ID | jq '.name = "Ada"' | unirec update A customer ID --file - --references auto`,
  ],
  async run(invocation) {
    const { arguments: given, flags, output, signal, connect } = invocation
    const { account = '', entity = '', id = '' } = given
    const record = await recordIn(invocation, 'update')
    const { client } = await connect()
    const written = await client
      .account(account)
      .entity(entity)
      .update(
        id,
        { ...record, externalId: (record.externalId as string | undefined) ?? id },
        {
          signal,
          wait: 60,
          references: flags.references as ReferenceMode,
          ifMatch: textIn(flags['if-match']),
        },
      )
    return report(output, written, 'replaced')
  },
}
