// Makes a record one that the target takes, by rules that give the same result on every run: the result is the content
// behind the idempotency key.

import { entities } from '../contract/entities/index.ts'
import type { OrderState } from '../contract/entities/order.ts'
import type { EntityType } from '../contract/entity.ts'
import { sentence } from '../contract/errors.ts'
import { matches, placesOf, setAt, valueAt } from '../contract/pointer.ts'
import type { Warning } from './compare.ts'
import { moneyAsLines, withoutCostlyModifiers, withoutModifiers } from './order-money.ts'
import { isAtLocation, type Note, type Shaping, type SourceRecord, shape } from './shape.ts'

export interface Violation {
  pointer: string
  message: string
}
/** What the target says about a record without being called: violations, and the references it can resolve. */
export interface Check {
  missing: readonly Violation[]
  warnings: readonly Warning[] // fields that will not be stored
  /** `unknown` when the schema itself is not satisfied: the references are not looked up then. */
  references: readonly { pointer: string; nativeId: string }[] | 'unknown'
}
export type Defaults = Readonly<Partial<Record<EntityType, Readonly<Record<string, unknown>>>>>
export interface Fitting extends Omit<Shaping, 'location'> {
  /** The target's location for an order that was made at one of the source's. */
  locationFor(source: string | undefined): Promise<string | undefined>
  defaults: Defaults
  check(entity: EntityType, body: SourceRecord): Promise<Check>
}
export interface Fitted {
  body: SourceRecord
  notes: Note[]
  /** The target's ids of the records that this one names. */
  references: Readonly<Record<string, string>>
  warnings: readonly Warning[]
  /** Why the target cannot take it, whatever is changed; empty when it can. `missing`: a default would help. */
  obstacles: (Violation & { missing?: boolean })[]
}

/**
 * Where a target does not take a state: the next best. A canceled order has none; as an open one it would be cooked and
 * charged.
 */
const nextBestState: Readonly<Record<OrderState, OrderState | undefined>> = {
  COMPLETED: 'OPEN',
  PENDING: 'OPEN',
  OPEN: 'PENDING',
  CANCELED: undefined,
}
/** Each round removes at least one field or ends. */
const maxRounds = 8

export async function fitRecord(entity: EntityType, source: SourceRecord, fitting: Fitting): Promise<Fitted> {
  const location = isAtLocation(entity)
    ? await fitting.locationFor(source.locationExternalId as string | undefined)
    : undefined
  const { body, notes } = shape(entity, source, { ...fitting, location })
  if (entity === 'order') withoutCostlyModifiers(body, notes)
  for (let round = 1; ; round++) {
    const { missing, references, warnings } = await fitting.check(entity, body)
    const known = Object.fromEntries(
      references === 'unknown' ? [] : references.map(({ pointer, nativeId }) => [pointer, nativeId]),
    )
    const lost = references === 'unknown' ? [] : dropUnknown(entity, body, known)
    notes.push(...lost)
    const obstacles =
      lost.length > 0
        ? []
        : missing
            .filter((violation) => !satisfy(entity, body, violation, fitting.defaults, notes, source))
            .map((violation) =>
              valueAt(body, violation.pointer) === undefined ? { ...violation, missing: true } : violation,
            )
    if (obstacles.length > 0 || (lost.length === 0 && missing.length === 0))
      return { body, notes, references: known, warnings, obstacles }
    if (round === maxRounds) return { body, notes, references: known, warnings, obstacles: [...missing] }
  }
}

/** The service refuses a record that names an unknown source id. */
function dropUnknown(entity: EntityType, body: SourceRecord, known: Readonly<Record<string, string>>): Note[] {
  return Object.entries(entities[entity].references).flatMap(([pattern, target]) =>
    (entities[target].linked ? [] : placesOf(body, pattern))
      .filter(({ pointer }) => known[pointer] === undefined)
      .map(({ pointer, value, set }) => {
        set(undefined)
        return {
          pointer,
          kind: 'reference' as const,
          message: `The ${target} that it names (${value}) is not at the target.`,
        }
      }),
  )
}

function satisfy(
  entity: EntityType,
  body: SourceRecord,
  { pointer, message }: Violation,
  defaults: Defaults,
  notes: Note[],
  source: SourceRecord,
): boolean {
  if (entity === 'order' && (moneyAsLines(body, pointer, notes, source) ?? withoutModifiers(body, pointer, notes)))
    return true
  const value = valueAt(body, pointer)
  if (value === undefined) {
    const filler = Object.entries(defaults[entity] ?? {}).find(([pattern]) => samePlace(pointer, pattern))?.[1]
    if (filler === undefined) return entity === 'order' && withoutFulfillment(body, { pointer, message }, notes)
    setAt(body, pointer, filler)
    notes.push({ pointer, kind: 'default', message: sentence(`The given default is used: ${message}`) })
    return true
  }
  if (entity === 'order' && pointer === '/state') {
    const next = nextBestState[value as OrderState]
    if (next === undefined || notes.some(({ kind }) => kind === 'state_rule')) return false
    body.state = next
    notes.push({ pointer, kind: 'state_rule', message: sentence(`${value} becomes ${next}: ${message}`) })
    return true
  }
  return drop(entity, body, { pointer, message }, notes)
}

/** A sale counts more than how it was handed over, which the source knows in part only. */
function withoutFulfillment(body: SourceRecord, { pointer, message }: Violation, notes: Note[]): boolean {
  if (!pointer.startsWith('/fulfillment/')) return false
  if (body.fulfillment === undefined) return true // gone for another part
  delete body.fulfillment
  notes.push({ pointer: '/fulfillment', kind: 'requirement', message: sentence(message) })
  return true
}

/**
 * Leaves out a field that the target will not have; false for one that must not go. Without its currency an amount
 * would mean something else.
 */
function drop(entity: EntityType, body: SourceRecord, { pointer, message }: Violation, notes: Note[]): boolean {
  if (valueAt(body, pointer) === undefined || pointer === '/currencyCode' || isRequired(entity, pointer)) return false
  for (const place of placesOf(body, pointer)) place.set(undefined)
  notes.push({ pointer, kind: 'requirement', message: sentence(message) })
  return true
}

/**
 * The record without the fields that the platform itself refused, where it can do without them. Amounts and states
 * stay: they are what a record is about.
 */
export function withoutRefused(
  entity: EntityType,
  { body, notes, ...fitted }: Fitted,
  refused: readonly Violation[],
): Fitted | undefined {
  const without: Fitted = { ...fitted, body: structuredClone(body), notes: [...notes] }
  const essential = [...entities[entity].money, '/state']
  const droppable = ({ pointer }: Violation) => !essential.some((pattern) => matches(pointer, pattern))
  return refused.length > 0 &&
    refused.every((violation) => droppable(violation) && drop(entity, without.body, violation, without.notes))
    ? without
    : undefined
}

const samePlace = (pointer: string, pattern: string): boolean => pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*') === pattern

/**
 * Whether the schema requires the field; fields that the schema does not know count as required, so that nothing is
 * dropped by mistake.
 */
function isRequired(entity: EntityType, pointer: string): boolean {
  let node = entities[entity].fields as unknown as {
    properties?: Record<string, never>
    items?: never
    required?: string[]
  }
  let required = true
  for (const step of pointer.slice(1).split('/')) {
    required = node.items ? true : (node.required ?? []).includes(step)
    const inner = node.items ?? node.properties?.[step]
    if (!inner) return true
    node = inner
  }
  return required
}
