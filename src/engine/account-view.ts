// What a connector may see of an account.
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
function makeView(account: Account, connector: Connector): AccountView {
  const kept: Record<string, string> = {}
  for (const auth of connector.auth) {
    const names = 'answer' in auth ? Object.keys(auth.answer.keep ?? {}) : []
    for (const name of names) if (account.credentials[name] !== undefined) kept[name] = account.credentials[name]
  }
  return { id: account.id, vertical: account.vertical, settings: { ...kept, ...account.settings } }
}
