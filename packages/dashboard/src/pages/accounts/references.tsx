import { useState } from 'react'
import { Button, IconButton } from '../../components/button.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Content, Empty } from '../../components/feedback.tsx'
import { SearchField, Select } from '../../components/field.tsx'
import { Identifier } from '../../components/identifier.tsx'
import { Moment } from '../../components/moment.tsx'
import { Tag } from '../../components/state.tsx'
import { type Column, Pager, Table, TableShape } from '../../components/table.tsx'
import { say } from '../../components/toast.tsx'
import { readable } from '../../format.ts'
import { FileUp, Link2, Trash2, Waypoints } from '../../lucide/icons.tsx'
import { entityTypes, type Reference } from '../../types.ts'
import { useManage } from '../../use-data.ts'
import { useQuery, useTyped } from '../../use-query.ts'
import { useWorkspace } from '../../workspace.tsx'
import { LinkReference } from './link-reference.tsx'
import { ImportReferences, Imports } from './reference-imports.tsx'
import type { TabProps } from './tab-props.ts'

export function References({ account }: TabProps) {
  const { call } = useWorkspace()
  const query = useQuery()
  const [search, setSearch] = useTyped(query, 'search')
  const [open, setOpen] = useState<'link' | 'import'>()
  const [deleting, setDeleting] = useState<Reference>()
  const list = useManage('listReferences', {
    path: { accountId: account.id },
    query: { search: query.get('search'), entityType: query.get('entityType'), after: query.get('after') },
  })
  const columns: Column<Reference>[] = [
    { name: 'Your ID', cut: true, cell: ({ sourceId }) => <Identifier value={sourceId} length={32} /> },
    { name: 'Platform ID', cut: true, cell: ({ nativeId }) => <Identifier value={nativeId} length={36} /> },
    { name: 'Entity', cell: ({ entityType }) => readable(entityType) },
    { name: 'Origin', cell: ({ origin }) => <Tag>{origin === 'written' ? 'Write' : 'Manual'}</Tag> },
    { name: 'Created', number: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
    {
      name: 'Delete',
      silent: true,
      cell: (reference) => (
        <IconButton
          needs="operator"
          icon={Trash2}
          label={`Delete reference ${reference.sourceId}`}
          onClick={() => setDeleting(reference)}
        />
      ),
    },
  ]
  const actions = (
    <>
      <Button needs="operator" icon={FileUp} onClick={() => setOpen('import')}>
        Import CSV
      </Button>
      <Button needs="operator" icon={Link2} onClick={() => setOpen('link')}>
        Link an ID
      </Button>
    </>
  )
  return (
    <div className="stack">
      <div className="spread">
        <p className="soft">
          Maps your IDs to platform IDs. Writes that refer to one of your IDs use it to find the record on the platform.
        </p>
        <div className="row">{actions}</div>
      </div>
      <Imports accountId={account.id} onDone={() => void list.refresh()} />
      <div className="filters">
        <SearchField
          label="Search references"
          placeholder="Your ID or platform ID"
          value={search}
          onChange={setSearch}
        />
        <Select
          bare
          label="Entity"
          value={query.get('entityType')}
          choices={[
            { value: '', label: 'Any entity type' },
            ...entityTypes.map((value) => ({ value, label: readable(value) })),
          ]}
          onChange={(value) => query.set({ entityType: value })}
        />
      </div>
      <Content of={list} shape={<TableShape columns={5} rows={6} />}>
        {({ data, next }) =>
          data.length > 0 ? (
            <>
              <Table
                label="References"
                columns={columns}
                rows={data}
                rowKey={({ entityType, sourceId }) => `${entityType} ${sourceId}`}
              />
              <Pager query={query} shown={data.length} next={next} of="references" />
            </>
          ) : query.filtered ? (
            <Empty
              icon={Waypoints}
              title="No references match"
              action={<Button onClick={query.clear}>Clear filter</Button>}
            >
              Search matches the start of an ID and is case-sensitive.
            </Empty>
          ) : (
            <Empty icon={Waypoints} title="No references yet" action={actions}>
              Records that you write are added automatically. For records that already exist on the platform, link your
              IDs one at a time or import a CSV file.
            </Empty>
          )
        }
      </Content>
      {open === 'link' ? (
        <LinkReference account={account} onClose={() => setOpen(undefined)} onLinked={() => void list.refresh()} />
      ) : null}
      {open === 'import' ? <ImportReferences accountId={account.id} onClose={() => setOpen(undefined)} /> : null}
      {deleting ? (
        <Confirm
          title={`Delete reference ${deleting.sourceId}?`}
          consequence={
            <>
              <p>
                {deleting.sourceId} will no longer map to {deleting.nativeId}. Records on the platform are not affected.
                Writes that refer to your ID will send it unchanged, or fail with references=source. You can link it
                again.
              </p>
              {deleting.origin === 'written' ? (
                <p>
                  The ID stays used: a POST with it does not write a second record. The same POST returns the stored
                  response and restores the reference.
                </p>
              ) : null}
            </>
          }
          submit="Delete reference"
          onClose={() => setDeleting(undefined)}
          onConfirm={async () => {
            await call('deleteReference', {
              path: { accountId: account.id, entityType: deleting.entityType, sourceId: deleting.sourceId },
            })
            await list.refresh()
            say('Reference deleted')
          }}
        />
      ) : null}
    </div>
  )
}
