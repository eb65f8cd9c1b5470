// The latest changes of an account, followed by long poll while the page is visible and not paused.
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ListLatestChangesAnswer } from '../../../../client/src/generated/manage.ts'
import { sleep } from '../../../../client/src/waiting.ts'
import { ApiError, manage, withQuery } from '../../api.ts'
import { type ChangeList, merged, noChanges } from './change-list.ts'

const pageSize = 50
const waitSeconds = 25
const retryMs = 2_000
/** A proxy may drop the Prefer header, and then no response waits. */
const shortestMs = 1_000

interface State extends ChangeList {
  path: string
  trouble: 'reconnecting' | ApiError | undefined
}
export interface Following extends Omit<State, 'path'> {
  loadOlder(): Promise<void>
  retry(): void
}
const empty = (path: string): State => ({
  path,
  ...noChanges,
  trouble: undefined,
})

export function useChanges(path: string, entityType: string, paused: boolean): Following {
  const key = withQuery(path, { entityType, limit: pageSize })
  const [stored, setStored] = useState(() => empty(key))
  const state = stored.path === key ? stored : empty(key)
  const newest = useRef<{ key: string; sequence: number }>(undefined)
  const visible = useVisible()
  const [attempt, setAttempt] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` starts it again after an error
  useEffect(() => {
    const isFirst = newest.current?.key !== key
    if (!visible || (paused && !isFirst)) return
    const leaving = new AbortController()
    const { signal } = leaving
    const change = (next: (before: State) => State) => {
      if (!signal.aborted) setStored((before) => next(before.path === key ? before : empty(key)))
    }
    const read = async (since: number | undefined, wait: number) => {
      const failing = new AbortController()
      const page = await manage.get<ListLatestChangesAnswer>(since === undefined ? key : `${key}&since=${since}`, {
        signal: AbortSignal.any([signal, failing.signal]),
        headers: { prefer: `wait=${wait}` },
        onRetry: () => failing.abort(), // requested again below, without a wait
      })
      if (signal.aborted) return page
      newest.current = { key, sequence: page.data[0]?.sequence ?? since ?? 0 }
      change((before) => ({ ...before, ...merged(before, page, since !== undefined), trouble: undefined }))
      return page
    }
    const follow = async () => {
      let wait = 0
      while (!signal.aborted) {
        const since = newest.current?.key === key ? newest.current.sequence : undefined
        const began = performance.now()
        try {
          const { data } = await read(since, wait)
          if (paused) return
          if (wait > 0 && data.length === 0 && performance.now() - began < shortestMs) await sleep(shortestMs, signal)
          wait = waitSeconds
        } catch (error) {
          if (signal.aborted) return
          const isOutage = error instanceof ApiError ? error.outage : (error as Error).name === 'AbortError'
          change((before) => ({ ...before, trouble: isOutage ? 'reconnecting' : (error as ApiError) }))
          if (!isOutage) return
          wait = 0
          await sleep(retryMs, signal)
        }
      }
    }
    follow().catch(() => {}) // the sleep ends when the page is left
    return () => leaving.abort()
  }, [key, paused, visible, attempt])

  const { older } = state
  return {
    ...state,
    loadOlder: useCallback(async () => {
      const page = await manage.get<ListLatestChangesAnswer>(`${key}&after=${older}`)
      setStored((before) =>
        before.path === key
          ? { ...before, changes: [...(before.changes ?? []), ...page.data], older: page.next }
          : before,
      )
    }, [key, older]),
    retry: () => setAttempt((before) => before + 1),
  }
}

function useVisible(): boolean {
  const [visible, setVisible] = useState(!document.hidden)
  useEffect(() => {
    const look = () => setVisible(!document.hidden)
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return visible
}
