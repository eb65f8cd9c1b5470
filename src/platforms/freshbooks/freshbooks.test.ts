// Peculiarities of FreshBooks, tested through the whole service with the simulator. The requirements for every platform
// are in conformance.test.ts.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHarness, type Harness, type Reply } from '../../conformance/harness.ts'
import type { Tenant } from '../../sandbox/simulator.ts'
import { fakeCallFor } from '../fake-call.ts'
import { freshbooks } from './connector.ts'
import { customer } from './customer.ts'
import { referenceIn, unifiedOf } from './customer-row.ts'
import { readError } from './error.ts'
import { freshbooksSimulatorWith } from './simulator/simulator.ts'
import { type Place, walkClients } from './walk.ts'

const platform = freshbooks.id
const path = `/unified/${platform}-accounting/customer`
const start = (habits: Parameters<typeof freshbooksSimulatorWith>[0] = {}, size: 'small' | 'full' = 'small') =>
  createHarness({
    connectors: { [platform]: freshbooks },
    simulators: { [platform]: freshbooksSimulatorWith(habits) },
    platform,
    size,
    paceScale: 0.002,
  })

let harness: Harness
beforeAll(async () => {
  harness = await start()
})
beforeEach(() => harness.sandbox.clearCalls(platform))
afterAll(() => harness.close())

const patient = { prefer: 'wait=60' }
const fakeCall = fakeCallFor({ settings: { accountId: 'LJArJ4' } })
let serial = 0
const fresh = (more: object = {}) => {
  serial += 1
  return { externalId: `FB-${serial}`, name: `Customer ${serial}`, ...more }
}
const create = (record: object) => harness.call('POST', path, record, patient)
const put = (id: string, record: object) => harness.call('PUT', `${path}/${id}`, record, patient)
const read = async (id: string) => (await harness.call('GET', `${path}/${id}`, undefined, patient)).body.data
const records = (of: Harness = harness) => (of.tenants[0] as Tenant).records.customer!
// biome-ignore lint/suspicious/noExplicitAny: responses of many shapes
type Any = any
/** Reads or changes a client directly in the simulator, without the rate limit. */
async function native(id: string, client?: object): Promise<Any> {
  const { body } = await harness.sandbox.simulator(platform).handle({
    method: client ? 'PUT' : 'GET',
    path: `/accounting/account/LJArJ4/users/clients/${id}`,
    query: new URLSearchParams(),
    headers: { authorization: `Bearer ${(harness.tenants[0] as Tenant).credentials.accessToken}` },
    body: client ? JSON.stringify({ client }) : '',
  })
  return (body as Any).response.result.client
}
const sent = (method: string) => harness.sandbox.calls(platform).filter((call) => call.method === method)
const problem = ({ status, body }: Reply) => [
  status,
  body.code,
  body.errors?.map(({ pointer }: { pointer: string }) => pointer),
]

describe('names', () => {
  it.each([
    [{ name: 'Harbor Coffee' }, { organization: 'Harbor Coffee', fname: '', lname: '' }],
    [
      { name: 'Ada Lovelace', firstName: 'Ada', lastName: 'Lovelace' },
      { organization: '', fname: 'Ada', lname: 'Lovelace' },
    ],
    [
      { name: 'Ada Lovelace', firstName: 'Ada', lastName: 'Lovelace', companyName: 'Engines' },
      { organization: 'Engines', fname: 'Ada', lname: 'Lovelace' },
    ],
    [
      { name: 'Ludwig van Beethoven', companyName: 'Engines' },
      { organization: 'Engines', fname: 'Ludwig van', lname: 'Beethoven' },
    ],
    [
      { name: '花子', companyName: 'Engines' },
      { organization: 'Engines', fname: '花子', lname: '' },
    ],
  ])('%j become %j, and the name is read back', async (names, expected) => {
    const { status, body } = await create(fresh(names))
    expect([status, body.warnings]).toEqual([201, undefined])
    expect(body.data).toMatchObject(names)
    expect(await native(body.data.externalId)).toMatchObject(expected)
    expect((await put(body.data.externalId, body.data)).body.data).toEqual(body.data)
    expect(sent('PUT')).toEqual([])
  })
  it('that cannot be stored get a warning, and are stored if possible', async () => {
    const person = { name: 'Dr. Ada', firstName: 'Ada', lastName: 'Lovelace' }
    const { body } = await create(fresh(person))
    expect(body.data).toMatchObject({ name: 'Ada Lovelace', companyName: 'Dr. Ada' })
    expect(body.warnings).toMatchObject([{ code: 'derived', pointer: '/name' }])
    const other = await create(fresh({ ...person, companyName: 'Engines' }))
    expect([other.body.data.companyName, other.body.warnings.length]).toEqual(['Engines', 1])
  })
  it('of a renamed person do not remain as a company', async () => {
    const { externalId } = (await create(fresh({ name: 'Ada Lovelace', firstName: 'Ada', lastName: 'Lovelace' }))).body
      .data
    const { body } = await put(externalId, fresh({ externalId, name: 'Ada King', firstName: 'Ada', lastName: 'King' }))
    expect([body.data.name, body.data.companyName]).toEqual(['Ada King', undefined])
    expect(body.warnings).toMatchObject([{ code: 'kept', pointer: '/currencyCode' }])
  })
  it('of a person that another application wrote as the organization, too, are cleared there with the next change', async () => {
    const made = await create(fresh({ name: 'Ada Lovelace', firstName: 'Ada', lastName: 'Lovelace' }))
    const { externalId } = made.body.data
    const { accessToken } = harness.tenants[0]!.credentials
    await fetch(`${harness.sandbox.origin('freshbooks')}/accounting/account/LJArJ4/users/clients/${externalId}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ client: { organization: 'Ada Lovelace' } }),
    })
    const record = await read(externalId)
    expect(record.companyName).toBeUndefined()
    await put(externalId, record)
    expect((await native(externalId)).organization).toBe('Ada Lovelace')
    await put(externalId, { ...record, name: 'Ada King', lastName: 'King' })
    expect(await native(externalId)).toMatchObject({ organization: '', fname: 'Ada', lname: 'King' })
  })
  it('fall back to what FreshBooks has, down to the email', () => {
    expect(unifiedOf({ id: 1, fname: null, organization: '', email: 'a@example.com' })).toEqual({
      externalId: '1',
      name: 'a@example.com',
      email: 'a@example.com',
    })
    expect(unifiedOf({ id: 1, lname: 'Ng', organization: 'Ng' })).toEqual({
      externalId: '1',
      name: 'Ng',
      lastName: 'Ng',
    })
  })
})

describe('vis_state', () => {
  it('of an inactive customer is set by a separate call after the create', async () => {
    const { body } = await create(fresh({ active: false }))
    expect([body.data.active, body.warnings]).toEqual([false, undefined])
    expect(
      [...sent('POST'), ...sent('PUT')].map((call) =>
        Object.keys((call.body as { client: object }).client).includes('vis_state'),
      ),
    ).toEqual([false, true])
    expect((await native(body.data.externalId)).vis_state).toBe(2)
    expect(records().ids()).toContain(body.data.externalId)
  })
  it('is never sent with other fields, which would be lost', async () => {
    const { externalId } = (await create(fresh())).body.data
    const { body } = await put(externalId, fresh({ phone: '555', active: false }))
    expect(body.data).toMatchObject({ phone: '555', active: false })
    expect((await put(externalId, { ...body.data, phone: '556', active: true })).body.data).toMatchObject({
      phone: '556',
      active: true,
    })
    const bodies = sent('PUT').map((call) => Object.keys((call.body as { client: object }).client))
    expect(bodies).toEqual([['organization', 'bus_phone'], ['vis_state'], ['bus_phone'], ['vis_state']])
  })
  it.each(['reset_before', 'reset_after', 'error_after', 'truncated'] as const)(
    'is set even if its call fails with %s',
    async (kind) => {
      const before = records().ids()
      harness.sandbox.fault(platform, { kind, method: 'PUT', times: 2 })
      const record = fresh({ active: false })
      let reply = await create(record)
      for (let again = 0; again < 5 && reply.status >= 300; again += 1) reply = await create(record)
      harness.sandbox.clearFaults(platform)
      expect([reply.body.data?.active, sent('POST').length]).toEqual([false, 1])
      expect(
        records()
          .ids()
          .filter((id) => !before.includes(id)),
      ).toEqual([reply.body.data.externalId])
    },
  )
  it('hides deleted clients: not read, not listed, not updated', async () => {
    const { externalId } = (await create(fresh())).body.data
    await native(externalId, { vis_state: 1 })
    expect((await native(externalId)).vis_state).toBe(1)
    expect((await harness.call('GET', `${path}/${externalId}`, undefined, patient)).status).toBe(404)
    expect((await put(externalId, fresh())).status).toBe(404)
    const listed = await harness.call('GET', `${path}?pageSize=100`, undefined, patient)
    const ids = listed.body.data.map(({ externalId: id }: { externalId: string }) => id)
    expect([ids.includes(externalId), ids.length]).toEqual([false, records().ids().length])
    expect(listed.body.data.some(({ active }: { active: boolean }) => !active)).toBe(true)
  })
})

describe('the reference in the note', () => {
  it('is a separate line that the unified notes do not contain and an update does not change', async () => {
    const { data } = (await create(fresh({ notes: 'First\nSecond' }))).body
    const { note } = await native(data.externalId)
    expect([data.notes, note.split('\n')]).toEqual([
      'First\nSecond',
      ['First', 'Second', expect.stringMatching(/^sync-ref:\w{16}$/)],
    ])
    expect((await put(data.externalId, { ...data, notes: 'Third' })).body.data.notes).toBe('Third')
    expect(referenceIn((await native(data.externalId)).note)).toBe(referenceIn(note))
    const { body } = await put(data.externalId, { ...data, notes: undefined })
    expect([body.data.notes, body.warnings]).toEqual([undefined, undefined])
    await native(data.externalId, { note: `${note.split('\n').at(-1)}\r\nTyped below` })
    expect((await read(data.externalId)).notes).toBe('Typed below')
  })
  it('distinguishes identical customers, so that each of two keys gets its own record', async () => {
    const twin = { name: 'Twin', email: 'twin@example.com' }
    const first = (await create(fresh(twin))).body.data.externalId
    for (const kind of ['reset_before', 'reset_after'] as const) {
      const before = records().ids()
      harness.sandbox.fault(platform, { kind, method: 'POST', times: 1 })
      const { status, body } = await create(fresh(twin))
      expect([kind, status]).toEqual([kind, 201])
      expect(body.data.externalId).not.toBe(first)
      expect(
        records()
          .ids()
          .filter((id) => !before.includes(id)),
      ).toEqual([body.data.externalId])
    }
  })
  it('is compared completely, because the search matches substrings and ignores case', async () => {
    const find = async (notes: string[]) => {
      const clients = notes.map((note, n) => ({ id: n + 1, note }))
      const { call, steps } = fakeCall(() => ({ response: { result: { client: { id: 9 }, clients, pages: 1 } } }))
      await customer.create!.run({ ...call, reference: 'urAbCdEfGhIjKlMn' }, { externalId: 'X', name: 'X' })
      return (steps[0]!.recovery as { find(unclaimed: () => Promise<boolean>): Promise<unknown> }).find(
        async () => true,
      )
    }
    const others = ['sync-ref:URABCDEFGHIJKLMN', 'as in sync-ref:urAbCdEfGhIjKlMn', 'sync-ref:urAbCdEfGhIjKlMn2']
    expect(await find(others)).toBeUndefined()
    expect(await find([...others, 'Note\r\nsync-ref:urAbCdEfGhIjKlMn\r\nMore'])).toMatchObject({ id: '4' })
  })
  it('finds a customer after a lost response, even if it was deleted in the meantime', async () => {
    const record = fresh({ name: 'Short-lived' })
    const before = records().ids()
    harness.sandbox.fault(platform, { kind: 'reset_after', method: 'POST', times: 1 })
    harness.sandbox.fault(platform, { kind: 'error_before', method: 'GET' })
    expect((await create(record)).status).toBeGreaterThan(400)
    const id = records()
      .ids()
      .find((candidate) => !before.includes(candidate))!
    records().remove!(id)
    harness.sandbox.clearFaults(platform)
    const reply = await create(record)
    expect([reply.status < 300, reply.body.data?.externalId, sent('POST').length]).toEqual([true, id, 1])
  })
})

describe('an update', () => {
  it('without differences is not sent, and otherwise leaves fields outside the record unchanged', async () => {
    const beyond = [
      's_city',
      'mob_phone',
      'home_phone',
      'fax',
      'vat_name',
      'vat_number',
      'language',
      'organization',
      'username',
      'vis_state',
    ]
    for (const id of records().ids().slice(0, 9)) {
      const before = await native(id)
      const record = await read(id)
      await put(id, record)
      expect((await native(id)).updated).toBe(before.updated)
      expect((await put(id, { ...record, notes: 'Changed' })).status).toBe(200)
      const after = await native(id)
      expect([after.note, ...beyond.map((field) => after[field])]).toEqual([
        'Changed',
        ...beyond.map((field) => before[field]),
      ])
    }
  })
  it('clears what the record no longer has, and changes the currency', async () => {
    const address = {
      line1: 'Attn: Nadia\n14 Dock Rd',
      line2: 'Unit 5\nGate B',
      city: 'Köln',
      state: 'NW',
      postalCode: '50667',
      country: 'Germany',
    }
    const full = fresh({
      email: 'a@example.com',
      phone: '1',
      companyName: 'C',
      notes: 'D',
      address,
      currencyCode: 'EUR',
    })
    const { data } = (await create(full)).body
    expect(data).toMatchObject({ ...full, externalId: data.externalId })
    const { body } = await put(data.externalId, { externalId: data.externalId, name: 'Bare', currencyCode: 'JPY' })
    expect(body).toMatchObject({
      data: { externalId: data.externalId, name: 'Bare', companyName: 'Bare', active: true, currencyCode: 'JPY' },
    })
    expect(Object.keys(body.data)).toHaveLength(5)
    expect(body.warnings).toMatchObject([{ code: 'derived', pointer: '/companyName' }]) // the name is the company's
  })
  it('rejected for several fields names them all, in both error formats', async () => {
    const wrong = { currencyCode: 'XAF', address: { postalCode: 'x'.repeat(256) } }
    expect(problem(await create(fresh(wrong)))).toEqual([
      422,
      'downstream_rejected',
      ['/address/postalCode', '/currencyCode'],
    ])
    const other = await start({ errors: 'new', uniqueEmails: true })
    const call = (record: object) => other.call('POST', path, record, patient)
    expect(problem(await call(fresh(wrong)))).toEqual([
      422,
      'downstream_rejected',
      ['/address/postalCode', '/currencyCode'],
    ])
    await call(fresh({ email: 'taken@example.com' }))
    expect(problem(await call(fresh({ email: 'Taken@example.com' })))).toEqual([422, 'downstream_rejected', ['/email']])
    await other.close()
  })
})

describe('times', () => {
  const at = (updated: string) => customer.list.modifiedAt!({ id: 1, updated })
  it('of changes are read in New York', () => {
    expect(at('2026-01-30 07:17:12')).toBe('2026-01-30T12:17:12.000Z')
    expect(at('2026-07-30 07:17:12')).toBe('2026-07-30T11:17:12.000Z')
    // Occurs twice that night: the later one counts, so that nothing is missed.
    expect(at('2025-11-02 01:30:00')).toBe('2025-11-02T06:30:00.000Z')
  })
  it('are filtered by the date in New York', async () => {
    for (const [instant, day] of [
      ['2026-01-31T04:59:59Z', '2026-01-30'],
      ['2026-01-31T05:00:00Z', '2026-01-31'],
      ['2026-07-31T04:00:00Z', '2026-07-31'],
    ] as const) {
      await harness.call('GET', `${path}?pageSize=2&updatedAfter=${instant}`, undefined, patient)
      expect(new URLSearchParams(sent('GET').at(-1)!.query).get('search[updated_min]')).toBe(day)
    }
  })
})

describe('a walk', () => {
  it.each(['newest', 'oldest', 'updated', 'name'] as const)(
    'is exact in the order %s, while clients are edited, added and deleted',
    async (order) => {
      const large = await start({ order }, 'full')
      try {
        const all = records(large)
        for (const size of [40, 100]) {
          const expected = all.ids()
          const disturbed = new Set<string>()
          const served: string[] = []
          let cursor = ''
          for (let page = 1; page === 1 || cursor; page += 1) {
            const { status, body } = await large.call(
              'GET',
              `${path}?${cursor ? `cursor=${cursor}` : `pageSize=${size}`}`,
              undefined,
              patient,
            )
            expect(status, JSON.stringify(body)).toBe(200)
            served.push(...body.data.map(({ externalId }: { externalId: string }) => externalId))
            cursor = body.pagination.cursor ?? ''
            if (page > 4) continue
            const unserved = expected.filter((id) => !served.includes(id) && !disturbed.has(id))
            for (const id of [served[0]!, served.at(-1)!, unserved[3]!, unserved.at(-2)!]) {
              all.touch(id)
              disturbed.add(id)
            }
            all.add(3)
            // More than the overlap of two pages on the second and third page.
            for (const id of served.slice(1, page === 2 ? 9 : page === 3 ? 30 : 3)) {
              if (disturbed.has(id) || !all.ids().includes(id)) continue
              all.remove!(id)
              disturbed.add(id)
            }
          }
          const times = (id: string) => served.filter((candidate) => candidate === id).length
          expect(expected.filter((id) => times(id) === 0)).toEqual([])
          expect(expected.filter((id) => !disturbed.has(id) && times(id) !== 1)).toEqual([])
        }
      } finally {
        await large.close()
      }
    },
  )
  it('makes one call per page, and one more at the end', async () => {
    const clients = Array.from({ length: 469 }, (_, n) => ({ id: String(n) }))
    let calls = 0
    const page = walkClients<{ id: string }>({
      id: ({ id }) => id,
      changedAt: () => undefined,
      async fetch(_call, updatedAfter, number, size) {
        calls++
        const found = updatedAfter === undefined ? clients : []
        return { rows: found.slice((number - 1) * size, number * size), pages: Math.ceil(found.length / size) }
      },
    })
    const served: string[] = []
    let pages = 0
    for (let place: Place | undefined; pages === 0 || place; pages++) {
      const { rows, next } = await page(fakeCall().call, { size: 90 }, place)
      served.push(...rows.map(({ id }) => id))
      place = next
    }
    expect(served).toEqual(clients.map(({ id }) => id))
    expect([pages, calls]).toEqual([7, 7])
  })
})

describe('the business', () => {
  const connect = (of: Harness, settings?: object) =>
    of.manage('POST', '/accounts', {
      platform,
      vertical: 'accounting',
      credentials: { ...(of.tenants[0] as Tenant).credentials },
      ...(settings && { settings }),
    })
  it('is determined if there is one', async () => {
    const { status, body } = await connect(harness)
    expect([status, body.settings]).toEqual([201, { accountId: 'LJArJ4' }])
  })
  it('is required if there are several', async () => {
    const other = await start({ businesses: 2 })
    const { status, body } = await connect(other)
    expect([status, body.errors[0].pointer, body.errors[0].message]).toEqual([
      422,
      '/settings/accountId',
      expect.stringContaining('3xQ74o (Pier Seven Studio)'),
    ])
    expect((await connect(other, { accountId: 'LJArJ4' })).status).toBe(201)
    await other.close()
  })
})

describe('the refresh token', () => {
  const renewed = async (kind: 'reset_after' | 'error_before' | 'reset_before') => {
    const other = await start()
    ;(other.tenants[0] as Tenant).expireTokens()
    other.sandbox.fault(platform, { kind, path: '/auth/oauth/', times: 1 })
    const replies = [
      await other.call('GET', path, undefined, patient),
      await other.call('GET', path, undefined, patient),
    ]
    await other.close()
    return replies.map(({ status, body }) => [status, body.code])
  }
  it('is used up after a lost response: the owner must consent again', async () => {
    expect(await renewed('reset_after')).toEqual([
      [502, 'reconnect_required'],
      [502, 'reconnect_required'],
    ])
  })
  it.each(['error_before', 'reset_before'] as const)('is sent again after %s if it was not used up', async (kind) => {
    expect(await renewed(kind)).toEqual([
      [200, undefined],
      [200, undefined],
    ])
  })
})

describe('errors', () => {
  const error = (errno: number, field = '') => ({
    response: { errors: [{ errno, field, message: 'Words', object: 'client', value: 'v' }] },
  })
  const kindOf = (status: number, body: unknown) => readError({ status, headers: {}, body })?.kind
  it('are classified by their number, and by the status if it is more specific', () => {
    expect([409, 1001, 1003, 1011, 1012, 1042].map((errno) => kindOf(400, error(errno)))).toEqual([
      'stale',
      'invalid',
      'forbidden',
      'not_found',
      'not_found',
      'forbidden',
    ])
    expect([kindOf(401, error(1003)), kindOf(429, error(1003)), kindOf(503, error(1012))]).toEqual([
      'token',
      'throttled',
      'unavailable',
    ])
    expect([kindOf(404, error(1012, 'userid')), kindOf(404, error(1012, 'currency_code'))]).toEqual([
      'not_found',
      'invalid',
    ])
  })
  it('count even if the status is 200', () => {
    expect(readError({ status: 200, headers: {}, body: error(1004, 'email') })).toEqual({
      kind: 'invalid',
      code: '1004',
      message: 'Words',
      fields: [{ native: 'email', message: 'Words' }],
    })
    expect(
      kindOf(200, {
        code: 5,
        message: 'm',
        details: [{ '@type': 't', reason: '1012', metadata: { field: 'userid', message: 'Words' } }],
      }),
    ).toBe('not_found')
    expect(kindOf(200, { error: 'unauthenticated', error_description: 'Words' })).toBe('token')
    expect(readError({ status: 200, headers: {}, body: { response: { result: {} } } })).toBeUndefined()
  })
  it('in the format of OAuth are classified by their status', () => {
    const body = { error: 'insufficient_scope', error_description: 'user:clients:write is missing' }
    expect(readError({ status: 403, headers: {}, body })).toEqual({
      kind: 'forbidden',
      code: 'insufficient_scope',
      message: 'user:clients:write is missing',
    })
    expect([200, 404].map((status) => kindOf(status, body))).toEqual(['invalid', 'not_found'])
  })
})
