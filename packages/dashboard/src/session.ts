// The current session. The session itself is a cookie that scripts cannot read; this module has the user name and the
// CSRF token.

import { useEffect, useState } from 'react'
import { ApiError, provideCsrfToken } from './api.ts'
import { call } from './manage.ts'
import type { Session } from './types.ts'
import { forgetData } from './use-data.ts'

let current: Promise<Session> | undefined
provideCsrfToken(async () => (await currentSession()).csrf)

/** Requested once and shared. Changes wait for it, reads do not. */
function currentSession(): Promise<Session> {
  if (!current) {
    current = call('getSession')
    current.catch(() => {
      current = undefined
    })
  }
  return current
}

/** Undefined until it is known. */
export function useSession(): Session | undefined {
  const [session, setSession] = useState<Session>()
  useEffect(() => {
    currentSession().then(setSession, () => {})
  }, [])
  return session
}

/** The public URL of the service. The dashboard may be on a separate port. */
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

export async function signIn(user: string, password: string): Promise<void> {
  await call('logIn', { body: { user, password, cookie: true } }, { open: true })
  endSession()
}
/** Opens the page of the identity provider, which returns to /sso. */
export async function beginSso(next: string, invitation?: string): Promise<void> {
  const { url } = await call('beginSso', { body: { invitation } }, { open: true })
  sessionStorage.setItem(nextKey, next)
  location.assign(url)
}
/** Returns where to go. */
export async function finishSso(query: string): Promise<string> {
  await call('finishSso', { body: { query } }, { open: true })
  endSession()
  const next = sessionStorage.getItem(nextKey) ?? '/'
  sessionStorage.removeItem(nextKey)
  return next
}
const nextKey = 'sso-next'

/** Throws if the session still exists afterwards. */
export async function signOut(): Promise<void> {
  try {
    await call('logOut')
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) throw error // 401: the session had ended before
  }
  endSession()
}
/** Clears the session; the next page requests it again. */
export function endSession(): void {
  current = undefined
  forgetData()
}
