// The client against the real service in front of a simulator, in both forms of authentication.
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import {
  type AccountClient,
  type Client,
  createClient,
  type ProductInput,
  type ResponseInfo,
  type UnifiedError,
} from '../../packages/client/src/index.ts'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import { scopes } from '../../src/contract/scopes.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { collect } from './scripted-server.ts'

let harness: Harness
const clients = {} as Record<'A' | 'B', Client>
const accounts = {} as Record<'A' | 'B', AccountClient>
const observed: ResponseInfo[] = []
const id = 'square-restaurant'

beforeAll(async () => {
  harness = await createHarness({ connectors, simulators, platform: 'square' })
  const { key } = (await harness.manage('POST', '/api-keys', { name: 'client', scopes })).body
  const access = (await harness.manage('POST', '/access-ids', { name: 'client', scopes })).body
  const keys = (await harness.manage('GET', `/accounts/${id}/mapping-keys`)).body.data as {
    direction: 'read' | 'write'
    key: string
  }[]
  const mappingKeys = { [id]: Object.fromEntries(keys.map((entry) => [entry.direction, entry.key])) }
  clients.A = createClient({ url: harness.url, apiKey: key, onResponse: (info) => observed.push(info) })
  clients.B = createClient({ url: harness.url, accessId: access.id, accessSecret: access.secret, mappingKeys })
  for (const form of ['A', 'B'] as const) accounts[form] = clients[form].account(id)
})
afterAll(() => harness.close())

describe.each(['A', 'B'] as const)('in form %s', (form) => {
  const record: ProductInput = { externalId: `P-${form}`, name: 'Flat white', price: 4.5, currencyCode: 'USD' }

  it('every record is read once, page by page and one by one', async () => {
    const { product } = accounts[form]
    const pages = await collect(product.list({ pageSize: 3 }).pages())
    const records = await collect(product.list({ pageSize: 50 }))
    expect(pages.length).toBeGreaterThan(2)
    expect(pages.flatMap(({ data }) => data)).toEqual(records)
    expect(new Set(records.map(({ externalId }) => externalId)).size).toBe(records.length)
  })

  it('fields are selected, native values are included, and native calls are made', async () => {
    const { customer, native } = accounts[form]
    const pages = await collect(customer.list({ pageSize: 3, include: 'native', fields: ['name'] }).pages())
    expect(pages.length).toBeGreaterThan(1)
    for (const page of pages)
      for (const { externalId, ...rest } of page.data) {
        expect(Object.keys(rest)).toEqual(['name'])
        expect(page.native?.[externalId]?.responses[0]?.value).toMatchObject({ id: externalId })
      }
    const { externalId } = pages[0]!.data[0]!
    const single = await customer.get(externalId, { include: 'native', fields: ['email'] })
    expect(single.native?.[externalId]?.responses).toHaveLength(1)
    expectTypeOf(single.data.name).toEqualTypeOf<string | undefined>()
    expectTypeOf((await customer.get(externalId)).data.name).toEqualTypeOf<string>()
    const read = await native({ method: 'GET', path: `/v2/customers/${externalId}` })
    expect(read.body).toEqual({ customer: single.native?.[externalId]?.responses[0]?.value })
    const call = { method: 'POST', path: '/v2/customers', body: { given_name: form }, externalId: form } as const
    const written = await native(call)
    expect(written.status).toBe(200)
    expect(await native(call)).toEqual({ ...written, reference: { externalId: form, replayed: true } })
  })

  it('a record is planned, written, written again, found, read and replaced', async () => {
    const { product } = accounts[form]
    const plan = await product.create(record, { dryRun: true })
    expect([plan.dryRun, plan.steps.length > 0]).toEqual([true, true])
    expect((await product.findByExternalId(record.externalId)).data).toBeUndefined()
    const written = await product.create(record)
    expect(written.success).toBe(true)
    expect(written.reference).toEqual({ externalId: record.externalId, id: written.data.externalId, replayed: false })
    expect((await product.create(record)).reference.replayed).toBe(true)
    expect(await product.findByExternalId(record.externalId)).toMatchObject({
      data: written.data,
      reference: { outcome: 'done', id: written.reference.id },
    })
    const { data, etag } = await product.get(written.reference.id)
    expect(
      (await product.update(written.reference.id, { ...data, name: 'Cortado' }, { ifMatch: etag })).data.name,
    ).toBe('Cortado')
    await expect(product.update(written.reference.id, data, { ifMatch: etag })).rejects.toMatchObject({
      code: 'precondition_failed',
    })
  })

  it('a workspace is managed: accounts, connect links, watches and webhook endpoints', async () => {
    const { manage } = clients[form]
    const all = await collect(manage.accounts.list({ pageSize: 1 }))
    expect(all.map((account) => account.id)).toContain(id)
    expect((await manage.accounts.list({ search: 'nothing' })).data).toEqual([])
    expect(await manage.accounts.get(id)).toMatchObject({ id, platform: 'square', state: 'active' })
    expect((await manage.accounts.disable(id)).state).toBe('disabled')
    await expect(accounts[form].product.list()).rejects.toMatchObject({ code: 'account_disabled' })
    expect((await manage.accounts.enable(id)).state).toBe('active')

    const link = await manage.connectLinks.create({ platforms: ['square'], state: form })
    expect([link.url.startsWith('http'), link.signingSecret.length > 20]).toEqual([true, true])
    expect((await collect(manage.connectLinks.list())).map((one) => one.id)).toContain(link.id)
    expect(await manage.connectLinks.revoke(link.id)).toBeUndefined()
    expect(await manage.connectLinks.get(link.id)).toMatchObject({ state: form, status: 'revoked' })

    await manage.watches.watch(id, 'customer', { pollSeconds: 300 })
    expect(JSON.stringify(await manage.watches.list(id))).toContain('customer')
    await manage.watches.stop(id, 'customer')
    const endpoint = await manage.webhookEndpoints.create({ url: 'https://hooks.example.com/', events: ['*'] })
    expect(endpoint.secret).toMatch(/^whsec_/)
    expect((await manage.webhookEndpoints.update(endpoint.id, { events: ['product.*'] })).events).toEqual(['product.*'])
    await manage.webhookEndpoints.delete(endpoint.id)
    await expect(manage.webhookEndpoints.get(endpoint.id)).rejects.toMatchObject({ code: 'resource_not_found' })
  })

  it('the account lists what it supports', async () => {
    expect(await accounts[form].describe()).toMatchObject({
      accountId: id,
      vertical: 'restaurant',
      entities: { product: { read: true, write: true } },
    })
  })
})

it('errors include code, pointers, and request id', async () => {
  const { product } = accounts.A
  await expect(product.create({ externalId: 'BAD', name: '', price: 'high' } as never)).rejects.toMatchObject({
    code: 'validation_failed',
    status: 422,
    requestId: expect.stringMatching(/^req_/),
    errors: expect.arrayContaining([
      expect.objectContaining({ pointer: '/name' }),
      expect.objectContaining({ pointer: '/price' }),
    ]),
  })
  await expect(product.get('no such id/../x?y')).rejects.toMatchObject({ code: 'record_not_found' })
  await expect(accounts.A.entity('nothing').list()).rejects.toMatchObject({ code: 'unknown_entity' })
})

it('the observer gets the rate limit of the platform', async () => {
  observed.length = 0
  await accounts.A.product.list()
  const [seen] = observed
  expect(seen).toMatchObject({
    method: 'GET',
    status: 200,
    attempt: 1,
    waitedMs: expect.any(Number),
    requestId: expect.stringMatching(/^req_/),
  })
  expect(seen?.rateLimit?.limit).toBeGreaterThan(0)
})

it('references are read as the call says, and many records refer to source ids', async () => {
  const { product } = accounts.A
  const record = { externalId: 'R-1', name: 'Referring', price: 1, currencyCode: 'USD', categoryExternalId: 'NEVER' }
  await expect(product.create(record, { references: 'source' })).rejects.toMatchObject({ code: 'unknown_reference' })
  const { failed } = await product.createMany([record])
  expect(failed).toMatchObject([{ externalId: 'R-1', error: { code: 'unknown_reference' } }])
  const categoryExternalId = harness.tenants[0]?.records.category?.ids()[0] as string
  const { done } = await product.createMany([{ ...record, categoryExternalId }], { references: 'platform' })
  expect(done).toBe(1)
  const error = await product.get('R-1').catch((refused: UnifiedError) => refused)
  const { id } = (await product.findByExternalId('R-1')).reference ?? {}
  expect(error).toMatchObject({ code: 'record_not_found', reference: { externalId: 'R-1', id } })
  const { data } = await product.get(id as string)
  await expect(
    product.update(id as string, { ...data, categoryExternalId: 'NEVER' }, { references: 'source' }),
  ).rejects.toMatchObject({ code: 'unknown_reference' })
})

it('an interrupted run of many records is completed by running it again, without duplicates', async () => {
  const records = Array.from({ length: 12 }, (_, index) => ({
    externalId: `M-${index}`,
    name: index === 5 ? '' : `Made ${index}`,
    price: 1,
    currencyCode: 'USD',
  }))
  const count = () => harness.tenants[0]?.records.product?.ids().length as number
  const before = count()
  const abort = new AbortController()
  harness.sandbox.fault('square', { kind: 'reset_after', method: 'POST', times: 2 })
  await expect(
    accounts.A.product.createMany(records, {
      signal: abort.signal,
      onProgress: ({ index }) => index === 7 && abort.abort(),
    }),
  ).rejects.toThrow()
  const { done, replayed, failed } = await accounts.A.product.createMany(records)
  expect({ done, failed: failed.map(({ externalId, error }) => [externalId, (error as UnifiedError).code]) }).toEqual({
    done: 11,
    failed: [['M-5', 'validation_failed']],
  })
  expect(replayed).toBeGreaterThanOrEqual(7)
  expect(count() - before).toBe(11)
})

it('the support matrix requires no credential', async () => {
  const platforms = await createClient({ url: harness.url, apiKey: 'urk_none.none' }).platforms()
  expect(platforms.find(({ platform }) => platform === 'square')?.rateLimit[0]?.requests).toBeGreaterThan(0)
})
