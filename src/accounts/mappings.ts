// Mappings of an account and the keys that select them.
import type { EntityType } from '../contract/entity.ts'
import { Problem } from '../contract/errors.ts'
import type { Engine } from '../engine/engine.ts'
import { checkRules } from '../engine/mapping.ts'
import type { Account, Direction, MappingKey, MappingOverlay, Rule, Store } from '../store/store.ts'
import { type AccountKey, existingAccount, missing } from './lookup.ts'
import { createId } from './secrets.ts'

interface Parts {
  store: Store
  engine: Pick<Engine, 'target'>
}
export interface NewMapping {
  entityType: EntityType
  direction: Direction
  name: string
  rules: Record<string, Rule>
}

/** Rules that do not fit the entity are rejected before anything is stored. */
export async function createMapping(
  { store, engine }: Parts,
  account: Account,
  mapping: NewMapping,
): Promise<MappingOverlay> {
  checkRules(mapping.rules, engine.target(account, mapping.entityType).flavor, mapping.direction)
  return store.mappings.save({
    id: createId('urmap'),
    workspaceId: account.workspaceId,
    accountId: account.id,
    ...mapping,
  })
}

/** Saves the next version. */
export async function changeMapping(
  { store, engine }: Parts,
  key: AccountKey & { mappingId?: string },
  { name, rules }: { name?: string; rules: Record<string, Rule> },
): Promise<MappingOverlay> {
  const known = await existingMapping(store, key)
  const { flavor } = engine.target(await existingAccount(store, key), known.entityType)
  checkRules(rules, flavor, known.direction)
  return store.mappings.save({ ...known, name: name ?? known.name, rules })
}

export async function existingMapping(store: Store, key: AccountKey & { mappingId?: string }): Promise<MappingOverlay> {
  const { id } = await existingAccount(store, key)
  const found = await store.mappings.get(key.mappingId ?? '')
  if (!found || found.accountId !== id) throw missing('mapping')
  return found
}

export async function createMappingKey(store: Store, key: AccountKey & { mappingId?: string }): Promise<MappingKey> {
  const { id, workspaceId, accountId, direction, entityType } = await existingMapping(store, key)
  return store.mappingKeys.create({
    key: createId(direction === 'read' ? 'urmr' : 'urmw'),
    workspaceId,
    accountId,
    direction,
    isDefault: false,
    entityType,
    mappingId: id,
  })
}

export async function deleteMappingKey(store: Store, account: AccountKey, key: string | undefined): Promise<void> {
  const keys = await store.mappingKeys.list((await existingAccount(store, account)).id)
  const found = keys.find((entry) => entry.key === key)
  if (!found) throw missing('mapping key')
  if (found.isDefault) throw new Problem('validation_failed', 'A default mapping key cannot be deleted.')
  await store.mappingKeys.delete(found.key)
}
