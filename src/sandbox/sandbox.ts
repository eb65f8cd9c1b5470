// One HTTP server on loopback in front of all simulators: counts calls, applies faults and logs calls.
import { createServer as createNodeServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createState } from './collection.ts'
import { type Controlled, createControl } from './control.ts'
import { defaultDelayMs, deliver, foreign, htmlPage, reset } from './delivery.ts'
import { createFaults, type Faults } from './faults.ts'
import { readJson } from './http.ts'
import { createPersistence, forgetful } from './persistence.ts'
import { createReferee, type Referee, type Verdict } from './referee.ts'
import type { CreateSimulator, Fault, LoggedCall, Simulator, Tenant, WireRequest, WireResponse } from './simulator.ts'
import { createWebhookSender, type WebhookSender } from './webhooks.ts'

const bodyLimit = 8 * 1024 * 1024
const logLimit = 5000

export interface SandboxOptions {
  simulators: Readonly<Record<string, CreateSimulator>>
  size: 'small' | 'full'
  paceScale?: number // limit windows are multiplied by it
  strict?: boolean // true by default: calls above the limit are rejected; false: only counted
  port?: number // any free port by default
  host?: string
  file?: string // stores every change before its response; nothing is stored by default
  now?(): number
}
/** What a simulator sent. */
export interface SentResponse {
  method: string
  path: string
  body: unknown // parsed, if it is JSON
}
export interface Sandbox extends Controlled {
  url: string
  /** Every response of the platform from now on, until `stop`. */
  recordResponses(platform: string): { sent: readonly SentResponse[]; stop(): void }
  close(): Promise<void>
}

interface Stand {
  simulator: Simulator
  faults: Faults
  referee: Referee
  daily: Referee | undefined
  calls: LoggedCall[]
  recorded?: SentResponse[] | undefined
  webhooks: WebhookSender
}

export async function createSandbox({
  simulators,
  size,
  paceScale = 1,
  strict = true,
  port = 0,
  host = '127.0.0.1',
  file,
  now = Date.now,
}: SandboxOptions): Promise<Sandbox> {
  const stands = new Map<string, Stand>()
  const control = createControl(() => sandbox)
  const server = createNodeServer((incoming, response) => {
    response.setHeader('date', new Date(now()).toUTCString())
    serve(incoming, response).catch((error: unknown) => {
      // Otherwise the client disconnected while sending.
      if (!incoming.destroyed || incoming.complete) console.error('sandbox:', error)
      response.destroy()
    })
  })
  server.keepAliveTimeout = 72_000 // with five seconds, as by default, a client that is late may send into its end
  const persistence = file ? createPersistence(file, size, now) : forgetful(now())
  const url = await listen(server, port, host)
  for (const [platform, createSimulator] of Object.entries(simulators)) {
    const state = createState()
    const faults = createFaults()
    const webhooks = createWebhookSender(faults, paceScale, now)
    const simulator = createSimulator({
      size,
      now,
      seededAt: persistence.seededAt,
      state,
      origin: `${url}/${platform}`,
      paceScale,
      webhooks,
    })
    persistence.attach(platform, state)
    state.observe(webhooks.changed) // after the persistence: a change is stored before webhooks tell of it
    const refereeOf = (limit: Simulator['limit'], concurrency?: number) =>
      createReferee({ limit, concurrency, now: () => performance.now(), paceScale })
    stands.set(platform, {
      simulator,
      faults,
      webhooks,
      referee: refereeOf(simulator.limit, simulator.concurrency),
      daily: simulator.daily && strict ? refereeOf([{ requests: simulator.daily.calls, seconds: 86_400 }]) : undefined,
      calls: [],
    })
  }
  persistence.ready()

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming)
    if (!request)
      return deliver(response, { status: 413, headers: { connection: 'close' }, body: { error: 'body too large' } })
    if (request.path === '/_sandbox' || request.path.startsWith('/_sandbox/'))
      return send(response, await control(request, undefined))
    const [, platform = ''] = request.path.split('/', 2)
    const stand = stands.get(platform)
    if (!stand) return deliver(response, { status: 404, body: { error: 'unknown platform, see GET /_sandbox' } })
    await play(stand, { ...request, path: request.path.slice(platform.length + 1) || '/' }, response)
  }

  /** Nothing that a client learns can be lost later: neither its own change nor one that it reads. */
  async function send(
    response: ServerResponse,
    answer: WireResponse,
    fault?: Fault,
    cleared?: Promise<void>,
  ): Promise<void> {
    await persistence.stored()
    return deliver(response, answer, fault, cleared)
  }

  async function play(stand: Stand, request: WireRequest, response: ServerResponse): Promise<void> {
    const tenant = stand.simulator.tenantOf(request)
    if (!tenant) return perform(stand, request, response)
    const verdict = stand.referee.call(tenant.vertical)
    // In progress until the response is sent or the client has gone.
    let ended = false
    const end = () => {
      if (!ended) stand.referee.ended(tenant.vertical)
      ended = true
    }
    response.once('close', end)
    try {
      await perform(stand, request, response, tenant, verdict)
    } finally {
      end()
    }
  }

  async function perform(
    stand: Stand,
    request: WireRequest,
    response: ServerResponse,
    tenant?: Tenant,
    verdict?: Verdict,
  ): Promise<void> {
    const { simulator, daily, faults, calls } = stand
    const call: LoggedCall = {
      at: now(),
      method: request.method,
      path: request.path,
      query: request.query.toString(),
      status: 0,
      vertical: tenant?.vertical,
      body: request.body ? (readJson(request) ?? request.body) : undefined,
    }
    const cleared = faults.cleared()
    calls.push(call)
    if (calls.length > logLimit) calls.shift()
    const today = tenant && (verdict?.allowed || !strict) ? daily?.call(tenant.vertical) : undefined
    if (verdict && !verdict.allowed) {
      call.overLimit = true
      const { retryAfterMs } = verdict
      if (strict) return answer(simulator.throttled(Math.max(1, Math.ceil(retryAfterMs / 1000)), retryAfterMs === 0))
    }
    if (today && !today.allowed) {
      call.overLimit = true
      return answer(simulator.daily?.exceeded(Math.max(1, Math.ceil(today.retryAfterMs / 1000))) as WireResponse)
    }
    const fault = faults.take(request)
    call.fault = fault?.kind
    switch (fault?.kind) {
      case 'throttle':
        return answer(simulator.throttled(Math.max(1, Math.ceil((fault.delayMs ?? 1000) / 1000))))
      case 'throttle_silent':
        return answer(simulator.throttled())
      case 'error_before':
        return answer(simulator.broken(500))
      case 'unavailable':
        return answer(simulator.broken(503))
      case 'html':
        return answer(htmlPage)
      case 'forbidden':
        return answer(simulator.broken(403))
      case 'foreign_before':
        return answer(foreign(fault))
      case 'reset_before':
        return reset(response)
      case 'late':
        setTimeout(() => void work(simulator, request), fault.delayMs ?? defaultDelayMs).unref()
        return answer(simulator.broken(fault.status ?? 504))
      case 'expired_token':
        tenant?.expireTokens()
    }
    const worked = await work(simulator, request)
    if (fault?.kind === 'reset_after') return reset(response)
    if (fault?.kind === 'foreign_after') return answer(foreign(fault))
    return answer(fault?.kind === 'error_after' ? simulator.broken(500) : worked, fault)

    function answer(given: WireResponse, broken?: Fault): Promise<void> {
      call.status = broken?.kind === 'malformed' ? 200 : given.status
      stand.recorded?.push({ method: request.method, path: request.path, body: parsedBody(given) })
      const headers = { ...given.headers, ...(today && simulator.daily?.headers?.(today.left)) }
      return send(response, { ...given, headers }, broken, cleared)
    }
  }

  const standOf = (platform: string): Stand => {
    const stand = stands.get(platform)
    if (!stand) throw new Error(`the sandbox has no platform "${platform}"`)
    return stand
  }
  const chosen = (platform?: string): Stand[] => (platform === undefined ? [...stands.values()] : [standOf(platform)])
  const sandbox: Sandbox = {
    url,
    platforms: [...stands.keys()],
    origin: (platform) => `${url}/${standOf(platform).simulator.platform}`,
    simulator: (platform) => standOf(platform).simulator,
    fault: (platform, fault) => standOf(platform).faults.add(fault),
    faults: (platform) => standOf(platform).faults.list(),
    clearFaults(platform) {
      for (const { faults } of chosen(platform)) faults.clear()
    },
    calls: (platform) => [...standOf(platform).calls],
    webhooks: (platform) => standOf(platform).webhooks.sent(),
    recordResponses(platform) {
      const stand = standOf(platform)
      const sent: SentResponse[] = []
      stand.recorded = sent
      return {
        sent,
        stop() {
          stand.recorded = undefined
        },
      }
    },
    clearCalls(platform) {
      for (const { calls, referee, daily, webhooks } of chosen(platform)) {
        calls.length = 0
        webhooks.clear()
        referee.clear()
        daily?.clear()
      }
    },
    violations: (platform) => {
      const { referee, daily } = standOf(platform)
      return referee.violations() + (daily?.violations() ?? 0)
    },
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
      await Promise.all([...stands.values()].map(({ webhooks }) => webhooks.close()))
      persistence.close()
    },
  }
  return sandbox
}

/** As a client reads it. */
function parsedBody({ body }: WireResponse): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : JSON.stringify(body))
  } catch {
    return body
  }
}

async function work(simulator: Simulator, request: WireRequest): Promise<WireResponse> {
  try {
    return await simulator.handle(request)
  } catch (error) {
    console.error(`the ${simulator.platform} simulator failed on ${request.method} ${request.path}:`, error)
    return { status: 500, body: { error: `the ${simulator.platform} simulator has a bug: see stderr` } }
  }
}

async function listen(server: Server, port: number, host: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => resolve())
  })
  const address = server.address() as AddressInfo
  return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`
}

async function readRequest(incoming: IncomingMessage): Promise<WireRequest | undefined> {
  const parts: Buffer[] = []
  let size = 0
  const { 'content-length': length, 'transfer-encoding': encoding } = incoming.headers
  // Most calls have no body, and reading nothing takes a fifth of the time of a call.
  if (length !== undefined || encoding !== undefined)
    for await (const part of incoming as AsyncIterable<Buffer>) {
      size += part.length
      if (size > bodyLimit) return undefined
      parts.push(part)
    }
  const [path = '/', query = ''] = splitOnce(incoming.url ?? '/', '?')
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
  return {
    method: incoming.method ?? 'GET',
    path,
    query: new URLSearchParams(query),
    headers,
    body: Buffer.concat(parts).toString('utf8'),
  }
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
