// The management port and the metrics token: what is served where, and to whom.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Agent, fetch as fetchWith } from 'undici'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import { assembleService } from '../../src/start.ts'
import { sqliteFileIn } from '../../src/store/open-store.ts'
import { lockDirectory } from '../../src/store/sqlite/directory-lock.ts'
import { runCliHere } from '../cli-here.ts'
import { listenHere } from '../listen.ts'
import { copyMigrated } from '../migrated-sqlite.ts'
import { openServiceHere, type ServiceHere } from '../service-here.ts'
import { startService } from '../service-process.ts'
import { untilCleared } from '../until.ts'

const adminToken = randomBytes(24).toString('hex')
const metricsToken = randomBytes(12).toString('hex')
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const admin = bearer(adminToken)
const both = ({ url, manageUrl }: Pick<ServiceHere, 'url' | 'manageUrl'>) => [url, manageUrl]
/** Reads the body, because an unread response would delay the shutdown. */
async function get(
  address: string,
  options: RequestInit = {},
): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await fetch(address, options)
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const statuses = (urls: readonly string[], path: string, headers: Record<string, string> = admin) =>
  Promise.all(urls.map(async (url) => (await get(url + path, { headers })).status))

/** Sends text unchanged; resolves with everything received until the connection ends. */
async function raw(url: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.end(text)
  let received = ''
  for await (const chunk of socket) received += chunk
  return received
}

/** True when nothing listens there. */
const refused = (url: string) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket
      .once('connect', () => resolve(false))
      .once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'ECONNREFUSED'))
    socket.once('connect', () => socket.destroy())
  })

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await createSandbox({
    simulators: { square: simulators.square as (typeof simulators)[string] },
    size: 'small',
    paceScale: 0.01,
    strict: false,
  })
})
afterAll(() => sandbox?.close())

describe('with MANAGE_PORT', () => {
  let service: ServiceHere
  beforeAll(async () => {
    service = await openServiceHere({ MANAGE_PORT: '0', ADMIN_TOKEN: adminToken, SANDBOX_URL: sandbox.url })
  })
  afterAll(() => service?.stop())

  it('serves management API, dashboard and metrics on that port, and on the public port the same 404 as for any unknown path', async () => {
    expect(service.manageUrl).not.toBe(service.url)
    for (const path of [
      '/manage/v1/workspaces',
      '/manage/v1/sandbox/faults',
      '/dashboard',
      '/dashboard/accounts',
      '/metrics',
    ]) {
      const [outside, inside] = [
        await get(service.url + path, { headers: admin }),
        await get(service.manageUrl + path, { headers: admin }),
      ]
      expect([path, outside.status, inside.status]).toEqual([path, 404, 200])
      const unknown = await get(`${service.url}/nothing`)
      const shape = (text: string) => ({ ...(JSON.parse(text) as object), requestId: '', detail: '' })
      expect([...outside.headers.keys()]).toEqual([...unknown.headers.keys()])
      expect(shape(outside.text)).toEqual(shape(unknown.text))
    }
  })

  it('does not expose them on the public port under other spellings or methods, or with a login', async () => {
    for (const path of [
      '/%6Danage/v1/workspaces',
      '/manage%2fv1/workspaces',
      '//manage/v1/workspaces',
      '/manage/v1/../v1/workspaces',
      '/%64ashboard',
      '/metric%73',
    ])
      expect([
        path,
        (
          await raw(
            service.url,
            `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${adminToken}\r\nConnection: close\r\n\r\n`,
          )
        ).slice(9, 12),
      ]).toEqual([path, '404'])
    const { user, password } = service.sandboxFile().dashboard
    const logIn = (url: string) =>
      get(`${url}/manage/v1/sessions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ user, password, cookie: true }),
      })
    const [outside, inside] = [await logIn(service.url), await logIn(service.manageUrl)]
    expect([outside.status, outside.headers.getSetCookie(), inside.status]).toEqual([404, [], 201])
    const cookie = inside.headers
      .getSetCookie()
      .map((text) => text.split(';')[0])
      .join('; ')
    expect(await statuses(both(service), '/manage/v1/sessions/current', { cookie })).toEqual([404, 200])
    for (const method of ['HEAD', 'OPTIONS', 'DELETE'])
      expect((await get(`${service.url}/manage/v1/workspaces`, { method, headers: admin })).status).toBe(404)
  })

  it('serves everything else on both ports, so that the links of the dashboard work', async () => {
    for (const path of [
      '/healthz',
      '/readyz',
      '/reference',
      '/docs/',
      '/openapi.json',
      '/platforms',
      '/errors',
      '/errors.json',
      '/schemas/restaurant/product.json',
    ])
      expect([path, ...(await statuses(both(service), path))]).toEqual([path, 200, 200])
    const { apiKey } = service.sandboxFile()
    expect(
      await statuses(both(service), '/unified/sandbox-square-restaurant/product?pageSize=1', bearer(apiKey)),
    ).toEqual([200, 200])
    const homes = await Promise.all(both(service).map((url) => get(url, { redirect: 'manual' })))
    expect(homes.map(({ headers }) => headers.get('location'))).toEqual(['/reference', '/dashboard'])
  })

  it('shows the public address to callers and customers, and the management address to operators', async () => {
    expect(service.sandboxFile()).toMatchObject({
      baseUrl: service.url,
      manageUrl: service.manageUrl,
      dashboard: { url: `${service.manageUrl}/dashboard` },
    })
    const manage = async (path: string, body?: object) => {
      const { text } = await get(`${service.manageUrl}/manage/v1/workspaces/sandbox${path}`, {
        headers: { ...admin, 'content-type': 'application/json' },
        ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
      })
      return JSON.parse(text) as { url: string }
    }
    const link = await manage('/connect-links', { platforms: ['square'] })
    expect(link.url).toMatch(`${service.url}/connect/`)
    expect((await get(link.url)).status).toBe(200)
    const { user, password } = service.sandboxFile().dashboard
    const { text } = await get(`${service.manageUrl}/manage/v1/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ user, password }),
    })
    const session = await get(`${service.manageUrl}/manage/v1/sessions/current`, {
      headers: bearer((JSON.parse(text) as { token: string }).token),
    })
    // For the requests that can be copied.
    expect(JSON.parse(session.text)).toMatchObject({ publicUrl: service.url })
  })

  it('rejects invalid HTTP and headers that are too large, like the public port', async () => {
    const shape = (text: string) => [text.slice(0, 12), /"code":"(\w+)"/.exec(text)?.[1]]
    for (const text of [
      'NONSENSE\r\n\r\n',
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      'GET / HTTP/1.1\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\n\r\n',
    ]) {
      const [outside, inside] = await Promise.all(both(service).map((url) => raw(url, text)))
      expect(shape(inside as string)).toEqual(shape(outside as string))
      expect(shape(inside as string)[1]).toMatch(/malformed_request|header_too_large/)
    }
  })

  it('is found by the command line with a sandbox; with the public address the message names MANAGE_PORT', async () => {
    const run = (words: string[], environment: Record<string, string> = {}) =>
      runCliHere(words, { environment: { DATA_DIR: service.dataDir, ...environment } })
    expect(await run(['accounts', 'list'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('sandbox-square-restaurant'),
    })
    const elsewhere = mkdtempSync(join(tmpdir(), 'unified-records-cli-'))
    const remote = { DATA_DIR: elsewhere, UNIREC_ADMIN_TOKEN: adminToken, UNIREC_API_KEY: service.sandboxFile().apiKey }
    const outside = await run(['accounts', 'list'], { ...remote, UNIREC_URL: service.url })
    expect([outside.code, outside.stderr]).toEqual([
      3,
      expect.stringMatching(/no management API at http.*MANAGE_PORT.*UNIREC_URL/),
    ])
    const management = { ...remote, UNIREC_URL: service.manageUrl }
    expect(await run(['accounts', 'list'], management)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('sandbox-square-restaurant'),
    })
    expect(await run(['pull', 'sandbox-square-restaurant', 'category'], management)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"externalId"'),
    })
    rmSync(elsewhere, { recursive: true, force: true })
  })
})

it('a service with MANAGE_PORT ends on SIGTERM with both listeners: requests in flight complete, idle connections are closed, new ones are rejected', async () => {
  const service = await startService({ MANAGE_PORT: '0', ADMIN_TOKEN: adminToken, SANDBOX_URL: sandbox.url })
  onTestFinished(() => service.kill('SIGKILL'))
  const { apiKey } = service.sandboxFile()
  const dispatcher = new Agent({ keepAliveTimeout: 60_000 })
  const idle = connect(Number(new URL(service.manageUrl).port), '127.0.0.1')
  idle.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(idle, 'data')
  const stall = { kind: 'stall', path: '/v2/customers', method: 'POST', times: 2, delayMs: untilCleared } as const
  sandbox.fault('square', stall)
  const write = (url: string, externalId: string) =>
    fetchWith(`${url}/unified/sandbox-square-restaurant/customer`, {
      method: 'POST',
      dispatcher,
      headers: { ...bearer(apiKey), 'content-type': 'application/json' },
      body: JSON.stringify({ externalId, name: 'Ada' }),
    })
  const responses = both(service).map((url, index) => write(url, `L-${index}`))
  await expect.poll(() => sandbox.faults('square'), { interval: 20 }).toEqual([])
  const exit = once(service.child, 'close')
  const idleEnded = once(idle, 'end')
  service.child.kill('SIGTERM')
  await idleEnded
  for (const url of both(service)) await expect.poll(() => refused(url)).toBe(true)
  sandbox.clearFaults()
  for (const response of responses) {
    const { status, headers } = await response
    expect([status, headers.get('connection')]).toEqual([201, 'close'])
  }
  expect(await exit).toEqual([0, null])
  await dispatcher.close()
  idle.destroy()
})

it('the session cookie is Secure depending on how the browser reaches the management port, not on PUBLIC_URL', async () => {
  const service = await openServiceHere({
    MANAGE_PORT: '0',
    PUBLIC_URL: 'https://api.example.com',
    SANDBOX_URL: sandbox.url,
  })
  const { user, password } = service.sandboxFile().dashboard
  const cookies = async (origin: string) => {
    const headers = { 'content-type': 'application/json', origin }
    const response = await get(`${service.manageUrl}/manage/v1/sessions`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ user, password, cookie: true }),
    })
    return response.headers.getSetCookie().map((text) => /; Secure$/.test(text))
  }
  expect([await cookies(service.manageUrl), await cookies('https://ops.example.com')]).toEqual([
    [false, false],
    [true, true],
  ])
  await service.stop()
})

it('each port has its own connection limit: a full public port does not lock operators out', async () => {
  const service = await openServiceHere({
    MANAGE_PORT: '0',
    MAX_CONNECTIONS: '2',
    ADMIN_TOKEN: adminToken,
    SANDBOX_URL: sandbox.url,
  })
  const open = async (url: string) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    return {
      socket,
      served: await new Promise((resolve) =>
        socket.once('data', () => resolve(true)).once('close', () => resolve(false)),
      ),
    }
  }
  const opened = []
  for (const url of [service.url, service.url, service.url, service.manageUrl, service.manageUrl, service.manageUrl])
    opened.push(await open(url))
  expect(opened.map(({ served }) => served)).toEqual([true, true, false, true, true, false])
  for (const { socket } of opened) socket.destroy()
  await service.stop()
})

describe('metrics', () => {
  const metrics = async (url: string, token?: string) => {
    const { status, headers, text } = await get(`${url}/metrics`, { headers: token === undefined ? {} : bearer(token) })
    return { status, text, challenge: headers.get('www-authenticate') }
  }
  let service: ServiceHere
  beforeAll(async () => {
    service = await openServiceHere({ ADMIN_TOKEN: adminToken, SANDBOX_URL: sandbox.url })
  })
  afterAll(() => service?.stop())

  it('are open in the sandbox, on the only port without MANAGE_PORT', async () => {
    expect(service.sandboxFile()).toMatchObject({ baseUrl: service.url, manageUrl: service.url })
    expect(await metrics(service.url)).toMatchObject({
      status: 200,
      text: expect.stringContaining('unified_request_seconds'),
    })
    expect(await statuses([service.url], '/manage/v1/workspaces')).toEqual([200])
    expect(await statuses([service.url], '/dashboard')).toEqual([200])
  })

  it('are closed without a sandbox until METRICS_TOKEN or MANAGE_PORT is set, with a message', async () => {
    const service = await openServiceHere({ SANDBOX: 'off', ADMIN_PASSWORD: adminToken })
    const { status, text } = await metrics(service.url)
    expect([status, JSON.parse(text)]).toEqual([
      404,
      expect.objectContaining({ code: 'not_found', detail: expect.stringMatching(/METRICS_TOKEN.*MANAGE_PORT/) }),
    ])
    expect((await metrics(service.url, adminToken)).status).toBe(404)
    await service.stop()
  })

  it.each<Record<string, string>>([{}, { MANAGE_PORT: '0' }])(
    'require the METRICS_TOKEN if one is set (%j)',
    async (environment) => {
      const service = await openServiceHere({
        SANDBOX: 'off',
        ADMIN_PASSWORD: adminToken,
        METRICS_TOKEN: metricsToken,
        ADMIN_TOKEN: adminToken,
        ...environment,
      })
      const { manageUrl } = service
      expect(await metrics(manageUrl)).toMatchObject({ status: 401, challenge: 'Bearer realm="unified-records"' })
      for (const wrong of [
        adminToken,
        metricsToken.slice(1),
        `${metricsToken.slice(0, -1)}!`,
        `x${metricsToken.slice(1)}`,
      ])
        expect(await metrics(manageUrl, wrong), wrong).toMatchObject({
          status: 401,
          challenge: expect.stringContaining('Bearer realm="unified-records", error="invalid_'),
        })
      expect(await metrics(manageUrl, metricsToken)).toMatchObject({
        status: 200,
        text: expect.stringContaining('unified_request_seconds'),
      })
      if (manageUrl !== service.url) expect((await metrics(service.url, metricsToken)).status).toBe(404)
      await service.stop()
    },
  )

  it('contain no text from callers: routes are patterns, methods and platforms are known names', async () => {
    const canary = `canary${randomBytes(8).toString('hex')}`
    for (const path of [
      `/${canary}`,
      `/connect/urcl_${canary}`,
      `/connect/callback?code=${canary}`,
      `/unified/${canary}/${canary}/${canary}`,
      `/manage/v1/workspaces/${canary}`,
      `/dashboard/${canary}`,
    ])
      await get(service.url + path, { headers: admin })
    await raw(
      service.url,
      `GET /unified/x HTTP/1.1\r\nHost: ${canary}\r\nUser-Agent: ${canary}\r\nConnection: close\r\n\r\n`,
    )
    await raw(service.url, `${canary.toUpperCase()} / HTTP/1.1\r\nHost: x\r\n\r\n`)
    const { text } = await metrics(service.url)
    expect(text.toLowerCase()).not.toContain(canary)
    expect(text).toContain('route="/connect/:token"')
    expect(text).toContain('route="none"')
  })
})

describe('a start with an invalid configuration', () => {
  let taken: Server
  let port: string
  const dataDir = mkdtempSync(join(tmpdir(), 'unified-records-taken-'))
  beforeAll(async () => {
    taken = createServer()
    port = String(await listenHere(taken))
  })
  afterAll(() => {
    taken.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const start = (environment: Record<string, string>, ...words: string[]) =>
    promisify(execFile)(process.execPath, ['dist/main.mjs', ...words], {
      cwd: join(import.meta.dirname, '../..'),
      env: { ...process.env, SANDBOX: 'off', DATA_DIR: dataDir, ...environment },
    }).then(
      () => undefined,
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
    )

  it.each(['PORT', 'MANAGE_PORT'])('names %s when its port is in use, before and after its work', async (name) => {
    const message = `${name} ${port} is already in use on 127.0.0.1. Stop the other process, or set ${name} to a free port.`
    const environment = { PORT: '0', MANAGE_PORT: '0', [name]: port }
    const DATA_DIR = join(dataDir, `new for ${name}`)
    // The next start finds the key that this one has created, and no longer says so.
    const stdout = expect.stringContaining('created a new encryption key')
    const failed = await start({ ...environment, DATA_DIR, ENCRYPTION_KEY: '' })
    expect(failed).toMatchObject({ code: 1, stderr: `cannot start: ${message}\n`, stdout })
    expect(existsSync(sqliteFileIn(DATA_DIR))).toBe(false)
    const late = join(dataDir, name)
    const config = readConfig({ ...environment, SANDBOX: 'off', DATA_DIR: late, LOG_LEVEL: 'fatal' })
    await copyMigrated(late)
    const service = await assembleService(config)
    await expect(service.listen()).rejects.toThrow(message)
    await service.close()
  })
  it('names a data directory that another process uses, before anything else is started', async () => {
    const lock = lockDirectory(dataDir)
    let connections = 0
    taken.on('connection', () => connections++)
    const failed = await start({ PORT: '0', SANDBOX: 'on', SANDBOX_URL: `http://127.0.0.1:${port}` })
    lock.release()
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining(`another process uses ${dataDir}`) })
    expect(connections).toBe(0)
  })
  it.each([
    [{ PORT: '9000', MANAGE_PORT: '9000' }, 'MANAGE_PORT must differ from PORT; both are 9000'],
    [
      { PORT: '0', MANAGE_PORT: '0', MANAGE_HOST: '192.0.2.1' },
      'MANAGE_HOST 192.0.2.1 is not an address of this machine.',
    ],
    [{ PORT: '0', HOST: '192.0.2.1' }, 'HOST 192.0.2.1 is not an address of this machine.'],
    [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN must have at least 16 characters'],
  ])('%j fails with the reason', async (environment, message) => {
    expect(await start(environment)).toMatchObject({ code: 1, stderr: `cannot start: ${message}\n` })
  })
  it('says where flags are understood', async () => {
    const stderr = expect.stringMatching(/^cannot start: this program takes no flags\..*\nSee: unirec serve --help\n$/)
    expect(await start({ METRICS_TOKEN: 'short' }, '--port', '9000')).toMatchObject({ code: 2, stderr })
  })
})
