// The pages: path, label in the navigation, and chunk.

import type { ComponentType } from 'react'
import type { Needs } from './access.tsx'
import { chunk } from './load-chunk.ts'
import type { Icon } from './lucide/icon.tsx'
import {
  Activity,
  ArrowLeftRight,
  Blocks,
  FlaskConical,
  Import,
  KeyRound,
  LayoutDashboard,
  PenLine,
  ScrollText,
  Search,
  Settings,
  Shapes,
  TriangleAlert,
  Users,
  Webhook,
} from './lucide/icons.tsx'

interface PageRoute {
  /** Below /w/:workspace; wouter's syntax. */
  path: string
  page: ComponentType
}
export interface NavigationEntry {
  path: string
  label: string
  icon: Icon
  group: 'work' | 'reference'
  needs?: Needs
}

export const navigation: readonly NavigationEntry[] = [
  { path: '', label: 'Overview', icon: LayoutDashboard, group: 'work' },
  { path: 'accounts', label: 'Accounts', icon: Blocks, group: 'work' },
  { path: 'activity', label: 'Activity', icon: Activity, group: 'work' },
  { path: 'writes', label: 'Writes', icon: PenLine, group: 'work' },
  { path: 'explorer', label: 'Explorer', icon: Search, group: 'work' },
  { path: 'mappings', label: 'Mappings', icon: ArrowLeftRight, group: 'work' },
  { path: 'migrations', label: 'Migrations', icon: Import, group: 'work' },
  { path: 'credentials', label: 'Credentials', icon: KeyRound, group: 'work' },
  { path: 'webhooks', label: 'Webhooks', icon: Webhook, group: 'work' },
  { path: 'people', label: 'People', icon: Users, group: 'work' },
  { path: 'audit', label: 'Audit log', icon: ScrollText, group: 'work' },
  { path: 'settings', label: 'Settings', icon: Settings, group: 'work' },
  { path: 'platforms', label: 'Platforms', icon: Shapes, group: 'reference' },
  { path: 'errors', label: 'Errors', icon: TriangleAlert, group: 'reference' },
  { path: 'sandbox', label: 'Sandbox', icon: FlaskConical, group: 'reference', needs: 'installation' },
]

const workspacePage = chunk(() => import('./pages/workspace-pages.ts'))
const recordPage = chunk(() => import('./pages/record-pages.ts'))

export const pageRoutes: readonly PageRoute[] = [
  { path: '/', page: workspacePage((pages) => pages.Overview) },
  { path: '/accounts', page: workspacePage((pages) => pages.Accounts) },
  { path: '/accounts/connect', page: workspacePage((pages) => pages.Connect) },
  { path: '/accounts/:accountId/:tab?', page: workspacePage((pages) => pages.Account) },
  { path: '/activity', page: workspacePage((pages) => pages.ActivityList) },
  { path: '/activity/:requestId', page: workspacePage((pages) => pages.ActivityDetail) },
  { path: '/writes', page: workspacePage((pages) => pages.Writes) },
  { path: '/writes/:accountId/:writeId', page: workspacePage((pages) => pages.Write) },
  { path: '/explorer/*?', page: recordPage((pages) => pages.Explorer) },
  { path: '/mappings/*?', page: recordPage((pages) => pages.Mappings) },
  { path: '/migrations', page: workspacePage((pages) => pages.Migrations) },
  { path: '/migrations/new', page: workspacePage((pages) => pages.NewMigration) },
  { path: '/migrations/:migrationId', page: workspacePage((pages) => pages.Migration) },
  { path: '/credentials/:tab?', page: workspacePage((pages) => pages.Credentials) },
  { path: '/webhooks', page: workspacePage((pages) => pages.Webhooks) },
  { path: '/webhooks/new', page: workspacePage((pages) => pages.NewWebhook) },
  { path: '/webhooks/:endpointId', page: workspacePage((pages) => pages.Webhook) },
  { path: '/webhooks/:endpointId/edit', page: workspacePage((pages) => pages.EditWebhook) },
  { path: '/people', page: workspacePage((pages) => pages.People) },
  { path: '/audit/:tab?', page: workspacePage((pages) => pages.Audit) },
  { path: '/settings', page: workspacePage((pages) => pages.Settings) },
  { path: '/platforms', page: workspacePage((pages) => pages.Platforms) },
  { path: '/platforms/:platform', page: workspacePage((pages) => pages.Platform) },
  { path: '/errors', page: workspacePage((pages) => pages.Errors) },
  { path: '/sandbox', page: workspacePage((pages) => pages.Sandbox) },
  { path: '/profile', page: workspacePage((pages) => pages.Profile) },
]
