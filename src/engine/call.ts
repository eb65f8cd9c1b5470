// The call object is a connector's only way to act. It becomes invalid when the operation ends.
import type { ReadCall } from '../contract/connector.ts'
import { viewOf } from './account-view.ts'
import type { Facts } from './facts.ts'
import type { Operation } from './outbound/channel.ts'
import type { Outbound } from './outbound/retry.ts'

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
