// A link of an admin: to join a workspace, or to set a new password. Its secret is in the fragment of the address.

import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { roleLabel } from '../../access.tsx'
import { Button } from '../../components/button.tsx'
import { Failure, Skeleton } from '../../components/feedback.tsx'
import { TextField } from '../../components/field.tsx'
import * as limits from '../../generated/limits.ts'
import { call } from '../../manage.ts'
import { endSession } from '../../session.ts'
import type { OpenInvitation } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { SignInBox } from './sign-in-box.tsx'
import { SsoButton } from './sso.tsx'

const shortest = 10

/** The address without the secret is what the history and the screen show. */
let received = ''
function takeToken(): string {
  if (location.hash.length > 1) {
    received = location.hash.slice(1)
    history.replaceState(null, '', location.pathname)
  }
  return received
}

export function InvitationPage() {
  const [token] = useState(takeToken)
  const [invitation, setInvitation] = useState<OpenInvitation>()
  const load = useAction(async () => setInvitation(await call('readInvitation', { body: { token } }, { open: true })))
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (token !== '') void load.run()
  }, [])
  if (token === '' || load.error)
    return (
      <SignInBox
        title="This link does not work"
        about="It was used or revoked, has expired, or is incomplete. Ask the person who sent it for a new one."
      >
        {load.error && load.error.status !== 404 ? <Failure error={load.error} retry={() => load.run()} /> : null}
        <Link href="/login">Go to sign-in</Link>
      </SignInBox>
    )
  if (!invitation)
    return (
      <SignInBox title="Unified Records" about="Opening the link …">
        <Skeleton lines={4} />
      </SignInBox>
    )
  return invitation.for === 'join' ? (
    <SignInBox
      title={`Join ${invitation.workspace}`}
      about={
        <>
          {invitation.createdBy} invites you as <strong>{roleLabel(invitation.role ?? 'viewer')}</strong>.
        </>
      }
    >
      <SsoButton next="/" invitation={token} />
      <Accept token={token} askName submit="Join workspace" />
    </SignInBox>
  ) : (
    <SignInBox title="Set a new password" about={`For ${invitation.name}. All open sessions of this user end.`}>
      <Accept token={token} submit="Set password" />
    </SignInBox>
  )
}

function Accept({ token, askName = false, submit }: { token: string; askName?: boolean; submit: string }) {
  const [, navigate] = useLocation()
  const [user, setUser] = useState('')
  const [password, setPassword] = useState('')
  const action = useAction(async () => {
    const body = { token, password, cookie: true, ...(askName ? { user: user.trim() } : {}) }
    await call('acceptInvitation', { body }, { open: true })
    received = ''
    endSession()
    navigate('/', { replace: true })
  })
  const named = action.error?.violationOf('/user')
  const short =
    password !== '' && password.length < shortest
      ? `At least ${shortest} characters; ${shortest - password.length} more.`
      : undefined
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void action.run()
      }}
    >
      {askName ? (
        <TextField
          label="User name"
          name="user"
          value={user}
          onChange={setUser}
          autoComplete="username"
          autoCapitalize="none"
          error={named}
          hint="If you have a user here already, enter its name and password."
          {...limits.acceptInvitation.user}
          required
        />
      ) : null}
      <TextField
        label="Password"
        name="password"
        type="password"
        value={password}
        onChange={setPassword}
        autoComplete="new-password"
        hint={`At least ${shortest} characters.`}
        error={short}
        required
      />
      {action.error && !named ? <Failure error={action.error} /> : null}
      <Button kind="primary" type="submit" busy={action.busy} disabled={password.length < shortest}>
        {submit}
      </Button>
    </form>
  )
}
