import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { manage } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/feedback.tsx'
import { TextField } from '../../components/field.tsx'
import { currentSession } from '../../session.ts'
import type { Workspace } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { workspacePaths } from '../../workspace.tsx'
import '../log-in/log-in.css'

/** An empty install: the one thing there is to do. */
export function Welcome() {
  const [, navigate] = useLocation()
  const [name, setName] = useState('Production')
  useEffect(() => {
    document.title = 'Welcome · Unified Records'
    currentSession().catch(() => {})
  }, [])
  const action = useAction(async () => {
    const made = await manage.post<Workspace>('/workspaces', { name: name.trim() })
    navigate(workspacePaths(made.id).page(), { replace: true })
  })
  return (
    <main className="log-in">
      <form
        className="log-in-box"
        onSubmit={(event) => {
          event.preventDefault()
          void action.run()
        }}
      >
        <img src="/dashboard/mark.svg" width={36} height={36} alt="" />
        <div className="stack-small">
          <h1>Create your first workspace</h1>
          <p className="soft">
            A workspace holds connected accounts and the credentials that may call them, apart from all other workspaces. One per environment or customer works well. Next come an
            API key, an account, and the first call.
          </p>
        </div>
        <TextField label="Name" value={name} onChange={setName} maxLength={200} required autoFocus />
        {action.error ? <Failure error={action.error} /> : null}
        <Button kind="primary" type="submit" busy={action.busy} disabled={name.trim() === ''}>
          Create workspace
        </Button>
      </form>
    </main>
  )
}
