// Whether the configured keys open what is in the database.
import type { Store } from './store.ts'
import { UnknownKey } from './vault.ts'

/**
 * One account per workspace is enough to know. `first`: one account is enough, which tells a wrong key, but not one that
 * was removed before everything was sealed again.
 */
export async function keysOpen(
  { workspaces, accounts }: Pick<Store, 'workspaces' | 'accounts'>,
  { first = false } = {},
): Promise<boolean> {
  try {
    const { data } = await workspaces.list({ limit: 100 })
    for (const { id } of data) {
      const found = await accounts.list(id, { limit: 1 })
      if (first && found.data.length > 0) return true
    }
    return true
  } catch (error) {
    if (error instanceof UnknownKey) return false
    throw error
  }
}
