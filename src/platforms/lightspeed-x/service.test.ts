// Tests through the whole service: returns, exchanges, and scopes that only add to what can be read.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import type { AnyRecord } from '../../conformance/subject.ts'
import { lightspeedX } from './connector.ts'
import { createLightspeedXSimulator } from './simulator/simulator.ts'

let harness: Harness
beforeAll(async () => {
  harness = await createHarness({
    connectors: { 'lightspeed-x': lightspeedX },
    simulators: { 'lightspeed-x': createLightspeedXSimulator },
    platform: 'lightspeed-x',
  })
})
afterAll(() => harness?.close())

const unified = (method: string, path: string, body?: unknown) =>
  harness.call(method, `/unified/lightspeed-x-retail_pos${path}`, body, { prefer: 'wait=60' })
/** Calls the shop directly, as another client. */
async function native(method: string, path: string, body?: object): Promise<AnyRecord> {
  const { accessToken } = harness.tenants[0]!.credentials
  const answer = await harness.sandbox.simulator('lightspeed-x').handle({
    method,
    path: `/api/2026-07${path}`,
    query: new URLSearchParams({ page_size: '1000' }),
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body ?? {}),
  })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return (answer.body as AnyRecord).data
}
async function orders(): Promise<{ ids: string[]; warnings: AnyRecord[] }> {
  const ids: string[] = []
  const warnings: AnyRecord[] = []
  for (let query = 'pageSize=50'; query; ) {
    const { status, body } = await unified('GET', `/order?${query}`)
    expect(status, JSON.stringify(body)).toBe(200)
    ids.push(...body.data.map(({ externalId }: AnyRecord) => externalId))
    warnings.push(...(body.warnings ?? []))
    query = body.pagination.cursor ? `cursor=${body.pagination.cursor}` : ''
  }
  return { ids, warnings }
}
const refusedAs = (id: string, of: string | null) => ({
  code: 'refund_left_out',
  id,
  message: `This is a refund${of === null ? '' : ` of the order ${of}`}, not a sale. It is left out.`,
})
/** Sales that return everything that they have: not exchanges. */
const isRefund = (sale: AnyRecord): boolean =>
  sale.return.is_return && sale.line_items.every((line: AnyRecord) => line.return.is_return || isDiscount(line))
const isDiscount = ({ product }: AnyRecord): boolean => product.id === '9a84e9e1-f038-11e3-a0f5-b8ca3a64f8f4'
const sold = async (): Promise<AnyRecord> => {
  const sales = (await native('GET', '/sales')) as unknown as AnyRecord[]
  return sales.find(
    (sale) =>
      sale.state === 'closed' &&
      sale.return.return_sale_ids.length === 0 &&
      sale.line_items.every(({ quantity, status }: AnyRecord) => quantity > 0 && status !== 'VOIDED'),
  )!
}

describe('a return', () => {
  it('is left out of the list with a warning, and is not found by id', async () => {
    const seeded = ((await native('GET', '/sales')) as unknown as AnyRecord[]).filter(isRefund)
    expect(seeded.length).toBeGreaterThan(0)
    const sale = await sold()
    const made = await native('POST', `/sales/${sale.id}/actions/return`)
    expect(made).toMatchObject({ state: 'parked', return: { is_return: true, original_sale_id: sale.id } })
    expect(made.totals.price_incl_tax).toBeLessThan(0)
    const { ids, warnings } = await orders()
    const returns = [...seeded, made]
    expect(ids).toContain(sale.id)
    expect(ids.filter((id) => returns.some((one) => one.id === id))).toEqual([])
    expect(warnings.filter(({ code }) => code === 'refund_left_out')).toEqual(
      returns.map((one) => refusedAs(one.id, one.return.original_sale_id)),
    )
    for (const one of returns) {
      const single = await unified('GET', `/order/${one.id}`)
      expect(single).toMatchObject({ status: 404, body: { code: 'record_not_found' } })
      expect(single.body.detail).toContain(one.return.original_sale_id ?? 'refund')
    }
  })
  it('that sells something as well is an exchange: it is served with both', async () => {
    const sale = await sold()
    const made = await native('POST', `/sales/${sale.id}/actions/return`)
    const [back] = made.line_items
    await native('PUT', `/sales/${made.id}`, {
      state: 'parked',
      source: { author_id: made.source.author.id, register_id: made.source.register_id },
      line_items: [back, { product: back.product, quantity: 2, pricing: { price: 10 }, tax: back.tax }],
    })
    const { ids, warnings } = await orders()
    expect(ids).toContain(made.id)
    expect(warnings.map(({ id }) => id)).not.toContain(made.id)
    const { status, body } = await unified('GET', `/order/${made.id}`)
    expect([status, body.data.state]).toEqual([200, 'OPEN'])
    const [returned, bought] = body.data.lineItems
    expect(returned).toMatchObject({ productExternalId: back.product.id, quantity: Math.abs(back.quantity) })
    expect(returned.unitPrice).toBeLessThan(0)
    expect(bought).toMatchObject({ quantity: 2, unitPrice: 10 })
  })
})

describe('an account without the scope for stock', () => {
  it('has products without stock, and a warning on every page', async () => {
    const { credentials, settings } = harness.tenants[0]!
    const made = await harness.manage('POST', '/accounts?test=false', {
      id: 'no-stock',
      platform: 'lightspeed-x',
      vertical: 'retail_pos',
      auth: 'oauth2',
      credentials: { ...credentials, scope: 'products:read retailer:read' },
      settings,
    })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const { body } = await harness.call('GET', '/unified/no-stock/product?pageSize=3', undefined, { prefer: 'wait=60' })
    expect(body.data).toHaveLength(3)
    expect(body.data.filter((row: AnyRecord) => 'stockOnHand' in row)).toEqual([])
    expect(body.warnings).toEqual([
      {
        code: 'scope_missing',
        pointer: '/stockOnHand',
        message:
          'Lightspeed returns no stock with the scopes of this account. Connect the account again with inventory:read.',
      },
    ])
  })
})
