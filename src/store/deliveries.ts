// Outgoing webhooks: endpoints, their positions in the logs, and deliveries. Times are milliseconds of the database's
// clock. Every writer that works on an endpoint passes its fence. It rejects with LostLease, without any effect,
// once another holder has taken the endpoint.
import type { EntityType } from '../contract/entity.ts'
import type { deliveryStates, endpointSettings } from '../contract/manage/webhooks.ts'
import type { Stored } from '../contract/schema.ts'
import type { Position } from './changes.ts'
import type { Page, PageQuery } from './page.ts'

export type EndpointState = 'active' | 'disabled'
/** `superseded`: a newer event of the same record has replaced it before its first attempt. */
export type DeliveryState = (typeof deliveryStates)[number]

export type EndpointSettings = Omit<Stored<typeof endpointSettings>, 'url'>
export interface EndpointSecret {
  secret: string
  until?: number | undefined // absent: the current one
}
export interface WebhookEndpoint extends EndpointSettings {
  workspaceId: string
  id: string
  url: string
  secrets: EndpointSecret[] // the current one first
  state: EndpointState
  stateReason?: string | undefined
  createdAt: string
  updatedAt: string
  lastSuccessAt?: number | undefined
  failingSince?: number | undefined
  failures: number
}
export type EndpointChange = Partial<EndpointSettings & Pick<WebhookEndpoint, 'url' | 'secrets'>>

export interface EndpointFence {
  id: string
  fence: number
}
export interface HeldEndpoint extends WebhookEndpoint {
  fence: number
  holder: string
}

/** Where an endpoint is in the log of an account, or with an empty account id in the log of its workspace. */
export interface EndpointPosition extends Position {
  accountId: string
  epochs: Partial<Record<EntityType, number>>
  generation: number // grows with every replay: its deliveries have new ids
}

export interface Attempt {
  at: number
  durationMs: number
  status?: number | undefined
  error?: string | undefined
  response?: string | undefined // the first characters
}
export interface NewDelivery {
  id: string
  sequence: number
  subject: string // deliveries with the same one are made in order
  type: string
  body: string
}
export interface Delivery extends NewDelivery {
  place: number
  endpointId: string
  accountId: string
  state: DeliveryState
  attempts: number
  nextAt: number
  createdAt: number
  endedAt?: number | undefined
  log: Attempt[]
}
/** The outcome of an attempt. */
export interface Settled {
  place: number
  id: string
  log: readonly Attempt[] // with this attempt
  outcome: 'delivered' | 'failed' | { retryInMs: number }
  isTest?: boolean // its failure is told to no other endpoint
}

export interface DeliveryFilter {
  state?: DeliveryState | undefined
  type?: string | undefined // `product.*` is a pattern
  accountId?: string | undefined // of the feed
  sequence?: number | undefined // in it
  subjects?: readonly string[] | undefined // any of them
}

export interface EndpointHealth {
  failures: number // in a row
  failingForMs: number
}
export interface Verdict {
  events: NewWorkspaceEvent[]
  disabled?: string | undefined // the reason
}
/** Deliveries of a log for an endpoint, and the position behind them. `superseded`: the places of replaced ones. */
export interface NewDeliveries {
  position: EndpointPosition
  deliveries: readonly NewDelivery[]
  superseded: readonly number[]
}

/** An event that is not about a record. */
export interface NewWorkspaceEvent {
  workspaceId: string
  type: string
  subject: string
  accountId?: string | undefined
  data: object
}
export interface WorkspaceEvent extends NewWorkspaceEvent {
  sequence: number
  tag: string
  at: number
}

/** Over all workspaces. */
export interface WebhookSizes {
  endpoints: Record<'active' | 'failing' | 'disabled', number>
  waiting: number // deliveries of endpoints that are not disabled
  oldestMs: number // of those, the age of the oldest
}

export interface WebhookStore {
  sizes(): Promise<WebhookSizes>
  /** Starts now: what is in the logs already is not delivered. */
  create(
    endpoint: Pick<WebhookEndpoint, 'workspaceId' | 'id' | 'url' | 'secrets'> & EndpointSettings,
  ): Promise<WebhookEndpoint>
  get(workspaceId: string, id: string): Promise<WebhookEndpoint | undefined>
  list(workspaceId: string, query: PageQuery): Promise<Page<WebhookEndpoint>>
  /** Its holder loses it: attempts under way end with the old settings, then the next holder has the new settings. */
  update(workspaceId: string, id: string, change: EndpointChange): Promise<WebhookEndpoint | undefined>
  /** Active again: with its failures forgotten, and everything that waits is due. */
  enable(workspaceId: string, id: string): Promise<WebhookEndpoint | undefined>
  disable(workspaceId: string, id: string, reason: string): Promise<WebhookEndpoint | undefined>
  delete(workspaceId: string, id: string): Promise<boolean>

  /** Active endpoints without a holder that have something to do, or may have. */
  due(limit: number): Promise<string[]>
  /** `holder`: different each time. */
  take(id: string, holder: string, leaseMs: number): Promise<HeldEndpoint | undefined>
  /** False if the holder has lost it. */
  renew(endpoint: EndpointFence, leaseMs: number): Promise<boolean>
  /** Also of a holder that has lost it, after its last attempt. */
  release(
    endpoint: Pick<HeldEndpoint, 'id' | 'fence' | 'holder'>,
    next: { dueInMs: number; restMs?: number },
  ): Promise<void>

  /** Where the endpoint is in logs that have more for it. */
  news(endpoint: Pick<WebhookEndpoint, 'id' | 'workspaceId'>, limit: number): Promise<EndpointPosition[]>
  position(endpointId: string, accountId: string): Promise<EndpointPosition>
  /** Deliveries of these subjects that wait for their first attempt. */
  untried(endpointId: string, subjects: readonly string[]): Promise<Pick<Delivery, 'place' | 'subject' | 'type'>[]>
  /** Deliveries and the positions behind them, in one transaction. Not those of an account that was deleted meanwhile. */
  enqueue(endpoint: EndpointFence, logs: readonly NewDeliveries[]): Promise<void>
  /** Deliveries that are due and that no earlier one of their subject holds up. */
  dueDeliveries(endpointId: string, limit: number): Promise<Delivery[]>
  /** How many wait, and when the first of those that are not held up is due. */
  waiting(endpointId: string): Promise<{ count: number; nextInMs?: number | undefined }>
  /** How many have failed for good. */
  failed(endpointId: string): Promise<number>
  /** Outcomes, and what follows from the health of the endpoint, in one transaction. */
  settle(
    endpoint: EndpointFence,
    settled: readonly Settled[],
    verdict: (health: EndpointHealth) => Verdict,
  ): Promise<EndpointHealth & Pick<Verdict, 'disabled'>>

  /** Newest first. */
  deliveries(endpointId: string, query: PageQuery & DeliveryFilter): Promise<Page<Delivery>>
  delivery(endpointId: string, id: string): Promise<Delivery | undefined>
  /** Due now, with the same id and body. */
  resend(endpointId: string, id: string): Promise<Delivery | undefined>
  /** Adds one delivery that belongs to no log. */
  add(endpointId: string, delivery: NewDelivery): Promise<void>
  /** Moves positions back. Returns how many. */
  replay(
    endpoint: Pick<WebhookEndpoint, 'id' | 'workspaceId'>,
    from: { accountId: string; sequence: number } | { since: number },
  ): Promise<number>

  events: {
    append(event: NewWorkspaceEvent): Promise<void>
    page(
      workspaceId: string,
      after: Position,
      limit: number,
    ): Promise<{ rows: WorkspaceEvent[]; hasMore: boolean; head: Position; gap?: 'pruned' | 'replaced' }>
  }
  /** Removes ended deliveries and events that are older. Returns how many rows. */
  prune(ageMs: number, limit: number): Promise<number>
}
