import { expect, vi } from 'vitest'
import type { Case } from './case.ts'
import type { Harness, Reply } from './harness.ts'
import type { AnyRecord, Subject } from './subject.ts'
import { persist } from './write-cases.ts'

const patient = { prefer: 'wait=60' }
/** Fits every place: a date is a text, too. */
const sample = (type: string, day: number): unknown => (type === 'array' ? [`day ${day}`] : `1990-05-${day}`)

/** Declares a custom field for each place of the platform, as the default read mapping of the account. */
async function declared<T>(subject: Subject, rules: object, run: () => Promise<T>): Promise<T> {
  const { harness, vertical, entityType } = subject
  const account = `/accounts/${harness.accountId(vertical)}`
  const made = await harness.manage('POST', `${account}/mappings`, {
    entityType,
    direction: 'read',
    name: 'Custom fields',
    rules,
  })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const byDefault = `${account}/mapping-defaults/${entityType}/read`
  await harness.manage('PUT', byDefault, { mappingId: made.body.id })
  try {
    return await run()
  } finally {
    await harness.manage('DELETE', byDefault)
    await harness.manage('DELETE', `${account}/mappings/${made.body.id}`)
  }
}

/** The writing calls of a request that the platform responded to: one whose response was late is repeated. */
async function writesOf(harness: Harness, { headers }: Reply): Promise<string[]> {
  const path = `/activity/${headers.get('x-request-id')}`
  const { trace } = await vi.waitFor(
    async () => {
      const { status, body } = await harness.manage('GET', path)
      expect(status).toBe(200)
      return body
    },
    { timeout: 120_000, interval: 200 },
  )
  const calls = trace.calls as { kind: string; method: string; path: string; status?: number }[]
  return calls.flatMap((call) =>
    call.kind === 'write' && call.status !== undefined ? [`${call.method} ${call.path}`] : [],
  )
}

export const customCase: Case = {
  name: 'custom fields round-trip: created, read, put back without a call, changed, kept, cleared',
  async run(subject) {
    const { harness, support, path } = subject
    const { sandbox, connector } = harness
    const places = Object.entries(support.customPlaces)
      .map(([pattern, type]) => ({ at: pattern.replace('=*]', '=tier]'), type }))
      .filter(({ at }) => !at.startsWith('/variation/')) // a written product has none
    const names = places.map((_, n) => `field${n}`)
    const custom = (day: number) => Object.fromEntries(places.map(({ type }, n) => [names[n], sample(type, day)]))
    const rules = Object.fromEntries(places.map(({ at, type }, n) => [`/custom/${names[n]}`, { type, from: at }]))
    const single = (id: string) => `${path}/${encodeURIComponent(id)}`
    const get = async (id: string) => (await harness.call('GET', single(id), undefined, patient)).body.data as AnyRecord
    const put = (record: AnyRecord) => harness.call('PUT', single(record.externalId), record, patient)
    const sent = async (record: AnyRecord): Promise<Reply> => {
      const reply = await put(record)
      expect(reply.status, JSON.stringify(reply.body)).toBe(200)
      return reply
    }
    const id = await declared(subject, rules, async () => {
      const made = await subject.create({ ...(await subject.fullRecord()), custom: custom(11) })
      expect(made.status, JSON.stringify(made.body)).toBe(201)
      expect(made.body.data.custom).toEqual(custom(11))
      const before = await get(made.body.data.externalId)
      expect(before).toEqual(made.body.data)
      if (support.update) {
        const { custom: _, ...without } = before
        const plain = await sent(without)
        const same = await sent(before)
        expect(same.body.data).toEqual(before)
        const changed = await sent({ ...before, custom: custom(12) })
        expect(changed.body.data).toEqual({ ...before, custom: custom(12) })
        const writes = await Promise.all([plain, same, changed].map((reply) => writesOf(harness, reply)))
        expect(writes[1], 'what was read is put back: the same calls as without custom fields').toEqual(writes[0])
        expect(writes[2]!.length, 'custom fields are written in calls of their own').toBeGreaterThan(writes[0]!.length)
        expect(await get(before.externalId)).toEqual({ ...before, custom: custom(12) })
        const cleared = await sent({ ...before, custom: { [names[0] as string]: null } })
        const { [names[0] as string]: gone, ...left } = custom(12)
        expect(gone).toBeDefined()
        expect([cleared.body.data.custom, cleared.body.warnings ?? []]).toEqual([left, plain.body.warnings ?? []])
      }
      // The response to the last writing call is lost: the record is written once, with its custom fields.
      const count = subject.native.ids().length
      const record = { ...(await subject.fullRecord()), custom: custom(13) }
      sandbox.clearCalls(connector.id)
      await subject.create(record)
      const skip = sandbox.calls(connector.id).findLastIndex(({ method }) => method !== 'GET')
      expect(skip).toBeGreaterThan(0)
      sandbox.fault(connector.id, { kind: 'reset_after', skip, times: 1 })
      const reply = await persist(subject, { ...(await subject.fullRecord()), custom: custom(14) })
      expect([reply.status < 300, reply.body.data?.custom], JSON.stringify(reply.body)).toEqual([true, custom(14)])
      expect(subject.native.ids().length - count).toBe(2)
      return before.externalId as string
    })
    expect(await get(id)).not.toHaveProperty('custom')
  },
}
