import { useState } from 'react'
import { withQuery } from '../../api.ts'
import { Button, IconButton, LinkButton } from '../../components/button.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Content, Empty, Failure } from '../../components/feedback.tsx'
import { Identifier } from '../../components/identifier.tsx'
import { Moment } from '../../components/moment.tsx'
import { Section } from '../../components/page.tsx'
import { Table, TableShape } from '../../components/table.tsx'
import { say } from '../../components/toast.tsx'
import { KeyRound, Plus, Search, Trash2 } from '../../lucide/icons.tsx'
import type { MappingKey } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { useManage } from '../../use-data.ts'
import { useWorkspace } from '../../workspace.tsx'
import type { Mapping } from './rules.ts'

export function MappingKeys({ accountId, mapping }: { accountId: string; mapping: Mapping }) {
  const workspace = useWorkspace()
  const keys = useManage('listMappingKeys', { path: { accountId } })
  const [deleting, setDeleting] = useState<MappingKey>()
  const create = useAction(async () => {
    await workspace.call('createMappingKey', { path: { accountId }, body: { mappingId: mapping.id } })
    await keys.refresh()
    say('Key created')
  })
  const button = (
    <Button needs="operator" kind="primary" icon={Plus} busy={create.busy} onClick={() => void create.run()}>
      Create key
    </Button>
  )
  return (
    <div className="stack">
      {create.error ? <Failure error={create.error} kept="Nothing was changed." /> : null}
      <Content of={keys} shape={<TableShape columns={3} rows={2} />}>
        {({ data }) => {
          const own = data.filter(({ mappingId }) => mappingId === mapping.id)
          return own.length === 0 ? (
            <Section>
              <Empty icon={KeyRound} title="No keys yet" action={button}>
                To use a mapping for some requests, send one of its keys in <code>mappingKey</code>. Create one per
                caller so that you can revoke each one separately.
              </Empty>
            </Section>
          ) : (
            <div className="stack">
              <div>{button}</div>
              <Table
                label="Mapping keys"
                rows={own}
                rowKey={({ key }) => key}
                columns={[
                  {
                    name: 'Key',
                    wide: true,
                    cell: ({ key }) => <Identifier value={key} length={40} label="Copy mapping key" />,
                  },
                  { name: 'Created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
                  {
                    name: 'Actions',
                    silent: true,
                    cell: (key) => (
                      <span className="row">
                        {mapping.direction === 'read' ? (
                          <LinkButton
                            small
                            icon={Search}
                            href={withQuery(workspace.page('explorer', accountId, mapping.entityType), {
                              mappingKey: key.key,
                            })}
                          >
                            Open in explorer
                          </LinkButton>
                        ) : null}
                        <IconButton
                          needs="operator"
                          icon={Trash2}
                          label={`Delete key ${key.key}`}
                          onClick={() => setDeleting(key)}
                        />
                      </span>
                    ),
                  },
                ]}
              />
            </div>
          )
        }}
      </Content>
      {deleting ? (
        <Confirm
          title="Delete mapping key"
          submit="Delete key"
          consequence={
            <p>
              Requests that send <code>{deleting.key}</code> will fail. The mapping is kept.
            </p>
          }
          onClose={() => setDeleting(undefined)}
          onConfirm={async () => {
            await workspace.call('deleteMappingKey', { path: { accountId, key: deleting.key } })
            await keys.refresh()
            say('Mapping key deleted')
          }}
        />
      ) : null}
    </div>
  )
}
