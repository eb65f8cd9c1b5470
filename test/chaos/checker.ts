// The invariants after a run, checked in the simulators' own stores and through the service.
import { isDeepStrictEqual } from 'node:util'
import { type AnyRecord, isStored } from '../../src/conformance/subject.ts'
import { placesOf, valueAt } from '../../src/contract/pointer.ts'
import { samePlace } from '../../src/engine/write/places.ts'
import type { Client, Outcome, Reply } from './caller.ts'
import { contentOf } from './mutations.ts'
import { inParallel } from './parallel.ts'
import { changed, type PlannedWrite } from './plan.ts'
import type { Random } from './random.ts'
import { type Site, siteName } from './survey.ts'
import { contentNow } from './updates.ts'

export const violationKinds = ['lost', 'duplicated', 'half-written', 'mixed', 'wrong response'] as const
export type ViolationKind = (typeof violationKinds)[number]
export interface Violation {
  kind: ViolationKind
  site: string
  key?: string
  detail: string
}
export interface CheckOptions {
  outcomes: readonly Outcome[]
  sites: readonly Site[]
  client: Client
  random: Random
  before(site: Site): readonly string[]
  now(site: Site): Promise<readonly string[]>
}

export async function check(options: CheckOptions): Promise<Violation[]> {
  const { outcomes, sites } = options
  const violations: Violation[] = outcomes.flatMap(acknowledgement)
  const expected: Expected = {
    acknowledged: new Map(outcomes.map(({ write, id }) => [write, id])),
    sold: soldIn(outcomes),
    paid: paidIn(outcomes),
  }
  // Replays come first, so that a replay that wrote again is found in the stores.
  for (const found of await inParallel(
    20,
    outcomes.filter(({ id }) => id !== undefined),
    (outcome) => throughTheService(outcome, expected, options),
  ))
    violations.push(...found)
  for (const site of sites)
    violations.push(
      ...inTheStore(
        site,
        outcomes.filter(({ write }) => write.site === site),
        options.before(site),
        await options.now(site),
      ),
    )
  return violations
}

type Acknowledged = ReadonlyMap<PlannedWrite, string | undefined>
interface Expected {
  acknowledged: Acknowledged
  sold: ReadonlyMap<PlannedWrite, number>
  paid: ReadonlySet<PlannedWrite>
}

/**
 * How much stock of each product the written orders used, if the platform tracks it. Shows an order that reduced the
 * stock twice or not at all.
 */
function soldIn(outcomes: readonly Outcome[]): Map<PlannedWrite, number> {
  const sold = new Map<PlannedWrite, number>()
  for (const { write, id } of outcomes) {
    if (!write.site.takesStock || id === undefined) continue
    for (const { pointer, write: product } of write.needs) {
      const quantity = valueAt(write.record, pointer.replace(/productExternalId$/, 'quantity'))
      if (typeof quantity === 'number') sold.set(product, (sold.get(product) ?? 0) + quantity)
    }
  }
  return sold
}

/** The orders that a payment of the run completed. Shows a payment that reached no order. */
const paidIn = (outcomes: readonly Outcome[]): Set<PlannedWrite> =>
  new Set(
    outcomes
      .filter(({ write, id }) => write.site.entityType === 'payment' && id !== undefined)
      .flatMap(({ write }) => write.needs.filter(({ write: { site } }) => site.entityType === 'order'))
      .map(({ write }) => write),
  )

const about = ({ write }: Outcome) => ({ site: siteName(write.site), key: write.record.externalId as string })
/** If a platform offers no way to find out, an unknown outcome is correct. */
const honestlyUnknown = ({ write, unknown }: Outcome) =>
  unknown > 0 && write.site.steps.some(({ recovery }) => recovery === 'none')

function acknowledgement(outcome: Outcome): Violation[] {
  const found: Violation[] = []
  if ((outcome.id === undefined || outcome.refusal) && !honestlyUnknown(outcome))
    found.push({
      kind: 'lost',
      ...about(outcome),
      detail: outcome.refusal ? `refused: ${outcome.refusal}` : `never acknowledged in ${outcome.attempts} attempts`,
    })
  if (outcome.ids.size > 1)
    found.push({
      kind: 'wrong response',
      ...about(outcome),
      detail: `acknowledged with ${outcome.ids.size} ids: ${[...outcome.ids].join(', ')}`,
    })
  if (outcome.created > 1)
    found.push({
      kind: 'wrong response',
      ...about(outcome),
      detail: `${outcome.created} posts got the response of a first write`,
    })
  return found
}

function inTheStore(
  site: Site,
  outcomes: readonly Outcome[],
  before: readonly string[],
  now: readonly string[],
): Violation[] {
  const present = new Set(now)
  const seeded = new Set(before)
  const keys = new Map<string, Outcome>()
  const found: Violation[] = []
  for (const outcome of outcomes) {
    if (outcome.id === undefined) continue
    const other = keys.get(outcome.id)
    if (other)
      found.push({
        kind: 'duplicated',
        ...about(outcome),
        detail: `shares the id ${outcome.id} with ${about(other).key}`,
      })
    keys.set(outcome.id, outcome)
    if (!present.has(outcome.id) || seeded.has(outcome.id))
      found.push({ kind: 'lost', ...about(outcome), detail: `the platform has no new record ${outcome.id}` })
  }
  for (const id of before)
    if (!present.has(id)) found.push({ kind: 'lost', site: siteName(site), detail: `the seeded record ${id} is gone` })
  // Records without a key are allowed for each unknown outcome, if the platform offers no way to find out.
  const spare = outcomes.filter((outcome) => outcome.id === undefined && honestlyUnknown(outcome)).length
  const unclaimed = now.filter((id) => !seeded.has(id) && !keys.has(id))
  for (const id of unclaimed.slice(spare))
    found.push({ kind: 'duplicated', site: siteName(site), detail: `record ${id} belongs to no key` })
  if (new Set(now).size !== now.length)
    found.push({ kind: 'duplicated', site: siteName(site), detail: 'the platform lists an id twice' })
  return found
}

async function throughTheService(
  outcome: Outcome,
  { acknowledged, sold, paid }: Expected,
  { client, random }: CheckOptions,
): Promise<Violation[]> {
  const { site, record } = outcome.write
  const path = `${site.accountId}/${site.entityType}`
  const found: Violation[] = []
  const wrong = (kind: ViolationKind, detail: string) => found.push({ kind, ...about(outcome), detail })

  const read = await calmly(
    client,
    'GET',
    `${path}?externalId=${encodeURIComponent(record.externalId)}`,
    undefined,
    random,
  )
  if (read.status !== 200 || read.body.reference?.outcome !== 'done' || String(read.body.reference.id) !== outcome.id)
    wrong(
      'wrong response',
      `its status is ${read.status} ${JSON.stringify(read.body).slice(0, 300)}, not done with ${outcome.id}`,
    )
  if (read.body.data?.length === 1) {
    const [now] = read.body.data
    const current = outcome.rounds.length === 0 ? undefined : contentNow(outcome, now)
    if (current && 'kind' in current) wrong(current.kind, current.detail)
    else
      for (const detail of [
        ...missing(outcome.write, now, { sold, paid }, current?.content),
        ...(current ? [] : misdirected(outcome, now, acknowledged)),
      ])
        wrong('half-written', detail)
  } else wrong('lost', `the service shows no record ${outcome.id}`)

  const again = await calmly(client, 'POST', path, record, random)
  if (
    again.status !== 200 ||
    !again.replayed ||
    String(again.body.reference?.id) !== outcome.id ||
    !isDeepStrictEqual(again.body.data, outcome.response)
  )
    wrong(
      'wrong response',
      `a replay got ${again.status} ${JSON.stringify(again.body).slice(0, 300)}, not 200 with ${outcome.id}`,
    )
  const other = await calmly(client, 'POST', path, changed(outcome.write), random)
  if (other.status !== 409 || other.body.code !== 'idempotency_conflict' || String(other.body.id) !== outcome.id)
    wrong(
      'wrong response',
      `other content got ${other.status} ${JSON.stringify(other.body).slice(0, 300)}, not 409 with ${outcome.id}`,
    )
  return found
}

/** Faults are off now. Only a full queue or an expired token is retried. */
async function calmly(
  client: Client,
  method: string,
  path: string,
  body: AnyRecord | undefined,
  random: Random,
): Promise<Reply> {
  let reply = await client.call(method, path, body, random)
  for (let attempt = 1; attempt < 5 && (reply.status === 0 || reply.status === 429 || reply.status >= 500); attempt++) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(reply.retryAfterMs, 300 * attempt)))
    reply = await client.call(method, path, body, random)
  }
  return reply
}

/** Fields that were written, that the platform stores, and that it does not have. */
function missing(
  write: PlannedWrite,
  read: AnyRecord,
  { sold, paid }: Pick<Expected, 'sold' | 'paid'>,
  content: number | undefined,
): string[] {
  const { mutations } = write.site
  const record = paid.has(write) ? { ...write.record, state: 'COMPLETED' } : write.record
  const expected = content === undefined ? record : contentOf(mutations, record, content)
  const stored = ({ pointer }: { pointer: string }) =>
    !/externalId$/i.test(pointer) && isStored(write.site.support, pointer)
  return leaves(expected, '')
    .filter(stored)
    .map(({ pointer, value }) => ({
      pointer,
      value: pointer === '/stockOnHand' ? Number(value) - (sold.get(write) ?? 0) : value,
    }))
    .flatMap(({ pointer, value }) => {
      const present = placesOf(read, pointer)[0]?.value
      return isDeepStrictEqual(present, value) || samePlace(pointer, expected as never, read as never)
        ? []
        : [`${pointer} is ${JSON.stringify(present)}, expected ${JSON.stringify(value)}`]
    })
}

const leaves = (value: unknown, pointer: string): { pointer: string; value: unknown }[] =>
  typeof value === 'object' &&
  value !== null &&
  !(Array.isArray(value) && value.every((item) => typeof item !== 'object'))
    ? Object.entries(value).flatMap(([name, inner]) => leaves(inner, `${pointer}/${name}`))
    : [{ pointer, value }]

/** References that do not point to the record that was written with the referenced key. */
const misdirected = ({ write }: Outcome, read: AnyRecord, acknowledged: Acknowledged): string[] =>
  write.needs
    .filter(
      ({ stored, pointer, write: needed }) =>
        stored && String(placesOf(read, pointer)[0]?.value) !== acknowledged.get(needed),
    )
    .map(
      ({ pointer, write: needed }) =>
        `${pointer} is ${placesOf(read, pointer)[0]?.value}, and not ${acknowledged.get(needed)}, which ${needed.record.externalId} became`,
    )
