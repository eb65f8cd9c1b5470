// From log rows to deliveries. The body is made once: every attempt sends the same bytes.
import { createHash, randomUUID } from 'node:crypto'
import { shownRecord } from '../changes/kept-record.ts'
import type { KeptRecord } from '../changes/observe.ts'
import { changeOf } from '../changes/read-feed.ts'
import type { UnifiedRecord } from '../contract/entities/index.ts'
import { entityTypes } from '../contract/entity.ts'
import type { Engine } from '../engine/engine.ts'
import type { FeedPage, LogRow } from '../store/changes.ts'
import type { Delivery, EndpointPosition, NewDelivery, WebhookEndpoint, WorkspaceEvent } from '../store/deliveries.ts'
import type { Account, Store } from '../store/store.ts'
import { bodyOf } from './body.ts'
import { isRecordEvent, lostEvent, receives } from './event-types.ts'

export interface ReadLog {
  position: EndpointPosition
  deliveries: NewDelivery[]
}
const pageSize = 100

/** Deliveries with the same subject are made in order. */
const subjectOf = (accountId: string, entityType: string, id: string): string => `${accountId} ${entityType} ${id}`
/** The subjects of all records of an account with this id: ids of platforms repeat between entities. */
export const subjectsOf = (accountId: string, id: string): string[] =>
  entityTypes.map((entityType) => subjectOf(accountId, entityType, id))

/** Constant over attempts and resends. A replay has another one. */
const idOf = ({ id }: WebhookEndpoint, tag: string, generation: number): string =>
  `msg_${createHash('sha256').update(`${id} ${tag} ${generation}`).digest('base64url').slice(0, 27)}`

export function createLogReader({
  store,
  engine,
}: {
  store: Pick<Store, 'accounts' | 'changes' | 'links' | 'webhooks'>
  engine: Pick<Engine, 'target' | 'mappings'>
}) {
  /** Undefined where the mapping reads values that were not kept, or the entity is not offered any more. */
  async function recordOf(account: Account, row: LogRow): Promise<UnifiedRecord | undefined> {
    if (row.operation === 'deleted' || row.record === undefined) return undefined
    try {
      const target = engine.target(account, row.entityType)
      const mapping = await engine.mappings.byDefault(target, 'read')
      const record = shownRecord(target, row.record as KeptRecord, mapping, row.nativeId)
      return record === 'live' ? undefined : record
    } catch {
      return undefined
    }
  }
  function lost(
    endpoint: WebhookEndpoint,
    data: { accountId?: string; entityType?: string; from?: number; to?: number; reason: string },
    at: number,
  ): NewDelivery[] {
    if (!receives(endpoint.events, lostEvent)) return []
    const id = `msg_${randomUUID().replaceAll('-', '')}`
    const subject = `lost ${data.accountId ?? ''}`
    return [{ id, sequence: 0, subject, type: lostEvent, body: bodyOf(endpoint, { id, type: lostEvent, at, data }) }]
  }

  async function readAccount(
    endpoint: WebhookEndpoint,
    account: Account,
    position: EndpointPosition,
    page: FeedPage,
    now: number,
  ): Promise<ReadLog> {
    const epochs = Object.fromEntries(page.watches.map(({ entityType, epoch }) => [entityType, epoch]))
    const next = { ...position, epochs }
    const accountId = account.id
    if (endpoint.accounts && !endpoint.accounts.includes(accountId))
      return { position: { ...next, ...page.head }, deliveries: [] }
    if (page.gap === 'replaced')
      return {
        position: { ...next, ...page.head },
        deliveries: lost(endpoint, { accountId, from: position.sequence + 1, reason: 'restored' }, now),
      }
    const deliveries: NewDelivery[] = []
    if (page.gap === 'pruned') {
      const to = (page.rows[0]?.sequence ?? page.head.sequence + 1) - 1
      deliveries.push(...lost(endpoint, { accountId, from: position.sequence + 1, to, reason: 'pruned' }, now))
    }
    // What an epoch before has reported does not count any more, so what it has not reported is unknown.
    const ended = new Set<string>()
    for (const [entityType, epoch] of Object.entries(position.epochs))
      if (epochs[entityType] !== undefined && epochs[entityType] !== epoch) ended.add(entityType)
    for (const row of page.rows)
      if (epochs[row.entityType] !== undefined && epochs[row.entityType] !== row.epoch) ended.add(row.entityType)
    for (const entityType of ended)
      deliveries.push(...lost(endpoint, { accountId, entityType, reason: 'watched again' }, now))
    const rows = page.rows.filter(
      (row) => row.epoch === epochs[row.entityType] && receives(endpoint.events, `${row.entityType}.${row.operation}`),
    )
    const sourceIds = await store.links.sourceIds(accountId, rows)
    for (const row of rows) {
      const type = `${row.entityType}.${row.operation}`
      const isThin = endpoint.data === 'thin'
      const record = isThin ? undefined : await recordOf(account, row)
      const change = changeOf(row, sourceIds.get(`${row.entityType} ${row.nativeId}`), record)
      const id = idOf(endpoint, row.tag, position.generation)
      const data = { accountId, ...change, ...(isThin ? { changed: undefined } : {}) }
      deliveries.push({
        id,
        sequence: row.sequence,
        subject: subjectOf(accountId, row.entityType, row.nativeId),
        type,
        body: bodyOf(endpoint, { id, type, at: row.detectedAt, data }),
      })
    }
    const last = page.hasMore ? page.rows.at(-1) : page.head
    return { position: { ...next, sequence: last?.sequence ?? position.sequence, tag: last?.tag }, deliveries }
  }

  function ofEvent(endpoint: WebhookEndpoint, event: WorkspaceEvent, generation: number): NewDelivery[] {
    const { accountId, type } = event
    const isOwn = (event.data as { endpointId?: string }).endpointId === endpoint.id
    const isOther = accountId !== undefined && endpoint.accounts && !endpoint.accounts.includes(accountId)
    if (isOwn || isOther || !receives(endpoint.events, type)) return []
    const id = idOf(endpoint, event.tag, generation)
    const data = { accountId, ...event.data }
    return [
      {
        id,
        sequence: event.sequence,
        subject: event.subject,
        type,
        body: bodyOf(endpoint, { id, type, at: event.at, data }),
      },
    ]
  }

  return {
    /** One page of the log behind the endpoint's position. */
    async read(endpoint: WebhookEndpoint, position: EndpointPosition, now: number): Promise<ReadLog> {
      const { accountId } = position
      if (accountId === '') {
        const page = await store.webhooks.events.page(endpoint.workspaceId, position, pageSize)
        const reason = page.gap === 'replaced' ? 'restored' : page.gap
        const deliveries = reason ? lost(endpoint, { reason }, now) : []
        for (const event of page.rows) deliveries.push(...ofEvent(endpoint, event, position.generation))
        return { position: { ...position, tag: undefined, ...page.head }, deliveries }
      }
      const account = await store.accounts.get(accountId)
      const page = account && (await store.changes.page(accountId, { after: position, limit: pageSize }))
      return page ? readAccount(endpoint, account, position, page, now) : { position, deliveries: [] }
    },
  }
}

/**
 * With `coalesce`, a newer event replaces one of the same record that no attempt was made for: the receiver gets the
 * newest state once. One that it has not heard of stays `created`. Other events do not replace each other: each tells
 * something else.
 */
export function coalesced(
  deliveries: readonly NewDelivery[],
  untried: readonly Pick<Delivery, 'place' | 'subject' | 'type'>[],
): { deliveries: NewDelivery[]; superseded: number[] } {
  const newest = new Map<string, NewDelivery>()
  const created = new Set(untried.filter(({ type }) => type.endsWith('.created')).map(({ subject }) => subject))
  const others = deliveries.filter(({ type }) => !isRecordEvent(type))
  for (const delivery of deliveries.filter(({ type }) => isRecordEvent(type))) {
    const before = newest.get(delivery.subject)
    if (before?.type.endsWith('.created')) created.add(delivery.subject)
    newest.delete(delivery.subject)
    newest.set(delivery.subject, delivery)
  }
  const renamed = (delivery: NewDelivery): NewDelivery => {
    if (!delivery.type.endsWith('.updated') || !created.has(delivery.subject)) return delivery
    const type = delivery.type.replace(/updated$/, 'created')
    const { data, ...rest } = JSON.parse(delivery.body) as { data: object }
    const { changed: _, ...kept } = data as { changed?: unknown }
    return { ...delivery, type, body: JSON.stringify({ ...rest, type, data: { ...kept, operation: 'created' } }) }
  }
  return {
    deliveries: [...others, ...[...newest.values()].map(renamed)],
    superseded: untried.filter(({ subject }) => newest.has(subject)).map(({ place }) => place),
  }
}
