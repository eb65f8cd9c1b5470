// The next page of a walk is read while its caller works on the current one. Callers notice nothing but the time.
import { afterEach, describe, expect, inject, it } from 'vitest'
import { createHarness, type Harness, type Reply } from '../../src/conformance/harness.ts'
import type { AnyRecord } from '../../src/conformance/subject.ts'
import type { Connector } from '../../src/contract/connector.ts'
import { square } from '../../src/platforms/square/connector.ts'
import { createSquareSimulator } from '../../src/platforms/square/simulator/simulator.ts'
import { freshDatabase } from '../postgres.ts'
import { quiet, until, untilCleared } from '../until.ts'

let harness: Harness
afterEach(() => harness?.close())

const generous = [{ requests: 1_000, seconds: 1 }]
const base = '/unified/square-restaurant'

async function start(
  limits: Partial<Pick<Connector, 'limit' | 'dailyLimit' | 'concurrency'>> = {},
  readAhead = true,
  databaseUrl?: string,
): Promise<void> {
  harness = await createHarness({
    connectors: { square: { ...square, limit: generous, ...limits } },
    simulators: { square: createSquareSimulator },
    platform: 'square',
    ...(databaseUrl ? { databaseUrl, instances: 1 } : { ownDisk: true }),
    paceScale: 1,
    callTimeoutMs: untilCleared,
    readAhead,
  })
  harness.tenants.find(({ vertical }) => vertical === 'restaurant')?.records.customer?.add(12)
}
const pages = () =>
  harness.sandbox.calls('square').filter(({ method, path }) => method === 'GET' && path === '/v2/customers')
/** Calls are logged when they end. */
const untilPages = (count: number) => until(`${count} pages`, () => pages().length >= count)
async function read(query: string): Promise<Reply> {
  const reply = await harness.call('GET', `${base}/customer?${query}`, undefined, { prefer: 'wait=60' })
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  return reply
}
const next = ({ body }: Reply) => read(`cursor=${body.pagination.cursor}`)
/** The first two pages: from the second on, a walk is in progress. */
async function beginWalk(): Promise<Reply> {
  return next(await read('pageSize=2'))
}
/** A call of the account after the page: what was sent before it has arrived. */
async function afterwards(record: AnyRecord): Promise<void> {
  expect((await harness.call('GET', `${base}/customer/${record.externalId}`)).status).toBe(200)
}
const outcomes = async (): Promise<Record<string, number>> => {
  const text = await (await fetch(`${harness.url}/metrics`)).text()
  return Object.fromEntries(
    [...text.matchAll(/^unified_read_ahead_total\{outcome="(\w+)"\} (\d+)/gm)].map(([, name, count]) => [
      name,
      Number(count),
    ]),
  )
}
async function traceOf({ headers }: Reply): Promise<AnyRecord> {
  const path = `/activity/${headers.get('x-request-id')}`
  return until('the activity', async () => {
    const { status, body } = await harness.manage('GET', path)
    return status === 200 && body
  })
}

describe('the next page of a walk', () => {
  it('is read after a request with a cursor, and the request for it makes no call', async () => {
    await start()
    const first = await read('pageSize=2')
    await afterwards(first.body.data[0])
    expect(pages()).toHaveLength(1) // one page is no walk
    const second = await next(first)
    await untilPages(3)
    harness.sandbox.fault('square', { kind: 'error_before', method: 'GET', path: '/v2/customers' })
    const third = await next(second) // a call would fail
    harness.sandbox.clearFaults('square')
    expect(third.body.data).toHaveLength(2)
    expect((await outcomes()).used).toBe(1)
    const { nativeCalls, platformMs, trace } = await traceOf(third)
    expect({ nativeCalls, platformMs }).toEqual({ nativeCalls: 1, platformMs: 0 })
    expect(trace.calls).toMatchObject([{ method: 'GET', status: 200, readAhead: true, waitedMs: expect.any(Number) }])
    expect(trace.calls[0].startMs).toBeLessThan(0)
    expect((await traceOf(second)).trace.calls).toEqual([expect.not.objectContaining({ readAhead: true })])
  })

  it('has the records of a list in one page, in the same order', async () => {
    await start()
    const all = (await read('pageSize=50')).body
    expect(all.pagination).toEqual({ hasMore: false })
    const walked: AnyRecord[] = []
    let reply = await read('pageSize=2')
    for (; reply.body.pagination.cursor; reply = await next(reply)) walked.push(...reply.body.data)
    expect([...walked, ...reply.body.data]).toEqual(all.data)
    expect((await outcomes()).used).toBeGreaterThan(2)
  })

  it('is awaited if it is still being read', async () => {
    await start()
    harness.sandbox.fault('square', {
      kind: 'stall',
      method: 'GET',
      path: '/v2/customers',
      delayMs: untilCleared,
      skip: 2,
      times: 1,
    })
    const second = await beginWalk()
    await untilPages(3)
    const awaiting = next(second)
    expect(await Promise.race([awaiting, quiet(200)]), 'it waits').toBeUndefined()
    harness.sandbox.clearFaults('square')
    const third = await awaiting
    expect(third.body.data).toHaveLength(2)
    const { trace } = await traceOf(third)
    expect(trace.calls).toMatchObject([{ status: 200, readAhead: true }])
    expect(pages().filter(({ fault }) => fault)).toHaveLength(1)
  })

  it('is served once: a repeated request reads it again', async () => {
    await start()
    const second = await beginWalk()
    await untilPages(3)
    const third = await next(second)
    await untilPages(4)
    const again = await next(second)
    expect(again.body.data).toEqual(third.body.data)
    await untilPages(5)
    expect((await traceOf(again)).trace.calls).toEqual([expect.not.objectContaining({ readAhead: true })])
  })

  it('is the only page that is read for a walk that stops', async () => {
    await start()
    const second = await beginWalk()
    await untilPages(3)
    await afterwards(second.body.data[0])
    expect(pages()).toHaveLength(3)
  })

  it('is read on PostgreSQL, too, where slots are reserved in the database', async () => {
    await start({ concurrency: 5 }, true, await freshDatabase(inject('postgresUrl'), inject('postgresTemplate')))
    // A page is only read ahead where a slot is free at once. A slow database may take longer, and the next try comes
    // ten seconds later.
    let reply = await beginWalk()
    while (!(await outcomes()).used) {
      reply = reply.body.pagination.cursor ? await next(reply) : await beginWalk()
      await quiet(100)
    }
    expect((await traceOf(reply)).trace.calls).toMatchObject([{ readAhead: true }])
  })

  it('is not read with READ_AHEAD=off', async () => {
    await start({}, false)
    const second = await beginWalk()
    await afterwards(second.body.data[0])
    expect(pages()).toHaveLength(2)
  })
})

describe('a page that was read ahead is dropped', () => {
  it('by a write to the account', async () => {
    await start()
    const all = (await read('pageSize=50')).body.data as AnyRecord[]
    const target = all[4] as AnyRecord // on the third page
    const second = await beginWalk()
    await untilPages(4)
    const { status, body } = await harness.call('PUT', `${base}/customer/${target.externalId}`, {
      ...target,
      name: 'Renamed Now',
    })
    expect([status, body.data?.name], JSON.stringify(body)).toEqual([200, 'Renamed Now'])
    const third = await next(second)
    expect(third.body.data[0]).toMatchObject({ externalId: target.externalId, name: 'Renamed Now' })
    expect(await outcomes()).toMatchObject({ unused: 1 })
  })

  it('when the account is disabled, and when its settings change', async () => {
    await start()
    const second = await beginWalk()
    await untilPages(3)
    expect((await harness.manage('POST', '/accounts/square-restaurant/disable')).status).toBe(200)
    expect(await outcomes()).toEqual({ unused: 1 })
    const refused = await harness.call('GET', `${base}/customer?cursor=${second.body.pagination.cursor}`)
    expect(refused.body.code).toBe('account_disabled')
    expect((await harness.manage('POST', '/accounts/square-restaurant/enable')).status).toBe(200)
    const third = await next(second)
    await untilPages(5)
    expect((await harness.manage('PATCH', '/accounts/square-restaurant', { name: 'Corner' })).status).toBe(200)
    expect(await outcomes()).toEqual({ unused: 2 })
    expect((await next(third)).body.data).toHaveLength(2)
  })
})

describe('a failure while a page is read ahead', () => {
  it('is not visible: the request reads the page', async () => {
    await start()
    harness.sandbox.fault('square', { kind: 'error_before', method: 'GET', path: '/v2/customers', skip: 2, times: 1 })
    const second = await beginWalk()
    await until('the failure', () => pages().some(({ status }) => status === 500))
    await expect.poll(async () => (await outcomes()).failed).toBe(1)
    const third = await next(second)
    expect(third.body.data).toHaveLength(2)
    expect((await traceOf(third)).trace.calls).toMatchObject([{ status: 200 }])
    expect(pages().map(({ status }) => status)).toEqual([200, 200, 500, 200]) // not repeated, and none for a while
  })

  it('of the token renews nothing before a request needs it', async () => {
    await start()
    harness.sandbox.fault('square', { kind: 'expired_token', method: 'GET', path: '/v2/customers', skip: 2, times: 1 })
    const tokens = () => harness.sandbox.calls('square').filter(({ path }) => path.includes('/oauth2/'))
    const second = await beginWalk()
    await expect.poll(async () => (await outcomes()).failed).toBe(1)
    expect(pages().at(-1)?.status).toBe(401)
    expect(tokens()).toEqual([])
    expect((await next(second)).body.data).toHaveLength(2)
    expect(tokens().length).toBeGreaterThan(0)
  })
})

describe('nothing is read ahead', () => {
  it('when more than half of a window is used', async () => {
    await start({ limit: [{ requests: 20, seconds: 600 }] })
    const left = ({ headers }: Reply) => Number(/;r=(\d+);/.exec(headers.get('ratelimit') ?? '')?.[1])
    let reply = await beginWalk()
    expect(left(reply)).toBeGreaterThanOrEqual(10)
    await untilPages(3)
    while (left(reply) >= 10) reply = await read('pageSize=2')
    const before = pages().length
    reply = await next(reply)
    await afterwards(reply.body.data[0])
    expect(pages()).toHaveLength(before + 1)
    expect(left(reply)).toBeGreaterThan(0)
  })

  it('when the calls of the day run short', async () => {
    await start({ dailyLimit: { calls: 200 } })
    const used = async () => (await harness.call('GET', base)).body.dailyLimit.used as number
    let reply = await beginWalk()
    await untilPages(3)
    while ((await used()) <= 180) reply = await read('pageSize=2')
    const before = pages().length
    reply = await next(reply)
    await afterwards(reply.body.data[0])
    expect(pages()).toHaveLength(before + 1)
  })
})
