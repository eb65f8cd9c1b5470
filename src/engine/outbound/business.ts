// The business behind an account. Platforms count calls per business, so all accounts of a business share its windows,
// in every workspace.
import { createHash } from 'node:crypto'
import type { Connector } from '../../contract/connector.ts'
import type { Account } from '../../store/store.ts'
import { viewOf } from '../account-view.ts'
import { fill } from './template.ts'

const names = new WeakMap<Account, { name: string | undefined }>() // accounts are never changed in place

/**
 * The name of the business for pacing and comparisons: a hash, because the platform's id can be part of the sealed
 * credentials. Undefined while the account does not have all the values that identify the business.
 */
export function businessOf(connector: Connector, account: Account): string | undefined {
  let business = names.get(account)
  if (!business) {
    business = { name: nameOf(connector, account) }
    names.set(account, business)
  }
  return business.name
}
function nameOf(connector: Connector, account: Account): string | undefined {
  const id = connector.business && fill(connector.business, viewOf(account, connector).settings)
  if (!id) return undefined
  // A person may enter an id in another case than the platform. Account ids contain no space: the two kinds of owners never collide.
  return `business ${createHash('sha256')
    .update(JSON.stringify([connector.id, id.toLowerCase()]))
    .digest('base64url')
    .slice(0, 22)}`
}
