import type { ApiError } from '../../api.ts'
import { Failure, Notice } from '../../components/feedback.tsx'
import { exactTime } from '../../format.ts'
import type { Account } from '../../types.ts'

/** The failure of the last action: of the connection, or of the action itself. */
export type Trouble = { kind: 'connection'; code: string; detail: string } | { kind: 'action'; error: ApiError }

/** Shows only the most urgent message, because two could contradict each other. */
export function AccountMessage({ account, trouble }: { account: Account; trouble: Trouble | undefined }) {
  if (trouble?.kind === 'action') return <Failure error={trouble.error} kept="The account was not changed." />
  if (account.state === 'reconnect_required')
    return (
      <Notice tone="attention" alert title="The platform no longer accepts this account’s authorization">
        {account.stateReason ? <p>Reason from the platform: {account.stateReason}</p> : null}
        <p>Requests fail until you reconnect the account. References, mappings, and writes in progress are kept.</p>
      </Notice>
    )
  if (account.renewal && !trouble)
    return (
      <Notice tone="attention" title="The platform does not renew this account’s token">
        <p>
          Since {exactTime(account.renewal.failingSince).local}. The same token is sent again at{' '}
          {exactTime(account.renewal.retryAt).local}. The account recovers by itself; you do not need to connect it
          again.
        </p>
      </Notice>
    )
  if (trouble)
    return (
      <Notice tone="broken" title="Connection failed">
        <p>{trouble.detail}</p>
        <p>
          Requests to this account fail with <code>{trouble.code}</code>.
        </p>
      </Notice>
    )
  if (account.state === 'disabled')
    return (
      <Notice tone="info" title="This account is disabled">
        Requests fail with account_disabled. Nothing is lost. Enable the account to allow requests again.
      </Notice>
    )
  return null
}
