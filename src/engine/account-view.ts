// The part of an account that a connector may see.
import type { AccountView, Connector } from '../contract/connector.ts'
import type { Account } from '../store/store.ts'

const views = new WeakMap<Account, AccountView>() // accounts are never changed in place

/** Settings and stored token values: what a connector may see of an account. */
export function viewOf(account: Account, connector: Connector): AccountView {
  let view = views.get(account)
  if (!view) {
    view = makeView(account, connector)
    views.set(account, view)
  }
  return view
}
/** Values of a token response that are stored with the credentials, and are not secret. */
export const keptNames = (connector: Connector): string[] =>
  connector.auth.flatMap((auth) => ('answer' in auth ? Object.keys(auth.answer.keep ?? {}) : []))

function makeView(account: Account, connector: Connector): AccountView {
  const kept: Record<string, string> = {}
  for (const name of keptNames(connector))
    if (account.credentials[name] !== undefined) kept[name] = account.credentials[name]
  return { id: account.id, vertical: account.vertical, settings: { ...kept, ...account.settings } }
}
