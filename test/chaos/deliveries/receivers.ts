// Receivers that refuse, hang, reset, redirect and respond slowly. Each verifies every request with the library of
// Standard Webhooks and tells its checker what arrived.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import type { Random } from '../random.ts'
import type { Arrival, Checker } from './checker.ts'

export interface Receivers {
  url(name: string): string
  /** The requests of this endpoint have that secret. */
  add(name: string, secret: string, checker: Checker): void
  /** Its requests get no response until they are released. */
  hold(name: string): void
  release(name: string): void
  faults: Record<string, number>
  /** From now on every request gets 204. */
  calm(): void
  close(): Promise<void>
}
/** An event with this many failures is accepted: it must not use up its attempts. */
const mostFailures = 4

type Fault = (response: ServerResponse, random: Random) => void
/** Each with its share of the requests. */
const faults = {
  refused: {
    share: 0.3,
    respond: (response, random) => void response.writeHead(random.pick([400, 401, 404, 429, 500, 503])).end('no'),
  },
  hung: { share: 0.0005, respond: () => {} },
  reset: { share: 0.02, respond: (response) => void response.socket?.resetAndDestroy() },
  redirected: { share: 0.02, respond: (response) => void response.writeHead(302, { location: '/elsewhere' }).end() },
} satisfies Record<string, { share: number; respond: Fault }>
/** Accepted, and the sender does not learn it in time or at all. */
const lostShare = 0.01
const slowShare = 0.05
const slowMs = 300

export async function startReceivers(random: Random, calmFromStart = false): Promise<Receivers> {
  const endpoints = new Map<string, { webhook: Webhook; checker: Checker }>()
  const counts: Record<string, number> = {}
  const failures = new Map<string, number>()
  const held = new Map<string, (() => void)[]>()
  const refused = new Set<string>() // endpoints: each repeats a request, whatever chance brings
  let isCalm = calmFromStart
  const count = (name: string) => {
    counts[name] = (counts[name] ?? 0) + 1
  }
  function faultFor(endpoint: string, id: string): [string, Fault] | undefined {
    const before = failures.get(id) ?? 0
    if (isCalm || before >= mostFailures) return undefined
    if (!refused.has(endpoint)) {
      refused.add(endpoint)
      failures.set(id, before + 1)
      return ['refused', faults.refused.respond]
    }
    let left = random.number()
    for (const [name, { share, respond }] of Object.entries(faults)) {
      left -= share
      if (left >= 0) continue
      failures.set(id, before + 1)
      return [name, respond]
    }
    return undefined
  }
  function respond(endpoint: string, checker: Checker, arrival: Arrival, response: ServerResponse): void {
    const fault = faultFor(endpoint, arrival.id)
    if (fault) {
      count(fault[0])
      fault[1](response, random)
      return
    }
    checker.accepted(arrival)
    if (!isCalm && random.chance(lostShare)) {
      count('response lost')
      response.socket?.resetAndDestroy()
    } else if (!isCalm && random.chance(slowShare)) {
      count('slow')
      setTimeout(() => response.writeHead(200).end(), random.below(slowMs))
    } else response.writeHead(204).end()
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => {})
    request.on('end', () => {
      const name = request.url?.slice(1) ?? ''
      const endpoint = endpoints.get(name)
      if (!endpoint) return void response.writeHead(404).end()
      const body = Buffer.concat(chunks).toString('utf8')
      const { webhook, checker } = endpoint
      try {
        const event = webhook.verify(body, request.headers as Record<string, string>) as Arrival['event']
        const arrival = { id: request.headers['webhook-id'] as string, body, event }
        checker.arrived(arrival)
        const answer = () => respond(name, checker, arrival, response)
        const waiting = held.get(name)
        if (waiting) waiting.push(answer)
        else answer()
      } catch (error) {
        checker.forged(`${String(error)}: ${body.slice(0, 100)}`)
        response.writeHead(401).end()
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: (name) => `http://127.0.0.1:${port}/${name}`,
    add: (name, secret, checker) => void endpoints.set(name, { webhook: new Webhook(secret), checker }),
    hold: (name) => void held.set(name, []),
    release(name) {
      const answers = held.get(name) ?? []
      held.delete(name)
      for (const answer of answers) answer()
    },
    faults: counts,
    calm() {
      isCalm = true
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
