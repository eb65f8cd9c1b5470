import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef, useState } from 'react'
import type { ApiError } from '../api.ts'
import { X } from '../lucide/icons.tsx'
import { useAction } from '../use-action.ts'
import { Button, IconButton } from './button.tsx'
import { Failure } from './feedback.tsx'
import { TextField } from './field.tsx'
import './dialog.css'

interface DialogProps {
  title: string
  onClose(): void
  /** Only its own buttons close it: Escape and the backdrop do not. */
  must?: boolean
  wide?: boolean
  /** The title is for screen readers only. */
  bare?: boolean
  children: ReactNode
}

/** The browser's modal dialog: traps focus and restores it afterwards. */
export function Dialog({ title, onClose, must, wide, bare, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = element.current
    const before = document.activeElement
    dialog?.showModal()
    // The close button comes first in tab order, but a form opens with its first field focused.
    dialog?.querySelector<HTMLElement>('input, select, textarea')?.focus()
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  const cancel = (event: SyntheticEvent) => {
    event.preventDefault()
    if (!must) onClose()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it from the keyboard
    <dialog
      ref={element}
      className={wide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={id}
      onCancel={cancel}
      onClick={(event) => event.target === element.current && cancel(event)}
    >
      <div className="dialog-inside">
        <header className={bare ? 'unseen' : 'dialog-header'}>
          <h2 id={id}>{title}</h2>
          {must || bare ? null : <IconButton icon={X} label="Close" onClick={onClose} />}
        </header>
        {children}
      </div>
    </dialog>
  )
}

/** A form in a dialog: one action, its error, and a cancel button. */
export function FormDialog({
  title,
  submit,
  onClose,
  action,
  danger,
  ready = true,
  wide,
  kept = 'Your input is still here.',
  failure = (error) => <Failure error={error} kept={kept} />,
  children,
}: {
  title: string
  submit: string
  onClose(): void
  action: { run(): Promise<void>; busy: boolean; error: ApiError | undefined }
  danger?: boolean
  ready?: boolean
  wide?: boolean
  /** Shown with a failure: what was not changed. */
  kept?: string
  failure?(error: ApiError): ReactNode
  children: ReactNode
}) {
  return (
    <Dialog title={title} onClose={onClose} wide={wide}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (ready) void action.run()
        }}
      >
        {children}
        {action.error ? failure(action.error) : null}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind={danger ? 'danger' : 'primary'} type="submit" busy={action.busy} disabled={!ready}>
            {submit}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface ConfirmProps {
  title: string
  /** The effect of the action. */
  consequence: ReactNode
  submit: string
  /** Required only for actions that cannot be undone. */
  typed?: string
  onClose(): void
  onConfirm(): Promise<unknown>
}
export function Confirm({ title, consequence, submit, typed, onClose, onConfirm }: ConfirmProps) {
  const [text, setText] = useState('')
  const action = useAction(async () => {
    await onConfirm()
    onClose()
  })
  return (
    <FormDialog
      title={title}
      submit={submit}
      danger
      onClose={onClose}
      action={action}
      ready={!typed || text === typed}
      kept=""
    >
      <div className="stack-small soft">{consequence}</div>
      {typed ? (
        <TextField
          label={`Type “${typed}” to confirm`}
          value={text}
          onChange={setText}
          autoComplete="off"
          spellCheck={false}
        />
      ) : null}
    </FormDialog>
  )
}
