// The simulators in a separate process: they survive every kill of the service, as platforms do.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { EntityType, Vertical } from '../../src/contract/entity.ts'
import type { Fault } from '../../src/sandbox/simulator.ts'
import type { SandboxTenant } from '../../src/sandbox-workspace.ts'

/** What happened at each platform; `over`: calls over its limit; `faultyWrites` by method, path and fault. */
export type Tally = Record<
  string,
  { calls: number; over: number; faults: Record<string, number>; faultyWrites: Record<string, number> }
>

export interface SandboxProcess {
  url: string
  tenants(): Promise<SandboxTenant[]>
  inject(platforms: readonly string[], faults: readonly Fault[]): Promise<void>
  /** The number of faults that no call has met yet. */
  pendingFaults(platform: string): Promise<number>
  clearFaults(platforms: readonly string[]): Promise<void>
  ids(platform: string, vertical: Vertical, entityType: EntityType): Promise<string[]>
  tally(): Promise<Tally>
  stop(): Promise<void>
}

export async function startSandbox(options: {
  seed: number
  platforms: readonly string[]
  paceScale: number
}): Promise<SandboxProcess> {
  const child = fork(join(import.meta.dirname, 'sandbox-main.ts'), {
    env: {
      ...process.env,
      CHAOS_SEED: String(options.seed),
      CHAOS_PLATFORMS: options.platforms.join(','),
      PACE_SCALE: String(options.paceScale),
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [{ listening: url }] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`the sandbox ended with code ${code}`))),
  ])) as [{ listening: string }]

  async function control<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${url}/_sandbox${path}`, {
      method,
      body: JSON.stringify(body),
    })
    if (!response.ok)
      throw new Error(`the sandbox returned ${response.status} for ${method} ${path}: ${await response.text()}`)
    return (await response.json()) as T
  }
  return {
    url,
    tenants: async () => (await control<{ accounts: SandboxTenant[] }>('GET', '/accounts')).accounts,
    async inject(platforms, faults) {
      for (const platform of platforms) for (const fault of faults) await control('POST', `/${platform}/faults`, fault)
    },
    pendingFaults: async (platform) => (await control<{ faults: Fault[] }>('GET', `/${platform}/faults`)).faults.length,
    async clearFaults(platforms) {
      for (const platform of platforms) await control('DELETE', `/${platform}/faults`)
    },
    ids: async (platform, vertical, entityType) =>
      (await control<{ ids: string[] }>('GET', `/${platform}/tenants/${vertical}/${entityType}`)).ids,
    async tally() {
      const response = once(child, 'message')
      child.send('tally')
      return ((await response) as [{ tally: Tally }])[0].tally
    },
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}
