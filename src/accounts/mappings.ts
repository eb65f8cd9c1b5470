// Mappings of an account, a platform or a workspace, and the keys that select them.
import type { EntityType } from '../contract/entity.ts'
import { Problem } from '../contract/errors.ts'
import type { Engine } from '../engine/engine.ts'
import { checkRules, type RuleScope, scopeOf } from '../engine/mapping.ts'
import type {
  Account,
  Direction,
  MappingDefault,
  MappingKey,
  MappingOverlay,
  MappingOwner,
  MappingScope,
  Rule,
  Store,
} from '../store/store.ts'
import { type AccountKey, existingAccount, existingWorkspace, missing, missingIn, ofAccount } from './lookup.ts'
import { createId } from './secrets.ts'

export interface MappingParts {
  store: Store
  engine: Pick<Engine, 'target' | 'ruleScope' | 'support'>
}
export interface NewMapping {
  entityType: EntityType
  direction: Direction
  name: string
  rules: Record<string, Rule>
  platform?: string // of a mapping for all accounts of a platform
}
/** With an account id: a mapping of the account. Otherwise one of the workspace or of one of its platforms. */
export type MappingPath = AccountKey & { mappingId?: string }

export const mappingScope = ({ accountId, platform }: MappingOwner): MappingScope =>
  accountId !== undefined ? 'account' : platform !== undefined ? 'platform' : 'workspace'

async function ruleScope(
  { store, engine }: MappingParts,
  path: AccountKey,
  { platform, entityType }: Pick<NewMapping, 'platform' | 'entityType'>,
): Promise<RuleScope> {
  if (path.accountId === undefined) return engine.ruleScope(platform, entityType)
  return scopeOf(engine.target(await existingAccount(store, path), entityType))
}

/** Rules that do not fit the entity are rejected before anything is stored. */
export async function createMapping(
  parts: MappingParts,
  path: AccountKey,
  mapping: NewMapping,
): Promise<MappingOverlay> {
  const { id: workspaceId } = await existingWorkspace(parts.store, path.workspaceId)
  checkRules(mapping.rules, await ruleScope(parts, path, mapping), mapping.direction)
  return parts.store.mappings.save({ id: createId('urmap'), workspaceId, accountId: path.accountId, ...mapping })
}

/** Saves the next version. */
export async function changeMapping(
  parts: MappingParts,
  path: MappingPath,
  { name, rules }: { name?: string; rules: Record<string, Rule> },
): Promise<MappingOverlay> {
  const known = await existingMapping(parts.store, path)
  checkRules(rules, await ruleScope(parts, path, known), known.direction)
  return parts.store.mappings.save({ ...known, name: name ?? known.name, rules })
}

export async function existingMapping(store: Store, path: MappingPath): Promise<MappingOverlay> {
  const owner = await ownerOf(store, path)
  const found = await store.mappings.get(path.mappingId ?? '')
  if (found?.workspaceId !== owner.workspaceId || found.accountId !== owner.accountId) throw noMapping()
  return found
}

const noMapping = () =>
  missing('mapping', 'Check mappingId: GET mappings, of the account, its platform or the workspace, lists them.')

export async function deleteMapping(store: Store, path: MappingPath): Promise<void> {
  const { id } = await existingMapping(store, path)
  const outcome = await store.mappings.delete(id)
  if (outcome === 'missing') throw noMapping()
  if (outcome === 'default')
    throw new Problem(
      'resource_in_use',
      `The mapping is the default of ${(await store.mappingDefaults.of(id, 5)).map(placeOf).join(', ') || 'an account'}. Set another default there first.`,
    )
}
function placeOf({ accountId, platform, entityType, direction }: MappingDefault): string {
  const owner =
    accountId !== undefined ? `account ${accountId}` : platform !== undefined ? `platform ${platform}` : 'the workspace'
  return `${owner} (${direction} ${entityType})`
}

export async function createMappingKey(store: Store, path: MappingPath): Promise<MappingKey> {
  const account = await existingAccount(store, path)
  const { id, direction, entityType } = await inheritedMapping(
    store,
    { ...account, accountId: account.id },
    path.mappingId,
  )
  return store.mappingKeys.create({ ...newKey(account, direction), isDefault: false, entityType, mappingId: id })
}
export const newKey = ({ id: accountId, workspaceId }: Account, direction: Direction) => ({
  key: createId(direction === 'read' ? 'urmr' : 'urmw'),
  workspaceId,
  accountId,
  direction,
})

/** A mapping of the owner, or one that it inherits: an account from its platform and its workspace. */
async function inheritedMapping(
  store: Store,
  owner: MappingOwner,
  mappingId: string | undefined,
): Promise<MappingOverlay> {
  const found = await store.mappings.get(mappingId ?? '')
  const isOwn = found?.accountId === undefined || found.accountId === owner.accountId
  const isOfPlatform = found?.platform === undefined || found.platform === owner.platform
  if (found?.workspaceId !== owner.workspaceId || !isOwn || !isOfPlatform) throw noMapping()
  return found
}

export async function deleteMappingKey(store: Store, account: AccountKey, key: string | undefined): Promise<void> {
  const keys = await store.mappingKeys.list((await existingAccount(store, account)).id)
  const found = keys.find((entry) => entry.key === key)
  if (!found) throw missingIn('key', 'mapping key', ofAccount('/mapping-keys'))
  if (found.isDefault)
    throw new Problem(
      'validation_failed',
      `The mapping key ${found.key} is a default key of the account and cannot be deleted. To change what it uses, set a default mapping.`,
    )
  await store.mappingKeys.delete(found.key)
}

/** The account with its platform, or the workspace. */
async function ownerOf(store: Store, path: AccountKey): Promise<MappingOwner> {
  if (path.accountId === undefined) return { workspaceId: (await existingWorkspace(store, path.workspaceId)).id }
  const { id, workspaceId, platform } = await existingAccount(store, path)
  return { workspaceId, accountId: id, platform }
}

/** The path of a default. */
export interface DefaultPath extends AccountKey {
  platform?: string // without an account: the default of a platform, by default of the workspace
  entityType: EntityType
  direction: Direction
}
/** A default and the mapping that it names. Without a mapping it is the built-in one. */
export interface ShownDefault {
  entityType: EntityType
  direction: Direction
  setBy: MappingScope | 'none'
  platform?: string
  mappingId?: string
  name?: string
  version?: number
  scope?: MappingScope
}

async function shownDefault(store: Store, found: MappingDefault): Promise<ShownDefault> {
  const { entityType, direction, platform, mappingId } = found
  const mapping = mappingId === undefined ? undefined : await store.mappings.get(mappingId)
  return {
    entityType,
    direction,
    setBy: mappingScope(found),
    platform,
    mappingId,
    name: mapping?.name,
    version: mapping?.version,
    scope: mapping && mappingScope(mapping),
  }
}

/** The defaults that apply to an account, for each entity type that it offers. */
export async function accountDefaults({ store, engine }: MappingParts, path: AccountKey): Promise<ShownDefault[]> {
  const account = await existingAccount(store, path)
  const entityTypes = Object.keys(engine.support(account)) as EntityType[]
  return Promise.all(
    entityTypes.flatMap((entityType) =>
      (['read', 'write'] as const).map(async (direction): Promise<ShownDefault> => {
        const found = await store.mappingDefaults.effective(account, entityType, direction)
        return found ? shownDefault(store, found) : { entityType, direction, setBy: 'none' }
      }),
    ),
  )
}

/** The defaults of a workspace and its platforms. */
export async function workspaceDefaults(store: Store, path: AccountKey): Promise<ShownDefault[]> {
  const { id } = await existingWorkspace(store, path.workspaceId)
  const found = await store.mappingDefaults.list(id)
  return Promise.all(found.map((each) => shownDefault(store, each)))
}

/** Without `mappingId`: the built-in mapping, whatever the platform and the workspace have as default. */
export async function setDefault(
  parts: MappingParts,
  path: DefaultPath,
  mappingId: string | undefined,
): Promise<ShownDefault> {
  const { store } = parts
  const { entityType, direction } = path
  const { owner, inheriting } = await defaultOwner(parts, path)
  if (mappingId !== undefined) {
    const mapping = await inheritedMapping(store, inheriting, mappingId)
    if (mapping.entityType !== entityType || mapping.direction !== direction)
      throw new Problem(
        'validation_failed',
        'The mapping does not fit this default. Choose one for the same entity type and direction.',
        {
          errors: [
            {
              pointer: '/mappingId',
              message: `is a ${mapping.direction} mapping of ${mapping.entityType}, and this is the ${direction} default of ${entityType}`,
            },
          ],
        },
      )
  }
  const value: MappingDefault = { ...owner, entityType, direction, mappingId }
  if (!(await store.mappingDefaults.set(value))) throw noMapping()
  return shownDefault(store, value)
}

/** From now on the default is inherited. */
export async function clearDefault(parts: MappingParts, path: DefaultPath): Promise<void> {
  const { entityType, direction } = path
  const { owner } = await defaultOwner(parts, path)
  if (!(await parts.store.mappingDefaults.clear({ ...owner, entityType, direction })))
    throw missing(
      'default mapping',
      'Nothing is set for this entity type and direction here: GET mapping-defaults shows what applies.',
    )
}

/** Who has the default, and for whom its mappings are looked up: an account also inherits those of its platform. */
async function defaultOwner(
  { store, engine }: MappingParts,
  path: DefaultPath,
): Promise<{ owner: MappingOwner; inheriting: MappingOwner }> {
  const { workspaceId, accountId, platform } = await ownerOf(store, path)
  if (accountId !== undefined) {
    engine.target(await existingAccount(store, path), path.entityType)
    return { owner: { workspaceId, accountId }, inheriting: { workspaceId, accountId, platform } }
  }
  engine.ruleScope(path.platform, path.entityType)
  const owner = { workspaceId, platform: path.platform }
  return { owner, inheriting: owner }
}
