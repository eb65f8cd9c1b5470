// Default mappings: what a request uses that names no mapping, in both address forms.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { freshDatabase } from '../postgres.ts'

const formB = '/api/1.0/standalone-link-engine-service'
const restaurant = 'square-restaurant'
const retail = 'square-retail_pos'
const base = `/unified/${restaurant}`

const kinds = [
  ['SQLite', 'sqlite'],
  ['two instances on PostgreSQL, which take turns', 'postgres'],
] as const
describe.each(kinds)('with %s', (_, kind) => {
  let harness: Harness
  let token: string
  beforeAll(async () => {
    const databaseUrl =
      kind === 'postgres' ? await freshDatabase(inject('postgresUrl'), inject('postgresTemplate')) : undefined
    const place = databaseUrl ? { databaseUrl, instances: 2 } : { ownDisk: true }
    harness = await createHarness({ connectors, simulators, platform: 'square', ...place })
    const { id, secret } = (await harness.manage('POST', '/access-ids', { name: 'form B' })).body
    const form = new URLSearchParams({ client_id: id, client_secret: secret, grant_type: 'client_credentials' })
    const issued = await fetch(`${harness.url}${formB}/oauth/server/access-token`, { method: 'POST', body: form })
    token = ((await issued.json()) as { access_token: string }).access_token
  })
  afterAll(() => harness.close())

  type Rules = Record<string, unknown>
  interface Place {
    account?: string
    platform?: string
  }
  const under = ({ account }: Place) => (account ? `/accounts/${account}` : '')
  const suffix = ({ platform }: Place) => (platform ? `?platform=${platform}` : '')
  async function create(place: Place, rules: Rules, direction = 'read', entityType = 'product'): Promise<string> {
    const body = { entityType, direction, name: `${direction} ${entityType}`, rules, platform: place.platform }
    const created = await harness.manage('POST', `${under(place)}/mappings`, body)
    expect(created.status, JSON.stringify(created.body)).toBe(201)
    return created.body.id
  }
  const set = (place: Place, mappingId: string, direction = 'read', entityType = 'product') =>
    harness.manage('PUT', `${under(place)}/mapping-defaults/${entityType}/${direction}${suffix(place)}`, { mappingId })
  const clear = (place: Place, direction = 'read', entityType = 'product') =>
    harness.manage('DELETE', `${under(place)}/mapping-defaults/${entityType}/${direction}${suffix(place)}`)
  const described = async (account = restaurant) =>
    (await harness.call('GET', `/unified/${account}/product?pageSize=1`)).body.data[0].description
  async function withKey(path: string, direction: 'read' | 'write', body?: unknown) {
    const keys = (await harness.manage('GET', `/accounts/${restaurant}/mapping-keys`)).body.data as {
      key: string
      direction: string
      isDefault: boolean
    }[]
    const { key } = keys.find((each) => each.isDefault && each.direction === direction) as { key: string }
    const response = await fetch(`${harness.url}${formB}${path}${path.includes('?') ? '&' : '?'}mappingKey=${key}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      body: JSON.stringify(body),
    })
    // biome-ignore lint/suspicious/noExplicitAny: a response of any type
    return { status: response.status, body: (await response.json()) as any }
  }
  const says = (text: string): Rules => ({ '/description': { value: text } })

  it('a mapping that several requests create at once with unique=true exists once', async () => {
    const body = { entityType: 'product', direction: 'read', name: 'once', rules: says('once') }
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => harness.manage('POST', '/mappings?unique=true', body)),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
    expect(responses.find(({ status }) => status === 409)?.body.code).toBe('already_exists')
    const other = await harness.manage('POST', '/mappings?unique=true', { ...body, platform: 'square' })
    expect(other.status).toBe(201)
  })

  it('the default of the account comes before that of its platform, its workspace and the built-in mapping', async () => {
    const builtIn = await described()
    const workspace = await create({}, says('workspace'))
    const platform = await create({ platform: 'square' }, says('platform'))
    const account = await create({ account: restaurant }, says('account'))
    await set({}, workspace)
    expect([await described(), await described(retail)]).toEqual(['workspace', 'workspace'])
    await set({ platform: 'square' }, platform)
    expect([await described(), await described(retail)]).toEqual(['platform', 'platform'])
    expect((await set({ account: restaurant }, account)).body).toEqual({
      entityType: 'product',
      direction: 'read',
      setBy: 'account',
      mappingId: account,
      name: 'read product',
      version: 1,
      scope: 'account',
    })
    expect([await described(), await described(retail)]).toEqual(['account', 'platform'])
    expect((await withKey(`${base}/product?pageSize=1`, 'read')).body.data[0].description).toBe('account')
    const explored = await harness.manage('GET', `/accounts/${restaurant}/explorer/product/records?pageSize=1`)
    expect(explored.body.data[0].record.description).toBe('account')

    await set({ account: restaurant }, workspace) // an inherited mapping, chosen by the account
    expect(await described()).toBe('workspace')
    await set({ account: restaurant }, 'built-in')
    expect(await described()).toBe(builtIn)
    const effective = (await harness.manage('GET', `/accounts/${restaurant}/mapping-defaults`)).body.data
    expect(effective).toContainEqual({ entityType: 'product', direction: 'read', setBy: 'account' })
    expect(effective).toContainEqual({ entityType: 'order', direction: 'write', setBy: 'none' })
    expect((await harness.manage('GET', `/accounts/${retail}/mapping-defaults`)).body.data).toContainEqual({
      entityType: 'product',
      direction: 'read',
      setBy: 'platform',
      platform: 'square',
      mappingId: platform,
      name: 'read product',
      version: 1,
      scope: 'platform',
    })
    expect((await harness.manage('GET', '/mapping-defaults')).body.data).toHaveLength(2)
    expect((await clear({ account: restaurant })).status).toBe(204)
    expect((await clear({ account: restaurant })).body.code).toBe('resource_not_found')
    expect(await described()).toBe('platform')
    for (const place of [{}, { platform: 'square' }]) await clear(place)
    expect(await described()).toBe(builtIn)
  })

  it('a walk ends with the mapping that it began with', async () => {
    const place = { account: restaurant }
    const page = async (cursor?: string, path = base) => {
      const { status, body } = await harness.call(
        'GET',
        `${path}/product?${cursor ? `cursor=${cursor}` : 'pageSize=1'}`,
      )
      return { status, code: body.code, text: body.data?.[0]?.description, cursor: body.pagination?.cursor }
    }
    const builtIn = await page()
    const first = await create(place, says('first'))
    await set(place, first)
    expect((await page(builtIn.cursor)).text).not.toBe('first')
    const begun = await page()
    await harness.manage('PUT', `/accounts/${restaurant}/mappings/${first}`, { rules: says('first, changed') })
    const second = await page(begun.cursor)
    await set(place, await create(place, says('second')))
    const third = await page(second.cursor)
    await clear(place)
    const fourth = await page(third.cursor)
    expect([begun, second, third, fourth].map(({ text }) => text)).toEqual(['first', 'first', 'first', 'first'])
    expect((await page()).text).not.toBe('first')
    const explored = await harness.manage(
      'GET',
      `/accounts/${restaurant}/explorer/product/records?cursor=${begun.cursor}`,
    )
    expect(explored.body.data[0].record.description).toBe('first')
    await harness.manage('DELETE', `/accounts/${restaurant}/mappings/${first}`)
    expect(await page(fourth.cursor)).toMatchObject({ status: 400, code: 'invalid_cursor' })
  })

  it('a write goes through the default write mapping and responds with what a read returns', async () => {
    const place = { account: restaurant }
    await set(place, await create(place, { '/sku': { lookup: { old: 'NEW-1' } } }, 'write'), 'write')
    await set(place, await create(place, says('seen through the default')))
    const record = { externalId: 'default-1', name: 'Cortado', price: 4, currencyCode: 'USD', sku: 'old' }
    const written = await harness.call('POST', `${base}/product`, record)
    expect([written.status, written.body.data?.sku, written.body.data?.description]).toEqual([
      201,
      'NEW-1',
      'seen through the default',
    ])
    const read = await harness.call('GET', `${base}/product/${written.body.reference.id}`)
    expect(read.body.data).toEqual(written.body.data)
    const put = await harness.call('PUT', `${base}/product/${written.body.reference.id}`, { ...record, sku: 'old' })
    expect([put.body.data?.sku, put.body.data?.description]).toEqual(['NEW-1', 'seen through the default'])
    const byKey = await withKey(`${base}/product`, 'write', { ...record, externalId: 'default-2' })
    expect([byKey.status, byKey.body.data?.sku]).toEqual([201, 'NEW-1'])
    await clear(place, 'write')
    await clear(place)
  })

  it('a record that is put back as a default read mapping shows it changes nothing', async () => {
    const path = `/unified/${restaurant}/product`
    const { externalId } = (await harness.call('GET', `${path}?pageSize=1`)).body.data[0]
    const before = (await harness.call('GET', `${path}/${externalId}`)).body.data
    await set({ account: restaurant }, await create({ account: restaurant }, says('Fresh today')))
    const shown = (await harness.call('GET', `${path}/${externalId}`)).body.data
    expect(shown.description).toBe('Fresh today')
    expect((await harness.call('PUT', `${path}/${externalId}`, shown)).status).toBe(200)
    expect((await harness.call('PUT', `${path}/${externalId}`, { ...shown, name: 'Renamed' })).status).toBe(200)
    await clear({ account: restaurant })
    expect((await harness.call('GET', `${path}/${externalId}`)).body.data).toEqual({ ...before, name: 'Renamed' })
    await set({ account: restaurant }, await create({ account: restaurant }, says('Fresh today')))
    const own = { ...shown, name: 'Renamed', description: 'Of our own' }
    expect((await harness.call('PUT', `${path}/${externalId}`, own)).status).toBe(200)
    await clear({ account: restaurant })
    expect((await harness.call('GET', `${path}/${externalId}`)).body.data.description).toBe('Of our own')
  })

  it('a replay returns the stored response after the default was changed or removed', async () => {
    const place = { account: restaurant }
    await set(place, await create(place, { '/name': { from: '/sku' } }, 'write'), 'write')
    const record = { externalId: 'replayed-1', sku: 'NAMED-BY-SKU', price: 4, currencyCode: 'USD' }
    const written = await harness.call('POST', `${base}/product`, record)
    expect([written.status, written.body.data?.name]).toEqual([201, 'NAMED-BY-SKU'])
    const replay = async () => {
      const { status, body } = await harness.call('POST', `${base}/product`, record)
      return [status, body.data, body.reference?.replayed]
    }
    await set(place, await create(place, { '/name': { value: 'Other' } }, 'write'), 'write')
    expect(await replay()).toEqual([200, written.body.data, true])
    await clear(place, 'write')
    // Without the mapping the body has no name: as a new record it would be refused.
    expect(await replay()).toEqual([200, written.body.data, true])
    const fresh = await harness.call('POST', `${base}/product`, { ...record, externalId: 'replayed-2' })
    expect([fresh.status, fresh.body.errors?.[0]?.pointer]).toEqual([422, '/name'])
    const other = await harness.call('POST', `${base}/product`, { ...record, name: 'Given', sku: 'OTHER' })
    expect(other.body.code).toBe('idempotency_conflict')
  })

  it('a default mapping cannot be deleted, and the error says where it is the default', async () => {
    const mapping = await create({}, says('in use'))
    await set({ account: retail }, mapping)
    const refused = await harness.manage('DELETE', `/mappings/${mapping}`)
    expect([refused.status, refused.body.code]).toEqual([409, 'resource_in_use'])
    expect(refused.body.detail).toContain(`account ${retail} (read product)`)
    expect(await described(retail)).toBe('in use')
    await clear({ account: retail })
    expect((await harness.manage('DELETE', `/mappings/${mapping}`)).status).toBe(204)
  })

  it('rules of a shared mapping apply where a field exists, and cannot read native records of every platform', async () => {
    const ofPlatform = await create({ platform: 'square' }, { '/vendor': { value: 'House' }, ...says('both') })
    await set({ platform: 'square' }, ofPlatform)
    const first = async (account: string) =>
      (await harness.call('GET', `/unified/${account}/product?pageSize=1`)).body.data[0]
    expect(await first(retail)).toMatchObject({ vendor: 'House', description: 'both' })
    const plain = await first(restaurant)
    expect([plain.description, plain.vendor]).toEqual(['both', undefined])
    await clear({ platform: 'square' })

    const refused = async (body: object) => {
      const reply = await harness.manage('POST', '/mappings', { direction: 'read', name: 'x', ...body })
      return [reply.status, reply.body.errors?.[0]?.pointer]
    }
    const fromNative = { '/name': { from: '/title' } }
    expect(await refused({ entityType: 'product', rules: fromNative })).toEqual([422, '/rules/~1name/from'])
    expect(await refused({ entityType: 'product', rules: {}, platform: 'abacus' })).toEqual([422, '/platform'])
    expect(await refused({ entityType: 'product', rules: { '/startAt': { value: 'x' } } })).toEqual([
      422,
      '/rules/~1startAt',
    ])
  })

  it('a default names only a mapping that its owner has or inherits, of the same entity and direction', async () => {
    const ofAccount = await create({ account: restaurant }, says('mine'))
    const ofSquare = await create({ platform: 'square' }, says('square'))
    const answer = async (place: Place, id: string, direction = 'read', entityType = 'product') => {
      const { status, body } = await set(place, id, direction, entityType)
      return [status, body.code]
    }
    for (const place of [{ account: retail }, { platform: 'square' }, {}])
      expect(await answer(place, ofAccount)).toEqual([404, 'resource_not_found'])
    expect(await answer({}, ofSquare)).toEqual([404, 'resource_not_found'])
    expect(await answer({ platform: 'clover' }, ofSquare)).toEqual([404, 'resource_not_found'])
    expect(await answer({ account: restaurant }, ofAccount, 'write')).toEqual([422, 'validation_failed'])
    expect(await answer({ account: restaurant }, ofAccount, 'read', 'customer')).toEqual([422, 'validation_failed'])
    expect(await answer({ account: restaurant }, ofAccount, 'sideways')).toEqual([404, 'resource_not_found'])
    expect(await answer({ account: restaurant }, ofAccount, 'read', 'spaceship')).toEqual([404, 'unknown_entity'])
  })

  it('changes are in the audit log with the mapping', async () => {
    const mapping = await create({ account: restaurant }, says('audited'))
    await set({ account: restaurant }, mapping)
    await clear({ account: restaurant })
    const { workspaceId } = (await harness.manage('GET', `/accounts/${restaurant}`)).body
    const entries = []
    for await (const entry of harness.service.store.audit.walk(workspaceId)) entries.push(entry)
    expect(entries.slice(-2).map(({ action, object, outcome }) => ({ action, object, outcome }))).toEqual([
      {
        action: 'setMappingDefault',
        object: { accountId: restaurant, entityType: 'product', direction: 'read', mappingId: mapping },
        outcome: 'ok',
      },
      {
        action: 'clearMappingDefault',
        object: { accountId: restaurant, entityType: 'product', direction: 'read' },
        outcome: 'ok',
      },
    ])
  })
})
