import { withQuery } from '../../api.ts'
import { LinkButton } from '../../components/button.tsx'
import { Content, Empty } from '../../components/feedback.tsx'
import { Select } from '../../components/field.tsx'
import { Part } from '../../components/page.tsx'
import { Pager, TableShape } from '../../components/table.tsx'
import { Activity as ActivityIcon } from '../../lucide/icons.tsx'
import type { Account } from '../../types.ts'
import { useManage } from '../../use-data.ts'
import { useQuery } from '../../use-query.ts'
import { useWorkspace } from '../../workspace.tsx'
import { ActivityTable } from '../activity/activity-table.tsx'
import { useCallers } from '../activity/use-callers.ts'
import type { TabProps } from './tab-props.ts'

export function AccountActivity({ account }: TabProps) {
  const { page } = useWorkspace()
  const query = useQuery()
  const callers = useCallers()
  const list = useManage('listActivity', {
    query: { accountId: account.id, status: query.get('status'), after: query.get('after') },
  })
  return (
    <div className="stack">
      <div className="spread">
        <Select
          bare
          label="Response"
          value={query.get('status')}
          choices={[
            { value: '', label: 'Any response' },
            { value: 'ok', label: 'OK' },
            { value: 'error', label: 'Any error' },
          ]}
          onChange={(value) => query.set({ status: value })}
        />
        <LinkButton href={withQuery(page('activity'), { accountId: account.id })}>More filters</LinkButton>
      </div>
      <Content of={list} shape={<TableShape columns={5} />}>
        {({ data, next }) =>
          data.length > 0 ? (
            <>
              <ActivityTable rows={data} callers={callers} of="account" />
              <Pager query={query} shown={data.length} next={next} of="requests" />
            </>
          ) : (
            <Empty icon={ActivityIcon} title="No requests">
              {query.filtered
                ? 'No requests of this account match the filter.'
                : 'Requests to this account appear here, each with its trace.'}
            </Empty>
          )
        }
      </Content>
    </div>
  )
}

export function RecentActivity({ account }: { account: Account }) {
  const { page } = useWorkspace()
  const callers = useCallers()
  const { data } = useManage('listActivity', { query: { accountId: account.id, limit: 5 } })
  if (!data || data.data.length === 0) return null
  return (
    <Part
      title="Recent requests"
      actions={
        <LinkButton small href={page('accounts', account.id, 'activity')}>
          View all
        </LinkButton>
      }
    >
      <ActivityTable rows={data.data} callers={callers} of="account" />
    </Part>
  )
}
