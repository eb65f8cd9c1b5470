// One command at a time writes a file. The system releases a lock of SQLite when its process ends, however it ends: a
// lock file with a process id would outlive a kill. The locks are apart from the files, because a lock that is deleted
// with its file could be held twice.
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, realpathSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { CommandFailure, exitCodes } from './command.ts'
import { unwritable } from './replace-file.ts'

const busy = 5 // SQLITE_BUSY

/** Fails if another command of this user on this machine holds it. */
export async function lockFile(file: string): Promise<Disposable> {
  const { DatabaseSync: Database } = await import('node:sqlite')
  const name = createHash('sha256').update(realNameOf(file)).digest('hex').slice(0, 32)
  const folder = join(tmpdir(), `unirec-locks-${process.getuid?.() ?? userInfo().username}`)
  let database: DatabaseSync
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (lstatSync(folder).uid !== (process.getuid?.() ?? 0)) throw new Error('it belongs to another user')
    database = new Database(join(folder, `${name}.lock`))
  } catch (error) {
    throw unwritable(folder, error)
  }
  try {
    database.exec('pragma busy_timeout = 0; begin exclusive')
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode !== busy) throw error
    throw new CommandFailure(
      exitCodes.failed,
      `another command is writing ${file}. Wait until it has ended, or name another file`,
    )
  }
  return { [Symbol.dispose]: () => database.close() }
}

/** A folder can have several names. */
function realNameOf(file: string): string {
  const whole = resolve(file)
  try {
    return join(realpathSync(dirname(whole)), basename(whole))
  } catch {
    return whole // the folder is missing, which is reported when the file is opened
  }
}
