// Field by field, what differs between a record of the source and the record it became, and which rule explains it.

import type { ListField } from '../contract/define-entity.ts'
import { entities } from '../contract/entities/index.ts'
import type { EntityType } from '../contract/entity.ts'
import { isWithin, matches, valueAt } from '../contract/pointer.ts'
import type { Note, NoteKind, SourceRecord } from './shape.ts'

export type Explanation = NoteKind | 'not_stored' | 'derived' | 'added' | 'unexplained'
export interface Difference {
  pointer: string
  explanation: Explanation
  message: string
  source?: unknown
  target?: unknown
}
export interface Warning {
  code: string
  pointer?: string
  message: string
}
/** What is known from the write of the record. */
export interface WriteNotes {
  notes: readonly Note[]
  warnings: readonly Warning[]
  references: Readonly<Record<string, string>> // pointer -> the target's id
  notStored: readonly string[] // as the support matrix has it: "/cost", "/state (OPEN, PENDING)"
}

export function compare(
  entity: EntityType,
  source: SourceRecord,
  target: SourceRecord,
  told: WriteNotes,
): Difference[] {
  const differences: Difference[] = []
  const { computed, lists } = entities[entity]
  const pointers = new Set([...leaves(source), ...leaves(target)])
  for (const pointer of pointers) {
    if (pointer === '/externalId' || lists.some((list) => isBeyond(pointer, list, source, target))) continue
    const [left, right] = [valueAt(source, pointer), valueAt(target, pointer)]
    const expected = isReference(entity, pointer) ? (told.references[pointer] ?? left) : left
    if (same(expected, right)) continue
    const { explanation, message } = computed.some((pattern) => matches(pointer, pattern))
      ? { explanation: 'derived' as const, message: 'Each platform computes this field itself.' }
      : explain(pointer, expected, told)
    differences.push({
      pointer,
      explanation,
      message,
      source: left,
      target: right,
    })
  }
  for (const { pointer } of lists) {
    const [before, after] = [lengthOf(source, pointer), lengthOf(target, pointer)]
    if (before === after) continue
    const added = `${pointer}/-`
    const { explanation, message } = explain(
      told.notes.some((note) => note.pointer === added) ? added : pointer,
      before,
      told,
    )
    differences.push({ pointer, explanation, message, source: `${before} lines`, target: `${after} lines` })
  }
  return differences
}

function explain(
  pointer: string,
  expected: unknown,
  { notes, warnings, notStored }: WriteNotes,
): { explanation: Explanation; message: string } {
  const note = notes.find((one) => touches(one.pointer, pointer))
  if (note) return { explanation: note.kind, message: note.message }
  const warning = warnings.find((one) => one.pointer !== undefined && touches(one.pointer, pointer))
  if (warning)
    return { explanation: warning.code === 'not_stored' ? 'not_stored' : 'derived', message: warning.message }
  if (isEmpty(expected)) return { explanation: 'added', message: 'The target fills this in itself.' }
  const declared = notStored.some((text) => {
    const [, pattern, values] = /^(\S+)(?: \((.*)\))?$/.exec(text) ?? []
    return (
      pattern !== undefined &&
      isWithin(pointer, pattern) &&
      (values === undefined || values.split(', ').includes(String(expected)))
    )
  })
  if (declared) return { explanation: 'not_stored', message: 'The target does not store this field.' }
  return { explanation: 'unexplained', message: 'No rule and no warning explains it.' }
}

/** The same pointer, or one inside the other. */
const touches = (one: string, other: string): boolean =>
  one === other || other.startsWith(`${one}/`) || one.startsWith(`${other}/`)
const isReference = (entity: EntityType, pointer: string): boolean =>
  Object.keys(entities[entity].references).some((pattern) => matches(pointer, pattern))
const lengthOf = (record: SourceRecord, pointer: string): number => {
  const list = valueAt(record, pointer)
  return Array.isArray(list) ? list.length : 0
}
/** Lines that only one side has are one difference, not one for each of their fields. */
function isBeyond(pointer: string, list: ListField, source: SourceRecord, target: SourceRecord): boolean {
  if (pointer === list.pointer) return true // an empty list: it has no leaves
  if (!pointer.startsWith(`${list.pointer}/`)) return false
  const [number] = pointer.slice(list.pointer.length + 1).split('/')
  return Number(number) >= Math.min(lengthOf(source, list.pointer), lengthOf(target, list.pointer))
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
const isInstant = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)

function same(left: unknown, right: unknown): boolean {
  if (isEmpty(left) && isEmpty(right)) return true
  if (isInstant(left) && isInstant(right)) return Date.parse(left) === Date.parse(right)
  return left === right || JSON.stringify(left) === JSON.stringify(right)
}

/** Pointers of all values; a list of plain values counts as one. */
function leaves(value: unknown, pointer = ''): string[] {
  if (typeof value !== 'object' || value === null) return [pointer]
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return [pointer]
  return Object.entries(value).flatMap(([name, inner]) => leaves(inner, `${pointer}/${name}`))
}
