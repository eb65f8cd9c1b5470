import type { ApiError } from '../../api.ts'
import { Failure, Notice } from '../../components/feedback.tsx'
import type { Account } from '../../types.ts'

/** What the last action of the header found wrong: with the connection, or with the action itself. */
export type Trouble = { kind: 'connection'; code: string; detail: string } | { kind: 'action'; error: ApiError }

/** One message at most, the most urgent: two could contradict each other. */
export function AccountMessage({ account, trouble }: { account: Account; trouble: Trouble | undefined }) {
  if (trouble?.kind === 'action') return <Failure error={trouble.error} kept="The account is as it was." />
  if (account.state === 'reconnect_required')
    return (
      <Notice tone="attention" alert title="The platform no longer accepts the authorization of this account">
        {account.stateReason ? <p>The platform&rsquo;s reason: {account.stateReason}</p> : null}
        <p>Calls are refused until the account is connected again. References, mappings and writes in progress stay.</p>
      </Notice>
    )
  if (trouble)
    return (
      <Notice tone="broken" title="The connection does not work">
        <p>{trouble.detail}</p>
        <p>
          Calls to this account fail with <code>{trouble.code}</code>.
        </p>
      </Notice>
    )
  if (account.state === 'disabled')
    return (
      <Notice tone="info" title="This account is disabled">
        All calls are refused with account_disabled. Nothing is lost; enable it to let calls through again.
      </Notice>
    )
  return null
}
