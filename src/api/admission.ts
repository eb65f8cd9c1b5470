// What an instance takes on. Record requests queue, and one is refused only when its expected wait is too long or
// memory is at risk.
// Pages, health checks, metrics and the management API are never refused: they have a lane with a concurrency limit of
// its own, so that a flood of them cannot starve callers. So have the webhooks of platforms.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { getHeapStatistics } from 'node:v8'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../contract/errors.ts'
import { createRequestId } from '../store/request-id.ts'
import type { Authenticate } from './authentication.ts'
import { createLane, type Lane, type Outside } from './lane.ts'
import { problemBody } from './problem.ts'
import { createThrottle, tooOften } from './throttle.ts'

export interface Limits {
  maxInFlight: number // record requests that an instance holds: waiting, in progress, or waiting for a platform
  maxConnections: number
  shedWaitMs: number // the longest expected wait for a turn; 0: a request is never refused for that
  credentialConcurrency: number
  credentialPerMinute: number
}
declare module 'node:http' {
  interface IncomingMessage {
    lane?: Outside // it is in
  }
}
declare module 'fastify' {
  interface FastifyRequest {
    /** Run once, when the response has been sent or the caller has gone. */
    endings?: (() => void)[]
  }
}
export interface AdmissionOptions {
  limits: Limits | undefined // none: nothing is refused
  shed(reason: ShedReason): void
  baseUrl(): string
  memoryAtRisk?: () => boolean
}
export type ShedReason = 'wait' | 'memory'
export interface Admission {
  /** Puts a request into its lane; the listener gets it when its turn comes. */
  admit(listener: RequestListener): RequestListener
  /** Record requests that wait for their turn now. */
  queued(): number
}
interface Visit {
  listener: RequestListener
  request: IncomingMessage
  response: ServerResponse
}
/**
 * Enough to keep the process, its threads and the database busy, and few enough that each request completes quickly.
 */
export const recordConcurrency = 32
const peopleConcurrency = 16
const hookConcurrency = 16

const isRecord = /^\/(unified|api|mcp)(\/|$|\?)/
const isHook = /^\/hooks\//
const isHealth = /^\/(healthz|readyz)($|\?)/

export function createAdmission({
  limits,
  shed,
  baseUrl,
  memoryAtRisk = heapNearlyFull(),
}: AdmissionOptions): Admission {
  const { maxInFlight, shedWaitMs } = limits ?? { maxInFlight: Number.POSITIVE_INFINITY, shedWaitMs: 0 }
  let held = 0
  const lane = (concurrency: number, maxWaitMs: number): Lane<Visit> => {
    const created: Lane<Visit> = createLane({
      concurrency,
      maxWaitMs,
      start({ listener, request, response }) {
        if (response.destroyed) return created.leave() // the caller has gone
        // The work is done when the response is handed over: a caller that reads slowly does not delay others.
        const leave = once(created.leave)
        request.lane = created
        response.once('prefinish', leave).once('close', leave)
        listener(request, response)
      },
      refuse: ({ response }, waitMs) => refuse(response, 'wait', waitMs),
    })
    return created
  }
  const records = lane(recordConcurrency, shedWaitMs)
  const people = lane(peopleConcurrency, 0)
  const hooks = lane(hookConcurrency, 0)

  function refuse(response: ServerResponse, reason: ShedReason, waitMs: number): void {
    shed(reason)
    const retryAfter = String(Math.max(1, Math.ceil(waitMs / 1000)))
    const id = createRequestId()
    const body = JSON.stringify(problemBody(refusals[reason], id, baseUrl()))
    response.writeHead(503, {
      'retry-after': retryAfter,
      'content-type': 'application/problem+json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'x-request-id': id,
      'x-content-type-options': 'nosniff',
    })
    response.end(body)
  }

  return {
    admit: (listener) => (request, response) => {
      const url = request.url ?? ''
      if (isHealth.test(url)) return listener(request, response)
      if (isHook.test(url)) return hooks.enter({ listener, request, response })
      if (!isRecord.test(url)) return people.enter({ listener, request, response })
      if (held >= maxInFlight || memoryAtRisk()) return refuse(response, 'memory', 5_000)
      held++
      response.once('close', () => held--)
      records.enter({ listener, request, response })
    },
    queued: records.queued,
  }
}

const refusals: Readonly<Record<ShedReason, Problem>> = {
  wait: new Problem(
    'unavailable',
    'The service has more requests than it can answer in time. Send the request again after the number of seconds in Retry-After.',
  ),
  memory: new Problem(
    'unavailable',
    'The service holds as many requests as its memory allows. Send the request again after the number of seconds in Retry-After.',
  ),
}

const once = (run: () => void) => {
  let done = false
  return () => {
    if (done) return
    done = true
    run()
  }
}

/** V8 ends a process whose heap is full. The heap size is read at most once a second. */
function heapNearlyFull(): () => boolean {
  let askedAt = 0
  let full = false
  return () => {
    const now = performance.now()
    if (now - askedAt < 1000) return full
    askedAt = now
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
    full = used > 0.9 * limit
    return full
  }
}

/** For the context of the engine's work: waits for a platform are not load. */
export const loadOf = ({ raw }: FastifyRequest): { load?: Outside } => (raw.lane ? { load: raw.lane } : {})

/** Runs the cleanup of a request when it ends: the response was sent, or the caller disconnected. */
export function installEndings(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const endings: (() => void)[] = []
    request.endings = endings
    reply.raw.once('close', () => {
      for (const end of endings.splice(0)) end()
    })
    done()
  })
}

/** A body takes time in proportion to its size: each 64 KiB counts as one more request. */
const weightOf = ({ headers }: FastifyRequest) => 1 + Math.floor((Number(headers['content-length']) || 0) / 65_536)

/** Bounds what one credential takes of an instance: requests at once and in a minute. */
export function withBudget(
  authenticate: Authenticate,
  { credentialConcurrency, credentialPerMinute }: Limits,
): Authenticate {
  const running = new Map<string, number>()
  const minute = createThrottle({ limit: credentialPerMinute })
  function enter(id: string, request: FastifyRequest): void {
    const others = running.get(id) ?? 0
    if (others >= credentialConcurrency)
      throw tooOften(`This credential has ${others} requests under way, as many as it may.`, 1000)
    const waitMs = minute.waitMs(id)
    if (waitMs > 0) throw tooOften('This credential has made as many requests as it may in a minute.', waitMs)
    minute.count(id, weightOf(request))
    running.set(id, others + 1)
    request.endings?.push(() => {
      const left = (running.get(id) ?? 1) - 1
      if (left > 0) running.set(id, left)
      else running.delete(id)
    })
  }
  return async (request) => {
    const caller = await authenticate(request)
    enter(caller.credentialId, request)
    return caller
  }
}
