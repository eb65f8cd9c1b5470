// Hostile native calls: whatever a caller sends, nothing reaches another origin, and no request is an error of ours.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pino } from 'pino'
import { Pool } from 'undici'
import { createApiKey } from '../../src/accounts/credentials.ts'
import { nativeHeaders, nativeMethods } from '../../src/contract/native-call.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { createService } from '../../src/service.ts'
import { createRandom, type Random } from '../chaos/random.ts'
import { memoryFolder } from '../memory-folder.ts'

export interface NativeFuzzResult {
  requests: number
  reached: number // calls that the platform got
  statuses: Record<string, number>
  violations: string[]
  seconds: number
}
/** With a header, with Basic, with a query parameter that the service adds, and with a path per account. */
const platforms = ['square', 'woocommerce', 'zoho-books', 'clover'] as const
const batchSize = 1_000
const inFlight = 32
const mostViolations = 20

async function listen(serve: (request: IncomingMessage, response: ServerResponse) => void): Promise<[Server, number]> {
  const server = createServer(serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return [server, (server.address() as AddressInfo).port]
}

export async function runNativeFuzz({ requests, seed }: { requests: number; seed: number }): Promise<NativeFuzzResult> {
  const violations: string[] = []
  const violate = (what: string) => {
    if (violations.length < mostViolations) violations.push(what)
  }
  let reached = 0
  const [foreign, foreignPort] = await listen((request, response) => {
    violate(`another origin was called: ${request.method} ${request.url}`)
    response.end('{}')
  })
  const tokens = new Map<string, string>()
  const [platform, platformPort] = await listen((request, response) => {
    reached++
    const fault = faultOf(request, `127.0.0.1:${platformPort}`, tokens)
    if (fault) violate(`${fault}: ${request.method} ${request.url} ${JSON.stringify(request.rawHeaders)}`)
    request.resume()
    response.setHeader('content-type', 'application/json').end('{"ok":true}')
  })
  const dataDir = mkdtempSync(join(memoryFolder, 'unified-records-native-'))
  const service = await createService({
    config: {
      host: '127.0.0.1',
      port: 0,
      dataDir,
      sandbox: true,
      encryptionKeys: [randomBytes(32)],
      logLevel: 'silent',
      paceScale: 0.0001,
      maxWaitMs: 5_000,
      callTimeoutMs: 60_000,
      limits: {
        maxInFlight: 100_000,
        maxConnections: 100_000,
        shedWaitMs: 0,
        credentialConcurrency: 100_000,
        credentialPerMinute: 100_000_000,
      },
    },
    connectors,
    originOverride: (account) => `http://127.0.0.1:${platformPort}/base-${account.platform}`,
    logger: pino({ level: 'silent' }),
  })
  try {
    const key = await connect(service, tokens)
    const pool = new Pool(await service.listen(), { connections: inFlight })
    const statuses: Record<string, number> = {}
    const began = performance.now()
    const random = createRandom(seed)
    for (let sent = 0; sent < requests; ) {
      const length = Math.min(batchSize, requests - sent)
      const batch = Array.from({ length }, () => callFrom(random, `127.0.0.1:${foreignPort}`))
      const queue = batch.entries()
      const work = async () => {
        for (const [index, body] of queue) {
          const account = platforms[index % platforms.length]
          const text = typeof body === 'string' ? body : JSON.stringify(body)
          const before = violations.length
          const response = await pool.request({
            method: 'POST',
            path: `/unified/${account}/native`,
            headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
            body: text,
          })
          const { statusCode: status } = response
          const answer = await response.body.text()
          statuses[status] = (statuses[status] ?? 0) + 1
          if (status >= 500) violate(`status ${status}: ${text} → ${answer.slice(0, 500)}`)
          for (const token of tokens.values()) if (answer.includes(token)) violate(`a secret is shown: ${text}`)
          if (violations.length > before) violations[violations.length - 1] += `\n  sent near: ${text}`
        }
      }
      await Promise.all(Array.from({ length: inFlight }, work))
      sent += batch.length
    }
    await pool.close()
    return { requests, reached, statuses, violations, seconds: (performance.now() - began) / 1000 }
  } finally {
    await service.close()
    for (const server of [foreign, platform]) {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** One account per platform, with the credentials of its simulator. Returns an API key. */
async function connect({ store }: Awaited<ReturnType<typeof createService>>, tokens: Map<string, string>) {
  const chosen = Object.fromEntries(platforms.map((platform) => [platform, simulators[platform]!]))
  const sandbox = await createSandbox({ simulators: chosen, size: 'small' })
  await store.workspaces.create({ id: 'w', name: 'Fuzz' })
  for (const platform of platforms) {
    const { vertical, credentials, settings } = sandbox.simulator(platform).tenants[0]!
    const [auth] = connectors[platform]!.auth
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
    const account = { id: platform, workspaceId: 'w', platform, vertical, name: platform, state: 'active' as const }
    await store.accounts.create({ ...account, settings, auth: auth!.kind, credentials: { ...credentials, expiresAt } })
    tokens.set(platform, credentials.accessToken ?? credentials.consumerSecret ?? '')
  }
  await sandbox.close()
  return (await createApiKey(store, 'w', { name: 'fuzz', scopes: ['native'] })).secret
}

const known = new Set<string>([
  ...nativeHeaders,
  ...['host', 'connection', 'authorization', 'content-length', 'user-agent', 'accept-encoding', 'square-version'],
  ...['transfer-encoding', 'x-com-zoho-books-organizationid'],
])
/** What is wrong with a call that the platform got. */
function faultOf(
  { url = '', headers }: IncomingMessage,
  host: string,
  tokens: Map<string, string>,
): string | undefined {
  const platform = /^\/base-([\w-]+)\//.exec(url)?.[1]
  if (!platform || !tokens.has(platform)) return 'a path outside of the origin'
  const [path = ''] = url.split('?')
  if (/\/\.{1,2}(?:[/;]|$)|\/\/|\\|@|%(?:2f|5c|2e|00|0d|0a)/i.test(path)) return 'a path that can lead elsewhere'
  if (headers.host !== host) return 'another host'
  const [kind = '', value = ''] = (headers.authorization ?? '').split(' ')
  const shown = kind === 'Basic' ? Buffer.from(value, 'base64').toString() : value
  if (!shown.includes(tokens.get(platform) as string)) return 'another credential'
  const foreign = Object.keys(headers).find((name) => !known.has(name))
  return foreign && `a header that cannot be set (${foreign})`
}

const evilParts = (foreign: string): string[] => [
  ...[`http://${foreign}`, `//${foreign}`, `https:${foreign}`, `@${foreign}`, `x@${foreign}`, `\\\\${foreign}`],
  ...['..', '.', '%2e%2e', '%2E.', '..;', '..%2f', '%2f', '%5c', '\\', '%252e', '%00', '%0d%0a', '\r\n', '\n', '\t'],
  ...[' ', '#', '?', ':', `:80@${foreign}`, '{apiHost}', '{merchantId}', '{shop}', '{x}', '{', '}', '%', '%zz', '＠'],
  ...['／', '．．', '\u2028', 'ı', '//', '/', '', '@', `;@${foreign}`, '%40', '~', "'", '[::1]', `[${foreign}]`],
  ...['\0', '\u007f', '\u202e', '😀', '\ud800', 'é', '%E2%80%A8', '%7F', '%ff', '&', '=', '$', '*', '(', ';'],
]
const plainParts = [
  'v2',
  'customers',
  'wp-json',
  'books',
  'v3',
  'orders',
  'search',
  '1',
  'a-b_c.json',
  'oauth2',
  'token',
]
const oddHeaders = [
  'Authorization',
  'Host',
  'Cookie',
  'X-Evil',
  'Content-Length',
  'Connection',
  'Transfer-Encoding',
].concat(['Square-Version', '__proto__', 'constructor', 'x-forwarded-host', 'Accept', 'Expect', 'Upgrade', ''])
const oddMethods = ['HEAD', 'CONNECT', 'TRACE', 'OPTIONS', 'get', 'GET /', 'GET\r\n', '']
const parameters = ['limit', 'access_token', 'organization_id', '__proto__', 'a[b]', 'consumer_key', 'page']

/** A call, or something else. The same for the same numbers. */
function callFrom({ chance, pick, below }: Random, foreign: string): unknown {
  const evil = evilParts(foreign)
  const letters = () =>
    Array.from({ length: below(6) }, () => String.fromCharCode(chance(0.8) ? 32 + below(95) : below(0x3000))).join('')
  const text = (): string =>
    chance(0.3) ? letters() : chance(0.3) ? 'a\r\nx-evil: 1' : pick(chance(0.5) ? evil : plainParts)
  const part = (): string => (chance(0.7) ? pick(plainParts) : chance(0.7) ? pick(evil) : letters())
  const many = <T>(most: number, make: () => T): T[] => Array.from({ length: below(most + 1) }, make)
  const path = (): string => {
    if (chance(0.3)) return `/${many(4, () => pick(plainParts)).join('/')}`
    return chance(0.7) ? `/${many(5, part).join('/')}` : many(5, part).join('')
  }
  const json = (depth = 2): unknown => {
    if (depth === 0 || chance(0.5)) return pick([text(), below(1000), 1e300, null, true, -0])
    return chance(0.5) ? many(3, () => json(depth - 1)) : Object.fromEntries(many(3, () => [text(), json(depth - 1)]))
  }
  if (chance(0.05)) return chance(0.5) ? text() : JSON.stringify(json())
  const isWrite = chance(0.4)
  const call: Record<string, unknown> = {
    method: chance(0.05) ? pick(oddMethods) : isWrite ? pick(nativeMethods) : 'GET',
    path: chance(0.03) ? json() : path(),
  }
  if (chance(0.3))
    call.query = Object.fromEntries(
      many(3, () => [chance(0.5) ? pick(parameters) : text(), chance(0.8) ? text() : json()]),
    )
  if (chance(0.2))
    call.headers = Object.fromEntries(
      many(2, () => [chance(0.5) ? pick<string>(nativeHeaders) : chance(0.7) ? pick(oddHeaders) : text(), text()]),
    )
  if (isWrite && chance(0.8)) call.body = json()
  if (isWrite && chance(0.9)) call.externalId = chance(0.8) ? `key ${below(1e9)}` : text()
  if (chance(0.03)) call[pick(['origin', 'url', 'host', '__proto__'])] = `http://${foreign}`
  return call
}
