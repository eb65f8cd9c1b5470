// Lenient readers of vendors' fields: what is absent, null, empty or of another type becomes undefined, never an
// exception.

/**
 * Without leading and trailing white space; numbers become text (ids have both types); an empty text becomes undefined.
 */
export function text(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' ? value.trim() || undefined : undefined
}
/** Booleans, and the words and digits that represent them. */
export function flag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (value === 1 || value === 'true' || value === '1') return true
  if (value === 0 || value === 'false' || value === '0') return false
  return undefined
}
export const list = <T>(value: readonly T[] | null | undefined): readonly T[] => (Array.isArray(value) ? value : [])

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
