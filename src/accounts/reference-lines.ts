// References as people have them in files: CSV with a header line (RFC 4180, comma, semicolon or tab), or one JSON object per line.
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
  const [head, ...rows] = csvRows(text, separator)
  const names = (head?.cells ?? []).map((cell) =>
    columns.find(
      (column) =>
        column.toLowerCase() ===
        cell
          .trim()
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
    lines: rows.map(({ line, cells }) => ({
      line,
      value: Object.fromEntries(
        names.flatMap((name, index) =>
          name && cells[index] !== undefined && cells[index] !== '' ? [[name, cells[index]]] : [],
        ),
      ),
    })),
  }
}

function csvRows(text: string, separator: string): { line: number; cells: string[] }[] {
  const rows: { line: number; cells: string[] }[] = []
  let cells: string[] = []
  let [cell, quoted, line, began] = ['', false, 1, 1]
  const endRow = () => {
    cells.push(cell)
    if (cells.length > 1 || cells[0]?.trim()) rows.push({ line: began, cells })
    cells = []
    cell = ''
  }
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string
    if (character === '\n') line++
    if (quoted) {
      if (character !== '"') cell += character
      else if (text[at + 1] === '"') cell += text[++at]
      else quoted = false
    } else if (character === '"' && cell === '') quoted = true
    else if (character === separator) {
      cells.push(cell)
      cell = ''
    } else if (character === '\n') {
      cell = cell.replace(/\r$/, '')
      endRow()
      began = line
    } else cell += character
  }
  endRow()
  return rows
}
