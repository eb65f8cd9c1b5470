// All endpoints of this instance: takes those that are due, several beside each other. Instances share the work through
// the leases of the endpoints.
import type { Engine } from '../engine/engine.ts'
import type { Transport } from '../engine/outbound/transport.ts'
import type { WebhookSizes } from '../store/deliveries.ts'
import type { Store } from '../store/store.ts'
import { createDeliverer, type DelivererOptions } from './deliverer.ts'
import { createLogReader } from './read-logs.ts'

/** More than that take turns. */
const mostEndpoints = 500
const lookEveryMs = 5_000
/** However much the time of the sandbox is scaled. */
const shortestLookMs = 500
const shortestMs = 2_000
const pruneEveryMs = 60_000
const measureEveryMs = 60_000
const pruneRows = 1000
const prunesInARow = 20
const dayMs = 86_400_000

export interface DispatcherOptions {
  store: Store
  engine: Engine
  transport: Transport
  instance: string
  scale: number
  sandbox: boolean
  days: number
  endpointsAtOnce?: number
  onError(error: unknown, what: string): void
  onAttempt?: DelivererOptions['onAttempt']
  onEnded?: DelivererOptions['onEnded']
  onSizes?(sizes: WebhookSizes): void
}
export interface Dispatcher {
  start(): void
  /** Ends after the attempts that are under way. */
  close(): Promise<void>
}

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { store, engine, transport, instance, scale, sandbox, days, endpointsAtOnce = mostEndpoints, onError } = options
  const { webhooks, changes } = store
  const running = new Map<string, Promise<void>>()
  const background = new Set<Promise<void>>()
  const timers: NodeJS.Timeout[] = []
  let closed = false
  let looking: Promise<void> | undefined
  let lookAgain = false
  let isCrowded = false
  let unsubscribe = () => {}
  const deliverer = createDeliverer({
    store,
    logs: createLogReader({ store, engine }),
    transport,
    sandbox,
    holder: instance,
    scale,
    now: Date.now,
    stop: () => closed,
    isCrowded: () => isCrowded,
    onError: (error, endpointId) => onError(error, `the webhook endpoint ${endpointId}`),
    ...(options.onAttempt ? { onAttempt: options.onAttempt } : {}),
    ...(options.onEnded ? { onEnded: options.onEnded } : {}),
  })

  function begin(endpointId: string): void {
    const run = deliverer
      .work(endpointId)
      .catch((error: unknown) => onError(error, `the webhook endpoint ${endpointId}`))
      .finally(() => {
        running.delete(endpointId)
        look('news')
      })
    running.set(endpointId, run)
  }
  async function lookOnce(): Promise<void> {
    const due = (await webhooks.due(endpointsAtOnce)).filter((endpointId) => !running.has(endpointId))
    if (closed) return
    const free = Math.max(0, endpointsAtOnce - running.size)
    isCrowded = due.length > free
    for (const endpointId of due.slice(0, free)) begin(endpointId)
    if (isCrowded) deliverer.wake('news')
  }
  function look(what: 'news' | 'everything'): void {
    if (closed) return
    deliverer.wake(what)
    lookAgain = looking !== undefined
    looking ??= lookOnce()
      .catch((error: unknown) => onError(error, 'looking for webhook endpoints that are due'))
      .finally(() => {
        looking = undefined
        if (lookAgain) look('news')
      })
  }
  async function prune(): Promise<void> {
    if (!(await store.leases.acquire('webhook pruning', instance, pruneEveryMs / 2))) return
    for (let round = 0; round < prunesInARow && !closed; round++)
      if ((await webhooks.prune(days * dayMs, pruneRows)) === 0) return
  }
  const measure = async () => options.onSizes?.(await webhooks.sizes())
  function inBackground(work: () => Promise<void>, name: string): void {
    const run: Promise<void> = work()
      .catch((error: unknown) => onError(error, name))
      .finally(() => background.delete(run))
    background.add(run)
  }

  return {
    start() {
      unsubscribe = changes.subscribe((accountId) => look(accountId === '' ? 'everything' : 'news'))
      timers.push(
        setInterval(look, Math.max(shortestLookMs, lookEveryMs * scale), 'everything'),
        setInterval(inBackground, pruneEveryMs, prune, 'old webhook deliveries'),
        setInterval(inBackground, Math.max(shortestMs, measureEveryMs * scale), measure, 'the sizes of webhooks'),
      )
      inBackground(measure, 'the sizes of webhooks')
      look('everything')
    },
    async close() {
      closed = true
      unsubscribe()
      for (const timer of timers) clearInterval(timer)
      deliverer.wake('news')
      await Promise.all([looking, ...running.values(), ...background])
    },
  }
}
