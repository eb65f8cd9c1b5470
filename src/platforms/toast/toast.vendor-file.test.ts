// Checks requests of the connector and responses of the simulator against the definitions that Toast publishes. They
// may not be redistributed: `npm run vendors` creates digests of them and runs this test.
import { readFileSync } from 'node:fs'
import { Ajv, type ErrorObject } from 'ajv'
import { describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import type { CreateSimulator, WireRequest, WireResponse } from '../../sandbox/simulator.ts'
import { toast } from './connector.ts'
import { createToastSimulator } from './simulator/simulator.ts'

// biome-ignore lint/suspicious/noExplicitAny: a published file has any shape
type Json = any
interface Operation {
  id: string
  file: string
  method: string
  path: RegExp
  parameters: { name: string; in: string; required?: boolean; type?: string; format?: string; schema?: Json }[]
  request?: Json
  responses: Record<string, Json>
}
interface Exchange {
  request: WireRequest
  response: WireResponse
}
const names = ['authentication', 'orders', 'labor', 'menus', 'stock', 'restaurants']
const load = (name: string): Json =>
  JSON.parse(readFileSync(new URL(`../../../.cache/vendor-digests/toast/${name}.digest.json`, import.meta.url), 'utf8'))

type Direction = 'request' | 'response'
/** Toast's files are incomplete; their examples and descriptions add:
 *  - optional values of a response are null if absent; so is Selection.item, according to its description;
 * - a new object has no guid yet, and "Response only" fields may not be sent, except `entityType`, which every example
 * sends;
 *  - `type: object` with `items` is a reference to one object.
 *  Fields that a file does not have are errors here: they would be misspelled. */
function convert(node: Json, definitions: Json, direction: Direction): Json {
  if (node.$ref) return { $ref: `#/definitions/${node.$ref.split('/').at(-1)}` }
  if (node.type === 'object' && node.items) return convert(node.items, definitions, direction)
  if (node.type === 'array')
    return {
      type: 'array',
      minItems: node.minItems,
      maxItems: node.maxItems,
      items: convert(node.items, definitions, direction),
    }
  if (node.properties || node.allOf || node.additionalProperties) return convertObject(node, definitions, direction)
  const { type, format, enum: values, maxLength } = node
  return JSON.parse(JSON.stringify({ type, format, enum: values, maxLength }))
}
function convertObject(node: Json, definitions: Json, direction: Direction): Json {
  const { properties, required } = flattened(node, definitions, direction)
  const isSent = ([name, property]: [string, Json]) =>
    direction === 'response' || name === 'entityType' || !property['x-toast-read-only']
  const kept = Object.entries<Json>(properties).filter(isSent)
  const mayBeNull = (name: string, property: Json) =>
    property['x-nullable'] ||
    property.nullable ||
    (direction === 'response' && (!required.has(name) || name === 'item'))
  return {
    type: 'object',
    properties: Object.fromEntries(
      kept.map(([name, property]) => {
        const converted = convert(property, definitions, direction)
        return [name, mayBeNull(name, property) ? { anyOf: [converted, { type: 'null' }] } : converted]
      }),
    ),
    required: kept
      .map(([name]) => name)
      .filter((name) => required.has(name) && !(direction === 'request' && name === 'entityType')),
    additionalProperties: node.additionalProperties
      ? convert(node.additionalProperties, definitions, direction)
      : false,
  }
}
function flattened(node: Json, definitions: Json, direction: Direction): { properties: Json; required: Set<string> } {
  const parts = (node.allOf ?? []).map((part: Json) =>
    flattened(part.$ref ? definitions[part.$ref.split('/').at(-1)] : part, definitions, direction),
  )
  const properties = Object.assign({}, ...parts.map((part: Json) => part.properties), node.properties)
  const required = new Set<string>([...parts.flatMap((part: Json) => [...part.required]), ...(node.required ?? [])])
  const isReference = Object.keys(properties).every((name) =>
    ['guid', 'entityType', 'externalId', 'multiLocationId'].includes(name),
  )
  if (direction === 'request' && !isReference) required.delete('guid')
  return { properties, required }
}
function operationsOf(name: string): Operation[] {
  const file = load(name)
  const base = file.basePath ?? new URL(file.servers[0].url).pathname
  const definitions = file.definitions ?? file.components.schemas
  return Object.entries<Json>(file.paths).flatMap(([path, item]) =>
    ['get', 'post', 'put', 'patch', 'delete']
      .filter((method) => item[method])
      .map((method): Operation => {
        const operation = item[method]
        const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
        const body =
          parameters.find((parameter) => parameter.in === 'body')?.schema ??
          operation.requestBody?.content['application/json'].schema
        const answer = (response: Json) => response.schema ?? response.content?.['application/json'].schema
        return {
          id: operation.operationId,
          file: name,
          method: method.toUpperCase(),
          path: new RegExp(`^${base}${path}$`.replaceAll(/\{\w+\}/g, '[^/]+')),
          parameters,
          request: body && { ...convert(body, definitions, 'request'), definitions: allOf(definitions, 'request') },
          responses: Object.fromEntries(
            Object.entries<Json>(operation.responses).map(([status, response]) => {
              // In the orders file, the response of a create is a list of orders; in its text and its example it is the
              // order itself.
              const schema =
                operation.operationId === 'ordersPost' && status === '200'
                  ? { $ref: '#/definitions/Order' }
                  : answer(response)
              return [
                status,
                schema && { ...convert(schema, definitions, 'response'), definitions: allOf(definitions, 'response') },
              ]
            }),
          ),
        }
      }),
  )
}
const allOf = (definitions: Json, direction: Direction): Json =>
  Object.fromEntries(
    Object.entries<Json>(definitions).map(([name, node]) => [name, convert(node, definitions, direction)]),
  )

const toastDate = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}[+-]\d{4}$/
const ignored = Object.fromEntries(
  ['double', 'float', 'int32', 'int64', 'string', 'byte', 'ISO 3166-2'].map((name) => [name, true as const]),
)
const ajv = new Ajv({
  strict: false,
  allErrors: true,
  formats: {
    ...ignored,
    'date-time': toastDate,
    'ISO-8601': new RegExp(`${toastDate.source}|^PT\\d+M$`),
    yyyymmdd: /^\d{8}$/,
    uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  },
})
const compiled = new Map<Json, ReturnType<Ajv['compile']>>()
function faults(schema: Json, value: unknown): string[] {
  const validate = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, validate)
  const describeError = ({ instancePath, message, params }: ErrorObject) =>
    `${instancePath} ${message} ${JSON.stringify(params)}`
  return validate(value) ? [] : (validate.errors ?? []).map(describeError)
}
const asJson = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)))

function requestFaults(operation: Operation, { query, headers, body }: WireRequest): string[] {
  const found: string[] = []
  for (const parameter of operation.parameters.filter(({ in: place }) => place === 'header')) {
    const value = headers[parameter.name.toLowerCase()]
    if (parameter.required && !value) found.push(`header ${parameter.name} is missing`)
    if (parameter.name === 'Content-Type' && value !== 'application/json') found.push(`content type ${value}`)
    if (value && parameter.format === 'uuid') found.push(...faults({ type: 'string', format: 'uuid' }, value))
  }
  for (const [name, value] of query) {
    const parameter = operation.parameters.find((one) => one.in === 'query' && one.name === name)
    if (!parameter) found.push(`query parameter ${name} does not exist`)
    else if (parameter.type === 'integer' && !/^\d+$/.test(value)) found.push(`${name} is not an integer`)
    else if (parameter.type === 'boolean' && !/^(true|false)$/.test(value)) found.push(`${name} is not a boolean`)
    else if (parameter.type === 'string')
      found.push(...faults({ type: 'string', format: parameter.format }, value).map((fault) => `${name}${fault}`))
  }
  if (operation.request) found.push(...faults(operation.request, JSON.parse(body || 'null')))
  else if (body) found.push('a body where none is taken')
  return found
}
/**
 * Errors have no type in most files: they have the error format of the stock file (of the authentication file, whose
 * status is a string).
 */
function responseFaults(operation: Operation, { status, body }: WireResponse, errors: Record<string, Json>): string[] {
  if (status !== 200) return faults(errors[operation.file] ?? errors.stock, asJson(body))
  return faults(operation.responses['200'], asJson(body))
}

const recording =
  (create: CreateSimulator, exchanges: Exchange[]): CreateSimulator =>
  (options) => {
    const simulator = create(options)
    return {
      ...simulator,
      async handle(request) {
        const response = await simulator.handle(request)
        exchanges.push({ request, response })
        return response
      },
    }
  }

async function walk({ call }: Harness, entity: string, pageSize: number): Promise<Json[]> {
  const rows: Json[] = []
  for (let next: string | undefined = `pageSize=${pageSize}`; next; ) {
    const { body } = await call('GET', `/unified/toast-restaurant/${entity}?${next}`, undefined, { prefer: 'wait=60' })
    rows.push(...body.data)
    next = body.pagination.cursor && `cursor=${body.pagination.cursor}`
  }
  return rows
}
/** Every operation of the connector, successful and rejected. */
async function live(harness: Harness): Promise<void> {
  const { sandbox, call } = harness
  const at = '/unified/toast-restaurant'
  const send = async (method: string, path: string, body?: unknown, expected?: number) => {
    const reply = await call(method, `${at}/${path}`, body, { prefer: 'wait=60' })
    if (expected !== undefined) expect([path, reply.status], JSON.stringify(reply.body)).toEqual([path, expected])
    return reply.body
  }
  for (const entity of ['product', 'category', 'order', 'employee', 'time_entry', 'payment']) {
    const rows = await walk(harness, entity, 200)
    expect(rows.length).toBeGreaterThan(30)
    await send('GET', `${entity}/${rows[0].externalId}`, undefined, 200)
    await send('GET', `${entity}/00000000-0000-4000-8000-000000000000`, undefined, 404)
  }
  const products = await walk(harness, 'product', 200)
  const pieces = products.filter(({ priceType }) => priceType === 'FIXED')
  const open = products.find(({ priceType, price }) => priceType === 'VARIABLE' && price === undefined)
  const order = (key: string, productExternalId: string) => ({
    externalId: key,
    note: 'Window',
    processedAt: '2026-11-10T18:30:00+01:00',
    lineItems: [{ productExternalId, quantity: 2, unitPrice: 4.5 }],
  })
  const replies = await Promise.all(
    pieces
      .slice(0, 60)
      .map(({ externalId }, n) => call('POST', `${at}/order`, order(`piece ${n}`, externalId), { prefer: 'wait=60' })),
  )
  // Some need a modifier, which only the call reports.
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201, 422]))
  await send('POST', 'order', order('open', open.externalId), 201)
  await send(
    'POST',
    'order',
    {
      ...order('later', replies.find(({ status }) => status === 201)!.body.data.lineItems[0].productExternalId),
      processedAt: '2036-11-10T18:30:00Z',
    },
    201,
  )
  sandbox.fault('toast', { kind: 'reset_after', method: 'POST', path: '/orders', times: 1 })
  await send('POST', 'order', order('lost', open.externalId), 201)
  harness.tenants[0]!.expireTokens()
  const grace = {
    externalId: 'G',
    name: 'Grace Brewster Hopper',
    nickname: 'Amazing Grace',
    email: 'grace@example.com',
    role: 'Host',
    employeeCode: 'E-17',
  }
  const { data } = await send('POST', 'employee', { ...grace, active: false }, 201)
  await send('PUT', `employee/${data.externalId}`, { ...data, name: 'Grace Murray', role: 'Server', active: true }, 200)
  await send(
    'PUT',
    `employee/${data.externalId}`,
    { ...data, name: 'Grace Murray', role: 'Server', active: false },
    200,
  )
  await send('POST', 'employee', { ...grace, externalId: 'H' }, 422) // the email is taken
}

const expected = [
  'authenticationLoginPost',
  ...['ordersBulkGet', 'ordersGuidGet', 'ordersPost', 'paymentsGuidGet'],
  ...['menusGet', 'metadataGet', 'getInventory', 'postInventorySearch', 'restaurantsRestaurantGuidGet'],
  ...[
    'employeesGet',
    'employeesPost',
    'employeesEmployeeIdGet',
    'employeesEmployeeIdPatch',
    'employeesEmployeeIdDelete',
    'employeesEmployeeIdUnarchivePut',
    'employeesEmployeeIdJobsPut',
  ],
  ...['jobsGet', 'timeEntriesGet', 'timeEntriesTimeEntryIdGet'],
]

describe("Toast's own definitions", () => {
  const operations = names.flatMap(operationsOf)
  const operationOf = ({ method, path }: WireRequest) =>
    operations.find((one) => one.method === method && one.path.test(path))
  const errorOf = (name: string, definitions: Json) => ({
    $ref: '#/definitions/ErrorMessage',
    definitions: allOf(definitions, 'response'),
    $id: name,
  })
  const errors = {
    stock: errorOf('stock', load('stock').components.schemas),
    authentication: errorOf('authentication', load('authentication').definitions),
  }

  it('match every request of the connector and every response of the simulator', async () => {
    const exchanges: Exchange[] = []
    const harness = await createHarness({
      connectors: { toast },
      simulators: { toast: recording(createToastSimulator, exchanges) },
      platform: 'toast',
      size: 'full',
    })
    try {
      await live(harness)
    } finally {
      await harness.close()
    }
    // The file of the configuration API is not included; its one call is checked against
    // https://doc.toasttab.com/openapi/configuration/operation/diningOptionsGet
    const [configuration, others] = [
      exchanges.filter(({ request }) => request.path.startsWith('/config/')),
      exchanges.filter(({ request }) => !request.path.startsWith('/config/')),
    ]
    const diningOption = {
      required: ['guid', 'entityType'],
      properties: {
        behavior: { enum: ['DINE_IN', 'TAKE_OUT', 'DELIVERY'] },
        name: { type: 'string' },
        curbside: { type: 'boolean' },
      },
    }
    expect(configuration.map(({ request }) => request.path)).toContain('/config/v2/diningOptions')
    for (const { request, response } of configuration) {
      expect(request.headers['toast-restaurant-external-id']).toMatch(/^[0-9a-f-]{36}$/)
      expect(faults({ type: 'array', minItems: 1, items: diningOption }, asJson(response.body))).toEqual([])
    }
    const wrong = others.flatMap(({ request, response }) => {
      const operation = operationOf(request)
      const found = operation
        ? [...requestFaults(operation, request), ...responseFaults(operation, response, errors)]
        : ['is no operation of any file']
      return found.slice(0, 5).map((fault) => `${request.method} ${request.path} -> ${response.status}: ${fault}`)
    })
    expect([...new Set(wrong)].slice(0, 20)).toEqual([])
    expect([...new Set(others.map(({ request }) => operationOf(request)?.id))].toSorted()).toEqual(expected.toSorted())
    expect([...new Set(others.map(({ response }) => response.status))].toSorted()).toEqual([200, 400, 401, 404])
  })

  it('detect a misspelled field, an invalid date, a read-only value, a missing header and an invalid response', () => {
    const { request, parameters } = operations.find(({ id }) => id === 'ordersPost')!
    const sent = { diningOption: { guid: 'x' }, checks: [{ selections: [{ item: { guid: 'x' }, quantity: 1 }] }] }
    expect(faults(request, sent)).toEqual([])
    for (const change of [
      { openedDate: '2026-11-10T18:30:00.000Z' },
      { openDate: '2026-11-10T18:30:00.000+0000' },
      { source: 'API' },
      { checks: [] },
      { checks: [{ selections: [{ quantity: 1 }] }] },
    ])
      expect(faults(request, { ...sent, ...change }), JSON.stringify(change)).toHaveLength(1)
    const answered = operations.find(({ id }) => id === 'ordersGuidGet')!.responses['200']
    const shown = {
      guid: 'x',
      entityType: 'Order',
      diningOption: { guid: 'x', entityType: 'DiningOption' },
      checks: [{ guid: 'x', entityType: 'Check', selections: [] }],
      source: 'API',
    }
    expect(faults(answered, shown)).toEqual([])
    for (const change of [
      { guid: null },
      { numberOfGuest: 1 },
      { approvalStatus: 'MAYBE' },
      { businessDate: '20261110' },
      { openedDate: '2026-11-10T18:30:00+0000' },
    ])
      expect(faults(answered, { ...shown, ...change }), JSON.stringify(change)).not.toEqual([])
    const bare: WireRequest = {
      method: 'POST',
      path: '',
      query: new URLSearchParams('paeg=1'),
      headers: {},
      body: JSON.stringify(sent),
    }
    expect(requestFaults({ request, parameters } as Operation, bare)).toEqual([
      'header Toast-Restaurant-External-ID is missing',
      'query parameter paeg does not exist',
    ])
  })
})
