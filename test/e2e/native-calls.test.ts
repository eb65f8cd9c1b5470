// Calls that a caller writes: they reach the connector's own origin only, and a call that may write is sent once.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { freshDatabase } from '../postgres.ts'

const account = 'square-restaurant'
const address = `/unified/${account}/native`
/** A number with these characters. TypeScript does not know this function of JSON yet. */
const spelled = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON
const formB = '/api/1.0/standalone-link-engine-service'

describe.each(['sqlite', 'postgres'] as const)('on %s', (database) => {
  let harness: Harness
  beforeAll(async () => {
    const databaseUrl =
      database === 'sqlite' ? undefined : await freshDatabase(inject('postgresUrl'), inject('postgresTemplate'))
    harness = await createHarness({ connectors, simulators, platform: 'square', databaseUrl, ownDisk: !databaseUrl })
  })
  afterAll(() => harness.close())

  const native = (call: object, headers?: Record<string, string>) => harness.call('POST', address, call, headers)
  const sent = () => harness.sandbox.calls('square')
  const createCustomer = (externalId: string, given = 'Ada') => ({
    method: 'POST',
    path: '/v2/customers',
    body: { given_name: given },
    externalId,
  })
  let searches = 0
  const customers = async (given: string) =>
    (
      await native({ method: 'POST', path: '/v2/customers/search', body: {}, externalId: `S-${++searches}` })
    ).body.body.customers.filter((one: { given_name?: string }) => one.given_name === given).length

  it('a read returns the status, headers and body of the platform, with query and settings filled in', async () => {
    harness.sandbox.clearCalls('square')
    const reply = await native({ method: 'GET', path: '/v2/customers', query: { limit: [2], sort_order: 'ASC' } })
    expect([reply.status, reply.body.status]).toEqual([200, 200])
    expect(reply.body.body.customers).toHaveLength(2)
    expect(reply.body.headers).toMatchObject({ 'content-type': expect.stringContaining('json') })
    expect(sent().map(({ path, query }) => `${path}?${query}`)).toEqual(['/v2/customers?limit=2&sort_order=ASC'])
    const missing = await native({ method: 'GET', path: '/v2/customers/NONE' })
    expect([missing.status, missing.body.status, missing.body.body.errors[0].code]).toEqual([200, 404, 'NOT_FOUND'])
    const latest = async () => (await harness.manage('GET', `/activity?accountId=${account}`)).body.data[0]
    await expect.poll(latest).toMatchObject({ operation: 'native', method: 'POST', status: 200 })
  })

  it('keeps every digit of the numbers that the platform sends, and removes secrets', async () => {
    const { credentials } = (await harness.service.store.accounts.get(account))!
    const numbers = { big: spelled('12345678901234567890'), price: spelled('1.10') }
    harness.sandbox.fault('square', { kind: 'foreign_before', status: 200, body: numbers, times: 1 })
    const exact = await native({ method: 'GET', path: '/v2/customers' })
    expect(exact.body.body.price).toBe(1.1)
    expect(harness.output()).toContain('"body":{"big":12345678901234567890,"price":1.10}')
    const body = { note: `token ${credentials.accessToken}`, refresh_token: 'abc', name: 'Ada' }
    harness.sandbox.fault('square', { kind: 'foreign_before', status: 400, body, times: 1 })
    const struck = await native({ method: 'GET', path: '/v2/customers' })
    expect(struck.body).toMatchObject({ status: 400, body: { note: 'token •••', refresh_token: '•••', name: 'Ada' } })
  })

  it('a writing call is sent once, and the same request gets the stored response', async () => {
    harness.sandbox.clearCalls('square')
    const first = await native(createCustomer('W-1', 'Grace'))
    expect([first.status, first.body.status, first.headers.get('idempotent-replayed')]).toEqual([200, 200, null])
    const again = await native(createCustomer('W-1', 'Grace'))
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body).toEqual({ ...first.body, reference: { externalId: 'W-1', replayed: true } })
    const both = await Promise.all([native(createCustomer('W-2', 'Twin')), native(createCustomer('W-2', 'Twin'))])
    expect(both[0].body.body).toEqual(both[1].body.body)
    expect(sent().filter(({ method }) => method === 'POST')).toHaveLength(2)
    const other = await native(createCustomer('W-1', 'Joan'))
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict'])
    // Not a record: the key of a native call is no source id of a customer.
    expect((await harness.call('GET', `/unified/${account}/customer?externalId=W-1`)).body.data).toEqual([])
  })

  it.each([
    ['reset_after', undefined],
    ['error_after', 500],
    ['unavailable', 503],
  ] as const)('after %s the outcome is unknown, and the call is never sent again', async (kind, status) => {
    harness.sandbox.clearCalls('square')
    harness.sandbox.fault('square', { kind, method: 'POST', path: '/v2/customers', times: 1 })
    const name = `Lost ${kind}`
    for (let round = 0; round < 3; round++) {
      const reply = await native(createCustomer(`L-${kind}`, name))
      expect([reply.status, reply.body.code], JSON.stringify(reply.body)).toEqual([409, 'outcome_unknown'])
      if (round === 0) expect(reply.body.downstream.status).toBe(status)
      else expect(reply.body.detail).toContain('The call may have been sent to Square')
    }
    expect(sent().filter(({ method }) => method === 'POST')).toHaveLength(1)
    expect(await customers(name)).toBe(kind === 'unavailable' ? 0 : 1)
  })

  it('a refused write frees its key, a throttled one is sent again, and an expired token is renewed', async () => {
    const wrong = { ...createCustomer('R-1'), body: { given_name: 7 } }
    const refused = await native(wrong)
    expect([refused.status, refused.body.status]).toEqual([200, 400])
    expect((await native(createCustomer('R-1', 'Corrected'))).body.status).toBe(200)
    harness.sandbox.fault('square', { kind: 'throttle_silent', method: 'POST', times: 1 })
    harness.sandbox.fault('square', { kind: 'expired_token', method: 'POST', times: 1 })
    expect((await native(createCustomer('R-2', 'Patient'))).body.status).toBe(200)
    expect(await customers('Patient')).toBe(1)
  })

  const bad: [what: string, part: object, pointer: string, message?: string][] = [
    ['an absolute URL', { path: 'https://example.com/v2' }, '/path'],
    ['an upper case scheme', { path: 'HTTP://example.com' }, '/path'],
    ['a host', { path: '//example.com/v2' }, '/path'],
    ['user data', { path: '/v2@example.com' }, '/path'],
    ['user data at the start', { path: '@example.com/v2' }, '/path'],
    ['a backslash', { path: '/\\example.com' }, '/path'],
    ['an encoded slash', { path: '/v2%2fcustomers' }, '/path'],
    ['an encoded backslash', { path: '/v2%5Ccustomers' }, '/path'],
    ['encoded dots', { path: '/v2/%2e%2E/oauth2' }, '/path'],
    ['a path encoded twice', { path: '/v2/%252e%252e' }, '/path'],
    ['dot segments', { path: '/v2/../oauth2/token' }, '/path'],
    ['a dot segment with a parameter', { path: '/v2/..;x/oauth2' }, '/path'],
    ['a line break', { path: '/v2/customers\r\nhost: example.com' }, '/path', 'remove them'],
    ['an encoded line break', { path: '/v2/customers%0d%0a' }, '/path'],
    ['a query in the path', { path: '/v2/customers?a=1' }, '/path'],
    ['a fragment', { path: '/v2/customers#a' }, '/path'],
    ['two slashes', { path: '/v2//customers' }, '/path'],
    ['no slash', { path: 'v2/customers' }, '/path'],
    ['text that is not ASCII', { path: '/v2/cüstomers' }, '/path'],
    ['half an escape', { path: '/v2/%4' }, '/path'],
    ['the token address', { path: '/oauth2/token' }, '/path'],
    ['the address that revokes tokens', { path: '/oauth2/revoke/' }, '/path'],
    ['the address of another authorization', { path: '/mobile/authorization-code' }, '/path'],
    ['an unknown setting', { path: '/v2/{nothing}' }, '/path'],
    ['an unsupported method', { method: 'TRACE' }, '/method'],
    ['a credential header', { headers: { Authorization: 'Bearer x' } }, '/headers/Authorization'],
    ['a header of the connector', { headers: { 'Square-Version': '2020-01-01' } }, '/headers/Square-Version'],
    ['a cookie', { headers: { cookie: 'a=b' } }, '/headers/cookie', 'is not allowed; remove it'],
    ['a host header', { headers: { Host: 'example.com' } }, '/headers/Host'],
    ['a header with a line break', { headers: { accept: 'a\r\nhost: b' } }, '/headers/accept'],
    ['a header twice', { headers: { accept: 'a', Accept: 'b' } }, '/headers'],
    ['a credential parameter', { query: { access_token: 'x' } }, '/query/access_token'],
    ['a body with GET', { body: {} }, '/body'],
    ['a key with GET', { externalId: 'X' }, '/externalId'],
    ['no key with POST', { method: 'POST' }, '/externalId'],
    ['an unknown field', { url: '/v2' }, '/url'],
    ['an object in the query', { query: { a: { b: 1 } } }, '/query/a'],
    ['null in an array of the query', { query: { a: [1, null, null] } }, '/query/a', 'must be text of at most 4000'],
  ]
  it('refuses bad input with the field and its fault, and sends nothing', async () => {
    harness.sandbox.clearCalls('square')
    for (const [what, part, pointer, message = ''] of bad) {
      const reply = await native({ method: 'GET', path: '/v2/customers', ...part })
      expect([reply.status, reply.body.code], what).toEqual([422, 'validation_failed'])
      expect(reply.body.errors, what).toEqual([{ pointer, message: expect.stringContaining(message) }])
    }
    for (const body of [undefined, [], 'x', null]) {
      const reply = await harness.call('POST', address, body)
      expect([400, 415, 422], JSON.stringify(reply.body)).toContain(reply.status)
    }
    const large = await native({ ...createCustomer('BIG'), body: { note: 'x'.repeat(1_100_000) } })
    expect([large.status, large.body.code]).toEqual([413, 'payload_too_large'])
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect((await harness.call(method, address, method === 'GET' ? undefined : {})).headers.get('allow')).toBe(
        'POST, OPTIONS',
      )
    expect(sent()).toEqual([])
  })

  it('needs the scope "native", and in form B a write mapping key', async () => {
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
    const read = { method: 'GET', path: '/v2/customers', query: { limit: 1 } }
    const plain = (await harness.manage('POST', '/api-keys', { name: 'plain' })).body
    expect(plain.scopes).toEqual(['records:read', 'records:write', 'changes'])
    const refused = await native(read, bearer(plain.key))
    expect([refused.status, refused.body.code, refused.body.scope]).toEqual([403, 'insufficient_scope', 'native'])
    expect((await harness.call('GET', `/unified/${account}/customer`, undefined, bearer(plain.key))).status).toBe(200)
    const only = (await harness.manage('POST', '/api-keys', { name: 'only', scopes: ['native'] })).body
    expect((await native(read, bearer(only.key))).status).toBe(200)
    const record = await harness.call('GET', `/unified/${account}/customer`, undefined, bearer(only.key))
    expect([record.status, record.body.scope]).toEqual([403, 'records:read'])

    const access = (await harness.manage('POST', '/access-ids', { name: 'B', scopes: ['native'] })).body
    const token = await fetch(`${harness.url}${formB}/oauth/server/access-token`, {
      method: 'POST',
      body: new URLSearchParams({
        client_id: access.id,
        client_secret: access.secret,
        grant_type: 'client_credentials',
      }),
    })
    const { access_token } = (await token.json()) as { access_token: string }
    const viaToken = (query: string) => harness.call('POST', `${formB}${address}${query}`, read, bearer(access_token))
    expect((await viaToken('')).body.code).toBe('mapping_key_required')
    const keys = (await harness.manage('GET', `/accounts/${account}/mapping-keys`)).body.data
    const keyOf = (direction: string) => keys.find((one: { direction: string }) => one.direction === direction).key
    expect((await viaToken(`?mappingKey=${keyOf('read')}`)).body.code).toBe('mapping_key_mismatch')
    expect((await viaToken(`?mappingKey=${keyOf('write')}`)).body).toMatchObject({ status: 200 })
  })

  it('an interrupted call is settled by the sweep without being sent, and a disabled account makes no call', async () => {
    harness.sandbox.clearCalls('square')
    const { journal } = harness.service.store
    const key = { accountId: account, entityType: 'native' as never, operation: 'native' as const }
    const entry = { writeId: 'w', contentHash: 'h', record: {}, startedAt: new Date().toISOString(), holder: 'gone' }
    for (const externalId of ['I-sent', 'I-unsent']) {
      await journal.begin({ ...key, ...entry, writeId: externalId, externalId }, 60_000)
      if (externalId === 'I-sent')
        await journal.stepSent({ ...key, externalId }, externalId, 'call', '{"method":"POST","path":"/v2/x"}', 'gone')
      await journal.renew({ ...key, externalId }, 'gone', 0)
    }
    await expect.poll(async () => (await journal.get({ ...key, externalId: 'I-sent' }))?.state).toBe('unknown')
    await expect.poll(() => journal.get({ ...key, externalId: 'I-unsent' })).toBeUndefined()
    await harness.service.store.accounts.update(account, { state: 'disabled' })
    const reply = await native({ method: 'GET', path: '/v2/customers' })
    expect([reply.status, reply.body.code]).toEqual([409, 'account_disabled'])
    expect(sent()).toEqual([])
    await harness.service.store.accounts.update(account, { state: 'active' })
  })
})
