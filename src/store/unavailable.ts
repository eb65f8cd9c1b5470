import { Problem } from '../contract/errors.ts'

/** Why the database can be read and not written. */
export type StorageFault = 'full' | 'read-only' | 'failing'

/** Primary result codes of SQLite, https://www.sqlite.org/rescode.html */
const sqliteFaults: Readonly<Record<number, StorageFault>> = { 8: 'read-only', 10: 'failing', 13: 'full' }
/** Codes of PostgreSQL, https://www.postgresql.org/docs/current/errcodes-appendix.html */
const postgresFaults: Readonly<Record<string, StorageFault>> = {
  '25006': 'read-only',
  '53100': 'full',
  '58030': 'failing',
}
const explanations: Readonly<Record<StorageFault, string>> = {
  full: 'its disk is full',
  'read-only': 'it is read-only',
  failing: 'its disk reports errors',
}
/** Names no file: callers see it. */
export const cannotStore = (fault: StorageFault): string =>
  `The database cannot store anything: ${explanations[fault]}.`

/**
 * The database cannot be reached, does not respond in time, or cannot store anything at the moment. Not a Problem:
 * inside a write a Problem means "never sent", and this error can also occur after a platform call.
 */
export class DatabaseUnavailable extends Error {
  readonly reason: string
  readonly fault: StorageFault | undefined
  constructor(cause: unknown, fault?: StorageFault) {
    const { message, code, errcode } = cause as { message?: string; code?: string; errcode?: number }
    const reason = message || code || 'no reason given'
    super(`the database is not available: ${reason}`, { cause })
    this.name = 'DatabaseUnavailable'
    this.reason = reason
    this.fault = fault ?? (errcode === undefined ? postgresFaults[code ?? ''] : sqliteFaults[errcode & 0xff])
  }
  problem(): Problem {
    const what = this.fault
      ? cannotStore(this.fault)
      : 'The service cannot reach its database, or gets no response from it in time.'
    const detail = `${what} Send the same request again: a write that was under way is finished or recovered under its key.`
    return new Problem('unavailable', detail, { headers: { 'retry-after': '5' }, cause: this })
  }
}
