// References as people have them in files: CSV with a header line (RFC 4180, comma, semicolon or tab), or one JSON
// object per line.
import { type CsvRow, createCsvParser, EndlessCell } from '../base/csv.ts'
import type { ReferenceImport } from '../store/store.ts'

/** A string as value says why the line is invalid. */
export interface SourceLine {
  line: number
  value: unknown
}
export type Lines = { lines: SourceLine[] } | { error: { line: number; message: string } }

const columns = ['entityType', 'sourceId', 'nativeId']

export const readLines = (format: ReferenceImport['format'], content: string): Lines =>
  format === 'csv' ? readCsv(content) : readNdjson(content)

function readNdjson(content: string): Lines {
  const lines = content
    .split('\n')
    .flatMap((text, index): SourceLine[] => (text.trim() === '' ? [] : [{ line: index + 1, value: parsed(text) }]))
  return { lines }
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : 'is not a JSON object'
  } catch {
    return 'is not JSON'
  }
}

function readCsv(content: string): Lines {
  const text = content.replace(/^\u{feff}/u, '')
  const separator = [',', ';', '\t'].find((candidate) => (text.split(/\r?\n/, 1)[0] ?? '').includes(candidate)) ?? ','
  const parser = createCsvParser(separator)
  let rows: CsvRow[]
  try {
    rows = [...parser.write(text), ...parser.end()]
  } catch (error) {
    if (error instanceof EndlessCell) return { error: { line: error.line, message: error.message } }
    throw error
  }
  const [head, ...rest] = rows.filter(({ cells }) => cells.length > 1 || cells[0]?.trim())
  const names = (head?.cells ?? []).map((cell) =>
    columns.find(
      (column) =>
        column.toLowerCase() ===
        cell
          ?.trim()
          .toLowerCase()
          .replaceAll(/[\s_-]/g, ''),
    ),
  )
  const absent = ['sourceId', 'nativeId'].filter((column) => !names.includes(column))
  if (absent.length > 0)
    return {
      error: {
        line: 1,
        message: `the first line must name the columns ${columns.join(', ')}; there is no ${absent.join(' and no ')}`,
      },
    }
  return {
    lines: rest.map(({ line, cells }) => ({
      line,
      value: Object.fromEntries(
        names.flatMap((name, index) =>
          name && cells[index] !== undefined && cells[index] !== '' ? [[name, cells[index]]] : [],
        ),
      ),
    })),
  }
}
