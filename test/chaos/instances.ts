// The service as K processes over one database, each of which can be killed at any moment.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ServiceProcess, startService } from '../service-process.ts'
import { callTimeoutMs } from './faults.ts'

export interface Instances {
  count: number
  apiKey: string
  adminToken: string
  url(index: number): string
  /** kill -9, and a new process after that pause. */
  replace(index: number, pauseMs: number): Promise<void>
  stop(): Promise<void>
}
export interface InstancesOptions {
  count: number
  sandboxUrl: string
  paceScale: number
  databaseUrl?: string
  script?: string // another program than the service's main
  environment?: Record<string, string>
}

export async function startInstances({
  count,
  sandboxUrl,
  paceScale,
  databaseUrl,
  script,
  environment,
}: InstancesOptions): Promise<Instances> {
  const directories = Array.from({ length: count }, () => mkdtempSync(join(tmpdir(), 'unified-records-chaos-')))
  const adminToken = randomBytes(24).toString('hex')
  const shared = {
    SANDBOX_URL: sandboxUrl,
    PACE_SCALE: String(paceScale),
    CALL_TIMEOUT_MS: String(callTimeoutMs),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    ADMIN_TOKEN: adminToken,
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    ...environment,
  }
  const start = (index: number) => startService({ ...shared, DATA_DIR: directories[index] as string }, script)
  const processes: ServiceProcess[] = []
  for (let index = 0; index < count; index++) processes.push(await start(index)) // the first one makes the accounts
  // A run that ends early must not leave services running.
  const onExit = () => {
    for (const { child } of processes) child.kill('SIGKILL')
  }
  process.once('exit', onExit)
  return {
    count,
    adminToken,
    apiKey: (processes[0] as ServiceProcess).sandboxFile().apiKey,
    url: (index) => (processes[index] as ServiceProcess).url,
    async replace(index, pauseMs) {
      await (processes[index] as ServiceProcess).kill('SIGKILL')
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      processes[index] = await start(index)
    },
    async stop() {
      process.off('exit', onExit)
      await Promise.all(processes.map((process) => process.kill('SIGKILL')))
      for (const directory of directories) rmSync(directory, { recursive: true, force: true })
    },
  }
}
