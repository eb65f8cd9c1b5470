import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/feedback.tsx'
import { TextField } from '../../components/field.tsx'
import { logIn } from '../../session.ts'
import { useAction } from '../../use-action.ts'
import { useQuery } from '../../use-query.ts'
import './log-in.css'

export function LogIn() {
  const [, navigate] = useLocation()
  const query = useQuery()
  const [user, setUser] = useState('')
  const [password, setPassword] = useState('')
  const action = useAction(async () => {
    await logIn(user.trim(), password)
    const next = query.get('next')
    navigate(/^\/(?!\/)/.test(next) ? next : '/', { replace: true })
  })
  useEffect(() => {
    document.title = 'Log in · Unified Records'
  }, [])
  return (
    <main className="log-in">
      <div className="log-in-box">
        <img src="/dashboard/mark.svg" width={36} height={36} alt="" />
        <div>
          <h1>Unified Records</h1>
          <p className="soft">{query.get('next') ? 'Log in to go on where you were.' : 'Log in to the dashboard.'}</p>
        </div>
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault()
            void action.run()
          }}
        >
          <TextField label="User" name="user" value={user} onChange={setUser} autoComplete="username" autoCapitalize="none" required autoFocus />
          <TextField label="Password" name="password" type="password" value={password} onChange={setPassword} autoComplete="current-password" required />
          {action.error ? <Failure error={action.error} /> : null}
          <Button kind="primary" type="submit" busy={action.busy}>
            Log in
          </Button>
        </form>
        <p className="small faint">
          First time here? The first start of the service prints the user and the password. With the sandbox, they are in <code>sandbox.json</code> in its data folder.
        </p>
      </div>
    </main>
  )
}
