import type { StoreContext } from '../../schema.ts'
import type { Store } from '../../store.ts'
import type { WebhookStore } from '../../webhooks.ts'
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
