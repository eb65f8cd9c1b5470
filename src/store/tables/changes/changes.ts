import type { ChangeStore } from '../../changes.ts'
import type { Store } from '../../store.ts'
import type { StoreContext } from '../../table-types.ts'
import { createCommit } from './commit.ts'
import { createErase } from './erase.ts'
import { createFeeds } from './feeds.ts'
import { createHints } from './hints.ts'
import { createLog } from './log.ts'
import { createPrune } from './prune.ts'
import { createRecords } from './records.ts'
import { createWatchSettings } from './settings.ts'

export function createChanges(context: StoreContext, kind: Store['kind']): ChangeStore {
  return {
    settings: createWatchSettings(context),
    ...createFeeds(context),
    ...createRecords(context),
    ...createHints(context),
    ...createLog(context),
    ...createPrune(context),
    ...createErase(context),
    commit: createCommit(context, kind),
    subscribe: context.wakes.subscribe,
  }
}
