// Every specified response to bad input, over real HTTP.
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { freshDatabase } from '../postgres.ts'

let harness: Harness
let token: string
let keys: { read: string; write: string; foreignRead: string }
let access: { id: string; secret: string }
const formB = '/api/1.0/standalone-link-engine-service'
const restaurant = '/unified/square-restaurant'
const retail = '/unified/square-retail_pos'
const good = { externalId: 'X', name: 'Tea' }

beforeAll(async () => {
  harness = await createHarness({ connectors, simulators, platform: 'square' })
  access = (await harness.manage('POST', '/access-ids', { name: 'test' })).body
  token = await obtainToken(access)
  const keysOf = async (account: string) =>
    (await harness.manage('GET', `/accounts/${account}/mapping-keys`)).body.data as { key: string; direction: string }[]
  const own = await keysOf('square-restaurant')
  const keyOf = (list: { key: string; direction: string }[], direction: string) =>
    list.find((entry) => entry.direction === direction)?.key as string
  keys = {
    read: keyOf(own, 'read'),
    write: keyOf(own, 'write'),
    foreignRead: keyOf(await keysOf('square-retail_pos'), 'read'),
  }
})
afterAll(() => harness.close())

async function obtainToken({ id, secret }: { id: string; secret: string }): Promise<string> {
  const response = await fetch(`${harness.url}${formB}/oauth/server/access-token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret }),
  })
  return ((await response.json()) as { access_token: string }).access_token
}
const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  raw('POST', path, body, { 'content-type': 'application/json', ...headers })
async function raw(method: string, path: string, body?: string, headers: Record<string, string> = {}) {
  const authorization = headers.authorization ?? `Bearer ${harness.secrets.length ? await apiKey() : ''}`
  const response = await fetch(harness.url + path, {
    method,
    headers: { ...headers, authorization },
    body,
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined }
}
let key: string | undefined
async function apiKey(): Promise<string> {
  key ??= (await harness.manage('POST', '/api-keys', { name: 'raw' })).body.key as string
  return key
}
const withToken = (method: string, path: string, bearer = token, body?: string) =>
  raw(method, formB + path, body, {
    authorization: `Bearer ${bearer}`,
    ...(body ? { 'content-type': 'application/json' } : {}),
  })
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]
const pointers = (body: { errors?: { pointer: string }[] }) => body.errors?.map(({ pointer }) => pointer)

describe('a problem', () => {
  it('is application/problem+json with type, title, status, detail, code and request id', async () => {
    const reply = await raw('GET', `${restaurant}/product?pageSize=0`)
    expect(reply.headers.get('content-type')).toMatch(/^application\/problem\+json/)
    expect(reply.body).toEqual({
      type: `${harness.url}/errors#invalid_parameter`,
      title: expect.any(String),
      status: 400,
      detail: expect.stringContaining('pageSize'),
      code: 'invalid_parameter',
      requestId: reply.headers.get('x-request-id'),
    })
    expect(await (await fetch(`${harness.url}/errors`)).text()).toContain('id="invalid_parameter"')
  })
})

describe('a body that is not one valid record', () => {
  it('is 422 with "exactly one record" when it is an array', async () => {
    const reply = await post(`${restaurant}/product`, JSON.stringify([good]))
    expect(codeOf(reply)).toEqual([422, 'validation_failed'])
    expect(reply.body.detail).toContain('exactly one record')
  })
  it('is 400 when it has two JSON values, none, or broken JSON', async () => {
    for (const body of [
      JSON.stringify(good) + JSON.stringify(good),
      '',
      '{"externalId":',
      '\ud800',
      'undefined',
      "{'a':1}",
    ])
      expect(codeOf(await post(`${restaurant}/product`, body)), body).toEqual([400, 'malformed_json'])
  })
  it('is 400 when its bytes are not UTF-8', async () => {
    const response = await fetch(`${harness.url}${restaurant}/product`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${await apiKey()}` },
      body: Buffer.from([0x22, 0xff, 0xfe, 0x22]),
    })
    const { code, detail } = (await response.json()) as { code: string; detail: string }
    expect([response.status, code, detail]).toEqual([400, 'malformed_json', 'The body is not valid UTF-8. Send UTF-8.'])
  })
  it('is 413 above 1 MiB', async () => {
    expect(
      codeOf(
        await post(`${restaurant}/product`, JSON.stringify({ ...good, description: 'x'.repeat(2 * 1024 * 1024) })),
      ),
    ).toEqual([413, 'payload_too_large'])
  })
  it('is 415 with another content type or charset', async () => {
    const written = (type: string) =>
      raw('POST', `${restaurant}/product`, JSON.stringify({ ...good, externalId: type }), { 'content-type': type })
    for (const charset of ['utf-8', '"UTF-8"', 'us-ascii; profile=x'])
      expect((await written(`application/json;charset=${charset}`)).status, charset).toBe(201)
    const latin = await written('application/json; charset=iso-8859-1')
    expect([...codeOf(latin), latin.body.detail]).toEqual([
      415,
      'unsupported_media_type',
      expect.stringContaining('Send UTF-8'),
    ])
    for (const type of [
      'text/plain',
      'application/xml',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ])
      expect(codeOf(await written(type)), type).toEqual([415, 'unsupported_media_type'])
  })
  it('writes nothing when it is incomplete', async () => {
    const authorization = `Bearer ${await apiKey()}`
    const before = harness.tenants[0]?.records.product?.ids().length
    await new Promise<void>((resolve) => {
      const request = httpRequest(`${harness.url}${restaurant}/product`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': '500', authorization },
      })
      request.on('error', () => resolve())
      request.write('{"externalId":"CUT","name":"half', () => request.destroy())
    })
    expect(harness.tenants[0]?.records.product?.ids().length).toBe(before)
    expect((await raw('GET', `${restaurant}/product?pageSize=1`)).status).toBe(200)
  })
  it('is 422 with every violation at once, each with its pointer', async () => {
    const order = {
      externalId: 'O',
      state: 'DONE',
      currencyCode: 'usd',
      processedAt: '2026-11-10 10:00',
      unknown: 1,
      lineItems: [{ quantity: 0 }, { quantity: '1', unitPrice: '2' }],
    }
    const reply = await post(`${restaurant}/order`, JSON.stringify(order))
    expect(codeOf(reply)).toEqual([422, 'validation_failed'])
    expect(new Set(pointers(reply.body))).toEqual(
      new Set([
        '/unknown',
        '/state',
        '/currencyCode',
        '/processedAt',
        '/lineItems/0/quantity',
        '/lineItems/1/quantity',
        '/lineItems/1/unitPrice',
      ]),
    )
  })
  it.each([
    ['order', { externalId: 'O', lineItems: [] }, ['/lineItems']],
    ['order', { externalId: 'O', lineItems: [{ quantity: -1 }] }, ['/lineItems/0/quantity']],
    ['order', { externalId: 'O' }, ['/lineItems']],
    ['product', { name: 'no key' }, ['/externalId']],
    ['product', { ...good, externalId: '' }, ['/externalId']],
    ['product', { ...good, externalId: 7 }, ['/externalId']],
    ['product', { ...good, price: Number.MAX_VALUE }, ['/price']],
    ['product', { ...good, stockOnHand: 1.5 }, ['/stockOnHand']],
    ['product', { ...good, priceType: 'FREE' }, ['/priceType']],
    ['product', { ...good, currencyCode: 'XYZ', price: 1 }, ['/currencyCode']],
    ['product', { ...good, currencyCode: 'USD', price: 19.999 }, ['/price']],
    ['product', { ...good, currencyCode: 'JPY', price: 1.5 }, ['/price']],
    ['product', { ...good, categoryName: 'retail only' }, ['/categoryName']],
    ['product', { ...good, description: null }, ['/description']],
    ['customer', { ...good, email: 'not an address' }, ['/email']],
    ['customer', { ...good, address: { street: 'x' } }, ['/address/street']],
    ['customer', { ...good, currencyCode: 'USD' }, ['/currencyCode']],
    ['order', { externalId: 'O', lineItems: [{ quantity: 1, sku: 'retail only' }] }, ['/lineItems/0/sku']],
  ])('%s %j is 422 at %j', async (entity, body, expected) => {
    const reply = await post(`${restaurant}/${entity}`, JSON.stringify(body))
    expect(codeOf(reply)).toEqual([422, 'validation_failed'])
    expect(pointers(reply.body)?.toSorted()).toEqual(expected.toSorted())
  })
  it('rejects __proto__', async () => {
    expect(
      codeOf(await post(`${restaurant}/product`, '{"externalId":"P","name":"x","__proto__":{"polluted":true}}')),
    ).toEqual([422, 'validation_failed'])
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
  it('rejects ids that databases cannot distinguish: NUL and lone surrogates', async () => {
    for (const externalId of ['a\u0000b', 'a\ud800b'])
      expect(codeOf(await post(`${restaurant}/product`, JSON.stringify({ externalId, name: 'x' })))).toEqual([
        422,
        'validation_failed',
      ])
  })
  it('rejects an id with NUL on PostgreSQL, too', async () => {
    const databaseUrl = await freshDatabase(inject('postgresUrl'), inject('postgresTemplate'))
    const own = await createHarness({ connectors, simulators, platform: 'square', databaseUrl, instances: 1 })
    try {
      const { status, body } = await own.call('POST', `${restaurant}/product`, { externalId: 'a\0b', name: 'x' })
      expect([status, body.code]).toEqual([422, 'validation_failed'])
    } finally {
      await own.close()
    }
  })
  it('rejects restaurant fields on a retail account', async () => {
    expect(
      pointers(
        (await post(`${retail}/product`, JSON.stringify({ ...good, trackInventory: true, priceType: 'FIXED' }))).body,
      )?.toSorted(),
    ).toEqual(['/priceType', '/trackInventory'])
  })
})

describe('query parameters', () => {
  it.each(['0', 'abc', '-1', '1.5', '', '1e3'])('pageSize=%s is 400', async (value) => {
    expect(codeOf(await raw('GET', `${restaurant}/product?pageSize=${value}`))).toEqual([400, 'invalid_parameter'])
  })
  it('reduces a huge pageSize to the limit of the platform', async () => {
    for (const value of ['99999999999999', '9'.repeat(400)])
      expect((await raw('GET', `${restaurant}/product?pageSize=${value}`)).status, value).toBe(200)
  })
  it('suggests the nearest name for a misspelled parameter', async () => {
    const reply = await raw('GET', `${restaurant}/product?pagesize=5`)
    expect(codeOf(reply)).toEqual([400, 'unknown_parameter'])
    expect(reply.body.detail).toContain('pageSize')
  })
  it('rejects a repeated parameter', async () => {
    expect(codeOf(await raw('GET', `${restaurant}/product?pageSize=1&pageSize=2`))).toEqual([400, 'invalid_parameter'])
  })
  it('rejects updatedAfter without an offset', async () => {
    for (const value of ['2026-01-01', '2026-01-01T00:00:00', 'yesterday', '2026-13-01T00:00:00Z'])
      expect(codeOf(await raw('GET', `${restaurant}/product?updatedAfter=${value}`)), value).toEqual([
        400,
        'invalid_parameter',
      ])
  })
  it('accepts an offset whose plus sign arrived as a space', async () => {
    expect((await raw('GET', `${restaurant}/product?updatedAfter=2026-01-01T00:00:00+01:00`)).status).toBe(200)
  })
  it('rejects mappingKey in form A', async () => {
    expect(codeOf(await raw('GET', `${restaurant}/product?mappingKey=${keys.read}`))).toEqual([
      400,
      'unknown_parameter',
    ])
  })
})

describe('a cursor', () => {
  const first = async (path: string) => (await raw('GET', `${path}?pageSize=1`)).body.pagination.cursor as string
  it('of another account or entity is 400', async () => {
    const cursor = await first(`${restaurant}/product`)
    expect(codeOf(await raw('GET', `${retail}/product?cursor=${cursor}`))).toEqual([400, 'invalid_cursor'])
    expect(codeOf(await raw('GET', `${restaurant}/customer?cursor=${cursor}`))).toEqual([400, 'invalid_cursor'])
  })
  it('with any one bit flipped is 400', async () => {
    const cursor = await first(`${restaurant}/product`)
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    for (const at of [0, 17, Math.floor(cursor.length / 2), cursor.length - 1]) {
      const flipped = cursor.slice(0, at) + alphabet[alphabet.indexOf(cursor[at] as string) ^ 1] + cursor.slice(at + 1)
      expect(codeOf(await raw('GET', `${restaurant}/product?cursor=${flipped}`)), `at ${at}`).toEqual([
        400,
        'invalid_cursor',
      ])
    }
  })
  it('that is empty, short or nonsense is 400', async () => {
    for (const cursor of ['', 'x', 'a'.repeat(200), '../../etc'])
      expect(codeOf(await raw('GET', `${restaurant}/product?cursor=${cursor}`)), cursor).toEqual([
        400,
        'invalid_cursor',
      ])
  })
  it('made with another mapping is 400', async () => {
    const cursor = await first(`${restaurant}/product`)
    const mapping = (
      await harness.manage('POST', '/accounts/square-restaurant/mappings', {
        entityType: 'product',
        direction: 'read',
        name: 'm',
        rules: { '/description': { value: 'fixed' } },
      })
    ).body
    const { key: mappingKey } = (
      await harness.manage('POST', '/accounts/square-restaurant/mapping-keys', { mappingId: mapping.id })
    ).body
    expect(codeOf(await withToken('GET', `${restaurant}/product?mappingKey=${mappingKey}&cursor=${cursor}`))).toEqual([
      400,
      'invalid_cursor',
    ])
  })
  it('that the platform no longer accepts is 400, and the same refusal of a request without one is 502', async () => {
    const cursor = await first(`${restaurant}/customer`)
    const [{ externalId: id }] = (await raw('GET', `${restaurant}/customer`)).body.data
    const body = { errors: [{ category: 'INVALID_REQUEST_ERROR', code: 'INVALID_CURSOR', detail: 'expired' }] }
    const expired = async (path: string) => {
      harness.sandbox.fault('square', { kind: 'foreign_before', status: 400, body, times: 1 })
      return codeOf(await raw('GET', path))
    }
    expect(await expired(`${restaurant}/customer?cursor=${cursor}`)).toEqual([400, 'invalid_cursor'])
    expect(await expired(`${restaurant}/customer`)).toEqual([502, 'downstream_error'])
    expect(await expired(`${restaurant}/customer/${id}`)).toEqual([502, 'downstream_error'])
  })
  it('contains its page size and filter, and rejects another filter', async () => {
    const page = await raw('GET', `${restaurant}/product?pageSize=2&updatedAfter=2020-01-01T00:00:00Z`)
    const { cursor } = page.body.pagination
    expect((await raw('GET', `${restaurant}/product?cursor=${cursor}`)).body.data).toHaveLength(2)
    expect(
      codeOf(await raw('GET', `${restaurant}/product?cursor=${cursor}&updatedAfter=2021-01-01T00:00:00Z`)),
    ).toEqual([400, 'invalid_cursor'])
  })
})

describe('authentication', () => {
  const bearer = (value: string) => ({ authorization: value })
  it.each([
    ['nothing', ''],
    ['another scheme', 'Basic abc'],
    ['nonsense', 'Bearer nonsense'],
    ['an unknown key', 'Bearer urk_aaaaaaaaaaaaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'],
  ])('%s is 401 with WWW-Authenticate', async (_, value) => {
    const response = await fetch(`${harness.url}${restaurant}/product`, { headers: value ? bearer(value) : {} })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm=/)
  })
  it('form A rejects an access token, form B an API key', async () => {
    expect(codeOf(await raw('GET', `${restaurant}/product`, undefined, bearer(`Bearer ${token}`)))).toEqual([
      401,
      'unauthorized',
    ])
    expect(codeOf(await withToken('GET', `${restaurant}/product?mappingKey=${keys.read}`, await apiKey()))).toEqual([
      401,
      'unauthorized',
    ])
  })
  it('is checked before everything else, even with a large body', async () => {
    expect(
      (
        await fetch(`${harness.url}${restaurant}/product`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{',
        })
      ).status,
    ).toBe(401)
  })
  it('rejects a token after one hour', async () => {
    const mine = await obtainToken(access)
    harness.advance(3_000_000)
    expect((await withToken('GET', `${restaurant}/product?mappingKey=${keys.read}`, mine)).status).toBe(200)
    harness.advance(601_000)
    const late = await withToken('GET', `${restaurant}/product?mappingKey=${keys.read}`, mine)
    expect([...codeOf(late), late.headers.get('www-authenticate')]).toEqual([
      401,
      'unauthorized',
      expect.stringContaining('invalid_token'),
    ])
    harness.advance(-3_601_000)
  })
  it('rejects a token with another signature', async () => {
    const { createTokenIssuer } = await import('../../src/accounts/secrets.ts')
    const forged = createTokenIssuer({ derive: () => [Buffer.alloc(32, 7)] } as never).issue({
      accessId: access.id,
      generation: 0,
      expiresAt: 9999999999,
    })
    expect(codeOf(await withToken('GET', `${restaurant}/product?mappingKey=${keys.read}`, forged))).toEqual([
      401,
      'unauthorized',
    ])
  })
  it('rejects the old token and the old secret as soon as the rotation returns', async () => {
    const mine = (await harness.manage('POST', '/access-ids', { name: 'rotating' })).body
    const old = await obtainToken(mine)
    expect((await withToken('GET', `${restaurant}/product?mappingKey=${keys.read}`, old)).status).toBe(200)
    const rotated = (await harness.manage('POST', `/access-ids/${mine.id}/rotate`)).body
    expect(codeOf(await withToken('GET', `${restaurant}/product?mappingKey=${keys.read}`, old))).toEqual([
      401,
      'unauthorized',
    ])
    expect(await obtainToken(mine)).toBeUndefined()
    expect(
      (await withToken('GET', `${restaurant}/product?mappingKey=${keys.read}`, await obtainToken(rotated))).status,
    ).toBe(200)
  })
  it('rejects a revoked API key and a revoked access id', async () => {
    const made = (await harness.manage('POST', '/api-keys', { name: 'short-lived' })).body
    expect((await raw('GET', restaurant, undefined, bearer(`Bearer ${made.key}`))).status).toBe(200)
    await harness.manage('DELETE', `/api-keys/${made.id}`)
    expect((await raw('GET', restaurant, undefined, bearer(`Bearer ${made.key}`))).status).toBe(401)
  })
})

describe('mapping keys in form B', () => {
  it('are required on GET and POST, optional on PUT', async () => {
    expect(codeOf(await withToken('GET', `${restaurant}/product`))).toEqual([400, 'mapping_key_required'])
    expect(codeOf(await withToken('POST', `${restaurant}/product`, token, JSON.stringify(good)))).toEqual([
      400,
      'mapping_key_required',
    ])
    const id = harness.tenants[0]?.records.customer?.ids()[0] as string
    const { data } = (await raw('GET', `${restaurant}/customer/${id}`)).body
    expect((await withToken('PUT', `${restaurant}/customer/${id}`, token, JSON.stringify(data))).status).toBe(200)
  })
  it('of the other direction, of another account or unknown ones are 400', async () => {
    expect(
      codeOf(await withToken('POST', `${restaurant}/product?mappingKey=${keys.read}`, token, JSON.stringify(good))),
    ).toEqual([400, 'mapping_key_mismatch'])
    expect(codeOf(await withToken('GET', `${restaurant}/product?mappingKey=${keys.write}`))).toEqual([
      400,
      'mapping_key_mismatch',
    ])
    expect(codeOf(await withToken('GET', `${restaurant}/product?mappingKey=${keys.foreignRead}`))).toEqual([
      400,
      'mapping_key_mismatch',
    ])
    expect(codeOf(await withToken('GET', `${restaurant}/product?mappingKey=unknown`))).toEqual([
      400,
      'mapping_key_mismatch',
    ])
  })
})

describe('what does not exist', () => {
  it('an unknown account and one of another workspace get the same response', async () => {
    const other = (await (
      await fetch(`${harness.url}/manage/v1/workspaces`, {
        method: 'POST',
        headers: { authorization: `Bearer ${harness.secrets[1]}`, 'content-type': 'application/json' },
        body: '{"name":"Other"}',
      })
    ).json()) as { id: string }
    const { credentials, settings } = harness.tenants[0] as (typeof harness.tenants)[number]
    await fetch(`${harness.url}/manage/v1/workspaces/${other.id}/accounts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${harness.secrets[1]}`, 'content-type': 'application/json' },
      body: JSON.stringify({ id: 'foreign', platform: 'square', vertical: 'restaurant', credentials, settings }),
    })
    const [foreign, unknown] = [
      await raw('GET', '/unified/foreign/product'),
      await raw('GET', '/unified/nowhere/product'),
    ]
    expect(codeOf(foreign)).toEqual([404, 'unknown_account'])
    expect({ ...foreign.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' })
  })
  it('unknown and unsupported entities are 404', async () => {
    expect(codeOf(await raw('GET', `${restaurant}/invoice`))).toEqual([404, 'unknown_entity'])
    expect(codeOf(await raw('GET', `${retail}/category`))).toEqual([404, 'entity_not_offered'])
    expect(codeOf(await raw('GET', '/nothing/here'))).toEqual([404, 'not_found'])
  })
  it('methods that do not exist are 405 with Allow', async () => {
    const time = await post(`${restaurant}/time_entry`, JSON.stringify({ externalId: 'T' }))
    expect([...codeOf(time), time.headers.get('allow')]).toEqual([405, 'method_not_allowed', 'GET, HEAD, OPTIONS'])
    for (const [method, path, allow] of [
      ['DELETE', `${restaurant}/product/x`, 'GET, HEAD, PUT, OPTIONS'],
      ['PATCH', `${restaurant}/product`, 'GET, HEAD, POST, OPTIONS'],
      ['PUT', `${restaurant}/product`, 'GET, HEAD, POST, OPTIONS'],
    ] as const) {
      const reply = await raw(
        method,
        path,
        method === 'DELETE' ? undefined : '{}',
        method === 'DELETE' ? {} : { 'content-type': 'application/json' },
      )
      expect([...codeOf(reply), reply.headers.get('allow')], `${method} ${path}`).toEqual([
        405,
        'method_not_allowed',
        allow,
      ])
    }
  })
})

describe('the path', () => {
  it.each([
    '/unified/a%00b/product',
    '/unified/..%2f..%2fetc/product',
    '/unified/%2e%2e/product',
    `/unified/${'a'.repeat(900)}/product`,
    `${restaurant}/%00`,
    `${restaurant}/product/%00`,
    `${restaurant}/product/..%2F..%2Fv2%2Flocations`,
  ])('%s is a plain 4xx', async (path) => {
    const reply = await raw('GET', path)
    expect(reply.status).toBeGreaterThanOrEqual(400)
    expect(reply.status).toBeLessThan(500)
    expect(reply.body.code).toBeTypeOf('string')
  })
  it('that cannot be decoded is 400', async () => {
    expect(codeOf(await raw('GET', `${restaurant}/product/%zz`))).toEqual([400, 'malformed_request'])
  })
})

describe('the socket', () => {
  /** Everything that the service sends until it closes the connection. */
  function exchange(text: string): Promise<string> {
    const { port } = new URL(harness.url)
    return new Promise((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(text))
      let response = ''
      socket.on('data', (chunk) => (response += chunk))
      socket.on('close', () => resolve(response))
    })
  }
  it.each([
    ['what is not HTTP', 'GET /a life\r\n\r\n', 400, 'malformed_request', 'If they contain a space, send %20.'],
    [
      'an unknown method',
      '\r\nFOO /platforms HTTP/1.1\r\nhost: x\r\n\r\n', // a parser ignores the empty line
      400,
      'malformed_request',
      'FOO is not a method of HTTP. Use GET,',
    ],
    [
      'a query that is not encoded',
      'GET /platforms?search=Zoë HTTP/1.1\r\nhost: x\r\n\r\n',
      400,
      'malformed_request',
      'the query has a character that must be percent-encoded',
    ],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'malformed_request',
      "Transfer-Encoding can't be present with Content-Length",
    ],
    ['headers without end', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(17_000)}\r\n\r\n`, 431, 'header_too_large'],
    ['no host', 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'malformed_request'],
    ['an expectation', 'GET /healthz HTTP/1.1\r\nhost: x\r\nexpect: a miracle\r\n\r\n', 400, 'malformed_request'],
    [
      'a segment too long',
      `GET /unified/${'x'.repeat(2000)} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
      414,
      'uri_too_long',
    ],
  ])(
    'responds to %s with a problem that has a request id, and continues',
    async (_, text, status, code, words = '') => {
      const [head = '', body = ''] = (await exchange(text)).split('\r\n\r\n')
      expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [A-Z]`))
      expect(head).toMatch(/^content-type: application\/problem\+json/im)
      const problem = JSON.parse(body) as { code: string; detail: string; requestId: string }
      expect([problem.code, problem.detail]).toEqual([code, expect.stringContaining(words)])
      expect(head).toContain(`x-request-id: ${problem.requestId}`)
      expect((await fetch(`${harness.url}/healthz`)).status).toBe(200)
    },
  )
})

describe('the management API', () => {
  it.each(['constructor', 'hasOwnProperty', '__proto__'])('knows no platform called %s', async (platform) => {
    expect(
      codeOf(await harness.manage('POST', '/accounts', { platform, vertical: 'restaurant', credentials: {} })),
    ).toEqual([422, 'validation_failed'])
    expect(
      codeOf(await harness.manage('PUT', `/platform-apps/${platform}`, { clientId: 'a', clientSecret: 'b' })),
    ).toEqual([404, 'resource_not_found'])
  })
  it('rejects null as a body', async () => {
    expect(codeOf(await harness.manage('PATCH', '/accounts/square-restaurant', null))).toEqual([
      422,
      'validation_failed',
    ])
  })
})

it('a request whose body cannot be read after its response gets no second response', async () => {
  const { hostname, port } = new URL(harness.url)
  const socket = connect(Number(port), hostname)
  let received = ''
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('data', (chunk) => {
    received += chunk
    // The body begins when the refusal is there.
    if (received.split('HTTP/1.1').length === 2) socket.write('1\r\n{}\r\n0\r\n\r\n')
  })
  socket.write(`POST ${restaurant}/product HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n`)
  await ended
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401'])
})
