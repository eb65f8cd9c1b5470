import { useEffect } from 'react'
import { Route, Router, Switch, useLocation } from 'wouter'
import { whenLoggedOut } from './api.ts'
import { ToastLayer } from './components/toast.tsx'
import { TooltipLayer } from './components/tooltip.tsx'
import { LogIn } from './pages/log-in/log-in-page.tsx'
import { Welcome } from './pages/welcome/welcome-page.tsx'
import { endSession } from './session.ts'
import { PageGuard } from './shell/page-guard.tsx'
import { Shell } from './shell/shell.tsx'
import { Start } from './shell/start.tsx'

export function App() {
  return (
    <Router base="/dashboard">
      <ToLogIn />
      <PageGuard>
        <Switch>
          <Route path="/login" component={LogIn} />
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

/** Whoever is not (or no longer) logged in goes to the log-in, and comes back where they were. */
function ToLogIn() {
  const [, navigate] = useLocation()
  useEffect(() => {
    whenLoggedOut(() => {
      endSession()
      const here = location.pathname.replace(/^\/dashboard/, '') + location.search
      if (here.startsWith('/login')) return
      navigate(here === '' || here === '/' ? '/login' : `/login?next=${encodeURIComponent(here)}`, { replace: true })
    })
  }, [navigate])
  return null
}
