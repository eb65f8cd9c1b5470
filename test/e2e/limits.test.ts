// What one caller, or one address, may take of an instance, and what an instance takes on.
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { few } from '../../src/api/load.ts'
import { formBPrefix } from '../../src/api/openapi.ts'
import type { Service } from '../../src/service.ts'
import { closeServices, startBare as start } from './bare-service.ts'

afterEach(closeServices)

/** Something holds the process up, turn after turn, for a while. */
async function lateTurns(): Promise<undefined> {
  for (let turn = 0; turn < 5; turn++) {
    for (const until = performance.now() + 40; performance.now() < until; );
    await sleep(1)
  }
}
/** Holds every look at an account until it is let go. */
function gate({ store }: Service) {
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
  const inside = (requests: number) => vi.waitUntil(() => held >= requests, { timeout: 5_000, interval: 5 })
  return { open, inside, count: () => held }
}

describe('a credential', () => {
  it('has only so many requests under way; others have theirs', async () => {
    const { service, send, key } = await start({ credentialConcurrency: 2 })
    const [one, other] = [await key(), await key()]
    const { open } = gate(service)
    const held = [send('GET', '/unified/x', one.key), send('GET', '/unified/x', one.key)]
    const third = await send('GET', '/unified/x', one.key)
    expect([third.statusCode, third.json().code, third.headers['retry-after']]).toEqual([429, 'too_many_requests', '1'])
    const elsewhere = send('GET', '/unified/x', other.key)
    open()
    expect((await Promise.all([...held, elsewhere])).map(({ statusCode }) => statusCode)).toEqual([404, 404, 404])
    expect((await send('GET', '/unified/x', one.key)).statusCode).toBe(404)
  })
  it('has only so many requests in a minute', async () => {
    const { send, key } = await start({ credentialPerMinute: 3 })
    const { key: token } = await key()
    const codes: number[] = []
    for (let index = 0; index < 5; index++) codes.push((await send('GET', '/unified/x', token)).statusCode)
    expect(codes).toEqual([404, 404, 404, 429, 429])
  })
  it('gets its place back when its caller goes away without an answer', async () => {
    const { service, key } = await start({ credentialConcurrency: 1 })
    const { key: token } = await key()
    const { port, origin, hostname } = new URL(await service.listen())
    const held = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds, 'held'))
    const ask = async () => (await fetch(`${origin}/unified/x`, { headers: { authorization: `Bearer ${token}` } })).status
    const { open, inside } = gate(service)
    const socket = connect(Number(port), hostname)
    socket.write(`GET /unified/x HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\n\r\n`)
    await inside(1)
    expect(await ask()).toBe(429)
    socket.destroy()
    while ((await Promise.race([ask(), held(300)])) === 429) await held(20)
    open()
  })
})

describe('wrong secrets', () => {
  it('of one API key or access id are refused unseen after twenty in a minute, from that address', async () => {
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
    expect((await send('GET', '/unified/x', token)).statusCode).toBe(429)
    expect((await send('GET', '/unified/x', token, { from: '10.0.0.2' })).statusCode).toBe(404)
    const exchange = (secret: string, remoteAddress: string) =>
      service.app.inject({
        method: 'POST',
        url: `${formBPrefix}/oauth/server/access-token`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ grant_type: 'client_credentials', client_id: access.id, client_secret: secret }).toString(),
        remoteAddress,
      })
    for (let index = 0; index < 20; index++) expect((await exchange('wrong', '10.0.0.3')).statusCode).toBe(401)
    const refused = await exchange(access.secret, '10.0.0.3')
    expect([refused.statusCode, refused.json().code, Number(refused.headers['retry-after']) > 0]).toEqual([429, 'too_many_requests', true])
    expect((await exchange(access.secret, '10.0.0.4')).statusCode).toBe(200)
  })
  it('are counted by the address that a trusted proxy names, not by one that anybody names', async () => {
    const trusting = await start({}, ['10.0.0.0/8'])
    const bad = (named: string) => trusting.send('GET', '/unified/x', `urk_abcd.${'x'.repeat(40)}`, { headers: { 'x-forwarded-for': named } })
    for (let index = 0; index < 20; index++) await bad('203.0.113.1')
    expect([(await bad('203.0.113.1')).statusCode, (await bad('203.0.113.2')).statusCode]).toEqual([429, 401])
    const wary = await start()
    const lied = (named: string) => wary.send('GET', '/unified/x', `urk_abcd.${'x'.repeat(40)}`, { headers: { 'x-forwarded-for': named } })
    for (let index = 0; index < 20; index++) await lied(`203.0.113.${index}`)
    expect((await lied('203.0.113.99')).statusCode).toBe(429)
  })
})

describe('an instance', () => {
  it('holds only so many requests; health checks and management get through', async () => {
    const { service, send, key, adminToken } = await start({ maxInFlight: 2 })
    const { key: token } = await key()
    const { open } = gate(service)
    const held = [send('GET', '/unified/x', token), send('GET', '/unified/x', token)]
    const third = await send('GET', '/unified/x', token)
    expect([third.statusCode, third.json().code, third.headers['retry-after'], third.headers['content-type']]).toEqual([
      503,
      'unavailable',
      '5',
      'application/problem+json; charset=utf-8',
    ])
    for (const path of ['/healthz', '/readyz', '/metrics', '/manage/v1/workspaces']) expect((await send('GET', path, adminToken)).statusCode, path).toBe(200)
    expect((await send('GET', '/metrics', '')).payload).toContain('unified_shed_total{reason="full"} 1')
    open()
    expect((await Promise.all(held)).map(({ statusCode }) => statusCode)).toEqual([404, 404])
  })
  it('refuses at once while it cannot keep up, before anything else looks at the request; health checks and management get through', async () => {
    const { service, key, adminToken } = await start({ shedLagMs: 5 })
    const url = await service.listen()
    const { key: token } = await key()
    const { open, inside } = gate(service)
    const get = (path: string, bearer: string) => fetch(url + path, { headers: { authorization: `Bearer ${bearer}` } })
    const held = Array.from({ length: few }, () => get('/unified/x', token))
    await inside(held.length)
    let refused: Response | undefined
    for (let tries = 0; !refused && tries < 50; tries++) refused = await Promise.race([get('/unified/x', token), lateTurns()])
    expect([refused?.status, refused?.headers.get('retry-after'), refused?.headers.get('content-type')]).toEqual([503, '1', 'application/problem+json; charset=utf-8'])
    expect(await refused?.json()).toMatchObject({ code: 'unavailable', requestId: refused?.headers.get('x-request-id') })
    for (const path of ['/healthz', '/readyz', '/manage/v1/workspaces']) expect((await get(path, adminToken)).status, path).toBe(200)
    expect(await (await get('/metrics', '')).text()).toMatch(/unified_shed_total\{reason="busy"\} [1-9]/)
    open()
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual(held.map(() => 404))
  })
  it('has room again as soon as it rests, however many requests wait for a slow platform', async () => {
    const { service, key } = await start({ shedLagMs: 5 })
    const url = await service.listen()
    const { key: token } = await key()
    const { open, count } = gate(service)
    const held: Promise<Response>[] = []
    /** Answers the status of a refusal; one that was let in waits behind the gate. */
    const ask = async (meanwhile: Promise<unknown>) => {
      const asked = fetch(`${url}/unified/x`, { headers: { authorization: `Bearer ${token}` } })
      const answer = await Promise.race([asked, meanwhile.then(() => undefined)])
      await meanwhile
      if (!answer) held.push(asked)
      return answer?.status
    }
    while (held.length < 10 * few) await ask(sleep(50))
    while ((await ask(lateTurns())) !== 503);
    // Counted behind the gate: on a busy machine a refusal may be as late as a request that waits.
    const before = count()
    while (count() === before) await ask(sleep(50))
    open()
    const statuses = (await Promise.all(held)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 404).length).toBeGreaterThan(0)
  })
  it('gives headers, requests and idle connections a limited time', async () => {
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
