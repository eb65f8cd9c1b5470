// The record of a change as a caller sees it: the kept one with the caller's mapping on top.

import type { UnifiedRecord } from '../contract/entities/index.ts'
import { setAt } from '../contract/pointer.ts'
import { isCustom } from '../engine/custom.ts'
import { compileOverlay } from '../engine/mapping.ts'
import { remapped } from '../engine/read/normalize.ts'
import type { Target } from '../engine/target.ts'
import type { MappingOverlay } from '../store/store.ts'
import type { KeptRecord } from './observe.ts'

/** `live`: the mapping reads native values that were not kept, so the record must be read at the platform. */
export function shownRecord(
  { flavor }: Target,
  { data, native = {} }: KeptRecord,
  mapping: MappingOverlay | undefined,
  id: string,
): UnifiedRecord | 'live' | undefined {
  if (!mapping) return data as UnifiedRecord
  const pointers = Object.values(mapping.rules).flatMap(({ from }) => from ?? [])
  const ofRules = Object.entries(mapping.rules).flatMap(([field, { from }]) => (isCustom(field) ? [] : (from ?? [])))
  if (pointers.some((pointer) => !Object.hasOwn(native, pointer))) return 'live'
  // The shortest first: one pointer may lead into the value of another.
  const source: Record<string, unknown> = {}
  for (const pointer of ofRules.toSorted((left, right) => left.length - right.length))
    if (native[pointer] !== null) setAt(source, pointer, structuredClone(native[pointer]))
  return remapped(data, source, native, flavor, compileOverlay(mapping, flavor), id)
}
