// A reader of one account's change feed that keeps a copy, as a caller does: it waits for changes, is interrupted, and
// goes on from a cursor that it stored before. Everything that it reads is checked.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EntityType } from '../../../src/contract/entity.ts'
import { isPersonal } from '../../../src/contract/person.ts'
import { canonical } from '../../../src/engine/write/canonical.ts'
import type { Random } from '../random.ts'
import { type FrontDoor, passes } from './front-door.ts'
import { type FeedViolation, type FeedViolationKind, type Happened, placeName, type Truth } from './truth.ts'

interface Change {
  sequence: number
  operation: 'created' | 'updated' | 'deleted'
  entityType: EntityType
  externalId: string
  detectedAt: string
  modifiedAt?: string
  origin: string
  record?: Record<string, unknown>
}
interface Held {
  json: string
  seenAt: number // the state is not older than that, unless its stamp says so
  modified?: number | undefined
}
type Copy = Map<string, Held>
interface Stored {
  cursor: string
  copy: Map<EntityType, Copy>
}
export interface Follower {
  accountId: string
  /** The copy of each entity. */
  copy(entityType: EntityType): ReadonlyMap<string, Held>
  /** Takes a cursor and reads the lists. */
  begin(): Promise<void>
  /** Reads until `stopped`, then to the end of the feed. */
  follow(stopped: () => boolean): Promise<void>
  until(entityType: EntityType): { modified?: number; all?: number }
  counts: { pages: number; changes: number; deletes: number; restarts: number; verified: number; unchanged: number }
  /** Records with a change that has the origin "write". */
  written: Map<EntityType, Set<string>>
}
export interface FollowerOptions {
  accountId: string
  truths: readonly Truth[] // one per entity
  door: FrontDoor
  random: Random
  waitSeconds?: number // of a long poll, at most
  /** Resolves when all changes that the simulators have made so far are known. */
  caughtUp(): Promise<unknown>
  violation(violation: FeedViolation): void
}
const digest = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 12)
const second = 1000

export function createFollower({
  accountId,
  truths,
  door,
  random,
  waitSeconds = 3,
  caughtUp,
  violation,
}: FollowerOptions): Follower {
  const truthOf = new Map(truths.map((truth) => [truth.place.entityType, truth]))
  const emptyCopies = () => new Map<EntityType, Copy>(truths.map(({ place }) => [place.entityType, new Map()]))
  let now: Stored = { cursor: '', copy: emptyCopies() }
  let stored: Stored[] = []
  const log = new Map<number, string>()
  const states = new Map<string, { past: string[]; modified?: number | undefined }>()
  const reached = new Map<EntityType, { modified?: number; all?: number }>()
  const counts: Follower['counts'] = { pages: 0, changes: 0, deletes: 0, restarts: 0, verified: 0, unchanged: 0 }
  const written = new Map<EntityType, Set<string>>()
  let suspects: Change[] = [] // deletes of records that exist, as far as is known
  const wrong = (kind: FeedViolationKind, entityType: EntityType, detail: string) => {
    const truth = truthOf.get(entityType)
    violation({ kind, site: truth ? placeName(truth.place) : `${accountId} ${entityType}`, detail })
  }
  const copyOf = (entityType: EntityType): Copy => {
    const copy = now.copy.get(entityType)
    if (!copy) throw new Error(`${accountId}: a change of ${entityType}, which the cursor does not cover`)
    return copy
  }

  /** The record was there when the change was detected. */
  function existed({ entityType, externalId, detectedAt }: Change): boolean {
    const life = truthOf.get(entityType)?.lives.get(externalId)
    return life !== undefined && !(life.gone !== undefined && life.gone <= Date.parse(detectedAt))
  }
  /** What is kept of a person goes with the person. The delete is a change of its own. */
  function isErased({ entityType, externalId, record }: Change): boolean {
    return !record && isPersonal(entityType) && truthOf.get(entityType)?.lives.get(externalId)?.gone !== undefined
  }
  /** A change that this reader sees for the first time. */
  function judge(change: Change): void {
    const { entityType, externalId: id, operation, record } = change
    counts.changes++
    const key = `${entityType} ${id}`
    if (change.origin === 'write') {
      const ids = written.get(entityType) ?? new Set()
      written.set(entityType, ids.add(id))
    }
    if (operation === 'deleted') {
      counts.deletes++
      if (existed(change)) suspects.push(change)
      states.delete(key)
      return
    }
    if (!record) {
      if (isErased(change)) return
      wrong('missed', entityType, `change ${change.sequence} of ${id} has no record`)
      return
    }
    const modified = change.modifiedAt === undefined ? undefined : Date.parse(change.modifiedAt)
    const state = digest(canonical(record))
    const before = states.get(key) ?? { past: [] }
    const isLater = modified !== undefined && before.modified !== undefined && modified > before.modified
    if (modified !== undefined && before.modified !== undefined && modified < before.modified)
      wrong(
        'older after newer',
        entityType,
        `${id}: ${change.modifiedAt} after ${new Date(before.modified).toISOString()}, sequence ${change.sequence}, ${change.origin}`,
      )
    else if (before.past.at(-1) === state) counts.unchanged++
    else if (before.past.includes(state) && !isLater)
      wrong(
        'older after newer',
        entityType,
        `${id}: an earlier state again, sequence ${change.sequence}, ${change.origin}`,
      )
    states.set(key, { past: [...before.past, state], modified: modified ?? before.modified })
  }
  function apply(change: Change): void {
    const { entityType, externalId: id, operation, record } = change
    const text = digest(canonical([operation, entityType, id, record ?? null, change.modifiedAt ?? null]))
    const known = log.get(change.sequence)
    if (known === undefined) {
      log.set(change.sequence, text)
      judge(change)
    } else if (known !== text && !isErased(change))
      wrong('replayed differently', entityType, `sequence ${change.sequence} of ${id}`)
    const copy = copyOf(entityType)
    if (operation === 'deleted' || isErased(change)) copy.delete(id)
    else
      copy.set(id, {
        json: canonical(record),
        seenAt: Date.parse(change.detectedAt),
        modified: change.modifiedAt === undefined ? undefined : Date.parse(change.modifiedAt),
      })
  }

  /** How the copy differs from the platform, while no one changes the record. */
  async function difference(truth: Truth, happened: Happened, held: Held | undefined): Promise<string | undefined> {
    const { id, to } = happened
    if (truth.locked.has(id)) return undefined // being written: its next change is checked
    truth.locked.add(id)
    try {
      counts.verified++
      const path = `${accountId}/${truth.place.entityType}/${encodeURIComponent(id)}`
      const { status, body } = await door.get(path)
      await caughtUp()
      const life = truth.lives.get(id)
      if (!life || life.last > to || life.gone !== undefined) return undefined
      if (status !== 200) return `the platform has ${status} ${JSON.stringify(body)}`
      return held ? differing(held.json, canonical(body.data)) : 'not there'
    } finally {
      truth.locked.delete(id)
    }
  }
  async function checkComplete(entityType: EntityType, list: 'modified' | 'all', until: number): Promise<void> {
    const truth = truthOf.get(entityType)
    if (!truth) return
    const claim = `${list} ${new Date(until).toISOString()}`
    for (const happened of truth.before(list, until)) {
      const { kind, id, from, to } = happened
      const life = truth.lives.get(id)
      const held = copyOf(entityType).get(id)
      const at = `${id} ${kind} at ${new Date(from).toISOString()}`
      if (kind === 'removed') {
        if (held && life?.gone !== undefined) wrong('incomplete', entityType, `${at}, still there; ${claim}`)
      } else if (!life || life.gone !== undefined || life.last > to) continue
      else if (!held) {
        const found = await difference(truth, happened, held)
        if (found) wrong('incomplete', entityType, `${at}: ${found}; ${claim}`)
      } else {
        const isSeen =
          held.seenAt >= from && (held.modified === undefined || held.modified >= Math.floor(from / second) * second)
        const found = isSeen ? undefined : await difference(truth, happened, held)
        const state = `a state of ${new Date(held.seenAt).toISOString()}`
        if (found) wrong('incomplete', entityType, `${at}, with ${state}: ${found}; ${claim}`)
      }
    }
  }
  async function complete(until: Record<string, { modified?: string; all?: string }>): Promise<void> {
    for (const [name, marks] of Object.entries(until)) {
      const entityType = name as EntityType
      const before = reached.get(entityType) ?? {}
      const next: { modified?: number; all?: number } = {}
      for (const list of ['modified', 'all'] as const) {
        const text = marks[list]
        const time = text === undefined ? undefined : Date.parse(text)
        const last = before[list]
        if (last !== undefined && (time === undefined || time < last))
          wrong('moved back', entityType, `${list} from ${new Date(last).toISOString()} to ${text}`)
        if (time === undefined) continue
        next[list] = time
        await checkComplete(entityType, list, time)
      }
      reached.set(entityType, next)
    }
  }

  /** True at the end of the feed. */
  async function readPage(wait: number): Promise<boolean> {
    const query = `pageSize=${1 + random.below(60)}&cursor=${encodeURIComponent(now.cursor)}`
    // Some readers leave early.
    const timeoutMs = random.chance(0.03) ? 10 + random.below(500) : (wait + 20) * 1000
    const reply = await door.once(`${accountId}/changes?${query}`, { prefer: `wait=${wait}`, timeoutMs })
    if (passes(reply)) {
      await sleep(20 + random.below(80))
      return false
    }
    const { status, body } = reply
    if (status !== 200) {
      const first = truths[0] as Truth
      wrong('cursor lost', first.place.entityType, `${status} ${JSON.stringify(body).slice(0, 300)}`)
      throw new Error(`${accountId}: the cursor is lost: ${status} ${JSON.stringify(body)}`)
    }
    counts.pages++
    for (const change of body.data as Change[]) apply(change)
    if (suspects.length > 0) await caughtUp()
    for (const change of suspects.filter(existed))
      wrong(
        'false delete',
        change.entityType,
        `${change.externalId} at ${change.detectedAt}, sequence ${change.sequence}, ${change.origin}`,
      )
    suspects = []
    now.cursor = body.pagination.cursor
    if (body.completeUntil) await complete(body.completeUntil)
    if (random.chance(0.05)) stored = [...stored.slice(-3), { cursor: now.cursor, copy: cloned(now.copy) }]
    return !body.pagination.hasMore
  }
  return {
    accountId,
    counts,
    written,
    copy: copyOf,
    until: (entityType) => reached.get(entityType) ?? {},
    async begin() {
      let first: Change[]
      for (;;) {
        const { status, body } = await door.get(`${accountId}/changes?pageSize=250`)
        if (status === 200 && body.pagination.hasMore === false) {
          now = { cursor: body.pagination.cursor, copy: emptyCopies() }
          first = body.data
          break
        }
        if (status !== 200 && status !== 409) throw new Error(`${accountId}: ${status} ${JSON.stringify(body)}`)
        await sleep(100)
      }
      for (const { place } of truths) {
        const seenAt = Date.now()
        for (const [id, record] of await door.list(accountId, place.entityType)) {
          const json = canonical(record)
          copyOf(place.entityType).set(id, { json, seenAt })
          states.set(`${place.entityType} ${id}`, { past: [digest(json)] })
        }
      }
      for (const change of first) apply(change)
      stored = [{ cursor: now.cursor, copy: cloned(now.copy) }]
    },
    async follow(stopped) {
      while (!stopped()) {
        const place = random.chance(0.02) ? stored[random.below(stored.length)] : undefined
        if (place) {
          counts.restarts++
          now = { cursor: place.cursor, copy: cloned(place.copy) }
        }
        await readPage(random.below(waitSeconds + 1))
      }
      while (!(await readPage(0)));
    },
  }
}
const cloned = (copy: Stored['copy']): Stored['copy'] =>
  new Map([...copy].map(([entityType, records]) => [entityType, new Map(records)]))

/** Where two records in canonical JSON differ; undefined if they are equal. */
export function differing(left: string, right: string): string | undefined {
  if (left === right) return undefined
  const at = [...left].findIndex((character, index) => right[index] !== character)
  const part = (text: string) => text.slice(Math.max(0, at - 40), at + 60)
  return `${part(left)} instead of ${part(right)}`
}
