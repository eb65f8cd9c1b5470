// Settings of the change feed through the management API, on both databases.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inOrder } from '../in-order.ts'
import { storeKindsFor } from '../store-on.ts'
import { createWatched, type Watched } from './watched.ts'

const vertical = 'retail_pos'
const account = `square-${vertical}`
const watches = `/accounts/${account}/watches`
const often = { pollSeconds: 30, walkHours: 168 }

// The settings of one account, as an operator changes them one after the other.
describe.each(storeKindsFor('changes/watches'))('watches on %s', inOrder, (kind) => {
  let watched: Watched
  beforeAll(async () => {
    watched = await createWatched(kind, { platform: 'square' })
  })
  afterAll(() => watched.close())
  const watchedNow = async (id = account) =>
    (await watched.service.store.changes.watches(id)).map(({ entityType }) => entityType).toSorted()

  it('are none by default', async () => {
    expect((await watched.manage('GET', '/watches')).body).toEqual({ entities: {}, keepRecords: true })
    const { body } = await watched.manage('GET', watches)
    expect(body.entities).toEqual({
      product: { watched: false },
      order: { watched: false },
      customer: { watched: false },
      location: { watched: false },
      payment: { watched: false },
      refund: { watched: false },
      tax_rate: { watched: false },
      payment_method: { watched: false },
    })
    expect(await watchedNow()).toEqual([])
  })
  it('follow the default of the workspace, in existing and new accounts', async () => {
    const value = { entities: { product: often, category: {} }, keepRecords: false }
    const set = await watched.manage('PUT', '/watches', value)
    expect([set.status, set.body]).toEqual([200, value])
    expect((await watched.manage('GET', '/watches')).body).toEqual(value)
    // Square has categories in the other vertical only.
    expect(await watchedNow()).toEqual(['product'])
    expect(await watchedNow('square-restaurant')).toContain('category')
    const { credentials, settings } = watched.tenants.find((tenant) => tenant.vertical === vertical) ?? {}
    const created = await watched.manage('POST', '/accounts', {
      id: `new-${kind}`,
      platform: 'square',
      vertical,
      credentials,
      settings,
    })
    expect(created.status, JSON.stringify(created.body)).toBe(201)
    expect(await watchedNow(`new-${kind}`)).toEqual(['product'])
    await watched.walked(vertical, 'product')
    const { body } = await watched.manage('GET', watches)
    expect(body.entities.product).toMatchObject({
      watched: true,
      setBy: 'workspace',
      ...often,
      status: { phase: 'ready', mode: 'poll', records: expect.any(Number) },
    })
  })
  it('can be changed for one account, and go back to the default', async () => {
    const set = await watched.manage('PUT', `${watches}/customer`, { pollSeconds: 60 })
    expect(set.status, JSON.stringify(set.body)).toBe(200)
    expect(set.body).toMatchObject({
      watched: true,
      setBy: 'account',
      pollSeconds: 60,
      own: { pollSeconds: 60 },
      status: { phase: expect.any(String) },
    })
    expect(await watchedNow()).toEqual(['customer', 'product'])
    expect((await watched.manage('DELETE', `${watches}/product`)).status).toBe(204)
    expect(await watchedNow()).toEqual(['customer'])
    expect((await watched.manage('GET', watches)).body.entities.product).toEqual({ watched: false, setBy: 'account' })
    expect((await watched.manage('DELETE', `${watches}/product?reset=true`)).status).toBe(204)
    expect(await watchedNow()).toEqual(['customer', 'product'])
    expect((await watched.manage('DELETE', `${watches}/customer?reset=true`)).status).toBe(204)
    expect(await watchedNow()).toEqual(['product'])
  })
  it('start a walk on request', async () => {
    const before = await watched.walked(vertical, 'product')
    const started = await watched.manage('POST', `${watches}/product/walk`)
    expect([started.status, started.body.watched]).toEqual([202, true])
    expect(started.body.status.records).toBeGreaterThan(0)
    expect(JSON.stringify(started.body)).not.toContain('1970-')
    await watched.until('a second walk', async () => {
      const { body } = await watched.manage('GET', watches)
      const end = body.entities.product.status?.lastWalk?.endedAt
      return end !== undefined && Date.parse(end) > (before.state.lastWalk?.end ?? 0)
    })
    const refused = await watched.manage('POST', `${watches}/order/walk`)
    expect([refused.status, refused.body.code]).toEqual([409, 'not_watched'])
  })
  it('list the latest changes for operators, newest first, and wait for the next one', async () => {
    const latest = `/accounts/${account}/changes`
    const { records } = watched.tenants.find((tenant) => tenant.vertical === vertical)!
    const products = records.product!
    await watched.manage('PUT', '/watches', { entities: { product: often } })
    // Records are kept again from the next turn of the worker on.
    const added: string[] = []
    await watched.until('a change with its record', async () => {
      const { data } = (await watched.manage('GET', latest)).body
      if (data[0]?.record !== undefined) return true
      if (data.length >= added.length) added.push(...products.add(3))
      return false
    })
    const isWhole = async () => (await watched.manage('GET', latest)).body.data.length >= added.length
    await watched.until('all changes', isWhole)
    const all = await watched.manage('GET', latest)
    const sequences: number[] = all.body.data.map(({ sequence }: { sequence: number }) => sequence)
    expect(sequences).toEqual(sequences.toSorted((left, right) => right - left))
    expect(all.body.next).toBeUndefined()
    const [newest] = all.body.data
    expect(newest).toMatchObject({ operation: 'created', entityType: 'product', origin: 'poll' })
    expect(added).toContain(newest.externalId)
    expect(newest.record.externalId).toBe(newest.externalId)
    const first = await watched.manage('GET', `${latest}?limit=1`)
    expect(first.body).toEqual({ data: [newest], next: String(newest.sequence) })
    const second = await watched.manage('GET', `${latest}?limit=500&after=${first.body.next}`)
    expect(second.body).toEqual({ data: all.body.data.slice(1) })
    expect((await watched.manage('GET', `${latest}?entityType=customer`)).body).toEqual({ data: [] })

    const { workspaceId } = await watched.accountOf(vertical)
    const follow = async (since: number, wait: number) => {
      const response = await fetch(`${watched.url}/manage/v1/workspaces/${workspaceId}${latest}?since=${since}`, {
        headers: { authorization: `Bearer ${watched.secrets[1]}`, prefer: `wait=${wait}` },
      })
      const { data, detail } = (await response.json()) as { data?: { externalId: string }[]; detail?: string }
      return [response.status, response.headers.get('preference-applied') ?? detail, data?.map((one) => one.externalId)]
    }
    const waiting = follow(newest.sequence, 60)
    const [id = ''] = products.add(1)
    expect(await waiting).toEqual([200, 'wait=60', [id]])
    expect(await follow(newest.sequence + 1, 0)).toEqual([200, 'wait=0', []])
    expect(await follow(newest.sequence, 61)).toEqual([400, expect.stringContaining('at most wait=60'), undefined])
    for (const [query, code] of [
      ['since=-1', 'invalid_parameter'],
      ['after=x', 'invalid_parameter'],
      ['limit=0', 'invalid_parameter'],
      ['cursor=x', 'unknown_parameter'],
      ['entityType=prodcut', 'unknown_entity'],
      ['entityType=time_entry', 'entity_not_offered'],
    ]) {
      const refused = await watched.manage('GET', `${latest}?${query}`)
      expect(refused.body.code, query).toBe(code)
    }
  })
  it('show the error of a read and when it is tried again', async () => {
    watched.sandbox.fault('square', { kind: 'unavailable', path: 'catalog' })
    await watched.manage('POST', `${watches}/product/walk`)
    const shown = await watched.until('an error', async () => {
      const { status } = (await watched.manage('GET', watches)).body.entities.product
      return status.lastError && status
    })
    expect(shown.lastError).toMatchObject({ code: 'downstream_error', detail: expect.any(String) })
    expect(Date.parse(shown.retryAt)).toBeGreaterThan(Date.parse(shown.lastError.at))
    watched.sandbox.clearFaults('square')
    await watched.until('no error', async () => {
      const { status } = (await watched.manage('GET', watches)).body.entities.product
      return !status.lastError && !status.retryAt
    })
  })
  it('refuse values that cannot work, and change nothing', async () => {
    const before = [(await watched.manage('GET', '/watches')).body, await watchedNow()]
    for (const [body, pointer] of [
      [{ pollSeconds: 29 }, '/pollSeconds'],
      [{ pollSeconds: 86_401 }, '/pollSeconds'],
      [{ walkHours: 0 }, '/walkHours'],
      [{ walkHours: 169 }, '/walkHours'],
      [{ walkHours: 1.5 }, '/walkHours'],
      [{ interval: 5 }, '/interval'],
    ] as const) {
      const refused = await watched.manage('PUT', `${watches}/order`, body)
      expect([refused.status, refused.body.errors?.[0]?.pointer], JSON.stringify(body)).toEqual([422, pointer])
      const general = await watched.manage('PUT', '/watches', { entities: { order: body } })
      expect([general.status, general.body.errors?.[0]?.pointer]).toEqual([422, `/entities/order${pointer}`])
    }
    const unknown = await watched.manage('PUT', '/watches', { entities: { prodcut: {} } })
    expect([unknown.status, unknown.body.errors[0].pointer]).toEqual([422, '/entities/prodcut'])
    expect(unknown.body.errors[0].message).toMatch(/did you mean "product"\? Use product, order,/)
    const missing = await watched.manage('PUT', '/watches', {})
    expect([missing.status, missing.body.errors[0].pointer]).toEqual([422, '/entities'])
    for (const [name, code] of [
      ['prodcut', 'unknown_entity'],
      ['time_entry', 'entity_not_offered'],
    ] as const)
      for (const [method, path] of [
        ['PUT', `${watches}/${name}`],
        ['DELETE', `${watches}/${name}`],
        ['POST', `${watches}/${name}/walk`],
      ] as const) {
        const refused = await watched.manage(method, path, method === 'PUT' ? {} : undefined)
        expect([refused.status, refused.body.code], `${method} ${path}`).toEqual([404, code])
      }
    const nowhere = await watched.manage('PUT', '/accounts/missing/watches/product', {})
    expect([nowhere.status, nowhere.body.code]).toEqual([404, 'resource_not_found'])
    expect([(await watched.manage('GET', '/watches')).body, await watchedNow()]).toEqual(before)
  })
  it('are in the audit log', async () => {
    const { workspaceId } = await watched.accountOf(vertical)
    const response = await fetch(`${watched.url}/manage/v1/audit?limit=200&scope=${workspaceId}`, {
      headers: { authorization: `Bearer ${watched.secrets[1]}` },
    })
    const { data } = (await response.json()) as { data: { action: string; outcome: string }[] }
    const actions = new Set(data.filter(({ outcome }) => outcome === 'ok').map(({ action }) => action))
    expect([...actions]).toEqual(expect.arrayContaining(['setWorkspaceWatches', 'setWatch', 'stopWatch', 'startWalk']))
  })
  it('pause with the account and go on when it is enabled', async () => {
    await watched.manage('POST', `/accounts/${account}/disable`)
    const paused = await watched.manage('GET', watches)
    expect(paused.body.entities.product.status.paused).toContain('disabled')
    const feed = await watched.call('GET', `/unified/${account}/changes`)
    expect(feed.status, JSON.stringify(feed.body)).toBe(200) // what is in the log stays readable
    await watched.manage('POST', `/accounts/${account}/enable`)
    const { body } = await watched.manage('GET', watches)
    expect(body.entities.product.status.paused).toBeUndefined()
  })
  it('end in all accounts when the default is removed', async () => {
    expect((await watched.manage('PUT', '/watches', { entities: {} })).status).toBe(200)
    for (const id of [account, 'square-restaurant', `new-${kind}`]) expect(await watchedNow(id)).toEqual([])
    const feed = await watched.call('GET', `/unified/${account}/changes`)
    expect([feed.status, feed.body.code]).toEqual([409, 'not_watched'])
  })
})
