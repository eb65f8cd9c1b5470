// Which records are asked for: not every old order has to come along.
import type { EntityType } from '../contract/entity.ts'
import type { Place } from './route.ts'
import type { SourceRecord } from './shape.ts'

export interface Selection {
  ordersSince?: string
  orderStates?: readonly string[]
  /** Where the source can leave out older ones by itself: an order is never modified before it is made. */
  updatedAfter(entity: EntityType): string | undefined
  wants(entity: EntityType, record: SourceRecord): boolean
}

export function createSelection(
  from: Place,
  { ordersSince, orderStates }: Pick<Selection, 'ordersSince' | 'orderStates'>,
): Selection {
  return {
    ordersSince,
    orderStates,
    updatedAfter: (entity) =>
      entity === 'order' && ordersSince !== undefined && from.entities.order?.updatedAfter === 'platform'
        ? new Date(Date.parse(ordersSince) - 1).toISOString()
        : undefined,
    wants: (entity, { processedAt, state }) =>
      entity !== 'order' ||
      ((ordersSince === undefined ||
        typeof processedAt !== 'string' ||
        Date.parse(processedAt) >= Date.parse(ordersSince)) &&
        (orderStates === undefined || orderStates.includes(String(state)))),
  }
}
