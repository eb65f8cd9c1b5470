import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/feedback.tsx'
import { LogIn } from '../../lucide/icons.tsx'
import { beginSso } from '../../session.ts'
import { useAction } from '../../use-action.ts'
import { useManage } from '../../use-data.ts'

/** Where the service has an identity provider. */
export function SsoButton({ next, invitation }: { next: string; invitation?: string }) {
  const { data } = useManage('getSignInMethods')
  const action = useAction(() => beginSso(next, invitation))
  if (!data?.sso) return null
  return (
    <div className="stack-small">
      <Button icon={LogIn} busy={action.busy} onClick={() => void action.run()}>
        Continue with SSO
      </Button>
      {action.error ? <Failure error={action.error} /> : null}
      <div className="sign-in-or" aria-hidden>
        or
      </div>
    </div>
  )
}
