// The paths of the change feed, in both address forms, and their schemas.
import { type EntityType, entityTypes } from '../contract/entity.ts'
import type { ErrorCode } from '../contract/errors.ts'
import { includeParameter } from './openapi-native-paths.ts'
import { problems } from './openapi-problems.ts'
import { ref } from './openapi-schemas.ts'
import { needing } from './openapi-security.ts'

type Json = Record<string, unknown>

const instant = (description: string) => ({ type: 'string', format: 'date-time', description })
const count = (description: string) => ({ type: 'integer', description })
const entityType = { type: 'string', enum: [...entityTypes] }
const byEntity = (title: string, value: Json) => ({
  title,
  type: 'object',
  properties: Object.fromEntries(entityTypes.map((type: EntityType) => [type, value])),
})

const completeUntilSchema = {
  title: 'CompleteUntil',
  type: 'object',
  properties: {
    modified: instant(
      'Every create and update that the platform stamped before this time has been reported. Absent if the platform cannot filter by modification time',
    ),
    all: instant('The same for everything, including deletes: the start of the last complete walk'),
  },
}
export const watchStatusSchema = {
  title: 'WatchStatus',
  type: 'object',
  required: [
    'phase',
    'mode',
    'walkHours',
    'records',
    'unreadable',
    'deletesOnHold',
    'waitingHints',
    'breaches',
    'completeUntil',
  ],
  properties: {
    phase: { type: 'string', enum: ['first_walk', 'ready'] },
    mode: {
      type: 'string',
      enum: ['poll', 'walk'],
      description: '`poll`: incremental and full reads. `walk`: full reads only',
    },
    pollSeconds: count('Shortest time between two polls. Absent without polls'),
    walkHours: { type: 'number', description: 'Shortest time between two walks' },
    records: count('Records in the index'),
    unreadable: count('Records that could not be normalized'),
    deletesOnHold: count('Records that a walk did not find and that are not proven deleted'),
    waitingHints: count('Records that are to be read again'),
    breaches: count('Changes that polls missed and a walk found'),
    revision: count('Revision of the conversion to unified records'),
    completeUntil: completeUntilSchema,
    lagSeconds: count('Seconds since `completeUntil.modified`, or `completeUntil.all` without polls'),
    lastPollAt: instant('End of the last poll'),
    nextPollAt: instant('When the next poll is due'),
    lastWalk: {
      title: 'CompleteWalk',
      type: 'object',
      description: 'The last complete walk',
      required: ['startedAt', 'endedAt', 'records'],
      properties: { startedAt: instant('Start'), endedAt: instant('End'), records: count('Records that it read') },
    },
    nextWalkAt: instant('When the next walk is due'),
    walk: {
      title: 'RunningWalk',
      type: 'object',
      description: 'The walk that is running',
      required: ['startedAt', 'pages', 'records'],
      properties: {
        startedAt: instant('Start'),
        pages: count('Pages so far'),
        records: count('Records so far'),
      },
    },
    paused: { type: 'string', description: 'Why nothing is read. Absent if the watch is not paused' },
    starvedSince: instant('Since when requests of callers leave no calls for the watch'),
    retryAt: instant('After an error, or without free calls: nothing is read before this time'),
    lastError: {
      title: 'WatchError',
      type: 'object',
      description: 'The error of the last read. Absent after a read that succeeded',
      required: ['at', 'code', 'detail', 'inARow'],
      properties: {
        at: instant('When it happened'),
        code: { type: 'string' },
        detail: { type: 'string' },
        inARow: count('Failed reads since the last one that succeeded'),
      },
    },
  },
}

export const changeSchema = {
  title: 'Change',
  type: 'object',
  required: ['sequence', 'operation', 'entityType', 'externalId', 'detectedAt', 'origin'],
  properties: {
    sequence: count('Grows with every change of the account'),
    operation: { type: 'string', enum: ['created', 'updated', 'deleted'] },
    entityType,
    externalId: { type: 'string', description: "The platform's id of the record" },
    sourceExternalId: {
      type: 'string',
      description: 'Your source id, if the record was written or linked under one',
    },
    detectedAt: instant('When the service noticed the change'),
    modifiedAt: instant("The platform's modification time. Absent if the platform has none"),
    origin: {
      type: 'string',
      enum: ['write', 'hint', 'poll', 'walk'],
      description:
        '`write`: made through this service. `hint`: found by a read of this record. `poll`: found by an incremental read. `walk`: found by a full read',
    },
    writtenBy: {
      type: 'string',
      description: 'With the origin `write`: the id of the credential. A two-way sync skips its own writes',
    },
    changed: {
      type: 'array',
      items: { type: 'string' },
      description: 'JSON pointers of the fields that differ. Absent if the previous state is not stored',
    },
    replacedBy: { type: 'string', description: 'With `deleted`: the record that this one was merged into' },
    record: {
      type: 'object',
      description:
        'The whole record after the change, as in the list of its entity. Absent for `deleted`, if the workspace stores no records, and if the record must be read at the platform and can no longer be read',
    },
  },
}
export const changeSchemas: Json = {
  Change: changeSchema,
  CompleteUntil: completeUntilSchema,
  ChangePage: {
    type: 'object',
    required: ['data', 'pagination'],
    properties: {
      data: { type: 'array', items: ref('Change') },
      native: {
        ...byEntity('NativePartsByEntity', { type: 'object', additionalProperties: ref('NativeParts') }),
        description:
          'With `include=native`: by entity type and `externalId`, what the platform has now of each record that was not deleted. It is read for this response and can be newer than the change',
      },
      pagination: {
        title: 'FeedPagination',
        type: 'object',
        required: ['cursor', 'hasMore'],
        properties: {
          cursor: { type: 'string', description: 'Opaque cursor of the next page. Every page has one' },
          hasMore: { type: 'boolean', description: '`false`: these are all changes up to now' },
        },
      },
      completeUntil: {
        ...byEntity('CompleteUntilByEntity', ref('CompleteUntil')),
        description: "Up to when the feed is complete, on the platform's clock. Only with `hasMore: false`",
      },
    },
  },
  WatchStatus: watchStatusSchema,
  FeedStatus: {
    type: 'object',
    required: ['accountId', 'head', 'entities'],
    properties: {
      accountId: { type: 'string' },
      head: count('Sequence of the last change; 0 if there is none'),
      entities: { ...byEntity('WatchStatusByEntity', ref('WatchStatus')), description: 'The watched entities' },
    },
  },
}

const feedProblems: ErrorCode[] = [
  'invalid_parameter',
  'unknown_parameter',
  'invalid_cursor',
  'unauthorized',
  'insufficient_scope',
  'forbidden',
  'insufficient_scope',
  'unknown_account',
  'entity_not_offered',
  'not_watched',
  'not_ready',
  'cursor_expired',
  'too_many_requests',
  'downstream_error',
  'reconnect_required',
  'downstream_timeout',
]
const statusProblems: ErrorCode[] = [
  'unknown_parameter',
  'unauthorized',
  'insufficient_scope',
  'unknown_account',
  'too_many_requests',
]

/** `shared`: what the paths of records have in common. */
export function changePaths(
  base: string,
  shared: { accountId: Json; mappingKey: Json; mappingProblems: ErrorCode[] },
): Json {
  const { accountId, mappingKey, mappingProblems } = shared
  const content = (name: string) => ({ 'application/json': { schema: ref(name) } })
  return {
    [`${base}/changes`]: {
      get: {
        operationId: 'listChanges',
        summary: 'Changes of records since a cursor, in order; with `Prefer: wait`, waits for them',
        tags: ['Changes'],
        ...needing(
          'changes',
          'Start with a cursor from the end of a complete copy. Every page has a cursor, also an empty one: store it, and continue there.',
        ),
        parameters: [
          accountId,
          {
            name: 'entityType',
            in: 'query',
            schema: { type: 'string' },
            description:
              'Entity types, separated by commas. By default those of the cursor, or without a cursor all that are watched',
          },
          {
            name: 'cursor',
            in: 'query',
            schema: { type: 'string' },
            description:
              '`pagination.cursor` of the previous page. Without it the feed starts now, with changes of the last seconds that a list may not show yet',
          },
          {
            name: 'pageSize',
            in: 'query',
            schema: { type: 'integer', minimum: 1, default: 50 },
            description: 'Maximum number of changes per page, at most 500',
          },
          {
            name: 'include',
            in: 'query',
            schema: includeParameter.schema,
            description:
              '`native`: also what the platform has now of each record. Each one costs a call, so a page has at most 20 of them',
          },
          mappingKey,
          {
            name: 'Prefer',
            in: 'header',
            schema: { type: 'string' },
            description: '`wait=SECONDS`: how long to wait for a change if there is none, at most 60',
          },
        ],
        responses: {
          200: {
            description: 'One page; empty if nothing has changed',
            headers: {
              'Preference-Applied': {
                schema: { type: 'string' },
                description: '`wait=SECONDS`, if the request has that preference',
              },
            },
            content: content('ChangePage'),
          },
          ...problems(...feedProblems, ...mappingProblems),
        },
      },
    },
    [`${base}/changes/status`]: {
      get: {
        operationId: 'getChangesStatus',
        summary: 'What is watched, and how current it is',
        tags: ['Changes'],
        ...needing('changes', 'Watches are set in the management API.'),
        parameters: [accountId, mappingKey],
        responses: {
          200: { description: 'Status per watched entity', content: content('FeedStatus') },
          ...problems(...statusProblems, ...mappingProblems),
        },
      },
    },
  }
}
