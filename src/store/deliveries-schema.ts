// The tables of outgoing webhooks, for Kysely. Times are milliseconds, unless they end in `_at` of an endpoint's own
// settings, which are ISO text.
import type { Generated } from 'kysely'
import type { DeliveryState, EndpointState } from './deliveries.ts'

export interface EndpointRow {
  id: string
  workspace_id: string
  url: string
  settings: string // JSON
  secrets: string // sealed JSON
  state: EndpointState
  state_reason: string | null
  created_at: string
  updated_at: string
  last_success_at: number | null
  failing_since: number | null // of the attempts since the last success
  failures: number // in a row
  fence: number
  holder: string // empty: none
  lease_until: number
  due_at: number
  rest_until: number
}
export interface DeliveryRow {
  place: Generated<number>
  endpoint_id: string
  id: string
  account_id: string // empty: of the workspace
  sequence: number
  subject: string
  type: string
  state: DeliveryState
  attempts: number
  next_at: number
  created_at: number
  ended_at: number | null
  body: string // sealed JSON
  log: string // sealed JSON; empty: []
}
export interface WebhookTables {
  workspace_logs: { workspace_id: string; head: number }
  workspace_events: {
    workspace_id: string
    sequence: number
    tag: Uint8Array
    type: string
    subject: string
    account_id: string | null
    at: number
    data: string // sealed JSON
  }
  webhook_endpoints: EndpointRow
  webhook_positions: {
    endpoint_id: string
    account_id: string
    sequence: number
    tag: string | null
    epochs: string // JSON
    generation: number
  }
  webhook_deliveries: DeliveryRow
}
