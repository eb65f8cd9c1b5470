import { Suspense, useEffect, useMemo, useState } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { AccessContext, accessOf } from '../access.tsx'
import { Button, IconButton } from '../components/button.tsx'
import { Empty, Skeleton } from '../components/feedback.tsx'
import { Page } from '../components/page.tsx'
import { Menu as MenuIcon, X } from '../lucide/icons.tsx'
import { pageRoutes } from '../routes.tsx'
import { useSession } from '../session.ts'
import { rememberWorkspace, useWorkspace, WorkspaceContext, workspacePaths } from '../workspace.tsx'
import { PageGuard } from './page-guard.tsx'
import { Palette } from './palette.tsx'
import { isTyping, Shortcuts, searchKeys } from './shortcuts.tsx'
import { Sidebar, WorkspaceName } from './sidebar.tsx'
import './shell.css'

export function Shell({ workspaceId }: { workspaceId: string }) {
  const paths = useMemo(() => workspacePaths(workspaceId), [workspaceId])
  const session = useSession() // redirects to the sign-in page without a session
  const access = useMemo(() => accessOf(session, workspaceId), [session, workspaceId])
  const [drawer, setDrawer] = useState(false)
  const [palette, setPalette] = useState(false)
  const [shortcuts, setShortcuts] = useState(false)
  const [location] = useLocation()
  useEffect(() => {
    rememberWorkspace(workspaceId)
  }, [workspaceId])
  // biome-ignore lint/correctness/useExhaustiveDependencies: going somewhere closes the drawer
  useEffect(() => setDrawer(false), [location])
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey) {
        event.preventDefault()
        setPalette((before) => !before)
      } else if (event.key === '?' && !isTyping(event.target) && !document.querySelector('dialog[open]'))
        setShortcuts(true)
      else if (event.key === 'Escape') setDrawer(false)
    }
    addEventListener('keydown', open)
    return () => removeEventListener('keydown', open)
  }, [])
  return (
    <WorkspaceContext value={paths}>
      <AccessContext value={access}>
        <a className="skip" href="#content">
          Skip to content
        </a>
        <div className={drawer ? 'shell shell-open' : 'shell'}>
          <header className="topbar">
            <IconButton
              icon={drawer ? X : MenuIcon}
              label={drawer ? 'Close navigation' : 'Open navigation'}
              aria-expanded={drawer}
              onClick={() => setDrawer(!drawer)}
            />
            <span className="topbar-name">
              <WorkspaceName />
            </span>
          </header>
          <Sidebar onSearch={() => setPalette(true)} onShortcuts={() => setShortcuts(true)} />
          {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape and the button close it too */}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: see above */}
          <div className="shell-scrim" onClick={() => setDrawer(false)} />
          <main id="content" tabIndex={-1} className="shell-content">
            <PageGuard key={location}>
              <Suspense fallback={<PageShape />}>
                <Switch>
                  {pageRoutes.map(({ path, page }) => (
                    <Route key={path} path={`/w/:workspaceId${path === '/' ? '' : path}`} component={page} />
                  ))}
                  <Route component={NoPage} />
                </Switch>
              </Suspense>
            </PageGuard>
          </main>
        </div>
        {palette ? <Palette onClose={() => setPalette(false)} /> : null}
        {shortcuts ? <Shortcuts onClose={() => setShortcuts(false)} /> : null}
      </AccessContext>
    </WorkspaceContext>
  )
}

/** Placeholder while the code of a page loads. */
const PageShape = () => (
  <div className="page late" aria-busy="true">
    <Skeleton lines={6} />
  </div>
)

function NoPage() {
  const { page } = useWorkspace()
  const [, navigate] = useLocation()
  return (
    <Page title="Page not found">
      <Empty
        icon={X}
        title="Page not found"
        action={
          <Button kind="primary" onClick={() => navigate(page())}>
            Go to overview
          </Button>
        }
      >
        The link may be out of date or incomplete. Press {searchKeys} to search accounts, pages, and requests.
      </Empty>
    </Page>
  )
}
