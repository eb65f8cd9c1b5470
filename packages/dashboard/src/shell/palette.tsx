// The command palette: pages, accounts, actions, and pasted request IDs.

import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { type Needs, useAccess } from '../access.tsx'
import { withQuery } from '../api.ts'
import { Dialog } from '../components/dialog.tsx'
import { TestTag } from '../components/state.tsx'
import type { Icon } from '../lucide/icon.tsx'
import { Activity, Blocks, CornerDownLeft, Import, KeyRound, Moon, Plug, Search } from '../lucide/icons.tsx'
import { navigation } from '../routes.tsx'
import { chooseTheme } from '../theme.ts'
import type { Account } from '../types.ts'
import { useManage } from '../use-data.ts'
import { useWorkspace } from '../workspace.tsx'
import './palette.css'

interface Hit {
  id: string
  kind: string
  label: string
  about?: string
  test?: boolean
  icon: Icon
  /** Without this role it is not offered. */
  needs?: Needs | undefined
  run(): void
}

export function Palette({ onClose }: { onClose(): void }) {
  const [text, setText] = useState('')
  const [asked, setAsked] = useState('')
  const [at, setAt] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), 120)
    return () => clearTimeout(timer)
  }, [text])
  const accounts = useManage('listAccounts', { query: { limit: 8, search: asked } })
  const hits = useHits(text.trim(), accounts.data?.data ?? [], onClose)
  const chosen = hits[Math.min(at, hits.length - 1)]
  const key = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setAt((before) => (before + 1) % Math.max(1, hits.length))
    else if (event.key === 'ArrowUp') setAt((before) => (before + hits.length - 1) % Math.max(1, hits.length))
    else if (event.key === 'Enter') chosen?.run()
    else return
    event.preventDefault()
  }
  useEffect(() => {
    list.current?.querySelector(`[data-index="${at}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [at])
  return (
    <Dialog title="Find" onClose={onClose} bare>
      <div className="palette">
        <Search size={16} aria-hidden />
        <input
          autoFocus
          className="palette-input"
          role="combobox"
          aria-label="Search accounts, pages, and actions, or paste a request ID"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={chosen ? `${id}-${chosen.id}` : undefined}
          placeholder="Account, page, action, or request ID"
          value={text}
          spellCheck={false}
          onChange={(event) => {
            setText(event.target.value)
            setAt(0)
          }}
          onKeyDown={key}
        />
      </div>
      <div ref={list} id={id} role="listbox" aria-label="Results" className="palette-list">
        {hits.map((hit, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above takes the keys
          <div
            key={hit.id}
            id={`${id}-${hit.id}`}
            data-index={index}
            role="option"
            tabIndex={-1}
            aria-selected={hit === chosen}
            className="palette-hit"
            onPointerMove={() => setAt(index)}
            onClick={hit.run}
          >
            <hit.icon size={16} aria-hidden />
            <span className="palette-label">{hit.label}</span>
            <TestTag of={hit} />
            {hit.about ? <span className="faint small mono">{hit.about}</span> : null}
            <span className="palette-kind">{hit.kind}</span>
            {hit === chosen ? <CornerDownLeft size={14} aria-hidden /> : null}
          </div>
        ))}
        {hits.length === 0 ? (
          <p className="palette-none">No results for “{text}”. Request IDs start with req_.</p>
        ) : null}
      </div>
    </Dialog>
  )
}

function useHits(text: string, accounts: readonly Account[], onClose: () => void): Hit[] {
  const { page } = useWorkspace()
  const [, navigate] = useLocation()
  const access = useAccess()
  return useMemo(() => {
    const go = (address: string) => () => {
      onClose()
      navigate(address)
    }
    const act = (work: () => void) => () => {
      onClose()
      work()
    }
    const dark = document.documentElement.dataset.theme === 'dark'
    const fixed: Hit[] = [
      ...navigation.map(({ path, label, icon, needs }) => ({
        id: `page-${path}`,
        kind: 'Page',
        label,
        icon,
        needs,
        run: go(path ? page(path) : page()),
      })),
      {
        id: 'connect',
        kind: 'Action',
        label: 'Connect an account',
        icon: Plug,
        needs: 'operator',
        run: go(page('accounts', 'connect')),
      },
      {
        id: 'migration',
        kind: 'Action',
        label: 'Plan a migration',
        icon: Import,
        needs: 'operator',
        run: go(page('migrations', 'new')),
      },
      {
        id: 'api-key',
        kind: 'Action',
        label: 'Create an API key',
        icon: KeyRound,
        needs: 'admin',
        run: go(`${page('credentials', 'api-keys')}?create=yes`),
      },
      {
        id: 'access-id',
        kind: 'Action',
        label: 'Create an access ID',
        icon: KeyRound,
        needs: 'admin',
        run: go(`${page('credentials')}?create=yes`),
      },
      {
        id: 'theme',
        kind: 'Action',
        label: dark ? 'Use the light theme' : 'Use the dark theme',
        icon: Moon,
        run: act(() => chooseTheme(dark ? 'light' : 'dark')),
      },
    ]
    if (/^req_[\w-]{6,}$/.test(text))
      return [
        {
          id: 'request',
          kind: 'Request',
          label: 'Open request',
          about: text,
          icon: Activity,
          run: go(page('activity', text)),
        },
      ]
    const query = text.toLowerCase()
    const named = fixed.filter(
      ({ label, needs }) => label.toLowerCase().includes(query) && access.denial(needs) === undefined,
    )
    const found = accounts
      .filter(({ id, name, platform }) => `${id} ${name} ${platform}`.toLowerCase().includes(query))
      .map(
        ({ id, name, test }): Hit => ({
          id: `account-${id}`,
          kind: 'Account',
          label: name,
          about: id,
          test,
          icon: Blocks,
          run: go(page('accounts', id)),
        }),
      )
    const record: Hit[] = text
      ? [
          {
            id: 'record',
            kind: 'Activity',
            label: `Requests matching “${text}”`,
            icon: Activity,
            run: go(withQuery(page('activity'), { search: text })),
          },
        ]
      : []
    return text ? [...named, ...found, ...record] : [...named, ...found]
  }, [text, accounts, page, navigate, onClose, access])
}
