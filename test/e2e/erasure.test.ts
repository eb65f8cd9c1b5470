// One person is erased from everything that the service has stored of an account, and no write is made twice.
import { describe, expect, it } from 'vitest'
import type { AnyRecord } from '../../src/conformance/subject.ts'
import { base as endpoints, webhookWorld } from '../deliveries/world.ts'
import { storeKindsFor } from '../store-on.ts'

describe.each(storeKindsFor('e2e/erasure'))('an erasure on %s', (kind) => {
  const world = webhookWorld(kind)
  const call = (method: string, path: string, body?: object) =>
    world.watched.call(method, `/unified/${world.accountId}${path}`, body)
  const manage = (method: string, path: string, body?: object) => world.watched.manage(method, path, body)
  const erasures = () => `/accounts/${world.accountId}/erasures`
  async function erase(id: string, more: object = {}): Promise<AnyRecord> {
    const begun = await manage('POST', erasures(), { entityType: 'customer', id, ...more })
    expect(begun.status, JSON.stringify(begun.body)).toBe(202)
    return world.watched.until('the erasure', async () => {
      const { body } = await manage('GET', `${erasures()}/${begun.body.id}`)
      return body.state === 'done' && body
    })
  }
  const logged = async (id: string) => (await world.watched.log('restaurant')).filter(({ nativeId }) => nativeId === id)
  const changes = (id: string, count: number) =>
    world.watched.until(`${count} changes`, async () => {
      const found = await logged(id)
      return found.length === count && found
    })
  const ada = { externalId: 'ADA', name: 'Ada Quillfeather', email: 'ada@quillfeather.example' }
  const bob = { externalId: 'BOB', name: 'Bob Tanglewood' }
  const order = {
    externalId: 'ADA-ORDER',
    customerExternalId: 'ADA',
    note: 'For Quillfeather',
    lineItems: [{ name: 'Tea', quantity: 1, unitPrice: 3 }],
  }
  /** Everything that can be read of what is stored. */
  async function stored(endpoint: string): Promise<string> {
    await manage('GET', '/activity')
    const { data: requests } = (await manage('GET', `/activity?accountId=${world.accountId}&limit=500`)).body
    const { data: deliveries } = (await manage('GET', `${endpoints}/${endpoint}/deliveries?limit=500`)).body
    const parts = await Promise.all([
      ...requests.map(async ({ requestId }: AnyRecord) => (await manage('GET', `/activity/${requestId}`)).body),
      ...deliveries.map(
        async ({ id }: AnyRecord) => (await manage('GET', `${endpoints}/${endpoint}/deliveries/${id}`)).body,
      ),
      world.watched.log('restaurant'),
      manage('GET', '/audit?limit=500'),
    ])
    return JSON.stringify(parts)
  }

  it('removes content and keeps what prevents a second write', async () => {
    const endpoint = await world.create()
    const id = await world.write(ada)
    const other = await world.write(bob)
    const [{ externalId: locationExternalId }] = (await call('GET', '/location')).body.data
    const ordered = await call('POST', '/order', { ...order, locationExternalId })
    expect(ordered.status, JSON.stringify(ordered.body)).toBe(201)
    // The name that the customer has: a poll finds no change.
    const body = { family_name: 'Quillfeather' }
    const native = { method: 'PUT', path: `/v2/customers/${id}`, body, externalId: 'N1' }
    expect((await call('POST', '/native', native)).body.status).toBe(200)
    await Promise.all([changes(id, 1), changes(other, 1)])
    await world.watched.until('both events', async () => world.receiver.received.length >= 2)
    await expect.poll(() => stored(endpoint)).toMatch(/"nativeId":"[^"]*".*Quillfeather/)

    const own = await manage('POST', erasures(), { entityType: 'customer', id: 'ADA', plan: true })
    const message = `ADA is your id of ${id}. Use the platform id.`
    expect(own).toMatchObject({ status: 422, body: { errors: [{ pointer: '/id', message }] } })
    const plan = await erase(id, { plan: true })
    const found = { writes: 3, changes: 1, deliveries: 1, hints: 0, migrationReports: 0, migrationRecords: 0 }
    expect(plan).toMatchObject({ plan: true, found, openWrites: 0, unsettled: 0 })
    expect(plan.found.activity).toBeGreaterThanOrEqual(3)
    expect((await call('POST', '/customer', ada)).body).toMatchObject({ data: { name: ada.name } })

    const report = await erase(id)
    expect(report).toMatchObject({ plan: false, found, notCovered: expect.any(Array) })
    const left = await stored(endpoint)
    expect(left).not.toContain('Quillfeather')
    expect(left).not.toContain('quillfeather')
    expect(left).toContain(bob.name)
    expect(JSON.stringify((await manage('GET', '/audit?action=erasePerson')).body)).not.toContain(id)

    world.watched.sandbox.clearCalls('square')
    const gone = { status: 410, body: { code: 'content_erased', reference: { externalId: 'ADA', id } } }
    expect(await call('POST', '/customer', ada)).toMatchObject(gone)
    expect((await call('POST', '/order', { ...order, locationExternalId })).body.code).toBe('content_erased')
    expect((await call('POST', '/native', native)).body.code).toBe('content_erased')
    const changed = await call('POST', '/customer', { ...ada, name: 'Somebody else' })
    expect(changed.body).toMatchObject({ code: 'idempotency_conflict', id })
    expect((await call('POST', '/customer', bob)).body.data).toMatchObject({ name: bob.name })
    // Polls of the feed search.
    const isWrite = ({ method, path }: { method: string; path: string }) =>
      method !== 'GET' && !path.endsWith('/search')
    expect(world.watched.sandbox.calls('square').filter(isWrite)).toEqual([])
  })

  it('keeps the person out of the log until its report is deleted, and waits for open writes', async () => {
    const id = await world.write({ externalId: 'EVE', name: 'Eve Marchbanks' })
    await changes(id, 1)
    const journal = world.watched.service.store.journal
    const key = { accountId: world.accountId, entityType: 'customer', externalId: id, operation: 'update' } as const
    const open = { ...key, writeId: 'W', contentHash: 'h', record: { record: {} }, startedAt: new Date().toISOString() }
    await journal.begin({ ...open, holder: 'test' }, 60_000)
    const refused = await manage('POST', erasures(), { entityType: 'customer', id })
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'resource_in_use', detail: expect.stringMatching(`"${id}".* the page Writes of`) },
    })
    expect(await erase(id, { plan: true })).toMatchObject({ openWrites: 1 })
    await journal.remove(key, 'test')

    const { id: erasureId } = await erase(id)
    const rename = (name: string) => call('PUT', `/customer/${id}`, { externalId: id, name })
    expect((await rename('Eve Second')).status).toBe(200)
    const [, second] = await changes(id, 2)
    expect(second).toMatchObject({ operation: 'updated', record: undefined, changed: undefined })
    expect((await manage('DELETE', `${erasures()}/${erasureId}`)).status).toBe(204)
    expect((await rename('Eve Third')).status).toBe(200)
    const [, , third] = await changes(id, 3)
    expect(third?.record).toMatchObject({ data: { name: 'Eve Third' } })
  })
})
