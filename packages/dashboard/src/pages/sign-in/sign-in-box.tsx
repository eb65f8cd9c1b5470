import { type ReactNode, useEffect } from 'react'
import './sign-in.css'

/** The frame of pages without a session. */
export function SignInBox({ title, about, children }: { title: string; about: ReactNode; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Unified Records`
  }, [title])
  return (
    <main className="sign-in">
      <div className="sign-in-box">
        <img src="/dashboard/mark.svg" width={36} height={36} alt="" />
        <div className="stack-small">
          <h1>{title}</h1>
          <p className="soft">{about}</p>
        </div>
        {children}
      </div>
    </main>
  )
}
