// Custom fields. A rule of a mapping for `/custom/<name>` declares one: its type, and where it is in the native record.
// A read mapping says so in `from`, a write mapping in `to`.

import { nearestName } from '../base/nearest.ts'
import type { Connector, EntityAdapter, NativeErrorKind } from '../contract/connector.ts'
import { type CustomType, customTypes } from '../contract/custom-types.ts'
import type { UnifiedRecord } from '../contract/entities/index.ts'
import type { EntityType } from '../contract/entity.ts'
import type { Violation, Warning } from '../contract/errors.ts'
import { NativeFailure } from '../contract/native-failure.ts'
import { matchesNative, nativeAt, nativePointerFault, selectedBy } from '../contract/native-pointer.ts'
import { stepsOf } from '../contract/pointer.ts'
import { isReference } from '../contract/reference.ts'
import type { MappingOverlay, Rule } from '../store/store.ts'
import { isSecretName, redacted } from './outbound/redaction.ts'
import { canonical } from './write/canonical.ts'

const prefix = '/custom/'
const nameForm = /^[A-Za-z][A-Za-z0-9_]{0,63}$/
const most = 50

export const isCustom = (field: string): boolean => field.startsWith(prefix)
const nameOf = (field: string): string => field.slice(prefix.length)

export interface CustomField {
  name: string
  type: CustomType
  at: string // pointer into the native record
}
/** The fields that a mapping declares. */
export const customFieldsIn = (mapping: Pick<MappingOverlay, 'rules'> | undefined): CustomField[] =>
  Object.entries(mapping?.rules ?? {}).flatMap(([field, { type, from, to }]) =>
    isCustom(field) && type ? [{ name: nameOf(field), type, at: (to ?? from) as string }] : [],
  )

type Places = EntityAdapter<EntityType>['custom']
/** The platform of the accounts that use a mapping, and where it takes custom fields of the entity, by vertical. */
export interface CustomPlatform {
  name: string
  places: readonly Places[]
}

/** The fault of a declaration. `names`: the unified fields of the entity. */
export function customViolations(
  field: string,
  rule: Rule,
  at: string,
  {
    direction,
    names,
    platform,
  }: { direction: 'read' | 'write'; names: ReadonlySet<string>; platform: CustomPlatform | undefined },
): Violation[] {
  const name = nameOf(field)
  const place = direction === 'read' ? 'from' : 'to'
  const found: Violation[] = []
  if (!nameForm.test(name))
    found.push({
      pointer: at,
      message: 'must have a name of letters, digits and _, at most 64, that begins with a letter',
    })
  else if (names.has(name))
    found.push({ pointer: at, message: `shadows the unified field ${name}; choose another name, or map /${name}` })
  if (rule.type === undefined || !customTypes.includes(rule.type))
    found.push({ pointer: `${at}/type`, message: `must be one of ${customTypes.join(', ')}` })
  const fault = placeFault(rule[place], rule.type, direction, platform)
  if (fault) found.push({ pointer: `${at}/${place}`, message: fault })
  if (direction === 'read')
    for (const part of ['to', 'value', 'default', 'lookup'] as const)
      if (rule[part] !== undefined)
        found.push({ pointer: `${at}/${part}`, message: 'is not possible in a custom field of a read mapping' })
  return found
}
function placeFault(
  at: string | undefined,
  type: CustomType | undefined,
  direction: 'read' | 'write',
  platform: CustomPlatform | undefined,
): string | undefined {
  if (at === undefined) return 'is required: a pointer into the native record, such as /note'
  const fault = nativePointerFault(at)
  if (fault) return fault
  if ([...stepsOf(at), ...selectedBy(at)].some(isSecretName))
    return 'names a secret of the platform, which is never returned; remove the field'
  if (!platform) return 'is not possible for a whole workspace: native records differ by platform. Set platform'
  if (direction === 'read' || type === undefined || platform.places.some((one) => isPlaceable(one, { at, type })))
    return undefined
  const takes = new Map(platform.places.flatMap((one) => Object.entries(one?.fields ?? {})))
  const writableFields = [...takes].map(([pointer, of]) => `${pointer} (${of})`).join(', ')
  return `cannot be written at ${platform.name} as ${withArticle(type)}. ${writableFields ? `Custom fields can be written to ${writableFields}` : 'It takes no custom fields of this entity: declare the field in a read mapping'}`
}
const withArticle = (type: CustomType): string => `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
/** Across the declarations of a mapping: names that differ only in case, one place for two fields, and too many. */
export function customSetViolations(rules: MappingOverlay['rules'], pointerOf: (field: string) => string): Violation[] {
  const custom = Object.keys(rules).filter(isCustom)
  const found = custom.flatMap((field, index): Violation[] => {
    const earlier = custom.slice(0, index).find((other) => other.toLowerCase() === field.toLowerCase())
    return earlier ? [{ pointer: pointerOf(field), message: `is declared twice: ${earlier} differs only in case` }] : []
  })
  for (const [index, field] of custom.entries()) {
    const to = rules[field]?.to
    const other = custom.slice(0, index).find((one) => to !== undefined && rules[one]?.to === to)
    if (other)
      found.push({ pointer: `${pointerOf(field)}/to`, message: `is where ${other} is written; choose another` })
  }
  if (custom.length > most)
    found.push({ pointer: '/rules', message: `has more than ${most} custom fields; remove some` })
  return found
}

export type CustomReader = (
  take: (pointer: string) => unknown,
  id: string,
  warnings: Warning[],
) => Record<string, unknown>

/** Reads the declared fields. Undefined: none are declared. */
export function customReader(rules: readonly [string, Rule][]): CustomReader | undefined {
  const fields = customFieldsIn({ rules: Object.fromEntries(rules.filter(([, { to }]) => to === undefined)) })
  if (fields.length === 0) return undefined
  return (take, id, warnings) => {
    const custom: Record<string, unknown> = {}
    for (const { name, type, at } of fields) {
      const raw = take(at)
      if (isReference(raw)) continue // of this service, to find its own write again
      const value = typed(raw, type)
      if (value !== undefined) custom[name] = value
      else if (raw !== undefined && raw !== null && raw !== '' && !isEmptyList(raw))
        warnings.push({
          code: 'value_unknown',
          pointer: prefix + name,
          id,
          message: `The platform's value was left out: it is not of the type ${type} (${at} of the native record).`,
        })
    }
    return custom
  }
}

/** A native value in the declared type. Undefined: there is none, or it does not fit. */
function typed(value: unknown, type: CustomType): unknown {
  if (value === undefined || value === null || value === '') return undefined
  if (type === 'array') return Array.isArray(value) && value.length > 0 ? withoutSecrets(value) : undefined
  if (type === 'object') return typeof value === 'object' && !Array.isArray(value) ? withoutSecrets(value) : undefined
  if (typeof value === 'object') return undefined
  if (type === 'string') return String(value)
  if (type === 'boolean')
    return typeof value === 'boolean' ? value : value === 'true' ? true : value === 'false' ? false : undefined
  const number = typeof value === 'number' ? value : typeof value === 'string' && value.trim() ? Number(value) : NaN
  return Number.isFinite(number) && (type === 'number' || Number.isInteger(number)) ? number : undefined
}
const withoutSecrets = (value: unknown): unknown => redacted(value, (text) => text)
const isOfType = (value: unknown, type: CustomType): boolean =>
  type === 'array'
    ? Array.isArray(value)
    : type === 'object'
      ? typeof value === 'object' && value !== null && !Array.isArray(value)
      : type === 'integer'
        ? Number.isSafeInteger(value)
        : typeof value === type && (type !== 'number' || Number.isFinite(value))

/** Custom fields of a record that is written. It is journaled as it is: the mapping may change before it is sent. */
export type CustomValues = Readonly<Record<string, { at: string; type: CustomType; value: unknown }>>
export type Writable = UnifiedRecord & { custom?: CustomValues }

export const withoutCustom = ({ custom: _, ...record }: Writable): UnifiedRecord => record as UnifiedRecord

/**
 * The custom fields of a body, which may be absent in it, and what is wrong with them. Null clears a field; what is left
 * out, or empty, stays as it is.
 */
export function customOf(
  body: unknown,
  fields: readonly CustomField[],
): { rest: unknown; custom?: CustomValues; violations: Violation[] } {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || !Object.hasOwn(body, 'custom'))
    return { rest: body, violations: [] }
  const { custom: given, ...rest } = body as Record<string, unknown>
  const fault = (message: string) => ({ rest, violations: [{ pointer: '/custom', message }] })
  if (fields.length === 0)
    return fault('no custom fields are declared for this entity; declare them in a mapping, or remove it')
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return fault('must be an object; to clear a field, set it to null in it')
  const violations: Violation[] = []
  const custom: Record<string, CustomValues[string]> = {}
  for (const [name, value] of Object.entries(given)) {
    const pointer = prefix + name.replaceAll('~', '~0').replaceAll('/', '~1')
    const field = fields.find((candidate) => candidate.name === name)
    if (!field) {
      const near = nearestName(
        name,
        fields.map((field) => field.name),
      )
      const next = near ? `did you mean "${near}"?` : 'declare it in a mapping, or remove it'
      violations.push({ pointer, message: `is not a custom field of this entity; ${next}` })
    } else if (value === null || isOfType(value, field.type)) {
      if (value !== '') custom[name] = { at: field.at, type: field.type, value: isEmptyList(value) ? null : value }
    } else
      violations.push({
        pointer,
        message: `must be ${withArticle(field.type)}, or null to clear it`,
      })
  }
  return { rest, custom: Object.keys(custom).length > 0 ? custom : undefined, violations }
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** The type in which the connector writes a field there. Undefined: it cannot. */
function placeType(places: Places, { at, type }: { at: string; type: CustomType }): CustomType | undefined {
  if (places?.reserved?.(at)) return undefined
  const [, found] = Object.entries(places?.fields ?? {}).find(([pattern]) => matchesNative(at, pattern)) ?? []
  if (found === 'string') return type === 'array' || type === 'object' ? undefined : found
  return found === type || (found === 'number' && type === 'integer') ? found : undefined
}
const isPlaceable = (places: Places, field: { at: string; type: CustomType }): boolean =>
  placeType(places, field) !== undefined

/** The values that differ from what the row has, by native pointer, in the type of their place. */
export function customChanges(
  places: Places,
  custom: CustomValues | undefined,
  row: unknown,
  connector: Connector,
): { values: Record<string, unknown>; refused: Violation[] } {
  const values: Record<string, unknown> = {}
  const refused: Violation[] = []
  for (const [name, field] of Object.entries(custom ?? {})) {
    if (canonical(typed(nativeAt(row, field.at), field.type) ?? null) === canonical(field.value)) continue
    const type = placeType(places, field)
    if (type === undefined) refused.push({ pointer: prefix + name, message: readOnly(connector, field.at) })
    else values[field.at] = type === 'string' && field.value !== null ? String(field.value) : field.value
  }
  return { values, refused }
}
/** A refusal of custom values names their fields: those that the platform names, or else all that were sent. */
export function namedRefusal(error: unknown, custom: CustomValues, values: Readonly<Record<string, unknown>>): unknown {
  if (!(error instanceof NativeFailure) || error.status === undefined || !aboutValues.has(error.error.kind))
    return error
  const { message, fields = [] } = error.error
  const named = new Set(fields.flatMap(({ native }) => native.split(/[^\w-]+/)))
  const sent = Object.entries(custom).filter(([, { at }]) => Object.hasOwn(values, at))
  const meant = sent.filter(([, { at }]) => named.has(selectedBy(at)[0] ?? (stepsOf(at).at(-1) as string)))
  const pointers = (meant.length > 0 ? meant : sent).map(([name]) => prefix + name)
  return new NativeFailure({ ...error.error, fields: pointers.map((native) => ({ native, message })) }, error.status)
}
const aboutValues: ReadonlySet<NativeErrorKind> = new Set(['invalid', 'duplicate', 'not_found'])

const readOnly = ({ name }: Connector, at: string): string =>
  `is read-only: this service cannot write ${at} at ${name}. Leave it out, or send the value that was read`

/** Custom fields that the platform has not stored as they were sent. */
export const customWarnings = (custom: CustomValues | undefined, row: unknown, { name }: Connector): Warning[] =>
  Object.entries(custom ?? {}).flatMap(([field, { at, type, value }]): Warning[] => {
    const now = typed(nativeAt(row, at), type) ?? null
    if (canonical(now) === canonical(value)) return []
    const message = now === null ? `${name} did not keep this field.` : `${name} holds ${JSON.stringify(now)} instead.`
    return [{ code: now === null ? 'not_stored' : 'derived', pointer: prefix + field, message }]
  })

/** JSON Schema of `custom` in the records of an account. Undefined: none are declared. */
export function customSchema(
  places: Places,
  read: MappingOverlay | undefined,
  write: MappingOverlay | undefined,
): object | undefined {
  const readFields = customFieldsIn(read)
  const others = customFieldsIn(write).filter(({ name }) => !readFields.some((field) => field.name === name))
  const accepted = new Map([...readFields, ...customFieldsIn(write)].map((field) => [field.name, field]))
  const properties = [...readFields, ...others].map(({ name, type }) => {
    const writable = isPlaceable(places, accepted.get(name) as CustomField)
    return [
      name,
      {
        type,
        ...(writable ? {} : { readOnly: true }),
        ...(others.some((other) => other.name === name) ? { writeOnly: true } : {}),
      },
    ]
  })
  if (properties.length === 0) return undefined
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false }
}
