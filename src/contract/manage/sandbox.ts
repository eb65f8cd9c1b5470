// Faults and keys of the simulators.

import { verticals } from '../entity.ts'
import { oneOf } from '../field.ts'
import { byName, listOf, named, number, object, optional, text, whole } from '../schema.ts'

const count = (description: string) => optional(whole(description, { minimum: 0, maximum: 1_000_000 }))
export const sandboxFault = {
  kind: text('One of `kinds`'),
  method: optional(text('Matches calls with this method', { maxLength: 10 })),
  path: optional(text('Matches calls whose path contains this text', { maxLength: 200 })),
  times: count('Number of calls; forever if absent'),
  skip: count('Number of matching calls to let through first'),
  probability: optional(number('Probability per matching call; 1 if absent', { minimum: 0, maximum: 1 })),
  delayMs: optional(whole('For kinds with a delay', { minimum: 0, maximum: 120_000 })),
}
export const sandboxFaults = named('SandboxFaults', {
  kinds: listOf(object({ kind: text(), explanation: text() })),
  platforms: listOf(
    object({
      platform: text(),
      faults: listOf(object(sandboxFault), 'Active faults'),
    }),
  ),
})
const texts = byName(text())
export const sandboxKeys = named('SandboxKeys', {
  platform: text(),
  vertical: oneOf(verticals, 'Vertical of the simulated business'),
  credentials: texts,
  settings: texts,
})
