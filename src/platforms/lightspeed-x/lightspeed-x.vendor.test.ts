// Checks requests of the connector and responses of the simulator against the vendor's own files.
// scripts/check/vendor-digest.ts creates the digests.
// Stock is in a file of 2026-07. The other file is of version 2.0: products, customers, search and the short lists are
// the same in 2026-07 except for the differences below; sales have another format and are checked against the outline
// below.
import { readFileSync } from 'node:fs'
import { Ajv, type ErrorObject } from 'ajv'
import formats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import { createSubject, type Subject } from '../../conformance/subject.ts'
import type { CreateSimulator, WireRequest, WireResponse } from '../../sandbox/simulator.ts'
import { lightspeedX } from './connector.ts'
import { createLightspeedXSimulator } from './simulator/simulator.ts'

const files = ['api-2.0', 'inventory-2026-07'].map((name) => new URL(`./fixtures/${name}.digest.json`, import.meta.url))
/** Operations that 2.0 does not have (PUT of a product was 2.1), or has in another format. */
const outside = ['PUT /products/{id}', 'GET /sales', 'GET /sales/{id}', 'POST /sales', 'PUT /sales/{id}']
/** Query parameters that were added after 2.0. */
const laterParameters = ['include_images']
/** Response fields that were added after 2.0, or that its examples have and its schemas omit. */
const laterFields = [
  'is_active',
  'product_category',
  'skuImages',
  'packaging',
  'customizations',
  'outlet_taxes',
  'version',
  'deleted_at',
  'supplier_name',
  'product_id',
  'id',
  ...['config', 'disabled', 'internal', 'gateway', 'outlet_ids', 'payment_type'], // of a payment type
]

// biome-ignore lint/suspicious/noExplicitAny: a vendor's file has any shape
type Node = any
interface Exchange {
  request: WireRequest
  response: WireResponse
}
const ajv = new Ajv({ strict: false, strictNumbers: true, allErrors: true, logger: false })
formats.default(ajv)
let document: Node

function load(): void {
  const documents: Node[] = files.map((file) =>
    JSON.parse(readFileSync(file, 'utf8').replaceAll(/"\$ref":\s*"#\//g, '"$ref":"vendor#/')),
  )
  const schemas = Object.assign({}, ...documents.map(({ components }) => components.schemas))
  document = {
    ...documents[0],
    paths: Object.assign({}, ...documents.map(({ paths }) => paths)),
    components: { ...documents[0].components, schemas },
  }
  // As in 2026-07: no versions after the last one, ids as strings, and a time zone as its name.
  for (const name of ['min', 'max']) schemas.Version.properties[name].nullable = true
  schemas.Retailer.properties.timezone.type = 'string'
  document.paths['/products'].post.responses[200].content['application/json'].schema.properties.data.items.type =
    'string'
  ajv.addSchema(document, 'vendor')
}
function resolve(node: Node): Node {
  return node?.$ref
    ? resolve(
        node.$ref
          .split('#/')[1]
          .split('/')
          .reduce((at: Node, step: string) => at?.[step], document),
      )
    : node
}
const partsOf = (schema: Node): Node[] =>
  [schema?.allOf, schema?.anyOf, schema?.oneOf].flatMap((parts) => parts ?? []).map(resolve)
function unknownFields(value: unknown, schema: Node, at = ''): string[] {
  const node = resolve(schema)
  if (Array.isArray(value))
    return node?.items ? value.flatMap((item, index) => unknownFields(item, node.items, `${at}/${index}`)) : []
  if (typeof value !== 'object' || value === null) return []
  const known: Record<string, Node> = Object.assign(
    {},
    node?.properties,
    ...partsOf(node).map((part) => part?.properties),
  )
  if (Object.keys(known).length === 0) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    name in known ? unknownFields(inner, known[name], `${at}/${name}`) : [`${at}/${name}`],
  )
}
const violations = (schema: Node, value: unknown): string[] => {
  const validate = ajv.compile(schema)
  return validate(value)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }: ErrorObject) => `${instancePath} ${message}`)
}
const generic = ({ method, path }: WireRequest): string =>
  `${method} ${path.replace('/api/2026-07', '').replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '{id}')}`

function queryViolations(operation: Node, query: URLSearchParams): string[] {
  return [...query].flatMap(([name, given]) => {
    const parameter = (operation.parameters ?? [])
      .map(resolve)
      .find((candidate: Node) => candidate.in === 'query' && candidate.name === name)
    if (!parameter) return laterParameters.includes(name) ? [] : [`the query parameter ${name} is not known`]
    const { type } = resolve(parameter.schema)
    const value = type === 'integer' ? Number(given) : type === 'boolean' ? given === 'true' : given
    return violations(parameter.schema, value).map((message) => `query ${name} ${message.trim()}`)
  })
}
function judged({ request, response }: Exchange): string[] {
  const name = generic(request)
  if (outside.includes(name))
    return name.endsWith('/sales') || name.includes('/sales/') ? saleViolations(request, response) : []
  const [method, path] = name.split(' ') as [string, string]
  const operation = Object.entries<Node>(document.paths).find(
    ([pattern]) => pattern.replace(/\{[^}]+\}/g, '{id}') === path,
  )?.[1][method.toLowerCase()]
  if (!operation) return ['is no operation of the file']
  const sent = request.body ? (JSON.parse(request.body) as unknown) : undefined
  const bodySchema = operation.requestBody?.content?.['application/json']?.schema
  const answerSchema = operation.responses[response.status]?.content?.['application/json']?.schema
  return [
    ...queryViolations(operation, request.query),
    ...(sent === undefined
      ? []
      : [
          ...violations(bodySchema, sent),
          ...unknownFields(sent, bodySchema).map((field) => `sends ${field}, which is not known`),
        ]),
    ...(response.status < 300 && !answerSchema ? [`is not answered with ${response.status}`] : []),
    ...(answerSchema
      ? [
          ...violations(answerSchema, response.body).map((message) => `answers ${message}`),
          ...unknownFields(response.body, answerSchema)
            .filter((field) => !laterFields.includes(field.split('/').at(-1)!))
            .map((field) => `answers ${field}, which is not known`),
        ]
      : []),
  ]
}

/**
 * The outline of a sale in 2026-07: the allowed and the required fields of a request.
 * https://x-series-api.lightspeedhq.com/docs/sales_101
 */
const object = (required: string[], properties: Node): Node => ({
  type: 'object',
  required,
  properties,
  additionalProperties: false,
})
const text = { type: 'string' }
const number = { type: 'number' }
const lineBody = object(['product', 'quantity', 'pricing', 'tax'], {
  id: text,
  product: object(['id'], { id: text }),
  quantity: number,
  pricing: object(['price'], { price: number, discount: number, cost: number, loyalty_amount: number }),
  tax: object(['id', 'amount'], { id: text, amount: number }),
  status: text,
  attributes: { type: 'array', items: object(['name', 'value'], { name: text, value: text }) },
  source: object([], { author_id: text, register_id: text }),
  _metadata: object([], { sequence: { type: 'integer' }, is_price_override: { type: 'boolean' } }),
})
const saleBody = object(['source', 'state'], {
  id: { type: 'string', format: 'uuid' },
  state: { enum: ['parked', 'pending', 'voided', 'closed'] },
  date: { type: 'string', format: 'date-time' },
  customer_id: text,
  note: text,
  invoice_number: text,
  short_code: text,
  attributes: { type: 'array', items: text },
  source: object(['author_id'], { author_id: text, register_id: text, id: text, type: text }),
  line_items: { type: 'array', items: lineBody },
  payments: {
    type: 'array',
    items: object(['amount', 'type'], {
      id: text,
      amount: number,
      date: text,
      type: object(['config_id'], { config_id: text }),
      source: object([], { register_id: text }),
    }),
  },
})
const saleFields =
  'id date invoice_number short_code state note source customer_id attributes payments line_items return taxes totals adjustments external_applications ecom_custom_charges receipt_number created_at updated_at deleted_at _metadata'
const saleAnswer = {
  type: 'object',
  required: saleFields.split(' '),
  properties: Object.fromEntries(saleFields.split(' ').map((name) => [name, {}])),
  additionalProperties: false,
}
function saleViolations(request: WireRequest, { status, body }: WireResponse): string[] {
  if (request.body)
    return [
      ...violations(saleBody, JSON.parse(request.body)),
      ...(status < 300 ? violations(saleAnswer, (body as Node).data) : []),
    ]
  const unknown = [...request.query.keys()].filter((name) => !['after', 'before', 'page_size'].includes(name))
  const sales = status < 300 ? [(body as Node).data].flat() : []
  return [
    ...unknown.map((name) => `the query parameter ${name} is not known`),
    ...sales.flatMap((sale: unknown) => violations(saleAnswer, sale)),
  ]
}

describe('the vendor file', () => {
  const seen: Exchange[] = []
  const watched: CreateSimulator = (options) => {
    const simulator = createLightspeedXSimulator(options)
    return {
      ...simulator,
      async handle(request) {
        const response = await simulator.handle(request)
        if (request.path !== '/api/1.0/token')
          // This one is in no file.
          seen.push({ request, response: JSON.parse(JSON.stringify(response)) as WireResponse })
        return response
      },
    }
  }
  let harness: Harness
  const subject = (type: 'product' | 'order' | 'customer'): Subject => createSubject(harness, 'retail_pos', type)
  const put = async (of: Subject, id: string, record: object) => {
    const reply = await of.harness.call('PUT', `${of.path}/${id}`, record, { prefer: 'wait=60' })
    expect(reply.status, JSON.stringify(reply.body)).toBe(200)
    return reply.body.data
  }
  const created = async (of: Subject, more: object = {}) => {
    const reply = await of.create({ ...(await of.fullRecord()), ...more })
    expect(reply.status, JSON.stringify(reply.body)).toBe(201)
    return reply.body.data
  }
  beforeAll(async () => {
    load()
    harness = await createHarness({
      connectors: { 'lightspeed-x': lightspeedX },
      simulators: { 'lightspeed-x': watched },
      platform: 'lightspeed-x',
    })
  })
  afterAll(() => harness?.close())
  const check = () => {
    const exchanges = seen.splice(0)
    const found = exchanges.flatMap((exchange) =>
      judged(exchange).map((message) => `${generic(exchange.request)} -> ${exchange.response.status}: ${message}`),
    )
    expect([...new Set(found)]).toEqual([])
    return new Set(exchanges.map(({ request, response }) => `${generic(request)} ${response.status}`))
  }

  it('has every request that connects an account', () => {
    expect(check()).toEqual(
      new Set([
        'GET /registers 200',
        'GET /user 200',
        'GET /payment_types 200',
        'GET /taxes 200',
        'GET /products 200',
        'GET /retailer 200',
      ]),
    )
  })
  it('has every request and response of products', async () => {
    const products = subject('product')
    await products.walk(3)
    await products.list('?updatedAfter=2026-01-01T00:00:00.500Z')
    harness.sandbox.fault('lightspeed-x', { kind: 'reset_after', method: 'POST', path: '/products', times: 1 })
    const record = await created(products, { taxable: false })
    await put(products, record.externalId, {
      ...record,
      description: undefined,
      vendor: 'Another',
      tags: ['x'],
      stockOnHand: 3,
      categoryName: 'Teas',
      sku: 'CHANGED-1',
      taxable: true,
    })
    expect((await products.create({ ...(await products.fullRecord()), barcode: record.barcode })).status).toBe(422)
    const operations = check()
    const expected = [
      ...[
        'GET /retailer 200',
        'GET /products 200',
        'GET /products/{id} 200',
        'POST /inventory 200',
        'GET /inventory/{id} 200',
      ],
      ...[
        'GET /brands 200',
        'POST /brands 200',
        'GET /tags 200',
        'POST /tags 200',
        'GET /product_categories 200',
        'POST /product_categories/bulk 200',
      ],
      ...['POST /products 200', 'POST /products 422', 'PUT /products/{id} 200'],
    ]
    for (const operation of expected) expect(operations).toContain(operation)
  })
  it('has every request and response of customers', async () => {
    const customers = subject('customer')
    await customers.walk(2)
    harness.sandbox.fault('lightspeed-x', { kind: 'reset_after', method: 'POST', times: 1 })
    const record = await created(customers)
    await put(customers, record.externalId, { ...record, phone: undefined, address: undefined, notes: 'Other' })
    expect(
      (await customers.create({ ...(await customers.fullRecord()), address: { country: 'NZ', postalCode: '1' } }))
        .status,
    ).toBe(422)
    expect(check()).toEqual(
      new Set([
        'GET /customers 200',
        'GET /customers/{id} 200',
        'POST /customers 201',
        'PUT /customers/{id} 200',
        'POST /customers 422',
        'GET /search 200',
      ]),
    )
  })
  it('has every request of orders except those of sales, which match the outline of their own version', async () => {
    const orders = subject('order')
    const record = await created(orders)
    seen.length = 0
    await orders.walk(3)
    await orders.walk(50) // so many products that their list is read
    await put(orders, record.externalId, {
      ...record,
      note: 'Other',
      lineItems: [{ ...record.lineItems[0], quantity: 5 }],
    })
    await put(orders, record.externalId, { ...record, state: 'COMPLETED' })
    await created(orders, { state: 'COMPLETED' })
    const operations = check()
    for (const expected of [
      'GET /sales 200',
      'GET /sales/{id} 200',
      'POST /sales 200',
      'PUT /sales/{id} 200',
      'GET /products 200',
      'GET /products/{id} 200',
      'GET /customers/{id} 200',
    ])
      expect(operations).toContain(expected)
  })
  it('reports an unknown field and an invalid value', () => {
    const wrong = (method: string, path: string, body?: unknown, query = '') =>
      judged({
        request: {
          method,
          path: `/api/2026-07${path}`,
          query: new URLSearchParams(query),
          headers: {},
          body: body === undefined ? '' : JSON.stringify(body),
        },
        response: { status: 500 },
      })
    expect(wrong('POST', '/products', { name: 'Tea', price: 4, price_including_tax: '4.50' })).toEqual([
      '/price_including_tax must be number',
      'sends /price, which is not known',
    ])
    expect(wrong('POST', '/customers', { first_name: 'A', name: 'A' })).toEqual(
      ["must have required property 'last_name'", 'sends /name, which is not known'].map((message) =>
        message.startsWith('must') ? ` ${message}` : message,
      ),
    )
    expect(wrong('POST', '/sales', { state: 'open', source: {} }).length).toBe(2)
    expect(wrong('GET', '/products', undefined, 'updated_since=x&page_size=a')).toEqual([
      'the query parameter updated_since is not known',
      'query page_size must be integer',
    ])
    expect(wrong('GET', '/things')).toEqual(['is no operation of the file'])
  })
})
