// What endpoints receive, compared with the log that the change feed shows.
import { createHash } from 'node:crypto'
import { canonical } from '../../../src/engine/write/canonical.ts'

export const deliveryViolationKinds = [
  'lost', // no request with it got a 2xx response
  'older after newer', // of one record, repeated requests included
  'another id', // one event came with two ids
  'another body', // one id came with two bodies, that of a deleted customer without the record aside
  'forged', // the signature is wrong
  'unexpected', // the endpoint did not ask for it, or it is not in the log
  'other content', // the record or the operation is not the one in the log
] as const
export type DeliveryViolationKind = (typeof deliveryViolationKinds)[number]
export interface DeliveryViolation {
  kind: DeliveryViolationKind
  site: string
  detail: string
}

/** A change, as the feed shows it. */
export interface LoggedChange {
  sequence: number
  operation: string
  entityType: string
  externalId: string
  record?: unknown
}
export interface EndpointPlan {
  name: string
  events: string[]
  accounts?: string[]
  data: 'full' | 'thin'
  format: 'standard' | 'cloudevents'
  coalesce: boolean
  perSecond?: number
  concurrency?: number
}
export interface Arrival {
  id: string
  body: string
  event: { type: string; data: LoggedChange & { accountId: string } }
}
interface Seen {
  id: string
  accepted: boolean
  record: string | undefined
  data: Arrival['event']['data']
}
export interface Checker {
  plan: EndpointPlan
  counts: { requests: number; accepted: number; first: number; again: number }
  arrived(arrival: Arrival): void
  /** The receiver has decided to respond with 2xx. */
  accepted(arrival: Arrival): void
  forged(reason: string): void
  /** Changes that have not arrived. With `coalesce`, only the newest change of each record must. */
  missing(accountId: string, log: readonly LoggedChange[]): LoggedChange[]
  /** How many changes the endpoint asked for, and how many of them must arrive. */
  expected(logs: ReadonlyMap<string, readonly LoggedChange[]>): { wanted: number; due: number }
  /** Compares everything that arrived with the whole log of each account. */
  finish(logs: ReadonlyMap<string, readonly LoggedChange[]>): void
}

const digest = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 16)
/** As it is sent after the customer was deleted. */
const withoutRecord = (body: string): string => {
  const event = JSON.parse(body) as { data?: { record?: unknown } }
  delete event.data?.record
  return JSON.stringify(event)
}
const nameOf = (accountId: string, { entityType, externalId }: LoggedChange) =>
  `${accountId} ${entityType} ${externalId}`

export function wants({ events, accounts }: EndpointPlan, accountId: string, change: LoggedChange): boolean {
  if (accounts && !accounts.includes(accountId)) return false
  return [`${change.entityType}.${change.operation}`, `${change.entityType}.*`].some((type) => events.includes(type))
}

export function createChecker(plan: EndpointPlan, violation: (one: DeliveryViolation) => void): Checker {
  const bodies = new Map<string, { text: string; erased: string }>() // by id
  const erased = new Map<string, string>() // ids that came without the record at last, with its name
  const seen = new Map<string, Map<number, Seen>>() // by account and sequence
  const newest = new Map<string, number>() // by record
  const counts = { requests: 0, accepted: 0, first: 0, again: 0 }
  const wrong = (kind: DeliveryViolationKind, detail: string) => violation({ kind, site: plan.name, detail })
  const seenOf = (accountId: string, sequence: number) => seen.get(accountId)?.get(sequence)
  const wantedOf = (accountId: string, log: readonly LoggedChange[]) =>
    log.filter((change) => wants(plan, accountId, change))
  function due(accountId: string, log: readonly LoggedChange[]): LoggedChange[] {
    const wanted = wantedOf(accountId, log)
    return plan.coalesce ? [...new Map(wanted.map((change) => [nameOf(accountId, change), change])).values()] : wanted
  }
  return {
    plan,
    counts,
    forged: (reason) => wrong('forged', reason),
    arrived({ id, body, event: { type, data } }) {
      counts.requests++
      const text = digest(body)
      const known = bodies.get(id)
      if (!known) bodies.set(id, { text, erased: digest(withoutRecord(body)) })
      else if (text === known.erased && text !== known.text) erased.set(id, nameOf(data.accountId, data))
      else if (text !== known.text || erased.has(id)) wrong('another body', `${id} of ${type}`)
      const { accountId, sequence } = data
      if (typeof accountId !== 'string' || typeof sequence !== 'number') return wrong('unexpected', `${type} ${body}`)
      const name = nameOf(accountId, data)
      const last = newest.get(name) ?? 0
      if (sequence < last) wrong('older after newer', `${name}: ${sequence} after ${last}`)
      newest.set(name, Math.max(last, sequence))
      const before = seenOf(accountId, sequence)
      if (before) {
        counts.again++
        if (before.id !== id) wrong('another id', `${accountId} ${sequence}: ${before.id}, then ${id}`)
        return
      }
      counts.first++
      const { record } = data
      const one = {
        id,
        accepted: false,
        record: record === undefined ? undefined : digest(canonical(record)),
        data: { ...data, record: undefined },
      }
      const ofAccount = seen.get(accountId) ?? new Map<number, Seen>()
      seen.set(accountId, ofAccount.set(sequence, one))
    },
    accepted({ event: { data } }) {
      counts.accepted++
      const one = seenOf(data.accountId, data.sequence)
      if (one) one.accepted = true
    },
    missing: (accountId, log) => due(accountId, log).filter(({ sequence }) => !seenOf(accountId, sequence)?.accepted),
    expected(logs) {
      const counted = { wanted: 0, due: 0 }
      for (const [accountId, log] of logs) {
        counted.wanted += wantedOf(accountId, log).length
        counted.due += due(accountId, log).length
      }
      return counted
    },
    finish(logs) {
      const deleted = new Set<string>()
      for (const [accountId, log] of logs)
        for (const change of log) if (change.operation === 'deleted') deleted.add(nameOf(accountId, change))
      for (const [id, name] of erased)
        if (!deleted.has(name)) wrong('another body', `${id} of ${name} has lost its record`)
      for (const [accountId, log] of logs)
        for (const change of this.missing(accountId, log))
          wrong('lost', `${nameOf(accountId, change)}: ${change.operation}, sequence ${change.sequence}`)
      for (const [accountId, arrivals] of seen) {
        const changes = logs.get(accountId) ?? []
        const log = new Map(changes.map((change) => [change.sequence, change]))
        const created = new Map<string, number>()
        for (const { externalId, operation, sequence } of changes)
          if (operation === 'created') created.set(externalId, sequence)
        const known = new Set<string>() // records that something has arrived of
        for (const [sequence, { data, record }] of arrivals) {
          const change = log.get(sequence)
          if (!change || !wants(plan, accountId, change) || change.externalId !== data.externalId) {
            wrong('unexpected', `${nameOf(accountId, data)}: ${data.operation}, sequence ${sequence}`)
            continue
          }
          // A coalesced event of a record that the receiver has not heard of is its creation.
          const isNew = plan.coalesce && (created.get(change.externalId) ?? sequence) < sequence
          const mayBe = !isNew || change.operation !== 'updated' ? [change.operation] : ['created']
          if (isNew && known.has(change.externalId)) mayBe.push(change.operation)
          known.add(change.externalId)
          if (!mayBe.includes(data.operation))
            wrong('other content', `${nameOf(accountId, data)}, sequence ${sequence}: ${data.operation}`)
          const expected =
            plan.data === 'thin' || change.record === undefined ? undefined : digest(canonical(change.record))
          const isErased = record === undefined && deleted.has(nameOf(accountId, change))
          if (record !== expected && !isErased)
            wrong('other content', `${nameOf(accountId, data)}, sequence ${sequence}`)
        }
      }
    },
  }
}
