import { LinkButton } from '../../components/button.tsx'
import { Content, Empty } from '../../components/feedback.tsx'
import { Moment } from '../../components/moment.tsx'
import { Page } from '../../components/page.tsx'
import { type Column, Pager, Table, TableShape } from '../../components/table.tsx'
import { Import, Plus } from '../../lucide/icons.tsx'
import { usePlatforms } from '../../platforms.ts'
import type { ListedMigration } from '../../types.ts'
import { useManage } from '../../use-data.ts'
import { useQuery } from '../../use-query.ts'
import { useWorkspace } from '../../workspace.tsx'
import { MigrationState, movable, titleOf } from './words.tsx'

export default function MigrationsPage() {
  const { page } = useWorkspace()
  const query = useQuery()
  const list = useManage(
    'listMigrations',
    { query: { after: query.get('after') } },
    {
      every: 5_000,
    },
  )
  const platforms = usePlatforms()
  const nameOf = (id: string) => platforms.data?.find(({ platform }) => platform === id)?.name ?? id
  const create = (
    <LinkButton kind="primary" icon={Plus} needs="operator" href={page('migrations', 'new')}>
      New migration
    </LinkButton>
  )
  const account = ({ name, platform }: ListedMigration['from']) => (
    <span title={`${name}, ${nameOf(platform)}`}>
      {name} <span className="faint">{nameOf(platform)}</span>
    </span>
  )
  const columns: Column<ListedMigration>[] = [
    { name: 'From', cut: true, cell: ({ from }) => account(from) },
    { name: 'To', cut: true, cell: ({ to }) => account(to) },
    { name: 'Records', cell: ({ options }) => chosenOf(options.entities) },
    { name: 'State', cell: (migration) => <MigrationState of={migration} /> },
    { name: 'Started by', cell: ({ createdBy }) => createdBy },
    { name: 'Created', number: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
  ]
  return (
    <Page
      title="Migrations"
      about="Copy the records of one account to another: first a plan, then the writes, then a report that compares both sides."
      actions={create}
    >
      <Content of={list} shape={<TableShape columns={6} rows={4} />}>
        {({ data, next }) =>
          data.length > 0 ? (
            <>
              <Table
                label="Migrations, newest first"
                columns={columns}
                rows={data}
                rowKey={({ id }) => id}
                href={({ id }) => page('migrations', id)}
              />
              <Pager query={query} shown={data.length} next={next} of="migrations" />
            </>
          ) : (
            <Empty icon={Import} title="Move a business to another system" action={create}>
              A migration copies categories, products, customers, employees and orders. The plan writes nothing. What
              was written is never written twice, so a migration can be stopped and continued at any time.
            </Empty>
          )
        }
      </Content>
    </Page>
  )
}

const chosenOf = (entities: readonly string[] | undefined): string =>
  entities === undefined || entities.length === movable.length ? 'All' : entities.map(titleOf).join(', ')
