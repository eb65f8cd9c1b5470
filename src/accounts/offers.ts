// What a link can connect: platforms, verticals, and available authentication methods.
import type { Auth, Connector } from '../contract/connector.ts'
import { verticals as allVerticals, type Vertical } from '../contract/entity.ts'
import type { ConnectLink } from '../store/store.ts'
import { accountOf } from './completion.ts'
import type { ConnectParts } from './connect.ts'
import { scopeSettings, usualSettings } from './fields.ts'
import { environmentFaults } from './platform-apps.ts'

type OfferParts = Pick<ConnectParts, 'store' | 'engine' | 'connectors'>

export interface Offer {
  connector: Connector
  verticals: Vertical[]
  methods: Auth[] // the first is the default
  fixed: Record<string, string> // settings that the form does not ask for
}

/** OAuth requires an application that the operator registered. */
const methodsOf = (connector: Connector, hasApp: boolean): Auth[] =>
  connector.auth.filter(({ kind }) => kind !== 'oauth2' || hasApp)

/** The platform with the regions that an account of a test workspace may be in; undefined if there are none. */
function inTest(engine: OfferParts['engine'], workspaceId: string, connector: Connector): Connector | undefined {
  const isAllowed = (settings: Readonly<Record<string, string>>) =>
    environmentFaults(engine, { workspaceId, platform: connector.id, settings }).length === 0
  if (isAllowed({})) return connector // simulated
  const regions = connector.regions?.filter(({ settings }) => isAllowed(settings)) ?? []
  return regions.length > 0 ? { ...connector, regions } : undefined
}

export async function offersOf({ store, engine, connectors }: OfferParts, link: ConnectLink): Promise<Offer[]> {
  const { workspaceId } = link
  const isTest = (await store.workspaces.get(workspaceId))?.isTest
  const apps = new Map((await store.platformApps.list(workspaceId)).map((app) => [app.platform, app]))
  const account = link.accountId === undefined ? undefined : await accountOf(store, link)
  const platforms = account ? [account.platform] : (link.platforms ?? Object.keys(connectors))
  return platforms.flatMap((platform) => {
    const known = connectors[platform]
    const connector = known && isTest ? inTest(engine, workspaceId, known) : known
    const methods = connector ? methodsOf(connector, apps.has(platform)) : []
    const verticals = (connector?.verticals ?? []).filter(
      (vertical) => (account?.vertical ?? link.vertical ?? vertical) === vertical,
    )
    if (!connector || methods.length === 0 || verticals.length === 0) return []
    // An account stays in its region, also if it names none.
    const own = account && { ...usualSettings(connector), ...account.settings }
    // A new consent requests the scopes of the application, not those of the last consent.
    for (const name of scopeSettings(connector)) delete own?.[name]
    const [region, ...others] = connector.regions ?? []
    const fixed = { ...(others.length === 0 && region?.settings), ...apps.get(platform)?.settings, ...own }
    return [{ connector, verticals, methods, fixed }]
  })
}

/** Why a platform cannot be offered; undefined if it can. */
export async function obstacle(
  { store, engine }: Pick<OfferParts, 'store' | 'engine'>,
  workspaceId: string,
  connector: Connector | undefined,
  vertical: Vertical | undefined,
): Promise<string | undefined> {
  if (!connector) return 'is not a platform of this service'
  if (vertical && !connector.verticals.includes(vertical)) return `serves ${connector.verticals.join(', ')}`
  if ((await store.workspaces.get(workspaceId))?.isTest && !inTest(engine, workspaceId, connector))
    return 'has no test environment, and a test workspace reaches nothing else'
  const hasApp = (await store.platformApps.get(workspaceId, connector.id)) !== undefined
  return methodsOf(connector, hasApp).length > 0
    ? undefined
    : `needs an application first: PUT /manage/v1/workspaces/${workspaceId}/platform-apps/${connector.id}`
}

export const inOrder = (verticals: readonly Vertical[]): Vertical[] =>
  allVerticals.filter((vertical) => verticals.includes(vertical))
