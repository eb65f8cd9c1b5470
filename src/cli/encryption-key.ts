// unirec encryption-key rotate: a new encryption key, and everything sealed again with it.
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { type Command, CommandFailure, exitCodes, type Output } from './command.ts'
import { type ServerSettings, serverSettings } from './server-settings.ts'

const steps = `ENCRYPTION_KEY holds one key, and everything is sealed with it. To change it:
  1. make a new key: openssl rand -base64 32
  2. set ENCRYPTION_KEY=old,new and restart the instances one after the other; then the same with ENCRYPTION_KEY=new,old (a single instance can begin with new,old)
  3. run unirec encryption-key rotate with the same environment: it seals everything again with the first key, beside the running service
  4. set ENCRYPTION_KEY=new. Keep the old key with the backups made until now`

export const encryptionKeyRotate: Command = {
  name: 'encryption-key rotate',
  summary: 'Re-encrypt all data with a new encryption key',
  arguments: [],
  flags: [
    {
      name: 'reseal',
      type: 'boolean',
      description: 'Re-encrypt with the first existing key instead of a new one; works while the service runs',
    },
    {
      name: 'forget-old',
      type: 'boolean',
      description: 'Then remove the older keys from the key file; earlier backups need them',
    },
  ],
  examples: ['unirec encryption-key rotate', 'ENCRYPTION_KEY=new,old unirec encryption-key rotate'],
  async run(invocation) {
    const { flags, output } = invocation
    const settings = await serverSettings(invocation)
    const keys = settings.keys()
    if (!settings.keyFile) {
      if (keys.length === 1 && !flags.reseal) throw new CommandFailure(exitCodes.usage, steps)
      if (flags['forget-old'])
        throw new CommandFailure(
          exitCodes.usage,
          'remove the older keys from ENCRYPTION_KEY yourself; the command cannot change it',
        )
      return reseal(settings, keys, output)
    }
    if (flags.reseal) return reseal(settings, keys, output)
    if (settings.databaseUrl)
      throw new CommandFailure(
        exitCodes.usage,
        `with DATABASE_URL there may be several instances, and each must know a key before anything is sealed with it: set ENCRYPTION_KEY to the key in ${settings.keyFile} first.\n${steps}`,
      )
    return rotateFile(settings, settings.keyFile, keys, Boolean(flags['forget-old']), output)
  },
}

/**
 * A running service would not know the new key: so it must be stopped. The key is on disk before anything is sealed
 * with it.
 */
async function rotateFile(
  settings: ServerSettings,
  keyFile: string,
  keys: readonly Buffer[],
  forgetOld: boolean,
  output: Output,
): Promise<number> {
  const { lockDirectory } = await import('../store/sqlite/directory-lock.ts')
  const claim = claimed(lockDirectory, settings.dataDir)
  try {
    const all = [randomBytes(32), ...keys]
    writeKeys(keyFile, all)
    const result = await reseal(settings, all, output)
    if (forgetOld) writeKeys(keyFile, all.slice(0, 1))
    output.note(
      `${keyFile} ${forgetOld ? 'holds the new key only; backups made until now need the old one' : `holds ${all.length} keys, the new one first; backups made until now need the older ones`}`,
    )
    return result
  } finally {
    claim.release()
  }
}

function claimed<T>(claim: (directory: string) => T, directory: string): T {
  try {
    return claim(directory)
  } catch {
    throw new CommandFailure(
      exitCodes.failed,
      `a service uses ${directory} and does not know the new key: stop it first, or use ENCRYPTION_KEY, which can be changed step by step (docs/operating.md)`,
    )
  }
}

function writeKeys(file: string, keys: readonly Buffer[]): void {
  const descriptor = openSync(`${file}.new`, 'w', 0o600)
  writeSync(descriptor, `${keys.map((key) => key.toString('base64')).join('\n')}\n`)
  fsyncSync(descriptor)
  closeSync(descriptor)
  renameSync(`${file}.new`, file)
}

async function reseal(
  { databaseUrl, directUrl, dataDir }: ServerSettings,
  keys: readonly Buffer[],
  output: Output,
): Promise<number> {
  const [{ openStore }, { createVault }] = await Promise.all([
    import('../store/open-store.ts'),
    import('../store/vault.ts'),
  ])
  const store = await openStore({ dataDir, vault: createVault(keys), databaseUrl, directUrl })
  try {
    if ((await store.inspect()).pendingMigrations.length > 0) await store.migrate()
    const first = await store.reseal()
    // A write that was under way may have sealed something with an older key meanwhile.
    const changed = first + (first > 0 ? await store.reseal() : 0)
    if (output.json) output.line(JSON.stringify({ resealed: changed, keys: keys.length }))
    else output.line(`${changed} values were re-encrypted with the newest of ${keys.length} keys`)
    return exitCodes.ok
  } finally {
    await store.close()
  }
}
