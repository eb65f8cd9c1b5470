// What is watched: the workspace's default with the account's own settings on top, as far as the platform offers it.
import type { EntityType } from '../contract/entity.ts'
import type { Engine } from '../engine/engine.ts'
import type { AccountWatches, EntityWatch, WorkspaceWatches } from '../store/changes.ts'
import { everyOf } from '../store/paging.ts'
import type { Account, Store } from '../store/store.ts'

/** By default. Where the platform does not filter by modification time, only walks find changes. */
const defaultPollSeconds = 300
const defaultWalkHours = { polled: 24, walked: 1 }

export type Watched = Map<EntityType, EntityWatch>

/** How long a list may lack a change. */
export const settleSecondsOf = ({ settleSeconds = 5 }: { settleSeconds?: number }): number => settleSeconds

export function effectiveWatches(
  workspace: Pick<WorkspaceWatches, 'entities'>,
  account: AccountWatches,
  offered: readonly EntityType[],
): Watched {
  const watched: Watched = new Map()
  for (const entityType of offered) {
    const own = account[entityType]
    const general = workspace.entities[entityType]
    if (own !== 'off' && (own ?? general)) watched.set(entityType, { ...general, ...own })
  }
  return watched
}

export const intervalsOf = (
  { pollSeconds, walkHours }: EntityWatch,
  polls: boolean,
): { pollSeconds: number; walkHours: number } => ({
  pollSeconds: pollSeconds ?? defaultPollSeconds,
  walkHours: walkHours ?? (polls ? defaultWalkHours.polled : defaultWalkHours.walked),
})

type Stores = Pick<Store, 'changes' | 'accounts'>

/** What is watched of an account now, and whether its workspace keeps the records. */
export async function watchingOf(
  { changes }: Pick<Store, 'changes'>,
  engine: Pick<Engine, 'support'>,
  account: Account,
): Promise<{ watched: Watched; keepRecords: boolean }> {
  const workspace = await changes.settings.workspace(account.workspaceId)
  const own = await changes.settings.account(account.id)
  const watched = effectiveWatches(workspace, own, offeredTo(engine, account))
  return { watched, keepRecords: workspace.keepRecords }
}
export async function watchesOf(...parameters: Parameters<typeof watchingOf>): Promise<Watched> {
  return (await watchingOf(...parameters)).watched
}
/** What the platform offers and the account's authorization covers. */
export function offeredTo(engine: Pick<Engine, 'support'>, account: Account): EntityType[] {
  const support = engine.support(account)
  return (Object.keys(support) as EntityType[]).filter((entityType) => support[entityType]?.read)
}

/** Makes the feed of an account follow its settings. */
export async function followSettings(
  store: Pick<Store, 'changes'>,
  engine: Pick<Engine, 'support'>,
  account: Account,
): Promise<void> {
  const watched = await watchesOf(store, engine, account)
  await store.changes.ensure(account, [...watched.keys()])
}

/** The same for all accounts of a workspace. */
export async function followWorkspace(
  store: Stores,
  engine: Pick<Engine, 'support'>,
  workspaceId: string,
  stop: () => boolean = () => false,
): Promise<void> {
  for await (const account of everyOf((query) => store.accounts.list(workspaceId, query))) {
    if (stop()) return
    await followSettings(store, engine, account)
  }
}
/** New accounts follow the default of their workspace. Where none was ever set, nothing is to be followed. */
export async function followDefaults(
  store: Stores,
  engine: Pick<Engine, 'support'>,
  stop: () => boolean,
): Promise<void> {
  for (const workspaceId of await store.changes.settings.workspaces()) {
    if (stop()) return
    await followWorkspace(store, engine, workspaceId, stop)
  }
}
