import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { readable } from '../format.ts'
import type { Account } from '../types.ts'
import { useManage } from '../use-data.ts'
import { AccountState, TestTag } from './state.tsx'
import './account-picker.css'

/** Picks one account out of thousands: typing searches on the server. */
export function AccountPicker({
  accountId,
  name,
  label = 'Account',
  except,
  onChoose,
}: {
  accountId: string
  name: string
  label?: string
  except?: string // the id of an account that is not offered
  onChoose(accountId: string): void
}) {
  const [typed, setTyped] = useState<string>()
  const [search, setSearch] = useState('')
  const [active, setActive] = useState(0)
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const open = typed !== undefined
  const found = useManage(open ? 'listAccounts' : undefined, { query: { search, limit: 20 } })
  const accounts = (found.data?.data ?? []).filter((account) => account.id !== except)
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed?.trim() ?? ''), 180)
    return () => clearTimeout(timer)
  }, [typed])
  useEffect(() => {
    if (search !== undefined) setActive(0)
  }, [search])

  const close = () => {
    setTyped(undefined)
    setSearch('')
  }
  const choose = (account: Account | undefined) => {
    close()
    if (account && account.id !== accountId) onChoose(account.id)
  }
  const move = (event: KeyboardEvent) => {
    if (!open && (event.key === 'ArrowDown' || event.key === 'Enter')) setTyped('')
    else if (event.key === 'ArrowDown') setActive(Math.min(active + 1, accounts.length - 1))
    else if (event.key === 'ArrowUp') setActive(Math.max(active - 1, 0))
    else if (event.key === 'Enter') choose(accounts[active])
    else if (event.key === 'Escape' && open) close()
    else return
    event.preventDefault()
  }
  return (
    <div className="field account-picker">
      <label htmlFor={id}>{label}</label>
      <input
        ref={input}
        id={id}
        className="input"
        role="combobox"
        autoComplete="off"
        spellCheck={false}
        aria-expanded={open}
        aria-controls={`${id}-list`}
        aria-activedescendant={open && accounts[active] ? `${id}-${active}` : undefined}
        placeholder={open && name ? name : 'Search accounts'}
        value={typed ?? name}
        onFocus={(event) => event.target.select()}
        onClick={() => setTyped(typed ?? '')}
        onBlur={close}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={move}
      />
      <div id={`${id}-list`} role="listbox" aria-label="Accounts" className="account-picker-list" hidden={!open}>
        {accounts.map((account, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard works in the field above
          // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the field, which names the active entry
          <div
            key={account.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={account.id === accountId}
            data-active={index === active}
            className="account-picker-entry"
            onPointerMove={() => setActive(index)}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(account)}
          >
            <span>{account.name}</span>
            <span className="small faint">
              {account.id} · {readable(account.vertical)}
            </span>
            <TestTag of={account} />
            <AccountState state={account.state} />
          </div>
        ))}
        {open && accounts.length === 0 ? (
          <div className="account-picker-none">{found.loading ? 'Searching…' : 'No accounts match.'}</div>
        ) : null}
      </div>
    </div>
  )
}
