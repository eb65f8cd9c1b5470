// The database of the configuration: opened, migrated, and sealed with a key that we have.
import { type Config, makeDataDir } from './config.ts'
import { sentence } from './contract/errors.ts'
import { keysOpen } from './store/key-check.ts'
import { type OpenOptions, openStore } from './store/open-store.ts'
import { type DirectoryLock, lockDirectory } from './store/sqlite/directory-lock.ts'
import type { Store } from './store/store.ts'
import { DatabaseUnavailable } from './store/unavailable.ts'

/** Undefined with PostgreSQL. Rejects a directory that another process uses. */
export function claimDataDir({ databaseUrl, dataDir }: Config): DirectoryLock | undefined {
  if (databaseUrl) return undefined
  makeDataDir(dataDir)
  return lockDirectory(dataDir)
}

/** Checks that the encryption key opens what is in it. */
export async function openDatabase(
  config: Config,
  { lock, ...options }: Pick<OpenOptions, 'vault' | 'warn'> & { lock: DirectoryLock | undefined },
): Promise<Store> {
  const store = await openMigrated(config, { ...options, exclusive: lock !== undefined })
  if (await keysOpen(store, { first: true })) return store
  await store.close()
  lock?.release()
  throw new Error(
    `the encryption key does not open what is in the database. Set ENCRYPTION_KEY${config.keyFile ? ` (or the file ${config.keyFile.path})` : ''} to the key it was sealed with; several are allowed, newest first`,
  )
}

/** Opened and migrated. An error names the settings: at a start, the operator can correct them. */
async function openMigrated(
  { dataDir, databaseUrl, databaseDirectUrl: directUrl }: Config,
  options: Pick<OpenOptions, 'vault' | 'exclusive' | 'warn'>,
): Promise<Store> {
  try {
    const store = await openStore({ dataDir, ...(databaseUrl ? { databaseUrl } : {}), directUrl, ...options })
    await store.migrate()
    return store
  } catch (error) {
    if (!databaseUrl || !(error instanceof DatabaseUnavailable)) throw error
    const settings = directUrl ? 'DATABASE_URL and DATABASE_DIRECT_URL' : 'DATABASE_URL'
    throw new Error(
      `${sentence(error.message)} Check that the server runs, and address, user and password in ${settings}`,
      { cause: error },
    )
  }
}
