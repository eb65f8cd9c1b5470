import { useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Content, Failure, Skeleton } from '../../components/feedback.tsx'
import { Checkbox, TextField } from '../../components/field.tsx'
import { Section } from '../../components/page.tsx'
import { say } from '../../components/toast.tsx'
import * as limits from '../../generated/limits.ts'
import type { Workspace } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { forgetData, reload, useManage } from '../../use-data.ts'
import { useWorkspace } from '../../workspace.tsx'

/** The name, and the end of the workspace. */
export function WorkspaceSettings() {
  const workspace = useManage('getWorkspace')
  return (
    <Section title="Workspace">
      <Content of={workspace} shape={<Skeleton height={80} />}>
        {(found) => <NameAndEnd key={found.id} workspace={found} onRenamed={workspace.put} />}
      </Content>
    </Section>
  )
}

function NameAndEnd({ workspace, onRenamed }: { workspace: Workspace; onRenamed(workspace: Workspace): void }) {
  const { call } = useWorkspace()
  const [, navigate] = useLocation()
  const [name, setName] = useState(workspace.name)
  const [deleting, setDeleting] = useState(false)
  const [force, setForce] = useState(false)
  const rename = useAction(async () => {
    const changed = await call('changeWorkspace', { body: { name: name.trim() } })
    onRenamed(changed)
    reload('listWorkspaces')
    say('Workspace renamed')
  })
  const mark = useAction(async () => {
    onRenamed(await call('changeWorkspace', { body: { test: !workspace.test } }))
    reload('listWorkspaces')
    say(workspace.test ? 'No longer a test workspace' : 'Marked as a test workspace')
  })
  return (
    <div className="stack">
      <form
        className="setting-name"
        onSubmit={(event) => {
          event.preventDefault()
          void rename.run()
        }}
      >
        <TextField label="Name" value={name} onChange={setName} {...limits.changeWorkspace.name} required />
        <Button
          type="submit"
          needs="admin"
          busy={rename.busy}
          disabled={name.trim() === '' || name.trim() === workspace.name}
        >
          Rename
        </Button>
      </form>
      {rename.error ? <Failure error={rename.error} kept="The name was not changed." /> : null}
      <div className="spread">
        <div>
          <strong>{workspace.test ? 'This is a test workspace' : 'Test workspace'}</strong>
          <p className="soft small">
            A test workspace reaches test environments of platforms only. Its accounts and applications must be of such
            environments.
          </p>
        </div>
        <Button needs="admin" busy={mark.busy} onClick={() => void mark.run()}>
          {workspace.test ? 'Allow production' : 'Mark as test'}
        </Button>
      </div>
      {mark.error ? <Failure error={mark.error} kept="The mark was not changed." /> : null}
      <div className="spread">
        <div>
          <strong>Delete this workspace</strong>
          <p className="soft small">
            Deletes its accounts, credentials, mappings, feeds, webhooks, and activity. The audit log stays.
          </p>
        </div>
        <Button kind="danger" needs="admin" onClick={() => setDeleting(true)}>
          Delete workspace
        </Button>
      </div>
      {deleting ? (
        <Confirm
          title={`Delete ${workspace.name}?`}
          consequence={
            <>
              <p>This cannot be undone. Systems that use its credentials get 401 immediately.</p>
              <Checkbox
                label="Also if writes are not finished"
                hint="What the platforms made of them then stays unknown."
                checked={force}
                onChange={setForce}
              />
            </>
          }
          typed={workspace.name}
          submit="Delete workspace"
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await call('deleteWorkspace', { query: { name: workspace.name, force: force ? 'true' : undefined } })
            forgetData()
            navigate('/', { replace: true })
            say(`${workspace.name} deleted`)
          }}
        />
      ) : null}
    </div>
  )
}
