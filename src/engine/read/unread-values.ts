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
  if (pointers.length === 0) {
    const [first] = values
    return [hasNull(first) ? emptyEntry(undefined, id) : { code: 'value_unknown', id, message: `${leftOut(first)}.` }]
  }
  const copy = structuredClone(row)
  const make = (): unknown => {
    try {
      return adapter.toUnified(copy, { account, warn: () => {} })
    } catch {
      return {}
    }
  }
  return pointers.map(({ pointer, value, list }): Warning => {
    if (list !== undefined) return emptyEntry(pointer, id, fieldOfList(copy, list, make))
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

const hasNull = (value: unknown): value is unknown[] => Array.isArray(value) && value.includes(null)
/** A null among the entries of a list: a line of an order, or a part of an amount, may be missing. */
const emptyEntry = (pointer: string | undefined, id: string, field?: string): Warning => ({
  code: 'value_unknown',
  ...(field !== undefined && { pointer: field }),
  id,
  message: `The platform has null in place of an entry of a list, which was left out${pointer === undefined ? '' : ` (${pointer} of the native record)`}.`,
})
/** The unified list that the entries of a native list become. There is none if they only count in an amount. */
function fieldOfList(copy: unknown, pointer: string, make: () => unknown): string | undefined {
  const [place] = placesOf(copy, pointer)
  if (!place) return undefined
  const whole = make() as Record<string, unknown>
  place.set(null)
  const without = make() as Record<string, unknown>
  place.set(place.value)
  const names = Object.keys(whole).filter((name) => JSON.stringify(whole[name]) !== JSON.stringify(without[name]))
  return names.length === 1 && Array.isArray(whole[names[0]!]) ? `/${names[0]}` : undefined
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
  list?: string // for a null that is an entry of a list: the pointer of the list
}
/** Where the values are in a row: an object is itself, another value is every equal one. */
function pointersOf(row: unknown, wanted: ReadonlySet<unknown>): Found[] {
  const found: Found[] = []
  const walk = (value: unknown, pointer: string): void => {
    if (pointer !== '' && wanted.has(value) && !hasNull(value)) found.push({ pointer, value })
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value))
        if (inner === null && wanted.has(value) && Array.isArray(value))
          found.push({ pointer: `${pointer}/${name}`, value: null, list: pointer })
        else walk(inner, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  }
  walk(row, '')
  return found
}
