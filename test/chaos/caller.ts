// A sane client: the same key and content again until it is acknowledged, with the wait it is told.
import { setTimeout as sleep } from 'node:timers/promises'
import type { AnyRecord } from '../../src/conformance/subject.ts'
import type { Instances } from './instances.ts'
import type { Operator } from './operator.ts'
import type { PlannedWrite } from './plan.ts'
import type { Random } from './random.ts'

export interface Reply {
  status: number // 0: no answer
  replayed: boolean
  retryAfterMs: number
  // biome-ignore lint/suspicious/noExplicitAny: the checker looks into any answer
  body: any
}
export interface Outcome {
  write: PlannedWrite
  id?: string
  answer?: unknown // the record as it was acknowledged
  ids: Set<string> // all that were ever acknowledged under this key
  created: number // how often the answer was 201
  unknown: number // how often the answer was outcome_unknown
  refusal?: string
  attempts: number
}
export interface Client {
  call(method: string, path: string, body: AnyRecord | undefined, random: Random, timeoutMs?: number): Promise<Reply>
}

export function createClient(instances: Instances): Client {
  return {
    async call(method, path, body, random, timeoutMs = 120_000) {
      try {
        const response = await fetch(`${instances.url(random.below(instances.count))}/unified/${path}`, {
          method,
          headers: {
            authorization: `Bearer ${instances.apiKey}`,
            prefer: 'wait=60',
            ...(body ? { 'content-type': 'application/json' } : {}),
          },
          ...(body ? { body: JSON.stringify(body) } : {}),
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

const passing = (reply: Reply) =>
  reply.status === 0 ||
  reply.status === 429 ||
  reply.status >= 500 ||
  reply.body.code === 'write_in_progress' ||
  reply.body.code === 'outcome_unknown'
const pauseMs = (reply: Reply, attempt: number, random: Random) =>
  Math.max(reply.retryAfterMs, Math.min(2000, 100 * 2 ** Math.min(attempt, 5)) * (0.5 + random.number()))

export interface CallerOptions {
  client: Client
  operator: Operator
  random: Random
  answered(code: string): void
  stopped(): boolean // nobody waits any longer
}
/** Posts until the key is acknowledged, refused for good, or nobody waits any longer. */
export async function persist(
  outcome: Outcome,
  { client, operator, random, answered, stopped }: CallerOptions,
  referencesKnown: () => boolean,
): Promise<void> {
  const { site, record } = outcome.write
  const cannotTell = site.steps.some(({ recovery }) => recovery === 'none')
  for (let attempt = 1; !stopped(); attempt++) {
    outcome.attempts++
    const known = referencesKnown()
    const hurried = random.chance(0.02) ? 20 + random.below(400) : undefined
    const reply = await client.call('POST', `${site.accountId}/${site.entityType}`, record, random, hurried)
    answered(reply.status < 300 && reply.status > 0 ? String(reply.status) : `${reply.status} ${reply.body.code}`)
    if (reply.status === 200 || reply.status === 201) {
      const id = String(reply.body.reference.id)
      outcome.ids.add(id)
      if (reply.status === 201) outcome.created++
      outcome.id ??= id
      outcome.answer ??= reply.body.data
      return
    }
    if (reply.body.code === 'outcome_unknown') {
      outcome.unknown++
      if (cannotTell) return
    }
    if (reply.body.code === 'reconnect_required') await operator.reconnect(site.accountId)
    // What it refers to was not acknowledged when this was sent: then a refusal of the reference is no news.
    const early = reply.status === 422 && !known
    if (!passing(reply) && !early) {
      outcome.refusal = `${reply.status} ${JSON.stringify(reply.body).slice(0, 600)}`
      return
    }
    await sleep(pauseMs(reply, attempt, random))
  }
}
