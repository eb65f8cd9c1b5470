import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Failure, Notice } from '../../components/feedback.tsx'
import { TextField } from '../../components/field.tsx'
import { signIn } from '../../session.ts'
import { useAction } from '../../use-action.ts'
import { useQuery } from '../../use-query.ts'
import { SsoButton } from './sso.tsx'
import './sign-in.css'

export function SignIn() {
  const [, navigate] = useLocation()
  const query = useQuery()
  const asked = query.get('next')
  const next = /^\/(?!\/)/.test(asked) ? asked : '/'
  const [user, setUser] = useState('')
  const [password, setPassword] = useState('')
  const action = useAction(async () => {
    await signIn(user.trim(), password)
    navigate(next, { replace: true })
  })
  useEffect(() => {
    document.title = 'Sign in · Unified Records'
  }, [])
  return (
    <main className="sign-in">
      <div className="sign-in-box">
        <img src="/dashboard/mark.svg" width={36} height={36} alt="" />
        <div>
          <h1>Unified Records</h1>
          <p className="soft">{asked ? 'Sign in to continue.' : 'Sign in to the dashboard.'}</p>
        </div>
        <SsoButton next={next} />
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault()
            void action.run()
          }}
        >
          <TextField
            label="User name"
            name="user"
            value={user}
            onChange={setUser}
            autoComplete="username"
            autoCapitalize="none"
            required
            autoFocus
          />
          <TextField
            label="Password"
            name="password"
            type="password"
            value={password}
            onChange={setPassword}
            autoComplete="current-password"
            required
          />
          {action.error?.status === 401 ? (
            <Notice tone="broken">{action.error.detail}</Notice>
          ) : action.error ? (
            <Failure error={action.error} />
          ) : null}
          <Button kind="primary" type="submit" busy={action.busy}>
            {' '}
            Sign in
          </Button>
        </form>
        <p className="small faint">
          First time here? The service prints the user name and password on its first start. In sandbox mode, find them
          in <code>sandbox.json</code> in the data directory.
        </p>
      </div>
    </main>
  )
}
