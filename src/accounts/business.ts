// One business, several accounts: they share the platform's rate limit.
import type { Connector } from '../contract/connector.ts'
import { businessOf } from '../engine/outbound/business.ts'
import type { Account, Store } from '../store/store.ts'

export interface AccountWarning {
  code: 'business_connected_twice'
  message: string
}
/** Names accounts of the same workspace only. */
export async function warningsOf({ accounts }: Pick<Store, 'accounts'>, account: Account): Promise<AccountWarning[]> {
  const others = await accounts.sameBusiness(account)
  if (others.length === 0) return []
  const named = `${others.length === 1 ? 'account' : 'accounts'} ${others.join(', ')}`
  return [
    {
      code: 'business_connected_twice',
      message: `This business is also connected as ${named}. All its accounts share one rate limit, and some platforms end the authorization of one when another is connected: test them. Delete the ones that you do not need.`,
    },
  ]
}

const batch = 200
/** Accounts from before businesses were stored. */
export async function findBusinesses(
  { accounts }: Pick<Store, 'accounts'>,
  connectors: Readonly<Record<string, Connector>>,
  stop: () => boolean,
): Promise<void> {
  for (let found = await accounts.withoutBusiness(batch); found.length > 0 && !stop(); ) {
    for (const account of found) {
      const connector = connectors[account.platform]
      await accounts.setBusiness(account.id, connector && businessOf(connector, account))
    }
    found = await accounts.withoutBusiness(batch)
  }
}
