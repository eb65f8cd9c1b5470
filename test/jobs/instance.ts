// Instances of the service that work on one job, in the process of the test. Each can be stopped at any call to its
// database, a platform or a receiver, and killed there; its database can be away. What it calls is recorded.
import { randomBytes } from 'node:crypto'
import type { Connector } from '../../src/contract/connector.ts'
import { createEngine, type Engine } from '../../src/engine/engine.ts'
import { createEgress } from '../../src/engine/outbound/egress.ts'
import { createMemorySlots } from '../../src/engine/outbound/pacing/memory-slots.ts'
import { createPacer } from '../../src/engine/outbound/pacing/pacer.ts'
import { createTransport, type Transport } from '../../src/engine/outbound/transport.ts'
import { createLoop, type Loop } from '../../src/jobs/job.ts'
import { catalog, createWorks, type JobName } from '../../src/jobs/jobs.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import type { Store } from '../../src/store/store.ts'
import { DatabaseUnavailable } from '../../src/store/unavailable.ts'
import { createVault } from '../../src/store/vault.ts'

/** Where an instance stops: before or after a call of this name. */
export type Gate = { before: RegExp } | { after: RegExp }

export interface Hands {
  readonly calls: string[] // that began
  readonly done: string[] // that ended without an error
  readonly sent: string[] // that really left for a platform or receiver
  /** It stops once at this gate. */
  stopAt(gate: Gate): void
  hasStopped(): boolean
  goOn(): void
  /** Every call to the database fails until it is back. */
  databaseAway(isAway: boolean): void
  /** No call ever ends, until the test does. */
  kill(): void
  /** At the end of a test: what was killed fails. */
  bury(): void
}
export interface Instance {
  hands: Hands
  store: Store
  engine: Engine
  loop: Loop
  errors: unknown[]
  /** How often it said that it has lost its lease. */
  lost(): number
  /** It takes nothing up again: what it does from then on belongs to the turn that is lost. */
  endWhenLost(): void
  /** Turns that are over. */
  turns(): number
}

/** Longer than a test: only a wake, or the end of a pause, makes a loop look. */
const never = { everyMs: 3_600_000, leastMs: 3_600_000 }
export const baseUrl = 'https://records.example.com'
export const vault = createVault([randomBytes(32)])

interface InnerHands extends Hands {
  call<T>(name: string, run: () => Promise<T>, isDatabase: boolean): Promise<T>
}
function createHands(): InnerHands {
  const [calls, done, sent]: string[][] = [[], [], []]
  let gate: Gate | undefined
  let hasStopped = false
  let isAway = false
  let isKilled = false
  const opened = Promise.withResolvers<void>()
  const death = Promise.withResolvers<never>()
  death.promise.catch(() => {})
  async function stop(): Promise<void> {
    gate = undefined
    hasStopped = true
    await Promise.race([opened.promise, death.promise])
    if (isKilled) await death.promise
  }
  return {
    calls: calls as string[],
    done: done as string[],
    sent: sent as string[],
    async call(name, run, isDatabase) {
      calls?.push(name)
      if (isKilled) await death.promise
      if (gate && 'before' in gate && gate.before.test(name)) await stop()
      if (isAway && isDatabase) throw new DatabaseUnavailable(new Error('away'))
      const result = await run()
      if (isKilled) await death.promise
      done?.push(name)
      if (gate && 'after' in gate && gate.after.test(name)) await stop()
      return result
    },
    stopAt(next) {
      gate = next
    },
    hasStopped: () => hasStopped,
    goOn: opened.resolve,
    databaseAway(away) {
      isAway = away
    },
    kill() {
      isKilled = true
    },
    bury: () => death.reject(new Error('killed')),
  }
}

/** Every method of every table goes through the hands. */
function handled<T extends object>(target: T, path: string, hands: InnerHands): T {
  return new Proxy(target, {
    get(object, key) {
      const value: unknown = Reflect.get(object, key)
      const name = `${path}${String(key)}`
      if (typeof value === 'object' && value !== null) return handled(value, `${name}.`, hands)
      if (typeof value !== 'function' || name === 'changes.subscribe') return value
      return (...parameters: unknown[]) => hands.call(name, () => value.apply(object, parameters), true)
    },
  })
}
const handledTransport = (transport: Transport, hands: InnerHands): Transport => ({
  ...transport,
  exchange(call) {
    const name = `${call.method} ${call.path}`
    const onSent = () => {
      call.onSent?.()
      hands.sent.push(name)
    }
    return hands.call(name, () => transport.exchange({ ...call, onSent }), false)
  },
})

interface InstanceOptions {
  id: string
  job: JobName
  opened: Store
  sandbox: Sandbox
  connectors: Readonly<Record<string, Connector>>
}
export function openInstance({ id, job, opened, sandbox, connectors }: InstanceOptions): Instance & {
  close(): Promise<void>
} {
  const hands = createHands()
  const store = handled(opened, '', hands)
  const own = createTransport({ egress: createEgress({ allowedHosts: [] }) })
  const transport = handledTransport(own, hands)
  const engine = createEngine({
    connectors,
    store,
    vault,
    pacer: createPacer(createMemorySlots({ scale: 0.001 })),
    transport,
    instance: id,
    paceScale: 0.001,
    callTimeoutMs: 280_000,
    originOverride: ({ platform }) => sandbox.origin(platform),
  })
  const errors: unknown[] = []
  const onError = (error: unknown) => errors.push(error)
  let lost = 0
  let turns = 0
  let endsWhenLost = false
  const nothing = () => {}
  const works = createWorks(
    {
      store,
      engine,
      connectors,
      transport,
      instance: id,
      scale: 1,
      days: 7,
      sandbox: true,
      baseUrl: () => baseUrl,
      isSandboxed: () => true,
      flush: async () => {},
      pruneActivity: () => store.activity.prune(0),
      onError,
      onLost: nothing,
      onUnsettled: nothing,
      onSwept: nothing,
      onSettled: nothing,
      onOpen: nothing,
      onWrite: nothing,
      onFeedSizes: nothing,
      onWebhookSizes: nothing,
    },
    (name) => ({ ...catalog[name], ...never }),
  )
  const work = works[job]
  const loop = createLoop(
    {
      ...work,
      name: job,
      ...catalog[job],
      ...never,
      async release(held, next) {
        try {
          await work.release(held, next)
        } finally {
          turns++
        }
      },
    },
    {
      ...{ instance: id, scale: 1, onError },
      onLost() {
        lost++
        if (endsWhenLost) void loop.close()
      },
    },
  )
  return {
    hands,
    store,
    engine,
    loop,
    errors,
    lost: () => lost,
    turns: () => turns,
    endWhenLost() {
      endsWhenLost = true
    },
    async close() {
      hands.databaseAway(false)
      hands.bury()
      hands.goOn()
      await loop.close()
      await engine.close()
      await own.close()
    },
  }
}
