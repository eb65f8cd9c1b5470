// Workspaces and their settings.
import { entityTypes, usualEntityTypes } from '../entity.ts'
import { oneOf } from '../field.ts'
import { flag, listOf, named, object, optional, text, time, whole } from '../schema.ts'

export const workspaceSettings = {
  returnUrls: listOf(
    text({ maxLength: 2000 }),
    'Connect links may only return to these addresses and below them; a popup must have the origin of one. Empty: every valid URL is allowed',
    { maxItems: 50 },
  ),
  entityTypes: optional(
    listOf(
      oneOf(entityTypes, undefined, 'EntityType'),
      `Entity types that the workspace uses: connect links ask for their permissions. By default ${usualEntityTypes.join(', ')}. Accounts that were connected before keep what they were granted`,
      { maxItems: 100 },
    ),
  ),
  activityDays: optional(whole('Keep activity for fewer days than the installation does', { minimum: 1 })),
}
export const shownSettings = named('WorkspaceSettings', {
  ...workspaceSettings,
  retention: object(
    {
      activity: whole('Days that activity is kept; 0: nothing is recorded'),
      activityMost: whole('Set by the installation with ACTIVITY_DAYS'),
      changes: whole('Days that the change log is kept; set by the installation with CHANGES_DAYS'),
      deliveries: whole('Days that ended webhook deliveries are kept'),
    },
    { description: 'What applies' },
  ),
})
export const workspaceName = text({ minLength: 1, maxLength: 200 })
export const testMark = optional(
  flag('`true`: a test workspace. Its accounts may only be in test environments of platforms, or in the sandbox'),
)
export const workspace = named('Workspace', { id: text(), name: text(), test: testMark, createdAt: time() })
