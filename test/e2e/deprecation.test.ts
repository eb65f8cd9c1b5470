// Deprecated routes and parameters announce themselves, over HTTP. The service has none today, so the test adds its own.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Deprecation } from '../../src/api/deprecation.ts'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'

const link = 'https://docs.example.com/change'
const entries: Deprecation[] = [
  {
    method: 'GET',
    route: '/unified/:accountId/:entityType',
    parameter: 'updatedAfter',
    since: '2026-01-01T00:00:00Z',
    sunset: '2026-07-01T00:00:00Z',
    link,
  },
  { method: 'GET', route: '/unified/:accountId/:entityType', parameter: 'pageSize', since: '2026-02-01', link },
  { method: 'POST', route: '/unified/:accountId/:entityType', since: '2026-02-01T00:00:00Z', link },
]
const options = { connectors, simulators, platform: 'square' }
const list = '/unified/square-restaurant/product'
let harness: Harness
beforeAll(async () => {
  harness = await createHarness({ ...options, deprecated: entries })
})
afterAll(() => harness.close())

const announced = ({ headers }: { headers: Headers }) =>
  ['deprecation', 'sunset', 'link'].map((name) => headers.get(name))
const relation = `<${link}>; rel="deprecation"; type="text/html"`

it('a request with a deprecated parameter gets Deprecation, Sunset and Link, and the same records', async () => {
  const reply = await harness.call('GET', `${list}?updatedAfter=2020-01-01T00:00:00Z`)
  expect(reply.status).toBe(200)
  expect(announced(reply)).toEqual(['@1767225600', 'Wed, 01 Jul 2026 00:00:00 GMT', relation])
})

it('the link to the next page stays', async () => {
  const reply = await harness.call('GET', `${list}?pageSize=1`)
  expect(announced(reply)).toEqual([
    '@1769904000',
    null,
    expect.stringMatching(
      /^<[^>]+cursor=[^>]+>; rel="next", <https:\/\/docs\.example\.com\/change>; rel="deprecation"/,
    ),
  ])
})

it('with several deprecations, the earliest dates count', async () => {
  const reply = await harness.call('GET', `${list}?pageSize=500&updatedAfter=2020-01-01T00:00:00Z`)
  expect(announced(reply).slice(0, 2)).toEqual(['@1767225600', 'Wed, 01 Jul 2026 00:00:00 GMT'])
})

it('a deprecated route announces itself in error responses too', async () => {
  const reply = await harness.call('POST', list, {})
  expect([reply.status, ...announced(reply)]).toEqual([422, '@1769904000', null, relation])
  expect(announced(await harness.call('POST', list, {}, { authorization: 'Bearer wrong' }))[0]).toBe('@1769904000')
})

it('other requests have none of the headers', async () => {
  for (const path of [list, `${list}/missing`, '/platforms'])
    expect(announced(await harness.call('GET', path)).slice(0, 2), path).toEqual([null, null])
})

it('the OpenAPI document marks the operations and parameters, and no others', async () => {
  const { paths } = (await harness.call('GET', '/openapi.json')).body
  const marked = (path: string) => {
    const { get, post } = paths[path]
    const parameters = get.parameters.flatMap((one: { name: string; deprecated?: true }) =>
      one.deprecated ? [one.name] : [],
    )
    return [get.deprecated, parameters, post?.deprecated]
  }
  expect(marked('/unified/{accountId}/order')).toEqual([undefined, ['pageSize', 'updatedAfter'], true])
  expect(marked('/unified/{accountId}/order/{id}')).toEqual([undefined, [], undefined])
  // Form B has the same paths, so the document says which form is meant.
  expect(paths['/unified/{accountId}/order'].post.description).toMatch(/ Deprecated in form A\.$/)
})

it.each([
  [{ method: 'GET', route: '/unified/:accountId/:nothing', since: '2026-01-01', link }, 'no such route'],
  [{ method: 'GET', route: '/platforms', since: 'soon', link }, 'needs a date'],
  [{ method: 'GET', route: '/platforms', since: '2026-02-01', sunset: '2026-03-01', link }, '180 days'],
])('the service does not start with %j', async (entry, message) => {
  await expect(createHarness({ ...options, deprecated: [entry] })).rejects.toThrow(message)
})
