import { useMemo } from 'react'
import type { Credential, Page } from '../../types.ts'
import { useData } from '../../use-data.ts'
import { useWorkspace } from '../../workspace.tsx'

/** Names of credentials by ID. */
export function useCallers(): ReadonlyMap<string, string> {
  const { api } = useWorkspace()
  const keys = useData<Page<Credential>>(`${api('api-keys')}?limit=500`).data
  const ids = useData<Page<Credential>>(`${api('access-ids')}?limit=500`).data
  return useMemo(
    () => new Map([...(keys?.data ?? []), ...(ids?.data ?? [])].map(({ id, name }) => [id, name])),
    [keys, ids],
  )
}
