// The conditions of a write before anything is sent, and the warnings about fields that the platform will not keep.
import type { AccountView, Connector, Requirement, Write } from '../../contract/connector.ts'
import { currencyExponents } from '../../contract/currency.ts'
import type { UnifiedRecord } from '../../contract/entities/index.ts'
import type { EntityType, Pointer } from '../../contract/entity.ts'
import { Problem, type Violation, type Warning } from '../../contract/errors.ts'
import { placesOf, stepsOf, valueAt } from '../../contract/pointer.ts'
import type { Flavor } from '../../contract/validation.ts'
import { anyOf, demandOf, lacking } from '../conditions.ts'
import { ownRefusal } from '../failures.ts'
import { canonical } from './canonical.ts'
import { samePlace, unknownPlaces } from './places.ts'

/** The record of a valid body. */
export function validated(
  body: unknown,
  flavor: Flavor,
  operation: 'create' | 'update',
  write: Write<EntityType> | undefined,
  others: readonly Violation[] = [], // of what the schema does not describe
): UnifiedRecord {
  if (Array.isArray(body))
    throw new Problem('validation_failed', 'The body must be exactly one record, not an array of records.', {
      errors: [{ pointer: '', message: 'must be exactly one record' }],
    })
  const violations = flavor.write
    .violations(body)
    .map((violation) =>
      operation === 'update' && violation.pointer === '/externalId' ? inUpdate(violation) : violation,
    )
  if (violations.length === 0) violations.push(...fineAmounts(body as UnifiedRecord, flavor))
  violations.push(...others)
  if (violations.length === 0) return body as UnifiedRecord
  if (write) violations.push(...refusedBesides(violations, body, write, operation === 'create' ? 'none' : 'unread'))
  const { entityType } = flavor.definition
  throw new Problem(
    'validation_failed',
    `The body is not a valid ${entityType}: ${violations.length} ${violations.length === 1 ? 'violation' : 'violations'}. Correct what errors[] names; the schema is at /schemas/${flavor.vertical}/${entityType}.json.`,
    { errors: violations },
  )
}

/** The fields that fit the schema and that the platform does not take, so that all is reported at once. */
function refusedBesides(violations: readonly Violation[], body: unknown, write: Write<EntityType>, held: Held) {
  const wrong = new Set(violations.map(({ pointer }) => stepsOf(pointer)[0]))
  if (wrong.has(undefined)) return [] // the body as a whole
  const valid = Object.entries(body as object).filter(([name]) => !wrong.has(name))
  return refusedValues(Object.fromEntries(valid) as unknown as UnifiedRecord, write, held)
}

/** A caller that knows only the id in the path can send that one. */
const inUpdate = ({ pointer, message }: Violation): Violation => ({
  pointer,
  message: `${message}; send the id of the path`,
})

/**
 * Amounts finer than the currency has: 19.999 USD cannot be paid. Where the record names no currency, the finest one
 * counts.
 */
function fineAmounts(record: UnifiedRecord, flavor: Flavor): Violation[] {
  const currency = (record as { currencyCode?: string }).currencyCode
  const exponent = currency === undefined ? 4 : (currencyExponents[currency] as number)
  return flavor.definition.money.flatMap((pattern) =>
    placesOf(record, pattern)
      .filter(({ value }) => Number((value as number).toFixed(exponent)) !== value)
      .map(({ pointer }) => ({
        pointer,
        message: `has more than ${exponent} decimals${currency ? `, the most that an amount in ${currency} has` : ''}; round it`,
      })),
  )
}

/** The record that an update changes; 'unread' until it was read, 'none' for a create. */
type Held = UnifiedRecord | 'none' | 'unread'

/** The fields that the platform requires and the record lacks, and those that it does not take. */
function violationsOf(
  record: UnifiedRecord,
  write: Write<EntityType>,
  account: AccountView,
  held: Held,
): { missing: Violation[]; refused: Violation[] } {
  const root = { ...record, settings: account.settings }
  const requirements: readonly Requirement[] = [
    ...(write.requires ?? []).map((pointer) => ({ pointer })),
    ...(write.requiresWhen ?? []),
  ]
  const missing = new Map<string, Violation>()
  for (const requirement of requirements)
    for (const pointer of lacking(root, requirement))
      if (!missing.has(pointer)) missing.set(pointer, { pointer, message: demandOf(requirement) })
  const others = write.check?.(record as never, account) ?? []
  return { missing: [...missing.values()], refused: [...refusedValues(record, write, held), ...others] }
}
/** By the tables of the write: each field by itself. */
function refusedValues(record: UnifiedRecord, write: Write<EntityType>, held: Held): Violation[] {
  const tooLong = Object.entries(write.longest ?? {}).flatMap(([pattern, most]) =>
    placesOf(record, pattern)
      .filter(({ value }) => typeof value === 'string' && value.length > most)
      .map(({ pointer }) => ({ pointer, message: `must have at most ${most} characters` })),
  )
  return [
    ...tooLong,
    ...foreignValues(record, write, held),
    ...lostMoney(record, write, held),
    ...unknownPlaces(record, write, held),
  ]
}
const isNothing = (value: unknown) => value === 0 || (Array.isArray(value) && value.length === 0)
/** Money that the platform cannot take. An update may leave it as it is. */
function lostMoney(record: UnifiedRecord, write: Write<EntityType>, held: Held): Violation[] {
  if (held === 'unread') return []
  return Object.entries(write.refused ?? {}).flatMap(([pattern, why]) =>
    placesOf(record, pattern)
      .filter(({ value }) => !isNothing(value))
      .filter(({ pointer, value }) => canonical(valueAt(held, pointer) ?? null) !== canonical(value))
      .map(({ pointer }) => ({ pointer, message: `cannot be stored: ${why}` })),
  )
}
/** Values outside the platform's list. An update may leave a value as it is. */
function foreignValues(record: UnifiedRecord, write: Write<EntityType>, held: Held): Violation[] {
  if (held === 'unread') return []
  return Object.entries(write.values ?? {}).flatMap(([pattern, { only, why }]) =>
    placesOf(record, pattern)
      .filter(({ pointer, value }) => !only.includes(String(value)) && valueAt(held, pointer) !== value)
      .map(({ pointer }) => ({ pointer, message: `must be ${anyOf(only)}${why ? `: ${why}` : ''}` })),
  )
}
export function targetViolations(
  record: UnifiedRecord,
  write: Write<EntityType>,
  account: AccountView,
  held: Held = 'none',
): Violation[] {
  const { missing, refused } = violationsOf(record, write, account, held)
  return [...missing, ...refused]
}
/** The refusal of a record that the platform is known not to take. */
export function targetLacks(
  record: UnifiedRecord,
  write: Write<EntityType>,
  account: AccountView,
  connector: Connector,
  held: Held = 'none',
): Problem | undefined {
  const { missing, refused } = violationsOf(record, write, account, held)
  const errors = [...missing, ...refused]
  if (errors.length === 0) return undefined
  return ownRefusal(missing.length > 0 ? 'target_requires' : 'target_refuses', connector, errors)
}

/** Fields of the record that the connector declares as not stored. */
export function notStored(record: UnifiedRecord, write: Write<EntityType>, connector: Connector): Warning[] {
  return Object.entries(write.notStored ?? {}).flatMap(([pattern, what]) =>
    placesOf(record, pattern)
      .filter(({ value }) => what === true || what.includes(String(value)))
      .map(({ pointer, value }) => ({
        code: 'not_stored' as const,
        pointer,
        message:
          what === true
            ? `${connector.name} does not store this field.`
            : `${connector.name} does not store the value ${JSON.stringify(value)} of this field.`,
      })),
  )
}

/**
 * Whatever else the platform made of the record: nothing is dropped or changed without a word. References and the key
 * are left out, they are translated.
 */
export function unexpected(
  sent: UnifiedRecord,
  returned: UnifiedRecord,
  declared: readonly Warning[],
  connector: Connector,
  ignored: readonly Pointer[] = [], // ids that a body has in vain
): Warning[] {
  const ids = ignored.flatMap((pattern) => placesOf(sent, pattern).map(({ pointer }) => pointer))
  const silent = new Set(['/externalId', ...ids, ...declared.map(({ pointer }) => pointer)])
  return leaves(sent, silent).flatMap(({ pointer, value }): Warning[] => {
    const now = valueAt(returned, pointer)
    if (now === undefined)
      return [{ code: 'not_stored', pointer, message: `${connector.name} did not keep this field.` }]
    const same =
      now === value ||
      canonical(now) === canonical(value) ||
      sameInstant(now, value) ||
      samePlace(pointer, sent, returned)
    return same
      ? []
      : [{ code: 'derived', pointer, message: `${connector.name} holds ${JSON.stringify(now)} instead.` }]
  })
}
const sameInstant = (left: unknown, right: unknown) =>
  typeof left === 'string' &&
  typeof right === 'string' &&
  /^\d{4}-\d\d-\d\dT/.test(left) &&
  Date.parse(left) === Date.parse(right)

/** All values, except at the pointers in `silent` and in the objects there. */
function leaves(
  value: unknown,
  silent: ReadonlySet<string | undefined>,
  pointer = '',
): { pointer: string; value: unknown }[] {
  if (silent.has(pointer)) return []
  if (typeof value !== 'object' || value === null) return [{ pointer, value }]
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return [{ pointer, value }]
  return Object.entries(value).flatMap(([name, inner]) => leaves(inner, silent, `${pointer}/${name}`))
}
