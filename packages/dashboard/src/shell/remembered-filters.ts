// Navigation links restore the last filters of a list.
import { useEffect } from 'react'
import { useLocation, useSearch } from 'wouter'
import { navigation } from '../routes.tsx'
import { useWorkspace } from '../workspace.tsx'

const filters = new Map<string, string>()

export function useRememberedFilters(): ReadonlyMap<string, string> {
  const { page } = useWorkspace()
  const [location] = useLocation()
  const search = useSearch()
  useEffect(() => {
    if (!navigation.some(({ path }) => path !== '' && page(path) === location)) return
    const remaining = new URLSearchParams(search)
    remaining.delete('after')
    filters.set(location, remaining.size > 0 ? `?${remaining}` : '')
  }, [location, search, page])
  return filters
}
