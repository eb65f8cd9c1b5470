import { useEffect, useState } from 'react'
import { useWorkspace } from '../../workspace.tsx'
import type { Described } from './responses.ts'
import { type Json, readTemplate } from './template.ts'

/** Undefined while existing records are being read. If the platform cannot be read, the template does without them. */
export function useTemplate(described: Described | undefined, accountId: string): Json | undefined {
  const { call } = useWorkspace()
  const [template, setTemplate] = useState<Json>()
  useEffect(() => {
    if (!described) return
    const leaving = new AbortController()
    const { signal } = leaving
    const read = (type: string) =>
      call('exploreRecords', { path: { accountId, entityType: type }, query: { pageSize: 20 } }, { signal }).then(
        ({ data }) => data,
        () => [],
      )
    void readTemplate(described, read).then((found) => signal.aborted || setTemplate(found))
    return () => leaving.abort()
  }, [call, described, accountId])
  return template
}
