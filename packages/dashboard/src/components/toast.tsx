// Short messages in a corner, announced to screen readers.
import { CircleCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import './toast.css'

let add: (text: string) => void = () => {}
let clear: () => void = () => {}
export const say = (text: string) => add(text)
/** Clears the message when the next action starts. */
export const clearToasts = () => clear()

export function ToastLayer() {
  const [toasts, setToasts] = useState<{ id: number; text: string }[]>([])
  useEffect(() => {
    let last = 0
    add = (text) => {
      const id = ++last
      setToasts((before) => [...before.slice(-2), { id, text }])
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
      {toasts.map(({ id, text }) => (
        <div key={id} className="toast">
          <CircleCheck size={16} aria-hidden />
          {text}
        </div>
      ))}
    </div>
  )
}
