// The service as an operator runs it: a separate process, started from dist/main.mjs, that can be killed.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SandboxFile } from '../src/sandbox-workspace.ts'
import { sqliteFileIn } from '../src/store/open-store.ts'
import { copyMigrated } from './migrated-sqlite.ts'
import { freshDatabase } from './postgres.ts'

export interface ServiceProcess {
  url: string
  manageUrl: string // of the management port, or of the only port
  dataDir: string
  child: ChildProcess
  sandboxFile(): SandboxFile
  /** Standard output and standard error so far. */
  printed(): string
  kill(signal?: NodeJS.Signals): Promise<void>
}

/** With a database server in the environment, creates one database per data directory and reuses it at a restart. */
const databases = new Map<string, { url: Promise<string>; key: string }>()
async function databaseFor(dataDir: string): Promise<{ DATABASE_URL?: string; ENCRYPTION_KEY?: string }> {
  if (!process.env.DATABASE_URL) return {}
  const known = databases.get(dataDir) ?? {
    url: freshDatabase(process.env.DATABASE_URL),
    key: randomBytes(32).toString('base64'),
  }
  databases.set(dataDir, known)
  return { DATABASE_URL: await known.url, ENCRYPTION_KEY: known.key }
}

/** As `npm start` has them: `exec node <flags> <script>`. */
export const serviceFlags = (
  JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as { scripts: { start: string } }
).scripts.start
  .split(' ')
  .slice(2, -1)

/**
 * Tests leave out the flag about pretenuring. It matters after minutes of load, and with it Node.js does not use the
 * compiled form of its own modules: a tenth of the processor time of a start. Memory that need not grow first saves
 * another tenth.
 */
export const flagsOfTests = [
  ...serviceFlags.filter((flag) => flag !== '--no-allocation-site-pretenuring'),
  '--min-semi-space-size=16',
]

const builtService = 'dist/main.mjs'

/** `limits`: a shell command whose limits it inherits, such as `ulimit -n 64`. */
export async function startService(
  environment: Record<string, string> = {},
  script = builtService,
  limits?: string,
): Promise<ServiceProcess> {
  const dataDir = environment.DATA_DIR ?? mkdtempSync(join(tmpdir(), 'unified-records-process-'))
  const database = environment.DATABASE_URL === undefined ? await databaseFor(dataDir) : {}
  // A test of the first start gives a data directory that does not exist yet.
  if (process.env.VITEST && script === builtService && !environment.DATABASE_URL && !database.DATABASE_URL)
    if (existsSync(dataDir) && !existsSync(sqliteFileIn(dataDir))) await copyMigrated(dataDir)
  const run = [process.execPath, ...(process.env.VITEST ? flagsOfTests : serviceFlags), script]
  const [command, ...parameters] = limits ? ['sh', '-c', `${limits} && exec "$0" "$@"`, ...run] : run
  const child = spawn(command as string, parameters, {
    cwd: join(import.meta.dirname, '..'),
    env: {
      ...process.env,
      ...database,
      PORT: '0',
      DATA_DIR: dataDir,
      SANDBOX_SIZE: 'small',
      // In tests, because all platforms take half of the processor time of a start.
      ...(process.env.VITEST ? { SANDBOX_PLATFORMS: 'square' } : {}),
      PACE_SCALE: '0.01',
      LOG_LEVEL: 'fatal',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // When everything that it printed has been read.
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let output = ''
  const lines = environment.MANAGE_PORT
    ? /listening on (http:\S+)\nmanagement on (http:\S+)\n/
    : /listening on (http:\S+)/
  const { url, manageUrl } = await new Promise<{ url: string; manageUrl: string }>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk
      const [, address, management = address] = lines.exec(output) ?? []
      if (address && management) resolve({ url: address, manageUrl: management })
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('close', (code) => reject(new Error(`the service ended with code ${code}: ${output}`)))
  })
  return {
    url,
    manageUrl,
    dataDir,
    child,
    printed: () => output,
    sandboxFile: () => JSON.parse(readFileSync(join(dataDir, 'sandbox.json'), 'utf8')) as SandboxFile,
    async kill(signal = 'SIGTERM') {
      child.kill(signal)
      await ended
    },
  }
}
