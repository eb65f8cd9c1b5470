// Agents: the official client over HTTP and stdio, what a key allows, and writes that are not doubled.
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { freshDatabase } from '../postgres.ts'
import { callTool, connectHttp, connectStdio, revisions } from './client.ts'

const account = 'square-restaurant'
const customers = { accountId: account, entityType: 'customer' }
const readers = ['list_accounts', 'describe_entity', 'list_records', 'get_record', 'find_record', 'list_changes']

describe.each(['sqlite', 'postgres'] as const)('on %s', (database) => {
  let harness: Harness
  let client: Client
  const open: Client[] = []
  const keyWith = async (more: object) =>
    (await harness.manage('POST', '/api-keys', { name: 'agent', ...more })).body.key as string
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
    client = await connect({ scopes: ['records:read', 'records:write', 'native'] })
  })
  afterAll(async () => {
    await Promise.all(open.map((one) => one.close()))
    await harness.close()
  })
  const written = (name: string) =>
    harness.sandbox.calls('square').filter(({ method, path }) => method === 'POST' && path === '/v2/customers').length

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
    const key = await keyWith({})
    const agent = await connectHttp(harness.url, key, revision)
    open.push(agent)
    const externalId = `A-${revision}`
    const { record } = await callTool(client, 'describe_entity', customers).then(({ example }) => ({ record: example }))
    await callTool(agent, 'create_record', { ...customers, externalId, record: { ...record, name: revision } })
    await callTool(agent, 'get_record', { ...customers, id: 'NONE' })
    const [credentialId] = key.split('.')
    const entries = await harness
      .manage('GET', `/activity?credentialId=${credentialId}&limit=10`)
      .then(({ body }) => body.data)
    expect(entries).toHaveLength(2)
    const create = entries.find(({ operation }: { operation: string }) => operation === 'create')
    expect(create).toMatchObject({ accountId: account, entityType: 'customer', externalId, status: 201 })
    const trace = (await harness.manage('GET', `/activity/${create.requestId}`)).body
    expect(JSON.stringify(trace)).toContain('"client":"witness 1.2.3"')
  })
})
