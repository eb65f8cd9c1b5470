import { FileUp, Link2, Trash2, Waypoints } from 'lucide-react'
import { useState } from 'react'
import { manage, withQuery } from '../../api.ts'
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
import type { Page, Reference } from '../../types.ts'
import { useData } from '../../use-data.ts'
import { useQuery, useTyped } from '../../use-query.ts'
import { useWorkspace } from '../../workspace.tsx'
import { LinkReference } from './link-reference.tsx'
import { ImportReferences, Imports } from './reference-imports.tsx'
import { referenceTypes } from './reference-types.ts'
import type { TabProps } from './tab-props.ts'

export function References({ account }: TabProps) {
  const { api } = useWorkspace()
  const query = useQuery()
  const [search, setSearch] = useTyped(query, 'search')
  const [open, setOpen] = useState<'link' | 'import'>()
  const [deleting, setDeleting] = useState<Reference>()
  const base = api('accounts', account.id, 'references')
  const list = useData<Page<Reference>>(withQuery(base, { search: query.get('search'), entityType: query.get('entityType'), after: query.get('after') }))
  const columns: Column<Reference>[] = [
    { name: 'Your id', cell: ({ sourceId }) => <Identifier value={sourceId} length={32} /> },
    { name: 'Platform id', wide: true, cell: ({ nativeId }) => <Identifier value={nativeId} length={36} /> },
    { name: 'Entity', cell: ({ entityType }) => readable(entityType) },
    { name: 'Made by', cell: ({ origin }) => <Tag>{origin === 'written' ? 'a write' : 'a person'}</Tag> },
    { name: 'Created', number: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
    { name: 'Delete', silent: true, cell: (reference) => <IconButton icon={Trash2} label={`Delete the reference ${reference.sourceId}`} onClick={() => setDeleting(reference)} /> },
  ]
  const actions = (
    <>
      <Button icon={FileUp} onClick={() => setOpen('import')}>
        Import CSV
      </Button>
      <Button icon={Link2} onClick={() => setOpen('link')}>
        Link one
      </Button>
    </>
  )
  return (
    <div className="stack">
      <div className="spread">
        <p className="soft">Your own ids and the platform's, side by side. A write that names one of your ids finds the record at the platform by it.</p>
        <div className="row">{actions}</div>
      </div>
      <Imports base={base} onDone={() => void list.refresh()} />
      <div className="filters">
        <SearchField label="Search references" placeholder="Your id or the platform's, from its beginning" value={search} onChange={setSearch} />
        <Select
          bare
          label="Entity"
          value={query.get('entityType')}
          choices={[{ value: '', label: 'Any entity' }, ...referenceTypes.map((value) => ({ value, label: readable(value) }))]}
          onChange={(value) => query.set({ entityType: value })}
        />
      </div>
      <Content of={list} shape={<TableShape columns={5} rows={6} />}>
        {({ data, next }) =>
          data.length > 0 ? (
            <>
              <Table label="References" columns={columns} rows={data} rowKey={({ entityType, sourceId }) => `${entityType} ${sourceId}`} />
              <Pager query={query} shown={data.length} next={next} of="references" />
            </>
          ) : query.filtered ? (
            <Empty icon={Waypoints} title="No reference fits" action={<Button onClick={query.clear}>Clear the filter</Button>}>
              Ids are compared from their beginning, with upper and lower case.
            </Empty>
          ) : (
            <Empty icon={Waypoints} title="No reference yet" action={actions}>
              Each record you write is remembered here by itself. For records that were at the platform before, link your ids to theirs: one by one, or with a CSV file.
            </Empty>
          )
        }
      </Content>
      {open === 'link' ? <LinkReference base={base} onClose={() => setOpen(undefined)} onLinked={() => void list.refresh()} /> : null}
      {open === 'import' ? <ImportReferences base={base} onClose={() => setOpen(undefined)} /> : null}
      {deleting ? (
        <Confirm
          title={`Delete the reference ${deleting.sourceId}?`}
          consequence={
            <p>
              {deleting.sourceId} no longer stands for {deleting.nativeId}. Records at the platform stay; a write that names your id is passed on with it as it is. It can be linked
              again.
            </p>
          }
          submit="Delete reference"
          onClose={() => setDeleting(undefined)}
          onConfirm={async () => {
            await manage.delete(api('accounts', account.id, 'references', deleting.entityType, deleting.sourceId))
            await list.refresh()
            say('The reference is deleted')
          }}
        />
      ) : null}
    </div>
  )
}
