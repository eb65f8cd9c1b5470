// The support matrix must be true: what it asks for is enough, and each part of it is necessary.
import { expect } from 'vitest'
import type { Requirement } from '../contract/connector.ts'
import type { Pointer } from '../contract/entity.ts'
import { placesOf, setAt, valueAt } from '../contract/pointer.ts'
import { flavorOf } from '../contract/validation.ts'
import type { EntitySupport } from '../engine/support.ts'
import type { Case } from './case.ts'
import type { Reply } from './harness.ts'
import { type AnyRecord, freshKey, type Subject } from './subject.ts'

const isSetting = (pointer: string) => pointer.startsWith('/settings/')
const isGiven = (value: unknown) => value !== undefined && value !== 0 && value !== ''
/** All records of these cases have one line. */
const place = (pattern: string) => pattern.replace('/*', '/0')
const has = (record: AnyRecord, pattern: string) => isGiven(valueAt(record, place(pattern)))

/** The matrix of the account, as a caller gets it. */
async function supportOf({ harness, vertical, entityType }: Subject): Promise<EntitySupport> {
  const { body } = await harness.call('GET', `/unified/${harness.accountId(vertical)}`)
  return body.entities[entityType]
}
/** Of an object only one field is given; of a field of the lines, the first value that is not 0. */
function give(record: AnyRecord, full: AnyRecord, pattern: string): void {
  const value = placesOf(full, pattern).find((found) => isGiven(found.value))?.value
  setAt(record, place(pattern), pattern === '/address' ? { city: full.address.city } : value)
}
function bareRecord(full: AnyRecord, subject: Subject): AnyRecord {
  const externalId = freshKey(subject.entityType)
  if (subject.entityType === 'order') return { externalId, lineItems: [{ quantity: full.lineItems[0].quantity }] }
  const schema = flavorOf(subject.vertical, subject.entityType)?.write.schema
  const { required = [] } = (schema ?? {}) as { required?: string[] }
  return { ...Object.fromEntries(required.map((name) => [name, full[name]])), externalId }
}
/** Whether the requirement counts for the record. A fact of the platform may hold. */
function counts(record: AnyRecord, { without, with: given, is = {}, isNot = {} }: Requirement): boolean {
  const among = (table: Readonly<Record<string, readonly string[]>>) =>
    Object.entries(table).map(([pattern, values]) => values.includes(String(valueAt(record, place(pattern)))))
  return (
    !(without && !isSetting(without) && has(record, without)) &&
    !(given && !has(record, given)) &&
    among(is).every(Boolean) &&
    !among(isNot).some(Boolean)
  )
}
/** Makes the condition of a requirement true. */
function trigger(record: AnyRecord, full: AnyRecord, { without, with: given, is = {} }: Requirement): void {
  if (without && !isSetting(without)) setAt(record, place(without), undefined)
  if (given) give(record, full, given)
  if (Object.keys(is).some((pattern) => pattern.startsWith('/address/'))) give(record, full, '/address')
  for (const [pattern, [value]] of Object.entries(is)) setAt(record, place(pattern), value === 'true' ? true : value)
}
/** Adds what the matrix asks for, and no more. `spared` stays absent. */
function complete(record: AnyRecord, full: AnyRecord, support: EntitySupport, spared?: string): void {
  const asked = () => [
    ...support.requires.map((pointer) => ({ pointer: pointer as Pointer })),
    ...support.requiresWhen.filter((one) => counts(record, one)),
  ]
  for (;;) {
    const lacking = asked().find(
      ({ pointer }) => !isSetting(pointer) && pointer !== spared && valueAt(record, place(pointer)) === undefined,
    )
    if (!lacking || placesOf(full, lacking.pointer).length === 0) return
    give(record, full, lacking.pointer)
    if (valueAt(record, place(lacking.pointer)) === undefined)
      setAt(record, place(lacking.pointer), placesOf(full, lacking.pointer)[0]?.value)
  }
}
const refusalOf = ({ status, body }: Reply) => [
  status,
  body.code,
  body.platform,
  body.downstream,
  body.errors?.map(({ pointer }: { pointer: string }) => pointer),
]
const refused = (subject: Subject, code: string, pointer: string) => [
  422,
  code,
  subject.harness.connector.id,
  undefined,
  expect.arrayContaining([pointer]),
]

/** Texts of a record that contain a reference of the service, with their pointers. */
const madeUp = (value: unknown, pointer = ''): { pointer: string; value: string }[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => madeUp(inner, `${pointer}/${name}`))
    : typeof value === 'string' && /\bur[A-Za-z0-9]{14}\b/.test(value)
      ? [{ pointer, value }]
      : []

/** The values that the schema has for a field; of a text without a list, one that no platform has. */
function possibleValues({ vertical, entityType }: Subject, pointer: string): unknown[] {
  let node = flavorOf(vertical, entityType)?.write.schema as Node | undefined
  for (const step of pointer.slice(1).split('/')) node = step === '*' ? node?.items : node?.properties?.[step]
  return node?.type === 'boolean' ? [true, false] : (node?.enum ?? ['NONE_OF_THEM'])
}
interface Node {
  type?: string
  enum?: string[]
  properties?: Record<string, Node>
  items?: Node
}

export const requirementCases: Case[] = [
  {
    name: 'a value that the service makes up, because the platform needs one, is named in a warning',
    async run(subject) {
      const full = await subject.fullRecord()
      const record = bareRecord(full, subject)
      complete(record, full, await supportOf(subject))
      const { status, body } = await subject.create(record)
      expect(status, JSON.stringify(body)).toBe(201)
      // The platform's id of a new record may be the service's reference.
      const visible = madeUp(body.data).filter(({ pointer }) => pointer !== '/externalId')
      const named = (body.warnings ?? []).filter(({ message }: { message: string }) => madeUp(message).length > 0)
      expect(named.map(({ code, pointer }: AnyRecord) => [code, pointer])).toEqual(
        visible.map(({ pointer }) => ['derived', pointer]),
      )
      for (const [index, { value }] of visible.entries()) expect(named[index].message).toContain(JSON.stringify(value))
    },
  },
  {
    name: 'what the support matrix asks for is enough, and without any part of it the record is refused by name',
    async run(subject) {
      const support = await supportOf(subject)
      for (const base of ['bare', '/address', '/lineItems/*/productExternalId', ...support.requiresWhen]) {
        const full = await subject.fullRecord()
        const record = bareRecord(full, subject)
        const one = typeof base === 'string' ? undefined : base
        if (one) trigger(record, full, one)
        else if (placesOf(full, base as string).length > 0) give(record, full, base as string)
        else if (base !== 'bare') continue
        complete(record, full, support, one?.without)
        const what = JSON.stringify([one, record])
        if (one && isSetting(one.pointer)) {
          const reply = await subject.create(record)
          if (one.fact === undefined || reply.status !== 201)
            expect(refusalOf(reply), what).toEqual(refused(subject, 'target_requires', one.pointer))
          continue
        }
        for (const pointer of one ? [one.pointer] : base === 'bare' ? support.requires : []) {
          const lesser = { ...structuredClone(record), externalId: freshKey('lesser') }
          setAt(lesser, place(pointer), undefined)
          const reply = await subject.create(lesser)
          if (one?.fact === undefined || reply.status !== 201)
            expect(refusalOf(reply), what).toEqual(refused(subject, 'target_requires', place(pointer)))
        }
        const reply = await subject.create(record)
        expect([reply.status, what, reply.body.errors]).toEqual([201, what, undefined])
      }
    },
  },
  {
    name: 'a value outside the list of the support matrix, or a text that is too long, is refused by name',
    async run(subject) {
      const support = await supportOf(subject)
      const written = await subject.create(await subject.fullRecord())
      const single = `${subject.path}/${encodeURIComponent(written.body.data.externalId)}`
      const refuses = async (pointer: string, value: unknown) => {
        const record = await subject.fullRecord()
        const at = place(pointer)
        if (valueAt(record, at) === undefined) return
        setAt(record, at, value)
        expect(refusalOf(await subject.create(record)), at).toEqual(refused(subject, 'target_refuses', at))
        const update = subject.harness.connector.entities[subject.entityType]?.update
        const most = support.longest[pointer]
        if (most === undefined ? !update?.values?.[pointer as Pointer] : update?.longest?.[pointer as Pointer] !== most)
          return
        const body = { ...structuredClone(written.body.data) }
        setAt(body, at, value)
        const reply = await subject.harness.call('PUT', single, body, { prefer: 'wait=60' })
        expect(refusalOf(reply), `PUT ${at}`).toEqual(refused(subject, 'target_refuses', at))
      }
      for (const [pointer, values] of Object.entries(support.values)) {
        const others = possibleValues(subject, pointer).filter((candidate) => !values.includes(String(candidate)))
        for (const value of others) await refuses(pointer, value)
        for (const value of values) {
          const record = await subject.fullRecord()
          if (valueAt(record, place(pointer)) === undefined && pointer !== '/state') continue
          setAt(record, place(pointer), value === 'true' || value === 'false' ? value === 'true' : value)
          const { status, body } = await subject.create(record)
          expect([pointer, value, status], JSON.stringify(body)).toEqual([pointer, value, 201])
        }
      }
      for (const [pointer, most] of Object.entries(support.longest)) {
        const long = 'x'.repeat(most + 1)
        const texts: Record<string, string> = { '/email': `${long}@example.com`, '/imageUrl': `https://e.com/${long}` }
        await refuses(pointer, texts[pointer] ?? long)
      }
    },
  },
]
