// The mappings of requests that select none: which one applies, where it is set, and a dialog to change it.

import { useState } from 'react'
import { Link } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Content } from '../../components/feedback.tsx'
import { Tag } from '../../components/state.tsx'
import { Table, TableShape } from '../../components/table.tsx'
import { readable } from '../../format.ts'
import { Pencil } from '../../lucide/icons.tsx'
import { type Loaded, useManage } from '../../use-data.ts'
import type { Explorable } from '../explorer/responses.ts'
import { ChangeDefault, type MappingDefault } from './change-default.tsx'
import { useAppliesTo, useMappingPlace } from './place.ts'

const nameOf = ({ entityType, direction }: MappingDefault) => `${direction} ${readable(entityType).toLowerCase()}`

export function MappingDefaults({ account }: { account: Loaded<Explorable> }) {
  return (
    <Content of={account} shape={<TableShape columns={5} rows={6} />}>
      {(data) => <DefaultsTable key={data.accountId} account={data} />}
    </Content>
  )
}

function DefaultsTable({ account }: { account: Explorable }) {
  const appliesTo = useAppliesTo()
  const own = useMappingPlace(account.accountId, false)
  const shared = useMappingPlace(account.accountId, true)
  const defaults = useManage('listMappingDefaults', { path: { accountId: account.accountId } })
  const [changing, setChanging] = useState<MappingDefault>()
  // A write default of an entity that the platform cannot write has no effect, but must be visible to be cleared.
  const isShown = ({ entityType, direction, setBy }: MappingDefault) =>
    direction === 'read' || setBy !== 'none' || account.entities[entityType]?.write
  return (
    <Content of={defaults} shape={<TableShape columns={5} rows={6} />}>
      {({ data }) => (
        <>
          <Table
            label="Default mappings"
            rows={data.filter(isShown)}
            rowKey={nameOf}
            columns={[
              { name: 'Entity', cell: ({ entityType }) => <Tag>{readable(entityType)}</Tag> },
              { name: 'Direction', cell: ({ direction }) => <Tag>{readable(direction)}</Tag> },
              {
                name: 'Default mapping',
                wide: true,
                cell: ({ mappingId, name, scope }) =>
                  mappingId === undefined ? (
                    <span className="soft">Built-in mapping</span>
                  ) : (
                    <Link href={(scope === 'account' ? own : shared).page(mappingId)}>{name ?? mappingId}</Link>
                  ),
              },
              {
                name: 'Set for',
                cell: ({ setBy, platform }) =>
                  setBy === 'none' ? <span className="faint">Not set</span> : appliesTo({ scope: setBy, platform }),
              },
              {
                name: 'Change',
                silent: true,
                cell: (row) => (
                  <Button needs="operator" small icon={Pencil} onClick={() => setChanging(row)}>
                    Change <span className="unseen">default for {nameOf(row)}</span>
                  </Button>
                ),
              },
            ]}
          />
          {changing ? (
            <ChangeDefault
              account={account}
              current={changing}
              title={`Default mapping for ${nameOf(changing)}`}
              onClose={() => setChanging(undefined)}
              onChanged={defaults.refresh}
            />
          ) : null}
        </>
      )}
    </Content>
  )
}
