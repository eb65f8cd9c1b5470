// Filters are in the URL, so that they can be shared and Back works. Typing replaces the history entry; choosing adds
// one.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'

export interface Query {
  get(name: string): string
  set(changes: Record<string, string | undefined>, how?: 'push' | 'replace'): void
  clear(): void
  /** Whether any filter is set, apart from the page position. */
  filtered: boolean
  text: string
}

export function useQuery(): Query {
  const search = useSearch()
  const [path, navigate] = useLocation()
  return useMemo(() => {
    const parameters = new URLSearchParams(search)
    const filters = [...parameters.keys()].filter((name) => name !== 'after')
    return {
      get: (name) => parameters.get(name) ?? '',
      set(changes, how = 'push') {
        // Read again: two changes may come before the next render.
        const next = new URLSearchParams(location.search)
        for (const [name, value] of Object.entries(changes)) {
          if (value) next.set(name, value)
          else next.delete(name)
        }
        if (!('after' in changes)) next.delete('after')
        const text = next.toString()
        navigate(text ? `${path}?${text}` : path, { replace: how === 'replace' })
      },
      clear: () => navigate(path),
      filtered: filters.length > 0,
      text: search,
    }
  }, [search, path, navigate])
}

/** A text filter: the field updates at once, the URL after a short delay. */
export function useTyped(query: Query, name: string): [string, (text: string) => void] {
  const inAddress = query.get(name)
  const [text, setText] = useState(inAddress)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const sent = useRef(inAddress)
  useEffect(() => {
    if (inAddress !== sent.current) setText(inAddress) // Back, or a link
    sent.current = inAddress
  }, [inAddress])
  useEffect(() => () => clearTimeout(timer.current), [])
  const change = useCallback(
    (next: string) => {
      setText(next)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => {
        sent.current = next.trim()
        query.set({ [name]: next.trim() }, 'replace')
      }, 180)
    },
    [query, name],
  )
  return [text, change]
}
