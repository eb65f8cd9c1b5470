// Which entity types go from one account to the other, in which order, and why the rest stays.

import { entities } from '../contract/entities/index.ts'
import { type EntityType, entityTypes, type Vertical } from '../contract/entity.ts'

export interface EntitySupport {
  read: boolean
  write: boolean
  update: boolean
  pageLimit: number
  updatedAfter: 'platform' | 'service' | 'none'
  requires: readonly string[]
  notStored: readonly string[]
}
/** One of the two accounts, as the service describes it. */
export interface Place {
  accountId: string
  platform: string
  name: string // of the platform
  vertical: Vertical
  rateLimit: readonly { requests: number; seconds: number }[]
  entities: Readonly<Partial<Record<EntityType, EntitySupport>>>
}
export interface Route {
  entities: EntityType[]
  notMoved: { entity: EntityType; reason: string }[]
}

/** What a record names must be there before it: products name categories, orders name products and customers. */
function inDependencyOrder(): EntityType[] {
  const found = new Set<EntityType>()
  const open = new Set<EntityType>()
  const visit = (entity: EntityType): void => {
    if (open.has(entity)) return // a parent of the same type, say
    open.add(entity)
    for (const target of Object.values(entities[entity].references)) visit(target)
    found.add(entity)
  }
  entityTypes.forEach(visit)
  return [...found].filter((entity) => !entities[entity].linked)
}
const dependencyOrder = inDependencyOrder()

/** Only on request: the target dates a payment when it is recorded, so years of sales would become today's. */
const onRequest: readonly EntityType[] = ['payment']

export function routeOf(from: Place, to: Place, selected?: readonly EntityType[]): Route {
  const route: Route = { entities: [], notMoved: [] }
  for (const entity of dependencyOrder) {
    const source = from.entities[entity]
    if (selected?.includes(entity) === false || (!source && !(to.entities[entity] && entities[entity].writable)))
      continue
    const reason = !source?.read
      ? `${from.name} (${from.vertical}) has none to read`
      : !to.entities[entity]
        ? `${to.name} (${to.vertical}) does not have this entity type`
        : !to.entities[entity]?.write
          ? `${to.name} does not let you write them`
          : selected === undefined && onRequest.includes(entity)
            ? `${to.name} would count them as money of today; name them to move them`
            : undefined
    if (reason) route.notMoved.push({ entity, reason })
    else route.entities.push(entity)
  }
  return route
}
