import { useState } from 'react'
import { Link } from 'wouter'
import { IconButton, LinkButton } from '../../components/button.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Content } from '../../components/feedback.tsx'
import { Identifier } from '../../components/identifier.tsx'
import { Moment } from '../../components/moment.tsx'
import { Part } from '../../components/page.tsx'
import { Tag } from '../../components/state.tsx'
import { type Column, Table, TableShape } from '../../components/table.tsx'
import { say } from '../../components/toast.tsx'
import { readable } from '../../format.ts'
import { Trash2 } from '../../lucide/icons.tsx'
import type { MappingKey } from '../../types.ts'
import { useManage } from '../../use-data.ts'
import { useWorkspace } from '../../workspace.tsx'
import type { TabProps } from './tab-props.ts'

export function MappingKeys({ account }: TabProps) {
  const { call, page } = useWorkspace()
  const keys = useManage('listMappingKeys', { path: { accountId: account.id } })
  const [deleting, setDeleting] = useState<MappingKey>()
  const columns: Column<MappingKey>[] = [
    { name: 'Key', cell: ({ key }) => <Identifier value={key} length={32} label="Copy key" /> },
    { name: 'Direction', cell: ({ direction }) => <Tag>{direction}</Tag> },
    {
      name: 'Entity',
      cell: ({ entityType }) => (entityType ? readable(entityType) : <span className="faint">All</span>),
    },
    {
      name: 'Mapping',
      wide: true,
      cell: ({ mappingId, isDefault }) =>
        isDefault ? (
          <Link href={page('mappings', account.id, 'defaults')}>Default mapping</Link>
        ) : (
          <Link href={page('mappings', account.id, mappingId ?? '')} className="mono">
            {mappingId}
          </Link>
        ),
    },
    { name: 'Created', number: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
    {
      name: 'Delete',
      silent: true,
      cell: (key) =>
        key.isDefault ? null : (
          <IconButton needs="operator" icon={Trash2} label={`Delete ${key.key}`} onClick={() => setDeleting(key)} />
        ),
    },
  ]
  return (
    <Part
      title="Mapping keys"
      about="Form B requests include a mapping key: a read key for GET, a write key for POST. The two default keys select the default mappings. Create more keys on a mapping."
      actions={
        <LinkButton small href={page('mappings', account.id)}>
          View mappings
        </LinkButton>
      }
    >
      <Content of={keys} shape={<TableShape columns={5} rows={2} />}>
        {({ data }) => <Table label="Mapping keys" columns={columns} rows={data} rowKey={({ key }) => key} />}
      </Content>
      {deleting ? (
        <Confirm
          title={`Delete mapping key ${deleting.key}?`}
          consequence={
            <p>
              Requests with this key will fail with mapping_key_mismatch. The mapping is kept, and you can create
              another key for it.
            </p>
          }
          submit="Delete mapping key"
          onClose={() => setDeleting(undefined)}
          onConfirm={async () => {
            await call('deleteMappingKey', { path: { accountId: account.id, key: deleting.key } })
            await keys.refresh()
            say('Mapping key deleted')
          }}
        />
      ) : null}
    </Part>
  )
}
