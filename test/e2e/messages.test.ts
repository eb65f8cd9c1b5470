// What an error says: what happened, and what to do next. Over real HTTP.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'

let harness: Harness
let key: string
const account = '/unified/square-restaurant'
const formB = '/api/1.0/standalone-link-engine-service'
beforeAll(async () => {
  harness = await createHarness({ connectors, simulators, platform: 'square' })
  key = (await harness.manage('POST', '/api-keys', { name: 'messages' })).body.key
})
afterAll(() => harness.close())

interface Sent {
  bearer?: string
  body?: string | undefined
  ifMatch?: string
}
async function send(method: string, path: string, { bearer = key, body, ifMatch }: Sent = {}) {
  const response = await fetch(harness.url + path, {
    method,
    headers: {
      authorization: `Bearer ${bearer}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(ifMatch && { 'if-match': ifMatch }),
    },
    body,
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
}
const product = JSON.stringify({ externalId: 'M-1', name: 'Tea' })

it.each([
  [
    'PUT',
    `${account}/product`,
    405,
    "PUT needs the platform's id of the record: PUT /unified/square-restaurant/product/{id}.",
  ],
  ['POST', `${account}/product/X`, 405, 'POST has no id in its path: POST /unified/square-restaurant/product.'],
  ['PATCH', `${account}/product/X`, 405, 'Send the whole record: PUT /unified/square-restaurant/product/{id}.'],
  ['DELETE', `${account}/product/X`, 405, 'Delete them at the platform.'],
  ['POST', `${account}/time_entry`, 405, 'Supported here: GET, HEAD, OPTIONS. GET /unified/square-restaurant lists'],
  ['GET', `${account}/product?mappingKey=x`, 400, "Remove it: with an API key the account's default mapping is used."],
  ['GET', `${account}/product?pagesize=5`, 400, 'did you mean "pageSize"?'],
  [
    'GET',
    `${account}/product?limit=5`,
    400,
    'Remove it. The query parameters are pageSize, cursor, updatedAfter, externalId, search, include, fields.',
  ],
  ['GET', `${account}?limit=5`, 400, 'Remove it: this address has no query parameters.'],
  ['GET', `${account}/product/`, 404, 'Remove the slash at the end'],
  ['GET', '/platforms/', 404, 'Remove the slash at the end: /platforms.'],
  ['GET', '/unified', 404, 'The address needs an account and an entity type: /unified/{accountId}/{entityType}.'],
  ['GET', '/unified/', 404, 'The address needs an account and an entity type: /unified/{accountId}/{entityType}.'],
  ['GET', `${formB}/unified`, 404, `an entity type: ${formB}/unified/{accountId}/{entityType}.`],
  ['GET', `${account}/Product`, 404, 'did you mean "product"?'],
  ['GET', `${account}/products`, 404, 'did you mean "product"?'],
  ['GET', `${account}/time-entries`, 404, 'did you mean "time_entry"?'],
  ['GET', `${account}/invoice`, 404, 'The entity types are product, order'],
  ['GET', '/Unified/square-restaurant/product', 404, 'Paths are case-sensitive'],
  ['GET', '/unified/nowhere/product', 404, 'Check accountId'],
])('%s %s is %i and says "%s"', async (method, path, status, words) => {
  const { status: got, body } = await send(method, path, {
    body: method === 'GET' || method === 'DELETE' ? undefined : product,
  })
  expect([got, body.detail]).toEqual([status, expect.stringContaining(words)])
})

it('the externalId that a body lacks: a PUT can send the id of the path, a POST cannot', async () => {
  const body = JSON.stringify({ name: 'Bob' })
  const [put, post] = [
    await send('PUT', `${account}/customer/C1`, { body }),
    await send('POST', `${account}/customer`, { body }),
  ]
  expect([put.status, put.body.errors, post.status, post.body.errors]).toEqual([
    422,
    [{ pointer: '/externalId', message: 'is required; send the id of the path' }],
    422,
    [{ pointer: '/externalId', message: 'is required' }],
  ])
})

const ada = { externalId: 'M-2', name: 'Ada Lovelace' }
it.each([
  [
    'fields that are null',
    { externalId: null, name: null, phone: null },
    'validation_failed',
    {
      '/externalId': 'must be a string, not null: the field is required',
      '/name': 'must be a string, not null: the field is required',
      '/phone': 'must not be null; leave the field out',
    },
  ],
  [
    'swapped letters in names',
    { ...ada, emial: 'x', address: { ctiy: 'x' } },
    'validation_failed',
    {
      '/emial': 'is not a field of this entity; did you mean "email"?',
      '/address/ctiy': 'is not a field of this entity; did you mean "city"?',
    },
  ],
  [
    'what the schema and what the platform refuse',
    { ...ada, email: 'x', companyName: 'x'.repeat(501), address: { country: 'Atlantis' } },
    'validation_failed',
    {
      '/email': 'must be an email address, such as ada@example.com',
      '/companyName': 'must have at most 500 characters',
      '/address/country': expect.stringMatching(/^is not a country that can be found/),
    },
  ],
  ['a long name', { ...ada, name: 'x'.repeat(301) }, 'target_refuses', { '/name': 'must have at most 300 characters' }],
])('a customer with %s gets all errors at once', async (_, body, code, errors) => {
  const { body: reply } = await send('POST', `${account}/customer`, { body: JSON.stringify(body) })
  const found = reply.errors.map(({ pointer, message }: Record<string, string>) => [pointer, message])
  expect([reply.code, Object.fromEntries(found)]).toEqual([code, errors])
})

it('a refusal by the platform names the field that was sent, though the name was split for it', async () => {
  const errors = ['given_name', 'family_name'].map((field) => ({ code: 'INVALID_VALUE', detail: 'No', field }))
  const pointersOf = async (body: object) => {
    harness.sandbox.fault('square', { kind: 'foreign_before', status: 400, body: { errors }, times: 1 })
    const { body: reply } = await send('POST', `${account}/customer`, { body: JSON.stringify(body) })
    return [reply.code, ...reply.errors.map(({ pointer }: { pointer: string }) => pointer)]
  }
  expect(await pointersOf(ada)).toEqual(['downstream_rejected', '/name', '/name'])
  expect(await pointersOf({ ...ada, firstName: 'Ada' })).toEqual(['downstream_rejected', '/firstName', '/name'])
  expect(await pointersOf({ ...ada, name: 'Ada' })).toEqual(['downstream_rejected', '/name', '/lastName'])
})

it('a conflict, a changed record and an unknown location come with the next step', async () => {
  const written = { ...ada, externalId: 'M-4' }
  const created = await send('POST', `${account}/customer`, { body: JSON.stringify(written) })
  const other = await send('POST', `${account}/customer`, { body: JSON.stringify({ ...written, name: 'Ada' }) })
  const { id } = created.body.reference
  expect([other.status, other.body.detail]).toEqual([409, expect.stringContaining(`${id}: PUT to it to change`)])
  const stale = await send('PUT', `${account}/customer/${id}`, { body: JSON.stringify(ada), ifMatch: '"999"' })
  expect([stale.status, stale.body.detail]).toEqual([412, expect.stringContaining('Read it again, and apply')])
  const order = {
    externalId: 'M-3',
    locationExternalId: 'NOPE',
    lineItems: [{ name: 'Tea', quantity: 1, unitPrice: 2 }],
  }
  const lost = await send('POST', `${account}/order`, { body: JSON.stringify({ ...order, currencyCode: 'USD' }) })
  expect([lost.status, lost.body.detail]).toEqual([
    422,
    expect.stringMatching(
      /^Square does not take this record: The account has no location NOPE \(\/locationExternalId\)\. Link the platform ids /,
    ),
  ])
})

it('never suggests a parameter that is not close', async () => {
  for (const name of ['mappingKey', 'limit', 'x', 'filter'])
    expect((await send('GET', `${account}/product?${name}=5`)).body.detail, name).not.toContain('did you mean')
})

describe('a credential of the wrong kind', () => {
  it.each([
    [account, 'urk_short', 'A key has the form urk_<id>.<secret>'],
    [account, `urt_${'a'.repeat(60)}.${'b'.repeat(43)}`, `This is an access token. Send it to ${formB}/unified/`],
    [`${formB}${account}`, 'urk_aaaaaaaaaaaaaaaa.bbbbbbbbbbbbbbbbbbbb', 'This is an API key. Send it to /unified/'],
    [`${formB}${account}`, 'nonsense', `Request one from ${formB}/oauth/server/access-token.`],
  ])('%s with %s', async (path, bearer, words) => {
    const { status, body } = await send('GET', `${path}/product`, { bearer })
    expect([status, body.detail]).toEqual([401, expect.stringContaining(words)])
  })
  it('gets a WWW-Authenticate header that can be parsed, whatever the message quotes', async () => {
    for (const authorization of ['Basic abc', 'Bearer', 'Bearer urk_short', 'Bearer "quoted"']) {
      const { headers } = await fetch(`${harness.url}${account}`, { headers: { authorization } })
      expect(headers.get('www-authenticate'), authorization).toMatch(
        /^Bearer realm="unified-records", error="invalid_(request|token)", error_description="[\x20\x21\x23-\x5b\x5d-\x7e]+"$/,
      )
    }
  })
})

describe('a platform that cannot be reached', () => {
  it('is named, with what to check, and no code of the HTTP client', async () => {
    harness.sandbox.fault('square', { kind: 'reset_before', times: 3 })
    const { status, body } = await send('GET', `${account}/product`)
    expect([status, body.code]).toEqual([502, 'downstream_error'])
    expect(body.detail).toMatch(
      /^Square could not be reached: the connection was closed .* Check the account's settings .* Retry later/,
    )
    expect(JSON.stringify(body)).not.toMatch(/UND_ERR|ECONN/)
  })
  it('has one full stop after each sentence', async () => {
    harness.sandbox.fault('square', {
      kind: 'foreign_before',
      status: 400,
      body: { errors: [{ category: 'INVALID_REQUEST_ERROR', code: 'BAD_REQUEST', detail: 'The cup is full.' }] },
      times: 1,
    })
    const { body } = await send('POST', `${account}/product`, { body: product })
    expect(body.detail).toContain('The cup is full. ')
    expect(body.detail).not.toMatch(/\.\./)
  })
})

it('every response for an account has the RateLimit headers, errors too', async () => {
  for (const [method, path, body] of [
    ['GET', account],
    ['GET', `${account}/product?pageSize=1`],
    ['GET', `${account}/product?pageSize=0`],
    ['GET', `${account}/nothing`],
    ['PUT', `${account}/product`, product],
    ['POST', `${account}/product`, '{'],
    ['POST', `${account}/product`, '{}'],
    ['POST', `${account}/product?dryRun=check`, product],
    ['GET', `${account}/product/NO-SUCH-ID`],
  ] as const) {
    const { headers } = await send(method, path, { body })
    expect([method, path, headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual([
      method,
      path,
      expect.stringMatching(/^"\d+-per-[\d.]+s";r=\d+;t=\d+$/),
      expect.stringMatching(/^"\d+-per-[\d.]+s";q=\d+;w=\d+/),
    ])
  }
})

describe('the management API', () => {
  const workspace = '/workspaces/{workspaceId}'
  const squareAccount = `${workspace}/accounts/square-restaurant`
  const send = async (method: string, path: string, body?: object) => {
    const { body: reply, status } = await harness.manage(method, path.replace(workspace, ''), body)
    return { status, reply }
  }
  it.each([
    [
      'GET',
      `${workspace}/accounts/nowhere`,
      404,
      'Check accountId in the path: GET /manage/v1/workspaces/{workspaceId}/accounts lists them.',
    ],
    [
      'DELETE',
      `${workspace}/api-keys/none`,
      404,
      'Check id in the path: GET /manage/v1/workspaces/{workspaceId}/api-keys lists them.',
    ],
    ['DELETE', `${workspace}/access-ids/none`, 404, 'GET /manage/v1/workspaces/{workspaceId}/access-ids lists them.'],
    [
      'GET',
      `${workspace}/connect-links/none`,
      404,
      'Check linkId in the path: GET /manage/v1/workspaces/{workspaceId}/connect-links lists them.',
    ],
    [
      'DELETE',
      `${workspace}/platform-apps/square`,
      404,
      'GET /manage/v1/workspaces/{workspaceId}/platform-apps lists them.',
    ],
    ['GET', `${workspace}/platform-apps/nothing`, 404, 'Check platform in the path. Platforms with OAuth are square, '],
    ['GET', `${squareAccount}/mappings/none`, 404, 'There is no such mapping. Check mappingId'],
    ['DELETE', `${squareAccount}/mapping-keys/none`, 404, '/accounts/{accountId}/mapping-keys lists them.'],
    ['DELETE', `${squareAccount}/mapping-defaults/products/read`, 404, 'did you mean "product"?'],
    ['DELETE', `${squareAccount}/mapping-defaults/product/both`, 404, 'direction in the path must be read or write.'],
    [
      'DELETE',
      `${squareAccount}/mapping-defaults/product/read`,
      404,
      'Nothing is set for this entity type and direction here',
    ],
    ['DELETE', `${squareAccount}/references/product/none`, 404, 'Check entityType and sourceId in the path'],
    ['GET', `${squareAccount}/references/imports/none`, 404, 'Check importId in the path'],
    ['GET', `${workspace}/activity/none`, 404, 'X-Request-Id header of every response'],
    [
      'GET',
      `${workspace}/overview?since=2026-02-01T00:00:00Z&until=2026-01-01T00:00:00Z`,
      400,
      'Send an earlier since, or a later until.',
    ],
  ])('%s %s is %i and says "%s"', async (method, path, status, words) => {
    const { status: got, reply } = await send(method, path)
    expect([got, reply.detail]).toEqual([status, expect.stringContaining(words)])
  })
  it('says what to do with an id that is taken, a vertical that a platform has not, and an unknown setting', async () => {
    const body = { platform: 'square', vertical: 'restaurant', id: 'square-restaurant', auth: 'oauth2' }
    const credentials = { clientId: 'a', clientSecret: 'b', accessToken: 'c', refreshToken: 'd' }
    const taken = await send('POST', `${workspace}/accounts`, { ...body, credentials })
    expect([taken.status, taken.reply.detail]).toEqual([
      409,
      expect.stringContaining('Choose another id, or send new credentials to POST'),
    ])
    const other = await send('POST', `${workspace}/accounts`, {
      ...body,
      id: 'other',
      vertical: 'accounting',
      credentials,
    })
    expect([other.status, other.reply.errors]).toEqual([
      422,
      [{ pointer: '/vertical', message: 'must be one of restaurant, retail_pos: these are the verticals of Square' }],
    ])
    const app = { clientId: 'a', clientSecret: 'b', settings: { color: 'red' } }
    const unknown = await send('PUT', `${workspace}/platform-apps/square`, app)
    expect([unknown.status, unknown.reply.errors]).toEqual([
      422,
      [{ pointer: '/settings/color', message: expect.stringContaining('is not a setting of Square. Settings: ') }],
    ])
    const keys = await send('GET', `${squareAccount}/mapping-keys`)
    const { key: preset } = keys.reply.data.find(({ isDefault }: { isDefault: boolean }) => isDefault)
    const refused = await send('DELETE', `${squareAccount}/mapping-keys/${preset}`)
    expect([refused.status, refused.reply.detail]).toEqual([422, expect.stringContaining('set a default mapping')])
  })
})

it('a text with NUL in a management body is refused with its field, on every database', async () => {
  const refused = await harness.manage('POST', '/api-keys', { name: 'a\0b' })
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    [{ pointer: '/name', message: 'must not contain the character U+0000; remove it' }],
  ])
})
