// JSON pointers into records. A `*` step stands for every element of an array.
type Json = Record<string, unknown> | unknown[]

/** The same pointers are asked for record by record. */
const known = new Map<string, readonly string[]>()
export function stepsOf(pointer: string): readonly string[] {
  let found = known.get(pointer)
  if (!found) {
    found = (pointer === '' ? [] : pointer.slice(1).split('/')).map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    if (known.size >= 2_000) known.clear() // some come from callers
    known.set(pointer, found)
  }
  return found
}
const isContainer = (value: unknown): value is Json => typeof value === 'object' && value !== null
const has = (container: Json, step: string) => Object.hasOwn(container, step)

/** The value at a plain pointer (no `*`), or undefined. */
export function valueAt(record: unknown, pointer: string): unknown {
  let value = record
  for (const step of stepsOf(pointer)) {
    if (!isContainer(value) || !has(value, step)) return undefined
    value = (value as Record<string, unknown>)[step]
  }
  return value
}

/** Every place a pattern stands for that has a value: its plain pointer, the value, and a way to replace it. */
export function placesOf(record: unknown, pattern: string): { pointer: string; value: unknown; set(value: unknown): void }[] {
  let places: { pointer: string; value: unknown; set(value: unknown): void }[] = [{ pointer: '', value: record, set: () => {} }]
  for (const step of stepsOf(pattern)) {
    places = places.flatMap(({ pointer, value }) => {
      if (!isContainer(value)) return []
      const names = step === '*' && Array.isArray(value) ? [...value.keys()].map(String) : has(value, step) ? [step] : []
      const container = value as Record<string, unknown>
      return names.map((name) => ({
        pointer: `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
        value: container[name],
        set: (next: unknown) => setOn(container, name, next),
      }))
    })
  }
  return places.filter(({ value }) => value !== undefined)
}

function setOn(container: Record<string, unknown>, name: string, value: unknown): void {
  if (value === undefined) delete container[name]
  else if (name !== '__proto__') container[name] = value
  else Object.defineProperty(container, name, { value, writable: true, enumerable: true, configurable: true })
}

/** Sets a value at a plain pointer, making the objects on the way. */
export function setAt(record: Record<string, unknown>, pointer: string, value: unknown): void {
  const path = stepsOf(pointer)
  const last = path.at(-1)
  if (last === undefined) return
  let container = record
  for (const step of path.slice(0, -1)) {
    if (!isContainer(container[step])) setOn(container, step, {})
    container = container[step] as Record<string, unknown>
  }
  setOn(container, last, value)
}

/** The plain pointers of a pattern that a record lacks: one for each line that has no sku, say. */
export function missingPlaces(record: unknown, pattern: string): string[] {
  const path = stepsOf(pattern).slice(0, -1)
  const last = stepsOf(pattern).at(-1) as string
  const parents = path.length === 0 ? [{ pointer: '', value: record }] : placesOf(record, `/${path.join('/')}`)
  return parents.filter(({ value }) => isContainer(value) && (value as Record<string, unknown>)[last] === undefined).map(({ pointer }) => `${pointer}/${last}`)
}

/** True when a plain pointer is one that the pattern stands for. */
export function matches(pointer: string, pattern: string): boolean {
  const left = pointer.split('/')
  const right = pattern.split('/')
  return left.length === right.length && right.every((step, index) => step === '*' || step === left[index])
}
