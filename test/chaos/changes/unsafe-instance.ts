// The service with one safeguard of the change feed off, to show that the checker fails. The product has no such switch.
import { flushCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { readConfig } from '../../../src/config.ts'
import type { Connector } from '../../../src/contract/connector.ts'
import { connectors } from '../../../src/platforms/registry.ts'
import { openSandboxWorkspace, type SandboxTenant } from '../../../src/sandbox-workspace.ts'
import { createService, type Service } from '../../../src/service.ts'
import type { FeedFence } from '../../../src/store/changes.ts'
import { LostLease } from '../../../src/store/lost-lease.ts'

export type FeedSafeguard =
  | 'fence'
  | 'overlap'
  | 'proof by id'
  | 'control read'
  | 'reads of unlisted records'
  | 'page with its position'
  | 'epoch'
const off = process.env.SAFEGUARD_OFF as FeedSafeguard
const config = readConfig()

/** A worker that has lost the feed stores what it read all the same. */
function unfence({ store: { changes } }: Service): void {
  const pool = new pg.Pool({ connectionString: config.databaseUrl })
  const current = async ({ accountId }: FeedFence): Promise<FeedFence> => {
    const { rows } = await pool.query<{ fence: string }>('select fence from feeds where account_id = $1', [accountId])
    return { accountId, fence: Number(rows[0]?.fence) }
  }
  const { commit } = changes
  changes.renewFeed = async () => true
  changes.commit = (feed, batch) =>
    commit(feed, batch).catch(async (error: unknown) => {
      if (!(error instanceof LostLease)) throw error
      return commit(await current(feed), batch)
    })
}
/** Polls begin exactly where the last one began. */
const withoutOverlap = (connector: Connector): Connector => ({
  ...connector,
  entities: Object.fromEntries(
    Object.entries(connector.entities).map(([entityType, adapter]) => [
      entityType,
      { ...adapter, list: { ...adapter.list, settleSeconds: 0, stampPrecision: 'milliseconds' } },
    ]),
  ) as Connector['entities'],
})
/** What a walk did not see counts as deleted. */
function believeWalks({ store: { changes }, engine: { background } }: Service): void {
  const missing = new Set<string>()
  const { missingAfter } = changes
  const { get } = background
  changes.missingAfter = async (...parameters) => {
    const rows = await missingAfter(...parameters)
    for (const { nativeId } of rows) missing.add(nativeId)
    return rows
  }
  background.get = async (target, id, context) => (missing.has(id) ? undefined : get(target, id, context))
}
/** "Not found" counts, whether other records are found or not. */
function believeAbsence({ store: { changes }, engine: { background } }: Service): void {
  const missing = new Set<string>()
  const { missingAfter } = changes
  const { get, page } = background
  const rows = new Map<string, unknown>()
  changes.missingAfter = async (...parameters) => {
    const found = await missingAfter(...parameters)
    for (const { nativeId } of found) missing.add(nativeId)
    return found
  }
  background.page = async (target, position, context) => {
    const read = await page(target, position, context)
    for (const row of read.rows) rows.set(target.adapter.id(row as never), row)
    return read
  }
  background.get = async (target, id, context) =>
    (await get(target, id, context)) ?? (missing.has(id) ? undefined : rows.get(id))
}
/** A record that is not listed is never read again. */
function forgetUnlisted({ store: { changes } }: Service): void {
  const { missingAfter, marks } = changes
  changes.unlistedDue = async () => []
  changes.missingAfter = async (watch, ...parameters) => {
    const rows = await missingAfter(watch, ...parameters)
    const ids = rows.map(({ nativeId }) => nativeId)
    const { unlisted } = await marks(watch, ids)
    return rows.filter(({ nativeId }) => !unlisted.has(nativeId))
  }
}
/** First the position after a page, then what it had. */
function splitCommits({ store: { changes } }: Service): void {
  const { commit } = changes
  changes.commit = async (feed, batch) => {
    const states = batch.watches?.flatMap(({ watch, state }) => (state ? [{ watch, state }] : [])) ?? []
    if (states.length > 0 && batch.changes?.length) {
      await commit(feed, { watches: states })
      await sleep(400)
    }
    return commit(feed, batch)
  }
}
/** Another business is taken for the same one. */
function keepEpochs({ store: { changes } }: Service): void {
  changes.beginEpoch = async (feed, watch, { state: { business } }) => {
    const state = { ...watch.state, ...(business === undefined ? {} : { business }) }
    await changes.commit(feed, { watches: [{ watch, state }] })
    return { ...watch, state }
  }
}
const switches: Partial<Record<FeedSafeguard, (service: Service) => void>> = {
  fence: unfence,
  'proof by id': believeWalks,
  'control read': believeAbsence,
  'reads of unlisted records': forgetUnlisted,
  'page with its position': splitCommits,
  epoch: keepEpochs,
}

const response = await fetch(`${config.sandboxUrl}/_sandbox/accounts`)
const { accounts } = (await response.json()) as { accounts: SandboxTenant[] }
const wrapped = Object.entries(connectors).map(([id, connector]): [string, Connector] => [
  id,
  off === 'overlap' ? withoutOverlap(connector) : connector,
])
const service = await createService({
  config,
  connectors: Object.fromEntries(wrapped),
  originOverride: (account) => `${config.sandboxUrl}/${account.platform}`,
})
switches[off]?.(service)
const address = await service.listen()
await openSandboxWorkspace(service, connectors, accounts, config.dataDir)
flushCompileCache() // it ends with kill -9, and the next one starts faster
console.log(`listening on ${address}`)
