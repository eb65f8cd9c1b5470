// `/dashboard`: opens the most recent workspace, or the welcome page if there is none.
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { Content, Skeleton } from '../components/feedback.tsx'
import { useWorkspaces } from '../use-data.ts'
import { lastWorkspace, workspacePaths } from '../workspace.tsx'

export function Start() {
  const [, navigate] = useLocation()
  const workspaces = useWorkspaces()
  const { data, error } = workspaces
  useEffect(() => {
    if (!data) return
    const last = lastWorkspace()
    const chosen = data.data.find(({ id }) => id === last) ?? data.data[0]
    navigate(chosen ? workspacePaths(chosen.id).page() : '/welcome', { replace: true })
  }, [data, navigate])
  if (error?.status === 401) return null // the sign-in page opens
  return (
    <main className="start late">
      <Content of={workspaces} shape={<Skeleton lines={3} />}>
        {() => null}
      </Content>
    </main>
  )
}
