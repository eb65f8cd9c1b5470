// What becomes of the fields that a write leaves out or leaves empty, and of values that have several spellings.
import { expect } from 'vitest'
import type { LeftOut } from '../contract/define-entity.ts'
import { entities } from '../contract/entities/index.ts'
import type { Pointer } from '../contract/entity.ts'
import { isWithin, matches, placesOf, setAt, valueAt } from '../contract/pointer.ts'
import { flavorOf } from '../contract/validation.ts'
import { isWholeName } from '../contract/whole-name.ts'
import { leavesOf } from '../engine/explorer/changed-leaves.ts'
import type { Case } from './case.ts'
import type { Reply } from './harness.ts'
import { type AnyRecord, freshKey, isStored, type Subject } from './subject.ts'

interface Property {
  type?: string
  format?: string
  enum?: string[]
  properties?: Record<string, Property>
  items?: Property
  required?: string[]
}
const schemaOf = ({ vertical, entityType }: Subject) => flavorOf(vertical, entityType)?.write.schema as Property

/** The required fields alone. Of a line also its product, so that it is the same line. */
function required(record: AnyRecord, { properties = {}, required: names = [] }: Property): AnyRecord {
  const wanted = Object.keys(properties).filter(
    (name) => (names.includes(name) || name === 'productExternalId') && record[name] !== undefined,
  )
  return Object.fromEntries(
    wanted.map((name) => {
      const { items } = properties[name] as Property
      return [name, items ? record[name].map((entry: AnyRecord) => required(entry, items)) : record[name]]
    }),
  )
}
/** Sends a record; what the platform requires besides is taken from the full record. */
async function withRequired(
  record: AnyRecord,
  full: AnyRecord,
  send: (record: AnyRecord) => Promise<Reply>,
  codes = ['target_requires'],
) {
  for (let attempt = 0; ; attempt++) {
    const reply = await send(record)
    const missing = codes.includes(reply.body.code) ? (reply.body.errors as { pointer: string }[]) : []
    if (attempt === 8 || missing.length === 0) return { reply, record }
    for (const { pointer } of missing) setAt(record, pointer, valueAt(full, pointer))
  }
}
const single = (subject: Subject, id: string) => `${subject.path}/${encodeURIComponent(id)}`
const patient = { prefer: 'wait=60' }
const get = (subject: Subject, id: string) => subject.harness.call('GET', single(subject, id), undefined, patient)
const read = async (subject: Subject, id: string) => (await get(subject, id)).body.data as AnyRecord
const put = (subject: Subject, id: string) => (record: AnyRecord) =>
  subject.harness.call('PUT', single(subject, id), record, patient)
async function created(subject: Subject, change: (record: AnyRecord) => void = () => {}): Promise<string> {
  if (!subject.support.write) return subject.native.ids()[0] as string
  const record = await subject.fullRecord()
  change(record)
  const { status, body } = await subject.create(record)
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data.externalId
}
const isAt = (pointer: string, patterns: readonly string[]) => patterns.some((pattern) => matches(pointer, pattern))
const isDefault = ({ defaults }: LeftOut, pointer: string, value: unknown) =>
  Object.entries(defaults).some(([pattern, usual]) => matches(pointer, pattern) && usual === value)

export const putCases: Case[] = [
  {
    name: 'a PUT clears every field that it leaves out, or names it in a warning',
    async run(subject) {
      const { leftOut } = entities[subject.entityType]
      const id = await created(subject)
      const before = await read(subject, id)
      const { reply, record } = await withRequired(required(before, schemaOf(subject)), before, put(subject, id))
      expect(reply.status, JSON.stringify(reply.body)).toBe(200)
      const gotten = await get(subject, id)
      const after = gotten.body.data as AnyRecord
      expect(reply.body.data).toEqual(after)
      expect(reply.headers.get('etag')).toBe(gotten.headers.get('etag'))
      const warnings: { code: string; pointer: string }[] = reply.body.warnings ?? []
      const named = warnings.filter(({ code }) => code === 'kept' || code === 'derived').map(({ pointer }) => pointer)
      const omitted = leavesOf(before).filter(({ pointer }) => valueAt(record, pointer) === undefined)
      const silent = omitted.filter(
        ({ pointer }) =>
          valueAt(after, pointer) !== undefined &&
          !named.some((name) => pointer === name || pointer.startsWith(`${name}/`)) &&
          !isAt(pointer, leftOut.follows) &&
          !leftOut.stays.some((pattern) => isWithin(pointer, pattern)) &&
          !isAt(pointer, entities[subject.entityType].computed) &&
          !isDefault(leftOut, pointer, valueAt(after, pointer)) &&
          !(leftOut.partsOfName.includes(pointer as Pointer) && isWholeName(record.name, after)),
      )
      expect(silent, 'fields that stay without a warning').toEqual([])
      for (const { code, pointer } of warnings)
        if (code === 'kept') expect([pointer, valueAt(after, pointer)]).toEqual([pointer, valueAt(before, pointer)])
      for (const { code, pointer } of warnings)
        if (leftOut.partsOfName.includes(pointer as Pointer) && isWholeName(record.name, after))
          expect([code, pointer], 'follows from the name').toEqual([])
      expect(after.processedAt).toEqual(before.processedAt)
      // The same again changes nothing.
      const again = await put(subject, id)(record)
      expect([again.status, again.body.data]).toEqual([200, after])
    },
  },
  {
    name: 'a PUT that leaves out a field without an empty value keeps it: nothing that is inactive becomes active',
    async run(subject) {
      const flags = ['/active', '/taxable'].filter(
        (pointer) => schemaOf(subject).properties?.[pointer.slice(1)] && isStored(subject.support, pointer),
      )
      const id = await created(subject, (record) => {
        for (const pointer of flags) setAt(record, pointer, false)
        // Stock puts a product on sale on some platforms.
        delete record.stockOnHand
        if (record.trackInventory) record.trackInventory = false
      })
      const before = await read(subject, id)
      for (const pointer of flags) expect([pointer, valueAt(before, pointer)]).toEqual([pointer, false])
      const { reply } = await withRequired(required(before, schemaOf(subject)), before, put(subject, id))
      expect(reply.status, JSON.stringify(reply.body)).toBe(200)
      const after = await read(subject, id)
      for (const pattern of entities[subject.entityType].leftOut.keeps)
        for (const { pointer, value } of placesOf(before, pattern))
          expect([pointer, valueAt(after, pointer)]).toEqual([pointer, value])
      const kept = (reply.body.warnings ?? []).filter(({ code }: { code: string }) => code === 'kept')
      expect(kept.map(({ pointer }: { pointer: Pointer }) => pointer)).toEqual(expect.arrayContaining(flags))
    },
  },
]

/** Every optional text that the record leaves out, as an empty one. */
function withEmptyTexts(record: AnyRecord, { properties = {} }: Property): AnyRecord {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, { type, properties: inner, items }]) => {
      const value = record[name]
      if (type === 'string') return [[name, value ?? '']]
      if (inner) return [[name, withEmptyTexts(value ?? {}, { properties: inner })]]
      if (items?.properties && value) return [[name, value.map((entry: AnyRecord) => withEmptyTexts(entry, items))]]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
export const spellingCases: Case[] = [
  {
    name: 'an empty text in an optional field is an absent field',
    async run(subject) {
      const full = await subject.fullRecord()
      const schema = schemaOf(subject)
      const { reply: first, record } = await withRequired(
        required(full, schema),
        full,
        (next) => subject.create(next),
        ['target_requires', 'downstream_rejected'],
      )
      expect(first.status, JSON.stringify(first.body)).toBe(201)
      const empty = withEmptyTexts(record, schema)
      expect(leavesOf(empty).filter(({ value }) => value === '')).not.toEqual([])
      const again = await subject.create(empty)
      expect([again.status, again.body], JSON.stringify(again.body)).toEqual([
        200,
        { ...first.body, reference: { ...first.body.reference, replayed: true } },
      ])
      if (!subject.support.update) return
      const id = first.body.data.externalId
      const without = await put(subject, id)(record)
      const updated = await put(subject, id)(empty)
      expect([updated.status, updated.body], JSON.stringify(updated.body)).toEqual([200, without.body])
      const anchor = schema.properties?.name ? '/name' : '/externalId'
      const refused = await subject.create({ ...empty, externalId: freshKey('empty'), [anchor.slice(1)]: '' })
      expect([refused.status, refused.body.errors]).toEqual([422, [{ pointer: anchor, message: 'must not be empty' }]])
    },
  },
]
/** A number with these characters in the body. TypeScript does not know this function of JSON yet. */
const spelled = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON

export const instantCase: Case = {
  name: 'two spellings of one instant or number under one key are replayed',
  async run(subject) {
    const record = { ...(await subject.fullRecord()), processedAt: '2026-11-10T18:30:00Z' } as AnyRecord
    const first = await subject.create(record)
    expect(first.status, JSON.stringify(first.body)).toBe(201)
    const [line, ...lines] = record.lineItems ?? []
    const same = {
      ...record,
      processedAt: '2026-11-11T00:00:00.000+05:30',
      ...(line
        ? { lineItems: [{ ...line, quantity: spelled(`${line.quantity}.0`) }, ...lines] }
        : { amount: spelled(`${record.amount}e0`) }),
    }
    const again = await subject.create(same)
    expect([again.status, again.body.data], JSON.stringify(again.body)).toEqual([200, first.body.data])
    const other = await subject.create({ ...record, processedAt: '2026-11-10T18:30:00+05:30' })
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict'])
  },
}
