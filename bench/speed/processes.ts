// The processes of a comparison.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SandboxTenant } from '../../src/sandbox-workspace.ts'
import { type ServiceProcess, serviceFlags, startService } from '../../test/service-process.ts'
import type { Load, Measured } from './load-process.ts'
import type { OwnJournalOptions } from './own-journal.ts'

/** Limits that never apply. The pacing code still runs. */
const unlimited = {
  PACE_SCALE: '1',
  PLATFORM_LIMITS: 'square=1000000/1,xero=1000000/1+1000000000/86400',
  CREDENTIAL_REQUESTS_PER_MINUTE: '100000000',
}

/**
 * Processes that are not measured run with the flags of the service, so that their garbage collectors use one helper
 * thread, not four.
 */
const quiet = ['load-process.ts', 'platform-process.ts']

async function start<T>(
  file: string,
  environment: Record<string, string>,
): Promise<{ started: T; child: ChildProcess }> {
  const child = fork(join(import.meta.dirname, file), {
    env: { ...process.env, ...environment },
    execArgv: quiet.includes(file) ? serviceFlags : [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [started] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`${file} ended with code ${code}`))),
  ])) as [T]
  return { started, child }
}

/** Milliseconds after which the platforms respond. */
export type Latency = 50 | 200

export interface Stage {
  front: string
  slow: Record<Latency, string>
  direct: string
  tenants: SandboxTenant[]
  load(load: Load): Promise<Measured>
  /** `journal`: the file or the URL of a database for its journaled writes; `own`: for those of the service. */
  proxy(origin: string, journal?: string, own?: OwnJournalOptions): Promise<string>
  service(environment?: Record<string, string>): Promise<ServiceProcess>
  directory(): string
  close(): Promise<void>
}

export async function openStage(): Promise<Stage> {
  const children: ChildProcess[] = []
  const services: ServiceProcess[] = []
  const directories: string[] = []
  const platforms = await start<Pick<Stage, 'front' | 'slow' | 'direct'>>('platform-process.ts', {})
  const generator = await start('load-process.ts', {})
  children.push(platforms.child, generator.child)
  const { accounts } = (await (await fetch(`${platforms.started.front}/_sandbox/accounts`)).json()) as {
    accounts: SandboxTenant[]
  }
  const directory = () => {
    const made = mkdtempSync(join(tmpdir(), 'unified-records-bench-'))
    directories.push(made)
    return made
  }
  return {
    ...platforms.started,
    tenants: accounts,
    directory,
    async load(load) {
      const response = once(generator.child, 'message')
      generator.child.send(load)
      return ((await response) as [Measured])[0]
    },
    async proxy(origin, journal, own) {
      const token =
        accounts.find(({ platform, vertical }) => platform === 'square' && vertical === 'restaurant')?.credentials
          .accessToken ?? ''
      const { started, child } = await start<{ url: string }>('proxy-process.ts', {
        ORIGIN: origin,
        TOKEN: token,
        ...(journal === undefined ? {} : { JOURNAL: journal }),
        ...(own === undefined ? {} : { OWN_JOURNAL: JSON.stringify(own) }),
      })
      children.push(child)
      return started.url
    },
    async service(environment = {}) {
      const service = await startService({
        SANDBOX_URL: platforms.started.front,
        ...unlimited,
        LOG_LEVEL: 'warn',
        DATA_DIR: directory(),
        ...environment,
      })
      services.push(service)
      return service
    },
    async close() {
      await Promise.all(services.map((service) => service.kill('SIGKILL')))
      for (const child of children) child.kill('SIGKILL')
      for (const made of directories) rmSync(made, { recursive: true, force: true })
    },
  }
}
