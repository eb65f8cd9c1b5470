// Checks requests of the connector, sent through the whole service, and responses of the simulator against Xero's
// official OpenAPI files. scripts/check/vendor-digest.ts creates the digests.
import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import type { CreateSimulator, WireRequest, WireResponse } from '../../sandbox/simulator.ts'
import { xero } from './connector.ts'
import { createXeroSimulator } from './simulator/simulator.ts'

interface Node {
  [key: string]: Node
}
interface Parameter {
  in: 'query' | 'header' | 'path'
  name: string
  required?: boolean
  schema: object
}
const exchanges: { request: WireRequest; response: WireResponse }[] = []
const recording: CreateSimulator = (options) => {
  const simulator = createXeroSimulator(options)
  const handle = async (request: WireRequest) => {
    const response = await simulator.handle(request)
    exchanges.push({ request, response })
    return response
  }
  return { ...simulator, handle }
}

const load = (name: string): Node =>
  JSON.parse(readFileSync(new URL(`./fixtures/${name}.digest.json`, import.meta.url), 'utf8'))
/**
 * The file describes no envelope and allows additional properties: disallowed here, so that a misspelled element is
 * found.
 */
function loadAccounting(): Node {
  const specification = load('accounting')
  const schemas = specification.components!.schemas!
  for (const name of ['Contact', 'Address', 'Phone', 'ContactPerson', 'Contacts', 'Error', 'Pagination'])
    Object.assign(schemas[name]!, { additionalProperties: false })
  for (const name of ['Id', 'Status', 'ProviderName', 'DateTimeUTC'])
    Object.assign(schemas.Contacts!.properties!, { [name]: { type: 'string' } })
  return specification
}
const ajv = new Ajv({ strict: false, allErrors: true, coerceTypes: false })
formats.default(ajv)
const coercing = new Ajv({ strict: false, coerceTypes: true })
formats.default(coercing)

let accounting: Node
let identity: Node
let harness: Harness
const path = '/unified/xero-accounting/customer'

describe("Xero's OpenAPI file accepts", () => {
  beforeAll(async () => {
    accounting = loadAccounting()
    identity = load('identity')
    // Declared as date-time, while the file's own example has no offset.
    for (const name of ['createdDateUtc', 'updatedDateUtc'])
      Reflect.deleteProperty(identity.components!.schemas!.Connection!.properties![name]!, 'format')
    ajv.addSchema(accounting, 'accounting')
    ajv.addSchema(identity, 'identity')
    coercing.addSchema(accounting, 'accounting')
    harness = await createHarness({ connectors: { xero }, simulators: { xero: recording }, platform: 'xero' })
    await useEverything()
  })
  afterAll(() => harness.close())

  async function useEverything(): Promise<void> {
    const call = async (method: string, at: string, body?: unknown) =>
      (await harness.call(method, at, body, { prefer: 'wait=60' })).body
    const address = {
      line1: '1 Quay St',
      line2: 'Level 4',
      city: 'Auckland',
      state: 'AKL',
      postalCode: '1010',
      country: 'New Zealand',
    }
    const record = {
      name: 'Ngā Puna',
      firstName: 'Ani',
      lastName: 'Puna',
      email: 'ani@example.com',
      phone: '+64 9 555 0101',
      address,
      currencyCode: 'AUD',
    }
    const { cursor } = (await call('GET', `${path}?pageSize=2`)).pagination
    await call('GET', `${path}?cursor=${cursor}`)
    await call('GET', `${path}?updatedAfter=2026-01-01T00:00:00.123Z`)
    const { data } = await call('POST', path, { externalId: 'v1', ...record })
    await call('GET', `${path}/${data.externalId}`)
    await call('POST', path, { externalId: 'v2', ...record })
    await call('POST', path, { externalId: 'v3', name: 'Gone', active: false })
    await call('PUT', `${path}/${data.externalId}`, { externalId: data.externalId, name: 'Te Puna', active: false })
    await call('PUT', `${path}/${data.externalId}`, { ...data, active: true, phone: '1' })
    await call('GET', `${path}/00000000-0000-4000-8000-000000000000`)
  }
  const resolve = (specification: Node, node: Node): Node =>
    '$ref' in node
      ? (node as unknown as { $ref: string }).$ref
          .slice(2)
          .split('/')
          .reduce((at, step) => at[step]!, specification)
      : node
  /** The operation of a path below the file's own server URL. */
  function operationOf({ method, path }: WireRequest): { template: string; operation: Node; parameters: Parameter[] } {
    const below = path.replace(/^\/api\.xro\/2\.0/, '')
    const template =
      below === '/Contacts'
        ? below
        : /^\/Contacts\/[0-9a-f-]{36}$/.test(below)
          ? '/Contacts/{ContactID}'
          : '/Contacts/{ContactNumber}'
    const item = accounting.paths![template]
    const operation = item?.[method.toLowerCase()]
    if (!operation) throw new Error(`${method} ${template} is not in the file`)
    const declared = [item, operation].flatMap((node) =>
      ((node.parameters ?? []) as unknown as Node[]).map((parameter) => resolve(accounting, parameter)),
    )
    return { template, operation, parameters: declared as unknown as Parameter[] }
  }
  const accounted = () => exchanges.filter(({ request }) => request.path.startsWith('/api.xro/'))
  const violations = (schema: object, value: unknown, judge = ajv): unknown[] => {
    const validate = judge.compile(schema)
    return validate(value)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message, params }) => ({ instancePath, message, params }))
  }
  const within = (node: unknown): object => JSON.parse(JSON.stringify(node).replaceAll('"#/', '"accounting#/'))

  it('every request: path, parameters, headers and body', () => {
    const seen = new Set<string>()
    for (const { request } of accounted()) {
      const { template, operation, parameters } = operationOf(request)
      seen.add(`${request.method} ${template}`)
      for (const [name, value] of request.query) {
        const parameter = parameters.find((candidate) => candidate.in === 'query' && candidate.name === name)
        expect(parameter, `${template} has no parameter ${name}`).toBeDefined()
        expect(
          violations({ type: 'object', properties: { value: within(parameter!.schema) } }, { value }, coercing),
          name,
        ).toEqual([])
      }
      for (const { in: place, name, required, schema } of parameters) {
        if (place !== 'header') continue
        const value = request.headers[name.toLowerCase()]
        if (required) expect(value, `${name} is required`).toBeDefined()
        if (value !== undefined) expect(violations(within(schema), value), name).toEqual([])
      }
      const schema =
        operation.requestBody && resolve(accounting, operation.requestBody).content!['application/json']!.schema
      if (schema) expect(violations(within(schema), JSON.parse(request.body))).toEqual([])
      else expect(request.body).toBe('')
    }
    expect([...seen].sort()).toEqual([
      'GET /Contacts',
      'GET /Contacts/{ContactID}',
      'POST /Contacts/{ContactID}',
      'PUT /Contacts',
    ])
    const headers = new Set(accounted().flatMap(({ request }) => Object.keys(request.headers)))
    expect([...headers]).toEqual(expect.arrayContaining(['xero-tenant-id', 'idempotency-key', 'if-modified-since']))
  })

  it('every response of the simulator, including errors', () => {
    const seen = new Set<number>()
    for (const { request, response } of accounted()) {
      const declared = operationOf(request).operation.responses![String(response.status)]
      seen.add(response.status)
      if (!declared) {
        expect([request.method, response.status]).toEqual(['GET', 404]) // the file has no 404
        continue
      }
      const body = JSON.parse(JSON.stringify(response.body))
      expect(violations(within(resolve(accounting, declared).content!['application/json']!.schema), body)).toEqual([])
      for (const element of body.Elements ?? [])
        expect(violations({ $ref: 'accounting#/components/schemas/Contact' }, element)).toEqual([])
    }
    expect([...seen].sort()).toEqual([200, 400, 404])
  })

  it('the list of connections, from which the organization is determined', async () => {
    const { response } = exchanges.find(({ request }) => request.path === '/connections')!
    expect(
      violations(
        { type: 'array', minItems: 1, items: { $ref: 'identity#/components/schemas/Connection' } },
        response.body,
      ),
    ).toEqual([])
    const { body } = await harness.manage('GET', '/accounts/xero-accounting')
    expect(body.settings).toEqual({ tenantId: (response.body as { tenantId: string }[])[0]!.tenantId })
  })
})
