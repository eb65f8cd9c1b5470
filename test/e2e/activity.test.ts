// What an operator sees of a request afterwards: its row, its trace, and no credential.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { chooseCases } from '../case-choice.ts'
import { until } from '../until.ts'

let harness: Harness
const base = '/unified/square-restaurant'

beforeAll(async () => {
  harness = await createHarness({ connectors, simulators, platform: 'square' })
})
afterAll(() => harness.close())

/** Activity is written after the response, so an entry may appear a moment later. */
function entryOf(reply: { headers: Headers }, from = harness) {
  const id = reply.headers.get('x-request-id')
  return until(`the activity of ${id}`, async () => {
    const { status, body } = await from.manage('GET', `/activity/${id}`)
    return status === 200 && body
  })
}

it('a write has a complete trace: validation, journal, references, and each native call with its request', async () => {
  const category = await harness.call('POST', `${base}/category`, { externalId: 'CAT-1', name: 'Teas' })
  const reply = await harness.call('POST', `${base}/product`, {
    externalId: 'P-1',
    name: 'Green tea',
    price: 3,
    currencyCode: 'USD',
    categoryExternalId: 'CAT-1',
  })
  expect(reply.status, JSON.stringify(reply.body)).toBe(201)
  const entry = await entryOf(reply)
  expect(entry).toMatchObject({
    accountId: 'square-restaurant',
    platform: 'square',
    method: 'POST',
    entityType: 'product',
    operation: 'create',
    status: 201,
    externalId: 'P-1',
    nativeId: reply.body.reference.id,
  })
  expect(entry.trace.stages.map(({ name }: { name: string }) => name)).toEqual([
    'validation',
    'journal',
    'references',
    'journal',
  ])
  expect(entry.trace.stages[2].note).toContain(`CAT-1 is ${category.body.reference.id}`)
  const write = entry.trace.calls.find(({ kind }: { kind: string }) => kind === 'write')
  expect(write).toMatchObject({
    method: 'POST',
    status: 200,
    attempt: 1,
    requestHeaders: { authorization: '•••', 'content-type': 'application/json' },
  })
  expect([write.requestBody, write.responseBody].every((body: string) => body.includes('Green tea'))).toBe(true)
  expect(JSON.parse(entry.trace.response)).toEqual(reply.body)
  expect(entry.nativeCalls).toBe(entry.trace.calls.length)
  expect(entry.totalMs).toBeGreaterThanOrEqual(write.startMs)
})

it('a successful read stores no body', async () => {
  const entry = await entryOf(await harness.call('GET', `${base}/customer?pageSize=2`))
  expect(entry).toMatchObject({ operation: 'list', entityType: 'customer', status: 200 })
  expect(entry.trace.calls.length).toBeGreaterThan(0)
  expect(entry.trace).not.toHaveProperty('response')
  for (const call of entry.trace.calls) expect([call.requestBody, call.responseBody]).toEqual([undefined, undefined])
})

it('a retried call has its reason, and a lost response has its recovery', async () => {
  harness.sandbox.fault('square', { kind: 'throttle', path: '/v2/customers', method: 'GET', times: 1 })
  const read = await entryOf(await harness.call('GET', `${base}/customer?pageSize=1`))
  expect(
    read.trace.calls.map(({ status, retry }: { status: number; retry?: string }) => [status, retry?.slice(0, 25)]),
  ).toEqual([
    [429, 'throttled by the platform'],
    [200, undefined],
  ])
  harness.sandbox.fault('square', { kind: 'reset_after', path: '/v2/customers', method: 'POST', times: 1 })
  const write = await entryOf(
    await harness.call('POST', `${base}/customer`, { externalId: 'C-LOST', name: 'Lost Response' }),
  )
  expect(write).toMatchObject({ status: 201, externalId: 'C-LOST' })
  expect(write.trace.calls.some(({ error }: { error?: string }) => error !== undefined)).toBe(true)
  expect(write.trace.stages.find(({ name }: { name: string }) => name === 'recovery')?.note).toMatch(
    /sent again under the same key|looked for/,
  )
})

it('requests are found by caller and by the text of their error, and exported as CSV', async () => {
  const failed = await harness.call('POST', `${base}/customer`, { externalId: '=1+1', name: 7 })
  const entry = await entryOf(failed)
  expect(JSON.parse(entry.trace.response)).toMatchObject({ code: 'validation_failed', requestId: entry.requestId })
  const found = async (query: string) =>
    (await harness.manage('GET', `/activity?limit=500&${query}`)).body.data.map(
      ({ requestId }: { requestId: string }) => requestId,
    )
  const text = encodeURIComponent(entry.trace.problem.errors[0].message.slice(2, 14).toUpperCase())
  expect(await found(`search=${text}`)).toContain(entry.requestId)
  expect(await found(`credentialId=${entry.credentialId}&status=validation_failed`)).toContain(entry.requestId)
  expect(await found('credentialId=another')).toEqual([])
  const { workspaceId } = (await harness.service.store.accounts.get('square-restaurant'))!
  const admin = { authorization: `Bearer ${harness.secrets[1]}` }
  const query = `format=csv&search=${encodeURIComponent('=1+1')}`
  const file = await fetch(`${harness.url}/manage/v1/workspaces/${workspaceId}/activity/export?${query}`, {
    headers: admin,
  })
  const [header, line, ...rest] = (await file.text()).split('\r\n')
  expect(header?.split(',').slice(0, 3)).toEqual(['at', 'requestId', 'credentialId'])
  expect(line).toContain(`,${entry.requestId},`)
  expect(line).toContain(`,create,customer,'=1+1,,422,validation_failed,`)
  expect(rest).toEqual([''])
})

it('all requests for a record are found by either id, and a replay is marked', async () => {
  const record = { externalId: 'C-TOUCH', name: 'Touched Often' }
  const made = await harness.call('POST', `${base}/customer`, record)
  for (const earlier of [made, await harness.call('GET', `${base}/customer/${made.body.reference.id}`)])
    await entryOf(earlier) // instances write at different times
  const last = await entryOf(await harness.call('POST', `${base}/customer`, record))
  expect(last.trace.replayed).toBe(true)
  const query = `accountId=square-restaurant&entityType=customer`
  const byNative = await harness.manage('GET', `/activity?${query}&record=${made.body.reference.id}`)
  expect(byNative.body.data.map(({ operation }: { operation: string }) => operation)).toEqual([
    'create',
    'get',
    'create',
  ])
  const byOwn = await harness.manage('GET', `/activity?${query}&record=C-TOUCH`)
  expect(byOwn.body.data.map(({ operation }: { operation: string }) => operation)).toEqual(['create', 'create'])
})

it('failures are found by class and by code, page by page', async () => {
  const other = '/unified/square-retail_pos' // no other test has failures there
  await entryOf(await harness.call('GET', `${other}/customer/NO-SUCH`))
  const refused = await entryOf(await harness.call('POST', `${other}/product`, { externalId: 'BAD' }))
  await entryOf(await harness.call('GET', `${other}/customer?pageSize=1`))
  expect(refused).toMatchObject({
    status: 422,
    errorCode: 'validation_failed',
    trace: { calls: [], problem: { code: 'validation_failed' } },
  })
  const codes = async (status: string) =>
    new Set(
      (await harness.manage('GET', `/activity?accountId=square-retail_pos&status=${status}`)).body.data.map(
        ({ errorCode }: { errorCode?: string }) => errorCode,
      ),
    )
  expect(await codes('4xx')).toEqual(new Set(['validation_failed', 'record_not_found']))
  expect(await codes('record_not_found')).toEqual(new Set(['record_not_found']))
  expect(await codes('ok')).toEqual(new Set([undefined]))
  expect((await harness.manage('GET', '/activity?status=sometimes')).body.code).toBe('invalid_parameter')
  const all = (await harness.manage('GET', '/activity')).body.data.map(
    ({ requestId }: { requestId: string }) => requestId,
  )
  const walked: string[] = []
  for (let after = ''; ; ) {
    const { body } = await harness.manage('GET', `/activity?limit=4${after && `&after=${after}`}`)
    walked.push(...body.data.map(({ requestId }: { requestId: string }) => requestId))
    if (!body.next) break
    after = body.next
  }
  expect(walked).toEqual(all)
  expect(all).toEqual(all.toSorted().toReversed())
  expect((await harness.manage('GET', `/activity?search=${all[3]}`)).body.data).toHaveLength(1)
})

it('a secret in the wrong part of a request is not stored: unknown parameters, a key instead of an id, fields with secrets', async () => {
  const secret = 'canary-8f2c61d09e'
  const key = `urk_abcdefgh.${'k'.repeat(43)}`
  const replies = [
    await harness.call('GET', `${base}/product?pageSize=2&access_token=${secret}`),
    await harness.call('GET', `${base}/product?name-alone&pageSize=2`),
    await harness.call('GET', `${base}/product?${key}`),
    await harness.call('GET', `/unified/${key}/product`),
    await harness.call('GET', `${base}/${key}`),
    await harness.call('GET', `${base}/product/${key}`),
    await harness.call('POST', `${base}/customer?token=${secret}`, {
      externalId: 'C-SECRET',
      name: 'Ada',
      password: secret,
    }),
  ]
  const entries = []
  for (const reply of replies) entries.push(await entryOf(reply))
  expect(entries.map(({ trace }) => trace.path.replace(base, ''))).toEqual([
    '/product?pageSize=2&…',
    '/product?pageSize=2&…',
    '/product?…',
    '/unified/urk_abcdefgh.•••/product',
    '/urk_abcdefgh.•••',
    '/product/urk_abcdefgh.•••',
    '/customer?…',
  ])
  expect(JSON.parse(entries.at(-1).trace.body)).toEqual({ externalId: 'C-SECRET', name: 'Ada', password: '•••' })
  const listed = JSON.stringify((await harness.manage('GET', '/activity?limit=500')).body)
  expect(JSON.stringify(entries) + listed).not.toMatch(/canary-8f2c61d09e|k{43}/)
})

it('a connection test is recorded with its caller', async () => {
  const entry = await entryOf(await harness.manage('POST', '/accounts/square-restaurant/test'))
  expect(entry).toMatchObject({ operation: 'test', accountId: 'square-restaurant', status: 200 })
})

it('the overview has a point for every step, and sums that agree with the list', async () => {
  await entryOf(await harness.call('GET', `${base}/customer/NO-SUCH`))
  const last = await entryOf(await harness.call('GET', `${base}/customer?pageSize=1`))
  const own = await entryOf(
    await harness.manage('GET', '/accounts/square-restaurant/explorer/product/records/no-such-product'),
  )
  expect(own.status).toBe(404)
  const { body, status } = await harness.manage(
    'GET',
    `/overview?since=${new Date(Date.now() - 3_600_000).toISOString()}&step=1`,
  )
  expect(status, JSON.stringify(body)).toBe(200)
  const { data } = (await harness.manage('GET', '/activity?limit=500')).body
  const callers = data.filter(
    ({ operation }: { operation: string }) => !/^(test|connect|exploreRecord)$/.test(operation),
  )
  const sum = (series: number[]) => series.reduce((left, right) => left + right, 0)
  expect(body.at.length).toBeGreaterThanOrEqual(60)
  // Requests of the management API are not counted; their calls are.
  expect(data.length).toBeGreaterThan(callers.length)
  expect(sum(body.requests)).toBe(callers.length)
  const since = new Date(Date.now() + 60_000).toISOString()
  const until = new Date(Date.now() + 3_600_000 + 60_000).toISOString()
  const next = (await harness.manage('GET', `/overview?since=${since}&until=${until}&step=1`)).body
  expect(sum(next.requests)).toBe(0)
  expect(next.before).toMatchObject({ requests: callers.length, refused: sum(body.refused), failed: sum(body.failed) })
  expect(sum(body.refused)).toBe(
    callers.filter((entry: { status: number }) => entry.status >= 400 && entry.status < 500).length,
  )
  const square = body.platforms.find(({ platform }: { platform: string }) => platform === 'square')
  expect(sum(square.nativeCalls)).toBe(sum(data.map(({ nativeCalls }: { nativeCalls: number }) => nativeCalls)))
  expect(Math.max(...square.utilization)).toBeGreaterThan(0)
  expect(body.accounts.reduce((all: number, { accounts }: { accounts: number }) => all + accounts, 0)).toBe(
    harness.tenants.length,
  )
  expect(body.recentFailures.length).toBeGreaterThan(0)
  expect(body.recentFailures).not.toContainEqual(expect.objectContaining({ requestId: own.requestId }))
  expect(body.total).toMatchObject({ requests: callers.length, failed: sum(body.failed) })

  const usage = (await harness.manage('GET', '/accounts/square-restaurant/usage')).body
  expect(usage.days).toHaveLength(30)
  const ofAccount = callers.filter(({ accountId }: { accountId: string }) => accountId === 'square-restaurant')
  expect(sum(usage.days.map(({ requests }: { requests: number }) => requests))).toBe(ofAccount.length)
  expect(usage.lastRequest).toMatchObject({ requestId: last.requestId })
  expect(usage.lastError.status).toBeGreaterThanOrEqual(400)
  expect(usage.lastError.requestId).not.toBe(own.requestId)
})

it('another workspace does not see it', async () => {
  const entry = await entryOf(await harness.call('GET', `${base}/customer?pageSize=1`))
  expect(await harness.service.store.activity.get('another', entry.requestId)).toBeUndefined()
})

describe.each(chooseCases(Object.keys(connectors), { oneIn: 2, group: () => 'activity' }))('%s', (platform) => {
  it('the activity of reads, writes, failures and renewals contains no secret of an account', async () => {
    const own = await createHarness({ connectors, simulators, platform })
    try {
      for (const { vertical } of own.tenants) {
        const path = `/unified/${own.accountId(vertical)}`
        const { entities } = (await own.call('GET', path)).body as { entities: Record<string, { write: boolean }> }
        const [first, writable] = [
          Object.keys(entities)[0] as string,
          Object.keys(entities).find((type) => entities[type]?.write),
        ]
        await own.call('GET', `${path}/${first}?pageSize=1`)
        own.sandbox.fault(platform, { kind: 'expired_token', times: 1 })
        await own.call('GET', `${path}/${first}?pageSize=1`)
        own.sandbox.fault(platform, { kind: 'forbidden', times: 1 })
        await own.call('GET', `${path}/${first}?pageSize=1`)
        own.sandbox.clearFaults(platform)
        if (writable) {
          const { examples } = (await (await fetch(`${own.url}/schemas/${vertical}/${writable}.json`)).json()) as {
            examples: unknown[]
          }
          await own.call('POST', `${path}/${writable}`, examples[0])
        }
        await entryOf(await own.call('GET', `${path}/${first}?pageSize=1`), own)
      }
      const all = async () => (await own.manage('GET', '/activity?limit=500')).body.data
      await expect.poll(async () => (await all()).length).toBeGreaterThanOrEqual(own.tenants.length * 4) // instances write at different times
      const data = await all()
      const accounts = await Promise.all(
        own.tenants.map(({ vertical }) => own.service.store.accounts.get(own.accountId(vertical))),
      )
      const renewed = accounts.flatMap((account) =>
        ['accessToken', 'refreshToken'].flatMap((name) => account?.credentials[name] ?? []),
      )
      const recorded = JSON.stringify(
        await Promise.all(
          data.map(
            async ({ requestId }: { requestId: string }) => (await own.manage('GET', `/activity/${requestId}`)).body,
          ),
        ),
      )
      for (const secret of [...own.secrets, ...renewed])
        expect(recorded.includes(secret), `a secret of ${secret.length} characters is in the activity`).toBe(false)
    } finally {
      await own.close()
    }
  })
})
