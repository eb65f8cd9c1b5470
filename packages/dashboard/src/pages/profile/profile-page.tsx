import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/feedback.tsx'
import { TextField } from '../../components/field.tsx'
import { Page, Section } from '../../components/page.tsx'
import { say } from '../../components/toast.tsx'
import { call } from '../../manage.ts'
import { useSession } from '../../session.ts'
import { useAction } from '../../use-action.ts'
import { Sessions } from './sessions.tsx'
import './profile.css'

const shortest = 10

export default function ProfilePage() {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [again, setAgain] = useState('')
  const action = useAction(async () => {
    await call('changePassword', { body: { currentPassword: current, newPassword: next } })
    for (const clear of [setCurrent, setNext, setAgain]) clear('')
    say('Password changed')
  })
  const short =
    next !== '' && next.length < shortest
      ? `At least ${shortest} characters; ${shortest - next.length} more.`
      : undefined
  const different = again !== '' && again !== next ? 'The passwords do not match.' : undefined
  const session = useSession()
  return (
    <Page title="Profile" about={session?.user}>
      <Sessions />
      {session?.hasPassword === false ? null : (
        <Section title="Change password" about="This signs out all your other sessions.">
          <form
            className="profile"
            onSubmit={(event) => {
              event.preventDefault()
              void action.run()
            }}
          >
            <TextField
              label="Current password"
              type="password"
              value={current}
              onChange={setCurrent}
              autoComplete="current-password"
              error={action.error?.violationOf('/currentPassword')}
              required
            />
            <TextField
              label="New password"
              type="password"
              value={next}
              onChange={setNext}
              autoComplete="new-password"
              hint={`At least ${shortest} characters.`}
              error={short}
              required
            />
            <TextField
              label="Confirm new password"
              type="password"
              value={again}
              onChange={setAgain}
              autoComplete="new-password"
              error={different}
              required
            />
            {action.error ? <Failure error={action.error} kept="Your password was not changed." /> : null}
            <div>
              <Button
                kind="primary"
                type="submit"
                busy={action.busy}
                disabled={!current || next.length < shortest || again !== next}
              >
                Change password
              </Button>
            </div>
          </form>
        </Section>
      )}
    </Page>
  )
}
