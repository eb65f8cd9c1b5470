// Lenient readers of vendors' fields: what is absent, null or empty becomes undefined, never an exception. A number as
// text, and text as a number, is converted. Anything else becomes undefined too, and a warning of the record.
import { unread } from '../contract/unread.ts'

const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

/**
 * Without leading and trailing white space; numbers become text (ids have both types); an empty text becomes undefined.
 */
export function text(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() || undefined
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return value === undefined || value === null ? undefined : unread(value)
}
/** An id of another record; 0 means none. */
export function reference(value: unknown): string | undefined {
  const found = text(value)
  return found === '0' ? undefined : found
}
/** Booleans, and the words and digits that represent them. */
export function flag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (value === 1 || value === 'true' || value === '1') return true
  if (value === 0 || value === 'false' || value === '0') return false
  return isAbsent(value) ? undefined : unread(value)
}
/** A flag that the platform leaves out where it has this value. */
export const flagOr =
  (usual: boolean) =>
  (value: unknown): boolean | undefined =>
    isAbsent(value) ? usual : flag(value)
/** The opposite of a flag, for a platform that has `archived` or `unsubscribed`. */
export function not(value: unknown): boolean | undefined {
  const found = flag(value)
  return found === undefined ? undefined : !found
}
/** Numbers, also as text. */
export function number(value: unknown): number | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (typeof value === 'string' && /^\s*[-+]?(\d+\.?\d*|\.\d+)\s*$/.test(value)) return Number(value)
  return isAbsent(value) ? undefined : unread(value)
}
/** The entries of a list. A null in the place of one may have been a line or an amount: a warning says so. */
export function list<T>(value: readonly (T | null)[] | null | undefined): readonly T[] {
  if (Array.isArray(value)) {
    if (!value.includes(null)) return value
    unread(value)
    return value.filter((entry) => entry !== null)
  }
  if (!isAbsent(value)) unread(value)
  return []
}
/** The members of an object, or none: a default such as `= {}` is not for null. */
export function members<T extends object>(value: T | null | undefined): Partial<T> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  // PHP sends an empty object as an empty list.
  if (!isAbsent(value) && !(Array.isArray(value) && value.length === 0)) unread(value)
  return {}
}

type Present<T> = { [K in keyof T]: Exclude<T[K], null> }
/** Without the members that are undefined or null. A loop, because it runs for every record of a page. */
export function compact<T extends object>(object: T): Present<T> {
  const present: Record<string, unknown> = {}
  for (const name of Object.keys(object)) {
    const value = object[name as keyof T]
    if (value === undefined || value === null) continue
    if (name === '__proto__')
      Object.defineProperty(present, name, { value, enumerable: true, writable: true, configurable: true })
    else present[name] = value
  }
  return present as Present<T>
}

/** `compact`, and undefined when nothing is left: for nested objects such as an address. */
export function filled<T extends object>(object: T): Present<T> | undefined {
  const present = compact(object)
  return Object.keys(present).length ? present : undefined
}
/** undefined -> null, for updates in which null clears a field and absence keeps it. */
export const orNull = <T extends object>(object: T): { [K in keyof T]: Exclude<T[K], undefined> | null } =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, value ?? null])) as {
    [K in keyof T]: Exclude<T[K], undefined> | null
  }
