// A service in front of one simulator, with watched accounts, and what its change feed reports.
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import { followSettings, followWorkspace } from '../../src/changes/settings.ts'
import { createHarness, type Harness, type HarnessOptions } from '../../src/conformance/harness.ts'
import type { EntityType, Vertical } from '../../src/contract/entity.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import type { EntityWatch, LogRow, Watch } from '../../src/store/changes.ts'
import type { Account, Store } from '../../src/store/store.ts'
import { freshDatabase } from '../postgres.ts'

export interface Watched extends Harness {
  accountOf(vertical: Vertical): Promise<Account>
  watch(entities: Partial<Record<EntityType, EntityWatch>>): Promise<void>
  /** One entity of one account. */
  watchOne(vertical: Vertical, entityType: EntityType, value: EntityWatch): Promise<void>
  watchOf(vertical: Vertical, entityType: EntityType): Promise<Watch>
  /** The whole log of an account. */
  log(vertical: Vertical): Promise<LogRow[]>
  /** What a caller gets from the list: JSON by id. */
  listed(vertical: Vertical, entityType: EntityType): Promise<Map<string, string>>
  walked(vertical: Vertical, entityType: EntityType): Promise<Watch>
  /** A poll follows the first walk. From then on nothing but a webhook or a walk finds a change, if polls are rare. */
  polled(vertical: Vertical, entityType: EntityType): Promise<Watch>
  /** Starts a walk now, and waits until it has ended and everything that it missed is settled. */
  walkNow(vertical: Vertical, entityType: EntityType): Promise<Watch>
  until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T>
}

/** Less than the limit of a test, so that it says what it waited for. */
const longestMs = 240_000

export async function createWatched(
  kind: Store['kind'],
  options: Pick<HarnessOptions, 'platform'> & Partial<HarnessOptions>,
): Promise<Watched> {
  const harness = await createHarness({
    connectors,
    simulators,
    ...(kind === 'postgres'
      ? { databaseUrl: await freshDatabase(inject('postgresUrl'), inject('postgresTemplate')) }
      : { ownDisk: true }),
    instances: 1,
    ...options,
  })
  const { store, engine } = harness.service
  const { changes } = store
  async function until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
    // Rarely, once it takes longer: looking costs more than what is waited for.
    let pauseMs = 20
    for (const deadline = Date.now() + longestMs; Date.now() < deadline; await sleep(pauseMs)) {
      pauseMs = Math.min(pauseMs * 1.5, 200)
      const found = await look()
      if (found !== undefined && found !== false) return found
    }
    throw new Error(`never happened: ${what}`)
  }
  async function accountOf(vertical: Vertical): Promise<Account> {
    const account = await store.accounts.get(harness.accountId(vertical))
    if (!account) throw new Error(`no account of ${vertical}`)
    return account
  }
  async function watchOf(vertical: Vertical, entityType: EntityType): Promise<Watch> {
    const watch = (await changes.watches(harness.accountId(vertical))).find((one) => one.entityType === entityType)
    if (!watch) throw new Error(`${entityType} is not watched`)
    return watch
  }
  const walked = (vertical: Vertical, entityType: EntityType, after = 0) =>
    until(`a walk of ${entityType}`, async () => {
      const watch = await watchOf(vertical, entityType)
      const { phase, lastWalk, walk, proof } = watch.state
      return phase === 'ready' && lastWalk && lastWalk.end > after && !walk && !proof && watch
    })
  return {
    ...harness,
    accountOf,
    watchOf,
    until,
    walked,
    polled: (vertical, entityType) =>
      until(`a poll of ${entityType}`, async () => {
        const watch = await watchOf(vertical, entityType)
        return watch.state.lastPollAt !== undefined && watch
      }),
    async watch(entities) {
      const { workspaceId } = await accountOf((harness.tenants[0] as { vertical: Vertical }).vertical)
      await changes.settings.setWorkspace(workspaceId, { entities, keepRecords: true })
      await followWorkspace(store, engine, workspaceId)
    },
    async watchOne(vertical, entityType, value) {
      const account = await accountOf(vertical)
      await changes.settings.setAccount(account, entityType, value)
      await followSettings(store, engine, account)
    },
    async log(vertical) {
      const entityTypes = (await changes.watches(harness.accountId(vertical))).map(({ entityType }) => entityType)
      const query = { after: { sequence: 0 }, entityTypes, limit: 10_000 }
      return (await changes.page(harness.accountId(vertical), query))?.rows ?? []
    },
    async listed(vertical, entityType) {
      const records = new Map<string, string>()
      for (let cursor = ''; ; ) {
        const address = `/unified/${harness.accountId(vertical)}/${entityType}${cursor && `?cursor=${cursor}`}`
        const { status, body } = await harness.call('GET', address)
        if (status !== 200) throw new Error(`${address}: ${status} ${JSON.stringify(body)}`)
        for (const record of body.data) records.set(record.externalId, JSON.stringify(record))
        if (!body.pagination.hasMore) return records
        cursor = body.pagination.cursor
      }
    },
    async walkNow(vertical, entityType) {
      const { now } = await changes.moment(harness.accountId(vertical))
      await changes.requestWalk(harness.accountId(vertical), entityType)
      return walked(vertical, entityType, now)
    },
  }
}
