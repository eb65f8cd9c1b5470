// The service as K processes over one database. Each can be killed, paused, or separated from the database at any
// moment.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ServiceProcess, startService } from '../service-process.ts'
import { type DatabaseProxy, startDatabaseProxy } from './database-proxy.ts'
import { callTimeoutMs } from './faults.ts'

export interface Instances {
  count: number
  apiKey: string
  adminToken: string
  url(index: number): string
  /** kill -9 by default, and a new process after that pause. */
  replace(index: number, pauseMs: number): Promise<void>
  /** SIGSTOP: the process stands still until `resume`. */
  pause(index: number): void
  resume(index: number): void
  /** Between an instance and PostgreSQL. */
  database(index: number): Pick<DatabaseProxy, 'cut' | 'mend'> | undefined
  stop(): Promise<void>
}
export interface InstancesOptions {
  count: number
  sandboxUrl: string
  paceScale: number
  databaseUrl?: string | undefined
  script?: string // another program than the service's main
  older?: string // the main of an older version: all start with it, and a kill replaces one by this version
  environment?: Record<string, string>
}

export async function startInstances({
  count,
  sandboxUrl,
  paceScale,
  databaseUrl,
  script,
  older,
  environment,
}: InstancesOptions): Promise<Instances> {
  const directories = Array.from({ length: count }, () => mkdtempSync(join(tmpdir(), 'unified-records-chaos-')))
  const adminToken = randomBytes(24).toString('hex')
  const proxies = databaseUrl ? await Promise.all(directories.map(() => startDatabaseProxy(databaseUrl))) : []
  const shared = {
    SANDBOX_URL: sandboxUrl,
    PACE_SCALE: String(paceScale),
    CALL_TIMEOUT_MS: String(callTimeoutMs),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    ADMIN_TOKEN: adminToken,
    ...environment,
  }
  const olderOnes = new Set(older ? directories.keys() : [])
  const start = (index: number) => {
    const own = { DATA_DIR: directories[index] as string, ...(proxies[index] && { DATABASE_URL: proxies[index].url }) }
    return startService({ ...shared, ...own }, olderOnes.has(index) ? older : script)
  }
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
    async replace(chosen, pauseMs) {
      const [index = chosen] = olderOnes
      olderOnes.delete(index)
      await (processes[index] as ServiceProcess).kill('SIGKILL')
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      processes[index] = await start(index)
    },
    pause: (index) => void (processes[index] as ServiceProcess).child.kill('SIGSTOP'),
    resume: (index) => void (processes[index] as ServiceProcess).child.kill('SIGCONT'),
    database: (index) => proxies[index],
    async stop() {
      process.off('exit', onExit)
      await Promise.all(processes.map((process) => process.kill('SIGKILL')))
      for (const proxy of proxies) proxy.close()
      for (const directory of directories) rmSync(directory, { recursive: true, force: true })
    },
  }
}
