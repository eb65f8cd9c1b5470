// The authorization-code flow: consent page, redirect, token endpoint. Each platform supplies paths, checks, error
// wording and response bodies as a table.
import { consentPage, redirectTo } from './consent.ts'
import { readForm } from './http.ts'
import { createRouter, type Fallbacks, type Router, type Routes } from './router.ts'
import type { Tenant, WireRequest, WireResponse } from './simulator.ts'
import type { Issued, TokenIssuer } from './token-issuer.ts'

export interface Application {
  clientId: string
  clientSecret: string
}
export type OAuthFields = Readonly<Record<string, string | undefined>>
/** A named field must be present and valid; a function returns whether the request passes. */
type Check = 'client_id' | 'redirect_uri' | 'response_type' | 'scope' | 'state' | ((fields: OAuthFields) => boolean)

export interface OAuthServerOptions {
  platform: string // heading of the consent page
  issuer: TokenIssuer
  application: Application
  origin: string
  /** The businesses on the consent page. `tenant` is the issuer's name of a business whose public id differs. */
  tenants: readonly { id: string; name: string; tenant?: string }[]
  readScopes?(scope: string | undefined): readonly string[] // separated by spaces or plus signs by default
  isRedirect?(address: string): boolean // any URL by default
  authorize: {
    path: string
    checks: readonly (readonly [checks: readonly Check[], refusal: WireResponse])[] // in the platform's order
    invalidForm: WireResponse // the posted consent form does not belong to this page
    ignoresTenant?: true // the URL or the login determines the business, not the form
    scopes?: readonly string[] // granted regardless of the requested scopes
    pkce?: true // the platform supports code challenges
    bindsRedirect?: false // the platform does not compare redirect_uri when the code is redeemed
    denied?: OAuthFields // added to the redirect after a denial
    approved?(code: string, form: OAuthFields): OAuthFields // replaces `{ code, state }` in the redirect
  }
  token: {
    path: string
    read?(request: WireRequest): OAuthFields // a form by default; may throw a Refusal
    // client_id and client_secret in the fields by default.
    isClient?(request: WireRequest, fields: OAuthFields): boolean
    check?(fields: OAuthFields): WireResponse | undefined // runs after client and grant type are checked
    granted(issued: Issued & { tenant: string }, fields: OAuthFields): WireResponse
    invalidClient: WireResponse
    invalidCode: WireResponse
    invalidRefreshToken?: WireResponse // absent: this endpoint does not refresh
    loginScopes?(fields: OAuthFields): readonly string[] // present: this endpoint accepts client_credentials
    unsupportedGrant?: WireResponse // absent: any other request redeems a code
  }
  routes?: Routes<undefined> // routes that only this platform has, such as revocation
  fallbacks: Fallbacks
}

export function createOAuthServer(options: OAuthServerOptions): Router<undefined> {
  const { authorize, token, routes } = options
  return createRouter<undefined>(
    {
      [`GET ${authorize.path}`]: ({ request }) => showConsent(options, Object.fromEntries(request.query)),
      [`POST ${authorize.path}`]: ({ request }) => takeConsent(options, readForm(request)),
      [`POST ${token.path}`]: ({ request }) => exchange(options, request),
      ...routes,
    },
    options.fallbacks,
  )
}

const isUrl = (address: string): boolean => URL.canParse(address)
export const separatedScopes = (scope = ''): string[] => scope.split(/[\s+]+/).filter(Boolean)

function showConsent(options: OAuthServerOptions, fields: Record<string, string>): WireResponse {
  const { platform, origin, tenants, authorize, readScopes = separatedScopes } = options
  for (const [checks, refusal] of authorize.checks)
    if (!checks.every((check) => passes(options, check, fields))) return refusal
  return consentPage({
    platform,
    application: 'Your application',
    scopes: readScopes(fields.scope),
    action: `${origin}${authorize.path}`,
    hidden: fields,
    tenants,
  })
}

function passes({ application, isRedirect = isUrl }: OAuthServerOptions, check: Check, fields: OAuthFields): boolean {
  if (typeof check === 'function') return check(fields)
  if (check === 'client_id') return fields.client_id === application.clientId
  if (check === 'redirect_uri') return isRedirect(fields.redirect_uri ?? '')
  return check === 'response_type' ? fields.response_type === 'code' : Boolean(fields[check])
}

function takeConsent(options: OAuthServerOptions, form: Record<string, string>): WireResponse {
  const { issuer, tenants, authorize, readScopes = separatedScopes } = options
  const { redirect_uri: redirectUri = '', state } = form
  const chosen = authorize.ignoresTenant ? tenants[0] : tenants.find(({ id }) => id === form.tenant)
  if (!chosen || !passes(options, 'client_id', form) || !passes(options, 'redirect_uri', form))
    return authorize.invalidForm
  if (form.decision !== 'approve')
    return redirectTo(redirectUri, { error: 'access_denied', ...authorize.denied, state })
  const code = issuer.authorize({
    tenant: chosen.tenant ?? chosen.id,
    scopes: authorize.scopes ?? readScopes(form.scope),
    redirectUri: authorize.bindsRedirect === false ? undefined : redirectUri,
    codeChallenge: authorize.pkce ? form.code_challenge : undefined,
  })
  return redirectTo(redirectUri, authorize.approved?.(code, form) ?? { code, state })
}

function exchange(options: OAuthServerOptions, request: WireRequest): WireResponse {
  const { issuer, application, tenants, token } = options
  const fields = (token.read ?? readForm)(request)
  const { isClient = clientInFields(application) } = token
  if (!isClient(request, fields)) return token.invalidClient
  const grant = grantOf(token, fields)
  if (!grant) return token.unsupportedGrant!
  const refusal = token.check?.(fields)
  if (refusal) return refusal
  if (grant === 'client_credentials') {
    const tenant = tenants[0]!.tenant ?? tenants[0]!.id
    return token.granted({ tenant, ...issuer.login(tenant, token.loginScopes!(fields)) }, fields)
  }
  const issued =
    grant === 'refresh_token'
      ? issuer.refresh(fields.refresh_token)
      : issuer.redeem(fields.code, { redirectUri: fields.redirect_uri, codeVerifier: fields.code_verifier })
  if (issued) return token.granted(issued, fields)
  return grant === 'refresh_token' ? token.invalidRefreshToken! : token.invalidCode
}

function grantOf(
  { invalidRefreshToken, loginScopes, unsupportedGrant }: OAuthServerOptions['token'],
  { grant_type: type }: OAuthFields,
) {
  if (type === 'refresh_token' && invalidRefreshToken) return type
  if (type === 'client_credentials' && loginScopes) return type
  return type === 'authorization_code' || !unsupportedGrant ? 'authorization_code' : undefined
}

type IsClient = (request: WireRequest, fields: OAuthFields) => boolean
const clientInFields =
  ({ clientId, clientSecret }: Application): IsClient =>
  (_request, { client_id, client_secret }) =>
    client_id === clientId && client_secret === clientSecret
/** As `clientInFields`, but a public client sends a PKCE verifier instead of the secret. */
export const publicClientInFields =
  ({ clientId, clientSecret }: Application): IsClient =>
  (_request, { client_id, client_secret, code_verifier }) =>
    client_id === clientId &&
    (client_secret === clientSecret || (client_secret === undefined && code_verifier !== undefined))

type OAuthTenant = Omit<Tenant, 'credentials' | 'expireTokens' | 'revokeTokens'> & {
  issuer: TokenIssuer // identifies the tenant by its vertical
  application: Application
  credentials?(issued: Issued): Readonly<Record<string, string>> // what the platform adds to the tokens
}
/** A tenant whose credentials are the issuer's newest tokens. */
export function createOAuthTenant({ issuer, application, credentials, ...tenant }: OAuthTenant): Tenant {
  return {
    ...tenant,
    get credentials() {
      const issued = issuer.current(tenant.vertical)!
      const { accessToken, refreshToken, expiresAt } = issued
      return {
        accessToken,
        refreshToken,
        expiresAt: new Date(expiresAt).toISOString(),
        ...application,
        ...credentials?.(issued),
      }
    },
    expireTokens: () => issuer.expire(tenant.vertical),
    revokeTokens: () => issuer.revoke(tenant.vertical),
  }
}
