// Writes that are not done.

import { oneOf } from '../field.ts'
import { anything, flag, listOf, named, optional, text, time } from '../schema.ts'

export const writeStates = { in_progress: 'in_flight', unknown: 'unknown', partial: 'partial' } as const
export const writeStateNames = Object.keys(writeStates) as (keyof typeof writeStates)[]
const settlings = ['resend', 'written', 'not_written'] as const
export const openWrite = {
  writeId: text('Of this write; another write of the same key has another one'),
  accountId: text(),
  platform: text(),
  operation: oneOf(['create', 'update', 'native'], 'Kind of the write'),
  entityType: optional(text('Absent for native calls')),
  externalId: text('externalId of a create or a native call; platform id of an update'),
  nativeId: optional(text('Platform id, where it is known')),
  state: oneOf(
    writeStateNames,
    'in_progress: an instance works on it or will take it up; unknown: it may have been written',
  ),
  reason: optional(text('What the platform refused, of a write in part')),
  startedAt: time(),
  nextAttemptAt: optional(time('When the service tries again to find out; absent: it does not')),
  settlings: listOf(oneOf(settlings, 'Way to settle it', 'Settling'), 'What a person can do about it now'),
}
const openWriteStep = named('OpenWriteStep', {
  name: text(),
  method: text(),
  path: text(),
  done: flag('The platform confirmed it'),
  sentAt: time(),
})
export const openWriteWithSteps = named('OpenWriteWithSteps', {
  ...openWrite,
  record: anything('Content of the write'),
  steps: listOf(openWriteStep, 'Calls that were sent, in order'),
  effectiveUntil: optional(time('Until then, a call of it may still take effect')),
})
