// Who is logged in. The session itself is a cookie that scripts cannot read; this module holds the user name and the CSRF token.
import { useEffect, useState } from 'react'
import { ApiError, manage, provideCsrfToken } from './api.ts'
import type { Session } from './types.ts'
import { forgetData } from './use-data.ts'

let current: Promise<Session> | undefined
let loggingIn = false
provideCsrfToken(async () => (loggingIn ? '' : (await currentSession()).csrf))

/** Requested once and shared. Changes wait for it, reads do not. */
export function currentSession(): Promise<Session> {
  if (!current) {
    current = manage.get<Session>('/sessions/current')
    current.catch(() => {
      current = undefined
    })
  }
  return current
}

/** Where callers reach the service: not always where the dashboard is, because it can have a port of its own. */
export function usePublicUrl(): string {
  const [url, setUrl] = useState(location.origin)
  useEffect(() => {
    currentSession().then(
      ({ publicUrl }) => setUrl(publicUrl),
      () => {},
    )
  }, [])
  return url
}

export async function logIn(user: string, password: string): Promise<void> {
  loggingIn = true
  try {
    current = Promise.resolve(await manage.post<Session>('/sessions', { user, password, cookie: true }))
  } finally {
    loggingIn = false
  }
}

/** Throws if the session still exists afterwards. */
export async function logOut(): Promise<void> {
  try {
    await manage.delete('/sessions')
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) throw error // 401: the session had ended before
  }
  endSession()
}
/** Forgets the session; the next page asks for it again. */
export function endSession(): void {
  current = undefined
  forgetData()
}
