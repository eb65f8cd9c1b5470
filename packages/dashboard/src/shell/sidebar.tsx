import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useAccess } from '../access.tsx'
import { FormDialog } from '../components/dialog.tsx'
import { Menu } from '../components/menu.tsx'
import {
  BookOpen,
  Braces,
  ChevronsUpDown,
  CircleUserRound,
  Keyboard,
  LogOut,
  Monitor,
  Moon,
  Plus,
  Search,
  Sun,
  UserRound,
} from '../lucide/icons.tsx'
import { type NavigationEntry, navigation } from '../routes.tsx'
import { signOut, useSession } from '../session.ts'
import { chooseTheme, chosenTheme, type Theme } from '../theme.ts'
import type { Workspace } from '../types.ts'
import { useAction } from '../use-action.ts'
import { useWorkspaces } from '../use-data.ts'
import { useWorkspace, workspacePaths } from '../workspace.tsx'
import { NewWorkspace } from './new-workspace.tsx'
import { useRememberedFilters } from './remembered-filters.ts'
import { searchKeys } from './shortcuts.tsx'

export function Sidebar({ onSearch, onShortcuts }: { onSearch(): void; onShortcuts(): void }) {
  const { denial } = useAccess()
  const group = (name: NavigationEntry['group']) =>
    navigation.filter((entry) => entry.group === name && denial(entry.needs) === undefined)
  return (
    <aside className="sidebar" aria-label="Navigation">
      <WorkspaceSwitcher />
      <button type="button" className="sidebar-search" onClick={onSearch}>
        <Search size={15} aria-hidden />
        <span>Search</span>
        <kbd>{searchKeys}</kbd>
      </button>
      <nav className="sidebar-nav" aria-label="Pages">
        <NavigationList entries={group('work')} />
        <div className="sidebar-heading">Reference</div>
        <NavigationList entries={group('reference')} />
        <a className="sidebar-link" href="/docs" target="_blank" rel="noreferrer">
          <BookOpen size={16} aria-hidden />
          Documentation
        </a>
        <a className="sidebar-link" href="/reference" target="_blank" rel="noreferrer">
          <Braces size={16} aria-hidden />
          API reference
        </a>
      </nav>
      <UserMenu onShortcuts={onShortcuts} />
    </aside>
  )
}

function NavigationList({ entries }: { entries: readonly NavigationEntry[] }) {
  const { page } = useWorkspace()
  const [location] = useLocation()
  const filters = useRememberedFilters()
  return (
    <ul>
      {entries.map(({ path, label, icon: Icon }) => {
        const address = path === '' ? page() : page(path)
        const current = path === '' ? location === address : location === address || location.startsWith(`${address}/`)
        return (
          <li key={label}>
            <Link
              href={current ? address : address + (filters.get(address) ?? '')}
              className="sidebar-link"
              aria-current={current ? 'page' : undefined}
            >
              <Icon size={16} aria-hidden />
              {label}
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

const labelOf = ({ name, test }: Workspace) => (test ? `${name} (test)` : name)
function useShownWorkspaces() {
  const { id } = useWorkspace()
  const { data, loading } = useWorkspaces()
  // A workspace that was just created is not in the list yet.
  const current = data?.data.find((one) => one.id === id)
  return { id, data, name: current ? labelOf(current) : data && !loading ? id : ' ' }
}
export const WorkspaceName = () => useShownWorkspaces().name

function WorkspaceSwitcher() {
  const { id, data, name } = useShownWorkspaces()
  const [, navigate] = useLocation()
  const [creating, setCreating] = useState(false)
  const entries = [
    ...(data?.data ?? []).map((one) => ({
      label: labelOf(one),
      current: one.id === id,
      run: () => navigate(workspacePaths(one.id).page()),
    })),
    { label: 'New workspace', icon: Plus, apart: true, needs: 'installation' as const, run: () => setCreating(true) },
  ]
  return (
    <>
      <Menu
        label={`Workspace ${name}: switch or create`}
        side="left"
        className="switcher"
        entries={entries}
        button={
          <>
            <img src="/dashboard/mark.svg" width={22} height={22} alt="" />
            <span className="switcher-name">{name}</span>
            <ChevronsUpDown size={14} aria-hidden />
          </>
        }
      />
      {creating ? <NewWorkspace onClose={() => setCreating(false)} /> : null}
    </>
  )
}

const themes: readonly { theme: Theme; label: string; icon: typeof Sun }[] = [
  { theme: 'system', label: 'System theme', icon: Monitor },
  { theme: 'light', label: 'Light theme', icon: Sun },
  { theme: 'dark', label: 'Dark theme', icon: Moon },
]
function UserMenu({ onShortcuts }: { onShortcuts(): void }) {
  const { page } = useWorkspace()
  const [, navigate] = useLocation()
  const user = useSession()?.user ?? ''
  const [theme, setTheme] = useState(chosenTheme)
  const [failed, setFailed] = useState(false)
  const leave = useAction(async () => {
    await signOut().catch((error) => {
      setFailed(true)
      throw error
    })
    navigate('/login')
  })
  return (
    <div className="sidebar-foot">
      <Menu
        label={`${user}: profile, theme, and sign-out`}
        side="left"
        className="sidebar-user"
        entries={[
          { label: 'Profile', icon: UserRound, run: () => navigate(page('profile')) },
          { label: 'Keyboard shortcuts', icon: Keyboard, run: onShortcuts },
          ...themes.map((one, index) => ({
            label: one.label,
            icon: one.icon,
            current: one.theme === theme,
            apart: index === 0,
            run: () => {
              chooseTheme(one.theme)
              setTheme(one.theme)
            },
          })),
          { label: 'Sign out', icon: LogOut, apart: true, run: () => void leave.run() },
        ]}
        button={
          <>
            <CircleUserRound size={16} aria-hidden />
            <span className="switcher-name">{user}</span>
            <ChevronsUpDown size={14} aria-hidden />
          </>
        }
      />
      {failed ? (
        <FormDialog title="Sign-out failed" submit="Sign out" onClose={() => setFailed(false)} action={leave} kept="">
          <p className="soft">You may still be signed in. Try again before you leave this computer.</p>
        </FormDialog>
      ) : null}
    </div>
  )
}
