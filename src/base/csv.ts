// The CSV parser (RFC 4180) of the command line and of the API, and its counterpart. A library would have to be taught the three things that
// its users need:
// the line where a row begins, an empty cell that differs from an empty text, and a bound for a quote that is never
// closed.

/** undefined stands for an empty cell without quotes. */
export type Cells = (string | undefined)[]
/** `line` is where the row begins. */
export interface CsvRow {
  line: number
  cells: Cells
}
export interface CsvParser {
  /** The rows that end in this piece of text. */
  write(text: string): Iterable<CsvRow>
  end(): Iterable<CsvRow>
}
export class EndlessCell extends Error {
  readonly line: number
  constructor(line: number) {
    super('a cell has no end; check for an extra quote')
    this.line = line
  }
}

const longestCell = 8 * 1024 * 1024

export function createCsvParser(separator = ','): CsvParser {
  let cells: Cells = []
  let cell = ''
  // closed: behind the second quote, which may turn out to be half of an escaped one.
  let state: 'plain' | 'quoted' | 'closed' = 'plain'
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
  return {
    *write(text) {
      for (let at = 0; at < text.length; at++) {
        const character = text[at] as string
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
        } else if (character === separator) endCell()
        else if (character === '\n' || character === '\r') {
          endCell()
          if (!blank()) yield { line: began, cells }
          cells = []
          began = line
        } else cell += character
      }
      if (cell.length > longestCell) throw new EndlessCell(began)
    },
    *end() {
      endCell()
      if (!blank()) yield { line: began, cells }
    },
  }
}

/**
 * A spreadsheet would run what follows as a formula: at the beginning of a cell, and behind what it may split cells at,
 * with white space and in full width as well. A quote in front makes it text, and is removed again when the file is
 * read. Phone numbers and the like stay as they are.
 */
const formula = '(?=[=@\uff1d\uff20]|[+\\-\uff0b\uff0d](?![\\d\\s()./-]*(?:$|[;\\t\\r\\n])))'
const beginning = '(^|[;\\t\\r\\n])([^\\S;\\t\\r\\n]*)'
const plain = new RegExp(`${beginning}('*)${formula}`, 'g')
const quoted = new RegExp(`${beginning}'('*)${formula}`, 'g')
/** The text of a cell as it was before `csvRow` wrote it. */
export const cellText = (cell: string): string => cell.replace(quoted, '$1$2$3')

/** Absent is an empty cell, an empty text is a quoted empty cell: both come back as they were. */
export function csvRow(values: readonly unknown[]): string {
  const cells = values.map((value) => {
    if (value === undefined || value === null) return ''
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
    const cell = typeof value === 'string' ? text.replace(plain, "$1$2'$3") : text
    return cell === '' || /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
  })
  return `${cells.join(',')}\r\n`
}
