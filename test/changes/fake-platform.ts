// A platform in memory, behind the reader of a worker, and one worker at a time on a real store.

import { workOnFeeds } from '../../src/changes/feed-work.ts'
import { digestOf, fingerprintOf, revisionOf } from '../../src/changes/fingerprint.ts'
import type { ReadRow } from '../../src/changes/observe.ts'
import type { Reader } from '../../src/changes/step.ts'
import { createWorker } from '../../src/changes/worker.ts'
import { createLoop } from '../../src/jobs/job.ts'
import type { LogRow, Watch, WatchState } from '../../src/store/changes.ts'
import type { Account, Store } from '../../src/store/store.ts'
import { addAccount } from '../store-on.ts'

export interface FakeRecord {
  name: string
  modified?: number
  group?: string
  unlisted?: boolean
  broken?: boolean // cannot be normalized
}
export interface FakePlatform {
  records: Map<string, FakeRecord>
  pageSize: number
  reads: string[]
  merged: Map<string, string>
  gone: string[] // what a poll says was deleted
  /** Called before each read; it may throw. */
  before(read: string): Promise<void> | void
  reader: { -readonly [Name in keyof Reader]: Reader[Name] }
}

export function createFakePlatform(): FakePlatform {
  const platform: FakePlatform = {
    records: new Map(),
    pageSize: 10,
    reads: [],
    merged: new Map(),
    gone: [],
    before: () => {},
    reader: {
      entityType: 'product',
      revision: revisionOf(1, []),
      polls: true,
      gets: true,
      groups: false,
      settleMs: 0,
      stampMs: 1,
      callsPerSecond: 1e6,
      refresh: () => {},
      async page({ updatedAfter, cursor }) {
        const after = (cursor as { after: string } | undefined)?.after ?? ''
        const began = Date.now()
        await read(`${updatedAfter === undefined ? 'walk' : 'poll'} ${after}`)
        const since = updatedAfter === undefined ? -Infinity : Date.parse(updatedAfter)
        const listed = [...platform.records]
          .filter(([id, { unlisted, modified = 0 }]) => id > after && !unlisted && modified > since)
          .sort(([left], [right]) => (left < right ? -1 : 1))
        const page = listed.slice(0, platform.pageSize)
        const last = page.at(-1)?.[0]
        return {
          rows: page.map(([id, record]) => toRow(id, record, true)),
          gone: updatedAfter === undefined ? [] : platform.gone,
          unidentified: 0,
          began,
          ...(listed.length > page.length && last !== undefined ? { next: { after: last } } : {}),
        }
      },
      async get(id) {
        await read(`get ${id}`)
        const survivor = platform.merged.get(id) ?? id
        const record = platform.records.get(survivor)
        return record && toRow(survivor, record, false)
      },
      async members(group) {
        await read(`members ${group}`)
        return [...platform.records]
          .filter(([, record]) => record.group === group)
          .map(([id, record]) => toRow(id, record, false))
      },
      clock: () => ({ least: 0, most: 0 }),
      calls: () => platform.reads.length,
    },
  }
  async function read(what: string): Promise<void> {
    platform.reads.push(what)
    await platform.before(what)
  }
  return platform
}
function toRow(nativeId: string, { name, modified, group, broken }: FakeRecord, isListed: boolean): ReadRow {
  const record = { externalId: nativeId, name }
  return {
    nativeId,
    group,
    record: broken ? undefined : record,
    fingerprint: fingerprintOf(record),
    digest: isListed ? digestOf(record) : undefined,
    modified,
  }
}

export interface FakeWorker {
  platform: FakePlatform
  account: Account
  /** Works until nothing is due. */
  work(): Promise<void>
  watch(): Promise<Watch>
  setState(change: (state: WatchState) => WatchState): Promise<void>
  /** Makes a walk due and works. */
  walk(): Promise<void>
  log(): Promise<LogRow[]>
  /** Operation, id and origin of each change. */
  changes(): Promise<string[]>
  errors: unknown[]
}
export async function createFakeWorker(
  store: Store,
  id: string,
  more: { stop?(): boolean; pollSeconds?: number } = {},
): Promise<FakeWorker> {
  const platform = createFakePlatform()
  const account = await addAccount(store, id)
  await store.changes.ensure(account, ['product'])
  const errors: unknown[] = []
  const worker = createWorker({
    changes: store.changes,
    scale: 1,
    account: (accountId) => store.accounts.get(accountId),
    watching: async () => ({
      watched: new Map([['product', { pollSeconds: more.pollSeconds ?? 300, walkHours: 24 }]]),
      keepRecords: (await store.changes.settings.workspace(account.workspaceId)).keepRecords,
    }),
    reader: async () => platform.reader,
  })
  const job = createLoop(
    {
      ...workOnFeeds(store.changes, (feed, turn) =>
        worker(feed, { ...turn, mayGoOn: () => turn.mayGoOn() && !more.stop?.() }),
      ),
      due: async () => [], // the test says when it works
      name: 'change feeds',
      does: '',
      everyMs: 3_600_000,
      atOnce: 1,
    },
    { instance: `worker of ${id}`, scale: 1, onError: (error) => errors.push(error), onLost: () => {} },
  )
  const watch = async () => (await store.changes.watches(id))[0] as Watch
  async function setState(change: (state: WatchState) => WatchState): Promise<void> {
    await store.changes.requestWalk(id, 'product') // ends every lease
    const feed = await store.changes.takeFeed(id, 'test', 60_000)
    const [held] = feed?.watches ?? []
    if (!feed || !held) throw new Error('the feed is not free')
    await store.changes.commit(feed, { watches: [{ watch: held, state: change(held.state) }] })
    await store.changes.releaseFeed(feed, { dueInMs: 0 })
  }
  const log = async () =>
    (await store.changes.page(id, { after: { sequence: 0 }, entityTypes: ['product'], limit: 10_000 }))?.rows ?? []
  return {
    platform,
    account,
    errors,
    watch,
    setState,
    log,
    work: () => job.run(id),
    async walk() {
      await store.changes.requestWalk(id, 'product')
      await job.run(id)
    },
    changes: async () => (await log()).map((row) => `${row.operation} ${row.nativeId} ${row.origin}`),
  }
}
