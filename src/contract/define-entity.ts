// How an entity type is declared, and what the service derives from its fields: flavors, references, money, lists, what
// a PUT keeps, and what is about a person.
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import type { Warning } from './errors.ts'
import { factsOf, identifier, type ListFacts } from './field.ts'
import type { Vertical } from './vertical.ts'

/** Into a unified record; "/lineItems/*" followed by a field matches that field of every line. */
export type Pointer = `/${string}`
/**
 * `person`: every record is a person. `record`: the whole record is about the person that it names, such as a shift.
 * `fields`: only the fields that name a person or are declared as personal.
 */
export type Personal = 'person' | 'record' | 'fields' | 'none'

/** Lists of objects in a record. */
export interface ListField extends ListFacts {
  pointer: Pointer
  required: boolean
}

/** A sentence about what is wrong with a record as a whole, such as a total that its lines do not make. */
export type Flaw = (
  record: Readonly<Record<string, unknown>>,
) => Pick<Warning, 'code' | 'pointer' | 'message'> | undefined

interface Declaration<P extends TProperties> {
  /** In sentences: "time entry", "time entries". Titles and names of classes and operations follow from them. */
  names: { one: string; many: string }
  verticals: readonly Vertical[]
  writable: boolean
  /** It can be written, but no platform lets a record be replaced: the documents have no such operation. */
  createOnly?: true
  personal: Personal
  /**
   * The groups of fields by which people recognize a record, the surest first. Records with the same ones are doubles.
   */
  identity: readonly (readonly (keyof P & string)[])[]
  /** Callers link its records to those of another platform; a migration does not move them. */
  linked?: true
  /** Connecting asks for the permissions of this type only if the workspace uses it. */
  onRequest?: true
  /** Checked on every record that is read. The record is served all the same. */
  flaw?: Flaw
  /** Without `externalId`, which every record has. */
  fields: P
  example: RecordWith<P>
}
type RecordWith<P extends TProperties> = { externalId: string } & Static<TObject<P>>

/** A declared entity type. `N`: its name in addresses, `R`: its records. */
export interface Declared<N extends string = string, R extends object = object> {
  entityType: N
  /** "Time entry" */
  title: string
  names: { one: string; many: string }
  /** Names of types: "TimeEntry", "TimeEntries". */
  classes: { one: string; many: string }
  verticals: readonly Vertical[]
  writable: boolean
  createOnly: boolean
  personal: Personal
  linked: boolean
  onRequest: boolean
  fields: TObject
  /** Fields that only some verticals have. */
  only: Readonly<Record<Pointer, readonly Vertical[]>>
  references: Readonly<Record<Pointer, N>>
  money: readonly Pointer[]
  lists: readonly ListField[]
  /** Names of the objects in a record, by their pointer, for the OpenAPI documents: "OrderLineItem", "Address". */
  objects: Readonly<Record<Pointer, string>>
  identity: readonly (readonly string[])[]
  /** Texts of which only the digits count when two are compared, such as a phone number. */
  digits: readonly Pointer[]
  /** Fields with personal data, besides those that name a person. */
  personalFields: readonly Pointer[]
  leftOut: LeftOut
  /** Fields that are the platform's alone. */
  computed: readonly Pointer[]
  flaw?: Flaw
  example: R
}
/** The treatment of a field that a PUT leaves out. Every other one is cleared. */
export interface LeftOut {
  /** Fields without an empty value: they keep the value that the record holds. */
  keeps: readonly Pointer[]
  /** Fields that keep their value, and no warning says so. Null or an empty list clears them. */
  stays: readonly Pointer[]
  /** The value of a new record without the field: when it stays, nothing needs to be said. */
  defaults: Readonly<Record<Pointer, unknown>>
  /** Values that follow from others, so nothing was kept. */
  follows: readonly Pointer[]
  /** Parts of a name: they follow from a name that consists of them. */
  partsOfName: readonly Pointer[]
}
export type RecordOf<D> = D extends Declared<string, infer R> ? R : never

export function defineEntity<const N extends string, P extends TProperties>(
  entityType: N,
  { names, fields, ...declaration }: Declaration<P>,
): Declared<N, RecordWith<P>> {
  const places = placesIn(fields, '')
  const where = <T>(pick: (place: FieldFacts) => T | undefined): [Pointer, T][] =>
    places.flatMap((place) => {
      const found = pick(place)
      return found === undefined ? [] : [[place.pointer, found]]
    })
  const named = (pick: (place: FieldFacts) => true | undefined) => where(pick).map(([pointer]) => pointer)
  return {
    ...declaration,
    entityType,
    names,
    title: capital(names.one),
    classes: { one: classOf(names.one), many: classOf(names.many) },
    createOnly: declaration.createOnly === true,
    linked: declaration.linked === true,
    onRequest: declaration.onRequest === true,
    fields: Type.Object({ externalId: ownId(names.one, declaration.writable), ...fields }),
    only: Object.fromEntries(where(({ facts }) => facts.only)),
    references: Object.fromEntries(where(({ facts }) => facts.reference as N | undefined)),
    money: named(({ facts }) => facts.money),
    lists: where(({ facts }) => facts.list).map(([pointer, list]) => ({
      ...list,
      pointer,
      required: pointer.slice(1) in fields && isRequired(fields[pointer.slice(1)] as TSchema),
    })),
    objects: Object.fromEntries(
      where(
        ({ facts: { list, entry, schemaName }, isObject, pointer }) =>
          schemaName ?? (isObject ? classOf(names.one) + (list?.entry ?? entry ?? nameOf(pointer)) : undefined),
      ),
    ),
    digits: named(({ facts }) => facts.digits),
    personalFields: named(({ facts }) => facts.personal),
    computed: named(({ facts }) => facts.computed),
    leftOut: {
      keeps: named(({ facts }) => (facts.leftOut === 'keeps' ? true : undefined)),
      stays: named(({ facts }) => (facts.leftOut === 'stays' ? true : undefined)),
      defaults: Object.fromEntries(where(({ facts }) => facts.default)),
      follows: named(({ facts }) => facts.follows),
      partsOfName: named(({ facts }) => facts.partOfName),
    },
  }
}

interface FieldFacts {
  pointer: Pointer
  isObject: boolean // or a list of objects
  facts: ReturnType<typeof factsOf>
}
function placesIn(properties: TProperties, at: string): FieldFacts[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const pointer: Pointer = `${at as ''}/${name}`
    const { items, properties: inner } = schema as { items?: TSchema; properties?: TProperties }
    const below = (items as { properties?: TProperties } | undefined)?.properties
    return [
      { pointer, facts: factsOf(schema), isObject: Boolean(inner ?? below) },
      ...(inner ? placesIn(inner, pointer) : []),
      ...(below ? placesIn(below, `${pointer}/*`) : []),
    ]
  })
}
const isRequired = (schema: TSchema) => !('~optional' in schema)
/** The last step of a pointer as a part of a class name. */
const nameOf = (pointer: Pointer) => capital(pointer.slice(pointer.lastIndexOf('/') + 1))
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const classOf = (name: string) => name.split(' ').map(capital).join('')
/** The id of a record. In responses it is the platform's; bodies have the caller's. */
const ownId = (name: string, writable: boolean) =>
  identifier(
    writable
      ? `In a POST body, your own stable id of the ${name} (source id) and the idempotency key. In a PUT body, the id in the path or the source id that became it. In every response, the platform's id.`
      : `The platform's id of the ${name}`,
  )
