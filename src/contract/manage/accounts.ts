// Connected accounts.
import { Type } from 'typebox'
import { verticals } from '../entity.ts'
import { oneOf } from '../field.ts'
import { dailyLimit } from '../records/support.ts'
import { flag, listOf, named, object, optional, text, time } from '../schema.ts'

export const accountTexts = (description: string) =>
  Type.Record(text({ maxLength: 100 }), text({ maxLength: 20_000 }), { description })
const accountId = text('Letters, digits, dot, dash and underscore', { pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$' })
export const accountStates = ['active', 'disabled', 'reconnect_required'] as const
export const account = named('Account', {
  id: text(),
  workspaceId: text(),
  platform: text(),
  vertical: oneOf(verticals, 'Vertical of the account; decides its entity types and fields'),
  name: text(),
  state: oneOf(accountStates, '`active`, `reconnect_required`, or `disabled`'),
  stateReason: optional(text()),
  renewal: optional(
    object(
      { failingSince: time(), retryAt: time('The same token is sent again then') },
      {
        description:
          'The platform does not renew the token, and did not end the authorization either: the account works until its token ends, and recovers by itself. Absent if nothing is wrong',
      },
    ),
  ),
  auth: text('Authentication method of the platform'),
  test: optional(flag('`true` in a test environment of the platform; absent for a real business')),
  settings: accountTexts('Account-specific values and defaults'),
  createdAt: time(),
  updatedAt: time(),
  dailyLimit: optional(dailyLimit),
  warnings: optional(
    listOf(
      object({ code: text(), message: text() }),
      '`business_connected_twice`: another account of the workspace is connected to the same business. Both share one rate limit. Not in lists',
    ),
  ),
})
export const newAccount = named('NewAccount', {
  id: optional(accountId),
  platform: text(),
  vertical: oneOf(verticals, 'Vertical of the account; decides its entity types and fields'),
  name: optional(text({ maxLength: 200 })),
  auth: optional(text('Authentication method of the platform; by default the first that fits the credentials')),
  settings: optional(accountTexts('Account-specific values and defaults')),
  credentials: accountTexts('Credentials of the platform; encrypted and never shown again'),
})
export const accountChange = named('AccountChange', {
  name: optional(text({ maxLength: 200 })),
  settings: optional(accountTexts('Replaces all settings')),
})
