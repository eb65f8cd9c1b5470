// Which organisation an account means. A token can cover several, and every call must name one: https://developer.xero.com/documentation/guides/oauth2/tenants
import type { ReadCall } from '../../contract/connector.ts'
import { Problem } from '../../contract/errors.ts'
import { list } from '../../kit/fields.ts'
import { get } from '../../kit/requests.ts'

interface Connection {
  tenantId: string
  tenantType?: string
  tenantName?: string
}

/** The only organisation that the authorisation covers. Among several none is guessed: a wrong one would mean somebody else's books. */
export async function discover(call: ReadCall): Promise<Readonly<Record<string, string>>> {
  const { body } = await call.read(get('/connections'))
  const organisations = list<Connection>(body).filter(
    ({ tenantType }) => tenantType === undefined || tenantType === 'ORGANISATION',
  )
  const wanted = call.account.settings.tenantId
  if (wanted !== undefined) {
    if (organisations.some(({ tenantId }) => tenantId.toLowerCase() === wanted.toLowerCase())) return {}
    throw unsettled(
      `must be one of the organisations that the authorisation covers: ${named(organisations)}`,
      organisations,
    )
  }
  const [only, ...others] = organisations
  if (only && others.length === 0) return { tenantId: only.tenantId }
  throw unsettled(
    only
      ? `must be given, since the authorisation covers several organisations: ${named(organisations)}`
      : 'cannot be found out: the authorisation covers no organisation',
    organisations,
  )
}

const named = (organisations: readonly Connection[]): string =>
  organisations.map(({ tenantId, tenantName }) => `${tenantId} (${tenantName ?? 'no name'})`).join(', ') || 'none'

const unsettled = (message: string, organisations: readonly Connection[]): Problem => {
  const choices = organisations.map(({ tenantId, tenantName }) => ({ value: tenantId, label: tenantName ?? tenantId }))
  return new Problem('validation_failed', 'The account cannot be connected like this.', {
    errors: [{ pointer: '/settings/tenantId', message, choices }],
    downstream: { platform: 'xero' },
  })
}
