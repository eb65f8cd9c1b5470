// Reads an operation of the management API, or a public page, and caches the answer: shown at once on return, and
// refreshed in the background.
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ManageOperation, ManageParameters } from '../../client/src/manage-call.ts'
import { type ApiError, request } from './api.ts'
import { type Answer, manageUrl } from './manage.ts'
import type { ErrorRow, Platform } from './types.ts'
import { useWorkspace } from './workspace.tsx'

export interface Loaded<T> {
  data: T | undefined
  error: ApiError | undefined
  /** A request is in progress. `data` may hold an earlier response. */
  loading: boolean
  /** The service is busy or unreachable, and the request is being retried. */
  retrying: boolean
  /** `data` belongs to the previous path. */
  stale: boolean
  refresh(): Promise<void>
  /** Replaces the data with the response of a change. */
  put(data: T): void
}

const cache = new Map<string, unknown>()
const store = (path: string, data: unknown) => {
  cache.delete(path)
  cache.set(path, data)
  if (cache.size > 60) cache.delete(cache.keys().next().value as string)
}
const mounted = new Set<(operation: ManageOperation) => void>()
/** After a change that other parts of the page show as well. */
export function reload(operation: ManageOperation): void {
  for (const load of mounted) load(operation)
}
/** Called on sign-out. */
export const forgetData = () => cache.clear()

/** What everyone may read, outside of the management API. */
interface PublicPages {
  '/platforms': { data: Platform[] }
  '/errors.json': { data: ErrorRow[] }
}

interface DataOptions {
  /** Refreshes after so many milliseconds while the page is visible. */
  every?: number | undefined
}

/** Nothing is read without an operation. */
export function useManage<K extends ManageOperation>(
  operation: K | undefined,
  ...[given, { every } = {}]: ManageParameters<K, [DataOptions]>
): Loaded<Answer<K>> {
  const { id } = useWorkspace()
  return useData(operation && manageUrl(operation, { workspace: id, ...given }), every, operation)
}
/** All workspaces of the user. */
export const useWorkspaces = () => useManage('listWorkspaces', { query: { limit: 500 } })

export const usePublicPage = <P extends keyof PublicPages>(path: P): Loaded<PublicPages[P]> => useData(path)

function useData<T>(path: string | undefined, every?: number, operation?: ManageOperation): Loaded<T> {
  const [state, setState] = useState<{
    path?: string | undefined
    data?: T | undefined
    error?: ApiError | undefined
    loading: boolean
    retrying?: boolean
  }>(() => ({
    path,
    data: path === undefined ? undefined : (cache.get(path) as T | undefined),
    loading: path !== undefined,
  }))
  const current = useRef(path)
  current.current = path
  const pending = useRef(0)

  const load = useCallback(async (target: string, signal?: AbortSignal) => {
    setState((before) => ({ ...before, loading: true, retrying: false }))
    const onRetry = () => current.current === target && setState((before) => ({ ...before, retrying: true }))
    pending.current++
    try {
      const data = await request<T>('GET', target, { onRetry, signal })
      store(target, data)
      if (current.current === target) setState({ path: target, data, loading: false })
    } catch (error) {
      if ((error as Error).name === 'AbortError' || current.current !== target) return
      setState((before) => ({
        path: target,
        data: before.path === target ? before.data : undefined,
        error: error as ApiError,
        loading: false,
      }))
    } finally {
      pending.current--
    }
  }, [])

  useEffect(() => {
    if (path === undefined) return setState({ loading: false })
    const known = cache.get(path) as T | undefined
    if (known !== undefined) setState({ path, data: known, loading: true })
    const leaving = new AbortController()
    void load(path, leaving.signal)
    return () => leaving.abort()
  }, [path, load])

  useEffect(() => {
    const again = (changed: ManageOperation) => {
      if (changed === operation && current.current !== undefined) void load(current.current)
    }
    mounted.add(again)
    return () => void mounted.delete(again)
  }, [operation, load])

  useEffect(() => {
    if (path === undefined || !every) return
    const timer = setInterval(() => {
      if (!document.hidden && pending.current === 0) void load(path)
    }, every)
    return () => clearInterval(timer)
  }, [path, every, load])

  const refresh = useCallback(async () => {
    if (current.current !== undefined) await load(current.current)
  }, [load])
  const put = useCallback((data: T) => {
    const now = current.current
    if (now === undefined) return
    store(now, data)
    setState({ path: now, data, loading: false })
  }, [])
  return {
    data: state.data,
    error: state.error,
    loading: state.loading,
    retrying: state.retrying ?? false,
    stale: state.loading && state.path !== path,
    refresh,
    put,
  }
}
