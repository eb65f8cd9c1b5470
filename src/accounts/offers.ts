// What a link can connect: platforms, verticals, and available authentication methods.
import type { Auth, Connector } from '../contract/connector.ts'
import { verticals as allVerticals, type Vertical } from '../contract/entity.ts'
import type { ConnectLink, Store } from '../store/store.ts'
import { accountOf } from './completion.ts'
import type { ConnectParts } from './connect.ts'
import { scopeSettings, usualSettings } from './fields.ts'

export interface Offer {
  connector: Connector
  verticals: Vertical[]
  methods: Auth[] // the first is the default
  fixed: Record<string, string> // settings that the form does not ask for
}

/** OAuth requires an application that the operator registered. */
const methodsOf = (connector: Connector, hasApp: boolean): Auth[] =>
  connector.auth.filter(({ kind }) => kind !== 'oauth2' || hasApp)

export async function offersOf(
  { store, connectors }: Pick<ConnectParts, 'store' | 'connectors'>,
  link: ConnectLink,
): Promise<Offer[]> {
  const apps = new Map((await store.platformApps.list(link.workspaceId)).map((app) => [app.platform, app]))
  const account = link.accountId === undefined ? undefined : await accountOf(store, link)
  const platforms = account ? [account.platform] : (link.platforms ?? Object.keys(connectors))
  return platforms.flatMap((platform) => {
    const connector = connectors[platform]
    const methods = connector ? methodsOf(connector, apps.has(platform)) : []
    const verticals = (connector?.verticals ?? []).filter(
      (vertical) => (account?.vertical ?? link.vertical ?? vertical) === vertical,
    )
    if (!connector || methods.length === 0 || verticals.length === 0) return []
    // An account stays in its region, also if it names none.
    const own = account && { ...usualSettings(connector), ...account.settings }
    // A new consent requests the scopes of the application, not those of the last consent.
    for (const name of scopeSettings(connector)) delete own?.[name]
    const fixed = { ...apps.get(platform)?.settings, ...own }
    return [{ connector, verticals, methods, fixed }]
  })
}

/** Why a platform cannot be offered; undefined if it can. */
export async function obstacle(
  store: Store,
  workspaceId: string,
  connector: Connector | undefined,
  vertical: Vertical | undefined,
): Promise<string | undefined> {
  if (!connector) return 'is not a platform of this service'
  if (vertical && !connector.verticals.includes(vertical)) return `serves ${connector.verticals.join(', ')}`
  const hasApp = (await store.platformApps.get(workspaceId, connector.id)) !== undefined
  return methodsOf(connector, hasApp).length > 0
    ? undefined
    : `needs an application first: PUT /manage/v1/workspaces/${workspaceId}/platform-apps/${connector.id}`
}

export const inOrder = (verticals: readonly Vertical[]): Vertical[] =>
  allVerticals.filter((vertical) => verticals.includes(vertical))
