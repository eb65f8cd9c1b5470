import { expect } from 'vitest'
import { inTurns } from '../../test/case-choice.ts'
import { entities } from '../contract/entities/index.ts'
import type { EntityType } from '../contract/entity.ts'
import { matches, placesOf } from '../contract/pointer.ts'
import type { Fault } from '../sandbox/simulator.ts'
import type { Case } from './case.ts'
import type { Reply } from './harness.ts'
import { placesOfWrite } from './place-cases.ts'
import { type AnyRecord, freshKey, isStored, type Subject } from './subject.ts'

const notStoredPatterns = (subject: Subject) => subject.support.notStored.map((entry) => entry.split(' ')[0] as string)
/** The examples have codes. */
const converted = (subject: Subject) =>
  (['country', 'state'] as const)
    .filter((part) => placesOfWrite(subject)[part] === 'name')
    .map((part) => `/address/${part}`)
const isReference = (pointer: string) => /externalId$/i.test(pointer)

/** Leaf values of the written record that must be in the record that is read. */
function storable(record: AnyRecord, subject: Subject): { pointer: string; value: unknown }[] {
  const leaves = (value: unknown, pointer: string): { pointer: string; value: unknown }[] =>
    typeof value === 'object' &&
    value !== null &&
    !(Array.isArray(value) && value.every((item) => typeof item !== 'object'))
      ? Object.entries(value).flatMap(([name, inner]) => leaves(inner, `${pointer}/${name}`))
      : [{ pointer, value }]
  return leaves(record, '').filter(
    ({ pointer }) =>
      !isReference(pointer) &&
      !entities[subject.entityType].computed.some((pattern) => matches(pointer, pattern)) &&
      !converted(subject).includes(pointer) &&
      isStored(subject.support, pointer) &&
      !subject.support.derived.some((pattern) => matches(pointer, pattern)),
  )
}
export const nativeAfter = (subject: Subject, before: string[]) =>
  subject.native.ids().filter((id) => !before.includes(id))
/** Like a well-behaved caller: retries the same request until there is a response. */
export async function persist(subject: Subject, record: AnyRecord) {
  let reply = await subject.create(record)
  for (
    let attempt = 0;
    attempt < 6 &&
    (reply.status >= 500 || reply.status === 429 || ['write_in_progress', 'outcome_unknown'].includes(reply.body.code));
    attempt++
  ) {
    reply = await subject.create(
      record,
      reply.body.code === 'outcome_unknown' && attempt >= 4 ? '?onUnknown=resend' : '',
    )
  }
  return reply
}

/** Faults of the same effect take turns: see test/case-choice.ts. */
export const variants = <T>({ harness, entityType }: Subject, name: string, alike: readonly T[]) =>
  inTurns(alike, `${harness.connector.id} ${entityType} ${name}`)
type Kind = Fault['kind']

/** Exactly one record is left, with all its values, whichever call of the write loses its response. */
export async function loseResponses(subject: Subject, kinds: readonly (() => Kind)[]): Promise<void> {
  const { sandbox, connector } = subject.harness
  for (const nextKind of kinds) {
    for (let skip = 0; skip < 8; skip++) {
      const kind = nextKind()
      const record = await subject.fullRecord()
      const before = subject.native.ids()
      sandbox.fault(connector.id, { kind, skip, times: 1 })
      const reply = await persist(subject, record)
      const met = sandbox.faults(connector.id).length === 0
      sandbox.clearFaults(connector.id)
      expect([kind, skip, reply.status < 300, reply.body.code]).toEqual([kind, skip, true, undefined])
      expect([kind, skip, nativeAfter(subject, before)]).toEqual([kind, skip, [reply.body.data.externalId]])
      for (const { pointer, value } of storable(record, subject))
        expect([kind, skip, pointer, placesOf(reply.body.data, pointer)[0]?.value]).toEqual([
          kind,
          skip,
          pointer,
          value,
        ])
      if (met) continue
      expect(skip, 'calls of a create').toBeGreaterThan(0)
      break
    }
  }
}

export const lostResponseCase: Case = {
  name: 'a response lost at any call, before or after the platform did the work, leaves exactly one record',
  run: (subject) =>
    loseResponses(subject, [
      ...variants<Kind>(subject, 'lost create', ['reset_after', 'error_after', 'truncated']),
      () => 'reset_before',
    ]),
}

export const writeCases: Case[] = [
  {
    name: 'every field that the platform stores is returned as it was written; every other one is named in a warning',
    async run(subject) {
      const record = await subject.fullRecord()
      const { status, body, headers } = await subject.create(record)
      expect(status, JSON.stringify(body)).toBe(201)
      expect(body.success).toBe(true)
      expect(body.reference).toEqual({ externalId: record.externalId, id: body.data.externalId, replayed: false })
      for (const { pointer, value } of storable(record, subject))
        expect([pointer, placesOf(body.data, pointer)[0]?.value]).toEqual([pointer, value])
      const undeclared = (body.warnings ?? []).filter(
        ({ pointer, code }: { pointer: string; code: string }) =>
          !isReference(pointer) &&
          !(code === 'derived' ? subject.support.derived : notStoredPatterns(subject)).some((pattern) =>
            matches(pointer, pattern),
          ),
      )
      expect(undeclared, 'warnings that the support matrix does not announce').toEqual([])
      const warned = (body.warnings ?? []).map(({ pointer }: { pointer: string }) => pointer)
      const dropped = Object.keys(record).filter(
        (name) =>
          name !== 'externalId' &&
          body.data[name] === undefined &&
          !warned.some((pointer: string) => pointer === `/${name}` || pointer.startsWith(`/${name}/`)),
      )
      expect(dropped, 'fields dropped without a warning').toEqual([])
      const single = await subject.harness.call(
        'GET',
        `${subject.path}/${encodeURIComponent(body.data.externalId)}`,
        undefined,
        { prefer: 'wait=60' },
      )
      expect(single.body.data).toEqual(body.data)
      expect(headers.get('etag')).toBe(single.headers.get('etag'))
      expect(subject.native.ids()).toContain(body.data.externalId)
    },
  },
  {
    name: 'the same key and content is replayed, different content is a conflict, and nothing is written twice',
    async run(subject) {
      const record = await subject.fullRecord()
      const before = subject.native.ids()
      const first = await subject.create(record)
      expect(first.status, JSON.stringify(first.body)).toBe(201)
      const again = await subject.create(Object.fromEntries(Object.entries(record).toReversed()))
      expect(again.headers.get('etag'), 'the record may have changed since').toBeNull()
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
      expect(again.body).toEqual({ ...first.body, reference: { ...first.body.reference, replayed: true } })
      const field = record.name === undefined ? 'note' : 'name'
      const changed = { ...record, [field]: `${record[field]} changed` }
      const conflict = await subject.create(changed)
      expect([conflict.status, conflict.body.code, conflict.body.id]).toEqual([
        409,
        'idempotency_conflict',
        first.body.data.externalId,
      ])
      expect(nativeAfter(subject, before)).toEqual([first.body.data.externalId])
    },
  },
  {
    name: 'one key posted by ten concurrent callers is written once, and all get the same response',
    async run(subject) {
      const record = await subject.fullRecord()
      const before = subject.native.ids()
      const replies = await Promise.all(Array.from({ length: 10 }, () => subject.create(record)))
      expect(replies.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([
        ...Array(9).fill(200),
        201,
      ])
      expect(new Set(replies.map(({ body }) => JSON.stringify(body.data))).size).toBe(1)
      expect(nativeAfter(subject, before)).toHaveLength(1)
    },
  },
  {
    name: 'a reference to an unknown record is a 422 that names the field and what to do',
    async run(subject) {
      for (const field of ['customerExternalId', 'categoryExternalId', 'productExternalId'] as const) {
        const record = await subject.fullRecord()
        const pointer = field === 'productExternalId' ? '/lineItems/0/productExternalId' : `/${field}`
        const leaf = placesOf(record, pointer)[0]
        if (!leaf || !isStored(subject.support, pointer)) continue
        leaf.set('no-such-record-404')
        const before = subject.native.ids()
        const { status, body } = await subject.create(record)
        expect(
          [field, status, body.errors?.map((error: { pointer: string }) => error.pointer)],
          JSON.stringify(body),
        ).toEqual([field, 422, expect.arrayContaining([pointer])])
        const { message } = body.errors.find((error: { pointer: string }) => error.pointer === pointer)
        expect(message).toMatch(
          /^No \w+ was written or linked under the source id "no-such-record-404", and .+ does not/,
        )
        const referenced = field.slice(0, -'ExternalId'.length) as EntityType
        expect(body.detail).toContain(
          subject.harness.connector.entities[referenced]?.create
            ? 'Write the referenced records first, link their platform ids'
            : 'Link the platform ids of the referenced records',
        )
        expect(nativeAfter(subject, before)).toEqual([])
        // The key is free again.
        leaf.set((await subject.fullRecord())[field] ?? (await subject.fullRecord()).lineItems[0].productExternalId)
        expect((await subject.create(record)).status).toBe(201)
      }
    },
  },
]

/** The record with different content in a field that the platform stores. */
export function changeOf(subject: Subject): (record: AnyRecord) => AnyRecord {
  const stores = (name: string) => isStored(subject.support, `/${name}`)
  if (entities[subject.entityType].leftOut.partsOfName.length > 0 && stores('lastName'))
    return (record) => {
      const lastName = freshKey('Johnson')
      return { ...record, firstName: 'Katherine', lastName, name: `Katherine ${lastName}` }
    }
  const field = ['name' in entities[subject.entityType].example ? 'name' : 'note'].find(stores)
  if (!field) throw new Error(`no field to change: ${subject.entityType} of ${subject.harness.connector.id}`)
  return (record) => ({ ...record, [field]: `Changed ${freshKey('x')}` })
}

/** The harness checks that no field has a second warning, and that `value_unknown` is not about a field that is there. */
export const otherNameCase: Case = {
  name: 'a name that the platform shows in another form has one warning, which says so',
  async run(subject) {
    const check = ({ status, body }: Reply, record: AnyRecord) => {
      expect(status, JSON.stringify(body)).toBeLessThan(300)
      const told = (body.warnings ?? []).filter(({ pointer }: { pointer?: string }) => pointer === '/name')
      const codes = told.map(({ code }: { code: string }) => code)
      expect(codes).toEqual(body.data.name === record.name ? [] : ['derived'])
    }
    for (const omitted of [[], ['firstName', 'lastName', 'companyName']]) {
      const whole = {
        ...(await subject.fullRecord()),
        firstName: 'Katherine',
        lastName: 'Johnson',
        companyName: 'Orbit',
      }
      const kept = Object.entries(whole).filter(([name]) => !omitted.includes(name))
      const record: AnyRecord = { ...Object.fromEntries(kept), name: freshKey('Flight Research') }
      const made = await subject.create(record)
      if (made.body.code === 'target_requires') continue
      check(made, record)
      if (!subject.support.update) continue
      const again = { ...record, externalId: made.body.data.externalId, name: freshKey('Orbital Mechanics') }
      const single = `${subject.path}/${encodeURIComponent(again.externalId)}`
      check(await subject.harness.call('PUT', single, again, { prefer: 'wait=60' }), again)
    }
  },
}

export const updateCases: Case[] = [
  {
    name: 'writing back an unmodified record changes nothing',
    async run(subject) {
      const record = await subject.fullRecord()
      const created = subject.support.write ? await subject.create(record) : undefined
      const seeded = subject.native.ids()[0] as string
      for (const id of [created?.body.data.externalId, subject.support.write ? undefined : seeded].filter(Boolean)) {
        const single = `${subject.path}/${encodeURIComponent(id)}`
        const before = await subject.harness.call('GET', single, undefined, { prefer: 'wait=60' })
        const put = await subject.harness.call('PUT', single, before.body.data, { prefer: 'wait=60' })
        expect(put.status, JSON.stringify(put.body)).toBe(200)
        const after = await subject.harness.call('GET', single, undefined, { prefer: 'wait=60' })
        expect(after.body.data).toEqual(before.body.data)
        expect(put.body.data).toEqual(before.body.data)
      }
    },
  },
  {
    name: 'an update of an unknown id is 404',
    async run(subject) {
      const { status, body } = await subject.harness.call(
        'PUT',
        `${subject.path}/does-not-exist-404`,
        await subject.fullRecord(),
        { prefer: 'wait=60' },
      )
      expect([status, body.code]).toEqual([404, 'record_not_found'])
    },
  },
]

export const lostPutCase: Case = {
  name: 'a changed field is stored, and a PUT with a lost response succeeds when it is retried',
  async run(subject) {
    const { sandbox, connector } = subject.harness
    const id = subject.support.write
      ? (await subject.create(await subject.fullRecord())).body.data.externalId
      : subject.native.ids()[0]
    const single = `${subject.path}/${encodeURIComponent(id)}`
    const read = async () =>
      (await subject.harness.call('GET', single, undefined, { prefer: 'wait=60' })).body.data as AnyRecord
    const put = (record: AnyRecord) => subject.harness.call('PUT', single, record, { prefer: 'wait=60' })
    const change = changeOf(subject)
    sandbox.clearCalls(connector.id)
    const first = change(await read())
    const stored = await put(first)
    expect(stored.status, JSON.stringify(stored.body)).toBe(200)
    let last = await read()
    expect(last).toEqual(first)
    const before = subject.native.ids().toSorted()
    const after = variants<Kind>(subject, 'lost put', ['reset_after', 'error_after'])
    for (const nextKind of [() => 'reset_before' as const, ...after]) {
      for (let skip = 0; skip < 24; skip++) {
        const kind = nextKind()
        const next = change(last)
        sandbox.fault(connector.id, { kind, skip, times: 1 })
        const reply = await put(next)
        const met = sandbox.faults(connector.id).length === 0
        sandbox.clearFaults(connector.id)
        // Without the platform's response a PUT may fail, but only with a retryable error.
        if (reply.status !== 200) {
          expect([kind, skip, reply.status >= 500 || reply.body.code]).toEqual([
            kind,
            skip,
            expect.toSatisfy((outcome) => outcome === true || outcome === 'outcome_unknown'),
          ])
          const again = await put(next)
          expect([kind, skip, again.status], JSON.stringify(again.body)).toEqual([kind, skip, 200])
        }
        last = await read()
        expect([kind, skip, last]).toEqual([kind, skip, next])
        expect([kind, skip, subject.native.ids().toSorted()]).toEqual([kind, skip, before])
        if (met) continue
        expect(skip, 'calls of a put: at least one that reads and one that writes').toBeGreaterThan(1)
        break
      }
    }
  },
}

/** For entities that refer to others. */
export const putBackCase: Case = {
  name: 'a record that is put back keeps its references, even where a source id has the same text',
  async run(subject) {
    const { harness, vertical, entityType } = subject
    const references = Object.entries(entities[entityType].references)
    const seeded = (await subject.list('?pageSize=50')).body.data as AnyRecord[]
    const written = subject.support.write ? (await subject.create(await subject.fullRecord())).body.data : undefined
    const held = (record: AnyRecord) =>
      references.flatMap(([pattern, type]) => placesOf(record, pattern).map(({ value }) => ({ type, value })))
    const records = [seeded.find((record) => held(record).length > 0), written].filter(Boolean) as AnyRecord[]
    for (const record of records) {
      // Each id that it refers to becomes a source id of another record.
      for (const { type, value } of held(record)) {
        const others = entities[type].linked ? subject.tenant.locations : subject.tenant.records[type]?.ids()
        const nativeId = others?.find((id) => id !== value) ?? 'another-record'
        const linked = await harness.manage('PUT', `/accounts/${harness.accountId(vertical)}/references`, {
          entityType: type,
          sourceId: value,
          nativeId,
        })
        expect(linked.status, JSON.stringify(linked.body)).toBe(200)
      }
      const single = `${subject.path}/${encodeURIComponent(record.externalId)}`
      const before = await harness.call('GET', single, undefined, { prefer: 'wait=60' })
      const put = await harness.call('PUT', single, before.body.data, { prefer: 'wait=60' })
      for (const { type, value } of held(record))
        await harness.manage(
          'DELETE',
          `/accounts/${harness.accountId(vertical)}/references/${type}/${encodeURIComponent(String(value))}`,
        )
      expect(put.status, JSON.stringify(put.body)).toBe(200)
      const after = await harness.call('GET', single, undefined, { prefer: 'wait=60' })
      expect(held(after.body.data)).toEqual(held(before.body.data))
      const warned = (put.body.warnings ?? []).filter(({ code }: { code: string }) => code === 'reference_assumed')
      expect(warned).toEqual([])
    }
  },
}
