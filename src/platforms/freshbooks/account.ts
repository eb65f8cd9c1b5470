// The business of an account: one login can belong to several, and every accounting call contains the account id of
// one. https://www.freshbooks.com/api/me_endpoint
import type { ReadCall } from '../../contract/connector.ts'
import { Problem } from '../../contract/errors.ts'
import { flag, list, text } from '../../kit/fields.ts'
import { get } from '../../kit/requests.ts'

interface Membership {
  role?: string
  business?: { name?: string; account_id?: string | null; active?: boolean } | null
}

/**
 * The only business of the authorization. If there are several, none is guessed: a wrong one would be another company's
 * books.
 */
export async function discover(call: ReadCall): Promise<Readonly<Record<string, string>>> {
  if (call.account.settings.accountId) return {}
  const { body } = await call.read(get('/auth/api/v1/users/me'))
  // A membership without an account id has no books, and a closed business cannot be used.
  const businesses = new Map(
    list<Membership>(body.response?.business_memberships).flatMap(({ business }) => {
      const accountId = text(business?.account_id)
      return accountId && flag(business?.active) !== false
        ? [[accountId, `${accountId} (${text(business?.name) ?? 'no name'})`] as const]
        : []
    }),
  )
  const [only, ...others] = businesses.keys()
  if (only && others.length === 0) return { accountId: only }
  const message = only
    ? `is required, because the authorization covers several businesses: ${[...businesses.values()].join(', ')}`
    : 'cannot be determined: the authorization covers no business'
  throw new Problem('validation_failed', 'The account cannot be connected with these settings.', {
    errors: [
      { pointer: '/settings/accountId', message, choices: [...businesses].map(([value, label]) => ({ value, label })) },
    ],
    downstream: { platform: 'freshbooks' },
  })
}
