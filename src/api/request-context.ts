// What the engine knows about the request it works for.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Connector } from '../contract/connector.ts'
import type { Engine } from '../engine/engine.ts'
import type { RequestContext } from '../engine/options.ts'
import type { Account } from '../store/store.ts'
import { loadOf } from './admission.ts'

const callerGone = new Error('the caller has gone')
export const maxPreferredWaitSeconds = 60

/** Aborted when the caller disconnects before the response. */
export function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort(callerGone)
  })
  return gone.signal
}

/** One per request: reports at its end how long its calls waited. */
export function createContexts({ engine, maxWaitMs }: { engine: Engine; maxWaitMs?: number | undefined }) {
  return (request: FastifyRequest, reply: FastifyReply): RequestContext => {
    request.pacing = {
      requestId: request.id,
      caller: request.caller?.credentialId ?? '',
      ...(request.caller ? { writer: request.caller.credentialId } : {}),
      maxWaitMs: cappedWait(request) ?? maxWaitMs ?? defaultWait(engine.connectorOf(request.account as Account)),
      signal: goneSignal(reply),
      waitedMs: 0,
      ...loadOf(request),
    }
    return request.pacing
  }
}

/** Seconds in `Prefer: wait=`. */
export function preferredWait({ headers }: FastifyRequest): number | undefined {
  const match = /(?:^|[,;\s])wait=(\d+)(?:$|[,;\s])/.exec(String(headers.prefer ?? ''))
  return match ? Number(match[1]) : undefined
}
function cappedWait(request: FastifyRequest): number | undefined {
  const seconds = preferredWait(request)
  return seconds === undefined ? undefined : Math.min(seconds, maxPreferredWaitSeconds) * 1000
}

const defaultWaits = new WeakMap<Connector, number>()
/** Enough for the next slot of every platform: at one call in 10 seconds, two calls in a row succeed. */
function defaultWait(connector: Connector): number {
  const known = defaultWaits.get(connector)
  if (known !== undefined) return known
  const { limit, lanes = {} } = connector
  const rates = [limit, ...Object.values(lanes)].flat()
  const seconds = Math.max(10, ...rates.map((rate) => rate.seconds / (rate.usable ?? rate.requests) + 2))
  const wait = Math.min(seconds, maxPreferredWaitSeconds) * 1000
  defaultWaits.set(connector, wait)
  return wait
}
