// One table for the fields of a flat entity: it reads a native row, writes a unified record, and declares what a write
// declares. A field whose value depends on several native ones stays a function beside the table.
import type { Mapping, Write } from '../contract/connector.ts'
import type { UnifiedRecord } from '../contract/entities/index.ts'
import type { EntityType, Pointer } from '../contract/entity.ts'
import { setAt, stepsOf, takerAt } from '../contract/pointer.ts'
import { filled, members, text } from './fields.ts'

/** JSON pointers into an object, and into the objects in it, but not into lists. */
export type PointerInto<T> = T extends readonly unknown[]
  ? never
  : {
      [K in keyof T & string]:
        | `/${K}`
        | (NonNullable<T[K]> extends readonly unknown[]
            ? never
            : NonNullable<T[K]> extends object
              ? `/${K}${PointerInto<NonNullable<T[K]>>}`
              : never)
    }[keyof T & string]
type ValueAt<T, P> = P extends `/${infer K}/${infer Rest}`
  ? K extends keyof T
    ? ValueAt<NonNullable<T[K]>, `/${Rest}`>
    : never
  : P extends `/${infer K extends keyof T & string}`
    ? NonNullable<T[K]>
    : never

interface FieldOptions<Value, Native extends string, Row> {
  /** The reader of the native value; `text` by default. */
  read?(value: unknown): Value | undefined
  /** In place of `read`: the value out of several native fields. */
  from?(row: Row, mapping: Mapping): Value | undefined
  /** The native value of a write. `false`: the table does not write the field, the adapter does. */
  write?: false | ((value: Value) => unknown)
  /** Read where the native field has no value. */
  or?: Native | readonly Native[]
  /** The platform does not store the field, and says what it has: `notStored`. */
  stored?: false
  /** Only these values are not stored. */
  notStored?: readonly string[]
  /** An update without the field leaves it as it is; by default it is cleared. */
  keeps?: true
  longest?: number
  required?: true
  only?: readonly string[]
  /** More names of the field in the platform's errors. */
  errors?: readonly string[]
}
type NotText<Value, Row> = { read(value: unknown): Value | undefined } | Derived<Value, Row>
/** A field without a native one of its own. */
interface Derived<Value, Row> {
  from(row: Row, mapping: Mapping): Value | undefined
  stored?: false
  notStored?: readonly string[]
}
type Field<Value, Native extends string, Row> =
  | (Value extends string ? Native : never)
  | readonly [Native, FieldOptions<Value, Native, Row> & (string extends Value ? unknown : NotText<Value, Row>)]
  | Derived<Value, Row>
  /** The platform has no such field: nothing is read, and nothing is stored. */
  | null

/** Unified field -> native field, both as JSON pointers. */
export type Fields<Unified, Row> = {
  readonly [P in PointerInto<Unified>]?: Field<ValueAt<Unified, P>, PointerInto<Row>, Row>
}
type Body = Record<string, unknown>

interface TableOptions {
  /** The value that clears a native field in an update; null by default. */
  cleared?: null | ''
  /** Texts are written without white space around them, and blank ones as absent. */
  trimmed?: true
  /** The name of a native field in the platform's errors: its steps joined by dots by default. */
  nameInErrors?(steps: readonly string[]): string
  /** More names in the platform's errors; they count before those of the fields. */
  errors?: Readonly<Record<string, Pointer>>
}
export interface FieldTable<Unified, Row> {
  /** The fields of the table; undefined for what the row does not have. */
  read(row: Row, externalId: string, mapping?: Mapping): Partial<Unified>
  /** The native body that creates a record: only what it has. */
  body(record: Partial<Unified>): Body
  /** The native body of an update that sets every field; what the record lacks is cleared. */
  replacement(record: Partial<Unified>): Body
  /** The same with only the fields that differ from the row. */
  differences(record: Partial<Unified>, row: Row): Body
  /** The declarations of the writes for the adapter. */
  write: Pick<Write<EntityType>, 'fields' | 'longest' | 'notStored' | 'requires' | 'values'>
}

type AnyOptions = FieldOptions<unknown, string, unknown>
type AnyField = string | readonly [string, AnyOptions] | Derived<unknown, unknown> | null
interface Entry {
  unified: Pointer
  native: readonly string[] // the field itself, then those that are read in its place
  options: AnyOptions
}

export function fieldTable<E extends EntityType, Row>(
  fields: Fields<UnifiedRecord<E>, Row>,
  { cleared = null, trimmed, nameInErrors = (steps) => steps.join('.'), errors }: TableOptions = {},
): FieldTable<UnifiedRecord<E>, Row> {
  type Unified = UnifiedRecord<E>
  const entries = Object.entries(fields as Record<Pointer, AnyField>).map(([unified, field]): Entry => {
    const [native, options] = partsOf(field)
    return {
      unified: unified as Pointer,
      native: native === undefined ? [] : [native, ...[options.or ?? []].flat()],
      options,
    }
  })
  const written = entries.filter(
    ({ native, options: { stored, write } }) => native.length > 0 && stored !== false && write !== false,
  )
  const taker = (pointer: Pointer) => (trimmed ? withoutSpace(takerAt(pointer)) : takerAt(pointer))
  const writers = written.map(({ unified, native, options: { write, required, keeps = required } }) => ({
    take: taker(unified),
    to: native[0]!,
    convert: write || ((value: unknown) => value),
    keeps: keeps === true,
  }))
  const wholes = wholesOf(written)

  const read = recordReader(entries) as FieldTable<Unified, Row>['read']
  const readWritten = recordReader(written)
  const body = (record: Partial<Unified>): Body => {
    const made: Body = {}
    for (const { take, to, convert } of writers) {
      const value = take(record)
      const native = value === undefined ? undefined : convert(value)
      if (native !== undefined) setAt(made, to, native)
    }
    return made
  }
  const replacement = (record: Partial<Unified>): Body => {
    const made: Body = {}
    for (const { take, to, convert, keeps } of writers) {
      const value = take(record)
      if (value !== undefined) setAt(made, to, convert(value) ?? cleared)
      else if (!keeps) setAt(made, to, cleared)
    }
    // An object that null clears is cleared as a whole.
    if (cleared === null)
      for (const { unified, native } of wholes) if (takerAt(unified)(record) === undefined) setAt(made, native, null)
    return made
  }
  const differences = (record: Partial<Unified>, row: Row): Body => {
    const made: Body = {}
    const before = readWritten(row)
    for (const { take, to, convert, keeps } of writers) {
      const value = take(record)
      if ((value === undefined && keeps) || isSame(value, take(before))) continue
      setAt(made, to, (value === undefined ? undefined : convert(value)) ?? cleared)
    }
    return made
  }

  const named = entries
    .filter(({ options }) => options.stored !== false)
    .flatMap(({ unified, native, options }) => [
      ...native.map((one) => [nameInErrors(stepsOf(one)), unified] as const),
      ...(options.errors ?? []).map((name) => [name, unified] as const),
    ])
  const declared = <T>(pick: (options: AnyOptions) => T | undefined): Record<Pointer, T> =>
    Object.fromEntries(
      entries.flatMap(({ unified, options }) => {
        const found = pick(options)
        return found === undefined ? [] : [[unified, found]]
      }),
    )
  const notStored = declared(({ stored, notStored: values }) => (stored === false ? (true as const) : values))
  const requires = Object.keys(declared(({ required }) => required)) as Pointer[]
  const write: FieldTable<Unified, Row>['write'] = {
    fields: {
      ...Object.fromEntries(wholes.map(({ unified, native }) => [nameInErrors(stepsOf(native)), unified])),
      ...Object.fromEntries(named),
      ...errors,
    },
    ...present(
      'longest',
      declared(({ longest }) => longest),
    ),
    ...present('notStored', notStored),
    ...present(
      'values',
      declared(({ only }) => (only ? { only } : undefined)),
    ),
    ...(requires.length > 0 && { requires }),
  }
  return { read, body, replacement, differences, write }
}
const partsOf = (field: AnyField): [string | undefined, AnyOptions] => {
  if (field === null) return [undefined, { stored: false }]
  if (typeof field === 'string') return [field, {}]
  return Array.isArray(field) ? [field[0], field[1]] : [undefined, field as AnyOptions]
}
const present = <N extends string, T extends object>(name: N, value: T): { [K in N]?: T } =>
  (Object.keys(value).length > 0 ? { [name]: value } : {}) as { [K in N]?: T }

const withoutSpace =
  (take: (record: unknown) => unknown) =>
  (record: unknown): unknown => {
    const value = take(record)
    return typeof value === 'string' ? text(value) : value
  }
/** Blank is the same as absent, and white space around a text does not count: readers leave it out. */
const isSame = (desired: unknown, present: unknown): boolean =>
  typeof desired === 'string' ? (desired.trim() || undefined) === present : desired === present

/**
 * Reads all fields in one function that is generated from the table, as normalizers are: it runs for every record of a
 * page, and a loop over closures took twice as long. Only pointers of the table become code.
 */
function recordReader(entries: readonly Entry[]): (row: unknown, externalId?: string, mapping?: Mapping) => object {
  const quoted = JSON.stringify
  const lines: string[] = []
  const objects = new Map<string, string>()
  /** The variable with the members of a native object; each object is read once. */
  const inside = (steps: readonly string[]): string => {
    if (steps.length === 0) return 'row'
    const path = quoted(steps)
    const known = objects.get(path)
    if (known) return known
    const name = `native${objects.size}`
    lines.push(`const ${name} = members(${inside(steps.slice(0, -1))}[${quoted(steps.at(-1))}])`)
    objects.set(path, name)
    return name
  }
  const functions: unknown[] = []
  /** The variable with a reader. */
  const reader = (read: unknown): string =>
    `read${functions.includes(read) ? functions.indexOf(read) : functions.push(read) - 1}`
  const made: Record<string, string | Record<string, string>> = { externalId: 'externalId' }
  for (const { unified, native, options } of entries) {
    const { from, read = text } = options
    const values = (from ? [] : native).map((pointer) => {
      const steps = stepsOf(pointer)
      return `${reader(read)}(${inside(steps.slice(0, -1))}[${quoted(steps.at(-1))}])`
    })
    if (from) setAt(made, unified, `${reader(from)}(row, mapping)`)
    else if (values.length > 0) setAt(made, unified, values.join(' ?? '))
  }
  const literal = (object: typeof made): string =>
    `{ ${Object.entries(object)
      .map(([name, value]) => `${quoted(name)}: ${typeof value === 'string' ? value : `filled(${literal(value)})`}`)
      .join(', ')} }`
  const code = `${functions.map((_, index) => `const read${index} = functions[${index}]`).join('\n')}
return (row, externalId, mapping) => {
${lines.join('\n')}
return ${literal(made)}
}`
  return new Function('members', 'filled', 'functions', code)(members, filled, functions)
}

/** Native objects with all their fields from one unified object, such as an address. */
function wholesOf(entries: readonly Entry[]): { unified: Pointer; native: string }[] {
  const owners = new Map<string, Set<string>>()
  for (const { unified, native } of entries) {
    const inside = parentOf(native[0]!)
    if (inside !== '') owners.set(inside, (owners.get(inside) ?? new Set()).add(parentOf(unified)))
  }
  return [...owners].flatMap(([native, unified]) => {
    const [owner = ''] = unified
    return unified.size === 1 && owner !== '' ? [{ unified: owner as Pointer, native }] : []
  })
}
const parentOf = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf('/'))
