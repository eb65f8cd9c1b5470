// Records out of a file of any length: JSON lines, one JSON array, or CSV. A record that cannot be read is handed on as
// such, with its line.
import { createReadStream } from 'node:fs'
import { access, constants, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { EntityType, Vertical } from '../contract/entity.ts'
import { CommandFailure, exitCodes, unreadable } from './command.ts'
import { type Column, columnsOf, csvRows, recordOf } from './csv.ts'
import { didYouMean } from './parse.ts'

export type ReadRecord = { line: number; record: unknown } | { line: number; unreadable: string }
export type RecordFormat = 'ndjson' | 'json' | 'csv'

const longestRecord = 8 * 1024 * 1024

export interface RecordSource {
  file: string // - for standard input, if there is one
  input?: Readable
  format?: RecordFormat // detected by default
  entityType: string
  vertical: Vertical
}

export async function* readRecords({
  file,
  input,
  format,
  entityType,
  vertical,
}: RecordSource): AsyncGenerator<ReadRecord> {
  const chunks = textOf(file, input)
  const first = await firstText(chunks)
  const rest = joined(first, chunks)
  const found = format ?? sniff(first)
  if (found === 'csv') yield* fromCsv(rest, columnsOf(entityType as EntityType, vertical))
  else if (found === 'json') yield* fromArray(rest)
  else yield* fromLines(rest)
}

/** Before anything is sent. What is in the file is found out while it is read. */
export async function checkFile(file: string): Promise<void> {
  if (file !== '-')
    await access(file, constants.R_OK).catch((error: unknown) => Promise.reject(unreadable(file, error)))
}

/** Reads a file a second time, so it must be one: a pipe can be read only once. */
export async function countRecords(source: RecordSource): Promise<number | undefined> {
  if (source.file === '-' || !(await stat(source.file)).isFile()) return undefined
  let count = 0
  for await (const _ of readRecords(source)) count++
  return count
}

/** The whole file. */
export async function readText(file: string, input: Readable): Promise<string> {
  let text = ''
  for await (const part of textOf(file, input)) text += part
  return text
}

async function* textOf(file: string, input: Readable | undefined): AsyncGenerator<string> {
  const stream = (file === '-' && input) || createReadStream(file)
  // Takes a byte order mark away; what is no UTF-8 must not become something else in silence.
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of stream) yield decoder.decode(chunk as Buffer, { stream: true })
    yield decoder.decode()
  } catch (error) {
    throw unreadable(file === '-' ? 'standard input' : file, error)
  }
}

async function firstText(chunks: AsyncGenerator<string>): Promise<string> {
  let text = ''
  while (text.trim() === '') {
    const { value, done } = await chunks.next()
    if (done) break
    text += value
  }
  return text
}

async function* joined(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first
  yield* rest
}

function sniff(text: string): RecordFormat {
  const [character] = text.trimStart()
  return character === '[' ? 'json' : character === '{' ? 'ndjson' : 'csv'
}

const tooLong = (line: number) =>
  new CommandFailure(
    exitCodes.usage,
    `line ${line}: a record is longer than ${longestRecord / 1024 / 1024} MB; is this the right format? See --format`,
  )

function parsed(line: number, text: string): ReadRecord {
  try {
    return { line, record: JSON.parse(text) }
  } catch (error) {
    return { line, unreadable: `not JSON: ${(error as Error).message.slice(0, 120)}` }
  }
}

export async function* fromLines(chunks: AsyncIterable<string>): AsyncGenerator<ReadRecord> {
  let rest = ''
  let line = 0
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const text of lines) {
      line++
      if (text.trim()) yield parsed(line, text)
    }
    if (rest.length > longestRecord) throw tooLong(line + 1)
  }
  if (rest.trim()) yield parsed(line + 1, rest)
}

/** Elements of one array, cut out by brackets and quotes and parsed one by one. */
export async function* fromArray(chunks: AsyncIterable<string>): AsyncGenerator<ReadRecord> {
  let element = ''
  let depth = 0 // 1: in the array, between elements or in one that is no object
  let quoted = false
  let escaped = false
  let line = 1
  let began = 1
  for await (const chunk of chunks) {
    for (const character of chunk) {
      if (character === '\n') line++
      if (depth === 0) {
        if (character === '[') depth = 1
        else if (character.trim())
          throw new CommandFailure(
            exitCodes.usage,
            `line ${line}: ${element ? 'text after the end of the array' : 'not a JSON array'}`,
          )
        continue
      }
      const atTop = depth === 1 && !quoted
      if (atTop && (character === ',' || character === ']')) {
        if (element.trim()) yield parsed(began, element)
        element = ''
        if (character === ']') depth = 0
        continue
      }
      if (element === '') {
        if (!character.trim()) continue
        began = line
      }
      element += character
      if (element.length > longestRecord) throw tooLong(began)
      if (quoted) {
        if (escaped) escaped = false
        else if (character === '\\') escaped = true
        else if (character === '"') quoted = false
      } else if (character === '"') quoted = true
      else if (character === '{' || character === '[') depth++
      else if (character === '}' || character === ']') depth--
    }
  }
  if (depth !== 0) yield { line: began, unreadable: 'the array does not end: the file was cut off' }
}

export async function* fromCsv(chunks: AsyncIterable<string>, known: readonly Column[]): AsyncGenerator<ReadRecord> {
  let columns: Column[] | undefined
  for await (const { line, cells } of csvRows(chunks)) {
    if (!columns) columns = cells.map((name) => columnNamed(name ?? '', known))
    else if (cells.length !== columns.length)
      yield { line, unreadable: `${cells.length} cells under ${columns.length} columns` }
    else yield { line, record: recordOf(cells, columns) }
  }
}

function columnNamed(name: string, known: readonly Column[]): Column {
  const found = known.find((column) => column.name === name.trim())
  if (found) return found
  const names = known.map((column) => column.name)
  throw new CommandFailure(
    exitCodes.usage,
    `line 1: there is no column "${name}"${didYouMean(name, names)}\nColumns: ${names.join(', ')}`,
  )
}
