// unirec pull: all records of one entity, page by page, and a file of them that is kept current.
import { resolve } from 'node:path'
import type { AnyRecord, EntityName } from '../../packages/client/src/index.ts'
import type { EntityType } from '../contract/entity.ts'
import { accountArgument, entityArgument, expectLater, indexedRecords, offerOf } from './account-argument.ts'
import { type Command, CommandFailure, exitCodes, type PacingState, type Progress } from './command.ts'
import { lockFile } from './file-lock.ts'
import { textIn } from './flag-values.ts'
import { inline } from './printable.ts'
import { grouped } from './progress.ts'
import { type FilePull, followToFile, pullToFile } from './pull-file.ts'
import { openPullState } from './pull-state.ts'
import { layoutOf } from './record-file.ts'
import { partOf } from './replace-file.ts'

const mostWarningsShown = 20

export const pull: Command = {
  name: 'pull',
  summary: 'Read all records of an entity to standard output or a file',
  arguments: [accountArgument, entityArgument],
  flags: [
    {
      name: 'updated-after',
      type: 'string',
      value: 'TIME',
      description: 'Only records modified after this time, such as 2026-11-01T00:00:00Z',
    },
    {
      name: 'search',
      type: 'string',
      value: 'TEXT',
      description: 'Only records that this finds: an id, or a name, email, phone, SKU or number if the platform can',
    },
    {
      name: 'format',
      type: 'string',
      choices: ['ndjson', 'csv'],
      default: 'ndjson',
      description: 'One JSON object per line, or CSV with nested lists as JSON',
    },
    {
      name: 'out',
      short: 'o',
      type: 'string',
      value: 'FILE',
      description: 'Write to this file; it appears when it is complete',
    },
    {
      name: 'page-size',
      type: 'string',
      value: 'COUNT',
      description: "Records per call; by default the platform's maximum",
    },
    {
      name: 'fields',
      type: 'string',
      value: 'NAMES',
      description: 'Only these fields, separated by commas, such as name,address.city',
    },
    {
      name: 'native',
      type: 'boolean',
      description: 'Lines have the record as "data" and what the platform sent as "native"; with ndjson only',
    },
    {
      name: 'follow',
      short: 'f',
      type: 'boolean',
      description: 'Keep the file current until the command is interrupted; the entity must be watched',
    },
    {
      name: 'state',
      type: 'string',
      value: 'FILE',
      description: 'Continue an interrupted run from this file, with --follow without reading the list again',
    },
  ],
  examples: [
    'unirec pull sandbox-square-restaurant product',
    'unirec pull sandbox-shopify-retail_pos order --updated-after 2026-11-01T00:00:00Z --format csv --out orders.csv',
    'unirec pull sandbox-square-restaurant product --out products.ndjson --follow --state products.state',
  ],
  async run({ arguments: { account = '', entity = '' }, flags, output, signal, connect }) {
    const follow = flags.follow === true
    const [file, stateFile] = [textIn(flags.out), textIn(flags.state)]
    const updatedAfter = readInstant(flags['updated-after'])
    const search = textIn(flags.search)
    const wantedSize = readPageSize(flags['page-size'])
    const [isNative, fields] = [flags.native === true, textIn(flags.fields)?.split(',')]
    const partial = { 'updated-after': updatedAfter, search, fields: fields?.join(), native: isNative || undefined }
    checkFiles({ follow, file, stateFile, partial })
    const format = flags.format === 'csv' ? 'csv' : 'ndjson'
    if (isNative && format === 'csv')
      throw new CommandFailure(exitCodes.usage, '--native and --format csv cannot be combined: use ndjson')
    const identity = { account, entity, format, ...partial, follow }
    using _lock = file === undefined ? undefined : await lockFile(file)
    const state = openPullState(stateFile, identity)
    const connection = await connect()
    const offer = await offerOf(connection, account, entity, 'read', signal)
    const layout = await layoutOf(format, entity as EntityType, offer.vertical)
    const client = connection.client.account(account)
    let pacing: PacingState = { platform: offer.platform }
    let progress: Progress | undefined
    connection.watch(({ waitedMs, rateLimit }) => {
      pacing = { platform: offer.platform, waitedMs, ...rateLimit }
      progress?.advance(0, pacing)
    })
    let warned = 0
    let leftOut = 0
    const pull: Omit<FilePull, 'file'> = {
      account: client,
      entity: entity as EntityName,
      layout,
      state,
      output,
      signal,
      async readList(cursor, onPage) {
        progress = output.progress(`pull ${entity}`, {
          done: cursor === undefined ? 0 : state.position?.records,
        })
        if (updatedAfter === undefined && search === undefined)
          expectLater(progress, indexedRecords(client, entity as EntityName, signal))
        const include = isNative ? ('native' as const) : undefined
        const pageSize = wantedSize ?? offer.entity.pageLimit
        const start = cursor === undefined ? { pageSize, updatedAfter, search, include, fields } : { cursor }
        try {
          for await (const { data, native, pagination, warnings } of client
            .entity(entity)
            .list({ ...start, signal, wait: 60 })
            .pages()) {
            const lineOf = (record: AnyRecord) =>
              isNative
                ? `${JSON.stringify({ data: record, native: native?.[record.externalId] })}\n`
                : layout.line(record)
            await onPage(data.map(lineOf).join(''), data.length, pagination.cursor)
            progress.advance(data.length, pacing)
            for (const { code, id, pointer, message } of warnings ?? []) {
              if (code === 'not_normalized') leftOut++
              if (++warned <= mostWarningsShown)
                output.note(`warning: ${inline([id, pointer, message].filter(Boolean).join(' '))}`)
            }
          }
        } catch (error) {
          progress.end()
          throw error
        }
      },
    }
    const ended = (records: number) =>
      progress?.end(
        `${grouped(records)} records of ${account} ${entity}${file === undefined ? '' : ` in ${file}`}${leftOut > 0 ? `, ${grouped(leftOut)} omitted because they cannot be normalized` : ''}`,
      )
    if (file !== undefined && follow) return await followToFile({ ...pull, file }, ({ records }) => ended(records))
    if (file !== undefined) ended((await pullToFile({ ...pull, file })).records)
    else ended(await print(pull))
    return leftOut > 0 ? exitCodes.failed : exitCodes.ok
  },
}

async function print({ layout, output, readList }: Omit<FilePull, 'file'>): Promise<number> {
  let count = 0
  if (layout.header) await output.data(layout.header)
  await readList(undefined, async (text, records) => {
    if (text) await output.data(text)
    count += records
  })
  return count
}

function checkFiles({
  follow,
  file,
  stateFile,
  partial,
}: {
  follow: boolean
  file: string | undefined
  stateFile: string | undefined
  partial: Record<string, unknown>
}): void {
  const refuse = (message: string) => {
    throw new CommandFailure(exitCodes.usage, message)
  }
  if (follow && file === undefined)
    refuse('--follow keeps a file current: name it with --out FILE. To print changes, use unirec changes --follow')
  if (stateFile !== undefined && file === undefined)
    refuse('--state continues an interrupted file: name that file with --out FILE')
  const part = Object.keys(partial).find((name) => partial[name] !== undefined)
  if (follow && part !== undefined)
    refuse(`--follow and --${part} cannot be combined: a file that is kept current has all records, and whole ones`)
  if (file === undefined || stateFile === undefined) return
  const names = [file, partOf(file)].flatMap((name) => [resolve(name), resolve(partOf(name))])
  if (names.includes(resolve(stateFile)) || resolve(partOf(stateFile)) === resolve(file))
    refuse('--state and --out must be different files')
}

function readInstant(text: string | boolean | undefined): string | undefined {
  if (typeof text !== 'string') return undefined
  if (Number.isNaN(Date.parse(text)))
    throw new CommandFailure(
      exitCodes.usage,
      `--updated-after takes a time such as 2026-11-01T00:00:00Z, not "${text}"`,
    )
  return new Date(text).toISOString()
}

function readPageSize(text: string | boolean | undefined): number | undefined {
  if (typeof text !== 'string') return undefined
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new CommandFailure(exitCodes.usage, `--page-size takes a number, not "${text}"`)
  return Number(text)
}
