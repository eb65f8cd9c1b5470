// Reads a path and keeps what it answered: shown at once when one comes back, and asked again behind it.
import { useCallback, useEffect, useRef, useState } from 'react'
import { type ApiError, request } from './api.ts'

export interface Loaded<T> {
  data: T | undefined
  error: ApiError | undefined
  /** Asking, with or without something to show meanwhile. */
  loading: boolean
  /** The service is busy or cannot be reached, and the request is being repeated. */
  retrying: boolean
  /** What is shown belongs to the question before this one. */
  stale: boolean
  refresh(): Promise<void>
  /** Puts in what a change has answered, without asking again. */
  put(data: T): void
}

const kept = new Map<string, unknown>()
const keep = (path: string, data: unknown) => {
  kept.delete(path)
  kept.set(path, data)
  if (kept.size > 60) kept.delete(kept.keys().next().value as string)
}
/** After log-out nothing of the session stays. */
export const forgetData = () => kept.clear()

interface DataOptions {
  /** Asks again after so many milliseconds, while the page is seen. */
  every?: number | undefined
  /** What everybody may read stands outside of the management API. */
  open?: boolean
}

export function useData<T>(asked: string | undefined, { every, open = false }: DataOptions = {}): Loaded<T> {
  const path = asked === undefined || open ? asked : `/manage/v1${asked}` // the whole of it: both sides have a /platforms
  const [state, setState] = useState<{ path?: string | undefined; data?: T | undefined; error?: ApiError | undefined; loading: boolean; retrying?: boolean }>(() => ({
    path,
    data: path === undefined ? undefined : (kept.get(path) as T | undefined),
    loading: path !== undefined,
  }))
  const current = useRef(path)
  current.current = path
  const pending = useRef(0)

  const load = useCallback(async (wanted: string, signal?: AbortSignal) => {
    setState((before) => ({ ...before, loading: true, retrying: false }))
    const onRetry = () => current.current === wanted && setState((before) => ({ ...before, retrying: true }))
    pending.current++
    try {
      const data = await request<T>('GET', wanted, { onRetry, ...(signal ? { signal } : {}) })
      keep(wanted, data)
      if (current.current === wanted) setState({ path: wanted, data, loading: false })
    } catch (error) {
      if ((error as Error).name === 'AbortError' || current.current !== wanted) return
      setState((before) => ({ path: wanted, data: before.path === wanted ? before.data : undefined, error: error as ApiError, loading: false }))
    } finally {
      pending.current--
    }
  }, [])

  useEffect(() => {
    if (path === undefined) return setState({ loading: false })
    const known = kept.get(path) as T | undefined
    if (known !== undefined) setState({ path, data: known, loading: true })
    const leaving = new AbortController()
    void load(path, leaving.signal)
    return () => leaving.abort()
  }, [path, load])

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
    keep(now, data)
    setState({ path: now, data, loading: false })
  }, [])
  return { data: state.data, error: state.error, loading: state.loading, retrying: state.retrying ?? false, stale: state.loading && state.path !== path, refresh, put }
}
