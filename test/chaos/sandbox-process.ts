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

/** A change that is made without the platform's API. */
export interface NativeChange {
  platform: string
  vertical: Vertical
  entityType: EntityType
  operation: 'add' | 'touch' | 'remove'
  id?: string
}
export interface NativeChanged {
  from: number // it was made between these two times
  to: number
  appeared: string[]
  gone: string[]
}
export interface NativePlace {
  platform: string
  vertical: Vertical
  entityType: EntityType
  ids: string[]
  removes: boolean // records can be removed
}
export type Ask =
  | { what: 'tally' }
  | { what: 'places' }
  | { what: 'change'; change: NativeChange }
  | { what: 'payable'; due: Due }
/** An open order of which exactly this amount is due. */
export interface Due {
  platform: string
  vertical: Vertical
  amount: number
}

export interface SandboxProcess {
  url: string
  tenants(): Promise<SandboxTenant[]>
  inject(platforms: readonly string[], faults: readonly Fault[]): Promise<void>
  /** The number of faults that no call has met yet. */
  pendingFaults(platform: string): Promise<number>
  clearFaults(platforms: readonly string[]): Promise<void>
  ids(platform: string, vertical: Vertical, entityType: EntityType): Promise<string[]>
  tally(): Promise<Tally>
  /** All entities of all tenants. */
  places(): Promise<NativePlace[]>
  /** Null if the record does not exist, or the platform deletes none. */
  change(change: NativeChange): Promise<NativeChanged | null>
  /** The platform id of a new order that can be paid. */
  payable(due: Due): Promise<string>
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
  let asked = 0
  const waiting = new Map<number, (answer: unknown) => void>()
  child.on('message', ({ number, answer }: { number: number; answer: unknown }) => {
    waiting.get(number)?.(answer)
    waiting.delete(number)
  })
  const ask = <T>(question: Ask): Promise<T> =>
    new Promise((resolve) => {
      asked++
      waiting.set(asked, (answer) => resolve(answer as T))
      child.send({ number: asked, ask: question })
    })
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
    tally: () => ask({ what: 'tally' }),
    places: () => ask({ what: 'places' }),
    change: (change) => ask({ what: 'change', change }),
    payable: (due) => ask({ what: 'payable', due }),
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}
