// JSON pointers into records. A `*` step matches every element of an array.
import { BoundedMap } from '../base/bounded-map.ts'

type Json = Record<string, unknown> | unknown[]

/** The same pointers are used for every record. Some come from callers. */
const parsedPointers = new BoundedMap<string, readonly string[]>(2_000)
export function stepsOf(pointer: string): readonly string[] {
  let found = parsedPointers.get(pointer)
  if (!found) {
    found = (pointer === '' ? [] : pointer.slice(1).split('/')).map((step) =>
      step.replaceAll('~1', '/').replaceAll('~0', '~'),
    )
    parsedPointers.set(pointer, found)
  }
  return found
}
const isContainer = (value: unknown): value is Json => typeof value === 'object' && value !== null
const has = (container: Json, step: string) => Object.hasOwn(container, step)

const inside = (value: unknown, step: string): unknown =>
  isContainer(value) && has(value, step) ? (value as Record<string, unknown>)[step] : undefined

/** Returns a function that reads the value at a plain pointer (no `*`) in a record. */
export function takerAt(pointer: string): (record: unknown) => unknown {
  const steps = stepsOf(pointer)
  const [first, second] = steps as [string, string]
  if (steps.length === 1) return (record) => inside(record, first)
  if (steps.length === 2) return (record) => inside(inside(record, first), second)
  return (record) => {
    let value = record
    for (const step of steps) value = inside(value, step)
    return value
  }
}
/** The value at a plain pointer, or undefined. */
export function valueAt(record: unknown, pointer: string): unknown {
  let value = record
  for (const step of stepsOf(pointer)) value = inside(value, step)
  return value
}

/** Every match of a pattern that has a value: its plain pointer, the value, and a function that replaces it. */
export function placesOf(
  record: unknown,
  pattern: string,
): { pointer: string; value: unknown; set(value: unknown): void }[] {
  let places: { pointer: string; value: unknown; set(value: unknown): void }[] = [
    { pointer: '', value: record, set: () => {} },
  ]
  for (const step of stepsOf(pattern)) {
    places = places.flatMap(({ pointer, value }) => {
      if (!isContainer(value)) return []
      const names =
        step === '*' && Array.isArray(value) ? [...value.keys()].map(String) : has(value, step) ? [step] : []
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
  if (value !== undefined && name !== '__proto__') container[name] = value
  else if (value !== undefined)
    Object.defineProperty(container, name, { value, writable: true, enumerable: true, configurable: true })
  else if (has(container, name)) delete container[name]
}

/** Returns a function that sets the value at a plain pointer in a record and creates missing objects. */
export function putterAt(pointer: string): (record: Record<string, unknown>, value: unknown) => void {
  const path = stepsOf(pointer)
  const last = path.at(-1)
  if (last === undefined) return () => {}
  const parents = path.slice(0, -1)
  return (record, value) => {
    let container = record
    for (const step of parents) {
      if (!isContainer(inside(container, step))) {
        if (value === undefined) return
        setOn(container, step, {})
      }
      container = container[step] as Record<string, unknown>
    }
    setOn(container, last, value)
  }
}
/** The same, once. */
export const setAt = (record: Record<string, unknown>, pointer: string, value: unknown): void =>
  putterAt(pointer)(record, value)

const isMissing = (value: unknown): boolean => value === undefined || (typeof value === 'string' && value.trim() === '')
/** The plain pointers of a pattern that a record lacks: one for each line that has no sku, say. Blank is missing. */
export function missingPlaces(record: unknown, pattern: string): string[] {
  const path = stepsOf(pattern).slice(0, -1)
  const last = stepsOf(pattern).at(-1) as string
  const parents = path.length === 0 ? [{ pointer: '', value: record }] : placesOf(record, `/${path.join('/')}`)
  return parents
    .filter(({ value }) => isContainer(value) && isMissing((value as Record<string, unknown>)[last]))
    .map(({ pointer }) => `${pointer}/${last}`)
}

/** True if the pattern matches the plain pointer. */
export function matches(pointer: string, pattern: string): boolean {
  const left = pointer.split('/')
  const right = pattern.split('/')
  return left.length === right.length && right.every((step, index) => step === '*' || step === left[index])
}
/** True if the pattern matches the plain pointer, or an object or array that contains it. */
export function isWithin(pointer: string, pattern: string): boolean {
  const steps = pointer.split('/')
  return matches(steps.slice(0, pattern.split('/').length).join('/'), pattern)
}
