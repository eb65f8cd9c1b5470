import { manyOf, readable } from '../../format.ts'
import { type CredentialSettings, entityTypes } from '../../types.ts'

export type Scope = NonNullable<CredentialSettings['scopes']>[number]
export type Entity = NonNullable<CredentialSettings['entities']>[number]

export const scopes: readonly { scope: Scope; label: string; hint: string }[] = [
  { scope: 'records:read', label: 'Read records', hint: 'Lists and single records of all entities.' },
  { scope: 'records:write', label: 'Write records', hint: 'Creates and updates.' },
  { scope: 'changes', label: 'Read changes', hint: 'The change feed of watched entities.' },
  { scope: 'native', label: 'Native calls', hint: 'Any call of the platform’s own API, with its credentials.' },
  { scope: 'accounts:read', label: 'List accounts', hint: 'The accounts of this workspace and their state.' },
  { scope: 'connect:create', label: 'Connect links', hint: 'Creates, lists, and revokes links for your customers.' },
  {
    scope: 'manage',
    label: 'Manage the workspace',
    hint: 'Accounts, mappings, watches, webhooks, and activity. Not credentials.',
  },
]
export const defaultScopes: readonly Scope[] = ['records:read', 'records:write', 'changes']

export const entities: readonly { entity: Entity; label: string }[] = entityTypes.map((entity) => ({
  entity,
  label: readable(manyOf(entity)),
}))

/** A list of names in a text field. */
export const namesIn = (text: string): string[] => text.split(/[\s,]+/).filter((name) => name !== '')
