// Change feeds as a job: takes the feeds that are due, several accounts beside each other.
import type { Engine } from '../engine/engine.ts'
import type { Turn, Work } from '../jobs/job.ts'
import type { ChangeStore, Feed } from '../store/changes.ts'
import type { Account, Store } from '../store/store.ts'
import { createEngineReader } from './engine-reader.ts'
import { watchingOf } from './settings.ts'
import { createWorker, type Worker } from './worker.ts'

export interface FeedOptions {
  store: Store
  engine: Engine
  scale: number
}

export function createFeedWork({ store, engine, scale }: FeedOptions): Work<Feed> {
  const { changes } = store
  const worker = createWorker({
    changes,
    scale,
    account: (id) => store.accounts.get(id),
    watching: (account: Account) => watchingOf(store, engine, account),
    reader: (account, watch, turn) => createEngineReader({ engine, store, scale, turn }, account, watch),
  })
  return workOnFeeds(changes, worker)
}

export function workOnFeeds(changes: ChangeStore, worker: Worker): Work<Feed> {
  return {
    due: (limit) => changes.due(limit),
    take: (accountId, { holder, leaseMs }) => changes.takeFeed(accountId, holder, leaseMs),
    renew: (feed, leaseMs) => changes.renewFeed(feed, leaseMs),
    work: worker,
    release: (feed, next) => changes.releaseFeed(feed, next),
    about: (accountId) => `the change feed of ${accountId}`,
    subscribe: (wake) => changes.subscribe(wake),
  }
}

const pruneRows = 1000
const prunesInARow = 20
/** Removes old entries in batches. `prune` returns how many it has removed. */
export async function pruneInBatches(turn: Turn, prune: (rows: number) => Promise<number>): Promise<void> {
  for (let round = 0; round < prunesInARow && turn.mayGoOn(); round++) if ((await prune(pruneRows)) === 0) return
}
