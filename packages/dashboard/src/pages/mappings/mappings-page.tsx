import { ArrowLeftRight, Blocks, Plus } from 'lucide-react'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { withQuery } from '../../api.ts'
import { AccountPicker } from '../../components/account-picker.tsx'
import { LinkButton } from '../../components/button.tsx'
import { Content, Empty, Skeleton } from '../../components/feedback.tsx'
import { Moment } from '../../components/moment.tsx'
import { Page, Section } from '../../components/page.tsx'
import { Tag } from '../../components/state.tsx'
import { Pager, Table, TableShape } from '../../components/table.tsx'
import { count, plural, readable } from '../../format.ts'
import type { Account, MappingKey, Page as PageOf } from '../../types.ts'
import { useData } from '../../use-data.ts'
import { useQuery } from '../../use-query.ts'
import { useWorkspace } from '../../workspace.tsx'
import type { Explorable } from '../explorer/responses.ts'
import { MappingPage } from './mapping-page.tsx'
import { NewMapping } from './new-mapping.tsx'
import type { Mapping } from './rules.ts'
import './mappings.css'

const about = 'Rules that override the built-in mapping for one account. Requests select a mapping with a mapping key.'

export default function MappingsPage() {
  const workspace = useWorkspace()
  const [path] = useLocation()
  const [accountId = '', mappingId = '', tab = ''] = path
    .slice(workspace.page('mappings').length + 1)
    .split('/')
    .map(decodeURIComponent)
  if (!accountId) return <FirstAccount />
  if (mappingId === 'new') return <NewMapping accountId={accountId} />
  return mappingId ? (
    <MappingPage key={mappingId} accountId={accountId} mappingId={mappingId} tab={tab} />
  ) : (
    <MappingList accountId={accountId} />
  )
}

function FirstAccount() {
  const workspace = useWorkspace()
  const [, navigate] = useLocation()
  const accounts = useData<PageOf<Account>>(withQuery(workspace.api('accounts'), { limit: 1 }))
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
                  <LinkButton kind="primary" icon={Plus} href={workspace.page('accounts', 'connect')}>
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

function MappingList({ accountId }: { accountId: string }) {
  const workspace = useWorkspace()
  const [, navigate] = useLocation()
  const query = useQuery()
  const account = useData<Explorable>(workspace.api('accounts', accountId, 'explorer'))
  const mappings = useData<PageOf<Mapping>>(
    withQuery(workspace.api('accounts', accountId, 'mappings'), { after: query.get('after') }),
  )
  const keys = useData<{ data: MappingKey[] }>(workspace.api('accounts', accountId, 'mapping-keys'))
  const create = (
    <LinkButton kind="primary" icon={Plus} href={workspace.page('mappings', accountId, 'new')}>
      New mapping
    </LinkButton>
  )
  return (
    <Page title="Mappings" about={about} actions={create}>
      <div className="mappings-account">
        <AccountPicker
          accountId={accountId}
          name={account.data?.name ?? ''}
          onChoose={(id) => navigate(workspace.page('mappings', id))}
        />
      </div>
      <Content of={mappings} shape={<TableShape columns={5} rows={4} />}>
        {({ data, next }) =>
          data.length === 0 ? (
            <Section>
              <Empty icon={ArrowLeftRight} title="No custom mappings" action={create}>
                {account.data?.name ?? 'This account'} uses the built-in mapping. Create a mapping for custom data, such
                as a SKU in a custom field, a constant vendor, or your own codes.
              </Empty>
            </Section>
          ) : (
            <div>
              <Table
                label="Mappings"
                rows={data}
                rowKey={({ id }) => id}
                href={({ id }) => workspace.page('mappings', accountId, id)}
                columns={[
                  { name: 'Name', wide: true, cell: ({ name }) => name },
                  { name: 'Entity', cell: ({ entityType }) => <Tag>{readable(entityType)}</Tag> },
                  { name: 'Direction', cell: ({ direction }) => <Tag>{readable(direction)}</Tag> },
                  { name: 'Rules', number: true, cell: ({ rules }) => count(Object.keys(rules).length) },
                  { name: 'Version', number: true, cell: ({ version }) => count(version) },
                  {
                    name: 'Keys',
                    number: true,
                    cell: ({ id }) =>
                      keys.data ? plural(keys.data.data.filter(({ mappingId }) => mappingId === id).length, 'key') : '',
                  },
                  { name: 'Saved', cell: ({ createdAt }) => <Moment at={createdAt} /> },
                ]}
              />
              <Pager query={query} shown={data.length} next={next} of="mappings" />
            </div>
          )
        }
      </Content>
    </Page>
  )
}
