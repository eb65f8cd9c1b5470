// HTTP itself: methods, cross-origin requests, compressed bodies, repeated fields.
import { request as httpRequest } from 'node:http'
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'

const origin = 'https://app.example.com'
const token = '/api/1.0/standalone-link-engine-service/oauth/server/access-token'
const path = '/unified/square-restaurant/product?dryRun=check'
let harness: Harness
let closed: Harness
let key: string
beforeAll(async () => {
  const options = { connectors, simulators, platform: 'square' }
  harness = await createHarness({ ...options, corsOrigins: [origin] })
  closed = await createHarness(options)
  key = (
    await harness.manage('POST', '/api-keys', { name: 'http', scopes: ['records:read', 'records:write', 'manage'] })
  ).body.key
})
afterAll(async () => {
  await harness.close()
  await closed.close()
})

/** With node:http: fetch sends no Origin header of its own choice and no preflight. */
const send = (method: string, at: string, headers: Record<string, string>, body?: string | Buffer, url = harness.url) =>
  new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }>((resolve, reject) => {
    const request = httpRequest(url + at, { method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () =>
        resolve({ status: response.statusCode as number, headers: response.headers, body: text }),
      )
    })
    request.on('error', reject).end(body)
  })
const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
  send('POST', path, { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers }, body)
const codeOf = ({ status, body }: { status: number; body: string }) => [status, body && JSON.parse(body).code]

describe('the token endpoint', () => {
  it('lists its methods for OPTIONS', async () => {
    const reply = await send('OPTIONS', token, {})
    expect([reply.status, reply.headers.allow]).toEqual([204, 'POST, OPTIONS'])
  })
  it.each(['GET', 'PUT', 'DELETE'])('rejects %s with 405 and Allow', async (method) => {
    const reply = await send(method, token, {})
    expect([...codeOf(reply), reply.headers.allow]).toEqual([405, 'method_not_allowed', 'POST, OPTIONS'])
  })
})

describe('a path that exists', () => {
  const account = '/unified/square-restaurant'
  const paths = [
    ['/healthz', 'PUT', 'GET, HEAD, OPTIONS'],
    ['/openapi.json', 'POST', 'GET, HEAD, OPTIONS'],
    ['/schemas', 'POST', 'GET, HEAD, OPTIONS'],
    ['/%73chemas?x=1', 'POST', 'GET, HEAD, OPTIONS'],
    [account, 'DELETE', 'GET, HEAD, OPTIONS'],
    [`${account}/product`, 'TRACE', 'GET, HEAD, POST, OPTIONS'],
    [`${account}/product/a%2Fb`, 'TRACE', 'GET, HEAD, PUT, OPTIONS'],
    ['/manage/v1/sessions', 'PUT', 'GET, HEAD, POST, DELETE, OPTIONS'],
    [token, 'TRACE', 'POST, OPTIONS'],
  ] as const
  it.each(paths)('%s rejects %s with 405 and Allow', async (at, method, allow) => {
    const reply = await send(method, at, { 'content-type': 'application/json' }, method === 'TRACE' ? '' : '{')
    expect([...codeOf(reply), reply.headers.allow]).toEqual([405, 'method_not_allowed', allow])
  })
  it.each(paths)('%s lists its methods for OPTIONS, without CORS headers', async (at, _, allow) => {
    const preflight = { origin: 'https://evil.example', 'access-control-request-method': 'GET' }
    for (const url of [harness.url, closed.url]) {
      const reply = await send('OPTIONS', at, preflight, undefined, url)
      expect([reply.status, reply.headers.allow, reply.body]).toEqual([204, allow, ''])
      expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })
  it.each(['/nothing', '/unified', '/unified/', `${account}/`, '/schemas/', `${account}/product/x/y`])(
    '%s does not exist with any method',
    async (at) => {
      for (const method of ['OPTIONS', 'TRACE']) {
        const reply = await send(method, at, {})
        expect([...codeOf(reply), reply.headers.allow]).toEqual([404, 'not_found', undefined])
      }
    },
  )
})

describe('HEAD', () => {
  const account = '/unified/square-restaurant'
  const unstable = new Set(['date', 'x-request-id', 'ratelimit', 'server-timing', 'transfer-encoding'])
  const stable = (headers: NodeJS.Dict<string | string[]>) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !unstable.has(name)))
  it.each([
    ['/healthz', 200],
    ['/openapi.json', 200],
    [`${account}/location`, 200],
    [`${account}/product?pageSize=0`, 400],
    [`${account}/product/none`, 404],
    ['/errors', 200],
    ['/%zz', 400],
  ])('%s is answered as GET is, without the body', async (at, status) => {
    const headers = { authorization: `Bearer ${key}` }
    const [get, head] = [await send('GET', at, headers), await send('HEAD', at, headers)]
    expect([get.status, head.status, head.body]).toEqual([status, status, ''])
    expect(get.body).not.toBe('')
    expect(stable(head.headers)).toEqual(stable(get.headers))
  })
  it('of an address without GET is 405', async () => {
    const reply = await send('HEAD', token, {})
    expect([reply.status, reply.headers.allow, reply.body]).toEqual([405, 'POST, OPTIONS', ''])
  })
  it('of an export ends at once, and is recorded as HEAD', async () => {
    const { id } = (await harness.manage('GET', '')).body
    const { status, headers, body } = await send('HEAD', `/manage/v1/workspaces/${id}/activity/export`, {
      authorization: `Bearer ${key}`,
    })
    expect([status, headers['content-type'], body]).toEqual([200, 'application/x-ndjson', ''])
    const metrics = await send('GET', '/metrics', {})
    expect(metrics.body).toMatch(/unified_request_seconds_count\{method="HEAD",route="[^"]*activity[^"]*"/)
  })
})

describe('a web page of another origin', () => {
  const preflight = {
    origin,
    'access-control-request-method': 'PUT',
    'access-control-request-headers': 'authorization',
  }
  it('gets no permission by default', async () => {
    const reply = await send('OPTIONS', path, preflight, undefined, closed.url)
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  })
  it('can call from an origin that is configured, without cookies', async () => {
    const asked = await send('OPTIONS', path, preflight)
    expect([asked.status, asked.headers]).toMatchObject([
      204,
      {
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'GET, POST, PUT',
        'access-control-allow-headers':
          'authorization, content-type, if-match, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id, prefer',
        vary: 'origin',
      },
    ])
    expect(asked.headers).not.toHaveProperty('access-control-allow-credentials')
    const reply = await post('{}', { origin })
    expect([reply.status, reply.headers['access-control-allow-origin']]).toEqual([422, origin])
    expect(reply.headers['access-control-expose-headers']).toContain('ratelimit')
  })
  it('gets no permission from another origin, nor for the management API', async () => {
    const other = await post('{}', { origin: 'https://evil.example' })
    expect(other.headers).not.toHaveProperty('access-control-allow-origin')
    const manage = await send('OPTIONS', '/manage/v1/workspaces', preflight)
    expect(manage.headers).not.toHaveProperty('access-control-allow-origin')
  })
})

describe('with CORS_ORIGINS=*', () => {
  let open: Harness
  let openKey: string
  beforeAll(async () => {
    const { corsOrigins } = readConfig({ ENCRYPTION_KEY: '0'.repeat(64), CORS_ORIGINS: '*' })
    open = await createHarness({ connectors, simulators, platform: 'square', corsOrigins })
    openKey = (await open.manage('POST', '/api-keys', { name: 'http' })).body.key
  })
  afterAll(() => open.close())
  const anyOrigin = 'https://anywhere.example'

  it('a page of any origin can send a preflight and a call, without cookies', async () => {
    const preflight = await send(
      'OPTIONS',
      path,
      { origin: anyOrigin, 'access-control-request-method': 'POST' },
      undefined,
      open.url,
    )
    const headers = { origin: anyOrigin, authorization: `Bearer ${openKey}`, 'content-type': 'application/json' }
    const called = await send('POST', path, headers, '{"externalId":"C-1","name":"Tea"}', open.url)
    const rejected = await send('POST', path, { ...headers, authorization: 'Bearer wrong' }, '{}', open.url)
    expect([preflight.status, called.status, rejected.status]).toEqual([204, 200, 401])
    for (const reply of [preflight, called, rejected]) {
      expect(reply.headers['access-control-allow-origin']).toBe('*')
      expect(reply.headers).not.toHaveProperty('access-control-allow-credentials')
      expect(reply.headers.vary).toBeUndefined()
    }
  })
  it('a page of another origin can call the token endpoint, but gets no permission for the management API', async () => {
    const form = { origin: anyOrigin, 'content-type': 'application/x-www-form-urlencoded' }
    const reply = await send('POST', token, form, 'grant_type=client_credentials', open.url)
    expect([reply.status, reply.headers['access-control-allow-origin']]).toEqual([400, '*'])
    for (const at of ['/manage/v1/workspaces', '/%6Danage/v1/workspaces', '/dashboard', '/metrics', '/connect/x'])
      for (const method of ['GET', 'OPTIONS'])
        expect(
          (await send(method, at, { origin: anyOrigin, 'access-control-request-method': 'GET' }, undefined, open.url))
            .headers,
          `${method} ${at}`,
        ).not.toHaveProperty('access-control-allow-origin')
  })
})

describe('a compressed body', () => {
  const record = JSON.stringify({ externalId: 'H-1', name: 'Tea' })
  it.each([
    ['gzip', gzipSync(record)],
    ['deflate', deflateSync(record)],
    ['br', brotliCompressSync(record)],
    ['identity', Buffer.from(record)],
  ])('in %s is read', async (encoding, body) => {
    expect((await post(body, { 'content-encoding': encoding, 'content-length': String(body.length) })).status).toBe(200)
  })
  it('is 413 if it expands beyond 1 MiB', async () => {
    for (const [encoding, body] of [
      ['gzip', gzipSync(Buffer.alloc(4 * 1024 * 1024, ' '))],
      [
        'br',
        brotliCompressSync(Buffer.alloc(4 * 1024 * 1024, ' '), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
      ],
    ] as const)
      expect(codeOf(await post(body, { 'content-encoding': encoding })), encoding).toEqual([413, 'payload_too_large'])
  })
  it('that ends too early does not end the service, whatever else is wrong with the request', async () => {
    const large = gzipSync(Buffer.alloc(4 * 1024 * 1024, ' '))
    for (const body of [gzipSync(record), large].map((whole) => whole.subarray(0, whole.length - 8))) {
      for (const at of [path, '/unified/square-restaurant/nothing', '/unified/unknown/product', '/nowhere'])
        for (const type of ['application/json', 'text/plain']) {
          const headers = { authorization: `Bearer ${key}`, 'content-type': type, 'content-encoding': 'gzip' }
          const { status } = await send('POST', at, headers, body)
          expect([400, 404, 413, 415], `${at} ${type}`).toContain(status)
        }
    }
    expect((await send('GET', '/healthz', {})).status).toBe(200)
  })
  it('is 400 if it cannot be expanded, 415 in another encoding', async () => {
    for (const encoding of ['gzip', 'br', 'deflate'])
      expect(codeOf(await post('no such thing', { 'content-encoding': encoding })), encoding).toEqual([
        400,
        'malformed_request',
      ])
    const other = await post(record, { 'content-encoding': 'zstd' })
    expect([...codeOf(other), other.headers['accept-encoding']]).toEqual([
      415,
      'unsupported_media_type',
      'gzip, deflate, br',
    ])
  })
})

describe('a field that an object has twice', () => {
  it.each([
    '{"externalId":"A","name":"Tea","name":"Coffee"}',
    '{"externalId":"A","na\\u006de":"Tea","name" :"Coffee"}',
    '{"externalId":"A","name":"T","custom":{"a":{"b":1,"b":1}}}',
  ])('%s is 400', async (body) => {
    const reply = await post(body)
    expect([...codeOf(reply), JSON.parse(reply.body).detail]).toEqual([
      400,
      'malformed_json',
      expect.stringContaining('twice'),
    ])
  })
  it('is not seen where there is none', async () => {
    for (const body of [
      '{"externalId":"A","name":"a \\"b\\": c","description":"\\\\"}',
      '{ "externalId" : "A" , "name":"{\\"name\\":1}" }',
    ])
      expect((await post(body)).status, body).toBe(200)
  })
})
