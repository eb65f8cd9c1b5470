// A customer ends the connection of their account. The account stays, without credentials, so that its references and
// mappings apply again if the customer connects it later.
import type { Connector } from '../contract/connector.ts'
import { keptNames } from '../engine/account-view.ts'
import type { Account, ConnectLink } from '../store/store.ts'
import type { ConnectParts } from './connect.ts'
import type { Visitor } from './flow.ts'

/** Why the account must be reconnected, for the operator. */
export const endedByCustomer = 'the customer ended the connection'

export async function endConnection(
  { store, engine, connectors }: ConnectParts,
  link: ConnectLink,
  account: Account,
  { address, requestId }: Visitor,
): Promise<void> {
  // What names the business is no secret, and keeps another business out of the account later.
  const names = keptNames(connectors[account.platform] as Connector)
  const credentials = Object.fromEntries(Object.entries(account.credentials).filter(([name]) => names.includes(name)))
  await store.transaction(async (inner) => {
    const change = { credentials, state: 'reconnect_required', stateReason: endedByCustomer } as const
    if (!(await inner.accounts.update(account.id, change))) return
    await inner.changes.wake(account.id)
    await inner.audit.append({
      scope: link.workspaceId,
      actor: `connect link ${link.id}`,
      address,
      action: 'endConnection',
      object: { id: account.id },
      outcome: 'ok',
      requestId,
    })
  })
  engine.forgetFacts(account.id)
}
