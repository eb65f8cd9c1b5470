import { useState } from 'react'
import { useParams } from 'wouter'
import { Content, Skeleton } from '../../components/feedback.tsx'
import { Identifier } from '../../components/identifier.tsx'
import { Page, Tabs } from '../../components/page.tsx'
import { AccountState, Tag, TestTag } from '../../components/state.tsx'
import { usePlatforms } from '../../platforms.ts'
import { useManage } from '../../use-data.ts'
import { useWorkspace } from '../../workspace.tsx'
import { AccountChanges } from '../changes/account-changes.tsx'
import { AccountActions } from './account-actions.tsx'
import { AccountActivity } from './account-activity.tsx'
import { AccountMessage, type Trouble } from './account-message.tsx'
import { AccountSettings } from './account-settings.tsx'
import { AccountSummary } from './account-summary.tsx'
import { MappingKeys } from './mapping-keys.tsx'
import { References } from './references.tsx'
import './accounts.css'

const tabs = [
  { id: '', label: 'Summary', content: AccountSummary },
  { id: 'settings', label: 'Settings', content: AccountSettings },
  { id: 'mapping-keys', label: 'Mapping keys', content: MappingKeys },
  { id: 'references', label: 'References', content: References },
  { id: 'changes', label: 'Changes', content: AccountChanges },
  { id: 'activity', label: 'Activity', content: AccountActivity },
] as const

export default function AccountPage() {
  const { accountId = '', tab = '' } = useParams()
  const { page } = useWorkspace()
  const platforms = usePlatforms()
  const account = useManage('getAccount', { path: { accountId } })
  const [trouble, setTrouble] = useState<Trouble>()
  const { data } = account
  const shown = tabs.find(({ id }) => id === tab) ?? tabs[0]
  return (
    <Page
      title={data?.name ?? accountId}
      parent={{ label: 'Accounts', href: page('accounts') }}
      state={data ? <AccountState state={data.state} failing={trouble?.kind === 'connection'} /> : ''}
      about={
        <span className="row">
          <Identifier value={accountId} length={44} />
          {data ? (
            <>
              <Tag>{platforms.data?.find(({ platform }) => platform === data.platform)?.name ?? data.platform}</Tag>
              <TestTag of={data} />
            </>
          ) : null}
        </span>
      }
      actions={data ? <AccountActions account={data} loaded={account} onOutcome={setTrouble} /> : undefined}
    >
      <Tabs
        label="Account sections"
        current={shown.id}
        tabs={tabs.map(({ id, label }) => ({
          id,
          label,
          href: id ? page('accounts', accountId, id) : page('accounts', accountId),
        }))}
      />
      <Content of={account} shape={<Skeleton height={220} />}>
        {(found) => (
          <div className="stack">
            <AccountMessage account={found} trouble={trouble} />
            <shown.content account={found} put={account.put} />
          </div>
        )}
      </Content>
    </Page>
  )
}
