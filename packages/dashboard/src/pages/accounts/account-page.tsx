import { Ban, CircleCheck, Ellipsis, Plug, Search, Trash2, Zap } from 'lucide-react'
import { useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { manage } from '../../api.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Content, Failure, Notice, Skeleton } from '../../components/feedback.tsx'
import { Identifier } from '../../components/identifier.tsx'
import { Menu } from '../../components/menu.tsx'
import { Page, Tabs } from '../../components/page.tsx'
import { AccountState, Tag } from '../../components/state.tsx'
import { say } from '../../components/toast.tsx'
import { duration } from '../../format.ts'
import { usePlatforms } from '../../platforms.ts'
import type { Account } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { type Loaded, useData } from '../../use-data.ts'
import { useWorkspace } from '../../workspace.tsx'
import { AccountActivity } from './account-activity.tsx'
import { AccountSettings } from './account-settings.tsx'
import { AccountSummary } from './account-summary.tsx'
import { MappingKeys } from './mapping-keys.tsx'
import { Reconnect } from './reconnect.tsx'
import { References } from './references.tsx'
import './accounts.css'

const tabs = [
  { id: '', label: 'Summary', content: AccountSummary },
  { id: 'settings', label: 'Settings', content: AccountSettings },
  { id: 'mapping-keys', label: 'Mapping keys', content: MappingKeys },
  { id: 'references', label: 'References', content: References },
  { id: 'activity', label: 'Activity', content: AccountActivity },
] as const

export default function AccountPage() {
  const { accountId = '', tab = '' } = useParams()
  const { api, page } = useWorkspace()
  const platforms = usePlatforms()
  const account = useData<Account>(api('accounts', accountId))
  const { data } = account
  const shown = tabs.find(({ id }) => id === tab) ?? tabs[0]
  return (
    <Page
      title={data?.name ?? accountId}
      parent={{ label: 'Accounts', href: page('accounts') }}
      state={data ? <AccountState state={data.state} /> : undefined}
      about={
        <span className="row">
          <Identifier value={accountId} length={44} />
          {data ? <Tag>{platforms.data?.find(({ platform }) => platform === data.platform)?.name ?? data.platform}</Tag> : null}
        </span>
      }
      actions={data ? <Actions account={data} loaded={account} /> : undefined}
    >
      <Tabs
        label="Parts of the account"
        current={shown.id}
        tabs={tabs.map(({ id, label }) => ({ id, label, href: id ? page('accounts', accountId, id) : page('accounts', accountId) }))}
      />
      <Content of={account} shape={<Skeleton height={220} />}>
        {(found) => (
          <div className="stack">
            {found.state === 'reconnect_required' ? (
              <Notice tone="attention" title="The platform no longer accepts the authorisation of this account">
                <p>
                  {found.stateReason ? `It said: ${found.stateReason}. ` : ''}Calls are refused until it is connected again. References, mappings and writes under way are kept.
                </p>
              </Notice>
            ) : null}
            {found.state === 'disabled' ? (
              <Notice tone="info">Disabled: all calls are refused with account_disabled. Nothing is lost; enable it to let calls through again.</Notice>
            ) : null}
            <shown.content account={found} put={account.put} />
          </div>
        )}
      </Content>
    </Page>
  )
}

type Asked = 'reconnect' | 'disable' | 'delete'
interface TestResult {
  ok: boolean
  code?: string
  detail?: string
}
function Actions({ account, loaded }: { account: Account; loaded: Loaded<Account> }) {
  const { api, page } = useWorkspace()
  const [, navigate] = useLocation()
  const [asked, setAsked] = useState<Asked>()
  const [result, setResult] = useState<TestResult & { tookMs: number }>()
  const close = () => setAsked(undefined)
  const test = useAction(async () => {
    setResult(undefined)
    const start = performance.now()
    const answer = await manage.post<TestResult>(api('accounts', account.id, 'test'))
    setResult({ ...answer, tookMs: performance.now() - start })
    if (!answer.ok) await loaded.refresh()
  })
  const change = async (what: 'enable' | 'disable') => {
    loaded.put(await manage.post<Account>(api('accounts', account.id, what)))
    say(what === 'enable' ? `${account.name} is enabled` : `${account.name} is disabled`)
  }
  const enable = useAction(() => change('enable'))
  return (
    <>
      <LinkButton icon={Search} href={page('explorer', account.id)}>
        Explore
      </LinkButton>
      <Button icon={Zap} busy={test.busy} onClick={() => void test.run()}>
        {test.busy ? 'Testing' : 'Test'}
      </Button>
      <Button icon={Plug} kind={account.state === 'reconnect_required' ? 'primary' : 'plain'} onClick={() => setAsked('reconnect')}>
        Reconnect
      </Button>
      <Menu
        label="More actions"
        className="button button-plain"
        button={<Ellipsis size={16} aria-hidden />}
        entries={[
          account.state === 'disabled'
            ? { label: 'Enable account', icon: CircleCheck, run: () => void enable.run() }
            : { label: 'Disable account', icon: Ban, run: () => setAsked('disable') },
          { label: 'Delete account', icon: Trash2, danger: true, apart: true, run: () => setAsked('delete') },
        ]}
      />
      {result || test.error || enable.error ? (
        <div className="page-result" role="status">
          {result?.ok ? <Notice tone="ok" title="The connection works">{`One call to the platform and back, ${duration(result.tookMs)}.`}</Notice> : null}
          {result && !result.ok ? (
            <Notice tone="broken" title={`The connection does not work: ${result.code}`}>
              {result.detail}
            </Notice>
          ) : null}
          {test.error ? <Failure error={test.error} /> : null}
          {enable.error ? <Failure error={enable.error} /> : null}
        </div>
      ) : null}
      {asked === 'reconnect' ? <Reconnect account={account} onClose={close} onDone={loaded.put} /> : null}
      {asked === 'disable' ? (
        <Confirm
          title={`Disable ${account.name}?`}
          consequence={
            <p>All calls to this account are refused with account_disabled until it is enabled again. Writes that are under way are brought to their end; nothing is deleted.</p>
          }
          submit="Disable account"
          onClose={close}
          onConfirm={() => change('disable')}
        />
      ) : null}
      {asked === 'delete' ? (
        <Confirm
          title={`Delete ${account.name}?`}
          consequence={
            <>
              <p>Its credentials, references, mappings and the journal of its writes are deleted for good.</p>
              <p>
                <strong>Without the journal, a record that is sent again would be written twice.</strong> The records at the platform stay as they are.
              </p>
            </>
          }
          typed={account.id}
          submit="Delete account"
          onClose={close}
          onConfirm={async () => {
            await manage.delete(api('accounts', account.id))
            say(`${account.name} is deleted`)
            navigate(page('accounts'))
          }}
        />
      ) : null}
    </>
  )
}
