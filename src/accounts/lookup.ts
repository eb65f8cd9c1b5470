// Looks up by workspace: what belongs to another workspace does not exist for the caller.
import { Problem } from '../contract/errors.ts'
import type { Account, Store, Workspace } from '../store/store.ts'

export const missing = (what: string) => new Problem('resource_not_found', `There is no such ${what}.`)

export async function existingWorkspace(store: Store, workspaceId: string | undefined): Promise<Workspace> {
  const found = await store.workspaces.get(workspaceId ?? '')
  if (!found) throw missing('workspace')
  return found
}

export interface AccountKey {
  workspaceId?: string
  accountId?: string
}
export async function existingAccount(store: Store, { workspaceId, accountId }: AccountKey): Promise<Account> {
  const found = await store.accounts.get(accountId ?? '')
  if (!found || found.workspaceId !== workspaceId) throw missing('account')
  return found
}
