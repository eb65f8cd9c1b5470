import { LoaderCircle, type LucideIcon } from 'lucide-react'
import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Link } from 'wouter'
import './button.css'
import { withTooltip } from './tooltip.tsx'

type Kind = 'plain' | 'primary' | 'danger' | 'quiet'
interface Looks {
  kind?: Kind
  icon?: LucideIcon
  small?: boolean
  busy?: boolean
}
interface ButtonProps extends Looks, Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> {
  children: ReactNode
}

const look = ({ kind = 'plain', small }: Looks) => `button button-${kind}${small ? ' button-small' : ''}`
function Inside({ icon: Icon, busy, children }: Looks & { children?: ReactNode }) {
  const Shown = busy ? LoaderCircle : Icon
  return (
    <>
      {Shown ? <Shown size={16} aria-hidden className={busy ? 'turning' : undefined} /> : null}
      {children}
    </>
  )
}

export function Button({ kind, icon, small, busy, children, disabled, type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={look({ kind, small })}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
    >
      <Inside icon={icon} busy={busy}>
        {children}
      </Inside>
    </button>
  )
}

export function LinkButton({ kind, icon, small, href, children }: Looks & { href: string; children: ReactNode }) {
  return (
    <Link href={href} className={look({ kind, small })}>
      <Inside icon={icon}>{children}</Inside>
    </Link>
  )
}

/** An icon without text. Its label is read aloud and shown on hover and focus. */
export function IconButton({
  icon: Icon,
  label,
  ...rest
}: Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'children'> & { icon: LucideIcon; label: string }) {
  return (
    <button type="button" {...withTooltip(label)} {...rest} aria-label={label} className="icon-button">
      <Icon size={16} aria-hidden />
    </button>
  )
}
