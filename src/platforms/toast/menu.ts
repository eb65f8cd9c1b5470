// Menus come as one tree, published as a whole: https://doc.toasttab.com/doc/devguide/apiMenusOverview.html
import type { ReadCall } from '../../contract/connector.ts'
import { ifFound } from '../../kit/errors.ts'
import { list, members } from '../../kit/fields.ts'
import { get } from '../../kit/requests.ts'

export interface MenuItem {
  guid: string
  name?: string | null
  description?: string | null
  sku?: string
  plu?: string
  price?: number | null
  pricingStrategy?: string
  unitOfMeasure?: string
  visibility?: string[]
  taxInfo?: string[]
  taxInclusion?: string | null
  modifierGroupReferences?: number[] | null
}
/** By reference id: a group can be on many items, and an option in many groups. */
export interface ModifierMaps {
  modifierGroups: Readonly<Record<string, ModifierGroup>>
  modifierOptions: Readonly<Record<string, ModifierOption>>
}
export interface ModifierGroup {
  guid: string
  name?: string | null
  modifierOptionReferences?: number[] | null
}
export interface ModifierOption {
  guid: string // of the item that it stands for
  name?: string | null
  price?: number | null
  modifierGroupReferences?: number[] | null
}
export interface MenuGroup {
  guid: string
  name?: string | null
  description?: string | null
  image?: string | null
  visibility?: string[]
  menuGroups?: MenuGroup[]
  menuItems?: MenuItem[]
}
export type ItemRow = MenuItem & { groupGuid: string }
export type GroupRow = Omit<MenuGroup, 'menuGroups' | 'menuItems'> & { parentGuid?: string }
export interface Menus {
  items: ItemRow[]
  groups: GroupRow[]
}

/**
 * The metadata contains the time of the last publication; the tree itself (one request per second) is requested only
 * after a new publication.
 */
export async function menus(call: ReadCall): Promise<Menus & ModifierMaps> {
  const metadata = await ifFound(call.read(get('/menus/v2/metadata')))
  if (!metadata) return { items: [], groups: [], modifierGroups: {}, modifierOptions: {} } // nothing is published yet
  return call.cached(`menus ${metadata.body.lastUpdated}`, async () => {
    const { body } = await call.read(get('/menus/v2/menus', undefined, { lane: 'menus' }))
    return {
      ...flatten(body.menus),
      modifierGroups: members<ModifierMaps['modifierGroups']>(body.modifierGroupReferences),
      modifierOptions: members<ModifierMaps['modifierOptions']>(body.modifierOptionReferences),
    } as Menus & ModifierMaps
  })
}

/**
 * An item can be in several menus and groups, even at different prices: the first position is used. Sorted by guid, so
 * that a row that is moved in the tree does not move in a walk.
 */
export function flatten(tree: readonly { menuGroups?: MenuGroup[] }[] | undefined): Menus {
  const items = new Map<string, ItemRow>()
  const groups = new Map<string, GroupRow>()
  const visit = ({ menuGroups, menuItems, ...group }: MenuGroup, parentGuid?: string): void => {
    if (!groups.has(group.guid)) groups.set(group.guid, { ...group, ...(parentGuid ? { parentGuid } : {}) })
    for (const item of list(menuItems))
      if (!items.has(item.guid)) items.set(item.guid, { ...item, groupGuid: group.guid })
    for (const inner of list(menuGroups)) visit(inner, group.guid)
  }
  for (const menu of list(tree)) for (const group of list(menu.menuGroups)) visit(group)
  return { items: byGuid(items), groups: byGuid(groups) }
}
const byGuid = <Row extends { guid: string }>(rows: Map<string, Row>): Row[] =>
  [...rows.values()].sort((a, b) => (a.guid < b.guid ? -1 : 1))
