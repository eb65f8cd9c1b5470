// Checks the simulator's responses against Square's own OpenAPI file. scripts/check/vendor-digest.ts creates the digest.
import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../../sandbox/sandbox.ts'
import type { Tenant } from '../../sandbox/simulator.ts'
import { createSquareSimulator } from './simulator/simulator.ts'

const specification = (name: string) => new URL(`./fixtures/${name}.digest.json`, import.meta.url)
let sandbox: Sandbox
let restaurant: Tenant
beforeAll(async () => {
  sandbox = await createSandbox({ simulators: { square: createSquareSimulator }, size: 'full', strict: false })
  restaurant = sandbox.simulator('square').tenants.find(({ vertical }) => vertical === 'restaurant')!
})
afterAll(() => sandbox.close())

const raw = async (method: string, path: string, body?: unknown) => {
  const response = await fetch(sandbox.origin('square') + path, {
    method,
    headers: { authorization: `Bearer ${restaurant.credentials.accessToken}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { body: (await response.json()) as unknown }
}

describe('every response matches the official specification', () => {
  it('schemas of all entities', async () => {
    // No additional properties, so that an unknown field is found; `nullable` is not a JSON Schema keyword, and no
    // response here contains null.
    const ajv = new Ajv({ strict: false, allErrors: true, formats: { int32: true, int64: true } })
    for (const digest of ['api', 'money']) {
      const closed = JSON.parse(readFileSync(specification(digest), 'utf8'), (_, part) =>
        part?.type === 'object' && part.properties ? { ...part, additionalProperties: false } : part,
      )
      ajv.addSchema({
        $id: digest,
        components: JSON.parse(JSON.stringify(closed.components).replaceAll('"nullable":true', '"x-nullable":true')),
      })
    }
    const check = (name: string, value: unknown, digest = 'api') => {
      const valid = ajv.getSchema(`${digest}#/components/schemas/${name}`)!
      expect(valid(value), `${name}: ${JSON.stringify(valid.errors?.slice(0, 3))}`).toBe(true)
    }
    check('ListCatalogResponse', (await raw('GET', '/v2/catalog/list')).body)
    check(
      'SearchCatalogObjectsResponse',
      (
        await raw('POST', '/v2/catalog/search', {
          object_types: ['ITEM', 'CATEGORY', 'TAX', 'IMAGE'],
          limit: 1000,
          include_related_objects: true,
        })
      ).body,
    )
    const found = (await raw('POST', '/v2/orders/search', { location_ids: restaurant.locations, limit: 1000 })).body
    check('SearchOrdersResponse', found)
    const { orders } = found as { orders: Record<string, unknown>[] }
    for (const member of ['returns', 'service_charges', 'discounts', 'taxes', 'tenders'])
      expect(
        orders.some((order) => member in order),
        `an order with ${member}`,
      ).toBe(true)
    const statuses = new Set<string>()
    for (const location of restaurant.locations)
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const { body } = await raw('GET', `/v2/payments?location_id=${location}${cursor && `&cursor=${cursor}`}`)
        check('ListPaymentsResponse', body, 'money')
        const page = body as { payments: { status: string }[]; cursor?: string }
        for (const { status } of page.payments) statuses.add(status)
        cursor = page.cursor
      }
    expect([...statuses].sort()).toEqual(['APPROVED', 'CANCELED', 'COMPLETED', 'FAILED'])
    check('ListPaymentRefundsResponse', (await raw('GET', '/v2/refunds')).body, 'money')
    check('ListCustomersResponse', (await raw('GET', '/v2/customers')).body)
    check('SearchTeamMembersResponse', (await raw('POST', '/v2/team-members/search', {})).body)
    check('SearchTimecardsResponse', (await raw('POST', '/v2/labor/timecards/search', {})).body)
    check('ListLocationsResponse', (await raw('GET', '/v2/locations')).body)
    check('ListJobsResponse', (await raw('GET', '/v2/team-members/jobs')).body)
    check('BatchRetrieveInventoryCountsResponse', (await raw('POST', '/v2/inventory/counts/batch-retrieve', {})).body)
  })
})
