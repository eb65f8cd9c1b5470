// Starts the service, and by default the sandbox beside it: what `npm start` and `unirec serve` do.
import { fork } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { extname, join } from 'node:path'
import type { Logger } from 'pino'
import { sandboxWorkspace } from './accounts/sandbox-keys.ts'
import { checkPort } from './api/listeners.ts'
import { version } from './base/version.ts'
import type { Config } from './config.ts'
import { claimDataDir } from './database.ts'
import { createLogger } from './logger.ts'
import { connectors } from './platforms/registry.ts'
import { hideSandboxFile, openSandboxWorkspace, type SandboxFile, type SandboxTenant } from './sandbox-workspace.ts'
import { createService, type Service, type ServiceOptions } from './service.ts'
import { handleShutdown } from './shutdown.ts'
import { createActivityThread } from './threads/activity.ts'
import { createJournalThread } from './threads/journal.ts'
import { readerThreads } from './threads/readers.ts'
import { openFirstLogin } from './users.ts'
import { welcome } from './welcome.ts'

/** What runs in a process or thread of its own, beside this file: as it is, or bundled. */
const fileOf = (name: string) => join(import.meta.dirname, `${name}${extname(import.meta.filename)}`)

/** The sandbox gets no secret of the service. */
const ownSecrets = /KEY|TOKEN|SECRET|PASSWORD|HEADERS|^DATABASE_URL$/

interface RunningSandbox {
  url: string
  tenants: SandboxTenant[]
}
interface SandboxProcess extends RunningSandbox {
  stop(): Promise<void>
}
type Threads = Pick<ServiceOptions, 'activityWriter' | 'journalThread' | 'readers' | 'lock'>

/** The simulators run in a process of their own, as platforms do. */
function startSandbox(config: Config): Promise<SandboxProcess> {
  const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ownSecrets.test(name)))
  const child = fork(fileOf('sandbox/main'), {
    env: {
      ...environment,
      NODE_COMPILE_CACHE: getCompileCacheDir(),
      PACE_SCALE: String(config.paceScale),
      SANDBOX_FILE: process.env.SANDBOX_FILE ?? join(config.dataDir, 'sandbox-state.jsonl'),
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the sandbox ended with code ${code}`)))
    child.once('message', (message) => {
      const { listening, accounts } = message as { listening: string; accounts: SandboxTenant[] }
      resolve({
        url: listening,
        tenants: accounts,
        async stop() {
          if (child.connected) child.disconnect()
          await ended
        },
      })
    })
  })
}

/** One that runs already, for several instances over the same simulators. */
export async function joinSandbox(url: string): Promise<SandboxProcess> {
  const response = await fetch(`${url}/_sandbox/accounts`).catch(() => undefined)
  if (!response?.ok) throw new Error(`SANDBOX_URL must be the URL of a running sandbox. There is none at ${url}`)
  const { accounts } = (await response.json()) as { accounts: SandboxTenant[] }
  return { url, tenants: accounts, stop: async () => {} }
}

export async function start(config: Config): Promise<void> {
  process.stdout.on('error', () => {}) // the service goes on when nothing reads its output any more
  if (process.report) process.report.excludeEnv = true // a crash report must not carry the encryption key
  const logger = createLogger(config.logLevel, { sync: true })
  const shutdown = handleShutdown(logger, config.shutdownMs ?? 25_000)
  for (const warning of config.warnings ?? []) logger.warn(warning)
  const lock = claimDataDir(config) // first: a second instance says so before it starts anything
  warnAboutNewKey(logger, config) // before anything can fail: the next start finds the key, and says nothing
  await checkPort(config)
  if (config.manage) await checkPort(config.manage, 'MANAGE_')
  if (config.sandbox) hideSandboxFile(config.dataDir)
  const sandbox = !config.sandbox
    ? undefined
    : config.sandboxUrl
      ? await joinSandbox(config.sandboxUrl)
      : await startSandbox(config)
  const service = await assembleService(config, sandbox, { ...threadsOf(config), ...(lock ? { lock } : {}) })
  warnAboutLocalKey(logger, config) // now that there is a database to seal
  shutdown.watch(service, sandbox)
  const { address, file } = await openService(service, config, sandbox)
  const port = Number(/\d+$/.exec(address)?.[0])
  logger.info(
    { version, node: process.version, host: config.host, port, database: service.store.kind, sandbox: config.sandbox },
    'service started',
  )
  console.log(`listening on ${address}`)
  if (config.manage) console.log(`management on ${service.manageUrl()}`)
  if (file && sandbox) console.log(welcome(file, join(config.dataDir, 'sandbox.json')))
}
function threadsOf(config: Config): Threads {
  const { dataDir, databaseUrl, encryptionKeys, paceScale, readThreads } = config
  const where = { dataDir, encryptionKeys, ...(databaseUrl ? { databaseUrl } : {}) }
  return {
    activityWriter: createActivityThread(fileOf('threads/activity-worker'), where),
    ...(databaseUrl ? {} : { journalThread: createJournalThread(fileOf('threads/journal-worker'), where) }),
    ...(readThreads
      ? { readers: readerThreads(fileOf('threads/reader-worker'), { encryptionKeys, paceScale }, readThreads) }
      : {}),
  }
}

/** The service of this configuration. Without threads, all runs in the one that calls. */
export const assembleService = (config: Config, sandbox?: RunningSandbox, threads: Threads = {}): Promise<Service> =>
  createService({
    config,
    connectors,
    ...threads,
    ...(sandbox
      ? {
          originOverride: ({ workspaceId, platform }) =>
            workspaceId === sandboxWorkspace ? `${sandbox.url}/${platform}` : undefined,
          sandboxUrl: sandbox.url,
        }
      : {}),
  })

/** Listens, and creates the first login or the workspace of the sandbox. */
export async function openService(
  service: Service,
  config: Config,
  sandbox?: RunningSandbox,
): Promise<{ address: string; file: SandboxFile | undefined }> {
  const release = sandbox && service.hold('The sandbox is not ready yet.')
  const address = await service.listen()
  if (!sandbox || config.adminPassword) await openFirstLogin(service.store, config)
  const file =
    sandbox && (await openSandboxWorkspace(service, connectors, sandbox.tenants, config.dataDir, sandbox.url))
  release?.()
  return { address, file }
}

/** Keys that only this disk has: without them, what is sealed in the database is lost. */
function warnAboutLocalKey(logger: Logger, { keyFile, databaseUrl }: Config): void {
  if (keyFile && databaseUrl)
    logger.warn(
      { file: keyFile.path },
      'ENCRYPTION_KEY is not set: the key of the database is a file on this machine. Other instances cannot read what this one seals. Set ENCRYPTION_KEY',
    )
}
function warnAboutNewKey(logger: Logger, { keyFile, databaseUrl }: Config): void {
  if (keyFile?.isNew && !databaseUrl)
    logger.warn(
      { file: keyFile.path },
      'created a new encryption key. Keep a copy apart from the database: without it, platform credentials cannot be read',
    )
}
