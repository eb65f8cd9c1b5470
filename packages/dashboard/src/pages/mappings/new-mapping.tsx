import { useState } from 'react'
import { useLocation } from 'wouter'
import { Content, Skeleton } from '../../components/feedback.tsx'
import { Select, TextField } from '../../components/field.tsx'
import { Page, Section } from '../../components/page.tsx'
import { TestTag } from '../../components/state.tsx'
import { say } from '../../components/toast.tsx'
import { readable } from '../../format.ts'
import * as limits from '../../generated/limits.ts'
import { entityTypes } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { useManage } from '../../use-data.ts'
import { useQuery } from '../../use-query.ts'
import { useWorkspace } from '../../workspace.tsx'
import { type MappingPlace, useAppliesTo } from './place.ts'
import { newDraft, type rulesOf } from './rules.ts'
import { RulesEditor } from './rules-editor.tsx'

/** The target of the mapping is in the URL, so that it can be shared and survives a reload. */
export function NewMapping({ place }: { place: MappingPlace }) {
  const { accountId, shared } = place
  const { call } = useWorkspace()
  const appliesTo = useAppliesTo()
  const query = useQuery()
  const [, navigate] = useLocation()
  const [name, setName] = useState('')
  const [drafts, setDrafts] = useState([newDraft()])
  const account = useManage('exploreAccount', { path: { accountId } })
  const direction = query.get('direction') === 'write' ? 'write' : 'read'
  const scope = !shared ? 'account' : query.get('for') === 'workspace' ? 'workspace' : 'platform'
  const offered = entityTypes.filter(
    (type) => account.data?.entities[type] && (direction === 'read' || account.data.entities[type]?.write),
  )
  const entityType = offered.find((type) => type === query.get('entity')) ?? offered[0]
  const save = useAction(async (rules: ReturnType<typeof rulesOf>) => {
    if (!entityType) return
    const body = { name: name.trim() || 'Mapping', entityType, direction, rules } as const
    const platform = scope === 'platform' ? account.data?.platform : undefined
    const made = await (shared
      ? call('createSharedMapping', { body: { ...body, platform } })
      : call('createMapping', { path: { accountId }, body }))
    say(`${made.name} saved. To use it, set it as the default or create a key.`)
    navigate(place.page(made.id))
  })
  return (
    <Page
      title={shared ? 'New shared mapping' : 'New mapping'}
      parent={{ label: shared ? 'Shared mappings' : 'Mappings', href: place.page() }}
      about={
        account.data ? (
          <span className="row">
            {`${shared ? 'Preview on' : 'For'} ${account.data.name}`}
            <TestTag of={account.data} />
          </span>
        ) : undefined
      }
    >
      <Content of={account} shape={<Skeleton height={360} />}>
        {({ platform, platformName }) => (
          <div className="stack">
            <Section>
              <div className="columns">
                <TextField
                  label="Name"
                  value={name}
                  onChange={setName}
                  placeholder="SKU from a custom field"
                  {...limits.createMapping.name}
                />
                {shared ? (
                  <Select
                    label="Applies to"
                    value={scope}
                    onChange={(value) => query.set({ for: value })}
                    choices={(['platform', 'workspace'] as const).map((value) => ({
                      value,
                      label: appliesTo({ scope: value, platform }),
                    }))}
                  />
                ) : null}
                <Select
                  label="Direction"
                  value={direction}
                  onChange={(value) => query.set({ direction: value })}
                  choices={[
                    { value: 'read', label: `Read: ${scope === 'workspace' ? 'platform' : platformName} → unified` },
                    { value: 'write', label: 'Write: your record → unified' },
                  ]}
                />
                <Select
                  label="Entity"
                  value={entityType ?? ''}
                  onChange={(value) => query.set({ entity: value })}
                  choices={offered.map((type) => ({ value: type, label: readable(type) }))}
                />
              </div>
            </Section>
            {entityType ? (
              <RulesEditor
                key={`${entityType} ${direction}`}
                accountId={accountId}
                scope={scope}
                entityType={entityType}
                direction={direction}
                platformName={platformName}
                drafts={drafts}
                onChange={setDrafts}
                save={{ ...save, label: 'Save mapping', ready: true }}
              />
            ) : null}
          </div>
        )}
      </Content>
    </Page>
  )
}
