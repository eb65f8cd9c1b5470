import type { WebhookStore } from '../../deliveries.ts'
import type { Store } from '../../store.ts'
import type { StoreContext } from '../../table-types.ts'
import { createDeliveries } from './deliveries.ts'
import { createEndpoints } from './endpoints.ts'
import { createWorkspaceEvents } from './events.ts'
import { createPositions } from './positions.ts'

export function createWebhooks(context: StoreContext, kind: Store['kind']): WebhookStore {
  return {
    ...createEndpoints(context),
    ...createPositions(context),
    ...createDeliveries(context, kind),
    events: createWorkspaceEvents(context),
  }
}
