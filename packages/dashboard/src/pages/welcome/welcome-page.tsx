import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/feedback.tsx'
import { TextField } from '../../components/field.tsx'
import * as limits from '../../generated/limits.ts'
import { call } from '../../manage.ts'
import { signOut, useSession } from '../../session.ts'
import { useAction } from '../../use-action.ts'
import { workspacePaths } from '../../workspace.tsx'
import { SignInBox } from '../sign-in/sign-in-box.tsx'
import '../sign-in/sign-in.css'

/** Creates the first workspace of an empty installation. */
export function Welcome() {
  const [, navigate] = useLocation()
  const [name, setName] = useState('Production')
  useEffect(() => {
    document.title = 'Welcome · Unified Records'
  }, [])
  const session = useSession()
  const action = useAction(async () => {
    const made = await call('createWorkspace', { body: { name: name.trim() } })
    navigate(workspacePaths(made.id).page(), { replace: true })
  })
  if (session?.isAdmin === false)
    return (
      <SignInBox
        title="No workspace yet"
        about={`You are signed in as ${session.user}, and have no role in any workspace. Ask an admin for an invitation.`}
      >
        <Button onClick={() => void signOut().then(() => navigate('/login'))}>Sign out</Button>
      </SignInBox>
    )
  return (
    <main className="sign-in">
      <form
        className="sign-in-box"
        onSubmit={(event) => {
          event.preventDefault()
          void action.run()
        }}
      >
        <img src="/dashboard/mark.svg" width={36} height={36} alt="" />
        <div className="stack-small">
          <h1>Create your first workspace</h1>
          <p className="soft">
            A workspace separates accounts and credentials from other workspaces. Use one per environment or customer.
            Next, create an API key, connect an account, and make your first request.
          </p>
        </div>
        <TextField label="Name" value={name} onChange={setName} {...limits.createWorkspace.name} required autoFocus />
        {action.error ? <Failure error={action.error} /> : null}
        <Button kind="primary" type="submit" busy={action.busy} disabled={name.trim() === ''}>
          Create workspace
        </Button>
      </form>
    </main>
  )
}
