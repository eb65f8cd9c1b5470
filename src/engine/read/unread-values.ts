// Warnings for values of a row that its mapping could not read. Only such a row costs the time to find out which field
// each value belongs to.
import type { EntityAdapter, Mapping } from '../../contract/connector.ts'
import type { EntityType } from '../../contract/entity.ts'
import type { Warning } from '../../contract/errors.ts'
import { placesOf } from '../../contract/pointer.ts'
import { changedLeaves } from '../explorer/changed-leaves.ts'

/** More of them in one record say nothing new. */
const most = 10
const readable: readonly unknown[] = ['1', '2026-01-01T00:00:00.000Z', true, [], ['1']]

export function unreadWarnings(
  adapter: EntityAdapter<EntityType>,
  row: unknown,
  account: Mapping['account'],
  id: string,
  values: readonly unknown[],
): Warning[] {
  const wanted = new Set(values)
  const pointers = pointersOf(row, wanted).slice(0, most)
  if (pointers.length === 0) return [{ code: 'value_unknown', id, message: `${leftOut(values[0])}.` }]
  const copy = structuredClone(row)
  const make = (): unknown => {
    try {
      return adapter.toUnified(copy, { account, warn: () => {} })
    } catch {
      return {}
    }
  }
  return pointers.map(({ pointer, value }): Warning => {
    const [place] = placesOf(copy, pointer)
    const fields = place ? fieldsOf(place, make) : []
    return {
      code: 'value_unknown',
      ...(fields[0] && { pointer: fields[0] }),
      id,
      message: `${leftOut(value)} (${pointer} of the native record).`,
    }
  })
}
function leftOut(value: unknown): string {
  const type = Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`
  return `The platform's value was left out: it is ${type} that cannot be read as this field`
}

/** The unified fields that change with a native value. */
function fieldsOf(place: { value: unknown; set(value: unknown): void }, make: () => unknown): string[] {
  place.set(null)
  const without = make()
  for (const value of readable) {
    place.set(value)
    const now = make()
    const changed = [...changedLeaves(without, now), ...changedLeaves(now, without)]
    if (changed.length > 0) {
      place.set(null)
      return changed
    }
  }
  place.set(null)
  return []
}

interface Found {
  pointer: string
  value: unknown
}
/** Where the values are in a row: an object is itself, another value is every equal one. */
function pointersOf(row: unknown, wanted: ReadonlySet<unknown>): Found[] {
  const found: Found[] = []
  const walk = (value: unknown, pointer: string): void => {
    if (pointer !== '' && wanted.has(value)) found.push({ pointer, value })
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value))
        walk(inner, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  }
  walk(row, '')
  return found
}
