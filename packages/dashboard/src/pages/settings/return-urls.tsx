import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Content, Failure, Skeleton } from '../../components/feedback.tsx'
import { TextArea } from '../../components/field.tsx'
import { Section } from '../../components/page.tsx'
import { say } from '../../components/toast.tsx'
import type { WorkspaceSettings } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { reload, useManage } from '../../use-data.ts'
import { useWorkspace } from '../../workspace.tsx'

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Where customers may be sent after they have connected. */
export function ReturnUrls() {
  const settings = useManage('getWorkspaceSettings')
  return (
    <Section
      title="Return URLs"
      about="Where connect links may send customers back to. A link with another return URL is refused."
    >
      <Content of={settings} shape={<Skeleton height={120} />}>
        {(found) => <Form key={found.returnUrls.join('\n')} saved={found} onSaved={settings.put} />}
      </Content>
    </Section>
  )
}

function Form({ saved, onSaved }: { saved: WorkspaceSettings; onSaved(settings: WorkspaceSettings): void }) {
  const { call } = useWorkspace()
  const before = saved.returnUrls.join('\n')
  const [text, setText] = useState(before)
  const lines = linesOf(text)
  const save = useAction(async () => {
    const { retention: _, ...settings } = saved
    onSaved(await call('setWorkspaceSettings', { body: { ...settings, returnUrls: lines } }))
    reload('getWorkspaceSettings')
    say('Return URLs saved')
  })
  const faults = lines.flatMap((line, index) => {
    const message = save.error?.violationOf(`/returnUrls/${index}`)
    return message ? [`${line} ${message}`] : []
  })
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void save.run()
      }}
    >
      <TextArea
        label="Allowed return URLs"
        mono
        rows={4}
        value={text}
        onChange={setText}
        placeholder="https://app.example.com/connected"
        hint="One per line. Each allows its address and everything below it. Empty: every https URL is allowed."
        error={faults.length > 0 ? faults.join('. ') : undefined}
      />
      {save.error ? <Failure error={save.error} kept="The settings were not changed." sentences={[]} /> : null}
      <div className="row">
        <Button kind="primary" type="submit" needs="admin" busy={save.busy} disabled={lines.join('\n') === before}>
          Save return URLs
        </Button>
      </div>
    </form>
  )
}
