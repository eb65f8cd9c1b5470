// What an instance takes on: so many requests at once, so many of one credential, and no more than it can answer in time. Health checks and the management API always get through.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../contract/errors.ts'
import { createRequestId } from '../store/request-id.ts'
import type { Authenticate } from './authentication.ts'
import { createLoad } from './load.ts'
import { problemBody, sendProblem } from './problem.ts'
import { createThrottle, tooOften } from './throttle.ts'

export interface Limits {
  maxInFlight: number // requests of an instance, those that wait for a slot included
  maxConnections: number
  shedLagMs: number // how late the event loop may be before requests are refused; 0: never
  credentialConcurrency: number
  credentialPerMinute: number
}
declare module 'fastify' {
  interface FastifyRequest {
    /** Run once, when the answer is out or its caller has gone. */
    endings?: (() => void)[]
  }
}
export interface AdmissionOptions {
  limits: Limits
  /** Requests that only wait for a platform's slot: they cost memory, not time. */
  waiting(): number
  shed(reason: 'busy' | 'full'): void
  baseUrl(): string
}
const open = /^\/(healthz|readyz|metrics|manage)(\/|$|\?)/
const refusals = {
  busy: new Problem('unavailable', 'The service has more to do than it can. Repeat the request in a moment.', { headers: { 'retry-after': '1' } }),
  full: new Problem('unavailable', 'The service holds as many requests as it may. Repeat the request in a moment.', { headers: { 'retry-after': '5' } }),
}

export function installAdmission(app: FastifyInstance, { limits, waiting, shed, baseUrl }: AdmissionOptions): void {
  let inFlight = 0
  const load = createLoad({ lagMs: limits.shedLagMs, working: () => inFlight - waiting() })
  app.server.maxConnections = limits.maxConnections
  app.addHook('onClose', async () => load.close())
  const refused: ServerResponse[] = []
  // A few at a time: what was taken on goes before what was not.
  const refuseSome = () => {
    for (const response of refused.splice(0, 4 + (refused.length >> 4))) refuse(response, refusals.busy, baseUrl())
    if (refused.length > 0) setImmediate(refuseSome)
  }
  // Before anything else looks at a request: a refusal must cost next to nothing, or refusing is what there is too much of.
  const [handle] = app.server.listeners('request') as [(request: IncomingMessage, response: ServerResponse) => void]
  app.server.removeAllListeners('request').on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (load.admits() || open.test(request.url ?? '')) return handle(request, response)
    shed('busy')
    if (refused.push(response) === 1) setImmediate(refuseSome)
  })
  app.addHook('onRequest', (request, reply, done) => {
    const endings: (() => void)[] = []
    request.endings = endings
    if (inFlight >= limits.maxInFlight && !open.test(request.url)) {
      shed('full')
      sendProblem(reply, refusals.full, request.id, baseUrl()) // not thrown: a log line for each would be work again
      return
    }
    inFlight++
    endings.push(() => inFlight--)
    // Emitted however it ends: answered, or given up by the caller.
    reply.raw.once('close', () => {
      for (const end of endings.splice(0)) end()
    })
    done()
  })
}

function refuse(response: ServerResponse, problem: Problem, baseUrl: string): void {
  const id = createRequestId()
  const body = JSON.stringify(problemBody(problem, id, baseUrl))
  response.writeHead(problem.status, {
    ...problem.headers,
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': id,
    'x-content-type-options': 'nosniff',
  })
  response.end(body)
}

/** One credential cannot take what belongs to all: so many requests at once and in a minute. */
export function withBudget(authenticate: Authenticate, { credentialConcurrency, credentialPerMinute }: Limits): Authenticate {
  const running = new Map<string, number>()
  const minute = createThrottle({ limit: credentialPerMinute })
  function enter(id: string, request: FastifyRequest): void {
    const others = running.get(id) ?? 0
    if (others >= credentialConcurrency) throw tooOften(`This credential has ${others} requests under way, as many as it may.`, 1000)
    const waitMs = minute.waitMs(id)
    if (waitMs > 0) throw tooOften('This credential has made as many requests as it may in a minute.', waitMs)
    minute.count(id)
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
