import type { ReactNode } from 'react'
import { KeyRound } from '../lucide/icons.tsx'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { CopyButton } from './identifier.tsx'
import './secret-box.css'

/** A secret that is shown once and must be dismissed explicitly. */
export function SecretBox({
  title,
  secrets,
  sentence,
  why = 'Only a hash is stored, so it cannot be shown again.',
  onDone,
}: {
  title: string
  secrets: readonly { label: string; value: string }[]
  sentence: ReactNode
  why?: string
  onDone(): void
}) {
  return (
    <Dialog title={title} must onClose={onDone}>
      <div className="secret-once">
        <KeyRound size={16} aria-hidden />
        <span>Shown only once. {why}</span>
      </div>
      {secrets.map(({ label, value }) => (
        <div key={label} className="secret">
          <div className="small faint">{label}</div>
          <div className="secret-value">
            <code>{value}</code>
            <CopyButton text={value} label="Copy" word />
          </div>
        </div>
      ))}
      <div className="soft">{sentence}</div>
      <div className="dialog-actions">
        <Button kind="primary" onClick={onDone}>
          I saved it
        </Button>
      </div>
    </Dialog>
  )
}
