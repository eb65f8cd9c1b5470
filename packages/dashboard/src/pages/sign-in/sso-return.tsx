import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { Failure, Skeleton } from '../../components/feedback.tsx'
import { finishSso } from '../../session.ts'
import { useAction } from '../../use-action.ts'
import { SignInBox } from './sign-in-box.tsx'

/** The identity provider redirects to this page. The code leaves the address before anything else happens. */
let received: string | undefined
function takeQuery(): string {
  if (location.search !== '') {
    received = location.search
    history.replaceState(null, '', location.pathname)
  }
  return received ?? ''
}

export function SsoReturn() {
  const [, navigate] = useLocation()
  const [query] = useState(takeQuery)
  const action = useAction(async () => navigate(await finishSso(query), { replace: true }))
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, because a code works once
  useEffect(() => {
    if (received === undefined) return navigate('/login', { replace: true })
    received = undefined
    void action.run()
  }, [])
  return (
    <SignInBox title="Unified Records" about={action.error ? 'You are not signed in.' : 'Signing in …'}>
      {action.error ? (
        <>
          <Failure error={action.error} title="The sign-in failed" />
          <Link href="/login">Back to sign-in</Link>
        </>
      ) : (
        <Skeleton lines={2} />
      )}
    </SignInBox>
  )
}
