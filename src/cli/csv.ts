// Records as CSV (RFC 4180). The columns come from the unified schema, never from the records: so a file of any length
// is written and read in one go.
import type { TSchema } from 'typebox'
import { type Cells, type CsvRow, cellText, createCsvParser, csvRow, EndlessCell } from '../base/csv.ts'
import { entities } from '../contract/entities/index.ts'
import { type EntityType, flavorSchema, type Vertical } from '../contract/entity.ts'
import { CommandFailure, exitCodes } from './command.ts'

export interface Column {
  name: string // 'address.line1'
  path: readonly string[]
  kind: 'text' | 'number' | 'flag' | 'json'
}
type Fields = Record<string, unknown>

export function columnsOf(entityType: EntityType, vertical: Vertical): Column[] {
  return columnsIn(flavorSchema(entities[entityType], vertical), [])
}

function columnsIn(schema: TSchema, path: readonly string[]): Column[] {
  const { type, properties } = schema as { type?: string; properties?: Record<string, TSchema> }
  if (type === 'object' && properties)
    return Object.entries(properties).flatMap(([name, property]) => columnsIn(property, [...path, name]))
  const kind =
    type === 'number' || type === 'integer'
      ? 'number'
      : type === 'boolean'
        ? 'flag'
        : type === 'string'
          ? 'text'
          : 'json'
  return [{ name: path.join('.'), path, kind }]
}

export const csvHeader = (columns: readonly Column[]) => `${columns.map(({ name }) => name).join(',')}\r\n`

export const csvLine = (record: object, columns: readonly Column[]): string =>
  csvRow(columns.map(({ path }) => path.reduce<unknown>((part, name) => (part as Fields | undefined)?.[name], record)))

/** A value that is not a number or flag stays text, so that the service reports the error with its field. */
export function recordOf(cells: Cells, columns: readonly Column[]): Fields {
  const record: Fields = {}
  for (const [index, { path, kind }] of columns.entries()) {
    const cell = cells[index]
    if (cell === undefined) continue
    const inner = path.slice(0, -1).reduce<Fields>((part, name) => {
      part[name] ??= {}
      return part[name] as Fields
    }, record)
    inner[path.at(-1) as string] = cellValue(cell, kind)
  }
  return record
}

function cellValue(cell: string, kind: Column['kind']): unknown {
  if (kind === 'number' && cell.trim() !== '' && Number.isFinite(Number(cell))) return Number(cell)
  if (kind === 'flag' && /^(true|false)$/i.test(cell)) return cell.toLowerCase() === 'true'
  if (kind !== 'json') return cellText(cell)
  try {
    return JSON.parse(cell)
  } catch {
    return cell
  }
}

export async function* csvRows(chunks: AsyncIterable<string>): AsyncGenerator<CsvRow> {
  const parser = createCsvParser()
  try {
    for await (const chunk of chunks) yield* parser.write(chunk)
  } catch (error) {
    if (error instanceof EndlessCell) throw new CommandFailure(exitCodes.usage, `line ${error.line}: ${error.message}`)
    throw error
  }
  yield* parser.end()
}
