import { errorTable, objectIn } from '../../kit/error-table.ts'
import { cleanText } from '../../kit/errors.ts'
import { text } from '../../kit/fields.ts'

const contact = /\b(phoneNumber|phone_numbers|emailAddress|email_addresses)\b/

/**
 * `{ message, details? }`, no codes; only a message about a contact names its field. A missing permission is a 401, like an expired token: it is
 * still a 401 after the renewal and becomes a reconnect.
 */
export const readError = errorTable({
  findings: (body) => {
    const { message, details } = objectIn<{ message: string; details: string }>(body)
    if (!text(message)) return []
    const words = cleanText([text(message), text(details)].filter(Boolean).join(': '))
    return [{ message: words, field: contact.exec(words)?.[0] }]
  },
})
