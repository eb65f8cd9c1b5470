import { Fragment, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { type Needs, useAccess } from '../access.tsx'
import type { Icon } from '../lucide/icon.tsx'
import './menu.css'

export interface MenuEntry {
  label: string
  icon?: Icon
  danger?: boolean
  current?: boolean
  /** Draws a separator above the entry. */
  apart?: boolean
  /** Without this role it is not offered. */
  needs?: Needs
  run(): void
}

/** A button that opens a list of actions: arrows move, Escape closes, focus returns to the button. */
export function Menu({
  label,
  button,
  entries: all,
  className,
  side = 'right',
}: {
  label: string
  button: ReactNode
  entries: readonly MenuEntry[]
  className: string
  side?: 'left' | 'right'
}) {
  const access = useAccess()
  const entries = all.filter(({ needs }) => access.denial(needs) === undefined)
  const [open, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  useEffect(() => {
    if (!open) return
    list.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus()
    const outside = (event: PointerEvent) => {
      if (!list.current?.contains(event.target as Node) && !opener.current?.contains(event.target as Node))
        setOpen(false)
    }
    document.addEventListener('pointerdown', outside)
    return () => document.removeEventListener('pointerdown', outside)
  }, [open])
  const close = () => {
    setOpen(false)
    opener.current?.focus()
  }
  const move = (event: KeyboardEvent) => {
    const items = [...(list.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
    const at = items.indexOf(document.activeElement as HTMLElement)
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key]
    if (event.key === 'Escape') close()
    else if (event.key === 'Tab') setOpen(false)
    else if (next !== undefined) items.at(next % items.length)?.focus()
    else return
    if (event.key !== 'Tab') event.preventDefault()
  }
  if (entries.length === 0) return null
  return (
    <div className="menu">
      <button
        ref={opener}
        type="button"
        className={className}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-label={label}
        onClick={() => setOpen(!open)}
      >
        {button}
      </button>
      {open ? (
        <div
          ref={list}
          id={id}
          role="menu"
          tabIndex={-1}
          aria-label={label}
          className={`menu-list menu-${side}`}
          onKeyDown={move}
        >
          {entries.map(({ label: text, icon: Icon, danger, current, apart, run }) => (
            <Fragment key={text}>
              {apart ? <hr className="menu-line" /> : null}
              <button
                type="button"
                role="menuitem"
                tabIndex={-1}
                aria-current={current || undefined}
                className={danger ? 'menu-entry menu-danger' : 'menu-entry'}
                onClick={() => {
                  close()
                  run()
                }}
              >
                {Icon ? <Icon size={15} aria-hidden /> : null}
                {text}
              </button>
            </Fragment>
          ))}
        </div>
      ) : null}
    </div>
  )
}
