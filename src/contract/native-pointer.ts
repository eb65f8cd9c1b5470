// Pointers into native records. They are JSON pointers, and in a list a step `[key=tier]` selects the first entry whose
// `key` is `tier`: many platforms have their custom values in such lists, in any order.
import { stepsOf, valueAt } from './pointer.ts'

const form = /^(\/([^~/]|~[01])+)+$/
const selector = /^\[([^=[\]]+)=([^[\]]+)\]$/
const isSelector = (step: string): boolean => step.startsWith('[') || step.endsWith(']')

/** The fault of the pointer; undefined if it has none. */
export function nativePointerFault(pointer: unknown): string | undefined {
  if (typeof pointer !== 'string' || pointer.length > 500 || !form.test(pointer))
    return 'must be a JSON pointer into the native record, such as /note'
  const steps = stepsOf(pointer)
  if (steps.some((step) => isSelector(step) && !selector.test(step)))
    return 'has a step that selects nothing; write it as [name=value], such as /meta_data/[key=tier]/value'
  return undefined
}

export function nativeAt(row: unknown, pointer: string): unknown {
  if (!pointer.includes('[')) return valueAt(row, pointer)
  let value = row
  for (const step of stepsOf(pointer)) value = inside(value, step)
  return value
}
function inside(value: unknown, step: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const [, name, wanted] = (Array.isArray(value) && selector.exec(step)) || []
  if (name !== undefined)
    return (value as unknown[]).find(
      (entry) => typeof entry === 'object' && entry !== null && String((entry as Fields)[name] ?? '') === wanted,
    )
  return Object.hasOwn(value, step) ? (value as Fields)[step] : undefined
}
type Fields = Record<string, unknown>

/** The values that the selectors of a pointer select: `tier` in `/meta_data/[key=tier]/value`. */
export const selectedBy = (pointer: string): string[] =>
  stepsOf(pointer).flatMap((step) => selector.exec(step)?.[2] ?? [])

/** True if the pattern matches the pointer: `[key=*]` matches a selector with any value. */
export function matchesNative(pointer: string, pattern: string): boolean {
  const [left, right] = [stepsOf(pointer), stepsOf(pattern)]
  return (
    left.length === right.length &&
    right.every((step, n) => step === left[n] || (step.endsWith('=*]') && left[n]!.startsWith(step.slice(0, -2))))
  )
}
