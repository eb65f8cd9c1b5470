// unirec pull: all records of one entity, page by page; nothing is kept.
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import type { EntityType, Vertical } from '../contract/entity.ts'
import { accountArgument, entityArgument, offerOf } from './account-argument.ts'
import { type Command, CommandFailure, exitCodes, type Output, type PacingState } from './command.ts'
import { inline, printable } from './printable.ts'
import { grouped } from './progress.ts'

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
  ],
  examples: [
    'unirec pull sandbox-square-restaurant product',
    'unirec pull sandbox-shopify-retail_pos order --updated-after 2026-11-01T00:00:00Z --format csv --out orders.csv',
  ],
  async run({ arguments: { account = '', entity = '' }, flags, output, signal, connect }) {
    const updatedAfter = readInstant(flags['updated-after'])
    const connection = await connect()
    const offer = await offerOf(connection, account, entity, 'read', signal)
    const pageSize = readPageSize(flags['page-size']) ?? offer.entity.pageLimit
    const { header, line } = await layoutOf(flags.format === 'csv', entity as EntityType, offer.vertical)
    const sink = typeof flags.out === 'string' ? await openFile(flags.out) : openOutput(output)
    const progress = output.progress(`pull ${account} ${entity}`)
    let pacing: PacingState = { platform: offer.platform }
    connection.watch(({ waitedMs, rateLimit }) => {
      pacing = { platform: offer.platform, waitedMs, ...rateLimit }
      progress.advance(0, pacing)
    })
    let count = 0
    let warned = 0
    let leftOut = 0
    try {
      if (header) await sink.write(header)
      const list = connection.client
        .account(account)
        .entity(entity)
        .list({ pageSize, signal, wait: 60, updatedAfter: updatedAfter || undefined })
      for await (const { data, warnings } of list.pages()) {
        let text = ''
        for (const record of data) text += line(record)
        if (text) await sink.write(text)
        count += data.length
        progress.advance(data.length, pacing)
        for (const { code, id, pointer, message } of warnings ?? []) {
          if (code === 'not_normalized') leftOut++
          if (++warned <= mostWarningsShown)
            output.note(`warning: ${inline([id, pointer, message].filter(Boolean).join(' '))}`)
        }
      }
      await sink.end()
    } catch (error) {
      await sink.abandon()
      progress.end()
      throw error
    }
    progress.end(
      `${grouped(count)} records of ${account} ${entity}${sink.name ? ` in ${sink.name}` : ''}${leftOut > 0 ? `, ${grouped(leftOut)} omitted because they cannot be normalized` : ''}`,
    )
    return leftOut > 0 ? exitCodes.failed : exitCodes.ok
  },
}

interface Layout {
  header: string
  line(record: object): string
}
async function layoutOf(csv: boolean, entity: EntityType, vertical: Vertical): Promise<Layout> {
  if (!csv) return { header: '', line: (record) => `${printable(JSON.stringify(record))}\n` }
  const { columnsOf, csvHeader, csvLine } = await import('./csv.ts')
  const columns = columnsOf(entity, vertical)
  return { header: csvHeader(columns), line: (record) => csvLine(record, columns) }
}

interface Sink {
  name?: string
  write(text: string): Promise<void>
  end(): Promise<void>
  abandon(): Promise<void>
}
const openOutput = (output: Output): Sink => ({
  write: (text) => output.data(text),
  end: async () => {},
  abandon: async () => {},
})

async function openFile(file: string): Promise<Sink> {
  const part = `${file}.part`
  // Opened explicitly: a directory that does not exist is reported before the first call.
  const handle = await open(part, 'w').catch((error: Error) => {
    throw new CommandFailure(exitCodes.usage, `${file} cannot be written: ${error.message}`)
  })
  const stream = createWriteStream(part, { fd: handle.fd, autoClose: false })
  let failure: Error | undefined
  stream.on('error', (error) => {
    failure = error
  })
  const check = () => {
    if (failure) throw new CommandFailure(exitCodes.failed, `${part} cannot be written: ${failure.message}`)
  }
  return {
    name: file,
    async write(text) {
      check()
      if (!stream.write(text)) await Promise.race([once(stream, 'drain'), once(stream, 'error')])
    },
    async end() {
      stream.end()
      await finished(stream).catch(() => {})
      check()
      await handle.close()
      await rename(part, file)
    },
    async abandon() {
      stream.destroy()
      await handle.close().catch(() => {})
      await rm(part, { force: true })
    },
  }
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
