import { afterEach, describe, expect, it } from 'vitest'
import { type ClientOptions, createClient, type ResponseInfo, UnifiedError } from '../../packages/client/src/index.ts'
import {
  collect,
  createScriptedServer,
  page,
  problem,
  type Script,
  type Scripted,
  type ScriptedServer,
  written,
} from './scripted-server.ts'

const open: ScriptedServer[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})
async function start(script: Script | Scripted[], options: Partial<ClientOptions> = {}) {
  const server = await createScriptedServer(script)
  open.push(server)
  const observed: ResponseInfo[] = []
  const client = createClient({
    url: `${server.url}/`,
    apiKey: 'urk_test.secret',
    onResponse: (info) => observed.push(info),
    ...options,
  })
  return { server, observed, products: client.account('shop 1').product }
}
const failure = async (promise: PromiseLike<unknown>): Promise<UnifiedError> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(UnifiedError)
  return error as UnifiedError
}
const record = { externalId: 'A', name: 'Tea' }

describe('a call that failed', () => {
  it.each<[string, Scripted]>([
    ['too many requests', problem(429, 'too_many_requests')],
    ['the platform failed', problem(502, 'downstream_error')],
    ['the service is shutting down', problem(503, 'unavailable')],
    ['the platform did not respond', problem(504, 'downstream_timeout')],
    ['an error in the service', problem(500, 'internal_error')],
    ['the same key is being written', problem(409, 'write_in_progress')],
    ['an outcome that is not known yet', problem(409, 'outcome_unknown')],
    ['the response of a proxy', { status: 502, headers: { 'retry-after': '0' }, body: '<h1>Bad gateway</h1>' }],
    [
      'a Retry-After date in the past',
      problem(429, 'too_many_requests', { 'retry-after': 'Wed, 15 Jul 2020 15:04:05 GMT' }),
    ],
  ])('is retried with the same content after: %s', async (_, first) => {
    const { server, products } = await start([first, written('A')])
    expect((await products.create(record)).reference).toEqual({ externalId: 'A', id: 'native-A', replayed: false })
    expect(server.asked.map(({ method, path, body }) => [method, path, JSON.parse(body)])).toEqual(
      Array(2).fill(['POST', '/unified/shop%201/product', record]),
    )
  })

  it('is retried when the connection breaks before or during the response, and when the response is not JSON', async () => {
    const { server, observed, products } = await start([
      { cut: 'before' },
      { ...written('A'), cut: 'amid' },
      { body: 'cut sho' },
      written('A', true),
    ])
    expect((await products.create(record)).reference.replayed).toBe(true)
    expect(server.asked).toHaveLength(4)
    expect(observed.map(({ status, attempt }) => [status, attempt])).toEqual([
      [0, 1],
      [0, 2],
      [200, 3],
      [200, 4],
    ])
  })

  it('is retried after a timeout', async () => {
    const { products } = await start([{ silent: true }, page([1])], { timeoutMs: 1_000 })
    expect((await products.list()).data).toHaveLength(1)
  })

  it('fails after maxRetries with the last error', async () => {
    const { server, products } = await start(
      [
        problem(
          502,
          'downstream_error',
          { 'retry-after': '0' },
          { downstream: { platform: 'square', status: 500, message: 'oops' } },
        ),
      ],
      {
        maxRetries: 2,
      },
    )
    const error = await failure(products.get('1'))
    expect(server.asked).toHaveLength(3)
    expect({ ...error }).toMatchObject({
      code: 'downstream_error',
      status: 502,
      retryAfter: 0,
      requestId: 'req_1',
      downstream: { platform: 'square', status: 500, message: 'oops' },
    })
  })

  it.each<[string, Scripted]>([
    [
      'a rejected record',
      problem(422, 'validation_failed', {}, { errors: [{ pointer: '/name', message: 'is missing' }] }),
    ],
    ['an account that must be reconnected', problem(502, 'reconnect_required')],
    ['a limit that lasts longer than a minute', problem(429, 'too_many_requests', { 'retry-after': '3600' })],
    ['a redirect, which would lose the body', { status: 301, headers: { location: 'http://127.0.0.1:9/' } }],
  ])('is not retried after %s', async (_, response) => {
    const { server, products } = await start([response])
    const error = await failure(products.create(record))
    expect([server.asked.length, error.status]).toEqual([1, response.status])
  })

  it('returns the invalid fields, the differences, and when to retry', async () => {
    const { products } = await start([
      problem(422, 'validation_failed', {}, { errors: [{ pointer: '/name', message: 'is missing' }] }),
      problem(
        409,
        'idempotency_conflict',
        {},
        { id: 'N1', differences: [{ pointer: '/name', written: 'Tea', asked: 'Coffee' }] },
      ),
      problem(429, 'too_many_requests', { 'retry-after': '3600' }),
      { status: 418, body: 'teapot' },
    ])
    expect(await failure(products.create(record))).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '/name', message: 'is missing' }],
      message: 'validation_failed: about validation_failed',
    })
    expect(await failure(products.create(record))).toMatchObject({
      id: 'N1',
      differences: [{ pointer: '/name', written: 'Tea', asked: 'Coffee' }],
      errors: [],
    })
    expect((await failure(products.create(record))).retryAfter).toBe(3600)
    expect((await failure(products.create(record))).code).toBe('http_error')
  })

  it('retries an unknown outcome once, and never resends what may have arrived', async () => {
    const { server, products } = await start([problem(504, 'downstream_timeout'), problem(409, 'outcome_unknown')])
    expect((await failure(products.create(record, { onUnknown: 'resend' }))).code).toBe('outcome_unknown')
    expect(server.asked.map(({ query }) => query.onUnknown)).toEqual(['resend', undefined, undefined])
  })

  it('sends the resend option again after a rate limit', async () => {
    const { server, products } = await start([problem(429, 'too_many_requests'), written('A')])
    await products.create(record, { onUnknown: 'resend' })
    expect(server.asked.map(({ query }) => query.onUnknown)).toEqual(['resend', 'resend'])
  })

  it('retries an update, but one with If-Match only if it was not attempted', async () => {
    const { server, products } = await start([
      { cut: 'before' },
      written('A'),
      problem(429, 'too_many_requests'),
      { cut: 'before' },
    ])
    await products.update('native-A', record)
    expect((await failure(products.update('native-A', record, { ifMatch: '"1"' }))).code).toBe('network_error')
    expect(server.asked.map(({ headers }) => headers['if-match'])).toEqual([undefined, undefined, '"1"', '"1"'])
  })
})

describe('an abort', () => {
  it('ends the wait between two attempts and prevents the next one', async () => {
    const abort = new AbortController()
    const { server, products } = await start([problem(429, 'too_many_requests', { 'retry-after': '50' })], {
      onResponse: () => setImmediate(() => abort.abort(new Error('enough'))),
    })
    await expect(products.create(record, { signal: abort.signal })).rejects.toThrow('enough')
    expect(server.asked).toHaveLength(1)
  })

  it('ends a call without a response', async () => {
    const abort = new AbortController()
    const { server, products } = await start(() => {
      setImmediate(() => abort.abort())
      return { silent: true }
    })
    await expect(products.get('1', { signal: abort.signal })).rejects.toMatchObject({ name: 'AbortError' })
    expect(server.asked).toHaveLength(1)
  })

  it('before the call sends nothing', async () => {
    const { server, products } = await start([page([])])
    await expect(products.list({ signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
    await expect(collect(products.list({ signal: AbortSignal.abort() }))).rejects.toMatchObject({ name: 'AbortError' })
    expect(server.asked).toEqual([])
  })
})

it('a call sends its options, and the observer gets the result', async () => {
  const rate = { ratelimit: '"1000-per-60s";r=997;t=12', 'x-queue-wait-ms': '34' }
  const { server, observed, products } = await start([{ ...page([1]), headers: rate }])
  await products.list({ pageSize: 7, updatedAfter: new Date(0), wait: 30 })
  expect(server.asked[0]).toMatchObject({
    query: { pageSize: '7', updatedAfter: '1970-01-01T00:00:00.000Z' },
    headers: { prefer: 'wait=30', authorization: 'Bearer urk_test.secret' },
  })
  expect(observed).toEqual([
    {
      method: 'GET',
      path: '/unified/shop%201/product',
      status: 200,
      attempt: 1,
      requestId: 'req_1',
      waitedMs: 34,
      rateLimit: { limit: 1000, left: 997, resetSeconds: 12 },
    },
  ])
})

it('a failing observer is not treated as a network error', async () => {
  const { server, products } = await start([written('A')], {
    onResponse() {
      throw new Error('observer')
    },
  })
  await expect(products.create(record)).rejects.toThrow('observer')
  expect(server.asked).toHaveLength(1)
})
