// Every response has a `code`, 0 for success; the HTTP status alone is not enough, and an error may come with status
// 200: https://www.zoho.com/books/api/v3/errors/
import type { NativeErrorKind } from '../../contract/connector.ts'
import type { Pointer } from '../../contract/entity.ts'
import { errorTable, objectIn } from '../../kit/error-table.ts'
import { cleanText } from '../../kit/errors.ts'
import { text } from '../../kit/fields.ts'

const kinds: Readonly<Record<number, NativeErrorKind>> = {
  14: 'token',
  44: 'throttled', // too many within a minute
  45: 'throttled', // too many within a day
  57: 'token', // an expired token or a missing scope: one renewal distinguishes them
  1000: 'unavailable',
  1002: 'not_found', // with 404, sometimes with 400
  3062: 'duplicate',
  6041: 'reconnect', // the user is not, or no longer, in this organization
}

export const fields: Readonly<Record<string, Pointer>> = {
  contact_name: '/name',
  company_name: '/companyName',
  first_name: '/firstName',
  last_name: '/lastName',
  currency_id: '/currencyCode',
  currency_code: '/currencyCode',
  billing_address: '/address',
  email: '/email',
  phone: '/phone',
  mobile: '/phone',
  notes: '/notes',
  street2: '/address/line2',
  city: '/address/city',
  state: '/address/state',
  zip: '/address/postalCode',
  country: '/address/country',
  address: '/address/line1',
  status: '/active',
}

export const readError = errorTable({
  anyStatus: true,
  kinds,
  findings: (body) => {
    const answer = objectIn<{ code: unknown; message: unknown }>(body)
    const code = Number(answer.code ?? 0)
    if (!code) return []
    const message = cleanText(text(answer.message) ?? '') || `rejected with code ${code}`
    return [{ code: String(code), message, field: code === 3062 ? 'contact_name' : fieldIn(message) }]
  },
  // The day may have room again at any time, so without a time it is asked again after 15 minutes.
  retryAfterMs: ({ code, retryAfterMs }, { headers }) => {
    if (code !== '45') return undefined
    const seconds = Number(headers['x-rate-limit-reset'])
    return seconds > 0 ? seconds * 1000 : (retryAfterMs ?? 900_000)
  },
})
/** Only the message names a field, as in "Invalid value passed for currency_id". */
const fieldIn = (message: string): string | undefined =>
  message.match(/[a-z][a-z_0-9]+/g)?.find((word) => Object.hasOwn(fields, word))
