// The table of pages: address, name in the navigation, and the file that is loaded when one goes there.
import { Activity, ArrowLeftRight, Blocks, FlaskConical, KeyRound, LayoutDashboard, type LucideIcon, Search, Shapes, TriangleAlert } from 'lucide-react'
import { type ComponentType, lazy } from 'react'

interface PageRoute {
  /** Below /w/:workspace; wouter's syntax. */
  path: string
  page: ComponentType
}
export interface NavigationEntry {
  path: string
  label: string
  icon: LucideIcon
  group: 'work' | 'reference'
}

export const navigation: readonly NavigationEntry[] = [
  { path: '', label: 'Overview', icon: LayoutDashboard, group: 'work' },
  { path: 'accounts', label: 'Accounts', icon: Blocks, group: 'work' },
  { path: 'activity', label: 'Activity', icon: Activity, group: 'work' },
  { path: 'explorer', label: 'Explorer', icon: Search, group: 'work' },
  { path: 'mappings', label: 'Mappings', icon: ArrowLeftRight, group: 'work' },
  { path: 'credentials', label: 'Credentials', icon: KeyRound, group: 'work' },
  { path: 'platforms', label: 'Platforms', icon: Shapes, group: 'reference' },
  { path: 'errors', label: 'Errors', icon: TriangleAlert, group: 'reference' },
  { path: 'sandbox', label: 'Sandbox', icon: FlaskConical, group: 'reference' },
]

const Overview = lazy(() => import('./pages/overview/overview-page.tsx'))
const Accounts = lazy(() => import('./pages/accounts/accounts-page.tsx'))
const Connect = lazy(() => import('./pages/accounts/connect-page.tsx'))
const Account = lazy(() => import('./pages/accounts/account-page.tsx'))
const ActivityList = lazy(() => import('./pages/activity/activity-page.tsx'))
const ActivityDetail = lazy(() => import('./pages/activity/request-page.tsx'))
const Explorer = lazy(() => import('./pages/explorer/explorer-page.tsx'))
const Mappings = lazy(() => import('./pages/mappings/mappings-page.tsx'))
const Credentials = lazy(() => import('./pages/credentials/credentials-page.tsx'))
const Platforms = lazy(() => import('./pages/platforms/platforms-page.tsx'))
const Platform = lazy(() => import('./pages/platforms/platform-page.tsx'))
const Errors = lazy(() => import('./pages/errors/errors-page.tsx'))
const Sandbox = lazy(() => import('./pages/sandbox/sandbox-page.tsx'))
const Profile = lazy(() => import('./pages/profile/profile-page.tsx'))

export const pageRoutes: readonly PageRoute[] = [
  { path: '/', page: Overview },
  { path: '/accounts', page: Accounts },
  { path: '/accounts/connect', page: Connect },
  { path: '/accounts/:accountId/:tab?', page: Account },
  { path: '/activity', page: ActivityList },
  { path: '/activity/:requestId', page: ActivityDetail },
  { path: '/explorer/*?', page: Explorer },
  { path: '/mappings/*?', page: Mappings },
  { path: '/credentials/:tab?', page: Credentials },
  { path: '/platforms', page: Platforms },
  { path: '/platforms/:platform', page: Platform },
  { path: '/errors', page: Errors },
  { path: '/sandbox', page: Sandbox },
  { path: '/profile', page: Profile },
]
