// Writes that are not done, settled by a person: nothing is written twice, whatever is chosen.
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { freshDatabase } from '../postgres.ts'

const account = 'square-restaurant'

describe.each(['sqlite', 'postgres'] as const)('open writes on %s', (kind) => {
  let harness: Harness
  beforeAll(async () => {
    const databaseUrl =
      kind === 'sqlite' ? undefined : await freshDatabase(inject('postgresUrl'), inject('postgresTemplate'))
    harness = await createHarness({
      connectors,
      simulators,
      platform: 'square',
      databaseUrl,
      ownDisk: !databaseUrl,
      instances: databaseUrl ? 2 : 1,
      sweepMs: 3_600_000, // it would settle what is left open here
    })
  })
  afterAll(() => harness.close())

  interface Write {
    writeId: string
    externalId: string
    settlings: string[]
  }
  const open = async (query = ''): Promise<Write[]> => (await harness.manage('GET', `/writes?${query}`)).body.data
  const settle = (writeId: string, how: string, body?: object) =>
    harness.manage('POST', `/accounts/${account}/writes/${writeId}/${how}`, body ?? {})
  const create = (externalId: string) =>
    harness.call('POST', `/unified/${account}/customer`, { externalId, name: `Customer ${externalId}` })
  const atPlatform = async (externalId: string): Promise<string[]> => {
    const { body } = await harness.call('GET', `/unified/${account}/customer?pageSize=100`)
    return body.data
      .filter(({ name }: { name: string }) => name === `Customer ${externalId}`)
      .map((record: { externalId: string }) => record.externalId)
  }
  /** The platform writes the record, its response is lost, and then it is away. */
  async function lose(externalId: string): Promise<Write> {
    harness.sandbox.fault('square', { kind: 'reset_after', method: 'POST', path: '/v2/customers', times: 1 })
    harness.sandbox.fault('square', { kind: 'unavailable', method: 'POST', path: '/v2/customers' })
    const reply = await create(externalId)
    expect(reply.status, JSON.stringify(reply.body)).toBeGreaterThan(499)
    harness.sandbox.clearFaults('square')
    const [write] = await open(`externalId=${externalId}&state=unknown&accountId=${account}`)
    return write as Write
  }
  /** Moves the time at which the calls of a write were sent: by whole minutes, so that no wait matters. */
  async function age(writeId: string, minutes: number): Promise<void> {
    const change = `update journal_steps set sent_at = sent_at - ${minutes * 60_000} where write_id = '${writeId}'`
    if (kind === 'postgres') {
      const client = new pg.Client({ connectionString: harness.database })
      await client.connect()
      await client.query(change).finally(() => client.end())
      return
    }
    const file = new DatabaseSync(harness.database)
    file.exec(change)
    file.close()
  }

  it('shows what is open, and sends it again only as far as the platform does not have it', async () => {
    const write = await lose('RESEND')
    expect(write).toMatchObject({
      accountId: account,
      platform: 'square',
      operation: 'create',
      entityType: 'customer',
      state: 'unknown',
      nextAttemptAt: expect.any(String),
      settlings: ['resend', 'written'],
    })
    const detail = (await harness.manage('GET', `/accounts/${account}/writes/${write.writeId}`)).body
    expect(detail).toMatchObject({
      record: { externalId: 'RESEND' },
      steps: [{ method: 'POST', path: expect.stringContaining('/v2/customers'), done: false }],
    })
    const refused = await settle(write.writeId, 'not-written')
    expect([refused.status, refused.body.detail]).toEqual([
      422,
      'The platform can tell whether the record exists, so the service has to ask it. You can send it again, or mark it as written.',
    ])
    const both = await Promise.all([settle(write.writeId, 'resend'), settle(write.writeId, 'resend')])
    const done = both.find(({ status }) => status === 200)
    expect(done?.body, JSON.stringify(both)).toEqual({
      outcome: 'written',
      externalId: 'RESEND',
      nativeId: (await atPlatform('RESEND'))[0],
    })
    expect(await atPlatform('RESEND')).toHaveLength(1)
    expect((await create('RESEND')).headers.get('idempotent-replayed')).toBe('true')
    expect(await open('externalId=RESEND')).toEqual([])
    expect((await settle(write.writeId, 'resend')).status).toBe(404)
    const { data } = (await harness.manage('GET', '/audit?action=resendWrite&outcome=ok')).body
    expect(data[0].object).toMatchObject({ accountId: account, writeId: write.writeId })
  })

  it('takes the id of a record that exists and belongs to no other write', async () => {
    const other = (await create('OTHER')).body.reference.id
    const write = await lose('NAMED')
    const [id] = await atPlatform('NAMED')
    const wrong = async (nativeId: string) => {
      const { status, body } = await settle(write.writeId, 'written', { nativeId })
      return [status, body.errors?.[0]?.pointer, body.errors?.[0]?.message]
    }
    await age(write.writeId, -5)
    expect(await settle(write.writeId, 'written', { nativeId: id })).toMatchObject({
      status: 409,
      body: { code: 'write_in_progress' },
    })
    await age(write.writeId, 10)
    expect(await wrong('NONE')).toEqual([422, '/nativeId', 'names no customer at Square. Check it there'])
    expect(await wrong(other)).toEqual([
      422,
      '/nativeId',
      'is of a record that another write made. Enter the id of the record of this write',
    ])
    expect(await open('externalId=NAMED')).toMatchObject([{ state: 'unknown', settlings: ['resend', 'written'] }])
    const settled = await settle(write.writeId, 'written', { nativeId: id })
    expect(settled.body).toEqual({ outcome: 'written', externalId: 'NAMED', nativeId: id })
    const again = await create('NAMED')
    expect([again.headers.get('idempotent-replayed'), again.body.reference.id]).toEqual(['true', id])
    expect(await atPlatform('NAMED')).toEqual([id])
  })

  it('frees the key of a call only when the platform cannot tell, and none of its calls can take effect', async () => {
    const call = { method: 'POST', path: '/v2/customers', body: { given_name: 'Native' }, externalId: 'CALL' }
    const native = () => harness.call('POST', `/unified/${account}/native`, call)
    harness.sandbox.fault('square', { kind: 'unavailable', method: 'POST', path: '/v2/customers', times: 1 })
    expect((await native()).body.code).toBe('outcome_unknown')
    const [write] = await open('externalId=CALL')
    expect(write).toMatchObject({ operation: 'native', settlings: ['written', 'not_written'] })
    expect(write).not.toHaveProperty('nextAttemptAt')
    const { writeId } = write as Write
    expect((await settle(writeId, 'resend')).status).toBe(422)
    await age(writeId, -5)
    const early = await settle(writeId, 'not-written')
    expect([early.status, early.body.code, Number(early.headers.get('retry-after')) > 0]).toEqual([
      409,
      'write_in_progress',
      true,
    ])
    expect((await native()).body.code).toBe('outcome_unknown')
    await age(writeId, 10)
    expect((await settle(writeId, 'not-written')).body).toEqual({ outcome: 'not_written', externalId: 'CALL' })
    expect((await native()).body.status).toBe(200)
  })

  it('keeps the key of a call that had its effect', async () => {
    const call = { method: 'POST', path: '/v2/customers', body: { given_name: 'Made' }, externalId: 'MADE' }
    const native = async () => (await harness.call('POST', `/unified/${account}/native`, call)).body
    harness.sandbox.fault('square', { kind: 'reset_after', method: 'POST', path: '/v2/customers', times: 1 })
    expect((await native()).code).toBe('outcome_unknown')
    const [write] = await open('externalId=MADE')
    const { writeId } = write as Write
    expect((await settle(writeId, 'written', { nativeId: 'X' })).body.errors).toMatchObject([{ pointer: '/nativeId' }])
    expect((await settle(writeId, 'written', {})).body).toEqual({ outcome: 'written', externalId: 'MADE' })
    expect(await open('externalId=MADE')).toEqual([])
    const before = harness.sandbox.calls('square').length
    expect(await native()).toMatchObject({
      code: 'outcome_unknown',
      detail: expect.stringContaining('an operator has confirmed'),
    })
    expect(harness.sandbox.calls('square')).toHaveLength(before)
  })

  it('lists a write in part with what the platform refused, and finishes it', async () => {
    const record = { externalId: 'PART', name: 'Half a tea', price: 2, currencyCode: 'USD', stockOnHand: 3 }
    const refusal = { errors: [{ category: 'INVALID_REQUEST_ERROR', code: 'BAD_REQUEST', detail: 'No stock today.' }] }
    const refuse = (method: string, path: string) =>
      harness.sandbox.fault('square', { kind: 'foreign_before', status: 400, body: refusal, method, path })
    refuse('POST', '/v2/inventory')
    refuse('DELETE', '/v2/catalog')
    const reply = await harness.call('POST', `/unified/${account}/product`, record)
    expect(reply.body.code, JSON.stringify(reply.body)).toBe('partially_written')
    harness.sandbox.clearFaults('square')
    const [write] = await open('state=partial')
    expect(write).toMatchObject({
      externalId: 'PART',
      nativeId: reply.body.id,
      reason: expect.stringContaining('No stock today.'),
      settlings: ['resend', 'written'],
    })
    const settled = await settle(write?.writeId ?? '', 'resend')
    expect(settled.body).toEqual({ outcome: 'written', externalId: 'PART', nativeId: reply.body.id })
    const { body } = await harness.call('GET', `/unified/${account}/product/${reply.body.id}`)
    expect(body.data.stockOnHand).toBe(3)
  })
})
