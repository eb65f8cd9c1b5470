// The facts about an account beside its records: what it supports, how many calls it has left, whether its
// connection works.
import type { EntityType } from '../contract/entity.ts'
import type { Problem } from '../contract/errors.ts'
import type { Account } from '../store/store.ts'
import { viewOf } from './account-view.ts'
import { customSchema } from './custom.ts'
import type { createMappingSelection } from './mapping-selection.ts'
import type { EngineOptions, RequestContext } from './options.ts'
import { authorizeUrl } from './outbound/authorize.ts'
import { slotOf } from './outbound/channel.ts'
import { reserveOf } from './outbound/pacing/daily-calls.ts'
import { type createVerify, readAny } from './outbound/verify.ts'
import type { Reading } from './read/list.ts'
import { testFault } from './settings.ts'
import { accountSupport } from './support.ts'
import type { Targets } from './target.ts'

export interface DailyLimitView {
  limit: number | undefined // unknown if absent
  used: number
  remaining: number | undefined
  resetsAt: string | undefined // when the oldest calls no longer count
}

export function createAccountFacts(
  options: EngineOptions,
  { connectorOf, target: targetOf }: Targets,
  mappings: Pick<ReturnType<typeof createMappingSelection>, 'byDefault'>,
  reading: Reading,
  verify: Pick<ReturnType<typeof createVerify>, 'lost'>,
) {
  const view = (account: Account) => viewOf(account, connectorOf(account))
  return {
    view,
    support: (account: Account) => accountSupport(account, connectorOf(account), view(account)),
    /** The JSON Schema of an entity's custom fields in the account's default mappings. Undefined: it has none. */
    async customSchema(account: Account, entityType: EntityType): Promise<object | undefined> {
      const target = targetOf(account, entityType)
      const [read, write] = await Promise.all([mappings.byDefault(target, 'read'), mappings.byDefault(target, 'write')])
      return customSchema(target.adapter.custom, read, write)
    },
    /** Where the customer of a draft account is sent to agree. */
    authorizeUrl: (draft: Account, values: Parameters<typeof authorizeUrl>[3], used: ReadonlySet<EntityType>) =>
      authorizeUrl(options, connectorOf(draft), draft, values, used),
    /** Calls left and time to the next one, for the RateLimit headers. */
    rate(account: Account) {
      const connector = connectorOf(account)
      const slot = slotOf(connector, account)
      return { policies: connector.limit, daily: slot.daily?.limit, ...options.pacer.status(slot) }
    },
    /** The calls of the last 24 hours; undefined if the platform does not limit them. */
    async dailyLimit(account: Account): Promise<DailyLimitView | undefined> {
      const status = await options.pacer.daily(slotOf(connectorOf(account), account))
      if (!status) return undefined
      const { limit, used, resetMs } = status
      return {
        limit,
        used,
        remaining: limit === undefined ? undefined : Math.max(0, limit - used - reserveOf(limit)),
        resetsAt: resetMs === undefined ? undefined : new Date(Date.now() + resetMs).toISOString(),
      }
    },
    /**
     * One cheap call that proves the connection of a stored account. An account that waits to be connected again is
     * called, too: if the platform accepts it, it is in service again.
     */
    async test(account: Account, context: RequestContext): Promise<{ ok: true } | { ok: false; problem: Problem }> {
      try {
        if (account.state === 'reconnect_required') await verify.lost(account, context)
        else
          await readAny(reading, targetOf, async () => ({ ...account, state: 'active' }), connectorOf(account), context)
        return { ok: true }
      } catch (error) {
        return { ok: false, problem: error as Problem }
      }
    },
    /** Why the account must not be called, because its workspace is for tests; undefined if it may be. */
    testFault: (account: Account) =>
      account.testOnly && !options.originOverride?.(account)
        ? testFault(connectorOf(account), account.settings)
        : undefined,
  }
}
