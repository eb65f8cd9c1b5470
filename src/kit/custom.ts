// Bodies that set custom fields.
import { selectedBy } from '../contract/native-pointer.ts'
import { setAt } from '../contract/pointer.ts'

type Values = Readonly<Record<string, unknown>>

/** The values at their pointers. `cleared`: what clears a field on this platform. */
export function bodyWith(values: Values, cleared: unknown = null): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const [pointer, value] of Object.entries(values)) setAt(body, pointer, value ?? cleared)
  return body
}
/** Entries of a list of named values: `/meta_data/[key=tier]/value` is `{ key: 'tier', value }`. */
export const entriesOf = (values: Values, key: string): Record<string, unknown>[] =>
  Object.entries(values).map(([pointer, value]) => ({ [key]: selectedBy(pointer)[0], value }))
