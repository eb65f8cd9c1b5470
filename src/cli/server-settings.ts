// What a command on the service's own machine needs of the service's configuration. Reads it; makes nothing, unlike a
// start of the service.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CommandFailure, exitCodes, type Invocation } from './command.ts'
import { dataDirOf } from './sandbox-file.ts'

export interface ServerSettings {
  dataDir: string
  databaseUrl?: string
  directUrl?: string // around a connection pooler
  keyFile?: string // absent where ENCRYPTION_KEY is set
  keySource: string // for people
  keys(): Buffer[] // newest first
}

export async function serverSettings({
  flags,
  environment,
}: Pick<Invocation, 'flags' | 'environment'>): Promise<ServerSettings> {
  const { readConfig } = await import('../config.ts')
  const dataDir = dataDirOf({ flags, environment })
  const databaseUrl = environment.DATABASE_URL || undefined
  const keyFile = environment.ENCRYPTION_KEY ? undefined : join(dataDir, 'encryption.key')
  if (!databaseUrl && !existsSync(dataDir))
    throw new CommandFailure(exitCodes.usage, `there is no data directory ${dataDir}: set --data-dir or DATA_DIR`)
  return {
    dataDir,
    databaseUrl,
    directUrl: environment.DATABASE_DIRECT_URL || undefined,
    keyFile,
    keySource: keyFile ?? 'ENCRYPTION_KEY',
    keys() {
      if (keyFile && !existsSync(keyFile))
        throw new CommandFailure(
          exitCodes.usage,
          `the encryption key is missing: neither ENCRYPTION_KEY nor ${keyFile} exists. Restore the key that encrypted the database`,
        )
      try {
        return readConfig({ ...environment, DATA_DIR: dataDir }).encryptionKeys
      } catch (error) {
        throw new CommandFailure(exitCodes.usage, (error as Error).message)
      }
    },
  }
}
