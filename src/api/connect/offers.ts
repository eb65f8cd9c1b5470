// What a link lets its holder connect: platforms, verticals, and ways to authenticate that are really possible here.
import type { Auth, Connector } from '../../contract/connector.ts'
import { verticals as allVerticals, type Vertical } from '../../contract/entity.ts'
import type { ConnectLink, Store } from '../../store/store.ts'
import type { ConnectParts } from './account.ts'
import { accountOf } from './completion.ts'

export interface Offer {
  connector: Connector
  verticals: Vertical[]
  ways: Auth[] // the first is the one to propose
  fixed: Record<string, string> // settings that are not asked
}

/** OAuth needs an application that the operator has registered. */
const waysOf = (connector: Connector, hasApp: boolean): Auth[] => connector.auth.filter(({ kind }) => kind !== 'oauth2' || hasApp)

export async function offersOf({ store, connectors }: Pick<ConnectParts, 'store' | 'connectors'>, link: ConnectLink): Promise<Offer[]> {
  const apps = new Map((await store.platformApps.list(link.workspaceId)).map((app) => [app.platform, app]))
  const account = link.accountId === undefined ? undefined : await accountOf(store, link)
  const wanted = account ? [account.platform] : (link.platforms ?? Object.keys(connectors))
  return wanted.flatMap((platform) => {
    const connector = connectors[platform]
    const ways = connector ? waysOf(connector, apps.has(platform)) : []
    const verticals = (connector?.verticals ?? []).filter((vertical) => (account?.vertical ?? link.vertical ?? vertical) === vertical)
    if (!connector || ways.length === 0 || verticals.length === 0) return []
    const fixed = { ...apps.get(platform)?.settings, ...account?.settings }
    return [{ connector, verticals, ways, fixed }]
  })
}

/** Why a platform cannot be offered; undefined when it can. */
export async function obstacle(store: Store, workspaceId: string, connector: Connector | undefined, vertical: Vertical | undefined): Promise<string | undefined> {
  if (!connector) return 'is not a platform of this service'
  if (vertical && !connector.verticals.includes(vertical)) return `serves ${connector.verticals.join(', ')}`
  const hasApp = (await store.platformApps.get(workspaceId, connector.id)) !== undefined
  return waysOf(connector, hasApp).length > 0 ? undefined : `needs an application first: PUT /manage/v1/workspaces/${workspaceId}/platform-apps/${connector.id}`
}

export const verticalWords: Readonly<Record<Vertical, string>> = { restaurant: 'Restaurant', retail_pos: 'Shop and point of sale', accounting: 'Accounting' }
export const inOrder = (verticals: readonly Vertical[]): Vertical[] => allVerticals.filter((vertical) => verticals.includes(vertical))
