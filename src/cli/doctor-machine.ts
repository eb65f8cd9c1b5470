// What can be checked on the machine that a service runs on: configuration, data directory, disk, database.
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { misspelledSettings } from '../setting-names.ts'
import type { Invocation } from './command.ts'
import { type Finding, finding, problem, skipped, warning } from './finding.ts'
import { dataDirOf } from './sandbox-file.ts'

const leastFreeBytes = 500 * 1024 * 1024
const mostSkewMs = 2_000
const megabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`

export async function* checkMachine({ flags, environment }: Invocation): AsyncGenerator<Finding> {
  for (const misspelled of misspelledSettings(environment))
    yield warning(
      'configuration',
      misspelled,
      'correct or remove the variable; docs/configuration.md lists all of them',
    )
  const dataDir = dataDirOf({ flags, environment })
  const databaseUrl = environment.DATABASE_URL || undefined
  const keyFile = join(dataDir, 'encryption.key')
  if (!databaseUrl && !existsSync(dataDir)) {
    yield skipped('this machine', `no service is set up here: there is no ${dataDir}, and DATABASE_URL is not set`)
    return
  }
  if (existsSync(dataDir)) yield* checkDirectory(dataDir)
  if (!environment.ENCRYPTION_KEY && !existsSync(keyFile)) {
    const inUse = databaseUrl !== undefined || existsSync(join(dataDir, 'unified-records.sqlite'))
    yield inUse
      ? problem(
          'configuration',
          'there is a database, but no encryption key',
          `put back ${keyFile} or set ENCRYPTION_KEY to the key the database was sealed with; a new key opens nothing`,
        )
      : finding('configuration', 'no encryption key yet: the first start creates one')
    return
  }
  const { readConfig } = await import('../config.ts')
  let config: Config
  try {
    config = readConfig({ ...environment, DATA_DIR: dataDir })
    const { encryptionKeys: keys } = config
    yield finding(
      'configuration',
      `readable; ${keys.length} encryption ${keys.length === 1 ? 'key' : 'keys'} from ${environment.ENCRYPTION_KEY ? 'ENCRYPTION_KEY' : keyFile}`,
    )
  } catch (error) {
    yield problem(
      'configuration',
      (error as Error).message,
      'correct the variable; docs/configuration.md lists all of them',
    )
    return
  }
  if (config.oidc) yield await checkIssuer(config)
  yield* checkDatabase(dataDir, databaseUrl, config.encryptionKeys)
}

async function checkIssuer(config: Config): Promise<Finding> {
  const { checkIdentityProvider } = await import('../users.ts')
  const fault = await checkIdentityProvider(config)
  const issuer = config.oidc?.issuer
  return fault === undefined
    ? finding('sign-in with SSO', `${issuer} is reachable, and its metadata are valid`)
    : problem(
        'sign-in with SSO',
        `the metadata of ${issuer} cannot be read: ${fault}`,
        'is OIDC_ISSUER exactly the issuer that the provider states, and can this machine reach it?',
      )
}

function* checkDirectory(dataDir: string): Generator<Finding> {
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    yield problem(
      'data directory',
      `${dataDir} cannot be read and written by this user`,
      `run as the user of the service, or: chown -R the-user ${dataDir}`,
    )
    return
  }
  const open = ['', 'encryption.key', 'sandbox.json', 'unified-records.sqlite'].filter((name) => {
    const file = join(dataDir, name)
    return process.platform !== 'win32' && existsSync(file) && (statSync(file).mode & 0o077) !== 0
  })
  if (open.length > 0)
    yield problem(
      'data directory',
      `others on this machine can read ${open.map((name) => join(dataDir, name)).join(', ')}`,
      `chmod -R go= ${dataDir}`,
    )
  const { bavail, bsize, blocks } = statfsSync(dataDir)
  const free = bavail * bsize
  const share = blocks > 0 ? bavail / blocks : 1
  if (free < leastFreeBytes)
    yield problem(
      'disk space',
      `${megabytes(free)} left for ${dataDir}`,
      'free some disk space: writes cannot be journaled without it, and the service responds with 503',
    )
  else if (share < 0.05)
    yield warning('disk space', `${megabytes(free)} left for ${dataDir}, less than 5 %`, 'free some disk space soon')
  else if (open.length === 0) yield finding('data directory', `${dataDir}, for its owner only, ${megabytes(free)} free`)
}

async function* checkDatabase(
  dataDir: string,
  databaseUrl: string | undefined,
  keys: readonly Buffer[],
): AsyncGenerator<Finding> {
  const [{ openStore, sqliteFileIn }, { createVault }] = await Promise.all([
    import('../store/open-store.ts'),
    import('../store/vault.ts'),
  ])
  if (!databaseUrl && !existsSync(sqliteFileIn(dataDir))) {
    yield finding('database', 'none yet: the first start creates it')
    return
  }
  const store = await openStore({ dataDir, vault: createVault(keys), databaseUrl }).catch((error: Error) => error)
  if (store instanceof Error) {
    const fix = databaseUrl
      ? 'is the server running, and are address, user and password in DATABASE_URL right?'
      : 'unirec restore <file> puts a backup in its place'
    yield problem('database', store.message, fix)
    return
  }
  try {
    const asked = Date.now()
    const { now, pendingMigrations } = await store.inspect()
    const skew = Math.abs(now - (asked + Date.now()) / 2)
    if (pendingMigrations.length > 0)
      yield problem(
        'database',
        `migrations have not run: ${pendingMigrations.join(', ')}`,
        'start the service once to run them',
      )
    else yield finding('database', `${store.kind}, reachable, up to date`)
    if (skew > mostSkewMs)
      yield problem(
        'clock',
        `this machine and the database are ${(skew / 1000).toFixed(1)} s apart`,
        'synchronize both with NTP: leases and tokens depend on it',
      )
    yield await checkKeys(store)
  } finally {
    await store.close()
  }
}

async function checkKeys(store: import('../store/store.ts').Store): Promise<Finding> {
  const { keysOpen } = await import('../store/key-check.ts')
  return (await keysOpen(store))
    ? finding('encryption key', 'opens what is in the database')
    : problem(
        'encryption key',
        'does not open what is in the database',
        'set ENCRYPTION_KEY (or the key file) to the key it was sealed with; several are allowed, newest first',
      )
}
