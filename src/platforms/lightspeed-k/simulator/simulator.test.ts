// Checks the simulator against the vendor's field names, and rules of the wire format that connector tests do not
// cover.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createState } from '../../../sandbox/collection.ts'
import type { WireResponse } from '../../../sandbox/simulator.ts'
import { createLightspeedKSimulator } from './simulator.ts'

const documented = JSON.parse(readFileSync(new URL('../fixtures/fields.json', import.meta.url), 'utf8')) as Record<
  string,
  string[]
>
const location = '45454565682155'

function start() {
  const now = Date.now()
  const simulator = createLightspeedKSimulator({
    size: 'small',
    now: Date.now,
    seededAt: now,
    state: createState(),
    origin: 'http://sandbox',
  })
  const [tenant] = simulator.tenants
  async function send(
    method: string,
    address: string,
    body?: unknown,
    headers: Record<string, string> = { authorization: 'Bearer sandbox-lightspeed-k-access' },
  ) {
    const [path = '', query = ''] = address.split('?')
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
    const request = { method, path, query: new URLSearchParams(query), headers, body: text }
    // biome-ignore lint/suspicious/noExplicitAny: the tests read responses of every shape
    return (await simulator.handle(request)) as WireResponse & { body: any }
  }
  return { send, tenant: tenant!, now }
}
const strangers = (record: object, name: string): string[] =>
  Object.keys(record).filter((key) => !documented[name]!.includes(key))
interface Lines {
  salesLines: { taxLines: object[] }[]
}
const order = (reference: string, sku: string) => ({
  businessLocationId: Number(location),
  thirdPartyReference: reference,
  endpointId: 'unified-records',
  customerInfo: { firstName: 'Jane' },
  items: [{ sku, quantity: 1 }],
})

describe('responses', () => {
  it("have no field that the vendor's documentation does not have", async () => {
    const { send, tenant, now } = start()
    const since = new Date(now - 300 * 86_400_000).toISOString()
    const [items, groups, sales, checks, staff, office, shifts, rates, methods, fees] = await Promise.all([
      send('GET', `/items/v1/items?businessLocationId=${location}`),
      send('GET', `/f/finance/${location}/accountingGroups`),
      send(
        'GET',
        `/f/v2/business-location/${location}/sales?from=${new Date(now - 300 * 86_400_000).toISOString()}&include=payments,consumer,staff,table`,
      ),
      send('GET', `/o/op/1/order/table/getCheck?businessLocationId=${location}`),
      send('GET', `/staff/v1/businessLocations/${location}/userTypes/POS`),
      send('GET', `/staff/v1/businessLocations/${location}/userTypes/BACK_OFFICE`),
      send('GET', `/staff/v1/businessLocations/${location}/shift`),
      send('GET', `/f/finance/${location}/tax-rates`),
      send('GET', `/f/finance/${location}/paymentMethods`),
      send('GET', `/f/v2/business-location/${location}/lightspeed-payments?from=${since}`),
    ])
    const single = await send(
      'GET',
      `/staff/v1/businessLocations/${location}/staff/${tenant.records.employee!.ids()[0]}`,
    )
    const found: [string, object[]][] = [
      ['item', items.body],
      ['accountingGroup', groups.body._embedded.accountingGroupList],
      ['saleV2', sales.body.sales],
      ['saleLineV2', sales.body.sales.flatMap((sale: { salesLines: object[] }) => sale.salesLines)],
      ['salePaymentV2', sales.body.sales.flatMap((sale: { payments: object[] }) => sale.payments)],
      ['taxLine', sales.body.sales.flatMap((sale: Lines) => sale.salesLines.flatMap(({ taxLines }) => taxLines))],
      ['taxRate', rates.body._embedded.taxRateList],
      ['paymentMethod', methods.body._embedded.paymentMethodList],
      ['lightspeedPayment', fees.body.payments],
      ['check', checks.body],
      ['checkPayment', checks.body.flatMap((check: { paymentEntries: object[] }) => check.paymentEntries)],
      ['checkLine', checks.body.flatMap((check: { salesEntries: object[] }) => check.salesEntries)],
      ['posStaff', staff.body.data.staff],
      ['backOfficeStaff', office.body.data.staff],
      ['staff', [single.body]],
      ['shift', shifts.body.data.shifts],
      ['shiftEvent', shifts.body.data.shifts.flatMap((shift: { events: object[] }) => shift.events)],
    ]
    for (const [name, records] of found) {
      expect(records.length, name).toBeGreaterThan(0)
      for (const record of records) expect([name, strangers(record, name)]).toEqual([name, []])
    }
  })
  it('contain the earliest day if sales before it are requested', async () => {
    const { body, status } = await start().send(
      'GET',
      `/f/v2/business-location/${location}/sales?from=2011-01-01T00:00:00Z&to=2011-01-02T00:00:00Z`,
    )
    expect([status, body.error]).toEqual([400, expect.stringMatching(/after: \d{4}-\d\d-\d\dT/)])
  })
})

describe('an order', () => {
  it('is accepted without an id, appears only at the second lookup, and its reference works for one order', async () => {
    const { send } = start()
    const { body: items } = await send('GET', `/items/v1/items?businessLocationId=${location}`)
    const { sku } = items.find((item: { active: boolean; sku: string }) => item.active && item.sku.length <= 25)
    const look = () =>
      send('GET', `/f/finance/${location}/saleByExternalReference?externalReferenceId=TASK:OO-${location}-REF1`)
    expect((await send('POST', '/o/op/1/order/toGo', order('REF1', sku))).body).toEqual({ status: 'ok' })
    expect((await look()).status).toBe(404)
    expect((await look()).body).toMatchObject({ accountFiscId: expect.stringMatching(/^A\d+\.\d+$/), type: 'SALE' })
    expect(await send('POST', '/o/op/1/order/toGo', order('REF1', sku))).toEqual({
      status: 409,
      body: { status: 'fail', msg: 'reference has already been used REF1' },
    })
  })
  it('for an item that the POS does not have is also accepted, but never appears', async () => {
    const { send } = start()
    expect((await send('POST', '/o/op/1/order/toGo', order('REF2', 'no-such-sku'))).status).toBe(200)
    for (let look = 0; look < 4; look += 1)
      expect(
        (
          await send(
            'GET',
            `/f/finance/${location}/saleByExternalReference?externalReferenceId=TASK:OO-${location}-REF2`,
          )
        ).status,
      ).toBe(404)
  })
  it('without a registered webhook or a first name is rejected with the field', async () => {
    const { body } = await start().send('POST', '/o/op/1/order/toGo', {
      ...order('REF3', '1'),
      endpointId: 'unknown',
      customerInfo: {},
    })
    expect(body.errors.map(({ field }: { field: string }) => field)).toEqual(['endpointId', 'customerInfo.firstName'])
  })
})

describe('a payment', () => {
  const body = (reference: string, changes: object) => ({
    businessLocationId: Number(location),
    thirdPartyPaymentReference: reference,
    endpointId: 'unified-records',
    paymentMethod: 'OOPAYMENT',
    ...changes,
  })
  it('is accepted at once and booked later; its reference works once, and a check that is paid is closed', async () => {
    const { send, tenant } = start()
    const account = tenant.payable!(12)
    const pay = (reference: string, paymentAmount: number) =>
      send('POST', '/o/op/1/pay', body(reference, { iKaccountIdentifier: account, paymentAmount, tipAmount: 1 }))
    const look = () => send('GET', `/o/op/1/order/accounts/${account}?businessLocationId=${location}`)
    expect((await pay('P1', 5)).body).toEqual({ status: 'ok' })
    expect((await look()).body.paidAmount).toBe(0)
    expect((await look()).body).toMatchObject({ paidAmount: 5, paymentEntries: [{ externalReference: 'P1' }] })
    expect(await pay('P1', 5)).toMatchObject({ status: 400, body: { message: 'reference has already been used P1' } })
    expect((await pay('P2', 7.01)).status).toBe(200) // more than is due: only a webhook would say so
    await look()
    expect((await look()).body.paidAmount).toBe(5)
    await pay('P3', 7)
    await look()
    expect((await look()).status).toBe(404)
  })
  it('without a registered webhook, an amount or a long enough time is rejected with the field', async () => {
    const { body: answer } = await start().send(
      'POST',
      '/o/op/1/pay',
      body('P4', { endpointId: 'unknown', taskTtlInMs: 1000 }),
    )
    expect(answer.errors.map(({ field }: { field: string }) => field)).toEqual([
      'endpointId',
      'paymentAmount',
      'taskTtlInMs',
    ])
  })
})

describe('tokens', () => {
  const client = {
    authorization: `Basic ${Buffer.from('devp-sandbox-unified-records:sandbox-lightspeed-k-not-a-real-secret').toString('base64')}`,
  }
  it('are refreshed once per refresh token', async () => {
    const { send } = start()
    const refresh = () =>
      send('POST', '/oauth/token', 'grant_type=refresh_token&refresh_token=sandbox-lightspeed-k-refresh', client)
    expect((await refresh()).body).toMatchObject({
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'financial-api items orders-api staff-api',
    })
    expect(await refresh()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })
  it('are issued after consent, and cover only the granted scopes', async () => {
    const { send } = start()
    const asked = {
      client_id: 'devp-sandbox-unified-records',
      redirect_uri: 'https://app.example.com/back',
      response_type: 'code',
      scope: 'items',
      state: 's1',
    }
    expect((await send('GET', `/oauth/authorize?${new URLSearchParams(asked)}`)).body).toContain(
      'Allow for The Brass Kettle',
    )
    const agreed = await send(
      'POST',
      '/oauth/authorize',
      new URLSearchParams({ ...asked, tenant: 'restaurant', decision: 'approve' }).toString(),
    )
    const code = new URL(agreed.headers!.location!).searchParams.get('code')!
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: asked.redirect_uri,
    }).toString()
    const { body } = await send('POST', '/oauth/token', form, client)
    const bearer = { authorization: `Bearer ${body.access_token}` }
    expect((await send('GET', `/items/v1/items?businessLocationId=${location}`, undefined, bearer)).status).toBe(200)
    expect((await send('GET', `/f/finance/${location}/accountingGroups`, undefined, bearer)).status).toBe(403)
    expect((await send('POST', '/oauth/token', form, client)).body.error).toBe('invalid_grant')
  })
})
