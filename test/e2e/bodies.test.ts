// Bodies that are rejected before the route is considered.
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { closeServices, startBare as start } from './bare-service.ts'

afterEach(closeServices)
/** The body is read after the account. */
const addAccount = ({ store }: Awaited<ReturnType<typeof start>>['service'], workspaceId: string) =>
  store.accounts.create({
    id: 'x',
    workspaceId,
    platform: 'square',
    vertical: 'restaurant',
    name: 'Shop',
    state: 'active',
    settings: {},
    auth: 'static',
    credentials: { accessToken: 'token' },
  })
const json = { 'content-type': 'application/json' }

it('a lone surrogate is rejected with its pointer on every route; a surrogate pair is accepted', async () => {
  const { service, send, adminToken, key, workspace } = await start()
  await addAccount(service, workspace)
  const { key: token } = await key()
  const halves: [string, string, string, string][] = [
    ['/unified/x/product', token, '{"externalId":"H","name":"a\\ud800b"}', '/name'],
    ['/unified/x/product', token, '{"externalId":"H","modifiers":[{"a/b":"\\uDC00"}]}', '/modifiers/0/a~1b'],
    ['/unified/x/product', token, '{"externalId":"H","\\udfff":1}', ''],
    ['/manage/v1/workspaces', adminToken, '{"name":"\\ud800"}', '/name'],
    ['/unified/x/product', token, `${'['.repeat(100)}"\\ud800"${']'.repeat(100)}`, '/0'.repeat(100)],
  ]
  for (const [url, bearer, payload, pointer] of halves) {
    const response = await send('POST', url, bearer, { payload, headers: json })
    expect(
      [response.statusCode, response.json().code, response.json().errors?.[0]?.pointer],
      payload.slice(0, 80),
    ).toEqual([422, 'validation_failed', pointer])
  }
  const whole = await send('POST', '/manage/v1/workspaces', adminToken, {
    payload: '{"name":"\\ud83c\\udf55"}',
    headers: json,
  })
  expect([whole.statusCode, whole.json().name]).toEqual([201, '🍕'])
})

it('a body that is nested too deeply is rejected, whatever it is for', async () => {
  const { service, send, adminToken, key, workspace } = await start()
  await addAccount(service, workspace)
  const { key: token } = await key()
  const nested = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`
  const post = async (url: string, bearer: string, payload: string) => {
    const response = await send('POST', url, bearer, { payload, headers: json })
    return [response.statusCode, response.json().code]
  }
  // The limit counts the levels inside of the object, and the object is one.
  const product = (levels: number) => `{"externalId":"D","name":"Tea","currencyCode":${nested(levels)}}`
  expect(await post('/unified/x/product', token, product(99))).toEqual([422, 'validation_failed'])
  for (const levels of [102, 100_000]) {
    expect(await post('/unified/x/product', token, product(levels))).toEqual([400, 'malformed_json'])
    expect(await post('/manage/v1/workspaces', adminToken, nested(levels))).toEqual([400, 'malformed_json'])
  }
})

it('a body that is too large does not change whether the connection stays open', async () => {
  const { service, key, workspace } = await start()
  await addAccount(service, workspace)
  const { key: token } = await key()
  const url = await service.listen()
  const body = JSON.stringify({ text: 'x'.repeat(1024 * 1024) })
  const statusOf = async (connection: string) => {
    const headers = {
      ...json,
      connection,
      'content-length': String(Buffer.byteLength(body)),
      authorization: `Bearer ${token}`,
    }
    const request = httpRequest(`${url}/unified/x/product`, { method: 'POST', headers })
    request.end(body)
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    response.resume()
    return [response.statusCode, response.headers.connection]
  }
  expect(await statusOf('close')).toEqual([413, 'close'])
  expect(await statusOf('keep-alive')).not.toContain('close')
})
