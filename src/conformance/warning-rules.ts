// What holds for the warnings of every response, whatever a case is about.
import type { Warning } from '../contract/errors.ts'
import { valueAt } from '../contract/pointer.ts'

type Found = Partial<Warning> & { code: string }

/** What is wrong with the warnings of a response: one fact has one warning, and `value_unknown` means "left out". */
export function wrongWarnings(method: string, body: unknown): string[] {
  const { data, warnings } = (body ?? {}) as { data?: unknown; warnings?: Found[] }
  if (!Array.isArray(warnings)) return []
  return [...(method === 'GET' ? [] : repeated(warnings)), ...stillThere(data, warnings)]
}
/** A page can have the same warning for several records. A write has one. */
const repeated = (warnings: readonly Found[]): string[] =>
  [...Map.groupBy(warnings, ({ pointer }) => pointer)]
    .filter(([pointer, same]) => pointer !== undefined && same.length > 1)
    .map(([pointer, same]) => `${pointer} has ${same.length} warnings: ${same.map(({ code }) => code).join(', ')}`)

/** A list is there without the entry that was left out. */
function stillThere(data: unknown, warnings: readonly Found[]): string[] {
  const records: unknown[] = Array.isArray(data) ? data : [data]
  return warnings
    .filter(({ code, pointer }) => code === 'value_unknown' && pointer !== undefined && !/\/\d+$/.test(pointer))
    .flatMap(({ pointer, id }) => {
      const record = Array.isArray(data) ? records.find((one) => valueAt(one, '/externalId') === id) : data
      const value = valueAt(record, pointer as string)
      return value === undefined || Array.isArray(value)
        ? []
        : [`${pointer} has the value ${JSON.stringify(value)} and the warning value_unknown`]
    })
}
