import type { ReadCall } from '../../contract/connector.ts'
import { Problem } from '../../contract/errors.ts'
import { refusal } from '../../kit/errors.ts'
import { flag, list, text } from '../../kit/fields.ts'
import { get } from '../../kit/requests.ts'
import { dataCenter } from './data-centers.ts'
import type { ZohoProduct } from './zoho-product.ts'

interface NativeOrganization {
  organization_id: string | number
  name?: string
  is_default_org?: boolean
  is_org_active?: boolean
  plan_name?: string
}
const unclear = (message: string, organizations: readonly NativeOrganization[], platform: string): Problem => {
  const choices = organizations.map(({ organization_id, name }) => ({
    value: String(organization_id),
    label: name ?? String(organization_id),
  }))
  return new Problem(
    'validation_failed',
    `The account cannot be connected with these settings: organizationId ${message}`,
    {
      errors: [{ pointer: '/settings/organizationId', message, choices }],
      downstream: { platform },
    },
  )
}

/**
 * The organization, its plan, and the hosts of its data center. A user may belong to several: the requested one, the only one, or
 * the default one.
 */
export const discoverOrganization =
  ({ base, id, dailyCalls }: ZohoProduct) =>
  async (call: ReadCall): Promise<Readonly<Record<string, string>>> => {
    const { body } = await call.read(get(`${base}/organizations`))
    const active = list<NativeOrganization>(body.organizations).filter(
      (organization) => flag(organization.is_org_active) !== false,
    )
    const requested = call.account.settings.organizationId
    const chosen = requested
      ? active.find(({ organization_id }) => text(organization_id) === requested)
      : active.length === 1
        ? active[0]
        : active.find((organization) => flag(organization.is_default_org))
    const known = active.map(({ organization_id, name }) => `${organization_id} (${name ?? 'no name'})`).join(', ')
    if (!chosen) throw unclear(`must be one of the organizations of the connected user: ${known || 'none'}`, active, id)
    const plan = text(chosen.plan_name)?.toUpperCase() ?? ''
    return {
      organizationId: String(chosen.organization_id),
      ...dataCenter(call.account.settings),
      ...(Object.hasOwn(dailyCalls, plan) ? { plan } : {}),
    }
  }

// Contacts are written with the id of a currency, never with its code.
interface NativeCurrency {
  currency_id: string | number
  currency_code: string
}

const readCurrencies = async (call: ReadCall, { base }: ZohoProduct): Promise<Record<string, string>> => {
  const { body } = await call.read(get(`${base}/settings/currencies`, { per_page: 200 }))
  return Object.fromEntries(
    list<NativeCurrency>(body.currencies).map(({ currency_id, currency_code }) => [
      text(currency_code)?.toUpperCase(),
      String(currency_id),
    ]),
  )
}

export async function currencyId(call: ReadCall, product: ZohoProduct, code: string): Promise<string> {
  const kept = await call.cached('currencies', () => readCurrencies(call, product))
  if (kept[code]) return kept[code]
  const now = await readCurrencies(call, product) // the currency may be new
  const id = now[code]
  if (!id)
    throw refusal(
      'currency_id',
      `is not a currency of this organization, which has ${Object.keys(now).toSorted().join(', ')}`,
    )
  return id
}
