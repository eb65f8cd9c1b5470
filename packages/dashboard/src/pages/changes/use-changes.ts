// The latest changes of an account, followed by long poll while the page is visible and not paused.
import { useCallback, useEffect, useRef, useState } from 'react'
import { sleep } from '../../../../client/src/waiting.ts'
import { ApiError } from '../../api.ts'
import type { CallOptions } from '../../manage.ts'
import { useWorkspace } from '../../workspace.tsx'
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

export function useChanges(accountId: string, entityType: string, paused: boolean): Following {
  const { call } = useWorkspace()
  const key = `${accountId} ${entityType}`
  const page = useCallback(
    (position: { since?: number | undefined; after?: string | undefined }, options?: CallOptions) =>
      call('listLatestChanges', { path: { accountId }, query: { entityType, limit: pageSize, ...position } }, options),
    [call, accountId, entityType],
  )
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
      const options = {
        signal: AbortSignal.any([signal, failing.signal]),
        headers: { prefer: `wait=${wait}` },
        onRetry: () => failing.abort(), // requested again below, without a wait
      }
      const found = await page({ since }, options)
      if (signal.aborted) return found
      newest.current = { key, sequence: found.data[0]?.sequence ?? since ?? 0 }
      change((before) => ({ ...before, ...merged(before, found, since !== undefined), trouble: undefined }))
      return found
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
  }, [key, page, paused, visible, attempt])

  const { older } = state
  return {
    ...state,
    loadOlder: useCallback(async () => {
      const { data, next } = await page({ after: older })
      setStored((before) =>
        before.path === key ? { ...before, changes: [...(before.changes ?? []), ...data], older: next } : before,
      )
    }, [key, page, older]),
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
