import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import './page.css'

interface PageProps {
  title: string
  /** State next to the title. Its space is reserved so that the layout does not shift. */
  state?: ReactNode
  /** A sentence or identifying facts below the title. */
  about?: ReactNode
  /** The list that the object belongs to. */
  parent?: { label: string; href: string }
  actions?: ReactNode
  children: ReactNode
}

export function Page({ title, state, about, parent, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Unified Records`
  }, [title])
  return (
    <div className="page">
      <header className="page-header">
        <div className="page-name">
          {parent ? (
            <Link href={parent.href} className="page-parent">
              {parent.label}
            </Link>
          ) : null}
          <div className="row">
            <h1>{title}</h1>
            {state === undefined ? null : <span className="page-state">{state}</span>}
          </div>
          {about ? <div className="page-about">{about}</div> : null}
        </div>
        {actions ? <div className="page-actions">{actions}</div> : null}
      </header>
      <div className="page-content">{children}</div>
    </div>
  )
}

export function Tabs({
  label,
  tabs,
  current,
}: {
  label: string
  tabs: readonly { id: string; label: string; href: string }[]
  current: string
}) {
  const list = useRef<HTMLElement>(null)
  // On a phone the current tab may be outside of the visible part.
  // biome-ignore lint/correctness/useExhaustiveDependencies: again when the current tab changes
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('[aria-current]')
    if (tab && list.current) list.current.scrollLeft = tab.offsetLeft - (list.current.clientWidth - tab.clientWidth) / 2
  }, [current])
  return (
    <nav ref={list} className="tabs" aria-label={label}>
      {tabs.map(({ id, label: text, href }) => (
        <Link key={id} href={href} className="tab" aria-current={id === current ? 'page' : undefined}>
          {text}
        </Link>
      ))}
    </nav>
  )
}

/** A section with a border. */
export function Section({
  title,
  about,
  actions,
  flush,
  children,
}: {
  title?: string
  about?: ReactNode
  actions?: ReactNode
  flush?: boolean
  children: ReactNode
}) {
  return (
    <section className="section">
      {title || actions ? (
        <header className="section-header">
          <div>
            {title ? <h2>{title}</h2> : null}
            {about ? <p className="section-about">{about}</p> : null}
          </div>
          {actions ? <div className="row">{actions}</div> : null}
        </header>
      ) : null}
      <div className={flush ? 'section-flush' : 'section-content'}>{children}</div>
    </section>
  )
}

/** A section with a heading and no border, for lists. */
export function Part({
  title,
  about,
  actions,
  children,
}: {
  title: string
  about?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <section className="part">
      <header className="spread">
        <div>
          <h2>{title}</h2>
          {about ? <p className="section-about">{about}</p> : null}
        </div>
        {actions ? <div className="row">{actions}</div> : null}
      </header>
      {children}
    </section>
  )
}

/** `wide`: of two columns. `row`: of all. */
type Fact = readonly [label: string, value: ReactNode, width?: 'wide' | 'row']
export function Facts({ facts }: { facts: readonly (Fact | false | undefined)[] }) {
  return (
    <dl className="facts">
      {facts.map((fact) =>
        fact ? (
          <div key={fact[0]} className={fact[2] ? `fact-${fact[2]}` : undefined}>
            <dt>{fact[0]}</dt>
            <dd>{fact[1]}</dd>
          </div>
        ) : null,
      )}
    </dl>
  )
}
