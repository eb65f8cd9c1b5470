// Fields that a credential must not see, by their names, at any depth of a record.
import type { Warning } from '../contract/errors.ts'
import type { Credential } from '../store/store.ts'

export function withoutHidden<T>(value: T, { limits: { hiddenFields } }: Credential): T {
  return hiddenFields ? (strip(value, new Set(hiddenFields)) as T) : value
}
function strip(value: unknown, hidden: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((entry) => strip(entry, hidden))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (hidden.has(name) ? [] : [[name, strip(inner, hidden)]])),
  )
}

/** A message about a field can have its value in it. */
export function withoutHiddenPointers<T extends { pointer?: string }>(
  found: readonly T[],
  { limits: { hiddenFields } }: Credential,
): T[] {
  return found.filter(({ pointer = '' }) => !pointer.split('/').some((step) => hiddenFields?.includes(step)))
}

/** An update replaces the record: what its caller cannot see stays as it is. */
export function keepingHidden(
  record: Record<string, unknown>,
  current: object,
  { limits: { hiddenFields = [] } }: Credential,
): Record<string, unknown> {
  const kept = Object.entries(current).filter(([name]) => hiddenFields.includes(name) && !(name in record))
  return { ...record, ...Object.fromEntries(kept) }
}

export const shownWarnings = (warnings: readonly Warning[], credential: Credential): Warning[] =>
  withoutHiddenPointers(warnings, credential)
