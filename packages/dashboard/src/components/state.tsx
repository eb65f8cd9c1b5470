import type { ReactNode } from 'react'
import { CircleAlert, CircleCheck, CircleDashed, CircleMinus, CircleX, Info } from '../lucide/icons.tsx'
import './state.css'

export type Tone = 'ok' | 'waiting' | 'attention' | 'broken' | 'idle' | 'info'
const icons = {
  ok: CircleCheck,
  waiting: CircleDashed,
  attention: CircleAlert,
  broken: CircleX,
  idle: CircleMinus,
  info: Info,
}

/** Color is never the only signal: each state also has a shape and a label. */
export function State({ tone, children }: { tone: Tone; children: ReactNode }) {
  const Icon = icons[tone]
  return (
    <span className={`state state-${tone}`}>
      <Icon size={13} strokeWidth={2.25} aria-hidden />
      {children}
    </span>
  )
}
/** A label that is not a state: an entity type, a vertical, a method. */
export const Tag = ({ children }: { children: ReactNode }) => <span className="tag">{children}</span>

/** An account in a test environment of its platform. */
export const TestTag = ({ of }: { of: { test?: boolean } }) => (of.test ? <Tag>Test</Tag> : null)

/** `failing`: the last test of the connection failed, so the account is not shown as active. */
export function AccountState({ state, failing = false }: { state: string; failing?: boolean }) {
  if (state === 'active') return failing ? <State tone="broken">Failing</State> : <State tone="ok">Active</State>
  return state === 'disabled' ? <State tone="idle">Disabled</State> : <State tone="attention">Reconnect</State>
}

const toneOfStatus = (status: number): Tone =>
  status < 400 ? 'ok' : status === 429 ? 'waiting' : status < 500 ? 'attention' : 'broken'
export const HttpStatus = ({ status }: { status: number }) => (
  <State tone={toneOfStatus(status)}>
    <span className="number">{status || 'no response'}</span>
  </State>
)
