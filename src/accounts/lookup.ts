// Looks up by workspace: what belongs to another workspace does not exist for the caller.
import { Problem } from '../contract/errors.ts'
import type { Account, Store, Workspace } from '../store/store.ts'

/** `next` says what to do: which value to check, and where the right ones are. */
export const missing = (what: string, next: string) =>
  new Problem('resource_not_found', `There is no such ${what}. ${next}`)
/** For a name in the path of a request, by the address that lists the names. */
export const missingIn = (parameter: string, what: string, list: string) =>
  missing(what, `Check ${parameter} in the path: GET /manage/v1${list} lists them.`)
/** Addresses of a workspace. */
export const ofWorkspace = (rest: string): string => `/workspaces/{workspaceId}${rest}`
export const ofAccount = (rest: string): string => ofWorkspace(`/accounts/{accountId}${rest}`)

export async function existingWorkspace(store: Store, workspaceId: string | undefined): Promise<Workspace> {
  const found = await store.workspaces.get(workspaceId ?? '')
  if (!found) throw missingIn('workspaceId', 'workspace', '/workspaces')
  return found
}

export interface AccountKey {
  workspaceId?: string
  accountId?: string
}
export async function existingAccount(store: Store, { workspaceId, accountId }: AccountKey): Promise<Account> {
  const found = await store.accounts.get(accountId ?? '')
  if (!found || found.workspaceId !== workspaceId) throw missingIn('accountId', 'account', ofWorkspace('/accounts'))
  return found
}
