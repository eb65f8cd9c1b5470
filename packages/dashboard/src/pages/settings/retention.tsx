import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Content, Failure, Skeleton } from '../../components/feedback.tsx'
import { TextField } from '../../components/field.tsx'
import { Facts, Section } from '../../components/page.tsx'
import { say } from '../../components/toast.tsx'
import { plural } from '../../format.ts'
import type { WorkspaceSettings } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { reload, useManage } from '../../use-data.ts'
import { useWorkspace } from '../../workspace.tsx'

/** How long data is kept. The installation decides; a workspace can keep its activity for fewer days. */
export function Retention() {
  const settings = useManage('getWorkspaceSettings')
  return (
    <Section title="Retention" about="How long data of this workspace is kept.">
      <Content of={settings} shape={<Skeleton height={120} />}>
        {(found) => (
          <div className="stack">
            <Facts
              facts={[
                ['Activity', found.retention.activity === 0 ? 'Not recorded' : plural(found.retention.activity, 'day')],
                ['Change log', plural(found.retention.changes, 'day')],
                ['Webhook deliveries', plural(found.retention.deliveries, 'day')],
                ['Audit log', 'Forever'],
              ]}
            />
            {found.retention.activityMost > 0 ? (
              <Form key={found.activityDays ?? 0} saved={found} onSaved={settings.put} />
            ) : null}
          </div>
        )}
      </Content>
    </Section>
  )
}

function Form({ saved, onSaved }: { saved: WorkspaceSettings; onSaved(settings: WorkspaceSettings): void }) {
  const { call } = useWorkspace()
  const before = saved.activityDays === undefined ? '' : String(saved.activityDays)
  const [days, setDays] = useState(before)
  const save = useAction(async () => {
    const activityDays = days.trim() === '' ? undefined : Number(days)
    const { retention: _, ...settings } = saved
    onSaved(await call('setWorkspaceSettings', { body: { ...settings, activityDays } }))
    reload('getWorkspaceSettings')
    say('Retention saved')
  })
  const wrong = save.error?.violationOf('/activityDays')
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void save.run()
      }}
    >
      <TextField
        label="Days of activity"
        type="number"
        min={1}
        max={saved.retention.activityMost}
        value={days}
        onChange={setDays}
        hint={`At most ${saved.retention.activityMost}, which the installation allows. Empty: ${saved.retention.activityMost}. Older requests are deleted within minutes.`}
        error={wrong}
      />
      {save.error ? <Failure error={save.error} kept="The settings were not changed." sentences={[]} /> : null}
      <div className="row">
        <Button kind="primary" type="submit" needs="admin" busy={save.busy} disabled={days.trim() === before}>
          Save retention
        </Button>
      </div>
    </form>
  )
}
