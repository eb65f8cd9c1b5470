// Whether an account may be called, and whether its authorization covers an operation.
import { Problem } from '../contract/errors.ts'
import { viewOf } from './account-view.ts'
import { reconnectDetail } from './reconnect.ts'
import { allowed } from './support.ts'
import type { Target } from './target.ts'

export function checkState({ account, connector }: Pick<Target, 'account' | 'connector'>): void {
  if (account.state === 'disabled')
    throw new Problem('account_disabled', 'The account is disabled. Enable it in the dashboard or the management API.')
  if (account.state === 'reconnect_required')
    throw new Problem('reconnect_required', reconnectDetail(connector, account.stateReason), {
      downstream: { platform: connector.id },
    })
}
export function checkUsable(target: Target, operation: 'read' | 'write'): void {
  checkState(target)
  const { account, adapter, connector } = target
  if (!allowed(adapter, viewOf(account, connector), operation))
    throw new Problem(
      'forbidden',
      `The account's authorization at ${connector.name} does not cover this: it lacks ${(adapter.scopes?.[operation] ?? []).join(', ')}. Connect the account again with that scope.`,
      {
        downstream: { platform: connector.id },
      },
    )
}
