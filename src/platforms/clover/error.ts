import { errorTable, objectIn } from '../../kit/error-table.ts'
import { cleanText } from '../../kit/errors.ts'
import { text } from '../../kit/fields.ts'

/**
 * `{ message, details? }`, no codes and no field names. A missing permission is a 401, like an expired token: it is
 * still a 401 after the renewal and becomes a reconnect.
 */
export const readError = errorTable({
  findings: (body) => {
    const { message, details } = objectIn<{ message: string; details: string }>(body)
    if (!text(message)) return []
    return [{ message: cleanText([text(message), text(details)].filter(Boolean).join(': ')) }]
  },
})
