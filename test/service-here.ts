// The service with its sandbox in the process of the test: what `startService` starts, in a tenth of the processor time.
// For tests in which the process, its threads and its output do not matter.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../src/config.ts'
import { simulators } from '../src/platforms/simulators.ts'
import { createSandbox, type Sandbox } from '../src/sandbox/sandbox.ts'
import type { SandboxFile } from '../src/sandbox-workspace.ts'
import { assembleService, joinSandbox, openService } from '../src/start.ts'
import { copyMigrated } from './migrated-sqlite.ts'
import { freshDatabase } from './postgres.ts'
import { startService } from './service-process.ts'

export interface ServiceHere {
  url: string
  manageUrl: string // of the management port, or of the only port
  dataDir: string
  sandboxFile(): SandboxFile
  /** Any number of times. */
  stop(): Promise<void>
}

/** Settings are given as environment variables. `SANDBOX_URL`, or a sandbox of its own with all platforms or these. */
export async function openServiceHere(
  environment: Record<string, string> = {},
  platforms: readonly string[] = Object.keys(simulators),
): Promise<ServiceHere> {
  const given = process.env.DATABASE_URL
  const config = readConfig({
    PORT: '0',
    DATA_DIR: mkdtempSync(join(tmpdir(), 'unified-records-here-')),
    PACE_SCALE: '0.01',
    LOG_LEVEL: 'fatal',
    // Otherwise two services of a test would share a database of the whole run.
    ...(given ? { DATABASE_URL: await freshDatabase(given), ENCRYPTION_KEY: randomBytes(32).toString('base64') } : {}),
    ...environment,
  })
  const { dataDir, paceScale, databaseUrl } = config
  if (!databaseUrl && !environment.DATA_DIR) await copyMigrated(dataDir)
  let own: Sandbox | undefined
  if (config.sandbox && !config.sandboxUrl)
    own = await createSandbox({
      simulators: Object.fromEntries(Object.entries(simulators).filter(([name]) => platforms.includes(name))),
      size: 'small',
      paceScale,
      file: join(dataDir, 'sandbox-state.jsonl'),
    })
  const sandboxUrl = own?.url ?? config.sandboxUrl
  const sandbox = sandboxUrl ? await joinSandbox(sandboxUrl) : undefined
  const service = await assembleService(config, sandbox)
  const { address } = await openService(service, config, sandbox)
  let stopped: Promise<void> | undefined
  return {
    url: address,
    manageUrl: service.manageUrl(),
    dataDir,
    sandboxFile: () => JSON.parse(readFileSync(join(dataDir, 'sandbox.json'), 'utf8')) as SandboxFile,
    stop: () => (stopped ??= service.close().then(() => own?.close())),
  }
}

/** The same in a process of its own, which ends like a crash. */
export async function openServiceApart(environment: Record<string, string> = {}): Promise<ServiceHere> {
  const started = await startService(environment)
  return { ...started, stop: () => started.kill('SIGKILL') }
}
