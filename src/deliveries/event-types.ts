// The types of events, and which of them an endpoint receives.
import { entityTypes } from '../contract/entity.ts'

const operations = ['created', 'updated', 'deleted'] as const
const recordEvents: readonly string[] = entityTypes.flatMap((entityType) =>
  operations.map((operation) => `${entityType}.${operation}`),
)
const workspaceEvents = [
  'account.connected',
  'account.reconnect_required',
  'account.recovered',
  'account.renewal_failing',
  'account.disabled',
  'watch.remapped',
  'write.settled',
  'endpoint.failing',
  'endpoint.disabled',
  'delivery.failed',
] as const
/** Not in the list of an endpoint: every endpoint with events of records receives it. */
export const lostEvent = 'changes.lost'
export const testEvent = 'endpoint.test'

export const isRecordEvent = (type: string): boolean => recordEvents.includes(type)

/** What the list of an endpoint may contain: types, `account.*`, and `*`. */
export const eventPatterns: readonly string[] = [
  '*',
  ...new Set([...recordEvents, ...workspaceEvents].map((type) => `${type.split('.')[0]}.*`)),
  ...recordEvents,
  ...workspaceEvents,
]

/** Those of deliveries, or a family of them such as `account.*`. */
export const sentPatterns: readonly string[] = [
  ...eventPatterns.filter((pattern) => pattern !== '*'),
  lostEvent,
  testEvent,
]

export function receives(patterns: readonly string[], type: string): boolean {
  if (type === lostEvent) return recordEvents.some((one) => receives(patterns, one))
  return patterns.includes('*') || patterns.includes(type) || patterns.includes(`${type.split('.')[0]}.*`)
}
