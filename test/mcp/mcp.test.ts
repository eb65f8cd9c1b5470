// Agents: the official client over HTTP and stdio, what a key allows, and writes that are not doubled.
import type { Client } from '@modelcontextprotocol/client'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { runAgents } from '../chaos/agents.ts'
import { freshDatabase } from '../postgres.ts'
import { storeKindsFor } from '../store-on.ts'
import { callTool, connectHttp, connectStdio, firstLines, revisions } from './client.ts'

const account = 'square-restaurant'
const customers = { accountId: account, entityType: 'customer' }
const readers = ['list_accounts', 'describe_entity', 'list_records', 'get_record', 'find_record', 'list_changes']

describe.each(storeKindsFor('mcp'))('on %s', (database) => {
  let harness: Harness
  let client: Client
  const open: Client[] = []
  const keyWith = async (more: object) =>
    (await harness.manage('POST', '/api-keys', { name: 'agent', ...more })).body.key as string
  /** The activity is stored after the response. */
  const recorded = (search: string, count: number) =>
    vi.waitFor(async () => {
      const { data } = (await harness.manage('GET', `/activity?search=${search}`)).body
      expect(data).toHaveLength(count)
      return data
    }, 120_000)
  const workspace = async () => (await harness.service.store.accounts.get(account))?.workspaceId as string
  const connect = async (more: object) => {
    const made = await connectHttp(harness.url, await keyWith(more), '2026-07-28')
    open.push(made)
    return made
  }
  beforeAll(async () => {
    const databaseUrl =
      database === 'sqlite' ? undefined : await freshDatabase(inject('postgresUrl'), inject('postgresTemplate'))
    const instances = databaseUrl ? { databaseUrl, instances: 2 } : { ownDisk: true }
    harness = await createHarness({ connectors, simulators, platform: 'square', ...instances })
    client = await connect({ scopes: ['records:read', 'records:write', 'changes', 'native'] })
  })
  afterAll(async () => {
    await Promise.all(open.map((one) => one.close()))
    await harness.close()
  })
  it('lists at most ten tools in 16 KB, with schemas that the official client accepts', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual(
      [...readers, 'read_native', 'preview_write', 'create_record', 'update_record'].sort(),
    )
    expect(JSON.stringify({ tools }).length).toBeLessThanOrEqual(16_384)
    for (const { name, annotations, outputSchema } of tools) {
      expect(outputSchema).toMatchObject({ type: 'object' })
      expect([name, annotations?.readOnlyHint]).toEqual([name, !['create_record', 'update_record'].includes(name)])
    }
  })

  it('reads, previews, creates, finds and updates a record', async () => {
    const { accounts } = await callTool(client, 'list_accounts', {})
    const { entities } = accounts.find(({ accountId }: { accountId: string }) => accountId === account)
    expect(entities.customer).toEqual(['read', 'create', 'update'])
    const described = await callTool(client, 'describe_entity', customers)
    expect(described.schema.properties).toHaveProperty('email')
    const record = { ...described.example, name: 'Grace Hopper', firstName: 'Grace', lastName: 'Hopper' }
    const preview = await callTool(client, 'preview_write', { ...customers, record, externalId: 'G-1' })
    expect(preview.steps[0].request).toMatchObject({ method: 'POST', path: '/v2/customers' })
    const created = await callTool(client, 'create_record', { ...customers, record, externalId: 'G-1' })
    expect(created.reference).toEqual({ externalId: 'G-1', id: created.record.externalId, replayed: false })
    const found = await callTool(client, 'find_record', { ...customers, externalId: 'G-1' })
    expect(found).toMatchObject({ records: [{ name: 'Grace Hopper' }], reference: { outcome: 'done' } })
    const { id } = created.reference
    // Its content is taken, under another key: the preview says what the write would.
    const other = { ...customers, record, externalId: 'G-2' }
    expect((await callTool(client, 'preview_write', other)).error).toMatchObject({
      code: 'possible_duplicate',
      reference: { externalId: 'G-1', id, outcome: 'done' },
    })
    const confirmed = await callTool(client, 'preview_write', { ...other, confirmDuplicate: true })
    expect(confirmed.steps).toHaveLength(1)
    const got = await callTool(client, 'get_record', { ...customers, id })
    const changed = { ...got.record, notes: 'Compiler' }
    const updated = await callTool(client, 'update_record', {
      ...customers,
      id,
      record: changed,
      ifVersion: got.version,
    })
    expect(updated.record.notes).toBe('Compiler')
    const page = await callTool(client, 'list_records', { ...customers })
    expect(page.records.length).toBeLessThanOrEqual(10)
    const native = await callTool(client, 'read_native', { accountId: account, path: `/v2/customers/${id}` })
    expect(native).toMatchObject({ status: 200, body: { customer: { id, note: 'Compiler' } } })
  })

  it('finds records by what the platform searches, by id elsewhere, and never by a hidden field', async () => {
    const first = async (input: object, field: string) =>
      (await callTool(client, 'list_records', input)).records.find((one: Record<string, unknown>) => one[field])
    const products = { accountId: account, entityType: 'product' }
    const [customer, product] = [await first(customers, 'email'), await first(products, 'sku')]
    for (const [input, record] of [
      [{ ...customers, search: customer.email }, customer],
      [{ ...customers, search: customer.externalId }, customer],
      [{ ...products, search: product.sku }, product],
      [{ ...products, search: ` ${product.name} ` }, product],
    ])
      expect((await callTool(client, 'find_record', input)).records).toContainEqual(record)
    const nothing = await callTool(client, 'find_record', { ...products, entityType: 'employee', search: 'Ada' })
    expect(nothing).toMatchObject({ records: [], warnings: [{ code: 'search_by_id_only' }] })
    const blind = await connect({ hiddenFields: ['email'] })
    const probe = await callTool(blind, 'find_record', { ...customers, search: customer.email })
    expect(probe.error).toMatchObject({ code: 'insufficient_scope', detail: expect.stringContaining('email') })
    expect((await callTool(blind, 'find_record', { ...products, search: product.sku })).records).toHaveLength(1)
    for (const input of [{}, { externalId: 'a', search: 'b' }, { search: ' ' }, { search: 'x'.repeat(201) }])
      expect(await callTool(client, 'find_record', { ...customers, ...input })).toMatchObject({
        error: { code: 'validation_failed', errors: [{ pointer: '/search' }] },
      })
  })

  it('describes, reads and writes custom fields of the default mapping', async () => {
    const accountPath = `/accounts/square-retail_pos`
    const shop = { accountId: 'square-retail_pos', entityType: 'customer' }
    const mapping = await harness.manage('POST', `${accountPath}/mappings`, {
      ...{ name: 'Birthdays', entityType: 'customer', direction: 'read' },
      rules: { '/custom/birthday': { type: 'string', from: '/birthday' } },
    })
    await harness.manage('PUT', `${accountPath}/mapping-defaults/customer/read`, { mappingId: mapping.body.id })
    const { schema } = await callTool(client, 'describe_entity', shop)
    expect(schema.properties.custom.properties).toEqual({ birthday: { type: 'string' } })
    const custom = { birthday: '1990-12-10' }
    const input = { ...shop, externalId: 'B-1', record: { name: 'Ada Born', custom } }
    expect((await callTool(client, 'create_record', input)).record.custom).toEqual(custom)
  })

  it.each([
    [
      'create_record',
      { ...customers, externalId: 'E-1', record: { nme: 'Ada' } },
      'validation_failed',
      /describe_entity/,
    ],
    ['list_records', { ...customers, pageSize: 1000 }, 'validation_failed', /errors/],
    ['list_records', { accountId: 'none', entityType: 'customer' }, 'unknown_account', /list_accounts/],
    ['get_record', { ...customers, id: 'NONE' }, 'record_not_found', /find_record/],
    ['list_changes', { accountId: account, entityTypes: ['customer'] }, 'not_watched', /list_records/],
  ])('%s answers an error with its code and the next step', async (tool, input, code, next) => {
    expect(await callTool(client, tool, input)).toMatchObject({
      error: { code, next: expect.stringMatching(next), requestId: expect.any(String) },
    })
  })

  it.each(revisions)('records every call with its client in the activity and the audit log (%s)', async (revision) => {
    const agent = await connectHttp(harness.url, await keyWith({}), revision)
    open.push(agent)
    const externalId = `A-${revision}`
    const record = { name: revision, firstName: 'Ada', lastName: revision }
    await callTool(agent, 'create_record', { ...customers, externalId, record })
    await callTool(agent, 'get_record', { ...customers, id: externalId })
    const entries = await recorded(externalId, 2)
    expect(entries).toMatchObject([
      { operation: 'get', accountId: account, entityType: 'customer', nativeId: externalId, status: 404 },
      { operation: 'create', accountId: account, entityType: 'customer', externalId, status: 201, nativeCalls: 1 },
    ])
    const { trace } = (await harness.manage('GET', `/activity/${entries[1].requestId}`)).body
    expect(trace).toMatchObject({ client: 'witness 1.2.3', path: '/mcp create_record' })
    const audit = await harness.service.store.audit.list(await workspace(), {}, { limit: 4 })
    expect(audit.data.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
      'mcp.get_record record_not_found',
      'mcp.create_record ok',
      'mcp.create_record started',
      'createApiKey ok',
    ])
    expect(audit.data[1]?.object).toMatchObject({ client: 'witness 1.2.3', accountId: account, externalId })
  })

  it('shows a read-only key no writing tool, and refuses its calls', async () => {
    const agent = await connect({ scopes: ['records:read', 'changes'] })
    const { tools } = await agent.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual([...readers].sort())
    for (const [tool, input] of [
      ['create_record', { ...customers, externalId: 'R-1', record: { name: 'Ada' } }],
      ['update_record', { ...customers, id: 'x', record: { name: 'Ada' } }],
      ['preview_write', { ...customers, externalId: 'R-1', record: { name: 'Ada' } }],
      ['read_native', { accountId: account, path: '/v2/locations' }],
    ] as const)
      expect(await callTool(agent, tool, input)).toMatchObject({ error: { code: 'insufficient_scope' } })
  })

  it('limits a key to its accounts and entities', async () => {
    const agent = await connect({ accounts: [account], entities: ['product'] })
    const { accounts } = await callTool(agent, 'list_accounts', {})
    expect(accounts).toMatchObject([{ accountId: account, entities: { product: expect.any(Array) } }])
    expect(Object.keys(accounts[0].entities)).toEqual(['product'])
    expect(
      (await callTool(agent, 'list_records', { accountId: account, entityType: 'product' })).records,
    ).not.toHaveLength(0)
    for (const [tool, input, code] of [
      ['list_records', { accountId: 'square-retail_pos', entityType: 'product' }, 'unknown_account'],
      ['list_records', customers, 'insufficient_scope'],
      ['list_changes', { accountId: account, entityTypes: ['customer'] }, 'insufficient_scope'],
      ['create_record', { ...customers, externalId: 'L-1', record: { name: 'Ada' } }, 'insufficient_scope'],
    ] as const)
      expect(await callTool(agent, tool, input)).toMatchObject({ error: { code } })
  })

  it('hides fields of a key, and keeps them in an update', async () => {
    const agent = await connect({ hiddenFields: ['email', 'address'] })
    const person = { name: 'Mary Shaw', firstName: 'Mary', lastName: 'Shaw' }
    const record = { ...person, email: 'mary@example.com', phone: '+14155550123' }
    const created = await callTool(agent, 'create_record', { ...customers, externalId: 'H-1', record })
    const { id } = created.reference
    const got = await callTool(agent, 'get_record', { ...customers, id })
    const found = await callTool(agent, 'find_record', { ...customers, externalId: 'H-1' })
    const again = await callTool(agent, 'create_record', { ...customers, externalId: 'H-2', record })
    expect(again.error).toMatchObject({ code: 'possible_duplicate', data: { phone: '+14155550123' } })
    const listed = await callTool(agent, 'list_records', { ...customers, pageSize: 50 })
    expect(JSON.stringify([created, got, found, again, listed])).not.toMatch(/mary@|"email"|"address"/)
    const changed = { ...got.record, notes: 'Met' }
    await callTool(agent, 'update_record', { ...customers, id, record: changed })
    expect((await callTool(client, 'get_record', { ...customers, id })).record).toMatchObject({
      notes: 'Met',
      email: 'mary@example.com',
    })
  })

  describe('the guard against duplicates', () => {
    const path = `/unified/${account}/customer`
    const bodyOf = (externalId: string, lastName: string) => ({
      externalId,
      name: `Ada ${lastName}`,
      firstName: 'Ada',
      lastName,
    })
    const guarded = (externalId: string, lastName: string, more = '') =>
      harness.call('POST', `${path}?guard=duplicates${more}`, bodyOf(externalId, lastName))

    it('answers the same content under a fresh key with the first record, where the caller asks for it', async () => {
      const first = await guarded('D-1', 'Once')
      const second = await guarded('D-2', 'Once')
      expect([first.status, second.status, second.body.code]).toEqual([201, 409, 'possible_duplicate'])
      const { id } = first.body.reference
      expect(second.body).toMatchObject({
        reference: { externalId: 'D-1', id, outcome: 'done' },
        data: { externalId: id },
      })
      const dry = await guarded('D-2', 'Once', '&dryRun=true')
      expect([dry.status, dry.body.reference]).toEqual([409, second.body.reference])
      expect((await guarded('D-2', 'Once', '&dryRun=true&confirmDuplicate=true')).body.steps).toHaveLength(1)
      expect((await guarded('D-1', 'Once')).status).toBe(200)
      expect((await guarded('D-3', 'Twice')).status).toBe(201)
      expect((await guarded('D-2', 'Once', '&confirmDuplicate=true')).status).toBe(201)
      expect((await guarded('D-2', 'Once')).status).toBe(200)
      expect((await harness.call('POST', path, bodyOf('D-4', 'Once'))).status).toBe(201)
    })
    it('answers while the first write is in doubt, and lets a failed one go', async () => {
      harness.sandbox.fault('square', { kind: 'reset_after', method: 'POST', path: '/v2/customers', times: 20 })
      const lost = await guarded('O-1', 'Open')
      const second = await guarded('O-2', 'Open')
      harness.sandbox.clearFaults('square')
      expect(lost.status).toBeGreaterThanOrEqual(400)
      expect(second.body).toMatchObject({ code: 'possible_duplicate', reference: { externalId: 'O-1' } })
      expect(second.body.reference.outcome).not.toBe('done')
      const { components } = (await harness.call('GET', '/openapi.json')).body
      const described = new Ajv({ strict: false, logger: false }).compile({
        $ref: '#/components/schemas/Problem',
        components,
      })
      expect(described(second.body), JSON.stringify(described.errors)).toBe(true)
      // The key of the answer finishes it.
      expect((await guarded('O-1', 'Open')).body).toMatchObject({ success: true })
      harness.sandbox.fault('square', {
        kind: 'foreign_before',
        method: 'POST',
        path: '/v2/customers',
        status: 400,
        body: { errors: [{ category: 'INVALID_REQUEST_ERROR', code: 'INVALID_VALUE', detail: 'No' }] },
        times: 1,
      })
      expect((await guarded('F-1', 'Failed')).status).toBe(422)
      expect((await guarded('F-2', 'Failed')).status).toBe(201)
    })
    it('needs both parameters', async () => {
      for (const query of ['guard=all', 'confirmDuplicate=true', 'guard=duplicates&confirmDuplicate=maybe'])
        expect((await harness.call('POST', `${path}?${query}`, bodyOf('Q-1', 'Query'))).body.code).toBe(
          'invalid_parameter',
        )
    })
    it('keeps writes of agents that lose responses and retry with fresh keys from being doubled', async () => {
      const writes = database === 'sqlite' ? 15 : 35
      const result = await runAgents({ harness, writes, agents: 8, seed: 11 })
      expect(result).toMatchObject({ doubled: [], missing: [] })
      expect(result.lost).toBeGreaterThan(writes / 4)
      const unguarded = await runAgents({ harness, writes: 2, agents: 2, seed: 11, confirmDuplicate: true })
      expect(unguarded.doubled).toHaveLength(2)
    })
  })

  it('answers for an account of another workspace as for one that does not exist', async () => {
    const { store } = harness.service
    await store.workspaces.create({ id: 'other', name: 'Other' })
    const own = await store.accounts.get(account)
    if (own) await store.accounts.create({ ...own, id: 'foreign', workspaceId: 'other' })
    const rest = { entityType: 'customer', id: 'x', externalId: 'x', record: { name: 'x' }, path: '/v2/locations' }
    const { tools } = await client.listTools()
    const asked = tools.filter(({ inputSchema }) => inputSchema.required?.includes('accountId'))
    expect(asked).toHaveLength(9)
    for (const { name, inputSchema } of asked) {
      const input = Object.fromEntries(Object.entries(rest).filter(([field]) => inputSchema.required?.includes(field)))
      const more = ['preview_write', 'find_record'].includes(name) ? { externalId: 'x' } : {}
      const [foreign, missing] = await Promise.all(
        ['foreign', 'missing'].map((accountId) => callTool(client, name, { ...input, ...more, accountId })),
      )
      expect(foreign.error).toMatchObject({ code: 'unknown_account' })
      expect({ ...foreign.error, requestId: '' }).toEqual({ ...missing.error, requestId: '' })
    }
    expect(JSON.stringify(await callTool(client, 'list_accounts', { pageSize: 50 }))).not.toContain('foreign')
  })

  it('refuses pages of other sites, batches, other methods and unknown callers', async () => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const post = (body: unknown, headers: Record<string, string>) =>
      harness.call('POST', '/mcp', body, { accept: 'application/json, text/event-stream', ...headers })
    expect((await post(ping, { origin: 'https://evil.example.com' })).body.code).toBe('forbidden')
    expect((await post([ping], {})).body.code).toBe('malformed_request')
    const stranger = await post(ping, { authorization: 'Bearer none' })
    expect([stranger.status, stranger.headers.get('www-authenticate')]).toEqual([401, expect.stringMatching(/^Bearer/)])
    const get = await harness.call('GET', '/mcp')
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
  })

  it('takes access tokens as well', async () => {
    const { id, secret } = (await harness.manage('POST', '/access-ids', { name: 'agent' })).body
    const response = await fetch(`${harness.url}/api/1.0/standalone-link-engine-service/oauth/server/access-token`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: id, client_secret: secret, grant_type: 'client_credentials' }),
    })
    const { access_token: token } = (await response.json()) as { access_token: string }
    const agent = await connectHttp(harness.url, token, '2026-07-28')
    open.push(agent)
    expect((await callTool(agent, 'list_accounts', {})).accounts.length).toBeGreaterThan(0)
  })

  if (database === 'sqlite') {
    it.each(revisions)('serves the same tools on stdio (%s)', async (revision) => {
      const key = await keyWith({})
      const agent = await connectStdio(harness.url, key, revision)
      open.push(agent)
      expect(agent.getInstructions()).toContain('Call list_accounts first')
      expect((await agent.listTools()).tools).toHaveLength(9)
      const externalId = `S-${revision}`
      const record = { name: externalId, firstName: 'Ada', lastName: externalId }
      const created = await callTool(agent, 'create_record', { ...customers, externalId, record })
      expect(created.reference).toMatchObject({ externalId, replayed: false })
      const missing = await callTool(agent, 'get_record', { ...customers, id: externalId })
      expect(missing.error).toMatchObject({ code: 'record_not_found' })
      const [, entry] = await recorded(externalId, 2)
      const { trace } = (await harness.manage('GET', `/activity/${entry.requestId}`)).body
      expect(trace.client).toBe('witness 1.2.3')
    })

    it('on stdio a line that is not JSON gets an error, and stderr says why the service cannot be used', async () => {
      const cases = [
        [harness.url, 'unauthorized: '],
        ['http://127.0.0.1:9', 'unavailable: The service cannot be reached: '],
      ] as const
      for (const [url, reason] of cases) {
        const [stdout = '', stderr] = await firstLines(url, 'urk_none.0123456789abcdef0123', '{"jsonrpc":')
        expect(JSON.parse(stdout)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32700 } })
        expect(stderr).toContain(`${url}/mcp: ${reason}`)
      }
    })
  }
})
