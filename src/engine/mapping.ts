// A mapping overlay is data: per unified field a pointer into the source record, a constant, a default, a value table.
// It is checked when saved and compiled once.

import type { TSchema } from 'typebox'
import { BoundedMap } from '../base/bounded-map.ts'
import type { Connector, EntityAdapter } from '../contract/connector.ts'
import type { EntityType } from '../contract/entity.ts'
import { Problem, type Violation } from '../contract/errors.ts'
import { toInstant } from '../contract/instant.ts'
import { putterAt, takerAt } from '../contract/pointer.ts'
import { createValidator, type Flavor } from '../contract/validation.ts'
import type { Direction, MappingOverlay, Rule } from '../store/store.ts'
import {
  type CustomPlatform,
  type CustomReader,
  customReader,
  customSetViolations,
  customViolations,
  isCustom,
} from './custom.ts'

type Setter = (record: Record<string, unknown>, source: unknown) => void
/** A compiled mapping: it changes a record, and reads custom fields. */
export interface Overlay {
  set: Setter
  custom?: CustomReader | undefined
}

const ruleParts = new Set(['from', 'value', 'default', 'lookup'])
const customParts = new Set([...ruleParts, 'type', 'to'])

function fieldSchema(flavor: Flavor, pointer: string): TSchema | undefined {
  let node: TSchema | undefined = flavor.read.schema
  for (const step of pointer.slice(1).split('/')) {
    const properties: Record<string, TSchema> | undefined = (node as { properties?: Record<string, TSchema> })
      ?.properties
    node = properties && Object.hasOwn(properties, step) ? properties[step] : undefined
  }
  return (node as { properties?: unknown } | undefined)?.properties ? undefined : node
}

/** Where rules apply: the flavors of the accounts that use them, and their platform if it is one. */
export interface RuleScope {
  entityType: EntityType
  flavors: readonly Flavor[]
  platform?: CustomPlatform | undefined
}

/** All errors in a set of rules, each with the pointer of its rule. */
function ruleViolations(rules: unknown, scope: RuleScope, direction: Direction): Violation[] {
  if (typeof rules !== 'object' || rules === null || Array.isArray(rules))
    return [{ pointer: '/rules', message: 'must be an object: unified pointer -> rule' }]
  const pointerOf = (field: string) => `/rules/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`
  const names = new Set(scope.flavors.flatMap((flavor) => Object.keys(propertiesOf(flavor))))
  const found = Object.entries(rules).flatMap(([field, rule]): Violation[] => {
    const at = pointerOf(field)
    const custom = isCustom(field)
    const customRule = custom && { type: isRule(rule) ? rule.type : undefined }
    const schemas = customRule
      ? [customRule as TSchema]
      : field.startsWith('/')
        ? scope.flavors.flatMap((flavor) => fieldSchema(flavor, field) ?? [])
        : []
    if (schemas.length === 0) return [{ pointer: at, message: `is not a field of ${scope.entityType}, such as /name` }]
    if (field === '/externalId') return [{ pointer: at, message: 'the identity of a record cannot be mapped' }]
    if (!isRule(rule)) return [{ pointer: at, message: 'must be an object with from, value, default or lookup' }]
    const { from, value, default: fallback, lookup } = rule
    const problems: Violation[] = Object.keys(rule)
      .filter((name) => !(custom ? customParts : ruleParts).has(name))
      .map((name) => ({ pointer: `${at}/${name}`, message: 'is not a part of a rule' }))
    if (custom) {
      const declared = customViolations(field, rule, at, { direction, names, platform: scope.platform })
      problems.push(...declared)
      if (direction === 'read' || declared.length > 0) return problems
    }
    if (Object.keys(rule).length === 0) problems.push({ pointer: at, message: 'needs from, value, default or lookup' })
    if (from !== undefined && value !== undefined)
      problems.push({ pointer: at, message: 'takes either from or value, not both' })
    if (from !== undefined && (typeof from !== 'string' || !/^(\/([^~/]|~[01])*)+$/.test(from)))
      problems.push({
        pointer: `${at}/from`,
        message: `must be a JSON pointer into the ${direction === 'read' ? 'native' : "caller's"} record`,
      })
    if (from !== undefined && direction === 'read' && !scope.platform)
      problems.push({
        pointer: `${at}/from`,
        message: 'is not possible for a whole workspace: native records differ by platform. Set platform',
      })
    if (lookup !== undefined && (typeof lookup !== 'object' || lookup === null || Array.isArray(lookup)))
      problems.push({ pointer: `${at}/lookup`, message: 'must be an object: source value -> unified value' })
    const constants: [string, unknown][] = [
      ['value', value],
      ['default', fallback],
      ...Object.entries(typeof lookup === 'object' && lookup !== null ? lookup : {}).map(
        ([name, inner]): [string, unknown] => [`lookup/${name}`, inner],
      ),
    ]
    for (const [name, constant] of constants) {
      if (constant === undefined) continue
      const messages = schemas.flatMap((schema) => createValidator(schema).violations(constant))
      for (const message of new Set(messages.map((violation) => violation.message)))
        problems.push({ pointer: `${at}/${name}`, message })
    }
    return problems
  })
  return [...found, ...customSetViolations(rules as Record<string, Rule>, pointerOf)]
}
const isRule = (rule: unknown): rule is Rule => typeof rule === 'object' && rule !== null && !Array.isArray(rule)
const propertiesOf = (flavor: Flavor): object => (flavor.read.schema as { properties?: object }).properties ?? {}
export const scopeOf = ({
  flavor,
  connector,
  adapter,
}: {
  flavor: Flavor
  connector: Pick<Connector, 'name'>
  adapter: Pick<EntityAdapter<EntityType>, 'custom'>
}): RuleScope => ({
  entityType: flavor.definition.entityType,
  flavors: [flavor],
  platform: { name: connector.name, places: [adapter.custom] },
})
export function checkRules(
  rules: unknown,
  scope: RuleScope,
  direction: Direction,
): asserts rules is Record<string, Rule> {
  const errors = ruleViolations(rules, scope, direction)
  if (errors.length > 0) throw new Problem('validation_failed', 'The mapping has rules that cannot work.', { errors })
}

const compiled = new BoundedMap<string, Overlay>(10_000)
export function compileOverlay(mapping: MappingOverlay, flavor: Flavor): Overlay {
  const name = `${mapping.id} ${mapping.version} ${flavor.vertical}`
  let overlay = compiled.get(name)
  if (!overlay) {
    overlay = compile(Object.entries(mapping.rules), flavor)
    compiled.set(name, overlay)
  }
  return overlay
}

/** A mapping of several accounts may have rules for fields that only some of their verticals have. */
export function compile(rules: [string, Rule][], flavor: Flavor): Overlay {
  const setters = rules.flatMap(([field, rule]): Setter[] => {
    const isOfWrite = rule.to !== undefined
    const schema = (isOfWrite ? { type: rule.type } : fieldSchema(flavor, field)) as Scalar | undefined
    if (!schema) return []
    const { value: constant, from, lookup, default: fallback } = rule
    const [take, isOwn, put] = [takerAt(from ?? field), from === undefined, putterAt(field)]
    const convert = conversionTo(schema)
    const set: Setter = (record, source) => {
      // Null clears a custom field.
      if (isOfWrite && isOwn && constant === undefined && take(record) === null) return
      const raw = constant !== undefined ? constant : take(isOwn ? record : source)
      const value =
        (lookup && raw !== undefined && raw !== null
          ? Object.hasOwn(lookup, String(raw))
            ? lookup[String(raw)]
            : undefined
          : raw) ?? fallback
      // A rule without from and value only refines what is there; with them it sets the value, or removes it.
      put(record, value === null ? undefined : convert(value))
    }
    return [set]
  })
  return {
    set(record, source) {
      for (const set of setters) set(record, source)
    },
    custom: customReader(rules),
  }
}
interface Scalar {
  type?: string
  format?: string
}
/**
 * Native numbers are often strings, and native codes numbers: a plain scalar is converted to the field's type, anything
 * else is left to schema validation.
 */
function conversionTo({ type, format }: Scalar): (value: unknown) => unknown {
  if (type === 'string')
    return (value) => {
      if (typeof value === 'number' || typeof value === 'boolean') return String(value)
      return (format === 'date-time' && typeof value === 'string' && toInstant(value)) || value
    }
  if (type === 'number' || type === 'integer')
    return (value) =>
      typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value
  if (type === 'boolean') return (value) => (value === 'true' || value === 'false' ? value === 'true' : value)
  return (value) => value
}
