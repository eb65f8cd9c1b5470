// The entity types that a workspace uses. Connecting asks for their permissions and no others.
import { type EntityType, usualEntityTypes } from '../contract/entity.ts'
import type { Store } from '../store/store.ts'

export async function usedTypes(
  store: Pick<Store, 'workspaceSettings'>,
  workspaceId: string,
): Promise<ReadonlySet<EntityType>> {
  return new Set((await store.workspaceSettings.get(workspaceId)).entityTypes ?? usualEntityTypes)
}
