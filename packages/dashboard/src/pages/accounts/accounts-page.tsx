import { Button, LinkButton } from '../../components/button.tsx'
import { Content, Empty } from '../../components/feedback.tsx'
import { SearchField, Select } from '../../components/field.tsx'
import { Moment } from '../../components/moment.tsx'
import { Page } from '../../components/page.tsx'
import { AccountState, TestTag } from '../../components/state.tsx'
import { type Column, Pager, Table, TableShape } from '../../components/table.tsx'
import { middle, readable } from '../../format.ts'
import { Blocks, Link2, Plug } from '../../lucide/icons.tsx'
import { usePlatforms } from '../../platforms.ts'
import type { Account } from '../../types.ts'
import { useManage } from '../../use-data.ts'
import { useQuery, useTyped } from '../../use-query.ts'
import { useWorkspace } from '../../workspace.tsx'
import './accounts.css'

export default function AccountsPage() {
  const { page } = useWorkspace()
  const query = useQuery()
  const [search, setSearch] = useTyped(query, 'search')
  const platforms = usePlatforms()
  const nameOf = (id: string) => platforms.data?.find(({ platform }) => platform === id)?.name ?? id
  const list = useManage('listAccounts', {
    query: {
      search: query.get('search'),
      platform: query.get('platform'),
      state: query.get('state'),
      after: query.get('after'),
      limit: 50,
    },
  })
  const columns: Column<Account>[] = [
    {
      name: 'Account',
      wide: true,
      cell: ({ name, id }) => (
        <span className="account-name">
          {name}
          <span className="mono faint">{middle(id, 40)}</span>
        </span>
      ),
    },
    {
      name: 'Platform',
      cell: (account) => (
        <span className="row account-cell">
          {nameOf(account.platform)}
          <TestTag of={account} />
        </span>
      ),
    },
    { name: 'Vertical', cell: ({ vertical }) => <span className="soft account-cell">{readable(vertical)}</span> },
    {
      name: 'State',
      cell: ({ state, stateReason }) => (
        <span className="account-state" title={stateReason}>
          <AccountState state={state} />
        </span>
      ),
    },
    { name: 'Updated', number: true, cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
  ]
  const connect = (
    <>
      <LinkButton needs="operator" icon={Link2} href={`${page('accounts', 'connect')}?by=link`}>
        Connect link
      </LinkButton>
      <LinkButton needs="operator" kind="primary" icon={Plug} href={page('accounts', 'connect')}>
        Connect account
      </LinkButton>
    </>
  )
  return (
    <Page
      title="Accounts"
      about="An account is one business on one platform, with its own credentials, references, and mappings."
      actions={connect}
    >
      <div className="filters">
        <SearchField label="Search accounts" placeholder="Name or ID" value={search} onChange={setSearch} />
        <Select
          bare
          label="Platform"
          value={query.get('platform')}
          choices={[
            { value: '', label: 'Any platform' },
            ...(platforms.data ?? []).map(({ platform, name }) => ({ value: platform, label: name })),
          ]}
          onChange={(value) => query.set({ platform: value })}
        />
        <Select
          bare
          label="State"
          value={query.get('state')}
          choices={[
            { value: '', label: 'Any state' },
            { value: 'active', label: 'Active' },
            { value: 'reconnect_required', label: 'Reconnect required' },
            { value: 'disabled', label: 'Disabled' },
          ]}
          onChange={(value) => query.set({ state: value })}
        />
      </div>
      <Content of={list} shape={<TableShape columns={5} rows={12} />}>
        {({ data, next }) =>
          data.length > 0 ? (
            <>
              <Table
                label="Accounts"
                columns={columns}
                rows={data}
                rowKey={({ id }) => id}
                href={({ id }) => page('accounts', id)}
              />
              <Pager query={query} shown={data.length} next={next} of="accounts" />
            </>
          ) : query.filtered ? (
            <Empty
              icon={Blocks}
              title="No accounts match this filter"
              action={<Button onClick={query.clear}>Clear filter</Button>}
            >
              Search matches the start of an ID or any part of a name.
            </Empty>
          ) : (
            <Empty icon={Blocks} title="No accounts yet" action={connect}>
              Connect a store, a restaurant, or a company’s books on one of {platforms.data?.length ?? 'the'} platforms.
              Enter its credentials here, or send a connect link to its owner. The owner authorizes the connection, and
              you never see a password.
            </Empty>
          )
        }
      </Content>
    </Page>
  )
}
