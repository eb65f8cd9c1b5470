// Backs up the database while the service runs, and restores a backup. A kill at any moment leaves either the old or
// the new database, complete.
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync, backup as sqliteBackup } from 'node:sqlite'
import { sqliteFileIn } from '../open-store.ts'
import type { Vault } from '../vault.ts'
import { findAnyDamage } from './damaged.ts'
import { type DirectoryLock, lockDirectory } from './directory-lock.ts'
import { createSqliteStore } from './sqlite.ts'

const withLogs = ['', '-wal', '-shm'] as const

export interface BackupResult {
  bytes: number
}

/** A consistent snapshot, checked before it gets its name. */
export async function backupSqlite(
  dataDir: string,
  file: string,
  onProgress?: (share: number) => void,
): Promise<BackupResult> {
  const source = sqliteFileIn(dataDir)
  if (!existsSync(source)) throw new Error(`there is no database in ${dataDir}`)
  if (existsSync(file)) throw new Error(`${file} is there already; it is not overwritten`)
  const part = `${file}.part`
  await (await open(part, 'w', 0o600)).close()
  try {
    const database = new DatabaseSync(source, { readOnly: true, timeout: 5_000 })
    try {
      await sqliteBackup(database, part, {
        rate: 2_000,
        progress: ({ totalPages, remainingPages }) => onProgress?.(1 - remainingPages / Math.max(1, totalPages)),
      })
    } finally {
      database.close()
    }
    verify(part, part)
    syncFile(part)
    linkSync(part, file) // unlike a rename, it fails if the name exists by now
    return { bytes: statSync(file).size }
  } finally {
    for (const end of withLogs) rmSync(`${part}${end}`, { force: true })
  }
}

/** `name` is the file name for messages. */
function verify(file: string, name: string): void {
  const database = new DatabaseSync(file)
  try {
    const damage = findAnyDamage(database)
    if (damage) throw new Error(`${name} is not a whole database: ${damage}`)
    if (!database.prepare("select 1 from sqlite_schema where name = 'kysely_migration'").get())
      throw new Error(`${name} is a database of something else`)
    database.exec('pragma journal_mode = delete') // one file, without a log beside it
  } catch (error) {
    throw (error as { errcode?: number }).errcode === undefined
      ? error
      : new Error(`${name} is not a database: ${(error as Error).message}`)
  } finally {
    database.close()
  }
}

export interface RestoreResult {
  kept?: string // the path of the previous database
}

/** Works on a copy, which is checked, opened with the key and migrated before it replaces the current database. */
export async function restoreSqlite(dataDir: string, file: string, vault: Vault): Promise<RestoreResult> {
  if (!existsSync(file)) throw new Error(`there is no ${file}`)
  const lock = lockStopped(dataDir)
  const target = sqliteFileIn(dataDir)
  const copy = `${target}.restoring`
  try {
    for (const end of withLogs) rmSync(`${copy}${end}`, { force: true })
    await (await open(copy, 'w', 0o600)).close()
    copyFileSync(file, copy)
    verify(copy, file)
    const store = await createSqliteStore({ file: copy, vault })
    try {
      await store.migrate()
      // Decrypts everything that was sealed with an older key, and fails if that key is missing.
      await store.reseal().catch((error: Error) => {
        throw new Error(
          `${file} cannot be opened with the encryption key there is (${error.message}): set it to the one of that time, behind the newest`,
        )
      })
      await store.endLeases()
      // The changes that feeds reported since the backup are lost: no cursor of that time is valid.
      await store.changes.raiseEpochs()
    } finally {
      await store.close()
    }
    syncFile(copy)
    const kept = moveCurrent(target)
    renameSync(copy, target)
    syncFile(dirname(target))
    return kept ? { kept } : {}
  } finally {
    for (const end of withLogs) rmSync(`${copy}${end}`, { force: true })
    lock.release()
  }
}

function lockStopped(dataDir: string): DirectoryLock {
  try {
    return lockDirectory(dataDir)
  } catch {
    throw new Error(`a service uses ${dataDir}: stop it first`)
  }
}

/**
 * SQLite would apply a remaining log to the new file, so it is merged first, or moved together with a file that is too
 * damaged for that.
 */
function moveCurrent(target: string): string | undefined {
  if (!existsSync(target)) return undefined
  const kept = `${target}.before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  try {
    const database = new DatabaseSync(target)
    try {
      database.exec('pragma journal_mode = delete')
    } finally {
      database.close()
    }
  } catch {
    // Too damaged to be opened.
  }
  linkSync(target, kept)
  for (const end of ['-wal', '-shm']) if (existsSync(`${target}${end}`)) renameSync(`${target}${end}`, `${kept}${end}`)
  return kept
}

function syncFile(file: string): void {
  const descriptor = openSync(file, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
