// A well-behaved client: sends the same key and content until it is acknowledged, and waits as long as Retry-After
// says.
import { setTimeout as sleep } from 'node:timers/promises'
import type { AnyRecord } from '../../src/conformance/subject.ts'
import type { Instances } from './instances.ts'
import type { Operator } from './operator.ts'
import type { PlannedWrite } from './plan.ts'
import type { Random } from './random.ts'
import type { Round } from './updates.ts'

export interface Reply {
  status: number // 0: no response
  replayed: boolean
  retryAfterMs: number
  // biome-ignore lint/suspicious/noExplicitAny: the checker reads responses of any type
  body: any
}
export interface Outcome {
  write: PlannedWrite
  id?: string
  response?: unknown // the record as it was acknowledged
  ids: Set<string> // all ids that were acknowledged for this key
  created: number // number of 201 responses
  unknown: number // number of outcome_unknown responses
  rounds: Round[] // updates that were sent, after the record was acknowledged
  updates: number // acknowledged
  refusal?: string
  attempts: number
}
export interface Client {
  call(method: string, path: string, body: AnyRecord | undefined, random: Random, timeoutMs?: number): Promise<Reply>
}

/** Calls any instance, or only the one with this index. */
export function createClient(instances: Instances, only?: number): Client {
  return {
    async call(method, path, body, random, timeoutMs = 120_000) {
      try {
        const response = await fetch(`${instances.url(only ?? random.below(instances.count))}/unified/${path}`, {
          method,
          headers: {
            authorization: `Bearer ${instances.apiKey}`,
            prefer: 'wait=60',
            ...(body ? { 'content-type': 'application/json' } : {}),
          },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(timeoutMs),
        })
        const text = await response.text()
        return {
          status: response.status,
          replayed: response.headers.get('idempotent-replayed') === 'true',
          retryAfterMs: Number(response.headers.get('retry-after') ?? 0) * 1000,
          body: JSON.parse(text),
        }
      } catch (error) {
        return { status: 0, replayed: false, retryAfterMs: 0, body: { code: 'network', detail: String(error) } }
      }
    },
  }
}

const passingCodes = new Set(['write_in_progress', 'outcome_unknown', 'reference_pending'])
/** 408: this process was too busy to send its request in time. */
const passing = (reply: Reply) =>
  reply.status === 0 ||
  reply.status === 408 ||
  reply.status === 429 ||
  reply.status >= 500 ||
  passingCodes.has(reply.body.code)
/** Some callers leave at once, some when an instance stands still. */
const patienceMs = (random: Random): number | undefined =>
  random.chance(0.02) ? 20 + random.below(400) : random.chance(0.3) ? 5000 + random.below(5000) : undefined
const pauseMs = (reply: Reply, attempt: number, random: Random) =>
  Math.max(reply.retryAfterMs, Math.min(2000, 100 * 2 ** Math.min(attempt, 5)) * (0.5 + random.number()))

/** Sends the same request until it succeeds or is finally rejected. */
export async function untilSettled(
  client: Client,
  method: string,
  path: string,
  body: AnyRecord,
  random: Random,
  stopped: () => boolean = () => false,
  reconnect: () => Promise<void> = async () => {},
): Promise<Reply> {
  for (let attempt = 1; ; attempt++) {
    const reply = await client.call(method, path, body, random, patienceMs(random))
    if (!passing(reply) || stopped()) return reply
    if (reply.body.code === 'reconnect_required') await reconnect()
    await sleep(pauseMs(reply, attempt, random))
  }
}

export interface CallerOptions {
  client: Client
  operator: Operator
  random: Random
  onResponse(code: string): void
  stopped(): boolean // no caller waits any longer
}
/** Posts until the key is acknowledged or finally rejected, or until the run stops. */
export async function persist(
  outcome: Outcome,
  { client, operator, random, onResponse, stopped }: CallerOptions,
  referencesKnown: () => boolean,
): Promise<void> {
  const { site, record } = outcome.write
  const cannotTell = site.steps.some(({ recovery }) => recovery === 'none')
  for (let attempt = 1; !stopped(); attempt++) {
    outcome.attempts++
    const known = referencesKnown()
    const reply = await client.call('POST', `${site.accountId}/${site.entityType}`, record, random, patienceMs(random))
    onResponse(reply.status < 300 && reply.status > 0 ? String(reply.status) : `${reply.status} ${reply.body.code}`)
    if (reply.status === 200 || reply.status === 201) {
      const id = String(reply.body.reference.id)
      outcome.ids.add(id)
      if (reply.status === 201) outcome.created++
      outcome.id ??= id
      outcome.response ??= reply.body.data
      return
    }
    if (reply.body.code === 'outcome_unknown') {
      outcome.unknown++
      if (cannotTell) return
    }
    if (reply.body.code === 'reconnect_required') await operator.reconnect(site.accountId)
    // If a referenced record was not acknowledged when this was sent, rejecting the reference is correct.
    const early = reply.status === 422 && !known
    if (!passing(reply) && !early) {
      outcome.refusal = `${reply.status} ${JSON.stringify(reply.body).slice(0, 600)}`
      return
    }
    await sleep(pauseMs(reply, attempt, random))
  }
}
