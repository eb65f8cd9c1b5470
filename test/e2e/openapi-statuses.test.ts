// The OpenAPI document declares every status and error code that the operations return.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formBPrefix } from '../../src/api/record-operations.ts'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import { errorTable } from '../../src/contract/errors.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { readDocuments } from '../api-documents.ts'

interface Operation {
  id: string
  method: string
  path: string
  form: 'A' | 'B' | 'manage' | 'open'
  hasBody: boolean
  responses: Record<string, { description: string; content?: Record<string, unknown> }>
}
interface Described extends Pick<Operation, 'responses'> {
  operationId: string
  security: Record<string, unknown>[]
  requestBody?: unknown
}
const account = 'square-restaurant'
const tokenPath = `${formBPrefix}/oauth/server/access-token`
let harness: Harness
let operations: Operation[]
let bearer: Record<Operation['form'], string>
let ids: Record<string, string>

beforeAll(async () => {
  harness = await createHarness({ connectors, simulators, platform: 'square' })
  const adminToken = harness.secrets[1] as string
  const workspaces = await fetch(`${harness.url}/manage/v1/workspaces`, {
    headers: { authorization: `Bearer ${adminToken}` },
  })
  const { data } = (await workspaces.json()) as { data: { id: string }[] }
  const workspaceId = data[0]?.id as string
  const { key } = (await harness.manage('POST', '/api-keys', { name: 'statuses' })).body
  const access = (await harness.manage('POST', '/access-ids', { name: 'statuses' })).body
  const token = await fetch(harness.url + tokenPath, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: access.id,
      client_secret: access.secret,
      grant_type: 'client_credentials',
    }),
  })
  const { access_token } = (await token.json()) as { access_token: string }
  bearer = { A: key, B: access_token, manage: adminToken, open: key }
  ids = { workspaceId, accountId: account, vertical: 'restaurant', entityType: 'product' }
  const { paths } = (await readDocuments(async (path) => (await fetch(harness.url + path)).text())) as {
    paths: Record<string, Record<string, Described>>
  }
  operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, security, requestBody, responses }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
      form: formOf(security[0] ?? {}),
      hasBody: requestBody !== undefined,
      responses,
    })),
  )
})
afterAll(() => harness.close())

const formOf = (security: Record<string, unknown>): Operation['form'] =>
  'apiKey' in security ? 'A' : 'accessToken' in security ? 'B' : 'management' in security ? 'manage' : 'open'
const pathWith = ({ path }: Operation, value: (name: string) => string) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => value(name))
const known = (operation: Operation) => pathWith(operation, (name) => ids[name] ?? 'missing')

interface Probe {
  at?: (operation: Operation) => string
  only?: (operation: Operation) => boolean
  credential?: string
  headers?: Record<string, string>
  body?: string
}
const writes = ({ method, hasBody }: Operation) => hasBody && method !== 'DELETE'
const json = { 'content-type': 'application/json' }
const probes: Record<string, Probe> = {
  'without a credential': { credential: '' },
  'with a wrong credential': { credential: 'urk_wrong.0123456789abcdef' },
  'with an unknown parameter': {
    at: (operation) => `${known(operation)}?nonsense=1`,
    only: ({ method }) => method !== 'DELETE',
  },
  'of what does not exist': { at: (operation) => pathWith(operation, () => 'missing') },
  'of a record that does not exist': { only: ({ method }) => method === 'GET' },
  'with a NUL in the address': { at: (operation) => `${known(operation)}?a=%00` },
  'with a part of the path that is too long': {
    at: (operation) => pathWith(operation, () => 'x'.repeat(1100)),
    only: ({ path }) => path.includes('{'),
  },
  'with an empty object': { only: writes, headers: json, body: '{}' },
  'with an array': { only: writes, headers: json, body: '[]' },
  'with broken JSON': { only: writes, headers: json, body: '{' },
  'with a body of another type': { only: writes, headers: { 'content-type': 'text/plain' }, body: 'text' },
  'with a body of another encoding': { only: writes, headers: { ...json, 'content-encoding': 'zstd' }, body: '{}' },
  'with a body that is too large': { only: writes, headers: json, body: `"${'x'.repeat(1024 * 1024)}"` },
}

async function undeclared(operation: Operation, { at = known, credential, headers, body }: Probe) {
  const response = await fetch(harness.url + at(operation), {
    method: operation.method,
    headers: { authorization: `Bearer ${credential ?? bearer[operation.form]}`, ...headers },
    body,
    redirect: 'manual',
  })
  const text = await response.text()
  const type = (response.headers.get('content-type') ?? '').split(';')[0] as string
  const declared = operation.responses[response.status]
  const found = `${operation.id} returned ${response.status} ${type} ${text.slice(0, 160)}`
  if (!declared) return [found]
  if (text !== '' && !declared.content?.[type]) return [found]
  const code = type === 'application/problem+json' ? (JSON.parse(text) as { code: string }).code : undefined
  return code && !declared.description.includes(`\`${code}\``) ? [found] : []
}

it.each(Object.entries(probes))('a request %s gets a declared response', async (_, probe) => {
  const found: string[] = []
  const probed = operations.filter(probe.only ?? (() => true))
  expect(probed.length).toBeGreaterThan(10)
  for (const operation of probed) found.push(...(await undeclared(operation, probe)))
  expect(found).toEqual([])
})

it('every operation declares what the parser, the router, overload and an unavailable database return', () => {
  const common = [
    'malformed_request',
    'request_timeout',
    'uri_too_long',
    'header_too_large',
    'internal_error',
    'unavailable',
  ] as const
  const missing = operations.flatMap(({ id, responses }) =>
    common
      .filter((code) => !responses[errorTable[code].status]?.description.includes(`\`${code}\``))
      .map((code) => `${id}: ${code}`),
  )
  expect(missing).toEqual([])
})

it('every code of the error table is declared by an operation, under its status', () => {
  const missing = Object.entries(errorTable).filter(
    ([code, { status }]) => !operations.some(({ responses }) => responses[status]?.description.includes(`\`${code}\``)),
  )
  expect(missing.map(([code]) => code)).toEqual([])
})

it('every operation declares one kind of success, and 204 without content', () => {
  for (const { id, responses } of operations) {
    const successes = Object.keys(responses).filter((status) => status.startsWith('2'))
    expect(successes, id).not.toEqual([])
    if (successes.includes('204')) expect([id, successes, responses[204]?.content]).toEqual([id, ['204'], undefined])
  }
})

describe('the token endpoint', () => {
  it('declares OPTIONS as it responds: 204 with Allow', async () => {
    const response = await fetch(harness.url + tokenPath, { method: 'OPTIONS' })
    const declared = operations.find(({ method, path }) => method === 'OPTIONS' && path === tokenPath)?.responses[204]
    expect([response.status, response.headers.get('allow'), declared]).toEqual([
      204,
      'POST, OPTIONS',
      { description: expect.any(String), headers: { Allow: expect.any(Object) } },
    ])
  })
  it('declares exactly the methods that it does not reject with 405', async () => {
    const accepted: string[] = []
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      if ((await fetch(harness.url + tokenPath, { method })).status !== 405) accepted.push(method)
    expect(operations.filter(({ path }) => path === tokenPath).map(({ method }) => method)).toEqual(accepted)
  })
})
