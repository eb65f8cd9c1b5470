// Calls leave through the operator's proxy, which must not open a way around the egress guard.
import { randomBytes } from 'node:crypto'
import dns from 'node:dns'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { createProxy } from '../../src/engine/outbound/proxy.ts'
import { createTransport } from '../../src/engine/outbound/transport.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import { createService, type Service } from '../../src/service.ts'
import { runCliHere } from '../cli-here.ts'
import { type HttpsFront, openHttpsFront } from '../https-front.ts'
import { type ConnectProxy, startConnectProxy } from './connect-proxy.ts'
import { createLedger } from './ledger.ts'

const password = 'p@ss:word'
const adminToken = randomBytes(24).toString('hex')
const dataDir = mkdtempSync(join(tmpdir(), 'unified-records-proxy-'))
/** What this machine's resolver says. Other names do not exist. */
const names: Record<string, string[]> = {
  'connect.squareup.com': ['8.8.8.8'],
  'moved.test': ['8.8.8.8'],
  'hooks.test': ['8.8.8.8'],
  'inside.test': ['10.0.0.1'],
  'both.test': ['8.8.8.8', '169.254.169.254'],
  'direct.test': ['127.0.0.1'],
}
const { lookup } = dns
const authorities = tls.getCACertificates('default')
const seen: string[] = []
let printed = ''
let sandbox: Sandbox
let front: HttpsFront
let proxy: ConnectProxy
let service: Service
let url: string

beforeAll(async () => {
  const missing = (name: string) => Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' })
  const resolve = (name: string, options: never, done: (error: Error | null, found?: dns.LookupAddress[]) => void) => {
    const found = names[name]?.map((address) => ({ address, family: 4 }))
    if (isIP(name)) lookup(name, options, done as never)
    else done(found ? null : missing(name), found)
  }
  dns.lookup = resolve as never
  syncBuiltinESMExports()
  sandbox = await createSandbox({
    simulators: { square: simulators.square as (typeof simulators)[string] },
    size: 'small',
    paceScale: 0.01,
    strict: false,
  })
  front = await openHttpsFront(
    Object.keys(names),
    new URL(sandbox.origin('square') as string),
    ({ headers: { host = '' } }, response) => {
      seen.push(host)
      if (!host.endsWith('.test') && !host.includes('.test:')) return false
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end()
      return true
    },
  )
  tls.setDefaultCACertificates([...authorities, readFileSync(front.certificateFile, 'utf8')])
  proxy = await startConnectProxy(front.port)
  service = await createService({
    config: {
      ...readConfig({
        ENCRYPTION_KEY: '0'.repeat(64),
        DATA_DIR: dataDir,
        PORT: '0',
        SANDBOX: 'off',
        PACE_SCALE: '0.01',
        ADMIN_TOKEN: adminToken,
        ADMIN_PASSWORD: 'long enough 1',
        HTTPS_PROXY: `http://operator:${encodeURIComponent(password)}@127.0.0.1:${proxy.port}`,
        NO_PROXY: 'internal.example, direct.test',
        ALLOWED_HOSTS: `direct.test:${front.port}`,
      }),
    },
    connectors,
    logger: pino(
      { level: 'trace' },
      {
        write(line: string) {
          printed += line
        },
      },
    ),
  })
  url = await service.listen()
})
afterAll(async () => {
  dns.lookup = lookup
  syncBuiltinESMExports()
  tls.setDefaultCACertificates(authorities)
  await service.close()
  await proxy.close()
  front.close()
  await sandbox.close()
  rmSync(dataDir, { recursive: true, force: true })
})
beforeEach(() => {
  for (const list of [proxy.asked, seen]) list.length = 0
  for (const set of [proxy.credentials, proxy.firstBytes]) set.clear()
})

const manage = async (path: string, body: unknown) => {
  const response = await fetch(`${url}/manage/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  printed += text
  return { status: response.status, body: JSON.parse(text) as Record<string, string> }
}
const workspace = async () => (await manage('/workspaces', { name: 'House' })).body.id as string
/** A shop whose host comes out of the account's settings. */
const connectShop = async (shop: string) =>
  manage(`/workspaces/${await workspace()}/accounts`, {
    id: `shop-${randomBytes(4).toString('hex')}`,
    name: 'Shop',
    platform: 'woocommerce',
    vertical: 'retail_pos',
    credentials: { consumerKey: 'ck_1', consumerSecret: 'cs_1' },
    settings: { shop },
  })

const advice = 'The call was not sent. Check HTTPS_PROXY and NO_PROXY of the service, then repeat the request.'

it('platforms are called through the proxy, and a proxy that fails leaves no write in doubt', async () => {
  const workspaceId = await workspace()
  const key = (await manage(`/workspaces/${workspaceId}/api-keys`, { name: 'house' })).body.key as string
  const tenant = sandbox.simulator('square').tenants[0]
  const { credentials, settings, vertical } = tenant ?? {}
  const account = { id: 'shop', name: 'Shop', platform: 'square', vertical, credentials, settings }
  expect((await manage(`/workspaces/${workspaceId}/accounts`, account)).status).toBe(201)
  const ledger = createLedger({
    url: () => url,
    apiKey: () => key,
    accountId: 'shop',
    ids: () => tenant?.records.customer?.ids() ?? [],
  })
  expect((await ledger.write('BEFORE')).status).toBe(201)
  expect(new Set(proxy.asked)).toEqual(new Set(['connect.squareup.com:443']))
  expect([...proxy.credentials]).toEqual([`Basic ${Buffer.from(`operator:${password}`).toString('base64')}`])
  expect([...proxy.firstBytes]).toEqual([22])
  await proxy.close()
  expect(await ledger.write('MEANWHILE')).toMatchObject({
    status: 502,
    code: 'downstream_error',
    detail: `Square could not be reached: the proxy 127.0.0.1:${proxy.port} refused the connection. ${advice}`,
  })
  await proxy.open()
  for (const [status, words] of [
    [403, 'does not allow this host'],
    [407, 'requires other credentials: check the user and password in HTTPS_PROXY'],
  ] as const) {
    proxy.refuseWith(status)
    proxy.asked.length = 0
    const detail = `Square could not be reached: the proxy 127.0.0.1:${proxy.port} ${words} (status ${status}). ${advice}`
    expect(await ledger.write('MEANWHILE')).toMatchObject({ status: 502, detail, retryAfter: null })
    const answer = await fetch(`${url}/unified/shop/customer`, { headers: { authorization: `Bearer ${key}` } })
    expect(await answer.json()).toMatchObject({ status: 502, detail })
    // Once for each request: a wrong password that is repeated locks the user out.
    expect(proxy.asked).toHaveLength(2)
  }
  const environment = { DATA_DIR: dataDir, UNIREC_URL: url, UNIREC_ADMIN_TOKEN: adminToken, UNIREC_API_KEY: key }
  const { stdout } = await runCliHere(['doctor'], { environment: { ...environment, UNIREC_WORKSPACE: workspaceId } })
  expect(stdout).toContain('fix: check HTTPS_PROXY and NO_PROXY of the service')
  proxy.refuseWith(undefined)
  // Provably never sent, so the key was free again at once.
  expect((await ledger.write('MEANWHILE')).status).toBe(201)
  await ledger.verify()
})

it.each([
  ['10.0.0.1', []],
  ['inside.test', []],
  ['both.test', []],
  ['nowhere.test', []],
  ['moved.test', ['moved.test:443']],
])('a shop at %s is refused; tunnels: %j', async (shop, tunnels) => {
  const { status, body } = await connectShop(shop)
  expect([status, body.code]).toEqual([422, 'validation_failed'])
  expect(proxy.asked).toEqual(tunnels)
  expect([...new Set(seen)]).toEqual(tunnels.map((tunnel) => tunnel.replace(':443', '')))
})

it('a host in NO_PROXY is called directly', async () => {
  await connectShop(`direct.test:${front.port}`)
  expect([new Set(seen), proxy.asked]).toEqual([new Set([`direct.test:${front.port}`]), []])
})

it('webhooks are delivered through the proxy', async () => {
  const path = `/workspaces/${await workspace()}/webhook-endpoints`
  const { body } = await manage(path, { url: 'https://hooks.test/received', events: ['write.settled'] })
  await manage(`${path}/${body.id}/test`, {})
  await expect.poll(() => seen).toEqual(['hooks.test'])
  expect(proxy.asked).toEqual(['hooks.test:443'])
})

it('a name that only the proxy can resolve is passed on if the operator says so, plain http never', async () => {
  const { proxy: settings } = readConfig({
    ENCRYPTION_KEY: '0'.repeat(64),
    https_proxy: `127.0.0.1:${proxy.port}`,
    PROXY_RESOLVES_NAMES: 'on',
  })
  const transport = createTransport({ proxy: settings })
  const get = (origin: string, sandbox = false) =>
    transport.exchange({ method: 'GET', origin, sandbox, path: '/', headers: {}, timeoutMs: 5000 })
  await expect(get('https://nowhere.test')).rejects.toMatchObject({ sent: false, code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
  await expect(get('https://inside.test')).rejects.toMatchObject({ code: 'forbidden' })
  expect(proxy.asked).toEqual(['nowhere.test:443'])
  expect((await get(sandbox.origin('square') as string, true)).status).toBe(401)
  await expect(get('http://moved.test')).rejects.toMatchObject({ code: 'forbidden' })
  expect([proxy.asked, proxy.plain]).toEqual([['nowhere.test:443'], []])
  await transport.close()
})

it.each([
  [
    'example.com',
    ['https://example.com', 'https://a.b.example.com', 'https://EXAMPLE.com.'],
    ['https://notexample.com'],
  ],
  ['.example.com', ['https://example.com', 'https://a.example.com'], ['https://example.com.test']],
  ['*.example.com', ['https://a.example.com'], ['https://example.org']],
  ['example.com:8443', ['https://a.example.com:8443'], ['https://a.example.com', 'https://example.com:18443']],
  ['example.com:443', ['https://example.com'], ['https://example.com:8443']],
  ['10.0.0.0/8', ['https://10.1.2.3'], ['https://11.0.0.1', 'https://10.example.com']],
  ['192.0.2.7', ['https://192.0.2.7'], ['https://192.0.2.70']],
  ['fd00::/8', ['https://[fd00::1]'], ['https://[2606:4700::1111]']],
  ['[fd00::1]:8443', ['https://[fd00::1]:8443'], ['https://[fd00::1]']],
  ['*', ['https://example.com', 'https://10.0.0.1'], []],
  ['', ['https://localhost', 'https://127.0.0.1:8443', 'http://example.com'], ['https://example.com']],
])('NO_PROXY=%s', (value, direct, proxied) => {
  const environment = { ENCRYPTION_KEY: '0'.repeat(64), HTTPS_PROXY: 'http://proxy.internal:3128', NO_PROXY: value }
  const { proxy: settings } = readConfig(environment)
  const serves = (address: string) => settings && createProxy(settings).serves(new URL(address))
  expect(direct.filter(serves)).toEqual([])
  expect(proxied.filter(serves)).toEqual(proxied)
})

it('configuration that cannot be used is refused, without its password', () => {
  const read = (environment: Record<string, string>) => readConfig({ ENCRYPTION_KEY: '0'.repeat(64), ...environment })
  for (const wrong of [
    'socks5://u:secret@proxy:1080',
    'http://u:secret@proxy/path',
    'http://u:secret%@proxy',
    'http://',
  ])
    expect(() => read({ HTTPS_PROXY: wrong }), wrong).toThrow(/^HTTPS_PROXY must be the URL(?!.*secret)/)
  for (const wrong of ['a b/c', '10.0.0.0/33', 'https://example.com', 'fd00::/129'])
    expect(() => read({ HTTPS_PROXY: 'proxy:3128', NO_PROXY: wrong }), wrong).toThrow('NO_PROXY must be')
})

it('no log line and no response has the password of the proxy', async () => {
  await connectShop('moved.test')
  expect(printed).toContain('native call')
  for (const form of [password, encodeURIComponent(password), btoa(`operator:${password}`)])
    expect(printed).not.toContain(form)
})
