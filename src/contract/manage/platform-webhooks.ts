// Webhooks that platforms send to the service: their URLs, and how they are.

import { oneOf } from '../field.ts'
import { byEntityType, flag, listOf, named, object, optional, text, time } from '../schema.ts'

export const hookStates = ['waiting', 'active', 'failing', 'paused', 'unavailable', 'unsupported'] as const
const changeKinds = ['created', 'updated', 'deleted'] as const
export const hookSchema = named('Hook', {
  platform: text(),
  name: text(),
  scope: optional(
    oneOf(['account', 'application'], '`application`: one URL for all accounts of the workspace on the platform'),
  ),
  accountId: optional(text()),
  state: oneOf(
    hookStates,
    '`waiting`: not registered yet, or nothing was received; `active`; `failing`: see `error`; `paused`: the account must be reconnected or is disabled; `unavailable`: see `error`; `unsupported`: the service uses no webhooks of the platform',
  ),
  error: optional(text()),
  url: optional(text('Receives the webhooks. Keep it confidential')),
  automatic: flag('`true`: the service registers the URL when the account is watched'),
  steps: listOf(text(), "What a person does in the platform's console"),
  secret: optional(
    object(
      {
        label: text('What the platform calls it'),
        help: optional(text()),
        stored: flag(),
      },
      { description: "Signs the webhooks. A person copies it from the platform's console" },
    ),
  ),
  code: optional(text("To be entered in the platform's console; the platform sent it")),
  reports: object(byEntityType(listOf(oneOf(changeKinds, 'Kind of change', 'ChangeKind'))), {
    description: 'What the platform reports at best. Polls and full reads find the rest',
  }),
  lastReceivedAt: optional(time()),
  lastRefusedAt: optional(time('When a webhook came whose signature did not fit the secret')),
  lastCheckedAt: optional(time()),
})
export const secretBody = named('NewHookSecret', { secret: text({ minLength: 8, maxLength: 1000 }) })
