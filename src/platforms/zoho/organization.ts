import type { ReadCall } from '../../contract/connector.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { flag, list, text } from '../../kit/fields.ts'
import { get } from '../../kit/requests.ts'
import { dataCentre } from './data-centres.ts'
import type { ZohoProduct } from './product.ts'

interface NativeOrganization {
  organization_id: string | number
  name?: string
  is_default_org?: boolean
  is_org_active?: boolean
}
const unclear = (message: string): NativeFailure => new NativeFailure({ kind: 'invalid', code: 'organization', message }, 422)

/** The organization, and what its data centre's hosts are. A user may belong to several: the one that was asked for, the only one, or the default one. */
export const discoverOrganization =
  ({ base }: ZohoProduct) =>
  async (call: ReadCall): Promise<Readonly<Record<string, string>>> => {
    const { body } = await call.read(get(`${base}/organizations`))
    const active = list<NativeOrganization>(body.organizations).filter((organization) => flag(organization.is_org_active) !== false)
    const wanted = call.account.settings.organizationId
    const chosen = wanted
      ? active.find(({ organization_id }) => text(organization_id) === wanted)
      : active.length === 1
        ? active[0]
        : active.find((organization) => flag(organization.is_default_org))
    const known = active.map(({ organization_id, name }) => `${organization_id} (${name ?? 'no name'})`).join(', ')
    if (!chosen) throw unclear(`The connected user can choose among these organizations: ${known || 'none'}. Name one in the setting organizationId.`)
    return { organizationId: String(chosen.organization_id), ...dataCentre(call.account.settings) }
  }
