// The fields that a PUT leaves out: before the write, those that cannot be cleared get the value that the record holds;
// after it, a warning names every one that still has a value.
import type { TSchema } from 'typebox'
import type { Connector, EntityAdapter } from '../../contract/connector.ts'
import type { ListField } from '../../contract/define-entity.ts'
import type { UnifiedRecord } from '../../contract/entities/index.ts'
import type { EntityDefinition, EntityType, Pointer } from '../../contract/entity.ts'
import type { Warning } from '../../contract/errors.ts'
import { placesOf, setAt, valueAt } from '../../contract/pointer.ts'
import { isReference } from '../../contract/reference.ts'
import { isWholeName } from '../../contract/whole-name.ts'
import type { Target } from '../target.ts'
import { canonical, differences } from './canonical.ts'

type Update = NonNullable<EntityAdapter<EntityType>['update']>
type Fields = Record<string, unknown>

const entriesOf = (record: object | undefined, { pointer }: ListField): readonly Fields[] =>
  ((record as Fields | undefined)?.[pointer.slice(1)] as Fields[] | undefined) ?? []

/**
 * The entry of a list that an entry of the record replaces: the one in its place, if it is of the same thing, such as
 * the same product. An entry that names no thing is of the same one if the other names none either, or if the platform
 * has no entries without one.
 */
function replaced(
  entry: Fields,
  held: Fields | undefined,
  { pointer, sameBy }: ListField,
  keeps: readonly Pointer[],
): Fields | undefined {
  if (!held) return undefined
  const [first] = sameBy
  const telling = sameBy.find((field) => entry[field] !== undefined)
  const same =
    telling !== undefined
      ? entry[telling] === held[telling]
      : first === undefined || held[first] === undefined || keeps.includes(`${pointer}/*/${first}`)
  return same ? held : undefined
}

/**
 * A field that is as the default read mapping shows it was not changed: it stays what the platform holds. Otherwise a
 * record that is put back would write the values of the mapping.
 */
export function unmapped(
  record: UnifiedRecord,
  shown: UnifiedRecord | undefined,
  held: UnifiedRecord | undefined,
): UnifiedRecord {
  if (!shown || !held) return record
  const same = (left: unknown, right: unknown) => canonical(left) === canonical(right)
  const stays = Object.entries(record).filter(
    ([name, value]) =>
      name !== 'externalId' &&
      same(value, (shown as unknown as Fields)[name]) &&
      !same(value, (held as unknown as Fields)[name]),
  )
  const changed = { ...record } as unknown as Fields
  for (const [name] of stays) {
    const value = (held as unknown as Fields)[name]
    if (value === undefined) delete changed[name]
    else changed[name] = value
  }
  return changed as unknown as UnifiedRecord
}

/**
 * Takes the null out of fields that stay in an update unless they are null. Returns their pointers: they are cleared.
 */
export function takeCleared(body: unknown, { leftOut }: EntityDefinition): Pointer[] {
  const nulls = leftOut.stays.flatMap((pattern) => placesOf(body, pattern).filter(({ value }) => value === null))
  for (const place of nulls) place.set(undefined)
  return nulls.map(({ pointer }) => pointer as Pointer)
}

/** The record without the fields that only the platform sets. */
export function withoutComputed(record: UnifiedRecord, { computed }: EntityDefinition): UnifiedRecord {
  if (!computed.some((pattern) => placesOf(record, pattern).length > 0)) return record
  const less = structuredClone(record)
  for (const pattern of computed) for (const place of placesOf(less, pattern)) place.set(undefined)
  return less
}

/**
 * The record with the values of the fields that it leaves out and that stay, and without those that only the platform
 * sets. `held` is what the platform has now; `before` is what it had when the update began; `cleared` are fields that do
 * not stay.
 */
export function complete(
  record: UnifiedRecord,
  held: UnifiedRecord | undefined,
  before: UnifiedRecord | undefined,
  update: Update,
  definition: EntityDefinition,
  cleared: readonly Pointer[] = [],
): UnifiedRecord {
  if (!held) return withoutComputed(record, definition)
  const { leftOut, lists } = definition
  const full = structuredClone(record) as UnifiedRecord & Fields
  const fill = (to: Fields, from: object, pointer: string, at = '') => {
    if ((cleared as readonly string[]).includes(at + pointer)) return
    const value = valueAt(to, pointer) === undefined ? valueAt(from, pointer) : undefined
    if (value !== undefined) setAt(to, pointer, value)
  }
  for (const pointer of [...leftOut.keeps, ...leftOut.stays]) fill(full, held, pointer)
  const keeps = update.keeps?.(full) ?? []
  for (const pointer of keeps) fill(full, held, pointer)
  for (const list of lists) {
    const ofEntries = `${list.pointer}/*`
    for (const [n, entry] of entriesOf(full, list).entries()) {
      const old = replaced(entry, entriesOf(before, list)[n], list, keeps)
      if (!old) continue
      for (const field of list.sameBy.slice(0, 1)) fill(entry, old, `/${field}`)
      for (const pointer of [...leftOut.keeps, ...leftOut.stays, ...keeps])
        if (pointer.startsWith(`${ofEntries}/`))
          fill(entry, old, pointer.slice(ofEntries.length), `${list.pointer}/${n}`)
    }
  }
  return withoutComputed(full, definition)
}

/** True if the record leaves out a field that has a value. */
export const leavesOut = (record: UnifiedRecord, held: UnifiedRecord): boolean =>
  differences(held, record).some(({ asked }) => asked === undefined)

/** A warning for every field that an update left out and that has a value all the same. */
export function keptWarnings(
  sent: UnifiedRecord,
  before: UnifiedRecord,
  returned: UnifiedRecord,
  { adapter, flavor, connector }: Target,
): Warning[] {
  const keeps = adapter.update?.keeps?.(sent) ?? []
  const { leftOut, lists, computed } = flavor.definition
  const silent = new Set<string>([...leftOut.follows, ...leftOut.stays, ...computed])
  const found: Warning[] = []
  const walk = (schema: TSchema, asked: Fields, held: Fields, now: Fields, pointer: string, pattern: string) => {
    for (const [name, property] of Object.entries(propertiesOf(schema))) {
      const [value, at, like] = [now[name], `${pointer}/${name}`, `${pattern}/${name}`]
      if (value === undefined || isEmpty(value)) continue
      if (asked[name] === undefined) {
        const moved = leftOut.keeps.includes(like as Pointer) && held[name] !== undefined && !same(value, held[name])
        if (silent.has(like) || (!moved && same(value, leftOut.defaults[like as Pointer]))) continue
        if (leftOut.partsOfName.includes(like as Pointer) && isWholeName(asked.name, { ...now, ...asked })) continue
        if (same(value, held[name])) found.push(kept(at))
        else if (isObject(value)) walk(property, {}, fieldsOf(held[name]), value, at, like)
        else if (!isReference(value)) found.push(replacedBy(connector, at, value))
      } else if (isObject(value)) walk(property, fieldsOf(asked[name]), fieldsOf(held[name]), value, at, like)
    }
  }
  walk(flavor.read.schema, sent as Fields, before as Fields, returned as Fields, '', '')
  for (const list of lists) {
    const { items } = (propertiesOf(flavor.read.schema)[list.pointer.slice(1)] ?? {}) as { items?: TSchema }
    for (const [n, entry] of entriesOf(sent, list).entries()) {
      const [old, now] = [replaced(entry, entriesOf(before, list)[n], list, keeps), entriesOf(returned, list)[n]]
      if (items && old && now) walk(items, entry, old, now, `${list.pointer}/${n}`, `${list.pointer}/*`)
    }
  }
  return found
}
const propertiesOf = (schema: TSchema) => (schema as { properties?: Record<string, TSchema> }).properties ?? {}
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {})
const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0
const same = (left: unknown, right: unknown) => right !== undefined && canonical(left) === canonical(right)

const kept = (pointer: string): Warning => ({
  code: 'kept',
  pointer,
  message: 'The request leaves this field out, and it keeps its value.',
})
const replacedBy = (connector: Connector, pointer: string, value: unknown): Warning => ({
  code: 'derived',
  pointer,
  message: `The request leaves this field out, and ${connector.name} has ${JSON.stringify(value)}.`,
})

/**
 * Values that the service made up because the platform needs one, where the record leaves the field out. One that the
 * record had before is kept, which is another warning.
 */
export const invented = (
  sent: UnifiedRecord,
  before: UnifiedRecord | undefined,
  returned: UnifiedRecord,
  connector: Connector,
): Warning[] =>
  Object.entries(returned)
    .filter(([name, value]) => (sent as Fields)[name] === undefined && isReference(value))
    .filter(([name, value]) => !same(value, (before as Fields | undefined)?.[name]))
    .map(([name, value]) => ({
      code: 'derived',
      pointer: `/${name}`,
      message: `${connector.name} needs a value, and the request has none: the service set ${JSON.stringify(value)}.`,
    }))
