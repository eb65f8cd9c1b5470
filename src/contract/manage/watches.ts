// The watches of a workspace and of an account.

import { oneOf } from '../field.ts'
import { watchStatus } from '../records/changes.ts'
import { byEntityType, flag, named, object, optional, whole } from '../schema.ts'

const intervals = {
  pollSeconds: optional(
    whole('Shortest time between two incremental reads, 300 by default; they use at most a tenth of the limit', {
      minimum: 30,
      maximum: 86_400,
    }),
  ),
  walkHours: optional(
    whole('Shortest time between two full reads: 24 by default, 1 if the platform cannot filter by modification time', {
      minimum: 1,
      maximum: 168,
    }),
  ),
}
export const entityWatch = named('EntityWatch', intervals)
export const workspaceWatches = named('WorkspaceWatches', {
  entities: named('WatchesByEntity', byEntityType(entityWatch), {
    description: 'Entities that are watched in all accounts that offer them',
  }),
  keepRecords: flag('`true` by default: changes contain the record, which is encrypted'),
})
export const workspaceBody = named('WorkspaceWatchesChange', {
  entities: workspaceWatches.properties.entities,
  keepRecords: optional(workspaceWatches.properties.keepRecords),
})
export const accountWatch = named('AccountWatch', {
  watched: flag(),
  setBy: optional(
    oneOf(['workspace', 'account'], 'Whose setting it is; absent if neither the workspace nor the account has one'),
  ),
  ...intervals,
  own: optional(object(intervals, { description: 'What the account sets itself; the rest is inherited' })),
  status: optional(watchStatus),
})
export const accountWatches = named('AccountWatches', {
  entities: named('AccountWatchesByEntity', byEntityType(accountWatch), {
    description: 'Entities that the account offers',
  }),
})
