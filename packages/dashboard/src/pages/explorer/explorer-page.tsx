import { useEffect } from 'react'
import { AccountPicker } from '../../components/account-picker.tsx'
import { LinkButton } from '../../components/button.tsx'
import { Content, Empty, Notice, Skeleton } from '../../components/feedback.tsx'
import { Select } from '../../components/field.tsx'
import { Page, Section, Tabs } from '../../components/page.tsx'
import { AccountState, TestTag } from '../../components/state.tsx'
import { readable } from '../../format.ts'
import { Blocks, Plus, SquareTerminal } from '../../lucide/icons.tsx'
import { entityTypes } from '../../types.ts'
import { useManage } from '../../use-data.ts'
import { useWorkspace } from '../../workspace.tsx'
import { Browse } from './browse.tsx'
import { Edit } from './edit.tsx'
import { NativeCall } from './native-call.tsx'
import type { Explorable } from './responses.ts'
import { isReading, useExplorerRoute } from './route.ts'
import './explorer.css'

const about = 'Compare each unified record with its native record, field by field.'

export default function ExplorerPage() {
  const { route } = useExplorerRoute()
  return route.accountId ? <Chosen key={route.accountId} /> : <FirstAccount />
}

/** Without an account in the URL, uses the one of the last successful request, or the first one. */
function FirstAccount() {
  const workspace = useWorkspace()
  const { go } = useExplorerRoute()
  const recent = useManage('listActivity', { query: { status: 'ok', limit: 20 } })
  const last = recent.data?.data.find(({ accountId }) => accountId)?.accountId
  const used = useManage(last ? 'getAccount' : undefined, { path: { accountId: last ?? '' } }) // it may have been deleted
  const accounts = useManage('listAccounts', { query: { limit: 1 } })
  const isKnown = [recent, ...(last ? [used] : [])].every(({ data, error }) => data || error)
  const first = isKnown ? (used.data?.id ?? accounts.data?.data[0]?.id) : undefined
  useEffect(() => {
    if (first !== undefined) go({ accountId: first }, 'replace')
  }, [first, go])
  return (
    <Page title="Explorer" about={about}>
      <Section>
        <Content of={accounts} shape={<Skeleton lines={8} />}>
          {({ data }) =>
            data.length > 0 ? (
              <Skeleton lines={8} />
            ) : (
              <Empty
                icon={Blocks}
                title="No accounts yet"
                action={
                  <LinkButton needs="operator" kind="primary" icon={Plus} href={workspace.page('accounts', 'connect')}>
                    Connect an account
                  </LinkButton>
                }
              >
                The explorer shows the unified and native records of a connected account, and lets you test a write
                before you code it.
              </Empty>
            )
          }
        </Content>
      </Section>
    </Page>
  )
}

function Chosen() {
  const { route, go } = useExplorerRoute()
  const account = useManage('exploreAccount', { path: { accountId: route.accountId } })
  const offered = entityTypes.filter((type) => account.data?.entities[type])
  const entityType = route.entityType ?? offered[0]
  useEffect(() => {
    if (!route.entityType && offered[0]) go({ entityType: offered[0] }, 'replace')
  }, [route.entityType, offered[0], go])
  const support = entityType && account.data?.entities[entityType]
  return (
    <Page
      title="Explorer"
      about={about}
      state={
        account.data && (account.data.state !== 'active' || account.data.test) ? (
          <span className="row">
            {account.data.state !== 'active' ? <AccountState state={account.data.state} /> : null}
            <TestTag of={account.data} />
          </span>
        ) : undefined
      }
      actions={account.data ? <Actions canWrite={support?.write === true} /> : undefined}
    >
      <Content of={account} shape={<Skeleton height={420} />}>
        {(data) => (
          <div className="stack">
            <Toolbar account={data} />
            {data.state !== 'active' ? (
              <Notice
                tone="attention"
                title={data.state === 'disabled' ? 'This account is disabled' : 'This account must be reconnected'}
              >
                {data.stateReason ?? 'Requests to the platform fail until then.'}
              </Notice>
            ) : null}
            {route.view === 'call' ? (
              <NativeCall key={route.path} account={data} />
            ) : entityType && support ? (
              isReading(route.view) ? (
                <Browse account={data} entityType={entityType} support={support} />
              ) : (
                <Edit key={`${entityType} ${route.view} ${route.record}`} account={data} entityType={entityType} />
              )
            ) : null}
          </div>
        )}
      </Content>
    </Page>
  )
}

function Actions({ canWrite }: { canWrite: boolean }) {
  const { route, address } = useExplorerRoute()
  return (
    <>
      {route.view === 'call' ? null : (
        <LinkButton needs="operator" icon={SquareTerminal} href={address({ view: 'call', path: '' })}>
          Native call
        </LinkButton>
      )}
      {canWrite && route.view !== 'new' ? (
        <LinkButton needs="operator" kind="primary" icon={Plus} href={address({ view: 'new', record: '' })}>
          New record
        </LinkButton>
      ) : null}
    </>
  )
}

function Toolbar({ account }: { account: Explorable }) {
  const { route, address, go } = useExplorerRoute()
  const isCall = route.view === 'call'
  const keys = account.mappingKeys.filter(
    ({ direction, entityType }) =>
      entityType === route.entityType && direction === (isReading(route.view) ? 'read' : 'write'),
  )
  const fresh = {
    cursor: '',
    page: 1,
    record: '',
    view: 'compare' as const,
    mappingKey: '',
    search: '',
    days: '',
    path: '',
  }
  return (
    <div className="explorer-toolbar">
      <div className="explorer-choices">
        <AccountPicker
          accountId={account.accountId}
          name={account.name}
          onChoose={(accountId) => go({ ...fresh, accountId, entityType: undefined })}
        />
        {keys.length > 0 && !isCall ? (
          <Select
            label="Mapping"
            value={route.mappingKey}
            onChange={(mappingKey) => go({ mappingKey, cursor: '', page: 1 })}
            choices={[
              { value: '', label: 'Default' },
              ...keys.map(({ key, name, version }) => ({ value: key, label: `${name} (version ${version})` })),
            ]}
          />
        ) : null}
      </div>
      <Tabs
        label="Entities"
        current={isCall ? '' : (route.entityType ?? '')}
        tabs={entityTypes
          .filter((type) => account.entities[type])
          .map((type) => ({ id: type, label: readable(type), href: address({ ...fresh, entityType: type }) }))}
      />
    </div>
  )
}
