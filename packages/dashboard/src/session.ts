// Who is logged in. The session itself is a cookie that scripts cannot read; here is only the name and the token against forged requests.
import { useEffect, useState } from 'react'
import { expectCsrf, manage } from './api.ts'
import type { Session } from './types.ts'
import { forgetData } from './use-data.ts'

let current: Promise<Session> | undefined

/** Asked once; changes wait for it, reads do not. */
export function currentSession(): Promise<Session> {
  if (!current) {
    current = manage.get<Session>('/sessions/current')
    expectCsrf(current.then(({ csrf }) => csrf))
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
  const session = await manage.post<Session>('/sessions', { user, password, cookie: true })
  current = Promise.resolve(session)
  expectCsrf(Promise.resolve(session.csrf))
}

export async function logOut(): Promise<void> {
  await manage.delete('/sessions').catch(() => {})
  endSession()
}
/** After this the next question is who is there. */
export function endSession(): void {
  current = undefined
  forgetData()
}
