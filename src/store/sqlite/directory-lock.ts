// A lock that allows one process per data directory. The operating system releases it when the process ends, however it
// ends.
import { chmodSync, closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export interface DirectoryLock {
  release(): void
}

export function lockDirectory(directory: string): DirectoryLock {
  const file = join(directory, 'in-use')
  // SQLite gives the journal beside it the mode of the file.
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  const lock = new DatabaseSync(file, { timeout: 200 })
  try {
    lock.exec('pragma journal_mode = delete; begin exclusive')
  } catch {
    lock.close()
    throw new Error(
      `another process uses ${directory}; give this one its own DATA_DIR, or run several instances over one DATABASE_URL`,
    )
  }
  return { release: () => lock.close() }
}
