import { afterEach, expect, it, vi } from 'vitest'
import { type ClientOptions, createClient } from '../../packages/client/src/index.ts'
import { createScriptedServer, page, problem, type Scripted, type ScriptedServer } from './scripted-server.ts'

const prefix = '/api/1.0/standalone-link-engine-service'
const tokenPath = `${prefix}/oauth/server/access-token`
const open: ScriptedServer[] = []
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(open.splice(0).map((server) => server.close()))
})

/** Issues token-1, token-2 … and accepts only those in `valid`. */
async function start({
  valid = () => true,
  token,
  options,
}: {
  valid?: (token: string) => boolean
  token?: (issued: number) => Scripted
  options?: Partial<ClientOptions>
} = {}) {
  let issued = 0
  const server = await createScriptedServer(({ path, headers }) => {
    if (path !== tokenPath)
      return valid(headers.authorization?.slice('Bearer '.length) ?? '') ? page([1]) : problem(401, 'unauthorized')
    issued++
    return token?.(issued) ?? { body: { access_token: `token-${issued}`, token_type: 'Bearer', expires_in: 3600 } }
  })
  open.push(server)
  const client = createClient({
    url: server.url,
    accessId: 'uri_1',
    accessSecret: 'secret',
    mappingKeys: { shop: { read: 'read-key' } },
    maxRetries: 1,
    ...options,
  })
  return {
    server,
    client,
    products: client.account('shop').product,
    issued: () => issued,
    used: () => server.asked.flatMap(({ path, headers }) => (path === tokenPath ? [] : [headers.authorization])),
  }
}

it('concurrent calls share one token, and include the prefix and the mapping key', async () => {
  const { server, products, issued } = await start()
  await Promise.all(Array.from({ length: 20 }, () => products.list()))
  expect(issued()).toBe(1)
  expect(server.asked[0]).toMatchObject({
    method: 'POST',
    path: tokenPath,
    body: 'client_id=uri_1&client_secret=secret&grant_type=client_credentials',
  })
  expect(server.asked[1]).toMatchObject({
    path: `${prefix}/unified/shop/product`,
    query: { mappingKey: 'read-key' },
    headers: { authorization: 'Bearer token-1' },
  })
})

it('with authUrl, the token and only the token is requested there, and the secret is sent nowhere else', async () => {
  const auth = await createScriptedServer([{ body: { access_token: 'separate', expires_in: 3600 } }])
  open.push(auth)
  const { server, products, issued } = await start({ options: { authUrl: `${auth.url}/oauth/token?tenant=a` } })
  await products.list()
  await products.list()
  expect(auth.asked).toMatchObject([
    {
      method: 'POST',
      path: '/oauth/token',
      query: { tenant: 'a' },
      body: 'client_id=uri_1&client_secret=secret&grant_type=client_credentials',
    },
  ])
  expect(server.asked.map(({ path, headers, body }) => [path, headers.authorization, body])).toEqual(
    Array(2).fill([`${prefix}/unified/shop/product`, 'Bearer separate', '']),
  )
  expect(issued()).toBe(0)
})

it('a rejected token is requested again at authUrl', async () => {
  const auth = await createScriptedServer((_, index) => ({
    body: { access_token: `separate-${index + 1}`, expires_in: 3600 },
  }))
  open.push(auth)
  const { products, used } = await start({
    valid: (token) => token === 'separate-2',
    options: { authUrl: `${auth.url}/token` },
  })
  expect((await products.list()).data).toHaveLength(1)
  expect(used()).toEqual(['Bearer separate-1', 'Bearer separate-2'])
})

it('an authUrl that is no http URL, has a password or comes with an API key is refused', () => {
  const access = { url: 'http://localhost', accessId: 'a', accessSecret: 's' }
  for (const authUrl of ['auth.example.com/token', 'ftp://auth.example.com/', 'https://a:hidden@auth.example.com/']) {
    const create = () => createClient({ ...access, authUrl })
    expect(create, authUrl).toThrow(/authUrl must be/)
    expect(create, authUrl).not.toThrow(/hidden/)
  }
  expect(() => createClient({ url: 'http://localhost', apiKey: 'k', authUrl: 'https://auth.example.com/' })).toThrow(
    TypeError,
  )
})

it('a url that is missing, or one that cannot be called, is refused with its name', () => {
  const needs = 'createClient needs url, an http or https URL'
  expect(() => createClient({ url: undefined as unknown as string, apiKey: 'k' })).toThrow(needs)
  expect(() => createClient({ url: '', apiKey: 'k' })).toThrow(needs)
  for (const url of ['records.example.com', 'localhost:8080', 'https://a:hidden@records.example.com']) {
    const inUrl = () => createClient({ url, apiKey: 'k' })
    expect(inUrl, url).toThrow(/^url must be an http or https URL/)
    expect(inUrl, url).not.toThrow(/hidden/)
    expect(() => createClient({ url: 'http://localhost', apiKey: 'k', manageUrl: url })).toThrow(/^manageUrl must be/)
  }
})

it('a token is renewed before it expires', async () => {
  const { products, used } = await start()
  await products.list()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3530_000 })
  await products.list()
  vi.setSystemTime(Date.now() + 20_000)
  await Promise.all([products.list(), products.list()])
  expect(used()).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2', 'Bearer token-2'])
})

it('concurrent calls rejected with an old token fetch one new token, and each is retried once', async () => {
  let rotated = false
  const { products, issued, used } = await start({ valid: (token) => !rotated || token === 'token-2' })
  await products.list()
  rotated = true
  const pages = await Promise.all(Array.from({ length: 10 }, () => products.list()))
  expect([pages.length, issued(), used().length]).toEqual([10, 2, 21])
})

it('a call that is also rejected with a new token is not sent a third time', async () => {
  const { products, issued, used } = await start({ valid: () => false })
  await expect(products.list()).rejects.toMatchObject({ code: 'unauthorized', status: 401 })
  expect([issued(), used().length]).toEqual([2, 2])
})

it('a rejected secret returns the OAuth error, and the next call tries again', async () => {
  const { products, issued } = await start({
    token: (issued) =>
      issued === 1
        ? {
            status: 401,
            body: { error: 'invalid_client', error_description: 'The access id or the secret is not valid.' },
          }
        : { body: { access_token: 'token', expires_in: 60 } },
  })
  await expect(products.list()).rejects.toMatchObject({
    code: 'invalid_client',
    status: 401,
    detail: 'The access id or the secret is not valid.',
  })
  expect((await products.list()).data).toHaveLength(1)
  expect(issued()).toBe(2)
})

it('the abort of one caller does not cancel the token request of another', async () => {
  const abort = new AbortController()
  const { products, issued } = await start()
  const aborted = products.list({ signal: abort.signal }).then(
    () => 'completed',
    (error: Error) => error.name,
  )
  const other = products.list()
  const completed = other.then(({ data }) => data.length)
  abort.abort()
  expect([await aborted, await completed, issued()]).toEqual(['AbortError', 1, 1])
})

it('a call without its mapping key fails in the client and names the missing key', async () => {
  const { server, client, products } = await start()
  await expect(products.create({ externalId: 'A', name: 'Tea' })).rejects.toMatchObject({
    code: 'mapping_key_required',
    detail: expect.stringContaining('writeMappingKey'),
  })
  await expect(client.account('other').customer.get('1')).rejects.toMatchObject({
    detail: expect.stringContaining('readMappingKey'),
  })
  expect(server.asked).toEqual([])
  await client.account('other', { readMappingKey: 'own' }).customer.list()
  expect(server.asked.at(-1)?.query).toEqual({ mappingKey: 'own' })
})

it('the API key uses the bare path, without mapping keys', async () => {
  const { server, products } = await start({
    options: { apiKey: 'urk_1.secret', accessId: undefined, accessSecret: undefined },
  })
  await products.list()
  expect(server.asked).toMatchObject([
    { path: '/unified/shop/product', query: {}, headers: { authorization: 'Bearer urk_1.secret' } },
  ])
})

it('a client requires exactly one authentication method', () => {
  const url = 'http://localhost'
  for (const options of [
    {},
    { accessId: 'a' },
    { accessSecret: 's' },
    { apiKey: 'k', accessId: 'a', accessSecret: 's' },
  ])
    expect(() => createClient({ url, ...options })).toThrow(TypeError)
})
