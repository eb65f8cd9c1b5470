import { Problem } from '../contract/errors.ts'

/**
 * The database cannot be reached, does not respond in time, or cannot store anything at the moment. Not a Problem:
 * inside a write a Problem means "never sent", and this error can also occur after a platform call.
 */
export class DatabaseUnavailable extends Error {
  readonly reason: string
  constructor(cause: unknown) {
    const { message, code } = cause as { message?: string; code?: string }
    const reason = message || code || 'no reason given'
    super(`the database is not available: ${reason}`, { cause })
    this.name = 'DatabaseUnavailable'
    this.reason = reason
  }
  problem(): Problem {
    const detail =
      'The service cannot reach its database, or gets no answer from it in time. Send the same request again: a write that was under way is finished or recovered under its key.'
    return new Problem('unavailable', detail, { headers: { 'retry-after': '5' }, cause: this })
  }
}
