// unirec backup, unirec restore
import { resolve } from 'node:path'
import { type Command, CommandFailure, exitCodes, type Invocation } from './command.ts'
import { serverSettings } from './server-settings.ts'

const postgres = (what: string, line: string) =>
  new CommandFailure(
    exitCodes.usage,
    `${what} of a PostgreSQL database is made with its own tools; nothing was done. Run:\n  ${line}`,
  )
const keyNote = (source: string) =>
  `the backup does not contain the encryption key: store ${source} in another safe place. Without it, platform credentials and the journal cannot be decrypted`

const failing = (error: unknown): never => {
  throw error instanceof CommandFailure ? error : new CommandFailure(exitCodes.failed, (error as Error).message)
}

export const backup: Command = {
  name: 'backup',
  summary: 'Copy the database to a file while the service runs',
  arguments: [{ name: 'file', description: 'New file; an existing file is not overwritten', complete: 'file' }],
  flags: [],
  examples: ['unirec backup backups/2026-11-15.sqlite'],
  async run(invocation: Invocation) {
    const { output, arguments: given } = invocation
    const { databaseUrl, dataDir, keySource } = await serverSettings(invocation)
    if (databaseUrl) throw postgres('a backup', 'pg_dump --format=custom --file=backup.dump "$DATABASE_URL"')
    const { backupSqlite } = await import('../store/sqlite/backup.ts')
    const file = resolve(given.file as string)
    const { bytes } = await backupSqlite(dataDir, file).catch(failing)
    if (output.json) output.line(JSON.stringify({ file, bytes }))
    else output.line(`${file}: ${(bytes / 1024 / 1024).toFixed(1)} MB, checked`)
    output.note(keyNote(keySource))
    return exitCodes.ok
  },
}

export const restore: Command = {
  name: 'restore',
  summary: 'Replace the database with a backup while the service is stopped',
  arguments: [{ name: 'file', description: 'File written by unirec backup', complete: 'file' }],
  flags: [],
  examples: ['unirec restore backups/2026-11-15.sqlite'],
  async run(invocation: Invocation) {
    const { output, arguments: given } = invocation
    const { databaseUrl, dataDir, keys } = await serverSettings(invocation)
    if (databaseUrl)
      throw postgres(
        'a restore',
        'pg_restore --clean --if-exists --dbname="$DATABASE_URL" backup.dump   # with all instances stopped',
      )
    const [{ restoreSqlite }, { createVault }] = await Promise.all([
      import('../store/sqlite/backup.ts'),
      import('../store/vault.ts'),
    ])
    const { kept } = await restoreSqlite(dataDir, resolve(given.file as string), createVault(keys())).catch(failing)
    if (output.json) output.line(JSON.stringify({ restored: given.file, kept }))
    else output.line(`restored${kept ? `; the previous database is ${kept}` : ''}`)
    output.note(
      'the journal lacks the writes since the backup: a caller that retries one of them may write it a second time. Tell callers from which time on to check',
    )
    return exitCodes.ok
  },
}
