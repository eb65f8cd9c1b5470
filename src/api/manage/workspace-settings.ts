import { existingWorkspace } from '../../accounts/lookup.ts'
import { entryFault } from '../../accounts/return-urls.ts'
import { Problem, type Violation } from '../../contract/errors.ts'
import { shownSettings, workspaceSettings } from '../../contract/manage/workspaces.ts'
import { object } from '../../contract/schema.ts'
import type { Store, WorkspaceSettings } from '../../store/store.ts'
import { defineRoute, type ManageRoute } from './route.ts'

/** Of the installation, in days. */
export interface Retention {
  activityDays: number // 0: nothing is recorded
  changesDays: number
}

export function workspaceSettingsRoutes(store: Store, { activityDays, changesDays }: Retention): ManageRoute[] {
  const tag = 'Workspaces'
  const path = '/workspaces/{workspaceId}/settings'
  const show = (settings: WorkspaceSettings) => ({
    ...settings,
    retention: {
      activity: Math.min(activityDays, settings.activityDays ?? activityDays),
      activityMost: activityDays,
      changes: changesDays,
      deliveries: changesDays,
    },
  })
  return [
    defineRoute({
      method: 'GET',
      path,
      operationId: 'getWorkspaceSettings',
      role: 'viewer',
      summary: 'Read the settings of a workspace, and how long its data is kept',
      tag,
      answer: shownSettings,
      handle: async ({ parameters }) =>
        show(await store.workspaceSettings.get((await existingWorkspace(store, parameters.workspaceId)).id)),
    }),
    defineRoute({
      method: 'PUT',
      path,
      operationId: 'setWorkspaceSettings',
      role: 'admin',
      summary: 'Replace the settings of a workspace',
      tag,
      body: object(workspaceSettings),
      answer: shownSettings,
      handle: async ({ parameters, body, recorded }) => {
        const { id } = await existingWorkspace(store, parameters.workspaceId)
        const errors = body.returnUrls.flatMap((entry, index): Violation[] => {
          const message = entryFault(entry)
          return message === undefined ? [] : [{ pointer: `/returnUrls/${index}`, message }]
        })
        if (body.activityDays !== undefined && body.activityDays > activityDays)
          errors.push({
            pointer: '/activityDays',
            message: `must be at most ${activityDays}, which the installation sets with ACTIVITY_DAYS`,
          })
        if (errors.length > 0) throw new Problem('validation_failed', 'The settings are not valid.', { errors })
        return show(await recorded((inner) => inner.workspaceSettings.put(id, body)))
      },
    }),
  ]
}
