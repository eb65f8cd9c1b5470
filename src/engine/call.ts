// The call object is a connector's only way to act. It becomes invalid when the operation ends.
import type { AccountView, Connector, ReadCall } from '../contract/connector.ts'
import type { Account } from '../store/store.ts'
import type { Facts } from './facts.ts'
import type { Operation } from './outbound/channel.ts'
import type { Outbound } from './outbound/retry.ts'

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

/** More calls than any operation needs: a connector that loops is stopped. */
const maxCalls = 2000

export interface Ending {
  ended: boolean
}
export function createReadCall(
  operation: Operation,
  outbound: Outbound,
  facts: Pick<Facts, 'cached'>,
  now: string,
  ending: Ending,
): ReadCall {
  let calls = 0
  return {
    account: viewOf(operation.account, operation.connector),
    now,
    async read(request) {
      if (ending.ended) throw new Error(`${operation.connector.id}: a call after its operation ended`)
      if (++calls > maxCalls) throw new Error(`${operation.connector.id}: more than ${maxCalls} calls in one operation`)
      return outbound.send(operation, request, 'read')
    },
    cached: (name, load) => facts.cached(operation.account.id, name, load),
  }
}
