import { useState } from 'react'
import { entityTypes } from '../../../../client/src/generated/entity-types.ts'
import { Button } from '../../components/button.tsx'
import { Content, Failure, Skeleton } from '../../components/feedback.tsx'
import { Checkbox } from '../../components/field.tsx'
import { Section } from '../../components/page.tsx'
import { say } from '../../components/toast.tsx'
import type { EntityType, WorkspaceSettings } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { reload, useManage } from '../../use-data.ts'
import { useWorkspace } from '../../workspace.tsx'

const all = Object.keys(entityTypes) as EntityType[]
const usual = all.filter((type) => !entityTypes[type].onRequest)
const titleOf = (type: EntityType) => {
  const { many } = entityTypes[type]
  return many.charAt(0).toUpperCase() + many.slice(1)
}

/** The types whose permissions customers are asked for when they connect. */
export function EntityTypes() {
  const settings = useManage('getWorkspaceSettings')
  return (
    <Section
      title="Entity types"
      about="What this workspace uses. Customers who connect are asked for the permissions of these types and no others."
    >
      <Content of={settings} shape={<Skeleton height={160} />}>
        {(found) => <Form key={(found.entityTypes ?? usual).join(' ')} saved={found} onSaved={settings.put} />}
      </Content>
    </Section>
  )
}

function Form({ saved, onSaved }: { saved: WorkspaceSettings; onSaved(settings: WorkspaceSettings): void }) {
  const { call } = useWorkspace()
  const before = new Set<string>(saved.entityTypes ?? usual)
  const [chosen, setChosen] = useState(before)
  const types = all.filter((type) => chosen.has(type))
  const save = useAction(async () => {
    const { retention: _, ...settings } = saved
    onSaved(await call('setWorkspaceSettings', { body: { ...settings, entityTypes: types } }))
    reload('getWorkspaceSettings')
    say('Entity types saved')
  })
  const toggle = (type: string, checked: boolean) => {
    const next = new Set(chosen)
    if (checked) next.add(type)
    else next.delete(type)
    setChosen(next)
  }
  const isSame = types.length === before.size && types.every((type) => before.has(type))
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void save.run()
      }}
    >
      <div className="settings-types">
        {all.map((type) => (
          <Checkbox
            key={type}
            label={titleOf(type)}
            checked={chosen.has(type)}
            onChange={(checked) => toggle(type, checked)}
          />
        ))}
      </div>
      <p className="field-hint">
        Accounts that are connected keep what they were granted. To read a type that you add, ask the customer to
        connect again.
      </p>
      {save.error ? <Failure error={save.error} kept="The settings were not changed." sentences={[]} /> : null}
      <div className="row">
        <Button kind="primary" type="submit" needs="admin" busy={save.busy} disabled={isSame || types.length === 0}>
          Save entity types
        </Button>
      </div>
    </form>
  )
}
