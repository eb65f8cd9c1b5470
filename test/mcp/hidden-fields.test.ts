// Canaries: every field of a customer and of an order has a value of its own, and a key that hides the field must get that
// value from no operation, error, change or tool.
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import { strikeHidden } from '../../src/contract/hidden-fields.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { callTool, connectHttp } from './client.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of any type
type Body = any
const account = 'square-restaurant'
const customer = {
  name: 'Canaryfirst Canarylast',
  firstName: 'Canaryfirst',
  lastName: 'Canarylast',
  companyName: 'Canarycompany',
  email: 'canary@canarymail.example',
  phone: '+14155559876',
  notes: 'Canarynotes',
  address: {
    line1: '1 Canaryline',
    line2: 'Canarysecond',
    city: 'Canarycity',
    state: 'CA',
    postalCode: '94999',
    country: 'US',
  },
}
/** Field that is hidden -> a text that its value has. */
const canaries: [string, string[]][] = [
  ['firstName', ['Canaryfirst']],
  ['lastName', ['Canarylast']],
  ['companyName', ['Canarycompany']],
  ['email', ['canarymail']],
  ['phone', ['4155559876']],
  ['notes', ['Canarynotes']],
  ['line1', ['Canaryline']],
  ['line2', ['Canarysecond']],
  ['city', ['Canarycity']],
  ['postalCode', ['94999']],
  ['address', ['Canaryline', 'Canarysecond', 'Canarycity', '94999']],
]
/** A full name shows both of its parts. */
const hiddenWith = (field: string) => (['firstName', 'lastName'].includes(field) ? [field, 'name'] : [field])
const ofOrders: [string, string[]][] = [
  ['note', ['Canaryordernote', 'Canarylinenote']],
  ['lineItems', ['Canaryitem', 'Canarylinenote']],
]

describe('a key with hidden fields', () => {
  let harness: Harness
  let all: Client
  let customerId: string
  let orderId: string
  const open: Client[] = []
  beforeAll(async () => {
    harness = await createHarness({ connectors, simulators, platform: 'square' })
    all = await agentFor(undefined)
    const created = await harness.call('POST', `/unified/${account}/customer`, { externalId: 'CANARY-1', ...customer })
    expect(created.status, JSON.stringify(created.body)).toBe(201)
    customerId = created.body.data.externalId
    const [location] = harness.tenants[0]?.locations ?? []
    const order = await harness.call('POST', `/unified/${account}/order`, {
      ...canaryOrder('CANARY-O-1'),
      locationExternalId: location,
    })
    expect(order.status, JSON.stringify(order.body)).toBe(201)
    orderId = order.body.data.externalId
  })
  afterAll(async () => {
    await Promise.all(open.map((one) => one.close()))
    await harness.close()
  })
  const canaryOrder = (externalId: string) => ({
    externalId,
    note: 'Canaryordernote',
    lineItems: [
      { name: 'Canaryitem', quantity: 1, unitPrice: 3, note: 'Canarylinenote' },
      { name: 'Plain', quantity: 2, unitPrice: 2 },
    ],
  })
  const keyOf = async (hiddenFields: readonly string[] | undefined) =>
    (
      await harness.manage('POST', '/api-keys', {
        name: 'canary',
        scopes: ['records:read', 'records:write', 'changes'],
        ...(hiddenFields ? { hiddenFields } : {}),
      })
    ).body.key as string
  async function agentFor(hiddenFields: readonly string[] | undefined): Promise<Client> {
    const agent = await connectHttp(harness.url, await keyOf(hiddenFields), '2026-07-28')
    open.push(agent)
    return agent
  }
  async function ask(key: string, method: string, path: string, body?: object): Promise<string> {
    const response = await fetch(`${harness.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        prefer: 'wait=60',
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return `${response.status} ${await response.text()}`
  }
  /** A refusal of the platform that quotes what it has. */
  const quoting = (words: readonly string[]) => ({
    errors: [
      {
        category: 'INVALID_REQUEST_ERROR',
        code: 'INVALID_VALUE',
        detail: `Not like ${words.join(' and ')}`,
        field: 'note',
      },
    ],
  })

  it.each(canaries)('that hides %s of customers gets its value from no operation', async (field, words) => {
    const key = await keyOf(hiddenWith(field))
    const agent = await agentFor(hiddenWith(field))
    const path = `/unified/${account}/customer`
    const other = { externalId: 'CANARY-1', name: 'Somebody Else' }
    const requests: [string, string, object?][] = [
      ['GET', `${path}?pageSize=100`],
      ['GET', `${path}/${customerId}`],
      ['GET', `${path}?externalId=CANARY-1`],
      ['GET', `${path}?search=${customerId}`],
      ['POST', path, other],
      ['POST', `${path}?dryRun=true`, other],
      ['POST', path, { ...other, address: { country: 'US' } }],
      ['POST', `${path}?guard=duplicates`, { externalId: `CANARY-${field}`, name: 'Somebody Else' }],
      ['PUT', `${path}/${customerId}`, { externalId: 'CANARY-1', name: 'Somebody Else' }],
    ]
    for (const [method, address, body] of requests) {
      const reply = await ask(key, method, address, body)
      expect(reply).not.toMatch(/^5/)
      for (const word of words) expect(reply, `${method} ${address}`).not.toContain(word)
    }
    const target = { accountId: account, entityType: 'customer' }
    const tools: [string, object][] = [
      ['list_records', { ...target, pageSize: 100 }],
      ['get_record', { ...target, id: customerId }],
      ['find_record', { ...target, externalId: 'CANARY-1' }],
      ['create_record', { ...target, externalId: 'CANARY-1', record: { name: 'Somebody Else' } }],
      ['preview_write', { ...target, externalId: 'CANARY-1', record: { name: 'Somebody Else' } }],
      ['preview_write', { ...target, id: customerId, record: { name: 'Somebody Else' } }],
    ]
    for (const [tool, input] of tools) {
      const reply = JSON.stringify(await callTool(agent, tool, input))
      for (const word of words) expect(reply, tool).not.toContain(word)
    }
    harness.sandbox.fault('square', { kind: 'foreign_before', method: 'POST', status: 400, body: quoting(words) })
    const refused = [
      await ask(key, 'POST', path, { externalId: `REFUSED-${field}`, name: 'Refused' }),
      JSON.stringify(
        await callTool(agent, 'create_record', { ...target, externalId: `R-${field}`, record: { name: 'No' } }),
      ),
    ]
    harness.sandbox.clearFaults('square')
    expect(refused[0]).toContain('downstream_rejected')
    expect(refused[1]).toContain('downstream_rejected')
    for (const word of words) expect(refused.join(' '), 'a refusal of the platform').not.toContain(word)
  })

  it.each(ofOrders)('that hides %s of orders gets its value from no operation', async (field, words) => {
    const key = await keyOf([field])
    const path = `/unified/${account}/order`
    const replies = [
      await ask(key, 'GET', `${path}/${orderId}`),
      await ask(key, 'POST', path, {
        externalId: 'CANARY-O-1',
        lineItems: [{ name: 'Other', quantity: 1, unitPrice: 1 }],
      }),
      await ask(key, 'POST', `${path}?dryRun=true`, {
        externalId: 'CANARY-O-1',
        lineItems: [{ name: 'Other', quantity: 1, unitPrice: 1 }],
      }),
    ]
    for (const reply of replies) for (const word of words) expect(reply).not.toContain(word)
  })

  it.each(canaries)('keeps %s at the platform in an update that leaves it out', async (field) => {
    const agent = await agentFor(hiddenWith(field))
    const target = { accountId: account, entityType: 'customer', id: customerId }
    const before = (await callTool(all, 'get_record', target)).record
    const { record } = await callTool(agent, 'get_record', target)
    expect(await callTool(agent, 'update_record', { ...target, record })).toMatchObject({
      reference: { id: customerId },
    })
    expect((await callTool(all, 'get_record', target)).record).toEqual(before)
    if (!Object.hasOwn(customer.address, field)) return
    // Without the object that it is in.
    const { address: _, ...rest } = record
    await callTool(agent, 'update_record', { ...target, record: rest })
    const after = (await callTool(all, 'get_record', target)).record
    expect(after.address?.[field]).toBe(before.address[field])
    expect(await callTool(all, 'update_record', { ...target, record: before })).toMatchObject({
      reference: { id: customerId },
    })
  })

  it('keeps hidden fields of lines by their ids, and refuses lines that match none', async () => {
    const agent = await agentFor(['note'])
    const target = { accountId: account, entityType: 'order', id: orderId }
    const before = (await callTool(all, 'get_record', target)).record as Body
    const { record } = (await callTool(agent, 'get_record', target)) as Body
    await callTool(agent, 'update_record', { ...target, record })
    expect((await callTool(all, 'get_record', target)).record).toEqual(before)
    const unmatched = { ...record, lineItems: [{ name: 'Another', quantity: 1, unitPrice: 1 }] }
    expect(await callTool(agent, 'update_record', { ...target, record: unmatched })).toMatchObject({
      error: { code: 'insufficient_scope', limit: 'hiddenFields' },
    })
    expect((await callTool(all, 'get_record', target)).record).toEqual(before)
  })
})

describe('what is struck out of a body', () => {
  const hidden = ['city']
  it('is every value of the field, in objects, lists and differences', () => {
    const address = { line1: '1 Main', city: 'SECRET' }
    const body = {
      data: [{ address, stops: [{ city: 'SECRET' }] }],
      native: { x: 'SECRET' },
      differences: [
        { pointer: '/address', written: address },
        { pointer: '/address/city', written: 'SECRET' },
        { pointer: '/note', asked: 'kept' },
      ],
      warnings: [{ code: 'derived', pointer: '/note', message: 'Square holds "SECRET" instead.' }],
    }
    const struck = strikeHidden(body, hidden)
    expect(JSON.stringify(struck)).not.toContain('SECRET')
    expect(struck).toMatchObject({
      data: [{ address: { line1: '1 Main' }, stops: [{}] }],
      differences: [
        { pointer: '/address', written: { line1: '1 Main' } },
        { pointer: '/note', asked: 'kept' },
      ],
    })
  })
  it('is every sentence of a platform, and the names of changed fields', () => {
    const problem = {
      code: 'downstream_rejected',
      detail: 'Square refused it: SECRET',
      errors: [{ pointer: '/note', message: 'SECRET is taken' }],
      downstream: { platform: 'square', status: 400, code: 'TAKEN', message: 'SECRET' },
    }
    const struck = strikeHidden(problem, hidden)
    expect(JSON.stringify(struck)).not.toContain('SECRET')
    expect(struck).toMatchObject({ code: 'downstream_rejected', downstream: { platform: 'square', code: 'TAKEN' } })
    const page = { data: [{ changed: ['/address/city', '/note'], record: { city: 'SECRET' } }] }
    expect(strikeHidden(page, hidden, { ofChanges: true })).toEqual({ data: [{ changed: ['/note'], record: {} }] })
  })
})
