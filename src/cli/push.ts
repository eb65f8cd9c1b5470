// unirec push: one record after the other, each written once however often this runs. A refused record is reported and
// the next one follows.
import { createWriteStream, type WriteStream } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { UnifiedError } from '../../packages/client/src/index.ts'
import { type ReferenceMode, referenceModes } from '../contract/entity.ts'
import { accountArgument, entityArgument, expectLater, offerOf } from './account-argument.ts'
import { type Command, CommandFailure, exitCodes, type Output, type PacingState } from './command.ts'
import { inline } from './printable.ts'
import { grouped } from './progress.ts'
import type { RecordFormat } from './record-stream.ts'

/** What fails for one record in this way fails for every following one too. */
const hopeless = new Set([
  'unauthorized',
  'invalid_client',
  'forbidden',
  'insufficient_scope',
  'unknown_account',
  'entity_not_offered',
  'account_disabled',
  'reconnect_required',
  'mapping_key_required',
  'mapping_key_mismatch',
  'network_error',
  'timeout',
  'unavailable',
])
const mostKinds = 50

interface Failure {
  line: number
  externalId?: string
  code: string
  message: string
  errors: readonly { pointer: string; message: string }[]
  record?: unknown
}

export const push: Command = {
  name: 'push',
  summary: 'Write records from a file; records that exist already are not written twice',
  arguments: [
    accountArgument,
    entityArgument,
    { name: 'file', description: 'JSON lines, a JSON array or CSV; - for standard input', complete: 'file' },
  ],
  flags: [
    {
      name: 'format',
      type: 'string',
      choices: ['ndjson', 'json', 'csv'],
      description: 'Format of the file; detected by default',
    },
    {
      name: 'failures',
      type: 'string',
      value: 'FILE',
      description: 'Write failures to this file, one JSON object per line, with the record',
    },
    {
      name: 'on-unknown',
      type: 'string',
      choices: ['resend'],
      description: 'Resend records whose outcome the platform cannot report',
    },
    {
      name: 'references',
      type: 'string',
      choices: referenceModes,
      default: 'source',
      description: "Whose ids the records refer to: your own (source), the platform's, or whichever is known (auto)",
    },
  ],
  examples: [
    'unirec push sandbox-square-restaurant customer customers.csv --failures failed.ndjson',
    'unirec pull A product | unirec push B product -',
  ],
  async run({ arguments: { account = '', entity = '', file = '' }, flags, output, input, signal, connect }) {
    const { checkFile, countRecords, readRecords } = await import('./record-stream.ts')
    await checkFile(file)
    const connection = await connect()
    const { vertical, platform } = await offerOf(connection, account, entity, 'write', signal)
    const target = connection.client.account(account).entity(entity)
    const progress = output.progress(`push ${entity}`)
    let pacing: PacingState = { platform }
    connection.watch(({ waitedMs, rateLimit }) => {
      pacing = { platform, waitedMs, ...rateLimit }
      progress.advance(0, pacing)
    })
    const report = createReport(output, typeof flags.failures === 'string' ? flags.failures : undefined)
    const source = {
      file,
      input,
      entityType: entity,
      vertical,
      format: typeof flags.format === 'string' ? (flags.format as RecordFormat) : undefined,
    }
    expectLater(progress, countRecords(source))
    try {
      for await (const read of readRecords(source)) {
        if ('unreadable' in read)
          report.failed({ line: read.line, code: 'unreadable', message: read.unreadable, errors: [] })
        else {
          const record = read.record as { externalId: string }
          try {
            report.written(
              await patiently(
                () =>
                  target.create(record, {
                    signal,
                    wait: 60,
                    onUnknown: flags['on-unknown'] ? 'resend' : undefined,
                    references: flags.references as ReferenceMode,
                  }),
                signal,
              ),
            )
          } catch (error) {
            if (!(error instanceof UnifiedError) || hopeless.has(error.code)) throw error
            report.failed({
              line: read.line,
              externalId: record?.externalId,
              code: error.code,
              message: error.detail,
              errors: error.errors,
              record,
            })
          }
        }
        progress.advance(1, pacing)
      }
    } catch (error) {
      // A file that cannot be used is found out before the write of its record.
      const isUntouched = error instanceof CommandFailure && Object.values(report.counts).every((count) => count === 0)
      progress.end(isUntouched ? 'nothing was written' : `${report.summary()}; run it again to go on`)
      await report.close()
      throw error
    }
    progress.end(report.summary())
    report.warnings()
    await report.close()
    if (output.json) output.line(JSON.stringify(report.counts))
    return report.counts.failed > 0 ? exitCodes.failed : exitCodes.ok
  },
}

/** Waits as long as necessary for a limit that other callers share. */
async function patiently<T>(send: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof UnifiedError) || error.status !== 429) throw error
      await sleep((error.retryAfter ?? 5) * 1000, undefined, { signal })
    }
  }
}

function createReport(output: Output, failuresFile: string | undefined) {
  const counts = { created: 0, replayed: 0, failed: 0 }
  const kinds = new Map<string, number>()
  let stream: WriteStream | undefined
  let broken: Error | undefined
  if (failuresFile)
    stream = createWriteStream(failuresFile, { mode: 0o600 }).on('error', (error) => {
      broken = error
    })
  return {
    counts,
    summary: () =>
      `${grouped(counts.created)} created, ${grouped(counts.replayed)} there already, ${grouped(counts.failed)} failed`,
    written({
      reference,
      warnings,
    }: {
      reference: { replayed: boolean }
      warnings?: readonly { pointer?: string; message: string }[]
    }) {
      counts[reference.replayed ? 'replayed' : 'created']++
      for (const { pointer = '', message } of warnings ?? []) {
        const kind = `${pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')} ${message}`.trim()
        if (kinds.size < mostKinds || kinds.has(kind)) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      }
    },
    failed(failure: Failure) {
      if (broken) throw new CommandFailure(exitCodes.failed, `${failuresFile} cannot be written: ${broken.message}`)
      counts.failed++
      const { record: _, ...shown } = failure
      if (output.json) output.line(JSON.stringify(shown))
      else output.note(describeFailure(failure))
      stream?.write(`${JSON.stringify(failure)}\n`)
    },
    warnings() {
      for (const [kind, count] of kinds)
        output.note(`warning: ${inline(kind)} (${grouped(count)} ${count === 1 ? 'record' : 'records'})`)
    },
    async close() {
      if (stream && !broken) await new Promise<void>((resolve) => stream.end(resolve))
    },
  }
}

function describeFailure({ line, externalId, code, message, errors }: Failure): string {
  const fields = errors.map(({ pointer, message: text }) => `\n    ${inline(`${pointer || '/'} ${text}`)}`)
  return `line ${line}${externalId ? ` (${inline(externalId)})` : ''}: ${code}: ${inline(message)}${fields.join('')}`
}
