// Settings of a workspace. Each group is a form of its own and saves by itself.
import { Page } from '../../components/page.tsx'
import { Branding } from './branding.tsx'
import { EntityTypes } from './entity-types.tsx'
import { Notifications } from './notifications.tsx'
import { Retention } from './retention.tsx'
import { ReturnUrls } from './return-urls.tsx'
import { WatchDefaults } from './watch-defaults.tsx'
import { WorkspaceSettings } from './workspace-settings.tsx'

const groups = [
  { id: 'change-feed', content: WatchDefaults },
  { id: 'entity-types', content: EntityTypes },
  { id: 'connect-pages', content: Branding },
  { id: 'return-urls', content: ReturnUrls },
  { id: 'retention', content: Retention },
  { id: 'notifications', content: Notifications },
  { id: 'workspace', content: WorkspaceSettings },
] as const

export default function SettingsPage() {
  return (
    <Page title="Settings" about="Defaults for all accounts of this workspace, and the workspace itself.">
      {groups.map(({ id, content: Group }) => (
        <div key={id} id={id}>
          <Group />
        </div>
      ))}
    </Page>
  )
}
