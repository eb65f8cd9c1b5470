// `/dashboard`: on to the workspace one used last, or to the first steps where there is none.
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { Failure } from '../components/feedback.tsx'
import type { Page, Workspace } from '../types.ts'
import { useData } from '../use-data.ts'
import { lastWorkspace, workspacePaths } from '../workspace.tsx'

export function Start() {
  const [, navigate] = useLocation()
  const { data, error, refresh } = useData<Page<Workspace>>('/workspaces?limit=500')
  useEffect(() => {
    if (!data) return
    const last = lastWorkspace()
    const chosen = data.data.find(({ id }) => id === last) ?? data.data[0]
    navigate(chosen ? workspacePaths(chosen.id).page() : '/welcome', { replace: true })
  }, [data, navigate])
  return error && error.status !== 401 ? (
    <main className="page">
      <Failure error={error} retry={() => void refresh()} />
    </main>
  ) : null
}
