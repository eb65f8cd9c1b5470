// Checks requests of the connector and responses of the simulator against the vendor's own files. They may not be
// redistributed: `npm run vendors` creates digests of them and runs this test.
import { readFileSync } from 'node:fs'
import { Ajv, type ErrorObject } from 'ajv'
import formats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import { createSubject, type Subject } from '../../conformance/subject.ts'
import type { Hook } from '../../contract/connector.ts'
import type { CreateSimulator, WireRequest, WireResponse } from '../../sandbox/simulator.ts'
import { bigcommerce } from './connector.ts'
import { createBigcommerceSimulator } from './simulator/simulator.ts'

const files = {
  v3: ['products', 'categories', 'customers', 'webhooks', 'refunds', 'taxes'],
  v2: ['orders', 'store', 'tax-classes', 'payment-methods'],
} as const
/** Brands and variants are in separate files, which are not included. */
const withoutFile = ['GET /v3/catalog/brands', 'PUT /v3/catalog/products/{id}/variants/{id}']
/** Response fields that the files have in their examples or prose but not in their schemas. */
const shownOnly = ['variants', 'image_file', 'custom_status', 'credit_card_type']

// biome-ignore lint/suspicious/noExplicitAny: a vendor's file has any shape
type Node = any
interface Exchange {
  request: WireRequest
  response: WireResponse
}
interface Operation {
  document: Node
  operation: Node
  shared: Node[]
}

const ajv = new Ajv({ strict: false, strictNumbers: true, allErrors: true, logger: false })
formats.default(ajv)
const documents = new Map<string, Node>()

function load(file: string): Node {
  const text = readFileSync(
    new URL(`../../../.cache/vendor-digests/bigcommerce/${file}.digest.json`, import.meta.url),
    'utf8',
  )
    .replaceAll('"$ref":"#/', `"$ref":"${file}#/`)
    .replaceAll('"oneOf":', '"anyOf":') // its alternatives overlap
  const document = JSON.parse(text) as Node
  // Its own description says: null for products with options.
  const baseVariant = document.components?.schemas?.product_Full?.allOf?.find(
    (part: Node) => part.properties?.base_variant_id,
  )?.properties.base_variant_id
  if (baseVariant) baseVariant.nullable = true
  // Without a webhook for the destination the list is empty.
  const webhooks = document.components?.responses?.webhooks_Resp?.content['application/json'].schema.properties?.data
  if (webhooks) delete webhooks.minItems
  ajv.addSchema(document, file)
  documents.set(file, document)
  return document
}
function resolve(node: Node): Node {
  if (!node?.$ref) return node
  const [file, pointer] = node.$ref.split('#/')
  return resolve(
    pointer
      .split('/')
      .reduce(
        (at: Node, step: string) => at?.[decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')],
        documents.get(file),
      ),
  )
}
/** Every named property of a schema; undefined if it accepts any. */
function propertiesOf(schema: Node): Map<string, Node[]> | undefined {
  const node = resolve(schema)
  const known = new Map<string, Node[]>()
  for (const [name, property] of Object.entries(node?.properties ?? {}))
    known.set(name, [...(known.get(name) ?? []), property])
  for (const part of [...(node?.allOf ?? []), ...(node?.anyOf ?? []), ...(node?.oneOf ?? [])])
    for (const [name, list] of propertiesOf(part) ?? []) known.set(name, [...(known.get(name) ?? []), ...list])
  return known.size ? known : undefined
}
function unknownFields(value: unknown, schemas: Node[], at = ''): string[] {
  if (Array.isArray(value)) {
    const items = schemas.flatMap((schema) => itemsOf(schema))
    return items.length ? value.flatMap((item, index) => unknownFields(item, items, `${at}/${index}`)) : []
  }
  if (typeof value !== 'object' || value === null) return []
  const known = new Map<string, Node[]>()
  for (const schema of schemas)
    for (const [name, list] of propertiesOf(schema) ?? []) known.set(name, [...(known.get(name) ?? []), ...list])
  if (known.size === 0) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    known.has(name) ? unknownFields(inner, known.get(name)!, `${at}/${name}`) : [`${at}/${name}`],
  )
}
function itemsOf(schema: Node): Node[] {
  const node = resolve(schema)
  return [
    ...(node?.items ? [node.items] : []),
    ...[...(node?.allOf ?? []), ...(node?.anyOf ?? []), ...(node?.oneOf ?? [])].flatMap(itemsOf),
  ]
}
const violations = (schema: Node, value: unknown): string[] => {
  const validate = ajv.compile(schema)
  return validate(value)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }: ErrorObject) => `${instancePath} ${message}`)
}

const generic = ({ method, path }: WireRequest): string =>
  `${method} ${path.replace(/^\/stores\/[^/]+/, '').replace(/\/\d+(?=\/|$)/g, '/{id}')}`
function operationOf(request: WireRequest): Operation | undefined {
  const [, version, path] = /^\S+ \/(v[23])(.*)$/.exec(generic(request)) as unknown as [string, 'v2' | 'v3', string]
  for (const file of files[version]) {
    const document = documents.get(file)
    const found = Object.entries<Node>(document.paths).find(
      ([pattern]) => pattern.replace(/\{[^}]+\}/g, '{id}') === path,
    )
    const operation = found?.[1][request.method.toLowerCase()]
    if (operation) return { document, operation, shared: found![1].parameters ?? [] }
  }
  return undefined
}
function queryViolations({ operation, shared }: Operation, query: URLSearchParams): string[] {
  const parameters = [...shared, ...(operation.parameters ?? [])].map(resolve)
  return [...query].flatMap(([name, given]) => {
    const parameter = parameters.find((candidate: Node) => candidate.in === 'query' && candidate.name === name)
    if (!parameter) return [`the query parameter ${name} is not known`]
    const schema = resolve(parameter.schema)
    const typed = (text: string, type: string): unknown =>
      type === 'integer' || type === 'number' ? Number(text) : text
    // The sort direction is documented only in prose.
    const plain =
      name === 'sort' && schema.enum && !schema.enum.includes(given) ? given.replace(/:(asc|desc)$/, '') : given
    const value =
      schema.type === 'array'
        ? plain.split(',').map((part) => typed(part, resolve(schema.items).type))
        : typed(plain, schema.type)
    return violations(schema, value).map((message) => `query ${name} ${message.trim()}`)
  })
}
function judged({ request, response }: Exchange): string[] {
  const found = operationOf(request)
  if (!found) return withoutFile.includes(generic(request)) ? [] : ['is no operation of the files']
  const sent = request.body ? (JSON.parse(request.body) as unknown) : undefined
  const bodySchema = resolve(found.operation.requestBody)?.content?.['application/json']?.schema
  const answers = found.operation.responses
  // Creating an order returns 201, and a page past the end 204: this is in the documentation's status table but not in
  // the file.
  const answer = resolve(
    answers[response.status] ?? (response.status < 300 && response.body !== undefined ? answers[200] : undefined),
  )
  const answerSchema = answer?.content?.['application/json']?.schema
  return [
    ...queryViolations(found, request.query),
    ...(sent === undefined
      ? []
      : [
          ...violations(bodySchema, sent),
          ...unknownFields(sent, [bodySchema]).map((field) => `sends ${field}, which is not known`),
        ]),
    ...(answerSchema && response.body !== undefined
      ? [
          ...violations(answerSchema, response.body).map((message) => `answers ${response.status} with ${message}`),
          ...unknownFields(response.body, [answerSchema])
            .filter((field) => !shownOnly.includes(field.split('/').at(-1)!))
            .map((field) => `answers ${field}, which is not known`),
        ]
      : []),
  ]
}

describe('the vendor files', () => {
  const seen: Exchange[] = []
  const watched: CreateSimulator = (options) => {
    const simulator = createBigcommerceSimulator(options)
    return {
      ...simulator,
      async handle(request) {
        const response = await simulator.handle(request)
        seen.push({ request, response: JSON.parse(JSON.stringify(response)) as WireResponse })
        return response
      },
    }
  }
  let harness: Harness
  type Type = 'product' | 'order' | 'customer' | 'payment' | 'refund' | 'tax_rate' | 'payment_method'
  const subject = (type: Type): Subject => createSubject(harness, 'retail_pos', type)
  const put = async (of: Subject, id: string, record: object) => {
    const reply = await of.harness.call('PUT', `${of.path}/${encodeURIComponent(id)}`, record, { prefer: 'wait=60' })
    expect(reply.status, JSON.stringify(reply.body)).toBe(200)
    return reply.body.data
  }
  const created = async (of: Subject, more: object = {}) => {
    const reply = await of.create({ ...(await of.fullRecord()), ...more })
    expect(reply.status, JSON.stringify(reply.body)).toBe(201)
    return reply.body.data
  }
  beforeAll(async () => {
    for (const file of Object.values(files).flat()) load(file)
    harness = await createHarness({
      connectors: { bigcommerce },
      simulators: { bigcommerce: watched },
      platform: 'bigcommerce',
    })
  })
  afterAll(() => harness?.close())
  const check = () => {
    const exchanges = seen.splice(0)
    expect(exchanges.length).toBeGreaterThan(0)
    const found = exchanges.flatMap((exchange) =>
      judged(exchange).map((message) => `${generic(exchange.request)} -> ${exchange.response.status}: ${message}`),
    )
    expect([...new Set(found)]).toEqual([])
    return new Set(exchanges.map(({ request, response }) => `${generic(request)} ${response.status}`))
  }

  it('have every request and response of products', async () => {
    const products = subject('product')
    await products.walk(2)
    await products.list('?updatedAfter=2026-01-01T00:00:00.500Z')
    const record = await created(products)
    await put(products, record.externalId, {
      ...record,
      vendor: undefined,
      description: undefined,
      tags: ['a', 'b'],
      stockOnHand: 3,
      imageUrl: 'https://images.example.com/other.png',
    })
    const variant = (await products.walk(50)).find(({ name }) => / - (Small|Medium)$/.test(name))!
    await put(products, variant.externalId, { ...variant, sku: 'CHANGED-1', price: 12.5 })
    expect((await products.create({ ...(await products.fullRecord()), categoryExternalId: '999999' })).status).toBe(422)
    expect((await products.create({ ...(await products.fullRecord()), name: record.name })).status).toBe(422)
    expect(check()).toEqual(
      new Set([
        ...[
          'GET /v2/store 200',
          'GET /v3/catalog/products 200',
          'GET /v3/catalog/brands 200',
          'GET /v3/catalog/categories 200',
          'GET /v3/catalog/products/{id} 200',
        ],
        ...[
          'POST /v3/catalog/categories 200',
          'POST /v3/catalog/products 200',
          'PUT /v3/catalog/products/{id} 200',
          'PUT /v3/catalog/products/{id}/variants/{id} 200',
        ],
        ...[
          'GET /v3/catalog/products/{id}/images 200',
          'POST /v3/catalog/products/{id}/images 200',
          'POST /v3/catalog/products 409',
        ],
      ]),
    )
  })
  it('have every request and response of customers', async () => {
    const customers = subject('customer')
    await customers.walk(2)
    await customers.list('?updatedAfter=2026-01-01T00:00:00.500Z')
    const record = await created(customers)
    const { address, ...homeless } = await put(customers, record.externalId, {
      ...record,
      phone: undefined,
      address: { ...record.address, line1: '1 New Road', line2: undefined },
    })
    await put(customers, record.externalId, homeless)
    await put(customers, record.externalId, { ...homeless, address })
    expect((await customers.create({ ...(await customers.fullRecord()), email: record.email })).status).toBe(422)
    expect(check()).toEqual(
      new Set([
        ...['GET /v3/customers 200', 'POST /v3/customers 200', 'PUT /v3/customers 200', 'POST /v3/customers 422'],
        ...[
          'PUT /v3/customers/addresses 200',
          'POST /v3/customers/addresses 200',
          'DELETE /v3/customers/addresses 204',
        ],
      ]),
    )
  })
  it('have every request and response of orders', async () => {
    const orders = subject('order')
    const record = await created(orders)
    seen.length = 0
    await orders.walk(3)
    await orders.list('?updatedAfter=2026-01-01T00:00:00.500Z')
    await created(orders, { lineItems: [{ name: 'Engraving', sku: 'ENG', quantity: 1, unitPrice: 5, lineTax: 0.25 }] })
    const [first] = record.lineItems
    await put(orders, record.externalId, {
      ...record,
      state: 'COMPLETED',
      note: 'Other',
      total: 20,
      taxTotal: 1,
      lineItems: [
        { ...first, quantity: 5 },
        { name: 'Card', quantity: 1, unitPrice: 2 },
      ],
    })
    const operations = check()
    for (const expected of [
      'GET /v2/orders 200',
      'GET /v2/orders/{id} 200',
      'GET /v2/orders/{id}/products 200',
      'POST /v2/orders 201',
      'PUT /v2/orders/{id} 200',
    ])
      expect(operations).toContain(expected)
  })
  it('have every request and response of payments, refunds, taxes and methods', async () => {
    for (const type of ['payment', 'refund', 'tax_rate', 'payment_method'] as const) {
      const [first] = await subject(type).walk(3)
      await harness.call('GET', `${subject(type).path}/${first!.externalId}`, undefined, { prefer: 'wait=60' })
    }
    await subject('refund').list('?updatedAfter=2026-01-01T00:00:00.500Z')
    const settings = { ...harness.tenants[0]!.settings, orderTaxes: 'yes' }
    await harness.manage('PATCH', `/accounts/${harness.accountId('retail_pos')}`, { settings })
    await subject('order').list('?pageSize=5')
    const operations = check()
    for (const expected of [
      'GET /v3/orders/payment_actions/refunds 200',
      'GET /v3/tax/rates 200',
      'GET /v3/tax/zones 200',
      'GET /v2/tax_classes 200',
      'GET /v2/payments/methods 200',
      'GET /v2/orders/{id}/taxes 200',
    ])
      expect(operations).toContain(expected)
  })
  it('have every request and response of webhooks', async () => {
    const account = (await harness.service.store.accounts.get(harness.accountId('retail_pos')))!
    const hook: Hook = { url: 'https://hooks.example.com/1', entities: ['product', 'order', 'customer'] }
    await harness.service.engine.hooks(
      account,
      { requestId: 'hooks', caller: 'hooks', maxWaitMs: 30_000 },
      async (call) => {
        const { register, registered, unregister } = bigcommerce.hooks!
        const registration = await register!(call, hook)
        const { body } = await call.read({ method: 'GET', path: `/stores/${call.account.settings.storeHash}/v3/hooks` })
        const path = `/stores/${call.account.settings.storeHash}/v3/hooks/${body.data[0].id}`
        await call.send({ method: 'PUT', path, body: { is_active: false } })
        await register!(call, hook)
        expect(await registered!(call, hook, registration)).toBe(true)
        await unregister!(call, registration)
      },
    )
    expect(check()).toEqual(
      new Set(['GET /v3/hooks 200', 'POST /v3/hooks 200', 'PUT /v3/hooks/{id} 200', 'DELETE /v3/hooks/{id} 200']),
    )
  })
  it('report an unknown field and an invalid value', () => {
    const wrong = (method: string, path: string, body: unknown, query = '') =>
      judged({
        request: {
          method,
          path: `/stores/x${path}`,
          query: new URLSearchParams(query),
          headers: {},
          body: body === undefined ? '' : JSON.stringify(body),
        },
        response: { status: 500 },
      })
    expect(
      wrong('POST', '/v3/catalog/products', { name: 'Tea', type: 'physical', weight: 0, price: '4.50', barcode: '1' }),
    ).toEqual(['/price must be number', 'sends /barcode, which is not known'])
    expect(wrong('POST', '/v3/customers', [{ email: 'a@example.com', first_name: 'A', name: 'A' }])).toEqual([
      "/0 must have required property 'last_name'",
      'sends /0/name, which is not known',
    ])
    expect(
      wrong('POST', '/v2/orders', {
        billing_address: { city: 'X' },
        products: [{ name: 'Tea', quantity: 1.5 }],
        status: 'Completed',
      }).length,
    ).toBeGreaterThan(2)
    expect(wrong('GET', '/v2/orders', undefined, 'updated_after=x&limit=a')).toEqual([
      'the query parameter updated_after is not known',
      'query limit must be number',
    ])
    expect(wrong('GET', '/v3/catalog/things', undefined)).toEqual(['is no operation of the files'])
  })
})
