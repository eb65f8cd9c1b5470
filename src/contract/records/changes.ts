// The change feed, as callers and operators read it.
import { entityTypes } from '../entity.ts'
import { oneOf } from '../field.ts'
import { anyObject, byEntityType, byName, flag, listOf, number, optional, shape, text, time, whole } from '../schema.ts'
import { nativeParts } from './native.ts'

export const completeUntil = shape('CompleteUntil', {
  modified: optional(
    time(
      'Every create and update that the platform stamped before this time has been reported. Absent if the platform cannot filter by modification time',
    ),
  ),
  all: optional(time('The same for everything, including deletes: the start of the last complete walk')),
})
const lastWalk = { startedAt: time('Start'), endedAt: time('End'), records: whole('Records that it read') }
const runningWalk = { startedAt: time('Start'), pages: whole('Pages so far'), records: whole('Records so far') }
export const watchStatus = shape('WatchStatus', {
  phase: oneOf(['first_walk', 'ready']),
  mode: oneOf(['poll', 'walk'], '`poll`: incremental and full reads. `walk`: full reads only'),
  pollSeconds: optional(whole('Shortest time between two polls. Absent without polls')),
  walkHours: number('Shortest time between two walks'),
  records: whole('Records in the index'),
  unreadable: whole('Records that could not be normalized'),
  deletesOnHold: whole('Records that a walk did not find and that are not proven deleted'),
  waitingHints: whole('Records that are to be read again'),
  breaches: whole('Changes that polls missed and a walk found'),
  revision: optional(whole('Revision of the conversion to unified records')),
  completeUntil,
  lagSeconds: optional(whole('Seconds since `completeUntil.modified`, or `completeUntil.all` without polls')),
  lastPollAt: optional(time('End of the last poll')),
  nextPollAt: optional(time('When the next poll is due')),
  lastWalk: optional(shape('CompleteWalk', lastWalk, { description: 'The last complete walk' })),
  nextWalkAt: optional(time('When the next walk is due')),
  walk: optional(shape('RunningWalk', runningWalk, { description: 'The walk that is running' })),
  paused: optional(text('Why nothing is read. Absent if the watch is not paused')),
  starvedSince: optional(time('Since when requests of callers leave no calls for the watch')),
  retryAt: optional(time('After an error, or without free calls: nothing is read before this time')),
  lastError: optional(
    shape(
      'WatchError',
      {
        at: time('When it happened'),
        code: text(),
        detail: text(),
        inARow: whole('Failed reads since the last one that succeeded'),
      },
      { description: 'The error of the last read. Absent after a read that succeeded' },
    ),
  ),
})
export const change = shape('Change', {
  sequence: whole('Grows with every change of the account'),
  operation: oneOf(['created', 'updated', 'deleted']),
  entityType: oneOf(entityTypes),
  externalId: text("The platform's id of the record"),
  sourceExternalId: optional(text('Your source id, if the record was written or linked under one')),
  detectedAt: time('When the service noticed the change'),
  modifiedAt: optional(time("The platform's modification time. Absent if the platform has none")),
  origin: oneOf(
    ['write', 'hint', 'poll', 'walk'],
    '`write`: made through this service. `hint`: found by a read of this record. `poll`: found by an incremental read. `walk`: found by a full read',
  ),
  writtenBy: optional(text('With the origin `write`: the id of the credential. A two-way sync skips its own writes')),
  changed: optional(
    listOf(text(), 'JSON pointers of the fields that differ. Absent if the previous state is not stored'),
  ),
  replacedBy: optional(text('With `deleted`: the record that this one was merged into')),
  record: optional(
    anyObject(
      'The whole record after the change, as in the list of its entity. Absent for `deleted`, if the workspace stores no records, and if the record must be read at the platform and can no longer be read',
    ),
  ),
})
export const changePage = shape('ChangePage', {
  data: listOf(change),
  native: optional(
    shape('NativePartsByEntity', byEntityType(byName(nativeParts)), {
      description:
        'With `include=native`: by entity type and `externalId`, what the platform has now of each record that was not deleted. It is read for this response and can be newer than the change',
    }),
  ),
  pagination: shape('FeedPagination', {
    cursor: text('Opaque cursor of the next page. Every page has one'),
    hasMore: flag('`false`: these are all changes up to now'),
  }),
  completeUntil: optional(
    shape('CompleteUntilByEntity', byEntityType(completeUntil), {
      description: "Up to when the feed is complete, on the platform's clock. Only with `hasMore: false`",
    }),
  ),
})
export const feedStatus = shape('FeedStatus', {
  accountId: text(),
  head: whole('Sequence of the last change; 0 if there is none'),
  entities: shape('WatchStatusByEntity', byEntityType(watchStatus), { description: 'The watched entities' }),
})
