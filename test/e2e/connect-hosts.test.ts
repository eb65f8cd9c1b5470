// Settings select the host that is called. A setting with an unknown host is rejected by its name. A name server that
// does not respond is not the caller's fault.
import { randomBytes } from 'node:crypto'
import dns from 'node:dns'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import type { CreateSimulator } from '../../src/sandbox/simulator.ts'
import { createService, type Service } from '../../src/service.ts'
import { listenHere } from '../listen.ts'

const adminToken = randomBytes(24).toString('hex')
const dataDir = mkdtempSync(join(tmpdir(), 'unified-records-hosts-'))
const { lookup } = dns
let sandbox: Sandbox
let service: Service
let base: string
let moved: Server

beforeAll(async () => {
  const codes: Record<string, string> = { 'no-such-shop.example': 'ENOTFOUND', 'name-server-away.example': 'EAI_AGAIN' }
  const failing = (
    name: string,
    options: never,
    done: (error: NodeJS.ErrnoException | null, found?: unknown) => void,
  ) => {
    if (isIP(name)) return lookup(name, options, done as never)
    if (name === 'intranet.example') return done(null, [{ address: '10.0.0.1', family: 4 }])
    done(Object.assign(new Error(`getaddrinfo ${codes[name]} ${name}`), { code: codes[name], syscall: 'getaddrinfo' }))
  }
  dns.lookup = failing as never
  syncBuiltinESMExports()
  sandbox = await createSandbox({
    simulators: { woocommerce: simulators.woocommerce as CreateSimulator },
    size: 'small',
    paceScale: 0.01,
    strict: false,
  })
  moved = createServer((_, response) => response.writeHead(301, { location: 'https://www.moved.example/' }).end())
  /** Two shops that exist; the second has no WooCommerce at the given path. All other names are resolved. */
  const shops: Record<string, string> = {
    'shop.example': sandbox.origin('woocommerce'),
    'shop.example/elsewhere': `${sandbox.origin('woocommerce')}/elsewhere`,
    'moved.example': `http://127.0.0.1:${await listenHere(moved)}`,
  }
  service = await createService({
    config: {
      host: '127.0.0.1',
      port: 0,
      dataDir,
      sandbox: true,
      encryptionKeys: [randomBytes(32)],
      logLevel: 'silent',
      paceScale: 0.01,
      maxWaitMs: 10_000,
      callTimeoutMs: 5000,
      adminToken,
    },
    connectors,
    originOverride: ({ settings }) => shops[settings.shop ?? ''],
    logger: pino({ level: 'silent' }),
  })
  base = `${await service.listen()}/manage/v1/workspaces`
})
afterAll(async () => {
  dns.lookup = lookup
  syncBuiltinESMExports()
  await service.close()
  await sandbox.close()
  moved.closeAllConnections()
  moved.close()
  rmSync(dataDir, { recursive: true, force: true })
})

// biome-ignore lint/suspicious/noExplicitAny: the cases read responses of any type
async function send(method: string, path: string, body: unknown): Promise<{ status: number; body: any }> {
  const response = await fetch(base + path, {
    method,
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}

it('a shop that does not exist is rejected at /settings/shop, also when the address of an account changes', async () => {
  const { id } = (await send('POST', '', { name: 'Hosts' })).body
  const { vertical, credentials } = sandbox.simulator('woocommerce').tenants[0]!
  const connect = (shop: string) =>
    send('POST', `/${id}/accounts`, { id: 'shop', platform: 'woocommerce', vertical, credentials, settings: { shop } })
  const outcome = ({ status, body }: Awaited<ReturnType<typeof send>>) => [
    status,
    body.errors?.[0] ? `${body.errors[0].pointer} ${body.errors[0].message}` : body.code,
  ]
  const refused: [shop: string, fault: string][] = [
    ['shop.example/elsewhere', 'is not known to WooCommerce'],
    ['no-such-shop.example', 'names a host that does not exist'],
    ['intranet.example', 'names a host that this service does not call'],
    ['moved.example', 'redirects to another address'],
  ]
  for (const [shop, fault] of refused) {
    const reply = await connect(shop)
    expect([shop, ...outcome(reply)]).toEqual([shop, 422, `/settings/shop ${fault}`])
    expect(reply.body.detail).toContain(`shop "${shop}"`)
  }
  expect(outcome(await connect('name-server-away.example'))).toEqual([502, 'downstream_error'])
  expect(await service.store.accounts.get('shop')).toBeUndefined()

  expect((await connect('shop.example')).status).toBe(201)
  for (const [shop] of refused)
    expect([shop, ...outcome(await send('PATCH', `/${id}/accounts/shop`, { settings: { shop } }))].slice(0, 2)).toEqual(
      [shop, 422],
    )
  expect((await service.store.accounts.get('shop'))?.settings).toEqual({ shop: 'shop.example' })
})

it('a host that has gone is reported with what to check, without the code of the system', async () => {
  const { id } = (await send('POST', '', { name: 'Gone' })).body
  const { vertical, credentials } = sandbox.simulator('woocommerce').tenants[0]!
  const stored = await send('POST', `/${id}/accounts?test=false`, {
    id: 'gone',
    platform: 'woocommerce',
    vertical,
    credentials,
    settings: { shop: 'no-such-shop.example' },
  })
  expect(stored.status).toBe(201)
  const { key } = (await send('POST', `/${id}/api-keys`, { name: 'gone' })).body
  const response = await fetch(`${service.url()}/unified/gone/product`, { headers: { authorization: `Bearer ${key}` } })
  const body = (await response.json()) as { detail: string }
  expect([response.status, body.detail]).toEqual([
    502,
    "WooCommerce could not be reached: its host name does not exist. Check the account's settings that name a host, and the network of the service. Retry later; a write is recovered under its key.",
  ])
  expect(JSON.stringify(body)).not.toContain('ENOTFOUND')
})
