// Validates by the flavor schemas and converts all of TypeBox's errors to violations with a JSON pointer and a
// readable message.
import type { TObject, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Format } from 'typebox/format'
import { Settings } from 'typebox/system'
import { Check, Errors } from 'typebox/value'
import { nearestName } from '../base/nearest.ts'
import { currencyExponents } from './currency.ts'
import { entities } from './entities/index.ts'
import {
  type EntityDefinition,
  type EntityType,
  entitySchema,
  flavorSchema,
  type Pointer,
  type Vertical,
} from './entity.ts'
import type { Violation } from './errors.ts'
import { instantFault, instantPattern, toInstant } from './instant.ts'
import { stepsOf, valueAt } from './pointer.ts'

/** More would help no reader, and take long to find. */
const maxViolations = 200
Settings.Set({ maxErrors: maxViolations })
/** More than any record has: what is larger is refused before it is validated field by field. */
const maxFields = 200
const maxEntries = 1_000
Format.Set('currency', (value) => Object.hasOwn(currencyExponents, value))
export const isIdentifier = (value: string): boolean => identifierForm.test(value) && value.isWellFormed()
Format.Set('identifier', isIdentifier)
Format.Set('platform-identifier', (value) => value.isWellFormed() && !value.includes('\0'))
Format.Set('date-time', (value) => toInstant(value) !== undefined)
Format.Set('email', (value) => emailForm.test(value))
Format.Set('uri', (value) => urlForm.test(value) && URL.canParse(value))

const urlForm = /^https?:\/\/[^\s/?#]+/i
/** One character that is not a space at least, and no control character. */
const identifierPattern = '^[^CC]*[^\\sCC][^CC]*$'.replaceAll('CC', '\\u0000-\\u001f\\u007f-\\u009f')
const identifierForm = new RegExp(identifierPattern, 'u')
/** The addresses that every `email` format of JSON Schema allows: no quoted name, host address or bare host name. */
const emailForm =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i

export interface Validator {
  schema: TSchema
  check(value: unknown): boolean
  violations(value: unknown): Violation[]
  /** Whether the object that has the field at this pointer needs it. */
  requires(pointer: string): boolean
}

/** Compiling takes longer than a few checks, and most validators of a process are rarely used. */
const checksBeforeCompiling = 3

interface ValidatorOptions {
  /** Fields and entries are bounded. */
  ofRecord?: boolean
  /** The verticals that have a field which this schema does not have. */
  elsewhere?: (pointer: string) => readonly Vertical[]
}
export function createValidator(
  schema: TSchema,
  { ofRecord = false, elsewhere = () => [] }: ValidatorOptions = {},
): Validator {
  let compiled: { Check(value: unknown): boolean } | undefined
  let checks = 0
  const check = (value: unknown): boolean => {
    if (checks++ === checksBeforeCompiling) compiled = Compile(schema)
    return compiled ? compiled.Check(value) : Check(schema, value)
  }
  const unknown = (pointer: string): Violation => {
    const owners = elsewhere(pointer)
    if (owners.length > 0)
      return { pointer, message: `is a field of ${owners.join(' and ')} accounts only; remove it for this account` }
    const steps = stepsOf(pointer)
    const names = Object.keys(nodeAt(schema, steps.slice(0, -1))?.properties ?? {})
    const near = nearestName(steps.at(-1) as string, names)
    if (!ofRecord && names.length > 0)
      return { pointer, message: `is not known${near ? `; did you mean "${near}"?` : '.'} Use ${names.join(', ')}` }
    return { pointer, message: `${unknownField}; ${near ? `did you mean "${near}"?` : 'remove it'}` }
  }
  return {
    schema,
    check,
    requires: (pointer) => isRequiredIn(schema, pointer),
    violations(value) {
      const excess = ofRecord ? excessIn(value) : []
      if (excess.length > 0) return excess
      if (check(value)) return []
      const findings = Errors(schema, value)
      // One mistake can break several rules; the first one is enough to correct it.
      const byPointer = new Map<string, Violation>()
      for (const violation of findings.flatMap((finding) => violationsOf(finding, value, schema, unknown)))
        if (!byPointer.has(violation.pointer)) byPointer.set(violation.pointer, violation)
      const violations = [...byPointer.values()].slice(0, maxViolations)
      // The list of errors is limited: with hundreds of unknown fields, the error that names all of them is missing.
      return violations.length > 0 ? violations : findings.map(({ instancePath }) => unknown(instancePath))
    },
  }
}

interface Node {
  type?: string
  format?: string
  properties?: Record<string, TSchema>
  required?: readonly string[]
  items?: TSchema
  patternProperties?: Record<string, TSchema>
}
function nodeAt(schema: TSchema, steps: readonly string[]): Node | undefined {
  let node = schema as Node | undefined
  for (const step of steps) {
    const ofEveryName = Object.values(node?.patternProperties ?? {})[0]
    node = (node?.items ?? node?.properties?.[step] ?? ofEveryName) as Node | undefined
  }
  return node
}
function isRequiredIn(schema: TSchema, pointer: string): boolean {
  const steps = stepsOf(pointer)
  return nodeAt(schema, steps.slice(0, -1))?.required?.includes(steps.at(-1) ?? '') === true
}

/** Objects with too many fields and arrays with too many entries. */
function excessIn(body: unknown): Violation[] {
  const found: Violation[] = []
  const open: [string, unknown][] = [['', body]]
  for (let next = open.pop(); next && found.length < maxViolations; next = open.pop()) {
    const [pointer, value] = next
    if (typeof value !== 'object' || value === null) continue
    const names = Array.isArray(value) ? undefined : Object.keys(value)
    if (names && names.length > maxFields)
      found.push({ pointer, message: `has ${names.length} fields; at most ${maxFields} are read` })
    else if (!names && (value as unknown[]).length > maxEntries)
      found.push({
        pointer,
        message: `has ${(value as unknown[]).length} entries; at most ${maxEntries} are taken in one record`,
      })
    else for (const [name, inner] of Object.entries(value)) open.push([`${pointer}/${escaped(name)}`, inner])
  }
  return found
}

interface Finding {
  keyword: string
  instancePath: string
  message: string
  params: Record<string, unknown>
}
const unknownField = 'is not a field of this entity'
const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')

function violationsOf(
  finding: Finding,
  body: unknown,
  schema: TSchema,
  unknown: (pointer: string) => Violation,
): Violation[] {
  const { keyword, instancePath, params } = finding
  if (keyword === 'required')
    return (params.requiredProperties as string[]).map((name) => ({
      pointer: `${instancePath}/${escaped(name)}`,
      message: 'is required',
    }))
  if (keyword === 'additionalProperties')
    return (params.additionalProperties as string[]).map((name) => unknown(`${instancePath}/${escaped(name)}`))
  if (keyword === 'boolean') return [] // repeats for each unknown field what additionalProperties reports for all
  const value = valueAt(body, instancePath)
  const messages: Record<string, () => string> = {
    enum: () => `must be one of ${(params.allowedValues as string[]).join(', ')}`,
    type: () =>
      typeMessage(String(params.type), instancePath === '' ? undefined : value, isRequiredIn(schema, instancePath)),
    format: () => formatMessages[params.format as string]?.(String(value)) ?? finding.message,
    minLength: () => (params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`),
    maxLength: () => `must have at most ${params.limit} characters`,
    minItems: () => `must have at least ${params.limit} ${params.limit === 1 ? 'entry' : 'entries'}`,
    minimum: () => `must be at least ${params.limit}`,
    maximum: () => `must be at most ${params.limit}`,
    exclusiveMinimum: () => `must be greater than ${params.limit}`,
  }
  return [{ pointer: instancePath, message: messages[keyword]?.() ?? finding.message }]
}
function typeMessage(type: string, value: unknown, isRequired: boolean): string {
  // JSON has no infinity: 1e400 is a number, but not one that can be computed with.
  if ((type === 'number' || type === 'integer') && (value === Infinity || value === -Infinity))
    return 'is a number outside the supported range; send a smaller one'
  const form = `must be ${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
  if (value !== null) return form
  return isRequired ? `${form}, not null: the field is required` : 'must not be null; leave the field out'
}
const formatMessages: Record<string, (value: string) => string> = {
  identifier: (value) =>
    value.trim() === '' ? 'must not be blank' : 'must be well-formed text without control characters',
  'platform-identifier': () => 'must be well-formed text without NUL',
  email: () => 'must be an email address, such as ada@example.com',
  uri: () => 'must be an http or https URL, such as https://example.com/tea.jpg',
  currency: () => 'must be an ISO 4217 currency code in upper case, such as USD',
  'date-time': instantFault,
}

/** The same fields without the rules that apply only to callers: a platform's data is served as it is. */
function readSchema(schema: TSchema): TSchema {
  const {
    minItems: _,
    exclusiveMinimum: __,
    ...rest
  } = schema as Node & { minItems?: number; exclusiveMinimum?: number }
  return mapSchema(
    (rest.format === 'identifier' ? { ...rest, format: 'platform-identifier' } : rest) as TSchema,
    readSchema,
  )
}
function mapSchema(schema: TSchema, change: (inner: TSchema) => TSchema): TSchema {
  const { properties, items } = schema as Node
  if (items) return { ...schema, items: change(items) } as TSchema
  if (!properties) return schema
  const changed = Object.entries(properties).map(([name, property]) => [name, change(property)])
  return { ...schema, properties: Object.fromEntries(changed) } as TSchema
}

/** The service's own formats in keywords that every JSON Schema validator knows. */
const published: Readonly<Record<string, object>> = {
  identifier: { pattern: identifierPattern },
  'platform-identifier': {},
  currency: { pattern: '^[A-Z]{3}$' },
  uri: { pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#]+' },
}
/** The schema as callers get it. `ofBody`: a body's timestamps can have forms that the `date-time` format excludes. */
export function publishedSchema(schema: TSchema, { ofBody }: { ofBody: boolean }): TSchema {
  const { format, ...rest } = schema as Node
  const ownSchema = format === 'date-time' && ofBody ? { pattern: instantPattern } : published[format ?? '']
  const standard = (ownSchema ? { ...rest, ...ownSchema } : schema) as TSchema
  return mapSchema(standard, (inner) => publishedSchema(inner, { ofBody }))
}

/** In a response every id is the platform's. */
function withPlatformIds(schema: TSchema, { names, references }: EntityDefinition): TSchema {
  const described = structuredClone(schema) as { properties: Record<string, unknown> }
  const describe = (pattern: string, description: string) => {
    const property = stepsOf(pattern).reduce<Described | undefined>(
      (node, step) => (step === '*' ? node?.items : node?.properties?.[step]),
      described as Described,
    )
    if (property) property.description = description
  }
  describe('/externalId', `The platform's id of the ${names.one}: what GET and PUT take in their path`)
  for (const [pattern, target] of Object.entries(references))
    describe(pattern, `The platform's id of the ${entities[target].names.one}`)
  return described as unknown as TSchema
}
interface Described {
  description?: string
  properties?: Record<string, Described>
  items?: Described
}

/** The schemas of an entity with the fields of all verticals. */
export const allFields = (definition: EntityDefinition): { read: TSchema; write: TSchema } => {
  const write = entitySchema(definition)
  return { read: withPlatformIds(readSchema(write), definition), write }
}

export interface Flavor {
  definition: EntityDefinition
  vertical: Vertical
  write: Validator
  read: Validator
}
const flavors = new Map<string, Flavor>()
for (const definition of Object.values(entities) as EntityDefinition[]) {
  for (const vertical of definition.verticals) {
    const schema: TObject = flavorSchema(definition, vertical)
    const elsewhere = (pointer: string) => definition.only[pointer.replaceAll(/\/\d+(?=\/)/g, '/*') as Pointer] ?? []
    flavors.set(`${vertical} ${definition.entityType}`, {
      definition,
      vertical,
      write: createValidator(schema, { ofRecord: true, elsewhere }),
      read: createValidator(withPlatformIds(readSchema(schema), definition)),
    })
  }
}
export const flavorOf = (vertical: Vertical, entityType: EntityType): Flavor | undefined =>
  flavors.get(`${vertical} ${entityType}`)
export const allFlavors = (): Flavor[] => [...flavors.values()]
