// The route of the explorer: account, entity type, and view in the path, the rest in the query.
import { useMemo } from 'react'
import { useLocation } from 'wouter'
import { withQuery } from '../../api.ts'
import { type EntityType, entityTypes } from '../../types.ts'
import { useQuery } from '../../use-query.ts'
import { useWorkspace } from '../../workspace.tsx'

export type View = 'compare' | 'native' | 'edit' | 'new' | 'call'
export interface ExplorerRoute {
  accountId: string
  entityType: EntityType | undefined
  view: View
  record: string
  cursor: string
  page: number
  mappingKey: string
  search: string
  /** Only records changed since then: a number of days. */
  days: string
  /** Of a native call to begin with. */
  path: string
}
const views: readonly string[] = ['native', 'edit', 'new', 'call']
/** The views of existing records. */
export const isReading = (view: View): boolean => view === 'compare' || view === 'native'

export function useExplorerRoute() {
  const [path, navigate] = useLocation()
  const query = useQuery()
  const workspace = useWorkspace()
  return useMemo(() => {
    const [accountId = '', entity = '', view = ''] = path
      .slice(workspace.page('explorer').length + 1)
      .split('/')
      .map(decodeURIComponent)
    const route: ExplorerRoute = {
      accountId,
      entityType: entityTypes.find((type) => type === entity),
      view: views.includes(view) ? (view as View) : 'compare',
      record: query.get('record'),
      cursor: query.get('cursor'),
      page: Number(query.get('page')) || 1,
      mappingKey: query.get('mappingKey'),
      search: query.get('search'),
      days: query.get('days'),
      path: query.get('path'),
    }
    const address = (change: Partial<ExplorerRoute>) => {
      const next = { ...route, ...change }
      const parts = [next.accountId, next.entityType ?? '', next.view === 'compare' ? '' : next.view].filter(Boolean)
      return withQuery(workspace.page('explorer', ...parts), {
        mappingKey: next.mappingKey,
        search: next.search,
        days: next.days,
        cursor: next.cursor,
        page: next.page > 1 ? next.page : undefined,
        record: next.record,
        path: next.view === 'call' ? next.path : undefined,
      })
    }
    return {
      route,
      address,
      go: (change: Partial<ExplorerRoute>, how: 'push' | 'replace' = 'push') =>
        navigate(address(change), { replace: how === 'replace' }),
    }
  }, [path, query, workspace, navigate])
}
