import { type ReactNode, useEffect } from 'react'
import { useLocation } from 'wouter'
import { AccountPicker } from '../../components/account-picker.tsx'
import { LinkButton } from '../../components/button.tsx'
import { Content, Empty, Skeleton } from '../../components/feedback.tsx'
import { Moment } from '../../components/moment.tsx'
import { Page, Section, Tabs } from '../../components/page.tsx'
import { Tag, TestTag } from '../../components/state.tsx'
import { isPartial, Pager, Table, TableShape } from '../../components/table.tsx'
import { count, plural, readable } from '../../format.ts'
import { ArrowLeftRight, Blocks, Plus } from '../../lucide/icons.tsx'
import { useManage } from '../../use-data.ts'
import { useQuery } from '../../use-query.ts'
import { useWorkspace } from '../../workspace.tsx'
import { MappingDefaults } from './mapping-defaults.tsx'
import { MappingPage } from './mapping-page.tsx'
import { NewMapping } from './new-mapping.tsx'
import { type MappingPlace, useAppliesTo, useMappingPlace } from './place.ts'
import type { Mapping } from './rules.ts'
import './mappings.css'

const about =
  'Rules that override the built-in mapping. A mapping applies as a default, or to requests that send one of its keys.'

export default function MappingsPage() {
  const workspace = useWorkspace()
  const [path] = useLocation()
  const [accountId = '', ...rest] = path
    .slice(workspace.page('mappings').length + 1)
    .split('/')
    .map(decodeURIComponent)
  const shared = rest[0] === 'shared'
  const [mappingId = '', tab = ''] = shared ? rest.slice(1) : rest
  const place = useMappingPlace(accountId, shared)
  if (!accountId) return <FirstAccount />
  if (mappingId === 'new') return <NewMapping place={place} />
  if (mappingId && mappingId !== 'defaults')
    return <MappingPage key={`${accountId} ${shared} ${mappingId}`} place={place} mappingId={mappingId} tab={tab} />
  return (
    <AccountMappings key={`${accountId} ${shared} ${mappingId}`} place={place} tab={shared ? 'shared' : mappingId} />
  )
}

function FirstAccount() {
  const workspace = useWorkspace()
  const [, navigate] = useLocation()
  const accounts = useManage('listAccounts', { query: { limit: 1 } })
  const first = accounts.data?.data[0]?.id
  useEffect(() => {
    if (first !== undefined) navigate(workspace.page('mappings', first), { replace: true })
  }, [first, navigate, workspace])
  return (
    <Page title="Mappings" about={about}>
      <Section>
        <Content of={accounts} shape={<Skeleton lines={6} />}>
          {({ data }) =>
            data.length > 0 ? (
              <Skeleton lines={6} />
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
                Connect an account first. The built-in mapping covers its standard fields. Use mappings for custom data.
              </Empty>
            )
          }
        </Content>
      </Section>
    </Page>
  )
}

function AccountMappings({ place, tab }: { place: MappingPlace; tab: string }) {
  const workspace = useWorkspace()
  const [, navigate] = useLocation()
  const { accountId, shared } = place
  const account = useManage('exploreAccount', { path: { accountId } })
  const at = (id: string, name: string) => workspace.page('mappings', id, ...(name ? [name] : []))
  const create = (
    <LinkButton needs="operator" kind="primary" icon={Plus} href={place.page('new')}>
      {shared ? 'New shared mapping' : 'New mapping'}
    </LinkButton>
  )
  return (
    <Page
      title="Mappings"
      about={about}
      state={account.data?.test ? <TestTag of={account.data} /> : undefined}
      actions={create}
    >
      <div className="mappings-account">
        <AccountPicker accountId={accountId} name={account.data?.name ?? ''} onChoose={(id) => navigate(at(id, tab))} />
      </div>
      <Tabs
        label="Mappings of the account"
        current={tab}
        tabs={[
          { id: '', label: 'Mappings', href: at(accountId, '') },
          { id: 'shared', label: 'Shared', href: at(accountId, 'shared') },
          { id: 'defaults', label: 'Defaults', href: at(accountId, 'defaults') },
        ]}
      />
      {tab === 'defaults' ? (
        <MappingDefaults account={account} />
      ) : (
        <MappingList place={place} accountName={account.data?.name ?? 'this account'} create={create} />
      )}
    </Page>
  )
}

function MappingList({ place, accountName, create }: { place: MappingPlace; accountName: string; create: ReactNode }) {
  const query = useQuery()
  const appliesTo = useAppliesTo()
  const { accountId, shared } = place
  const mappings = useManage(place.operations.list, { path: { accountId }, query: { after: query.get('after') } })
  const keys = useManage('listMappingKeys', { path: { accountId } })
  return (
    <Content of={mappings} shape={<TableShape columns={5} rows={4} />}>
      {({ data, next }) =>
        data.length === 0 ? (
          <Section>
            <Empty icon={ArrowLeftRight} title={shared ? 'No shared mappings' : 'No custom mappings'} action={create}>
              {shared
                ? 'A shared mapping is for all accounts of a platform or of the workspace.'
                : `Create a mapping of ${accountName} for custom data, such as a SKU in a custom field, a constant vendor, or your own codes.`}
            </Empty>
          </Section>
        ) : (
          <div>
            <Table
              label={shared ? 'Shared mappings' : 'Mappings'}
              rows={data}
              partial={isPartial(query, next)}
              rowKey={({ id }) => id}
              href={({ id }) => place.page(id)}
              columns={[
                { name: 'Name', wide: true, sort: ({ name }) => name, cell: ({ name }) => name },
                ...(shared ? [{ name: 'Applies to', cell: (mapping: Mapping) => appliesTo(mapping) }] : []),
                {
                  name: 'Entity',
                  sort: ({ entityType }) => entityType,
                  cell: ({ entityType }) => <Tag>{readable(entityType)}</Tag>,
                },
                {
                  name: 'Direction',
                  sort: ({ direction }) => direction,
                  cell: ({ direction }) => <Tag>{readable(direction)}</Tag>,
                },
                {
                  name: 'Rules',
                  number: true,
                  sort: ({ rules }) => Object.keys(rules).length,
                  cell: ({ rules }) => count(Object.keys(rules).length),
                },
                {
                  name: 'Version',
                  number: true,
                  sort: ({ version }) => version,
                  cell: ({ version }) => count(version),
                },
                {
                  name: 'Keys',
                  number: true,
                  cell: ({ id }) =>
                    keys.data ? plural(keys.data.data.filter(({ mappingId }) => mappingId === id).length, 'key') : '',
                },
                {
                  name: 'Saved',
                  sort: ({ createdAt }) => createdAt,
                  cell: ({ createdAt }) => <Moment at={createdAt} />,
                },
              ]}
            />
            <Pager query={query} shown={data.length} next={next} of="mappings" />
          </div>
        )
      }
    </Content>
  )
}
