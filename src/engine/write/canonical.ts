// Canonical JSON: the same content has the same text, whatever the order of its keys.
import { hash } from 'node:crypto'

export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
    return `{${entries
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`)
      .join(',')}}`
  }
  return JSON.stringify(value)
}
export const contentHash = (value: unknown): string => hash('sha256', canonical(value), 'base64url')

/** Leaf by leaf, what two records differ in. */
export function differences(
  written: unknown,
  asked: unknown,
  pointer = '',
): { pointer: string; written?: unknown; asked?: unknown }[] {
  if (canonical(written ?? null) === canonical(asked ?? null)) return []
  if (isObject(written) && isObject(asked)) {
    const names = new Set([...Object.keys(written), ...Object.keys(asked)])
    return [...names]
      .sort()
      .flatMap((name) =>
        differences(
          (written as Record<string, unknown>)[name],
          (asked as Record<string, unknown>)[name],
          `${pointer}/${name}`,
        ),
      )
  }
  return [{ pointer, ...(written === undefined ? {} : { written }), ...(asked === undefined ? {} : { asked }) }]
}
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
