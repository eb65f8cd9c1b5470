// What a record of the source becomes before the target is asked: its own fields only, references under the names they
// have at the target.

import { entities } from '../contract/entities/index.ts'
import { type EntityType, foreignFields, type Vertical } from '../contract/entity.ts'
import { matches, placesOf, setAt } from '../contract/pointer.ts'

export type Json = Record<string, unknown>
export type SourceRecord = Json & { externalId: string }

/** Why a field is not at the target as it was at the source. */
export type NoteKind = 'flavor' | 'location' | 'reference' | 'requirement' | 'state_rule' | 'default'
export interface Note {
  pointer: string
  kind: NoteKind
  message: string
}
export interface Shaping {
  vertical: Vertical // of the target
  prefix: string // put before source ids, where several sources go to one target
  location?: string // of the target, for this order
}

const verticalNames: Readonly<Record<Vertical, string>> = {
  restaurant: 'restaurants',
  retail_pos: 'shops',
  accounting: 'bookkeeping',
}

/** Whether records of this type name the location where they happened. */
export const isAtLocation = (entity: EntityType): boolean => '/locationExternalId' in entities[entity].references

/** The pointers to ids of things that are no records of their own, such as the tax of a line. */
function platformIds(value: unknown, references: readonly string[], at = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const pointer = `${at}/${name}`
    const isOwn = name.endsWith('ExternalId') && !references.some((pattern) => matches(pointer, pattern))
    return isOwn && typeof inner === 'string' ? [pointer] : platformIds(inner, references, pointer)
  })
}

export function shape(
  entity: EntityType,
  source: SourceRecord,
  { vertical, prefix, location }: Shaping,
): { body: SourceRecord; notes: Note[] } {
  const body = structuredClone(source)
  const notes: Note[] = []
  for (const pattern of foreignFields(entities[entity], vertical)) {
    for (const { pointer, set } of placesOf(body, pattern)) {
      set(undefined)
      notes.push({ pointer, kind: 'flavor', message: `Not a field of ${entity} for ${verticalNames[vertical]}.` })
    }
  }
  const { computed, references } = entities[entity]
  for (const pattern of computed) for (const { set } of placesOf(body, pattern)) set(undefined)
  for (const pointer of platformIds(body, Object.keys(references))) {
    setAt(body, pointer, undefined)
    notes.push({ pointer, kind: 'reference', message: 'This is an id of the source, which the target does not know.' })
  }
  body.externalId = prefix + source.externalId
  for (const [pattern, target] of Object.entries(references)) {
    for (const { pointer, value, set } of placesOf(body, pattern)) {
      if (!entities[target].linked) {
        set(prefix + value)
        continue
      }
      set(location)
      notes.push({
        pointer,
        kind: 'location',
        message:
          location === undefined
            ? "The target's own location is used."
            : `The location ${location} of the target is used.`,
      })
    }
  }
  if (isAtLocation(entity) && location !== undefined && body.locationExternalId === undefined)
    body.locationExternalId = location
  return { body, notes }
}
