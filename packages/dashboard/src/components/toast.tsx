// Short messages in a corner, announced to screen readers.

import { useEffect, useState } from 'react'
import { CircleCheck, CircleX } from '../lucide/icons.tsx'
import './toast.css'

type Kind = 'done' | 'failed'
let add: (text: string, kind: Kind) => void = () => {}
let clear: () => void = () => {}
export const say = (text: string, kind: Kind = 'done') => add(text, kind)
/** Clears the message when the next action starts. */
export const clearToasts = () => clear()

export function ToastLayer() {
  const [toasts, setToasts] = useState<{ id: number; text: string; kind: Kind }[]>([])
  useEffect(() => {
    let last = 0
    add = (text, kind) => {
      const id = ++last
      setToasts((before) => [...before.slice(-2), { id, text, kind }])
      setTimeout(() => setToasts((before) => before.filter((toast) => toast.id !== id)), 4_000)
    }
    clear = () => setToasts([])
    return () => {
      add = () => {}
      clear = () => {}
    }
  }, [])
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, text, kind }) => (
        <div key={id} className={kind === 'failed' ? 'toast toast-failed' : 'toast'}>
          {kind === 'failed' ? <CircleX size={16} aria-hidden /> : <CircleCheck size={16} aria-hidden />}
          {text}
        </div>
      ))}
    </div>
  )
}
