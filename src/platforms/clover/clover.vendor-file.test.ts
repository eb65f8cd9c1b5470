// Checks both sides against Clover's reference pages: paths, filters, expansions and fields of the connector, and
// response fields of the simulator. They may not be redistributed: `npm run vendors` creates a digest of them and runs
// this test.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import type { CreateSimulator, WireRequest, WireResponse } from '../../sandbox/simulator.ts'
import { clover } from './connector.ts'
import { createCloverSimulator } from './simulator/simulator.ts'

type Operation = { filter?: string[]; expand?: string[] }
interface Specification {
  paths: Record<string, Record<string, Operation>>
  schemas: Record<string, string[]>
}
const specification = JSON.parse(
  readFileSync(new URL('../../../.cache/vendor-digests/clover/names.digest.json', import.meta.url), 'utf8'),
) as Specification
/** Paths that the digest omits; each is documented on a page of https://docs.clover.com/dev/reference. */
const undescribed = [
  /^GET \/v3\/merchants\/{mId}(\/properties)?$/,
  /\/category_items$/,
  /\/item_stocks\/[^/]+$/,
  /\/bulk_line_items$/,
  /\/line_items\/[^/]+(\/discounts|\/modifications)?$/,
  /^GET .*\/(modifiers|tenders|refunds|tax_rates)$/,
  /^GET .*\/(refunds|tax_rates)\/[^/]+$/,
  /\/customers\/[^/]+\/(email_addresses|phone_numbers|addresses|metadata)(\/[^/]+)?$/,
  /^POST .*\/(items|categories|employees)\/[^/]+$/, // partial updates
]
const schemaOf: Readonly<Record<string, string>> = {
  items: 'Item',
  orders: 'Order',
  customers: 'Customer',
  employees: 'Employee',
  categories: 'Category',
}
const exchanges: { request: WireRequest; response: WireResponse }[] = []
const recording: CreateSimulator = (options) => {
  const simulator = createCloverSimulator(options)
  const handle = async (request: WireRequest) => {
    const response = await simulator.handle(request)
    exchanges.push({ request, response })
    return response
  }
  return { ...simulator, handle }
}
let harness: Harness

async function useEverything(): Promise<void> {
  const call = async (method: string, path: string, body?: unknown) => {
    const reply = await harness.call(method, `/unified/clover-restaurant/${path}`, body, { prefer: 'wait=60' })
    expect(reply.status, `${method} ${path} ${JSON.stringify(reply.body)}`).toBeLessThan(300)
    return reply.body.data
  }
  for (const entity of [
    ...['product', 'order', 'customer', 'category', 'employee', 'time_entry'],
    ...['payment', 'refund', 'tax_rate', 'payment_method'],
  ]) {
    const [first] = await call('GET', `${entity}?pageSize=5`)
    await call('GET', `${entity}/${first.externalId}`)
  }
  for (const entity of ['product', 'order', 'category', 'employee', 'payment'])
    await call('GET', `${entity}?updatedAfter=2026-01-01T00:00:00.123Z`)
  const category = await call('POST', 'category', { externalId: 'c', name: 'Soups' })
  await call('PUT', `category/${category.externalId}`, { ...category, name: 'Soup' })
  const product = await call('POST', 'product', {
    externalId: 'p',
    name: 'Pho',
    price: 9,
    cost: 2,
    sku: 'S',
    barcode: 'B',
    active: true,
    taxable: true,
    stockOnHand: 3,
    trackInventory: true,
    categoryExternalId: 'c',
  })
  await call('PUT', `product/${product.externalId}`, { ...product, name: 'Pho bò', active: false })
  const address = { line1: '1 Main St', city: 'Austin', state: 'TX', postalCode: '78701', country: 'US' }
  const customer = await call('POST', 'customer', {
    externalId: 'k',
    name: 'Ada Hopper',
    email: 'ada@example.com',
    phone: '+15125550100',
    companyName: 'Engines',
    notes: 'VIP',
    address,
  })
  await call('PUT', `customer/${customer.externalId}`, {
    externalId: customer.externalId,
    name: 'Ada Lovelace',
    email: 'countess@example.com',
  })
  await call('POST', 'customer', { externalId: 'k2', name: 'Cher' })
  await call('POST', 'customer', { externalId: 'k3', name: 'Engines', companyName: 'Engines' })
  const employee = await call('POST', 'employee', {
    externalId: 'e',
    name: 'Grace Hopper',
    nickname: 'G',
    email: 'g@example.com',
    role: 'MANAGER',
    employeeCode: '7',
  })
  await call('PUT', `employee/${employee.externalId}`, { ...employee, nickname: 'Amazing' })
  await call('POST', 'employee', { externalId: 'e2', name: 'Alan Turing' })
  const order = await call('POST', 'order', {
    externalId: 'o',
    orderNumber: '12',
    note: 'n',
    customerExternalId: 'k',
    lineItems: [{ productExternalId: 'p', quantity: 2, lineDiscount: 1 }],
  })
  await call('PUT', `order/${order.externalId}`, {
    ...order,
    note: 'm',
    lineItems: [{ productExternalId: 'p', quantity: 1 }],
  })
  await call('POST', 'payment', { externalId: 'pay', orderExternalId: 'o', amount: 9, methodType: 'CASH' })
}

const rest = () => exchanges.filter(({ request }) => request.path.startsWith('/v3/'))
function templateOf({ path }: WireRequest): string | undefined {
  const segments = path.split('/')
  return Object.keys(specification.paths).find((template) => {
    const parts = template.split('/')
    return parts.length === segments.length && parts.every((part, n) => part.startsWith('{') || part === segments[n])
  })
}
const described = () =>
  rest().flatMap(({ request, response }) => {
    const template = templateOf(request)
    const operation = template && specification.paths[template]?.[request.method.toLowerCase()]
    return operation ? [{ request, response, template, operation }] : []
  })

describe("Clover's reference has", () => {
  beforeAll(async () => {
    harness = await createHarness({ connectors: { clover }, simulators: { clover: recording }, platform: 'clover' })
    await useEverything()
  })
  afterAll(() => harness.close())

  it('every path that is called', () => {
    const known = new Set(described().map(({ request }) => request))
    const unknown = rest()
      .filter(({ request }) => !known.has(request))
      .map(
        ({ request }) => `${request.method} ${request.path.replace(/^\/v3\/merchants\/[^/]+/, '/v3/merchants/{mId}')}`,
      )
    expect(unknown.filter((call) => !undescribed.some((pattern) => pattern.test(call)))).toEqual([])
    expect(
      new Set(described().map(({ request, template }) => `${request.method} ${template}`)).size,
    ).toBeGreaterThanOrEqual(15)
  })
  it('every requested filter and expansion', () => {
    const asked = new Set<string>()
    for (const { request, template, operation } of described()) {
      for (const filter of request.query.getAll('filter')) {
        const field = /^[\w.]+/.exec(filter)![0]
        asked.add(field)
        expect(operation.filter, `${template} filter ${field}`).toContain(field)
      }
      for (const name of request.query.get('expand')?.split(',') ?? []) {
        // The page of a single order has no dotted paths and no type; the page about expansions has `lineItems.taxRates`:
        // https://docs.clover.com/dev/docs/expanding-fields
        const known = [...(operation.expand ?? []), 'orderType']
        const dotted = known.flatMap((parent) => [
          `${parent}.discounts`,
          `${parent}.modifications`,
          `${parent}.taxRates`,
        ])
        expect([...known, ...dotted], `${template} expand ${name}`).toContain(name)
      }
    }
    expect([...asked].toSorted()).toEqual([
      'customId',
      'customerSince',
      'emailAddress',
      'firstName',
      'id',
      'modifiedTime',
      'name',
      'sku',
    ])
  })
  it('every field of requests and responses', () => {
    for (const { request, response, template } of described()) {
      const schema = schemaOf[template.split('/')[4]!]
      // The file has the fields of an order for what is created below one.
      if (!schema || /\/(line_items|payments)$/.test(template)) continue
      const properties = specification.schemas[schema]!
      if (request.body)
        expect(properties, `${request.method} ${template}`).toEqual(
          expect.arrayContaining(Object.keys(JSON.parse(request.body))),
        )
      const body = response.body as { elements?: object[] }
      for (const row of body.elements ?? [body])
        expect([...properties, 'href'], template).toEqual(expect.arrayContaining(Object.keys(row)))
    }
  })
})
