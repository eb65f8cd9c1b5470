// Fields that a credential must not see, by their names, at any depth of a record.
import { withoutFields } from '../contract/scopes.ts'
import type { Credential } from '../store/store.ts'

export const withoutHidden = <T>(value: T, { hiddenFields }: Credential): T =>
  hiddenFields ? (withoutFields(value, hiddenFields) as T) : value

/** A message about a field can have its value in it. */
export const withoutHiddenPointers = <T extends { pointer?: string }>(
  found: readonly T[],
  { hiddenFields }: Credential,
): T[] => found.filter(({ pointer = '' }) => !pointer.split('/').some((step) => hiddenFields?.includes(step)))

/** The warnings of a result, if there are any. */
export function warningsFor<T extends { pointer?: string }>(credential: Credential, found: readonly T[]) {
  const warnings = withoutHiddenPointers(found, credential)
  return warnings.length > 0 ? { warnings } : {}
}

/** An update replaces the record: what its caller cannot see stays as it is. */
export function keepingHidden(
  record: Record<string, unknown>,
  current: object,
  { hiddenFields = [] }: Credential,
): Record<string, unknown> {
  const kept = Object.entries(current).filter(([name]) => hiddenFields.includes(name) && !(name in record))
  return { ...record, ...Object.fromEntries(kept) }
}
