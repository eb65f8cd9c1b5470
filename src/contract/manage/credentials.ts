// API keys and access ids: what a person decides about them, and how they are shown.

import { entityTypes } from '../entity.ts'
import { oneOf } from '../field.ts'
import { listOf, named, optional, text, time } from '../schema.ts'
import { defaultScopes, scopes } from '../scopes.ts'

const name = text({ minLength: 1, maxLength: 200 })
const scope = oneOf(scopes, 'A scope', 'Scope')
const listed = { minItems: 1, uniqueItems: true }
const short = text({ minLength: 1, maxLength: 100 })
const limits = {
  accounts: optional(
    listOf(short, 'Only these accounts; by default all', { minItems: 1, maxItems: 500, uniqueItems: true }),
  ),
  entities: optional(
    listOf(oneOf(entityTypes, 'Entity type', 'EntityType'), 'Only these entities; by default all', listed),
  ),
  hiddenFields: optional(
    listOf(short, 'Fields of records that responses leave out, such as `email` or `phone`, at any depth', {
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
    }),
  ),
  expiresAt: optional(time('By default it does not expire')),
}
export const credentialSettings = named('CredentialSettings', {
  name,
  scopes: optional(
    listOf(scope, `What the credential may be used for; by default ${defaultScopes.join(', ')}`, listed),
  ),
  ...limits,
})
export const shownCredential = {
  id: text(),
  name: text(),
  scopes: listOf(scope),
  ...limits,
  createdAt: time(),
  rotatedAt: optional(text()),
  lastUsedAt: optional(text('To the minute')),
  lastAddress: optional(text('IP address of the last use')),
  revokedAt: optional(text()),
}
export const credential = named('Credential', shownCredential)
