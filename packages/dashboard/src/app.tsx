import { useEffect } from 'react'
import { Route, Router, Switch, useLocation } from 'wouter'
import { whenSignedOut } from './api.ts'
import { ToastLayer } from './components/toast.tsx'
import { TooltipLayer } from './components/tooltip.tsx'
import { InvitationPage } from './pages/sign-in/invitation-page.tsx'
import { SignIn } from './pages/sign-in/sign-in-page.tsx'
import { SsoReturn } from './pages/sign-in/sso-return.tsx'
import { Welcome } from './pages/welcome/welcome-page.tsx'
import { endSession } from './session.ts'
import { PageGuard } from './shell/page-guard.tsx'
import { Shell } from './shell/shell.tsx'
import { Start } from './shell/start.tsx'

export function App() {
  return (
    <Router base="/dashboard">
      <ToSignIn />
      <PageGuard>
        <Switch>
          <Route path="/login" component={SignIn} />
          <Route path="/invitation" component={InvitationPage} />
          <Route path="/sso" component={SsoReturn} />
          <Route path="/welcome" component={Welcome} />
          <Route path="/w/:workspaceId/*?">{({ workspaceId }) => <Shell workspaceId={workspaceId} />}</Route>
          <Route component={Start} />
        </Switch>
      </PageGuard>
      <ToastLayer />
      <TooltipLayer />
    </Router>
  )
}

/** Without a session, opens the sign-in page and returns here afterwards. */
function ToSignIn() {
  const [, navigate] = useLocation()
  useEffect(() => {
    whenSignedOut(() => {
      endSession()
      const here = location.pathname.replace(/^\/dashboard/, '') + location.search
      if (here.startsWith('/login')) return
      navigate(here === '' || here === '/' ? '/login' : `/login?next=${encodeURIComponent(here)}`, { replace: true })
    })
  }, [navigate])
  return null
}
