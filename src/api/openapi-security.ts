// Which credential and which scope an operation needs, for the OpenAPI document.
import type { RequiredRole } from '../contract/roles.ts'
import type { Scope } from '../contract/scopes.ts'

/** In both address forms; without a scope any credential will do. OpenAPI has scopes for OAuth only. */
export const needing = (scope?: Scope, about?: string) => ({
  security: [{ apiKey: [] }, { accessToken: scope ? [scope] : [] }],
  description: sentences(about, scope ? scopeNeeded(scope) : 'Any API key or access id of the workspace.'),
})
/** No credential at all. */
export const openToAll = (about?: string) => ({ security: [], description: sentences(about, 'Needs no credential.') })

/** In the management API. `people`: no credential of a workspace will do. */
export const needingManagement = (scope: Scope | 'people', role: RequiredRole, about?: string) => ({
  security: [
    { management: [] },
    { session: [] },
    ...(scope === 'people' ? [] : [{ apiKey: [] }, { accessToken: [scope] }]),
  ],
  description: sentences(about, scope === 'people' ? undefined : scopeNeeded(scope), roleMeanings[role]),
})
const roleMeanings: Record<RequiredRole, string> = {
  person: 'For every signed-in user.',
  viewer: 'A user needs the role `viewer`.',
  operator: 'A user needs the role `operator`.',
  admin: 'A user needs the role `admin`.',
  installation: 'A user must be an installation admin.',
}

const scopeNeeded = (scope: Scope) => `An API key or access id needs the scope \`${scope}\`.`
const sentences = (...parts: (string | undefined)[]) => parts.filter((part) => part !== undefined).join(' ')

const scopeMeanings: Record<Scope, string> = {
  'records:read': 'Read records',
  'records:write': 'Create and update records',
  changes: 'Read the change feed',
  native: 'Make native calls',
  'accounts:read': 'List and read the accounts of the workspace',
  'connect:create': 'Create, list and revoke connect links',
  manage: 'The management API of the workspace, except credentials and the explorer',
}
export const securitySchemes = (tokenUrl: string) => ({
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'Form A: an API key. The management API takes it for its workspace, within its scopes',
  },
  accessToken: {
    type: 'oauth2',
    description: 'Form B: an access token. It has the scopes of its access id',
    flows: { clientCredentials: { tokenUrl, scopes: scopeMeanings } },
  },
  management: {
    type: 'http',
    scheme: 'bearer',
    description: 'An admin token or a session of the management API',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'unirec_session',
    description: 'Browser session; methods other than GET also need `x-csrf-token`',
  },
})
