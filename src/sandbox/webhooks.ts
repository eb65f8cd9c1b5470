// Webhooks that a simulated platform sends: real requests, late, twice, out of order or not at all as faults require.
import { request as openRequest } from 'node:http'
import { request as openSecureRequest } from 'node:https'
import type { RecordChange } from './collection.ts'
import type { Faults } from './faults.ts'
import type { Webhook, Webhooks } from './simulator.ts'

const defaultDelayMs = 1000
const timeoutMs = 5000
const maxOpen = 50
const logLimit = 5000

export interface SentWebhook {
  at: number
  url: string
  status: number // 0: no response
  attempt: number
  fault?: string
  body: string
}
export interface WebhookSender extends Webhooks {
  changed(change: RecordChange): void
  sent(): SentWebhook[]
  clear(): void
  close(): Promise<void>
}

export function createWebhookSender(faults: Faults, scale: number, now: () => number): WebhookSender {
  const listeners: ((change: RecordChange) => void)[] = []
  const log: SentWebhook[] = []
  const timers = new Set<NodeJS.Timeout>()
  const open = new Set<Promise<void>>()
  const waiting: (() => Promise<void>)[] = []
  let held: (() => void) | undefined
  let isClosed = false
  /** Changes of one turn of the event loop: a record that is stored twice in a call is one change. */
  let changes = new Map<string, RecordChange>()

  const later = (milliseconds: number, work: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      work()
    }, milliseconds).unref()
    timers.add(timer)
  }
  function start(work: () => Promise<void>): void {
    if (isClosed) return
    if (open.size >= maxOpen) return void waiting.push(work)
    const one: Promise<void> = work().finally(() => {
      open.delete(one)
      const next = waiting.shift()
      if (next) start(next)
    })
    open.add(one)
  }
  function post(webhook: Webhook, attempt: number, fault?: string): void {
    start(async () => {
      const status = await sendOnce(webhook)
      log.push({ at: now(), url: webhook.url, status, attempt, ...(fault ? { fault } : {}), body: webhook.body })
      if (log.length > logLimit) log.shift()
      webhook.attempted?.(status)
      const seconds = webhook.retrySeconds?.[attempt - 1]
      if ((status < 200 || status >= 300) && seconds !== undefined && !isClosed)
        later(seconds * 1000 * scale, () => post(webhook, attempt + 1))
    })
  }
  return {
    onChange: (listener) => void listeners.push(listener),
    changed(change) {
      if (listeners.length === 0) return
      if (changes.size === 0) setImmediate(tell)
      const key = `${change.collection}\n${change.id}`
      const before = changes.has(key) ? changes.get(key)!.before : change.before
      changes.set(key, { ...change, before })
    },
    send(webhook) {
      const fault = faults.takeWebhook()
      const delayMs = fault?.delayMs ?? defaultDelayMs
      switch (fault?.kind) {
        case 'webhook_lost':
          return
        case 'webhook_late':
          return later(delayMs, () => post(webhook, 1, fault.kind))
        case 'webhook_twice':
          post(webhook, 1, fault.kind)
          return later(delayMs, () => post(webhook, 1, fault.kind))
        case 'webhook_reordered': {
          // Sent after the next one, or after the delay if there is none.
          const release = once(() => post(webhook, 1, fault.kind))
          held?.()
          held = release
          return later(delayMs, release)
        }
      }
      post(webhook, 1)
      held?.()
      held = undefined
    },
    sent: () => [...log],
    clear() {
      log.length = 0
    },
    async close() {
      isClosed = true
      waiting.length = 0
      for (const timer of timers) clearTimeout(timer)
      await Promise.all(open)
    },
  }

  function tell(): void {
    const told = [...changes.values()]
    changes = new Map()
    for (const change of told)
      if (change.before !== undefined || change.record !== undefined)
        for (const listener of listeners) {
          try {
            listener(change)
          } catch (error) {
            console.error('sandbox: a webhook could not be made:', error)
          }
        }
  }
}

/** 0 without a response in time. */
function sendOnce({ url, headers, body }: Webhook): Promise<number> {
  return new Promise((resolve) => {
    const open = url.startsWith('https:') ? openSecureRequest : openRequest
    const request = open(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      timeout: timeoutMs,
      agent: false,
    })
    request.on('response', (response) => {
      response.resume()
      response.on('close', () => resolve(response.statusCode ?? 0))
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(0))
    request.on('close', () => resolve(0))
    request.end(body)
  })
}

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}
