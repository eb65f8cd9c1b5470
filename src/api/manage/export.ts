// Exports of lists, as a file: one JSON object per line, or CSV for a spreadsheet. Streamed, so that their length does not
// matter to the memory.
import { Readable } from 'node:stream'
import { csvRow } from '../../base/csv.ts'
import { choice } from '../query.ts'
import type { ManageCall } from './route.ts'

const formats = ['ndjson', 'csv'] as const
export const exportTypes = ['application/x-ndjson', 'text/csv'] as const
export const exportQuery = { format: 'ndjson (by default) or csv' }

/** `columns` are those of the CSV file. */
export function exported<Row extends object>(
  { query, reply }: Pick<ManageCall<never>, 'query' | 'reply'>,
  name: string,
  rows: AsyncIterable<Row>,
  columns: readonly (keyof Row & string)[],
): Readable {
  const format = choice(query, 'format', formats, 'ndjson')
  reply.type(exportTypes[formats.indexOf(format)] as string)
  reply.header(
    'content-disposition',
    `attachment; filename="${name}-${new Date().toISOString().slice(0, 10)}.${format}"`,
  )
  const line =
    format === 'csv'
      ? (row: Row) => csvRow(columns.map((column) => row[column]))
      : (row: Row) => `${JSON.stringify(row)}\n`
  return Readable.from(chunksOf(rows, line, format === 'csv' ? csvRow(columns) : ''))
}

const chunkLength = 65_536
/** Several lines per chunk: one chunk per line costs more than creating the lines. */
async function* chunksOf<Row>(
  rows: AsyncIterable<Row>,
  line: (row: Row) => string,
  header: string,
): AsyncGenerator<string> {
  let chunk = header
  for await (const row of rows) {
    chunk += line(row)
    if (chunk.length < chunkLength) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}
