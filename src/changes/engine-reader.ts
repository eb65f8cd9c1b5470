// Reads an entity of an account through the engine, in the background, as rows that can be compared.
import { randomUUID } from 'node:crypto'
import { nativeAt } from '../contract/native-pointer.ts'
import type { BackgroundContext, BackgroundPosition } from '../engine/background.ts'
import type { Engine } from '../engine/engine.ts'
import type { Turn } from '../jobs/job.ts'
import type { Watch } from '../store/changes.ts'
import type { Account, Store } from '../store/store.ts'
import { digestOf, fingerprintOf, revisionOf } from './fingerprint.ts'
import type { ReadRow } from './observe.ts'
import { settleSecondsOf } from './settings.ts'
import type { Reader } from './step.ts'

const dayMs = 86_400_000
/** How long a read waits for a slot, before the watch counts as starved. */
const maxWaitMs = 60_000
const longestId = 1024

type Engines = Pick<Engine, 'target' | 'background' | 'rate'>
type Mappings = Pick<Store, 'mappings'>

/** What the account's read mappings of the entity take from the native row. */
async function mappingPointers(
  { mappings }: Mappings,
  account: Account,
  { entityType }: Pick<Watch, 'entityType'>,
): Promise<string[]> {
  const pointers = new Set<string>()
  for (const mapping of await mappings.usable(account))
    if (mapping.direction === 'read' && mapping.entityType === entityType)
      for (const { from } of Object.values(mapping.rules)) if (from !== undefined) pointers.add(from)
  return [...pointers]
}

const isId = (id: unknown): id is string =>
  typeof id === 'string' && id !== '' && id.length <= longestId && !id.includes('\0') && id.isWellFormed()

export async function createEngineReader(
  {
    engine,
    store,
    scale,
    turn,
  }: { engine: Engines; store: Mappings; scale: number; turn: Pick<Turn, 'signal' | 'check'> },
  account: Account,
  watch: Pick<Watch, 'entityType'>,
): Promise<Reader> {
  const { background } = engine
  const target = engine.target(account, watch.entityType)
  const { adapter } = target
  const { list } = adapter
  const pointers = await mappingPointers(store, account, watch)
  const unify = background.unify(target)
  const { policies, daily } = engine.rate(account)
  let calls = 0

  async function reading<T>(run: (context: BackgroundContext) => Promise<T>): Promise<T> {
    const context: BackgroundContext = {
      requestId: `changes_${randomUUID()}`,
      caller: 'changes',
      maxWaitMs,
      background: true,
      signal: turn.signal,
      check: turn.check,
    }
    try {
      return await run(context)
    } finally {
      calls += context.nativeCalls ?? 0
    }
  }
  function stampOf(row: unknown): number | undefined {
    const modified = Date.parse(list.modifiedAt?.(row) ?? '')
    return Number.isNaN(modified) ? undefined : modified
  }
  /** Undefined: it has no id. */
  function identified(row: unknown): string | undefined {
    try {
      const id: unknown = adapter.id(row)
      return isId(id) ? id : undefined
    } catch {
      return undefined
    }
  }
  function partOf<T>(look: () => T): T | undefined {
    try {
      return look()
    } catch {
      return undefined
    }
  }
  function toRow(row: unknown, nativeId: string, isListed: boolean): ReadRow {
    const record = unify(row, [])
    const native = pointers.length > 0 ? nativeValues(row, pointers) : undefined
    const group = partOf(() => adapter.group?.(row)) ?? dayOf(record)
    return {
      nativeId,
      ...(isId(group) ? { group } : {}),
      ...(record ? { record } : {}),
      ...(native ? { native } : {}),
      fingerprint: fingerprintOf(record, native),
      ...(isListed ? { digest: digestOf(row) } : {}),
      modified: partOf(() => stampOf(row)),
    }
  }
  /** Where the list has a horizon: a record that is gone may only be older than that. */
  const dayOf = (record: object | undefined): string | undefined =>
    list.horizonDays === undefined
      ? undefined
      : (record as { processedAt?: string } | undefined)?.processedAt?.slice(0, 10)
  const isExcluded = (row: unknown) => partOf(() => adapter.excluded?.(row)) !== undefined
  /** Rows of a read by id or group, which must have ids. */
  const toRows = (rows: readonly unknown[]): ReadRow[] =>
    rows.flatMap((row) => {
      const id = identified(row)
      return id === undefined || isExcluded(row) ? [] : [toRow(row, id, false)]
    })

  return {
    entityType: watch.entityType,
    revision: revisionOf(adapter.revision ?? 1, pointers),
    polls: list.updatedAfter === 'platform',
    gets: adapter.get !== undefined,
    groups: adapter.group !== undefined && adapter.members !== undefined,
    settleMs: settleSecondsOf(list) * 1000 * scale,
    stampMs: list.stampPrecision === 'seconds' ? 1000 : 1,
    horizonMs: list.horizonDays === undefined ? undefined : list.horizonDays * dayMs,
    callsPerSecond: Math.min(
      ...policies.map(({ requests, usable = requests, seconds }) => usable / (seconds * scale)),
      daily === undefined ? Infinity : daily / (86_400 * scale),
    ),
    refresh: () => background.forgetFacts(account.id),
    async page({ updatedAfter, cursor }) {
      const position: BackgroundPosition = (cursor as BackgroundPosition | undefined) ?? {
        size: list.pageLimit,
        place: {},
        ...(updatedAfter === undefined ? {} : { updatedAfter, ...(list.deletes ? { gone: true } : {}) }),
      }
      const page = await reading((context) => background.page(target, position, context))
      let unidentified = 0
      const rows = page.rows.flatMap((row) => {
        const id = identified(row)
        if (id === undefined) unidentified++
        return id === undefined || isExcluded(row) ? [] : [toRow(row, id, true)]
      })
      return {
        rows,
        gone: page.gone.filter(isId),
        unidentified,
        began: page.readBegan,
        ...(page.next ? { next: page.next } : {}),
      }
    },
    async get(id) {
      const row = await reading((context) => background.get(target, id, context))
      if (row === undefined) return undefined
      return toRow(row, identified(row) ?? id, false)
    },
    members: async (group) => toRows(await reading((context) => background.members(target, group, context))),
    clock: () => background.date(target),
    calls: () => calls,
  }
}

const nativeValues = (row: unknown, pointers: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    pointers.flatMap((pointer) => {
      const value = nativeAt(row, pointer)
      return [[pointer, value === undefined ? null : value]]
    }),
  )
