import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { Button, LinkButton } from '../../components/button.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Content, Notice, Skeleton } from '../../components/feedback.tsx'
import { Page, Tabs } from '../../components/page.tsx'
import { Tag, TestTag } from '../../components/state.tsx'
import { say } from '../../components/toast.tsx'
import { readable } from '../../format.ts'
import { Trash2 } from '../../lucide/icons.tsx'
import { useAction } from '../../use-action.ts'
import { type Loaded, useManage } from '../../use-data.ts'
import { useWorkspace } from '../../workspace.tsx'
import type { Explorable } from '../explorer/responses.ts'
import { MappingKeys } from './mapping-keys.tsx'
import { type MappingPlace, useAppliesTo } from './place.ts'
import { draftsOf, type Mapping, type Rules } from './rules.ts'
import { RulesEditor } from './rules-editor.tsx'
import { Versions } from './versions.tsx'

export function MappingPage({ place, mappingId, tab }: { place: MappingPlace; mappingId: string; tab: string }) {
  const workspace = useWorkspace()
  const appliesTo = useAppliesTo()
  const [, navigate] = useLocation()
  const [deleting, setDeleting] = useState(false)
  const { accountId, shared } = place
  const { operations } = place
  const path = { accountId, mappingId }
  const mapping = useManage(operations.get, { path })
  const account = useManage('exploreAccount', { path: { accountId } })
  const list = place.page()
  const at = (name: string) => place.page(mappingId, ...(name ? [name] : []))
  // A key of an account names a mapping without its owner.
  const elsewhere = !shared && mapping.error?.code === 'resource_not_found'
  useEffect(() => {
    if (elsewhere) navigate(workspace.page('mappings', accountId, 'shared', mappingId), { replace: true })
  }, [elsewhere, navigate, workspace, accountId, mappingId])
  return (
    <Page
      title={mapping.data?.name ?? 'Mapping'}
      parent={{ label: shared ? 'Shared mappings' : 'Mappings', href: list }}
      state={
        mapping.data ? (
          <>
            <Tag>{readable(mapping.data.entityType)}</Tag>
            <Tag>{readable(mapping.data.direction)}</Tag>
            {shared ? <Tag>{appliesTo(mapping.data)}</Tag> : null}
            <Tag>{`version ${mapping.data.version}`}</Tag>
            {account.data ? <TestTag of={account.data} /> : null}
          </>
        ) : undefined
      }
      actions={
        <Button needs="operator" kind="danger" icon={Trash2} onClick={() => setDeleting(true)}>
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
            <Versions mapping={data} place={place} onRestored={mapping.put} />
          ) : tab === 'keys' ? (
            <MappingKeys accountId={accountId} mapping={data} />
          ) : (
            <RulesTab key={data.version} place={place} account={account} mapping={data} loaded={mapping} />
          )
        }
      </Content>
      {deleting && mapping.data ? (
        <Confirm
          title={`Delete ${mapping.data.name}`}
          submit="Delete mapping"
          consequence={
            <p>
              This deletes all its versions and keys{shared ? ', in all accounts' : ''}. Requests that send one of its
              keys will fail.
            </p>
          }
          typed={mapping.data.name}
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await workspace.call(operations.delete, { path })
            say('Mapping deleted')
            navigate(list)
          }}
        />
      ) : null}
    </Page>
  )
}

function RulesTab({
  place,
  account,
  mapping,
  loaded,
}: {
  place: MappingPlace
  account: Loaded<Explorable>
  mapping: Mapping
  loaded: Loaded<Mapping>
}) {
  const { call } = useWorkspace()
  const appliesTo = useAppliesTo()
  const [drafts, setDrafts] = useState(() => draftsOf(mapping.rules))
  const save = useAction(async (rules: Rules) => {
    const next = await call(place.operations.change, {
      path: { accountId: place.accountId, mappingId: mapping.id },
      body: { rules },
    })
    loaded.put(next)
    say(`Version ${next.version} saved and active`)
  })
  return (
    <Content of={account} shape={<Skeleton height={360} />}>
      {({ name, platform, platformName, entities }) =>
        (mapping.platform ?? platform) === platform && entities[mapping.entityType] ? (
          <RulesEditor
            accountId={place.accountId}
            scope={mapping.scope}
            entityType={mapping.entityType}
            direction={mapping.direction}
            platformName={platformName}
            drafts={drafts}
            onChange={setDrafts}
            save={{ ...save, label: `Save as version ${mapping.version + 1}`, ready: true }}
          />
        ) : (
          <Notice
            action={
              <LinkButton small href={place.page()}>
                Choose an account
              </LinkButton>
            }
          >
            {`This mapping applies to: ${appliesTo(mapping)} with ${readable(mapping.entityType).toLowerCase()} records. ${name} is not one of them. Choose another account to preview and edit the rules.`}
          </Notice>
        )
      }
    </Content>
  )
}
