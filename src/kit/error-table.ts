// `readError` from a table, for platforms whose responses hold a list of errors with a code, a message or a field each.
import type { NativeError, NativeErrorKind, NativeResponse } from '../contract/connector.ts'
import { errorByStatus } from './errors.ts'

export interface Finding {
  code?: string
  message?: string
  field?: string // native
}
interface ErrorTable {
  /** The errors in a body of any shape. The first one gives code, message and kind, all of them the fields. */
  findings(body: unknown): readonly Finding[]
  kinds?: Readonly<Record<string, NativeErrorKind>> // by code
  statuses?: Readonly<Record<number, NativeErrorKind>> // where the platform uses a status in its own way
  /**
   * For what the tables cannot express. `error` is their result for the response, `status` the result of its status
   * alone.
   */
  kind?(error: NativeError, status: NativeErrorKind | undefined, first: Finding): NativeErrorKind
  // If the platform reports it elsewhere than in Retry-After.
  retryAfterMs?(error: NativeError, response: NativeResponse): number | undefined
  anyStatus?: true // errors inside a 200 count too
  bare?: readonly number[] // statuses that the platform sends without an error in its own format
}
/** Refused before any work, at the platform or on the way to it. */
const early = [401, 429]

export function errorTable(table: ErrorTable): (response: NativeResponse) => NativeError | undefined {
  const { kinds = {}, statuses = {} } = table
  return (response) => {
    const plain = errorByStatus(response)
    if (!plain && !table.anyStatus) return undefined
    const findings = table.findings(response.body)
    const [first] = findings
    // A 4xx that is not in the platform's own format comes from something in between.
    const foreign = !first && response.status < 500 && !early.includes(response.status)
    if (foreign && !table.bare?.includes(response.status)) return undefined
    const { code, message = plain?.message ?? 'refused without a reason' } = first ?? {}
    const fields = findings.flatMap(({ field, message: own = message }) =>
      field ? [{ native: field, message: own }] : [],
    )
    const kind = kinds[code ?? ''] ?? statuses[response.status] ?? plain?.kind ?? 'invalid'
    const error = { ...plain, kind, ...(code && { code }), message, ...(fields.length && { fields }) }
    const retryAfterMs = table.retryAfterMs?.(error, response) ?? error.retryAfterMs
    return {
      ...error,
      ...(first && table.kind && { kind: table.kind(error, plain?.kind, first) }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    }
  }
}

/** An object to read from, whatever the body is. */
export const objectIn = <T extends object>(body: unknown): Partial<T> =>
  typeof body === 'object' && body !== null ? (body as Partial<T>) : {}
