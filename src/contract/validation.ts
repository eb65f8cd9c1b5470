// Compiles the flavor schemas once and converts all of TypeBox's errors to violations with a JSON pointer and a
// readable message.
import type { TObject, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Format } from 'typebox/format'
import { Settings } from 'typebox/system'
import { currencyExponents } from './currency.ts'
import { type EntityDefinition, type EntityType, flavorSchema, type Vertical } from './entity.ts'
import type { Violation } from './errors.ts'
import { entities } from './unified.ts'

/** More would help no reader, and take long to find. */
const maxViolations = 200
Settings.Set({ maxErrors: maxViolations })
/** More than any record has: what is larger is refused before it is validated field by field. */
const maxFields = 200
const maxEntries = 1_000
Format.Set('currency', (value) => Object.hasOwn(currencyExponents, value))
Format.Set('identifier', (value) => value.isWellFormed() && !value.includes('\0'))
Format.Set('uri', (value) => /^https?:\/\/[^\s/?#]+/i.test(value) && URL.canParse(value))

export interface Validator {
  schema: TSchema
  check(value: unknown): boolean
  violations(value: unknown): Violation[]
}

/** `ofRecord`: fields and entries are bounded. */
export function createValidator(schema: TSchema, { ofRecord = false } = {}): Validator {
  const compiled = Compile(schema)
  return {
    schema,
    check: (value) => compiled.Check(value),
    violations(value) {
      const excess = ofRecord ? excessIn(value) : []
      if (excess.length > 0) return excess
      if (compiled.Check(value)) return []
      const findings = compiled.Errors(value)
      const violations = findings.flatMap(violationsOf).slice(0, maxViolations)
      // The list of errors is limited: with hundreds of unknown fields, the error that names all of them is missing.
      return violations.length > 0
        ? violations
        : findings.map(({ instancePath }) => ({ pointer: instancePath, message: unknownField }))
    },
  }
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

function violationsOf(finding: Finding): Violation[] {
  const { keyword, instancePath, params } = finding
  if (keyword === 'required')
    return (params.requiredProperties as string[]).map((name) => ({
      pointer: `${instancePath}/${escaped(name)}`,
      message: 'is required',
    }))
  if (keyword === 'additionalProperties')
    return (params.additionalProperties as string[]).map((name) => ({
      pointer: `${instancePath}/${escaped(name)}`,
      message: unknownField,
    }))
  if (keyword === 'boolean') return [] // repeats for each unknown field what additionalProperties reports for all
  const messages: Record<string, () => string> = {
    enum: () => `must be one of ${(params.allowedValues as string[]).join(', ')}`,
    type: () =>
      `must be ${params.type === 'object' ? 'an object' : params.type === 'array' ? 'an array' : params.type === 'integer' ? 'an integer' : `a ${params.type}`}`,
    format: () => formatMessages[params.format as string] ?? finding.message,
    pattern: () =>
      String(params.pattern).includes('[A-Z]{3}') ? 'must be three upper-case letters' : 'does not have the right form',
    minLength: () => 'must not be empty',
    minItems: () => `must have at least ${params.limit} ${params.limit === 1 ? 'entry' : 'entries'}`,
    exclusiveMinimum: () => `must be greater than ${params.limit}`,
  }
  return [{ pointer: instancePath, message: messages[keyword]?.() ?? finding.message }]
}
const formatMessages: Record<string, string> = {
  identifier: 'must be well-formed text without NUL',
  email: 'must be an email address',
  uri: 'must be an http or https URL',
  currency: 'must be an existing ISO 4217 currency code',
  'date-time': 'must be an ISO 8601 timestamp with offset, such as 2026-11-10T18:30:00Z',
}

/** The same fields without the rules that apply only to callers: a platform's data is served as it is. */
function readSchema(schema: TSchema): TSchema {
  const node = schema as {
    type?: string
    properties?: Record<string, TSchema>
    items?: TSchema
    minItems?: number
    exclusiveMinimum?: number
  }
  const { minItems: _, exclusiveMinimum: __, ...rest } = node
  if (node.items) return { ...rest, items: readSchema(node.items) } as TSchema
  if (!node.properties) return rest as TSchema
  return {
    ...rest,
    properties: Object.fromEntries(
      Object.entries(node.properties).map(([name, property]) => [name, readSchema(property)]),
    ),
  } as TSchema
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
    flavors.set(`${vertical} ${definition.entityType}`, {
      definition,
      vertical,
      write: createValidator(schema, { ofRecord: true }),
      read: createValidator(readSchema(schema)),
    })
  }
}
export const flavorOf = (vertical: Vertical, entityType: EntityType): Flavor | undefined =>
  flavors.get(`${vertical} ${entityType}`)
export const allFlavors = (): Flavor[] => [...flavors.values()]
