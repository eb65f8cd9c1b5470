import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { manage } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Content, Skeleton } from '../../components/feedback.tsx'
import { Page, Tabs } from '../../components/page.tsx'
import { Tag } from '../../components/state.tsx'
import { say } from '../../components/toast.tsx'
import { readable } from '../../format.ts'
import { useAction } from '../../use-action.ts'
import { type Loaded, useData } from '../../use-data.ts'
import { useWorkspace } from '../../workspace.tsx'
import type { Explorable } from '../explorer/responses.ts'
import { MappingKeys } from './mapping-keys.tsx'
import { draftsOf, type Mapping, type Rules } from './rules.ts'
import { RulesEditor } from './rules-editor.tsx'
import { Versions } from './versions.tsx'

export function MappingPage({ accountId, mappingId, tab }: { accountId: string; mappingId: string; tab: string }) {
  const workspace = useWorkspace()
  const [, navigate] = useLocation()
  const [deleting, setDeleting] = useState(false)
  const base = workspace.api('accounts', accountId, 'mappings', mappingId)
  const mapping = useData<Mapping>(base)
  const list = workspace.page('mappings', accountId)
  const at = (name: string) => workspace.page('mappings', accountId, mappingId, ...(name ? [name] : []))
  return (
    <Page
      title={mapping.data?.name ?? 'Mapping'}
      parent={{ label: 'Mappings', href: list }}
      state={
        mapping.data ? (
          <>
            <Tag>{readable(mapping.data.entityType)}</Tag>
            <Tag>{readable(mapping.data.direction)}</Tag>
            <Tag>{`version ${mapping.data.version}`}</Tag>
          </>
        ) : undefined
      }
      actions={
        <Button kind="danger" icon={Trash2} onClick={() => setDeleting(true)}>
          Delete
        </Button>
      }
    >
      <Tabs
        label="Mapping sections"
        current={tab}
        tabs={[
          { id: '', label: 'Rules', href: at('') },
          { id: 'versions', label: 'Versions', href: at('versions') },
          { id: 'keys', label: 'Keys', href: at('keys') },
        ]}
      />
      <Content of={mapping} shape={<Skeleton height={360} />}>
        {(data) =>
          tab === 'versions' ? (
            <Versions mapping={data} base={base} onRestored={mapping.put} />
          ) : tab === 'keys' ? (
            <MappingKeys mapping={data} />
          ) : (
            <RulesTab key={data.version} mapping={data} loaded={mapping} base={base} />
          )
        }
      </Content>
      {deleting && mapping.data ? (
        <Confirm
          title={`Delete ${mapping.data.name}`}
          submit="Delete mapping"
          consequence={<p>This deletes all its versions and keys. Requests that send one of its keys will fail.</p>}
          typed={mapping.data.name}
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await manage.delete(base)
            say('Mapping deleted')
            navigate(list)
          }}
        />
      ) : null}
    </Page>
  )
}

function RulesTab({ mapping, loaded, base }: { mapping: Mapping; loaded: Loaded<Mapping>; base: string }) {
  const workspace = useWorkspace()
  const [drafts, setDrafts] = useState(() => draftsOf(mapping.rules))
  const account = useData<Explorable>(workspace.api('accounts', mapping.accountId, 'explorer'))
  const save = useAction(async (rules: Rules) => {
    const next = await manage.put<Mapping>(base, { rules })
    loaded.put(next)
    say(`Version ${next.version} saved and active`)
  })
  return (
    <RulesEditor
      accountId={mapping.accountId}
      entityType={mapping.entityType}
      direction={mapping.direction}
      platformName={account.data?.platformName ?? 'the platform'}
      drafts={drafts}
      onChange={setDrafts}
      save={{ ...save, label: `Save as version ${mapping.version + 1}`, ready: true }}
    />
  )
}
