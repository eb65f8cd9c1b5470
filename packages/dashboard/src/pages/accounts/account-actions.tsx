import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { Button, LinkButton } from '../../components/button.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Menu } from '../../components/menu.tsx'
import { say } from '../../components/toast.tsx'
import { duration } from '../../format.ts'
import { Ban, CircleCheck, Ellipsis, Plug, Search, Trash2, Zap } from '../../lucide/icons.tsx'
import type { Account } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import type { Loaded } from '../../use-data.ts'
import { useWorkspace } from '../../workspace.tsx'
import type { Trouble } from './account-message.tsx'
import { Reconnect } from './reconnect.tsx'

interface AccountActionsProps {
  account: Account
  loaded: Loaded<Account>
  /** Called with the failure of an action, or with undefined after a success. */
  onOutcome(trouble: Trouble | undefined): void
}

export function AccountActions({ account, loaded, onOutcome }: AccountActionsProps) {
  const { call, page } = useWorkspace()
  const [, navigate] = useLocation()
  const [asked, setAsked] = useState<'reconnect' | 'disable' | 'delete'>()
  const close = () => setAsked(undefined)
  const succeeded = (changed: Account, text: string) => {
    loaded.put(changed)
    onOutcome(undefined)
    say(text)
  }
  const test = useAction(async () => {
    const start = performance.now()
    const { ok, code = '', detail = '' } = await call('testAccount', { path: { accountId: account.id } })
    const tookMs = performance.now() - start
    await loaded.refresh() // the call may have changed the state of the account
    onOutcome(ok ? undefined : { kind: 'connection', code, detail })
    if (ok) say(`Connection OK: the platform responded in ${duration(tookMs)}`)
  })
  const enable = useAction(async () =>
    succeeded(await call('enableAccount', { path: { accountId: account.id } }), `${account.name} enabled`),
  )
  useEffect(() => {
    if (test.error) onOutcome({ kind: 'action', error: test.error })
  }, [test.error, onOutcome])
  useEffect(() => {
    if (enable.error) onOutcome({ kind: 'action', error: enable.error })
  }, [enable.error, onOutcome])
  return (
    <>
      <LinkButton icon={Search} href={page('explorer', account.id)}>
        Explore
      </LinkButton>
      <Button needs="operator" icon={Zap} busy={test.busy} onClick={() => void test.run()}>
        Test
      </Button>
      <Button
        needs="operator"
        icon={Plug}
        kind={account.state === 'reconnect_required' ? 'primary' : 'plain'}
        onClick={() => setAsked('reconnect')}
      >
        Reconnect
      </Button>
      <Menu
        label="More actions"
        className="button button-plain"
        button={<Ellipsis size={16} aria-hidden />}
        entries={[
          account.state === 'disabled'
            ? { label: 'Enable account', needs: 'operator' as const, icon: CircleCheck, run: () => void enable.run() }
            : { label: 'Disable account', needs: 'operator' as const, icon: Ban, run: () => setAsked('disable') },
          {
            label: 'Delete account',
            needs: 'operator' as const,
            icon: Trash2,
            danger: true,
            apart: true,
            run: () => setAsked('delete'),
          },
        ]}
      />
      {asked === 'reconnect' ? (
        <Reconnect
          account={account}
          onClose={close}
          onDone={(changed) => succeeded(changed, `${account.name} reconnected`)}
        />
      ) : null}
      {asked === 'disable' ? (
        <Confirm
          title={`Disable ${account.name}?`}
          consequence={
            <p>
              Requests to this account fail with account_disabled until you enable it again. Writes in progress finish,
              and nothing is deleted.
            </p>
          }
          submit="Disable account"
          onClose={close}
          onConfirm={async () =>
            succeeded(await call('disableAccount', { path: { accountId: account.id } }), `${account.name} disabled`)
          }
        />
      ) : null}
      {asked === 'delete' ? (
        <Confirm
          title={`Delete ${account.name}?`}
          consequence={
            <>
              <p>This permanently deletes its credentials, references, mappings, and write journal.</p>
              <p>
                <strong>Without the journal, a record that you send again is written twice.</strong> Records on the
                platform are not affected.
              </p>
            </>
          }
          typed={account.id}
          submit="Delete account"
          onClose={close}
          onConfirm={async () => {
            await call('deleteAccount', { path: { accountId: account.id } })
            say(`${account.name} deleted`)
            navigate(page('accounts'))
          }}
        />
      ) : null}
    </>
  )
}
