// A file of records: written page by page under another name, and replaced as a whole when records have changed.
import { type FileHandle, open, rm, stat } from 'node:fs/promises'
import type { EntityType, Vertical } from '../contract/entity.ts'
import { CommandFailure, exitCodes } from './command.ts'
import { printable } from './printable.ts'
import { partOf, publish, unwritable } from './replace-file.ts'

export interface Layout {
  format: 'ndjson' | 'csv'
  entityType: EntityType
  vertical: Vertical
  header: string
  line(record: object): string
}
export async function layoutOf(format: 'ndjson' | 'csv', entityType: EntityType, vertical: Vertical): Promise<Layout> {
  const kind = { format, entityType, vertical }
  if (format === 'ndjson') return { ...kind, header: '', line: (record) => `${printable(JSON.stringify(record))}\n` }
  const { columnsOf, csvHeader, csvLine } = await import('./csv.ts')
  const columns = columnsOf(entityType, vertical)
  return { ...kind, header: csvHeader(columns), line: (record) => csvLine(record, columns) }
}

/** The file that becomes `file` when it is complete. */
export interface Part {
  bytes(): number
  write(text: string): Promise<void>
  /** Returns when everything written so far is on the disk. */
  sync(): Promise<void>
  publish(): Promise<void>
  /** Closes it and, unless a later run continues it, removes it. */
  abandon(isContinued: boolean): Promise<void>
}

export const bytesOf = async (file: string): Promise<number | undefined> =>
  (await stat(file).catch(() => undefined))?.size

/** Continues after `bytes`. What was written behind them is cut off. Undefined: the part has fewer. */
export async function openPart(file: string, bytes: number): Promise<Part | undefined> {
  const name = partOf(file)
  // Opened before the first call, so that a directory that does not exist is reported early.
  const handle = await open(name, bytes > 0 ? 'r+' : 'w').catch((error: NodeJS.ErrnoException) => {
    if (bytes > 0 && error.code === 'ENOENT') return undefined
    throw unwritable(file, error, exitCodes.usage)
  })
  if (!handle) return undefined
  if ((await handle.stat()).size < bytes) {
    await handle.close()
    return undefined
  }
  await handle.truncate(bytes)
  return partOn(handle, file, bytes)
}

function partOn(handle: FileHandle, file: string, start: number): Part {
  const name = partOf(file)
  let bytes = start
  const checked = async <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw unwritable(name, error)
    })
  return {
    bytes: () => bytes,
    async write(text) {
      const data = Buffer.from(text)
      for (let written = 0; written < data.length; ) {
        const { bytesWritten } = await checked(handle.write(data, written, data.length - written, bytes))
        written += bytesWritten
        bytes += bytesWritten
      }
    },
    sync: () => checked(handle.datasync()),
    publish: () => checked(publish(handle, file)),
    async abandon(isContinued) {
      await handle.close().catch(() => {})
      if (!isContinued) await rm(name, { force: true })
    },
  }
}

const chunkSize = 256 * 1024

/**
 * Writes the file again with these records: new ones at the end, undefined for deleted ones. `beforePublish` gets the
 * length of the new file, before that replaces the old one.
 */
export async function replaceRecords(
  file: string,
  layout: Layout,
  changed: ReadonlyMap<string, object | undefined>,
  beforePublish: (bytes: number) => Promise<void>,
): Promise<{ bytes: number; records: number }> {
  const { readRecords } = await import('./record-stream.ts')
  const part = (await openPart(file, 0)) as Part
  try {
    const added = new Map(changed)
    let text = layout.header
    let records = 0
    const add = async (record: object) => {
      text += layout.line(record)
      records++
      if (text.length < chunkSize) return
      await part.write(text)
      text = ''
    }
    for await (const found of readRecords({ file, ...layout })) {
      const id = 'record' in found ? (found.record as { externalId?: unknown } | null)?.externalId : undefined
      if (!('record' in found) || typeof id !== 'string')
        throw new CommandFailure(
          exitCodes.failed,
          `${file}, line ${found.line}: this is not a record${'unreadable' in found ? `: ${found.unreadable}` : ''}. Something else has changed the file. Delete it and its state file, and pull again`,
        )
      added.delete(id)
      const record = changed.has(id) ? changed.get(id) : (found.record as object)
      if (record) await add(record)
    }
    for (const record of added.values()) if (record) await add(record)
    await part.write(text)
    await beforePublish(part.bytes())
    await part.publish()
    return { bytes: part.bytes(), records }
  } catch (error) {
    await part.abandon(false)
    throw error
  }
}
