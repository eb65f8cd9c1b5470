// Connect links for end customers.

import { Type } from 'typebox'
import { verticals } from '../entity.ts'
import { oneOf } from '../field.ts'
import { listOf, named, optional, text, time } from '../schema.ts'

const vertical = oneOf(verticals, 'Limits the link to this vertical')
export const connectOffer = {
  platforms: optional(
    listOf(text(), 'Limits the link to these platforms; by default all that can be connected', {
      minItems: 1,
      maxItems: 50,
    }),
  ),
  vertical: optional(vertical),
  accountId: optional(text('Account to reconnect; keeps its references and mappings')),
  accountName: optional(text('Name of the new account', { maxLength: 200 })),
  newAccountId: optional(text('Id of the new account', { pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$' })),
  returnUrl: optional(text('The customer is redirected here with a signed result', { maxLength: 2000 })),
  manage: optional(
    Type.Literal(true, {
      description: 'Opens a page where the customer sees, reconnects and ends the connection of `accountId`',
    }),
  ),
  popupOrigin: optional(
    text('Origin of the page that opens the link in a popup; only this page gets the result', { maxLength: 300 }),
  ),
  purpose: optional(
    text('Why the customer is asked to connect; by default that of the branding', { minLength: 1, maxLength: 300 }),
  ),
  state: optional(text('Returned with the result', { maxLength: 500 })),
}
export const connectLink = named('ConnectLink', {
  id: text(),
  ...connectOffer,
  status: oneOf(['open', 'connected', 'expired', 'revoked'], 'Only an open link can be used'),
  connectedAccountId: optional(text()),
  createdAt: time(),
  expiresAt: time(),
})
export const createdConnectLink = named('CreatedConnectLink', {
  ...connectLink.properties,
  url: text('Link for the customer; shown once'),
  signingSecret: text('Verifies the result sent to the return URL; shown once'),
})
