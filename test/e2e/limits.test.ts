// The limits of one caller and one address, and the load that an instance accepts.
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { recordConcurrency } from '../../src/api/admission.ts'
import { formBPrefix } from '../../src/api/record-operations.ts'
import type { Service } from '../../src/service.ts'
import { quiet, until } from '../until.ts'
import { closeServices, startBare as start } from './bare-service.ts'

afterEach(closeServices)

/** Blocks every lookup of an account until it is released. */
function blockLookups({ store }: Service) {
  let open = () => {}
  let held = 0
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const get = store.accounts.get
  store.accounts.get = async (id) => {
    held++
    await opened
    return get(id)
  }
  const inside = (requests: number) => until(`${requests} lookups`, () => held >= requests)
  return { open, inside }
}

describe('a credential', () => {
  it('has a limited number of concurrent requests; other credentials are not affected', async () => {
    const { service, send, key } = await start({ credentialConcurrency: 2 })
    const [one, other] = [await key(), await key()]
    const { open, inside } = blockLookups(service)
    const held = [send('GET', '/unified/x', one.key), send('GET', '/unified/x', one.key)]
    await inside(2)
    const third = await send('GET', '/unified/x', one.key)
    expect([third.statusCode, third.json().code, third.headers['retry-after']]).toEqual([429, 'too_many_requests', '1'])
    const elsewhere = send('GET', '/unified/x', other.key)
    open()
    expect((await Promise.all([...held, elsewhere])).map(({ statusCode }) => statusCode)).toEqual([404, 404, 404])
    expect((await send('GET', '/unified/x', one.key)).statusCode).toBe(404)
  })
  it('has a limited number of requests per minute', async () => {
    const { send, key } = await start({ credentialPerMinute: 3 })
    const { key: token } = await key()
    const codes: number[] = []
    for (let index = 0; index < 5; index++) codes.push((await send('GET', '/unified/x', token)).statusCode)
    expect(codes).toEqual([404, 404, 404, 429, 429])
  })
  it('regains its capacity when its caller disconnects before the response', async () => {
    const { service, key } = await start({ credentialConcurrency: 1 })
    const { key: token } = await key()
    const { port, origin, hostname } = new URL(await service.listen())
    const ask = async () =>
      (await fetch(`${origin}/unified/x`, { headers: { authorization: `Bearer ${token}` } })).status
    const { open, inside } = blockLookups(service)
    const socket = connect(Number(port), hostname)
    socket.write(`GET /unified/x HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\n\r\n`)
    await inside(1)
    expect(await ask()).toBe(429)
    socket.destroy()
    const admitted = inside(2)
    let asked: Promise<number | undefined>
    do asked = ask()
    while ((await Promise.race([asked, admitted.then(() => undefined)])) === 429)
    open()
    expect(await asked).toBe(404)
  })
})

describe('wrong secrets', () => {
  it('of one API key or access id get 429 after twenty per minute from that address; the right one still works there', async () => {
    const { service, send, key, access } = await start()
    const { key: token, id } = await key()
    const codes = new Map<number, number>()
    for (let index = 0; index < 25; index++) {
      const { statusCode } = await send('GET', '/unified/x', `${id}.${'x'.repeat(40)}`)
      codes.set(statusCode, (codes.get(statusCode) ?? 0) + 1)
    }
    expect([...codes]).toEqual([
      [401, 20],
      [429, 5],
    ])
    expect((await send('GET', '/unified/x', token)).statusCode).toBe(404)
    expect((await send('GET', '/unified/x', token, { from: '10.0.0.2' })).statusCode).toBe(404)
    const exchange = (secret: string, remoteAddress: string) =>
      service.app.inject({
        method: 'POST',
        url: `${formBPrefix}/oauth/server/access-token`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: access.id,
          client_secret: secret,
        }).toString(),
        remoteAddress,
      })
    for (let index = 0; index < 20; index++) expect((await exchange('wrong', '10.0.0.3')).statusCode).toBe(401)
    expect((await exchange(access.secret, '10.0.0.3')).statusCode).toBe(200)
    const refused = await exchange('wrong', '10.0.0.3')
    expect([refused.statusCode, refused.json().code, Number(refused.headers['retry-after']) > 0]).toEqual([
      429,
      'too_many_requests',
      true,
    ])
    expect((await exchange(access.secret, '10.0.0.4')).statusCode).toBe(200)
  })
  it('are counted by the address from a trusted proxy, not by one that any caller sends', async () => {
    const trusting = await start({}, ['10.0.0.0/8'])
    const bad = (named: string) =>
      trusting.send('GET', '/unified/x', `urk_abcd.${'x'.repeat(40)}`, { headers: { 'x-forwarded-for': named } })
    for (let index = 0; index < 20; index++) await bad('203.0.113.1')
    expect([(await bad('203.0.113.1')).statusCode, (await bad('203.0.113.2')).statusCode]).toEqual([429, 401])
    const wary = await start()
    const lied = (named: string) =>
      wary.send('GET', '/unified/x', `urk_abcd.${'x'.repeat(40)}`, { headers: { 'x-forwarded-for': named } })
    for (let index = 0; index < 20; index++) await lied(`203.0.113.${index}`)
    expect((await lied('203.0.113.99')).statusCode).toBe(429)
  })
})

describe('an instance', () => {
  /** Over real connections, because admission comes before everything else. */
  async function listening(limits: Parameters<typeof start>[0]) {
    const { service, key, adminToken } = await start(limits)
    const url = await service.listen()
    const { key: token } = await key()
    const get = (path: string, bearer = token) => fetch(url + path, { headers: { authorization: `Bearer ${bearer}` } })
    return { service, adminToken, get }
  }
  /** Requests that are never rejected, under any load. */
  async function expectOpen({ get, adminToken }: Awaited<ReturnType<typeof listening>>) {
    for (const path of [
      '/healthz',
      '/readyz',
      '/metrics',
      '/manage/v1/workspaces',
      '/dashboard',
      '/reference',
      '/openapi.json',
      '/errors',
      '/platforms',
    ])
      expect((await get(path, adminToken)).status, path).toBe(200)
    expect((await get('/connect/none')).status).toBe(404)
  }
  const statusesOf = async (asked: Promise<Response>[]) => [
    ...new Set((await Promise.all(asked)).map(({ status }) => status)),
  ]

  it('accepts a limited number of record requests; health checks, management and pages still work', async () => {
    const instance = await listening({ maxInFlight: 2 })
    const { open, inside } = blockLookups(instance.service)
    const held = [instance.get('/unified/x'), instance.get('/unified/x')]
    await inside(2)
    const third = await instance.get('/unified/x')
    expect([third.status, third.headers.get('retry-after'), third.headers.get('content-type')]).toEqual([
      503,
      '5',
      'application/problem+json; charset=utf-8',
    ])
    expect(await third.json()).toMatchObject({ code: 'unavailable', requestId: third.headers.get('x-request-id') })
    await expectOpen(instance)
    expect(await (await instance.get('/metrics', instance.adminToken)).text()).toContain(
      'unified_shed_total{reason="memory"} 1',
    )
    open()
    expect(await statusesOf(held)).toEqual([404])
    expect((await instance.get('/unified/x')).status).toBe(404)
  })
  it('queues what it cannot serve at once, rejects only if the expected wait is too long, and never rejects pages or management', async () => {
    const instance = await listening({ shedWaitMs: 100 })
    const { get } = instance
    const { open, inside } = blockLookups(instance.service)
    const held = Array.from({ length: recordConcurrency + 20 }, () => get('/unified/x'))
    await inside(recordConcurrency)
    // Nothing moves: after the queue has not moved for 100 ms, another request would wait longer than that.
    let refused: Response | undefined
    while (!refused) {
      const asked = get('/unified/x')
      refused = (await Promise.race([asked, quiet(50)])) ?? undefined
      if (!refused) held.push(asked)
    }
    expect([refused.status, Number(refused.headers.get('retry-after')) >= 1]).toEqual([503, true])
    expect(await refused.json()).toMatchObject({ code: 'unavailable', requestId: refused.headers.get('x-request-id') })
    await expectOpen(instance)
    expect(await (await get('/metrics', instance.adminToken)).text()).toMatch(
      /unified_shed_total\{reason="wait"\} [1-9]/,
    )
    open()
    // Which of them came first is a matter of their connections.
    const served = (await Promise.all(held)).filter(({ status }) => status === 404)
    expect(served.length).toBeGreaterThanOrEqual(recordConcurrency)
    expect((await get('/unified/x')).status).toBe(404)
  })
  it('serves a whole burst', async () => {
    const { get } = await listening({ shedWaitMs: 60_000 })
    expect(await statusesOf(Array.from({ length: 500 }, () => get('/unified/x')))).toEqual([404])
  })
  it('serves callers during a flood of pages, and pages while callers do not read their responses', async () => {
    const { service, get } = await listening({})
    const { port, hostname } = new URL(service.url())
    const pages = Array.from({ length: 200 }, () => get('/reference'))
    expect((await get('/unified/x')).status).toBe(404)
    expect(await statusesOf(pages)).toEqual([200])
    // Requests for a large page by callers that never read it.
    const sockets = Array.from({ length: 100 }, () => connect(Number(port), hostname))
    for (const socket of sockets) socket.pause().write('GET /openapi.json HTTP/1.1\r\nhost: a\r\n\r\n')
    expect((await get('/openapi.json')).status).toBe(200)
    expect((await get('/dashboard')).status).toBe(200)
    for (const socket of sockets) socket.destroy()
  })
  it('limits the time of headers, requests and idle connections', async () => {
    const { service } = await start()
    await service.app.ready()
    const { headersTimeout, requestTimeout, keepAliveTimeout, timeout, maxConnections } = service.app.server
    expect({ headersTimeout, requestTimeout, keepAliveTimeout, timeout, maxConnections }).toEqual({
      headersTimeout: 20_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 72_000,
      timeout: 180_000,
      maxConnections: 1000,
    })
  })
})
