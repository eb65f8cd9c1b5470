// A management action and its audit entry are one transaction: both are stored, or neither is. An action outside the
// database has an entry before it begins.
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { freshDatabase } from '../postgres.ts'
import { storeKinds } from '../store-on.ts'

const account = '/accounts/square-restaurant'
const rules = { '/description': { from: '/name' } }

describe.each(storeKinds)('on %s', (kind) => {
  let harness: Harness
  let workspaceId: string
  beforeAll(async () => {
    const place =
      kind === 'sqlite'
        ? { ownDisk: true }
        : { databaseUrl: await freshDatabase(inject('postgresUrl'), inject('postgresTemplate')), instances: 1 }
    harness = await createHarness({ connectors, simulators, platform: 'square', sandboxControl: true, ...place })
    workspaceId = (await harness.manage('GET', '')).body.id
  })
  afterAll(() => harness.close())

  async function directly(statement: string): Promise<void> {
    if (kind === 'sqlite') {
      const file = new DatabaseSync(harness.database, { timeout: 5_000 })
      file.exec(statement)
      return file.close()
    }
    const client = new pg.Client({ connectionString: harness.database })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  /** Inserts into this table fail meanwhile. */
  async function without<T>(table: string, work: () => Promise<T>): Promise<T> {
    await directly(
      kind === 'sqlite'
        ? `create trigger no_room before insert on ${table} begin select raise(abort, 'no room'); end`
        : `create or replace function no_room() returns trigger language plpgsql as $$ begin raise 'no room'; end $$;
           create trigger no_room before insert on ${table} execute function no_room()`,
    )
    try {
      return await work()
    } finally {
      await directly(kind === 'sqlite' ? 'drop trigger no_room' : `drop trigger no_room on ${table}`)
    }
  }
  async function stored(): Promise<unknown> {
    const { store } = harness.service
    const all = { limit: 500 }
    const accounts = await store.accounts.list(workspaceId, all)
    const owners = [{ workspaceId }, ...accounts.data.map(({ id }) => ({ workspaceId, accountId: id }))]
    return structuredClone({
      accounts,
      workspaces: await store.workspaces.list(all),
      keys: await store.credentials.list(workspaceId, 'api_key', all),
      accessIds: await store.credentials.list(workspaceId, 'access_id', all),
      mappings: await Promise.all(owners.map((owner) => store.mappings.list(owner, all))),
      defaults: await store.mappingDefaults.list(workspaceId),
      mappingKeys: await Promise.all(accounts.data.map(({ id }) => store.mappingKeys.list(id))),
      links: await Promise.all(accounts.data.map(({ id }) => store.links.list(id, undefined, all))),
      connectLinks: await store.connectLinks.list(workspaceId, all),
      apps: await store.platformApps.list(workspaceId),
      imports: await Promise.all(accounts.data.map(({ id }) => store.referenceImports.list(id, all))),
    })
  }
  const lines = async () => {
    const entries: string[] = []
    for await (const { action, outcome } of harness.service.store.audit.walk(workspaceId))
      entries.push(`${action} ${outcome}`)
    return entries
  }
  async function prepared() {
    const { manage } = harness
    const id = async (path: string, body: unknown) => (await manage('POST', path, body)).body.id as string
    const credentials = harness.tenants[0]?.credentials
    const settings = harness.tenants[0]?.settings
    const mapping = { entityType: 'product', direction: 'read', name: 'm', rules }
    const used = await id(`${account}/mappings`, mapping)
    const free = await id(`${account}/mappings`, mapping)
    const ofPlatform = { ...mapping, platform: 'square' }
    const shared = await id('/mappings', ofPlatform)
    await manage('PUT', '/mapping-defaults/product/read?platform=square', { mappingId: shared })
    await manage('PUT', `${account}/references`, { entityType: 'product', sourceId: 'S', nativeId: 'N' })
    await manage('PUT', '/platform-apps/square', { clientId: 'a', clientSecret: 'b' })
    const mappingKey = (await manage('POST', `${account}/mapping-keys`, { mappingId: used })).body.key as string
    const other = { platform: 'square', vertical: 'restaurant', credentials, settings }
    await manage('POST', '/accounts?test=false', { ...other, id: 'gone' })
    return [
      ['POST', '/api-keys', { name: 'new' }],
      ['DELETE', `/api-keys/${await id('/api-keys', { name: 'k' })}`],
      ['POST', '/access-ids', { name: 'new' }],
      ['POST', `/access-ids/${await id('/access-ids', { name: 'a' })}/rotate`],
      ['DELETE', `/access-ids/${await id('/access-ids', { name: 'b' })}`],
      ['POST', '/accounts', { ...other, id: 'new' }],
      ['PATCH', account, { name: 'Another name' }],
      ['PATCH', account, { settings: { ...settings } }],
      ['POST', `${account}/reconnect`, { credentials }],
      ['POST', `${account}/disable`],
      ['POST', `${account}/enable`],
      ['DELETE', '/accounts/gone'],
      ['POST', `${account}/mappings`, mapping],
      ['PUT', `${account}/mappings/${used}`, { rules }],
      ['DELETE', `${account}/mappings/${free}`],
      ['POST', '/mappings', ofPlatform],
      ['PUT', `${account}/mapping-defaults/product/read`, { mappingId: used }],
      ['DELETE', '/mapping-defaults/product/read?platform=square'],
      ['POST', `${account}/mapping-keys`, { mappingId: used }],
      ['DELETE', `${account}/mapping-keys/${mappingKey}`],
      ['PUT', `${account}/references`, { entityType: 'product', sourceId: 'S2', nativeId: 'N2' }],
      ['DELETE', `${account}/references/product/S`],
      ['POST', '/connect-links', {}],
      ['DELETE', `/connect-links/${await id('/connect-links', {})}`],
      ['PUT', '/platform-apps/square', { clientId: 'a', clientSecret: 'c' }],
      ['DELETE', '/platform-apps/square'],
    ] as const
  }

  it('does nothing when the entry cannot be written, and both when it can', async () => {
    const actions = await prepared()
    const before = await stored()
    const count = (await lines()).length
    await without('audit', async () => {
      for (const [method, path, body] of actions) {
        expect((await harness.manage(method, path, body)).status, `${method} ${path}`).toBe(500)
        expect(await stored(), `${method} ${path}`).toEqual(before)
      }
    })
    expect(await lines()).toHaveLength(count)
    for (const [method, path, body] of actions) {
      const entries = await lines()
      expect((await harness.manage(method, path, body)).status, `${method} ${path}`).toBeLessThan(300)
      expect(await lines(), `${method} ${path}`).toEqual([...entries, expect.stringMatching(/ ok$/)])
    }
  })

  it('does nothing outside the database before its entry is written; the outcome is a second entry', async () => {
    const { manage, sandbox, tenants } = harness
    const records = () => tenants.find(({ vertical }) => vertical === 'restaurant')?.records.customer?.ids() ?? []
    const faults = () => sandbox.faults('square').length
    const post = (body: object) => manage('POST', `${account}/explorer/customer/records`, { record: body })
    const put = (id: string, body: object) =>
      manage('PUT', `${account}/explorer/customer/records/${id}`, { record: body })
    const native = (call: object) => manage('POST', `${account}/explorer/native`, { path: '/v2/customers', ...call })
    const writing = { method: 'POST', body: { given_name: 'Joan' }, externalId: 'N1' }
    const id = (await post({ externalId: 'C1', name: 'Ada Lovelace' })).body.reference.id as string
    const control = (method: string, body?: object) =>
      fetch(`${harness.url}/manage/v1/sandbox/faults`, {
        method,
        headers: { authorization: `Bearer ${harness.secrets[1]}`, 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
      })
    const before = records()
    sandbox.clearCalls('square')
    await without('audit', async () => {
      expect((await post({ externalId: 'C2', name: 'Grace Hopper' })).status).toBe(500)
      expect((await put(id, { externalId: 'C1', name: 'Ada King' })).status).toBe(500)
      expect((await native(writing)).status).toBe(500)
      expect((await control('PUT', { platform: 'square', kind: 'unavailable', times: 1 })).status).toBe(500)
    })
    expect(sandbox.calls('square')).toEqual([])
    expect(records()).toEqual(before)
    expect(faults()).toBe(0)

    const added = async (work: () => Promise<unknown>) => {
      const { length } = await lines()
      await work()
      return (await lines()).slice(length)
    }
    expect(await added(() => post({ externalId: 'C2', name: 'Grace Hopper' }))).toEqual([
      'writeRecord started',
      'writeRecord ok',
    ])
    expect(records()).toHaveLength(before.length + 1)
    expect(await added(() => put(id, { externalId: 'C1', name: 'Ada King' }))).toEqual([
      'replaceRecord started',
      'replaceRecord ok',
    ])
    expect(await added(() => native(writing))).toEqual(['callPlatform started', 'callPlatform ok'])
    expect(await added(() => native({ method: 'GET' }))).toEqual(['callPlatform ok'])
    expect((await control('PUT', { platform: 'square', kind: 'unavailable', times: 1 })).status).toBe(200)
    expect(faults()).toBe(1)
    expect((await control('DELETE')).status).toBe(200)
    const entries: string[] = []
    for await (const { action, outcome } of harness.service.store.audit.walk('install'))
      if (action.endsWith('Fault') || action.endsWith('Faults')) entries.push(`${action} ${outcome}`)
    expect(entries).toEqual(['addFault started', 'addFault ok', 'clearFaults started', 'clearFaults ok'])
  })

  it.each([
    ['credentials', 'POST', '/api-keys', { name: 'never' }, 'createApiKey'],
    ['mapping_keys', 'POST', '/accounts?test=false', { id: 'never' }, 'connectAccount'],
  ])('writes no entry "ok" when a row of %s cannot be written', async (table, method, path, body, action) => {
    const { credentials, settings } = harness.tenants[0] ?? {}
    const given = path.startsWith('/accounts')
      ? { ...body, platform: 'square', vertical: 'restaurant', credentials, settings }
      : body
    const before = await stored()
    const entries = await lines()
    await without(table, async () => expect((await harness.manage(method, path, given)).status).toBe(500))
    expect(await stored()).toEqual(before)
    expect(await lines()).toEqual([...entries, `${action} internal_error`])
  })
})
