// Peculiarities of QuickBooks, tested through the whole service with the simulator. The requirements for every platform
// are in conformance.test.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness, type Reply } from '../../conformance/harness.ts'
import type { CreateSimulator, Tenant } from '../../sandbox/simulator.ts'
import { quickbooksOnline } from './connector.ts'
import { changeOf } from './customer-row.ts'
import { readError } from './error.ts'
import { createQuickbooksOnlineSimulator, quickbooksSimulatorWithGrace } from './simulator/simulator.ts'

const platform = quickbooksOnline.id
const path = `/unified/${platform}-accounting/customer`
let edits = 0 // the number of updates that another client overtakes
/** The simulator with a bookkeeper who edits a customer before our update arrives. */
const overtaken: CreateSimulator = (options) => {
  const simulator = createQuickbooksOnlineSimulator(options)
  return {
    ...simulator,
    handle(request) {
      const id =
        request.method === 'POST' && request.path.endsWith('/customer')
          ? (JSON.parse(request.body) as { Id?: string }).Id
          : undefined
      if (id !== undefined && edits > 0) {
        edits -= 1
        simulator.tenants[0]!.records.customer!.touch(id)
      }
      return simulator.handle(request)
    },
  }
}
const start = (createSimulator: CreateSimulator, size: 'small' | 'full' = 'small') =>
  createHarness({
    connectors: { [platform]: quickbooksOnline },
    simulators: { [platform]: createSimulator },
    platform,
    size,
  })

let harness: Harness
beforeAll(async () => {
  harness = await start(overtaken)
})
afterAll(() => harness.close())

const patient = { prefer: 'wait=60' }
let serial = 0
const fresh = (more: object = {}) => {
  serial += 1
  return { externalId: `QB-${serial}`, name: `Customer ${serial}`, ...more }
}
const create = (record: object) => harness.call('POST', path, record, patient)
const put = (id: string, record: object) => harness.call('PUT', `${path}/${id}`, record, patient)
const read = async (id: string) => (await harness.call('GET', `${path}/${id}`, undefined, patient)).body.data
/** The customer as QuickBooks stores it. */
async function native(id: string) {
  const { credentials, settings } = harness.tenants[0] as Tenant
  const response = await fetch(`${harness.sandbox.origin(platform)}/v3/company/${settings.realmId}/customer/${id}`, {
    headers: { authorization: `Bearer ${credentials.accessToken}`, accept: 'application/json' },
  })
  return (
    (await response.json()) as {
      Customer: Record<string, unknown> & { SyncToken: string; DisplayName: string; BillAddr: Record<string, string> }
    }
  ).Customer
}
const problem = ({ status, body }: Reply) => [
  status,
  body.code,
  body.errors?.map(({ pointer }: { pointer: string }) => pointer),
]

describe('a name', () => {
  it('that a customer, vendor or employee already has is a 422 on /name, and the key can be used again', async () => {
    const first = await create(fresh())
    const second = fresh({ name: first.body.data.name.toUpperCase() })
    expect(problem(await create(second))).toEqual([422, 'downstream_rejected', ['/name']])
    expect(problem(await create(fresh({ name: 'Cascade Paper Supply' })))).toEqual([
      422,
      'downstream_rejected',
      ['/name'],
    ])
    await put(first.body.data.externalId, { ...first.body.data, name: 'Renamed to make room' })
    // QuickBooks would repeat its error for the same request id forever.
    expect((await create(second)).status).toBe(201)
  })
  it('with a colon is rejected before anything is sent', async () => {
    expect(problem(await create(fresh({ name: 'Parent: Child' })))).toEqual([422, 'target_refuses', ['/name']])
  })
})

describe('an inactive customer', () => {
  it('is created in two steps, and its name has no suffix although QuickBooks adds one', async () => {
    const { status, body } = await create(fresh({ active: false }))
    expect([status, body.data.active, body.data.name, body.warnings]).toEqual([
      201,
      false,
      `Customer ${serial}`,
      undefined,
    ])
    expect(await native(body.data.externalId)).toMatchObject({
      DisplayName: `Customer ${serial} (deleted)`,
      Active: false,
      SyncToken: '1',
    })
    expect((await put(body.data.externalId, body.data)).body.data).toEqual(body.data)
    const revived = await put(body.data.externalId, { ...body.data, active: true })
    expect(revived.body.data).toEqual({ ...body.data, active: true })
    expect(await native(body.data.externalId)).toMatchObject({ DisplayName: body.data.name, Active: true })
  })
  it('releases its name to others, and cannot get it back from them', async () => {
    const { body } = await create(fresh({ active: false }))
    await create(fresh({ name: body.data.name, active: false }))
    expect((await create(fresh({ name: body.data.name }))).status).toBe(201)
    expect(problem(await put(body.data.externalId, { ...body.data, active: true }))).toEqual([
      422,
      'downstream_rejected',
      ['/name'],
    ])
  })
})

describe('an update', () => {
  it('with a stale SyncToken reads again and is sent once more, then it is a 409', async () => {
    const { externalId } = (await create(fresh())).body.data
    edits = 1
    expect(await put(externalId, fresh({ firstName: 'Ada' }))).toMatchObject({
      status: 200,
      body: { data: { firstName: 'Ada' } },
    })
    expect((await native(externalId)).SyncToken).toBe('2')
    edits = 2
    expect(problem(await put(externalId, fresh({ firstName: 'Bob' }))).slice(0, 2)).toEqual([409, 'stale_record'])
    expect(await read(externalId)).toMatchObject({ firstName: 'Ada' })
  })
  it('without differences is not sent', async () => {
    const id = (harness.tenants[0] as Tenant).records.customer!.ids()[1]!
    const { SyncToken } = await native(id)
    expect((await put(id, await read(id))).status).toBe(200)
    expect((await native(id)).SyncToken).toBe(SyncToken)
  })
  it('does not change fields outside the record', async () => {
    const beyond = [
      'ShipAddr',
      'WebAddr',
      'Mobile',
      'Taxable',
      'PreferredDeliveryMethod',
      'PrintOnCheckName',
      'ParentRef',
    ] as const
    const ids = (harness.tenants[0] as Tenant).records.customer!.ids().slice(0, 8)
    for (const id of ids) {
      const before = await native(id)
      expect((await put(id, { ...(await read(id)), notes: 'Changed' })).status).toBe(200)
      const after = await native(id)
      expect([after.Notes, ...beyond.map((field) => after[field])]).toEqual([
        'Changed',
        ...beyond.map((field) => before[field]),
      ])
    }
    const row = {
      Id: '1',
      SyncToken: '0',
      DisplayName: 'A',
      BillAddr: { Id: '7', Line1: 'Old', City: 'X', County: 'Kings', Lat: '1', Long: '2' },
    }
    expect(changeOf({ externalId: '1', name: 'A', address: { line1: 'New' } }, row)).toEqual({
      BillAddr: { Id: '7', Line1: 'New', City: '', County: 'Kings' },
    })
  })
  it('clears what the record no longer has', async () => {
    const full = fresh({
      firstName: 'A',
      lastName: 'B',
      email: 'a@example.com',
      phone: '1',
      companyName: 'C',
      notes: 'D',
      address: { line1: '1 Street', city: 'X' },
    })
    const { externalId } = (await create(full)).body.data
    const bare = await put(externalId, { externalId, name: full.name })
    expect(bare.body).toMatchObject({ data: { externalId, name: full.name, active: true, currencyCode: 'USD' } })
    expect(Object.keys(bare.body.data)).toHaveLength(4)
    expect(bare.body.warnings).toMatchObject([{ code: 'kept', pointer: '/currencyCode' }])
  })
  it('cannot change the currency', async () => {
    const { data } = (await create(fresh({ currencyCode: 'EUR' }))).body
    expect(data.currencyCode).toBe('EUR')
    expect(problem(await put(data.externalId, { ...data, currencyCode: 'CAD' }))).toEqual([
      422,
      'target_refuses',
      ['/currencyCode'],
    ])
    expect(problem(await create(fresh({ currencyCode: 'CHF' })))).toEqual([
      422,
      'downstream_rejected',
      ['/currencyCode'],
    ])
  })
  it('of one line of a four-line address changes neither the other lines nor the id of the address', async () => {
    const id = (harness.tenants[0] as Tenant).records.customer!.ids()[1]!
    const before = await native(id)
    const record = await read(id)
    expect(record.address).toMatchObject({
      line1: before.BillAddr.Line1,
      line2: [before.BillAddr.Line2, before.BillAddr.Line3, before.BillAddr.Line4].join('\n'),
    })
    await put(id, { ...record, address: { ...record.address, line1: 'Attn: No One' } })
    expect((await native(id)).BillAddr).toEqual({ ...before.BillAddr, Line1: 'Attn: No One' })
  })
  it('rejected for a field names the field', async () => {
    expect(problem(await create(fresh({ phone: '1'.repeat(31) })))).toEqual([422, 'downstream_rejected', ['/phone']])
    expect(problem(await create(fresh({ address: { postalCode: 'x'.repeat(31) } })))).toEqual([
      422,
      'downstream_rejected',
      ['/address/postalCode'],
    ])
  })
})

describe('reading', () => {
  it('walks 470 customers exactly, 130 of them created in the same second, while others are edited and added', async () => {
    const large = await start(createQuickbooksOnlineSimulator, 'full')
    try {
      const { customer: records } = (large.tenants[0] as Tenant).records
      const expected = records!.ids()
      for (const size of [60, 100]) {
        const served: string[] = []
        let cursor = ''
        do {
          const { status, body } = await large.call(
            'GET',
            `${path}?${cursor ? `cursor=${cursor}` : `pageSize=${size}`}`,
            undefined,
            patient,
          )
          expect(status, JSON.stringify(body)).toBe(200)
          served.push(...body.data.map(({ externalId }: { externalId: string }) => externalId))
          cursor = body.pagination.cursor ?? ''
          for (const id of [served[0]!, served.at(-1)!, expected.at(-1)!]) records!.touch(id)
          records!.add(1)
        } while (cursor)
        expect(new Set(served).size).toBe(served.length)
        expect(expected.filter((id) => !served.includes(id))).toEqual([])
      }
    } finally {
      await large.close()
    }
  })
  it('finds a change later within the second of updatedAfter', async () => {
    const { time } = harness
    time.stop()
    time.nextSecond()
    const before = new Date(time.now()).toISOString()
    time.skip(100)
    const { customer: records } = (harness.tenants[0] as Tenant).records
    const id = records!.ids()[2]!
    records!.touch(id)
    time.go()
    const { body } = await harness.call('GET', `${path}?updatedAfter=${before}`, undefined, patient)
    expect(body.data.map(({ externalId }: { externalId: string }) => externalId)).toEqual([id])
  })
})

describe('the refresh token', () => {
  it.each([0, 86_400])(
    'is renewed once by many callers, with a grace period of %i seconds for the old one',
    async (grace) => {
      const other = await start(quickbooksSimulatorWithGrace(grace))
      try {
        for (let round = 0; round < 2; round += 1) {
          ;(other.tenants[0] as Tenant).expireTokens()
          other.sandbox.clearCalls(platform)
          const replies = await Promise.all(
            Array.from({ length: 6 }, () => other.call('GET', path, undefined, patient)),
          )
          expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(200))
          expect(
            other.sandbox.calls(platform).filter(({ path: called }) => called.startsWith('/oauth2/')),
          ).toHaveLength(1)
        }
      } finally {
        await other.close()
      }
    },
  )
  it('survives a lost response if there is a grace period, and otherwise requires a new consent', async () => {
    for (const [grace, status] of [
      [86_400, 200],
      [0, 502],
    ] as const) {
      const other = await start(quickbooksSimulatorWithGrace(grace))
      ;(other.tenants[0] as Tenant).expireTokens()
      other.sandbox.fault(platform, { kind: 'reset_after', path: '/oauth2/', times: 1 })
      const reply = await other.call('GET', path, undefined, patient)
      await other.close()
      expect([reply.status, reply.body.code]).toEqual([status, status === 502 ? 'reconnect_required' : undefined])
    }
  })
})

describe('faults', () => {
  const fault = (code: string, more: object = {}) => ({
    Fault: { Error: [{ Message: 'Short', Detail: 'Long', code, ...more }], type: 'ValidationFault' },
  })
  const kindOf = (status: number, body: unknown) => readError({ status, headers: {}, body })?.kind
  it('are classified by their code, in either case, even with status 200', () => {
    expect(['610', '5010', '6240', '6190', '2050'].map((code) => kindOf(400, fault(code)))).toEqual([
      'not_found',
      'stale',
      'duplicate',
      'forbidden',
      'invalid',
    ])
    expect(kindOf(200, fault('6000'))).toBe('invalid')
    expect(kindOf(403, { fault: { error: [{ message: 'm', code: '3100' }] } })).toBe('reconnect')
    expect(kindOf(500, fault('10000'))).toBe('unavailable')
    expect(readError({ status: 200, headers: {}, body: { Customer: {} } })).toBeUndefined()
  })
  it('are read from XML, which is returned although JSON was requested', () => {
    const xml =
      '<IntuitResponse><Fault type="SERVICE"><Error code="003001" element=""><Message>m</Message><Detail>Wait &amp; see</Detail></Error></Fault></IntuitResponse>'
    expect(readError({ status: 429, headers: {}, body: xml })).toEqual({
      kind: 'throttled',
      code: '3001',
      message: 'Wait & see',
    })
    expect(kindOf(200, '<?xml version="1.0"?><IntuitResponse><Customer/></IntuitResponse>')).toBe('unavailable')
  })
  it('about a token do not contain the token', () => {
    const body = {
      fault: {
        error: [{ message: 'AuthenticationFailed', detail: 'Token expired: AB01secret', code: '3200' }],
        type: 'AUTHENTICATION',
      },
    }
    expect(readError({ status: 401, headers: {}, body })).toEqual({
      kind: 'token',
      code: '3200',
      message: 'AuthenticationFailed',
    })
  })
})
