// Which credential and which scope an operation needs, for the OpenAPI document.
import type { Scope } from '../contract/scopes.ts'

/** In both address forms; without a scope any credential will do. OpenAPI has scopes for OAuth only. */
export const needing = (form: 'A' | 'B', scope?: Scope) => ({
  security: [form === 'A' ? { apiKey: [] } : { accessToken: scope ? [scope] : [] }],
  ...described(scope),
})

/** In the management API. `operator`: no credential of a workspace will do. */
export const needingManagement = (scope: Scope | 'operator') =>
  scope === 'operator'
    ? { security: [{ management: [] }, { session: [] }] }
    : {
        security: [{ management: [] }, { session: [] }, { apiKey: [] }, { accessToken: [scope] }],
        ...described(scope),
      }

const described = (scope: Scope | undefined) =>
  scope ? { description: `An API key or access id needs the scope \`${scope}\`.` } : {}

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
