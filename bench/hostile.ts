// One platform account that sends huge responses, or holds back the last byte of each: what does everyone else notice,
// and how much memory does it take?
import { readFileSync } from 'node:fs'
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { table } from './report.ts'
import { openStage } from './speed/processes.ts'

interface Line {
  name: string
  others: number // responses to the other accounts' callers
  succeeded: number
  p99Ms: number
  memoryMb: number // the largest resident set of the service
  hostile: Record<string, number> // what the hostile account's callers got
}
export interface HostileResult {
  seconds: number
  lines: Line[]
}
const clients = 8
const attackers = 40
const megabyte = 1024 * 1024
/** As a page of the platform, with one enormous field. */
const huge = Buffer.from(JSON.stringify({ Contacts: [{ ContactID: 'x', Name: 'x'.repeat(31 * megabyte) }] }))
const large = Buffer.from(
  JSON.stringify({
    Contacts: Array.from({ length: 7_400 }, (_, n) => ({ ContactID: `${n}`, Name: 'x'.repeat(500) })),
  }),
)
type Attack = (response: ServerResponse) => void
const json = { 'content-type': 'application/json' }
const attacks: Record<string, Attack | undefined> = {
  none: undefined,
  'responses of 31 MB': (response) => response.writeHead(200, json).end(huge),
  'responses of 3.9 MB': (response) => response.writeHead(200, json).end(large),
  'the last byte held back': (response) => void response.writeHead(200, json).write(large.subarray(0, -1)),
}

export async function benchHostile(seconds: number): Promise<HostileResult> {
  const lines: Line[] = []
  for (const [name, attack] of Object.entries(attacks)) lines.push(await underAttack(name, attack, seconds))
  return { seconds, lines }
}

async function underAttack(name: string, attack: Attack | undefined, seconds: number): Promise<Line> {
  const stage = await openStage()
  const front = await createFront(stage.front, attack)
  const running = new AbortController()
  try {
    // Ten calls a second within the hostile account's own limit; the others' limit never applies.
    const service = await stage.service({
      SANDBOX_URL: front.url,
      PLATFORM_LIMITS: 'square=1000000/1,xero=10/1',
      CALL_TIMEOUT_MS: '10000',
    })
    const { apiKey } = service.sandboxFile()
    const loop = async (path: string, count: number, note: (status: string, ms: number) => void) => {
      const pool = new Pool(service.url, { connections: count })
      await Promise.all(
        Array.from({ length: count }, async () => {
          while (!running.signal.aborted) {
            const began = performance.now()
            const status = await pool
              .request({ path, method: 'GET', headers: { authorization: `Bearer ${apiKey}` }, signal: running.signal })
              .then(async ({ statusCode, body }) => {
                await body.dump({ limit: Number.MAX_SAFE_INTEGER })
                return String(statusCode)
              })
              .catch(() => 'no response')
            if (!running.signal.aborted) note(status, performance.now() - began)
          }
        }),
      )
      await pool.destroy()
    }
    const times: number[] = []
    let succeeded = 0
    const hostile: Record<string, number> = {}
    let memoryMb = 0
    const sampling = setInterval(() => {
      memoryMb = Math.max(memoryMb, residentMb(service.child.pid as number))
    }, 100)
    const done = Promise.all([
      loop('/unified/sandbox-square-restaurant/customer?pageSize=50', clients, (status, ms) => {
        times.push(ms)
        if (status === '200') succeeded++
      }),
      loop('/unified/sandbox-xero-accounting/customer', attackers, (status) => {
        hostile[status] = (hostile[status] ?? 0) + 1
      }),
    ])
    await sleep(seconds * 1000)
    running.abort()
    await done
    clearInterval(sampling)
    const sorted = times.toSorted((left, right) => left - right)
    const p99Ms = sorted[Math.floor(sorted.length * 0.99)] ?? 0
    return { name, others: times.length, succeeded, p99Ms, memoryMb, hostile }
  } finally {
    running.abort()
    front.close()
    await stage.close()
  }
}

/** Forwards everything but the calls of the hostile platform, token calls aside. */
async function createFront(to: string, attack: Attack | undefined): Promise<{ url: string; close(): void }> {
  const server = createServer((incoming: IncomingMessage, outgoing) => {
    if (attack && incoming.url?.startsWith('/xero/api')) return attack(outgoing)
    const forwarded = ask(to + incoming.url, { method: incoming.method, headers: incoming.headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function residentMb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0 // it has just ended
  }
}

export function showHostile({ seconds, lines }: HostileResult): string {
  const rows = lines.map(({ name, others, succeeded, p99Ms, memoryMb, hostile }) => [
    name,
    String(others),
    `${((succeeded / others) * 100).toFixed(2)} %`,
    `${p99Ms.toFixed(0)} ms`,
    `${memoryMb.toFixed(0)} MB`,
    Object.entries(hostile)
      .map(([status, count]) => `${count} × ${status}`)
      .join(', ') || '0',
  ])
  return [
    `${clients} callers of a well-behaved account and ${attackers} of a hostile one, ${seconds} s each`,
    table(['hostile platform', "others' responses", 'succeeded', 'p99', 'memory', 'hostile account'], rows),
  ].join('\n')
}
