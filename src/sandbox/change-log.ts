// The file behind the sandbox: JSON lines, of which the last can be appended in one write and all can be replaced at
// once.
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'

const partLength = 1024 * 1024

export interface ChangeLog {
  /**
   * Writes one line. After an error it is not in the file, and the next line takes its place: such a line must contain
   * what the failed one did.
   */
  append(line: string): void
  /** With an error, the file is what it was. */
  replace(lines: Iterable<string>): void
  size(): number // in bytes
  close(): void
}

/** The complete lines of the file; undefined without a file. */
export function readLines(file: string): string[] | undefined {
  if (!existsSync(file)) return undefined
  const text = readFileSync(file, 'utf8')
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1)
}

export function createChangeLog(file: string, lines: Iterable<string>): ChangeLog {
  let descriptor: number | undefined
  let size = 0
  const close = () => {
    if (descriptor !== undefined) closeSync(descriptor)
    descriptor = undefined
  }
  const log: ChangeLog = {
    append(line) {
      // Not in append mode: what a failed write has left is overwritten.
      descriptor ??= openSync(file, 'r+')
      size += write(descriptor, `${line}\n`, size)
    },
    replace(lines) {
      const next = `${file}.new`
      try {
        const written = writeFile(next, lines)
        close() // Windows does not replace a file that is open
        renameSync(next, file)
        size = written
      } catch (error) {
        rmSync(next, { force: true })
        throw error
      }
    },
    size: () => size,
    close,
  }
  mkdirSync(dirname(file), { recursive: true })
  log.replace(lines)
  return log
}

/** On the disk before it takes the place of another file: a power failure must not leave an empty one. */
function writeFile(file: string, lines: Iterable<string>): number {
  const descriptor = openSync(file, 'w', 0o600)
  try {
    let size = 0
    let part = ''
    for (const line of lines) {
      part += `${line}\n`
      if (part.length < partLength) continue
      size += write(descriptor, part, size)
      part = ''
    }
    size += write(descriptor, part, size)
    fsyncSync(descriptor)
    return size
  } finally {
    closeSync(descriptor)
  }
}

function write(descriptor: number, text: string, position: number): number {
  const bytes = Buffer.from(text)
  let written = 0
  while (written < bytes.length)
    written += writeSync(descriptor, bytes, written, bytes.length - written, position + written)
  return written
}
