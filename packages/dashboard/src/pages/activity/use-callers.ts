import { useMemo } from 'react'
import { useManage } from '../../use-data.ts'

/** Names of credentials by ID. */
export function useCallers(): ReadonlyMap<string, string> {
  const keys = useManage('listApiKeys', { query: { limit: 500 } }).data
  const ids = useManage('listAccessIds', { query: { limit: 500 } }).data
  return useMemo(
    () => new Map([...(keys?.data ?? []), ...(ids?.data ?? [])].map(({ id, name }) => [id, name])),
    [keys, ids],
  )
}
