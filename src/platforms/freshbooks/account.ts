// Which business an account means: one login can belong to several, and every accounting call names one by its account id. https://www.freshbooks.com/api/me_endpoint
import type { ReadCall } from '../../contract/connector.ts'
import { Problem } from '../../contract/errors.ts'
import { flag, list, text } from '../../kit/fields.ts'
import { get } from '../../kit/requests.ts'

interface Membership {
  role?: string
  business?: { name?: string; account_id?: string | null; active?: boolean } | null
}

/** The only business of the authorisation. Among several none is guessed: a wrong one would mean somebody else's books. */
export async function discover(call: ReadCall): Promise<Readonly<Record<string, string>>> {
  if (call.account.settings.accountId) return {}
  const { body } = await call.read(get('/auth/api/v1/users/me'))
  // A membership without an account id has no books, and one of a closed business no use.
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
    ? `must be given, since the authorisation covers several businesses: ${[...businesses.values()].join(', ')}`
    : 'cannot be found out: the authorisation covers no business'
  throw new Problem('validation_failed', 'The account cannot be connected like this.', {
    errors: [
      { pointer: '/settings/accountId', message, choices: [...businesses].map(([value, label]) => ({ value, label })) },
    ],
    downstream: { platform: 'freshbooks' },
  })
}
