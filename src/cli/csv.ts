// Records as CSV (RFC 4180). The columns come from the unified schema, never from the records: so a file of any length is written and read in one go.
import type { TSchema } from 'typebox'
import { type EntityType, flavorSchema, type Vertical } from '../contract/entity.ts'
import { entities } from '../contract/unified.ts'
import { CommandFailure, exitCodes } from './command.ts'

export interface Column {
  name: string // 'address.line1'
  path: readonly string[]
  kind: 'text' | 'number' | 'flag' | 'json'
}
type Fields = Record<string, unknown>

const longestCell = 8 * 1024 * 1024

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

/** Absent is an empty cell, an empty text is a quoted empty cell: both come back as they were. */
export function csvLine(record: object, columns: readonly Column[]): string {
  const cells = columns.map(({ path }) => {
    const value = path.reduce<unknown>((part, name) => (part as Fields | undefined)?.[name], record)
    if (value === undefined || value === null) return ''
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
    return text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  })
  return `${cells.join(',')}\r\n`
}

/** undefined is an empty cell without quotes. */
export type Cells = (string | undefined)[]

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
  if (kind !== 'json') return cell
  try {
    return JSON.parse(cell)
  } catch {
    return cell
  }
}

/** Cuts text that comes in pieces into rows of cells; `line` is where a row begins. */
export async function* csvRows(chunks: AsyncIterable<string>): AsyncGenerator<{ line: number; cells: Cells }> {
  let cells: Cells = []
  let cell = ''
  let state: 'plain' | 'quoted' | 'closed' = 'plain' // closed: behind the second quote, which may turn out to be half of an escaped one
  let wasQuoted = false
  let line = 1
  let began = 1
  let afterReturn = false
  const endCell = () => {
    cells.push(cell === '' && !wasQuoted ? undefined : cell)
    cell = ''
    state = 'plain'
    wasQuoted = false
  }
  const blank = () => cells.length === 1 && cells[0] === undefined
  for await (const chunk of chunks) {
    for (const character of chunk) {
      if (character === '\n' && afterReturn) {
        afterReturn = false
        continue
      }
      afterReturn = character === '\r' && state !== 'quoted'
      if (character === '\n' || afterReturn) line++
      if (state === 'quoted') {
        if (character === '"') state = 'closed'
        else cell += character
      } else if (character === '"' && state === 'closed') {
        cell += '"'
        state = 'quoted'
      } else if (character === '"' && cell === '' && !wasQuoted) {
        state = 'quoted'
        wasQuoted = true
      } else if (character === ',') endCell()
      else if (character === '\n' || character === '\r') {
        endCell()
        if (!blank()) yield { line: began, cells }
        cells = []
        began = line
      } else cell += character
    }
    if (cell.length > longestCell)
      throw new CommandFailure(exitCodes.usage, `line ${began}: a cell has no end; check for an extra quote`)
  }
  endCell()
  if (!blank()) yield { line: began, cells }
}
