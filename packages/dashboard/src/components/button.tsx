import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Link } from 'wouter'
import { type Needs, useDenial } from '../access.tsx'
import type { Icon } from '../lucide/icon.tsx'
import { LoaderCircle } from '../lucide/icons.tsx'
import './button.css'
import { withTooltip } from './tooltip.tsx'

type Kind = 'plain' | 'primary' | 'danger' | 'quiet'
interface Looks {
  kind?: Kind
  icon?: Icon
  small?: boolean
  busy?: boolean
  /** Without this role it is disabled, and says why. */
  needs?: Needs
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

export function Button({ kind, icon, small, busy, needs, children, disabled, type = 'button', ...rest }: ButtonProps) {
  const denial = useDenial(needs)
  if (denial) return <Denied looks={{ kind, icon, small }} reason={denial} text={children} />
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

function Denied({ looks, reason, text }: { looks: Looks; reason: string; text: ReactNode }) {
  return (
    <span className="button-denied" title={reason}>
      <button type="button" className={look(looks)} disabled>
        <Inside icon={looks.icon}>{text}</Inside>
      </button>
    </span>
  )
}

export function LinkButton({
  kind,
  icon,
  small,
  needs,
  href,
  children,
}: Looks & { href: string; children: ReactNode }) {
  const denial = useDenial(needs)
  if (denial) return <Denied looks={{ kind, icon, small }} reason={denial} text={children} />
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
  needs,
  ...rest
}: Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'children'> &
  Pick<Looks, 'needs'> & { icon: Icon; label: string }) {
  const denial = useDenial(needs)
  if (denial)
    return (
      <span className="button-denied" title={denial}>
        <button type="button" aria-label={label} className="icon-button" disabled>
          <Icon size={16} aria-hidden />
        </button>
      </span>
    )
  return (
    <button type="button" {...withTooltip(label)} {...rest} aria-label={label} className="icon-button">
      <Icon size={16} aria-hidden />
    </button>
  )
}
