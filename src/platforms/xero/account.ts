// The organization of an account. A token can cover several, and every call must contain one:
// https://developer.xero.com/documentation/guides/oauth2/tenants
import type { ReadCall } from '../../contract/connector.ts'
import { Problem } from '../../contract/errors.ts'
import { list } from '../../kit/fields.ts'
import { get } from '../../kit/requests.ts'

interface Connection {
  tenantId: string
  tenantType?: string
  tenantName?: string
}

/**
 * The only organization that the authorization covers. If there are several, none is guessed: a wrong one would be
 * another company's books.
 */
export async function discover(call: ReadCall): Promise<Readonly<Record<string, string>>> {
  const { body } = await call.read(get('/connections'))
  const organizations = list<Connection>(body).filter(
    ({ tenantType }) => tenantType === undefined || tenantType === 'ORGANISATION',
  )
  const requested = call.account.settings.tenantId
  if (requested !== undefined) {
    if (organizations.some(({ tenantId }) => tenantId.toLowerCase() === requested.toLowerCase())) return {}
    throw unsettled(
      `must be one of the organizations that the authorization covers: ${named(organizations)}`,
      organizations,
    )
  }
  const [only, ...others] = organizations
  if (only && others.length === 0) return { tenantId: only.tenantId }
  throw unsettled(
    only
      ? `is required, because the authorization covers several organizations: ${named(organizations)}`
      : 'cannot be determined: the authorization covers no organization',
    organizations,
  )
}

const named = (organizations: readonly Connection[]): string =>
  organizations.map(({ tenantId, tenantName }) => `${tenantId} (${tenantName ?? 'no name'})`).join(', ') || 'none'

const unsettled = (message: string, organizations: readonly Connection[]): Problem => {
  const choices = organizations.map(({ tenantId, tenantName }) => ({ value: tenantId, label: tenantName ?? tenantId }))
  return new Problem('validation_failed', 'The account cannot be connected with these settings.', {
    errors: [{ pointer: '/settings/tenantId', message, choices }],
    downstream: { platform: 'xero' },
  })
}
